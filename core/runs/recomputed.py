"""A run's numbers, computed again from its stored items and scores."""

import logging
from typing import Any

import pandas as pd

from core.analysis.summary import headline, summarise
from core.errors import StoreError
from core.policies import Policy
from core.runs.requests import metric_versions, task_of
from core.settings import program
from core.store import Store
from core.store.runs import is_intact

log = logging.getLogger(__name__)


def stored_metrics(store: Store, run_id: str) -> pd.DataFrame:
    """The metrics of a run (`core.analysis.summary`); those of a finished one are made again if they are damaged.
    StoreError if the run is not finished, or if its items or scores are gone, too.
    """
    if store.finished(run_id) and not is_intact(store.table_path(run_id, "metrics")):
        metrics, manifest = _computed(store, run_id)
        try:
            store.update(manifest, metrics)
        except StoreError as error:  # in a home that cannot be written
            log.warning("%s", error)
            return metrics
    return store.metrics(run_id)


def recompute(store: Store, run_id: str) -> None:
    """Compute a run's numbers and store them; StoreError if its items are damaged or scores are no longer stored."""
    metrics, manifest = _computed(store, run_id)
    store.update(manifest, metrics)


def _computed(store: Store, run_id: str) -> tuple[pd.DataFrame, dict[str, Any]]:
    """The numbers, and the manifest with the main ones."""
    manifest = store.manifest(run_id)
    candidates, task, rule = store.candidates(run_id), task_of(manifest), manifest["rule"]
    items = candidates[~candidates["item"].isin([*manifest.get("refused", ())])]
    if gone := int(items["logprob"].isna().sum()):
        raise StoreError(
            f"The numbers of run '{run_id}' are damaged, and {gone:,} of its scores are no longer stored: run it "
            f"again, or delete it ({program()} runs delete {run_id})."
        )
    metrics = summarise(candidates, task, Policy(**manifest["policy"]), rule)
    versions = metric_versions(task, rule)
    return metrics, {**manifest, **headline(metrics), "metric_versions": versions}
