"""The store as everything else sees it: look scores up, add scores, keep runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from core.settings import ROOT, settings
from core.store import runs
from core.store.candidates import candidate_table
from core.store.files import read_json
from core.store.processes import alive
from core.store.runs import ItemRow
from core.store.scores import Scores, on_the_parts_of_now
from core.store.shared import Tokens, shared_scores
from core.store.token_rows import tokens_by_request

SHIPPED = ROOT / "data" / "gallery"
"""Scores that come with Pairlens, read but never written: the gallery is answered without a model."""


class Store(Scores):
    """Scores and runs in one folder, with the scores that ship with Pairlens underneath.

    Any number of processes may read and write at the same time: parts are immutable and appear whole.
    """

    def __init__(self, folder: Path | None = None, shipped: Path | None = SHIPPED) -> None:
        super().__init__(folder or settings().store, *([shipped] if shipped else []))
        self.shipped = shipped
        self._runs = self.folder / "runs"

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
        return manifest is not None and manifest.get("state") == "done"

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

    def fingerprints_of(self, run_id: str) -> list[str]:
        """What a run's items were scored with: one fingerprint, as a rule."""
        return runs.read_fingerprints(self._runs, run_id)

    def metrics(self, run_id: str) -> pd.DataFrame:
        """A finished run's metrics table (columns: `core.analysis.summary`)."""
        return runs.read_metrics(self._runs, run_id)

    def candidates(self, run_id: str, temperature: float = 1.0, *, ends: bool | None = None) -> pd.DataFrame:
        """A run's candidate table (columns: `core.metrics`): one row per item and candidate, NaN where not scored.

        `ends`: whether the ends of words are counted, by default as the run's rule does. Where its rule is about what
        two texts share, `logprob`, `n_tokens` and `n_scored` are of that. What the run refused counts as not scored.
        """
        manifest, items = self.manifest(run_id), self.items(run_id)
        asked = _keys_by_fingerprint(items)
        scores = pd.concat([self.scores(one, temperature, keys) for one, keys in asked.items()], ignore_index=True)
        if manifest.get("ends", False) if ends is None else ends:
            masses = pd.concat([self.ends(one, keys) for one, keys in asked.items()])
            scores["logprob"] += scores["request_key"].map(masses)
        table = candidate_table(items, scores)
        if manifest.get("shared", False):
            table = table.assign(**self._shared(items))
        if refused := manifest.get("refused"):
            table["logprob"] = table["logprob"].mask(table["item"].isin(list(refused)))
        return table

    @on_the_parts_of_now
    def _shared(self, items: pd.DataFrame) -> pd.DataFrame:
        """What the texts of these items share (`core.store.shared`), row by row."""
        tokens: dict[str, Tokens] = {}
        for fingerprint, keys in _keys_by_fingerprint(items).items():
            parts = [path for _, path in self.verified(fingerprint, "tokens", keys)]
            tokens |= tokens_by_request(parts, set(keys))
        return shared_scores(items, tokens)

    def temperatures(self, run_id: str) -> list[float]:
        """The temperatures, in order, at which everything that the run could score at 1 has been scored.

        Ends of words and single tokens are known at 1 only.
        """
        manifest, items = self.manifest(run_id), self.items(run_id)
        if manifest.get("ends", False) or manifest.get("shared", False):
            return [1.0]
        found = pd.concat([self.scores(one, keys=keys) for one, keys in _keys_by_fingerprint(items).items()])
        if found["temperature"].nunique() < 2:
            return [float(one) for one in found["temperature"].unique()]
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


def _keys_by_fingerprint(items: pd.DataFrame) -> dict[str, pd.Series]:
    """The request keys of a run's items, by the fingerprint under which they are asked."""
    names = items["fingerprint"].unique()
    if len(names) == 1:
        return {str(names[0]): items["request_key"]}
    return {str(name): rows["request_key"] for name, rows in items.groupby("fingerprint", sort=False)}
