"""What the comparison of runs keeps between reruns, made again when one of the runs is."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.errors import StoreError
from core.run_comparison.chosen import Run
from core.run_comparison.report import RunComparison, compare_runs
from pages.components import resources

_BY_IDENTITY = {
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
