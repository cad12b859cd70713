"""The same question under every policy, by the published rules beside ours, and at other temperatures."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.analysis import temperature
from core.analysis.summary import written
from core.charts.run_numbers import over_temperature
from core.errors import InputError
from core.metrics import METRICS
from core.reports.run_comparison.two_runs import by_policy
from core.runs.command import Grid
from core.runs.estimate import duration_in_words, estimate
from core.runs.result import Result
from pages.components.shared import notices, resources
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.jobs import RunRequest
from pages.components.shared.paradigms import measure_of
from pages.components.shared.run_policies import show_run_policies
from pages.components.shared.tables import number_columns, show_table

PUBLISHED = "babylm-2025"
_PLAIN = {"temperature": "Temperature", "n": "Items", "ties": "Ties"}
_NUMBERS = {"value": "Value", "low": "95 % from", "high": "95 % to"}


def show_policies(result: Result, metric: str, asked: RunRequest | None) -> None:
    """The run under every policy, then the way to both columns, or the button that scores by both rules."""
    show_run_policies(result.manifest["run_id"], metric)
    presets = by_policy(result, resources.store())
    others, ours = presets[presets == PUBLISHED], presets[presets != PUBLISHED]
    if len(others) and len(ours):
        runs = f"{ours.index[0]},{others.index[0]}"
        label = f"{ours.iloc[0]} beside the published rules ({PUBLISHED})"
        query = {"view": "compare", "runs": runs, "metric": metric}
        st.page_link("pages/results.py", label=label, icon=":material/compare:", query_params=query)
    elif asked is not None:
        notices.write(
            "The rules of the BabyLM pipeline (no start symbol, ties correct, each piece masked alone) beside these:",
            "pl-quiet",
        )
        if st.button("Score by both rules", icon=":material/play_arrow:"):
            asked.start(asked.arguments(both=True))
            st.rerun()


def show_temperatures(result: Result, metric: str, asked: RunRequest | None) -> None:
    """The curve, if more than one temperature is stored, and a form that starts a job."""
    stored = resources.store().temperatures(result.manifest["run_id"])
    if len(stored) > 1:
        _show_curve(result, metric, tuple(stored))
    else:
        notices.write(
            "Only temperature 1 is stored. Logits can be divided by other temperatures before the softmax; one pass "
            "through the model is enough for all of them.", "pl-quiet",
        )  # fmt: skip
    if asked is None:
        notices.note("This run was opened by its id: choose its model and data to score at other temperatures.")
        return
    _offer_temperatures(asked)


def _show_curve(result: Result, metric: str, stored: tuple[float, ...]) -> None:
    table = _temperature_curve(result, stored)
    table = table[table["name"] == metric].assign(line=METRICS[metric].title)
    best = table[table["best"]]
    if best.empty:
        notices.note("There is no number at any temperature.")
        return
    finding = _finding(best.iloc[0], table, metric)
    notices.text(finding)
    chart = over_temperature(table, finding, measure_of(result.task, metric))
    show_chart(chart, f"temperatures_{result.manifest['run_id']}_{metric}")
    columns = ["temperature", *_NUMBERS, "n", "ties"]
    show_table(table[columns], column_config=_PLAIN | number_columns(_NUMBERS, metric))
    show_downloads(f"{result.manifest['run_id']}-temperatures-{metric}", table, chart)


def _finding(best: pd.Series, table: pd.DataFrame, metric: str) -> str:
    scale = METRICS[metric].scale
    usual = table[table["temperature"] == 1]["value"]
    at_one = f"; at 1 it is {written(usual.iloc[0], scale, 1)}" if len(usual) else ""
    return (
        f"Highest at temperature {best['temperature']:g}: {written(best['value'], scale, 1)}{at_one}. It was chosen "
        "on the evaluation data itself: whoever reports it has to say so."
    )


def _offer_temperatures(asked: RunRequest) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        lowest = _number("From", 0.05, 20.0, 1.0, "lowest_temperature")
        highest = _number("To", 0.05, 20.0, 1.5, "highest_temperature")
        step = _number("Step", 0.01, 10.0, 0.05, "temperature_step")
        pressed = st.button("Score at these temperatures", icon=":material/play_arrow:")
    grid: Grid = (lowest, highest, step)
    try:
        temperatures = temperature.grid(*grid)
    except InputError as wrong:
        notices.error(wrong)
        return
    planned, store = asked.planned, resources.store()
    expected = estimate(planned.missing(store, temperatures), planned.recipe, store)
    counted = notices.counted(len(temperatures), "temperature")
    notices.write("$n, about $time here.", "pl-quiet", n=counted, time=duration_in_words(expected.seconds))
    if pressed:
        asked.start(asked.arguments(grid))
        st.rerun()


def _number(label: str, least: float, most: float, usual: float, key: str) -> float:
    return st.number_input(label, least, most, usual, 0.05, key=key, width=140, persist_state="session")


@resources.remembered(most=32)
def _temperature_curve(result: Result, temperatures: tuple[float, ...]) -> pd.DataFrame:
    at = partial(resources.store().candidates, result.manifest["run_id"])
    return temperature.curve(at, temperatures, result.task, result.policy, result.rule)
