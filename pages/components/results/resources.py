"""What the page keeps between reruns: the list of runs, the room they take, their comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.errors import StoreError
from core.reports.run_comparison.chosen import Run
from core.reports.run_comparison.report import RunComparison, compare_runs
from core.runs.receipts.run import receipt, receipt_of_item
from core.runs.run_list import run_list, sizes_of_scores
from core.settings import settings
from core.store import Store
from core.store.space import Space, space
from pages.components.shared import resources
from pages.components.shared.receipt import state_of


def runs() -> pd.DataFrame:
    """All runs as they are now (`core.runs.run_list`); what their scores take up may be half a minute old."""
    return run_list(resources.store(), _sizes())


@st.cache_data(ttl="30s", show_spinner=False)
def _sizes() -> pd.Series:
    return sizes_of_scores(resources.store())


_SECONDS = 20.0


def space_used() -> Space:
    """The room the store takes, counted again when a job ends, a run or part appears, or after some seconds."""
    store = Store()
    folders = [store.folder / "runs", *sorted((store.folder / "scores").glob("*/"))]
    seen = tuple((str(folder), folder.stat().st_mtime_ns) for folder in folders if folder.exists())
    return _space(str(settings().store), seen)


@st.cache_data(max_entries=4, ttl=_SECONDS, show_spinner="Counting …")
def _space(folder: str, seen: tuple[tuple[str, int], ...]) -> Space:  # noqa: ARG001
    return space(Store())


_BY_IDENTITY: dict[str | type, Callable[[Any], object]] = {
    RunComparison: lambda found: (found.reference.id, found.metric, [_made(run) for run in found.runs]),
    Run: lambda run: _made(run),
}


def comparison(run_ids: Sequence[str], reference: str = "", metric: str = "", group_by: str = "") -> RunComparison:
    """These runs beside each other; PairlensError in words."""
    return _comparison(tuple(run_ids), _states(run_ids), reference, metric, group_by)


@st.cache_resource(max_entries=12, show_spinner="Comparing …")
def _comparison(
    run_ids: tuple[str, ...],
    states: tuple[str, ...],  # noqa: ARG001
    reference: str,
    metric: str,
    group_by: str,
) -> RunComparison:
    return compare_runs(resources.store(), run_ids, reference, metric, group_by)


@st.cache_resource(max_entries=12, show_spinner="Comparing items …", hash_funcs=_BY_IDENTITY)
def margins(found: RunComparison, run: Run) -> pd.DataFrame:
    """Every item's margin in a run and in the reference."""
    return found.margins(run)


@st.cache_resource(max_entries=6, show_spinner="Comparing every pair …", hash_funcs=_BY_IDENTITY)
def pairwise(found: RunComparison) -> pd.DataFrame:
    """The overall difference of every two runs."""
    return found.pairwise()


def _states(run_ids: Sequence[str]) -> tuple[str, ...]:
    """When each run was finished; empty for one that cannot be read, which its reader says."""
    return tuple(_finished(run_id) for run_id in run_ids)


def _finished(run_id: str) -> str:
    try:
        return str(resources.store().manifest(run_id).get("finished", ""))
    except StoreError:
        return ""


def _made(run: Run) -> tuple[str, str]:
    return run.id, str(run.manifest.get("finished", ""))


def whole(run_id: str, metric: str, group: str) -> dict[str, Any]:
    """The same receipt with every item worked out, for a file."""
    return receipt(resources.store(), run_id, metric, group, most=None)


def item(run_id: str, name: str, metric: str) -> dict[str, Any]:
    """How an item of a run came to count what it counts."""
    return _item(run_id, state_of(run_id), name, metric)


@st.cache_resource(max_entries=128, show_spinner="Following the item …")
def _item(run_id: str, state: tuple[object, ...], name: str, metric: str) -> dict[str, Any]:  # noqa: ARG001
    return receipt_of_item(resources.store(), run_id, name, metric)
