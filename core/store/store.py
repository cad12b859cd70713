"""The store as everything else sees it: look scores up, add scores, keep runs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.settings import ROOT, settings
from core.store import runs
from core.store.files import read_json
from core.store.parts import Part, Scored, read_parts, token_scores, write_part
from core.store.processes import alive
from core.store.runs import ItemRow
from core.store.shared import Tokens, shared_scores
from core.store.token_rows import ends_by_request, rows_by_request, tokens_by_request
from core.types import TokenScores

SHIPPED = ROOT / "data" / "gallery"
"""Scores that come with Pairlens, read but never written: the gallery is answered without a model."""


class Store:
    """Scores and runs in one folder, with the scores that ship with Pairlens underneath.

    Any number of processes may read and write at the same time: parts are immutable and appear whole.
    """

    def __init__(self, folder: Path | None = None, shipped: Path | None = SHIPPED) -> None:
        self.folder = folder or settings().store
        self._layers = [self.folder, *([shipped] if shipped else [])]
        self._runs = self.folder / "runs"

    # Scores

    def parts(self, fingerprint: str) -> list[Part]:
        """All whole parts of a fingerprint: the store's own first, then shipped ones."""
        return [part for layer in self._layers for part in read_parts(layer / "scores" / fingerprint)]

    def fingerprints(self) -> list[str]:
        """Every fingerprint this store (not what ships) has scores of."""
        folders = (self.folder / "scores").glob("*/")
        return sorted(folder.name for folder in folders if not folder.name.startswith("."))

    def scores(self, fingerprint: str, temperature: float | None = None) -> pd.DataFrame:
        """One row per stored request and temperature, or those at one temperature only.

        Columns: request_key, temperature, logprob (nats), n_tokens, n_scored, n_straddling. Where two parts hold the
        same request, the part whose name sorts first counts.
        """
        rows = None if temperature is None else pc.field("temperature") == temperature
        tables = [pq.read_table(path, filters=rows) for _, path in self._verified(fingerprint, "scores")]
        if not tables:
            return pd.DataFrame(columns=["request_key", "temperature", "logprob", "n_tokens", "n_scored"])
        frame: pd.DataFrame = pa.concat_tables(tables).to_pandas()
        return frame.drop_duplicates(["request_key", "temperature"], keep="first")

    def known(
        self,
        fingerprint: str,
        *,
        boundary: bool = False,
        temperatures: Collection[float] = (),
        by_token: bool = False,
    ) -> set[str]:
        """The request keys that need not be scored again.

        `boundary`: only those with the masses at word ends; `temperatures`: only those scored at all of these too;
        `by_token`: only those whose token rows are kept.
        """
        known: set[str] = set()
        tables: list[pa.Table] = []
        for part, path in self._verified(fingerprint, "scores"):
            tokens = part.verified("tokens")
            if not tokens or (by_token and not pq.read_metadata(tokens).num_rows):
                continue
            table = pq.read_table(path, columns=["request_key", "temperature"])
            if part.about["boundary"] or not boundary:
                known.update(table["request_key"].filter(pc.equal(table["temperature"], 1.0)).to_pylist())
            tables.append(table)
        return known & _at_all(tables, temperatures) if temperatures and tables else known

    def token_scores(self, fingerprint: str, keys: Collection[str]) -> dict[str, TokenScores]:
        """The stored scores of these requests as objects, by key; keys that are not stored are left out.

        Scores with the masses at word ends come before those without.
        """
        wanted = pa.array(sorted(keys), pa.string())
        found: dict[str, TokenScores] = {}
        parts = sorted(self._verified(fingerprint, "scores"), key=lambda pair: not pair[0].about["boundary"])
        for part, path in parts:
            sums = pq.read_table(path, filters=pc.field("request_key").isin(wanted))
            straddling = dict(zip(sums["request_key"].to_pylist(), sums["n_straddling"].to_pylist(), strict=True))
            missing = [key for key in straddling if key not in found]
            if missing and (tokens := part.verified("tokens")):
                for key, rows in rows_by_request(tokens, missing):
                    found[key] = token_scores(rows, straddling[key])
        return found

    def ends(self, fingerprint: str) -> pd.Series:
        """By request key, the log mass of all tokens that end the word after the request's last token, in nats.

        These begin with white space or a mark, or are the end of the text: a form is over whatever ends it, even
        where marks count as parts of words. 0 where the model's tokens do not show where words end: then each of them
        is a word, or nothing can be said. Requests stored without the masses are left out.
        """
        parts = [path for part, path in self._verified(fingerprint, "tokens") if part.about["boundary"]]
        return ends_by_request(parts)

    def requests_with(self, fingerprint: str, token: str) -> set[str]:
        """The stored requests that have a token of this name among those of their continuation."""
        found: set[str] = set()
        for _, path in self._verified(fingerprint, "tokens"):
            table = pq.read_table(path, columns=["request_key"], filters=pc.field("token") == token)
            found.update(table["request_key"].cast(pa.string()).to_pylist())
        return found

    def add(
        self,
        fingerprint: str,
        scored: Sequence[Scored],
        provenance: Mapping[str, Any],
        *,
        tokens: bool = True,
        rescored: bool = False,
    ) -> Part:
        """Store scores as one part. `tokens=False` keeps sums only; `rescored` ones count before older ones."""
        folder = self.folder / "scores" / fingerprint
        return write_part(folder, scored, provenance, tokens=tokens, rescored=rescored)

    def _verified(self, fingerprint: str, table: str) -> Iterator[tuple[Part, Path]]:
        for part in self.parts(fingerprint):
            if path := part.verified(table):
                yield part, path

    # Runs

    def runs(self) -> pd.DataFrame:
        """All runs, newest first (columns: `core.store.runs.run_table`); one whose process is gone is `cancelled`."""
        manifests = [self._settled(manifest) for manifest in runs.read_manifests(self._runs)]
        return runs.run_table(manifests)

    def manifest(self, run_id: str) -> dict[str, Any]:
        """What is known about a run; StoreError if there is none."""
        return self._settled(runs.read_manifest(self._runs, run_id))

    def has_finished(self, run_id: str) -> bool:
        """Whether a run of that id is here and done."""
        manifest = read_json(runs.manifest_path(self._runs, run_id))
        return manifest is not None and manifest["state"] == "done"

    def begin(self, manifest: Mapping[str, Any], items: Sequence[ItemRow]) -> None:
        """Record what a run asks before anything is scored."""
        runs.write_manifest(self._runs, manifest)
        runs.write_items(self._runs, manifest["run_id"], items)

    def update(self, manifest: Mapping[str, Any], metrics: pd.DataFrame | None = None) -> None:
        """Record how a run stands, and its metrics when it is finished."""
        if metrics is not None:
            runs.write_metrics(self._runs, manifest["run_id"], metrics)
        runs.write_manifest(self._runs, manifest)

    def items(self, run_id: str) -> pd.DataFrame:
        """What a run asked: one row per item, candidate and term, with one column per group."""
        return runs.read_items(self._runs, run_id)

    def metrics(self, run_id: str) -> pd.DataFrame:
        """A finished run's metrics table (columns: `core.analysis.summary`)."""
        return runs.read_metrics(self._runs, run_id)

    def candidates(self, run_id: str, temperature: float = 1.0, *, ends: bool | None = None) -> pd.DataFrame:
        """A run's candidate table (columns: `core.metrics`): one row per item and candidate, NaN where not scored.

        `ends`: whether the ends of words are counted, by default as the run's rule does. Where its rule is about what
        two texts share, `logprob`, `n_tokens` and `n_scored` are of that. What the run refused counts as not scored.
        """
        manifest, items = self.manifest(run_id), self.items(run_id)
        fingerprints = items["fingerprint"].unique()
        scores = pd.concat([self.scores(fingerprint, temperature) for fingerprint in fingerprints])
        if manifest.get("ends", False) if ends is None else ends:
            masses = pd.concat([self.ends(fingerprint) for fingerprint in fingerprints])
            scores["logprob"] += scores["request_key"].map(masses)
        table = candidate_table(items, scores)
        if manifest.get("shared", False):
            table = table.assign(**self._shared(items))
        return table.assign(logprob=table["logprob"].mask(table["item"].isin(list(manifest.get("refused") or ()))))

    def _shared(self, items: pd.DataFrame) -> pd.DataFrame:
        """What the texts of these items share (`core.store.shared`), row by row."""
        tokens: dict[str, Tokens] = {}
        for fingerprint, rows in items.groupby("fingerprint"):
            parts = [path for _, path in self._verified(str(fingerprint), "tokens")]
            tokens |= tokens_by_request(parts, set(rows["request_key"]))
        return shared_scores(items, tokens)

    def temperatures(self, run_id: str) -> list[float]:
        """The temperatures, in order, at which everything that the run could score at 1 has been scored.

        Ends of words and single tokens are known at 1 only.
        """
        manifest, items = self.manifest(run_id), self.items(run_id)
        if manifest.get("ends", False) or manifest.get("shared", False):
            return [1.0]
        found = pd.concat([self.scores(fingerprint) for fingerprint in items["fingerprint"].unique()])
        found = found[found["request_key"].isin(items["request_key"])]
        counts = found.groupby("temperature").size()
        return [float(one) for one in counts.index[counts == counts.get(1.0)]]

    def delete(self, run_id: str) -> None:
        """Remove a run; its scores stay until `store gc`."""
        runs.delete(self._runs, run_id)

    @staticmethod
    def _settled(manifest: dict[str, Any]) -> dict[str, Any]:
        if manifest.get("state") == "running" and not alive(manifest.get("pid")):
            return {**manifest, "state": "cancelled", "error": "Its process ended; run it again to go on from there."}
        return manifest


def candidate_table(items: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """Items joined with their scores at one temperature, a table as `Store.scores` gives it.

    Terms of weight 0 are left out: they say nothing about the candidate's own score.
    """
    items = items[items["weight"] != 0]
    scores = scores.drop(columns="temperature").drop_duplicates("request_key")
    frame = items.merge(scores, on="request_key", how="left")
    frame = frame.rename(columns={"item_id": "item"}).drop(columns=["request_key", "fingerprint"])
    if (frame["term"] == 0).all() and (frame["weight"] == 1).all():
        return frame.drop(columns=["term", "weight"])
    frame["logprob"] *= frame["weight"]
    first = frame[frame["term"] == 0].drop(columns=["term", "weight", "logprob"])
    totals = frame.groupby(["item", "candidate"], sort=False)["logprob"].sum(skipna=False).reset_index()
    return first.merge(totals, on=["item", "candidate"])


def _at_all(tables: Sequence[pa.Table], temperatures: Collection[float]) -> set[str]:
    """The request keys that are in these tables at every one of the temperatures."""
    wanted = pc.field("temperature").isin([*temperatures])
    rows = pa.concat_tables(tables).filter(wanted).group_by("request_key")
    counts = rows.aggregate([("temperature", "count_distinct")])
    whole = pc.equal(counts["temperature_count_distinct"], len(set(temperatures)))
    return set(counts["request_key"].filter(whole).to_pylist())
