"""The store's interface to everything else: scores, runs, and the scores of a run's candidates."""

from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pairlens.files.locks import changing
from pairlens.places import bundled
from pairlens.settings import settings
from pairlens.store.files import write_json
from pairlens.store.runs import Runs
from pairlens.store.scores import Scores, Tokens, on_the_parts_of_now, shared_scores, tokens_by_request

SHIPPED = bundled("gallery")
"""Scores that ship with Pairlens, never written to, with which the gallery needs no model."""


class Store(Scores, Runs):
    """Scores and runs in one folder, and below them the scores that ship with Pairlens; for many processes."""

    def __init__(self, folder: Path | None = None, shipped: Path | None = SHIPPED) -> None:
        super().__init__(folder or settings().store, *([shipped] if shipped else []))
        self.shipped = shipped

    def check_writable(self) -> None:
        """StoreError if nothing can be written, for lack of rights or room."""
        probe = self.folder / "probe.json"
        write_json(probe, {})
        probe.unlink(missing_ok=True)

    def candidates(self, run_id: str, temperature: float = 1.0, *, ends: bool | None = None) -> pd.DataFrame:
        """A run's candidate table (columns: `pairlens.metrics`): one row per item and candidate, NaN where not
        scored.

        `ends`: whether the ends of words are counted, by default as in the run's rule. If the rule compares what two
        texts share, `logprob`, `n_tokens` and `n_scored` are of the shared tokens.
        """
        manifest, items = self.manifest(run_id), self.items(run_id)
        requests = _keys_by_fingerprint(items)
        scores = pd.concat([self.scores(one, temperature, keys) for one, keys in requests.items()], ignore_index=True)
        if manifest.get("ends", False) if ends is None else ends:
            masses = pd.concat([self.ends(one, keys) for one, keys in requests.items()])
            scores["logprob"] += scores["request_key"].map(masses)
        table = candidate_table(items, scores)
        if manifest.get("shared", False):
            table = table.assign(**self._shared(items))
        if refused := manifest.get("refused"):
            table["logprob"] = table["logprob"].mask(table["item"].isin(list(refused)))
        return table

    @on_the_parts_of_now
    def _shared(self, items: pd.DataFrame) -> pd.DataFrame:
        """The scores of the tokens that the texts of these items share (`pairlens.store.scores`), row by row."""
        tokens: dict[str, Tokens] = {}
        for fingerprint, keys in _keys_by_fingerprint(items).items():
            parts = [path for _, path in self.verified(fingerprint, "tokens", keys)]
            tokens |= tokens_by_request(parts, set(keys))
        return shared_scores(items, tokens)

    def temperatures(self, run_id: str) -> list[float]:
        """The temperatures at which all is scored that is at 1; ends of words and shared tokens are only there."""
        manifest, items = self.manifest(run_id), self.items(run_id)
        if manifest.get("ends", False) or manifest.get("shared", False):
            return [1.0]
        scores = pd.concat([self.scores(one, keys=keys) for one, keys in _keys_by_fingerprint(items).items()])
        if scores["temperature"].nunique() < 2:
            return [float(one) for one in scores["temperature"].unique()]
        scores = scores[scores["request_key"].isin(items["request_key"])]
        counts = scores.groupby("temperature").size()
        return [float(one) for one in counts.index[counts == counts.get(1.0)]]


def _keys_by_fingerprint(items: pd.DataFrame) -> dict[str, pd.Series]:
    return {str(name): rows["request_key"] for name, rows in items.groupby("fingerprint", sort=False)}


def candidate_table(items: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """Items joined with their scores at one temperature, a table from `Store.scores`; NaN where there are none. Terms
    of weight 0 are no part of a candidate's score.
    """
    weightless = items["weight"] == 0
    items = items[~weightless] if weightless.any() else items
    frame = items.drop(columns=["request_key", "fingerprint"]).rename(columns={"item_id": "item"})
    keys, stored = (pa.array(table["request_key"], pa.string()) for table in (items, scores))
    places, numbers = pc.index_in(keys, value_set=stored), scores.drop(columns=["request_key", "temperature"])
    if places.null_count:
        columns = numbers.astype(np.float64).reset_index(drop=True).reindex(places.fill_null(-1).to_numpy())
    else:
        columns = numbers.take(places.to_numpy())
    frame = pd.concat([frame.reset_index(drop=True), columns.reset_index(drop=True)], axis="columns")
    if (frame["term"] == 0).all() and (frame["weight"] == 1).all():
        return frame.drop(columns=["term", "weight"])
    frame["logprob"] *= frame["weight"]
    first = frame[frame["term"] == 0].drop(columns=["term", "weight", "logprob"])
    totals = frame.groupby(["item", "candidate"], sort=False)["logprob"].sum(skipna=False).reset_index()
    return first.merge(totals, on=["item", "candidate"])


def maintenance_lock(store: Store) -> AbstractContextManager[None]:
    """Excludes other compactions and cleanings; StoreError after a minute of waiting."""
    busy = "Another process is still tidying the store: try again when it has finished."
    return changing(store.folder / ".upkeep.lock", 60.0, busy)


def changing_runs(store: Store) -> AbstractContextManager[None]:
    """Nobody else tags, deletes or restores a run meanwhile; StoreError after ten seconds of waiting."""
    busy = "Another process is still changing runs: try again in a moment."
    return changing(store.folder / "runs" / ".lock", 10.0, busy)
