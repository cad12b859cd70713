"""How a run's number moves with the temperature of the softmax, and the button that scores at more of them."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis import temperature
from core.analysis.summary import written
from core.charts.run_numbers import over_temperature
from core.errors import InputError
from core.metrics import METRICS
from core.runs.command import Grid
from core.runs.estimate import duration_in_words, estimate
from core.runs.result import Result
from pages.components.shared import notices, resources
from pages.components.shared.number_columns import number_columns
from pages.components.shared.run_request import RunRequest
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_paradigms import measure_of
from pages.components.shared.show_table import show_table
from pages.components.zero_shot import resources as kept

_PLAIN = {"temperature": "Temperature", "n": "Items", "ties": "Ties"}
_NUMBERS = {"value": "Value", "low": "95 % from", "high": "95 % to"}


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
    _offer(asked)


def _show_curve(result: Result, metric: str, stored: tuple[float, ...]) -> None:
    table = kept.temperature_curve(result, stored)
    table = table[table["name"] == metric].assign(line=METRICS[metric].title)
    best = table[table["best"]]
    if best.empty:
        notices.note("There is no number at any temperature.")
        return
    finding = _finding(best.iloc[0], table, metric)
    notices.write("$finding", finding=finding)
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


def _offer(asked: RunRequest) -> None:
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
