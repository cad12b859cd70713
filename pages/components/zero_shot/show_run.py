"""Finished runs of one question: the answers in words, beside published figures, paradigm by paradigm, in detail."""

from collections.abc import Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.datasets import show_whole_set
from pages.components.shared.downloads import gathered_downloads, show_chart, show_downloads
from pages.components.shared.jobs import RunRequest
from pages.components.shared.models import unreadable, unreadable_run
from pages.components.shared.paradigms import choose_metric, measure_of, show_beside, show_paired, show_paradigms
from pages.components.shared.run_policies import show_run_policies
from pages.components.shared.runs import show_run_evidence
from pages.components.shared.show_result import show_findings
from pages.components.shared.tables import choose_detail, number_columns, show_table
from pairlens.analysis import temperature
from pairlens.analysis.reading import TITLES, slopes_in_words
from pairlens.analysis.reading import partial_effects as effects_of_surprisal
from pairlens.charts.run_numbers import over_temperature, partial_effect, partial_effects
from pairlens.errors import InputError
from pairlens.evaluation.command import Grid
from pairlens.evaluation.estimate import duration_in_words, estimate
from pairlens.evaluation.reading_differences import HEADING, differences
from pairlens.evaluation.result import Run, labels, language_of
from pairlens.metrics import METRICS
from pairlens.policies import CHOICES
from pairlens.reports.run_comparison.runs import by_policy
from pairlens.reports.run_report.result import result_of
from pairlens.scorers import SCORERS
from pairlens.statistics.regression import PredictivePower
from pairlens.types import Task

PUBLISHED = "babylm-2025"
_PLAIN = {"temperature": "Temperature", "n": "Items", "ties": "Ties"}
_NUMBERS = {"value": "Value", "low": "95 % from", "high": "95 % to"}


def show_policies(result: Run, metric: str, request: RunRequest | None) -> None:
    """The run under every policy, then the way to both columns, or the button that scores by both rules."""
    show_run_policies(result.manifest["run_id"], metric)
    presets = by_policy(result.manifest, resources.store())
    others, ours = presets[presets == PUBLISHED], presets[presets != PUBLISHED]
    if len(others) and len(ours):
        runs = f"{ours.index[0]},{others.index[0]}"
        label = f"{ours.iloc[0]} beside the published rules ({PUBLISHED})"
        query = {"view": "compare", "runs": runs, "metric": metric}
        st.page_link("pages/results.py", label=label, icon=":material/compare:", query_params=query)
    elif request is not None:
        notices.write(
            "The rules of the BabyLM pipeline (no start symbol, ties correct, each piece masked alone) beside these:",
            "pl-quiet",
        )
        if st.button("Score by both rules", icon=":material/play_arrow:"):
            request.start(request.arguments(both=True))
            st.rerun()


def show_temperatures(result: Run, metric: str, request: RunRequest | None) -> None:
    """The curve, if more than one temperature is stored, and a form that starts a job."""
    stored = resources.store().temperatures(result.manifest["run_id"])
    if len(stored) > 1:
        _show_curve(result, metric, tuple(stored))
    else:
        notices.write(
            "Only temperature 1 is stored. Logits can be divided by other temperatures before the softmax; one pass "
            "through the model is enough for all of them.", "pl-quiet",
        )  # fmt: skip
    if request is None:
        notices.note("This run was opened by its id: choose its model and data to score at other temperatures.")
        return
    _offer_temperatures(request)


def _show_curve(result: Run, metric: str, stored: tuple[float, ...]) -> None:
    table = _temperature_curve(result, stored)
    table = table[table["name"] == metric].assign(line=METRICS[metric].title)
    if not table["best"].any():
        notices.note("There is no number at any temperature.")
        return
    finding = temperature.in_words(table, METRICS[metric].scale)
    notices.text(finding)
    chart = over_temperature(table, finding, measure_of(result.task, metric))
    show_chart(chart, f"temperatures_{result.manifest['run_id']}_{metric}")
    columns = ["temperature", *_NUMBERS, "n", "ties"]
    show_table(table[columns], column_config=_PLAIN | number_columns(_NUMBERS, metric))
    show_downloads(f"{result.manifest['run_id']}-temperatures-{metric}", table, chart)


def _offer_temperatures(request: RunRequest) -> None:
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
    planned, store = request.planned, resources.store()
    expected = estimate(planned.missing(store, temperatures), planned.recipe, store)
    counted = notices.counted(len(temperatures), "temperature")
    notices.write("$n, about $time here.", "pl-quiet", n=counted, time=duration_in_words(expected.seconds))
    if pressed:
        request.start(request.arguments(grid))
        st.rerun()


def _number(label: str, least: float, most: float, usual: float, key: str) -> float:
    return st.number_input(label, least, most, usual, 0.05, key=key, width=140, persist_state="session")


@resources.remembered(most=32)
def _temperature_curve(result: Run, temperatures: tuple[float, ...]) -> pd.DataFrame:
    at = partial(resources.store().candidates, result.manifest["run_id"])
    return temperature.curve(at, temperatures, result.task, result.policy, result.rule)


_LOOKED_AT = 200
"""Texts."""
_OPENED: Mapping[str, RunRequest] = {}


def show_runs_in_full(results: Sequence[Run], requests: Mapping[str, RunRequest]) -> None:
    """Headlines, charts, tabs and footer of runs of one task on the same data; `requests` by run id."""
    whole = result_of(results, resources.store(), unread=unread(results, requests))
    show_findings(whole)
    show_whole_set(results, "data" if requests else "")
    with gathered_downloads() as charts:
        _show_reading_effects(results)
        _show_reading_differences(results)
        metric = choose_metric(results[0])
        show_beside(results, metric)
        rows, chart, clicked = show_paradigms(results, metric)
        if len(rows):
            show_downloads(f"{whole.stem}-paradigms-{metric}", rows, chart)
        if len(results) > 1:
            with notices.explained_errors():
                show_paired(results, metric)
    result = choose_detail(dict(zip(labels(results), results, strict=True)), "benchmark_details")
    metrics = requests.get(result.manifest["run_id"])
    tabs = {
        "Temperature": lambda: show_temperatures(result, metric, metrics),
        "All policies": lambda: show_policies(result, metric, metrics),
    }
    show_run_evidence(result, metric, clicked, tabs, charts)


def show_last(task: Task) -> None:
    """Its headline, how it was scored, and the button that opens it; nothing where there is no finished run."""
    runs = resources.store().runs()
    done = runs.loc[(runs["task"] == task.name) & (runs["state"] == "done"), "run_id"]
    for run_id in done.head(1):
        with notices.explained_errors():
            result = resources.result(run_id)
            notices.write("The latest run here, $title:", "pl-quiet", title=result.manifest["title"])
            show_findings(result_of([result], resources.store(), unread=unread([result])))
            notices.write(
                "Scored: $phrase; $ties.", "pl-quiet",
                phrase=result.policy.phrase(), ties=CHOICES["ties"][result.policy.ties],
            )  # fmt: skip
            show_whole_set([result])
            if st.button("Open this run", icon=":material/open_in_new:", key="open_last"):
                st.query_params.from_dict({"run": [run_id]})
                st.rerun()


def unread(results: Sequence[Run], requests: Mapping[str, RunRequest] = _OPENED) -> dict[str, str]:
    """By run id, why its number cannot be believed: by the texts that were asked, or else by those of the run."""
    by_model = {}
    for result in results:
        run_id, language = result.manifest["run_id"], language_of(result)
        if one := requests.get(run_id):
            texts = [request.text for request in list(one.planned.requests.values())[:_LOOKED_AT]]
            by_model[run_id] = unreadable(texts, one.planned.recipe, language)
        else:
            by_model[run_id] = unreadable_run(result, language)
    return {run_id: why for run_id, why in by_model.items() if why}


def _show_reading_effects(results: Sequence[Run]) -> None:
    """The partial-effect plot of all runs, and what it shows in words; nothing for other tasks."""
    names = [str(name) for name in results[0].metrics["name"].unique()]
    effects = tuple(name for name in names if isinstance(METRICS[name], PredictivePower))
    if not effects:
        return
    named = zip(results, labels(results), strict=True)
    tables = [_reading_effects(one, effects).assign(model=name) for one, name in named]
    lines = pd.concat(tables, ignore_index=True)
    if lines.empty:
        notices.note("Too few words were scored for a line of surprisal in the regressions.")
        return
    lines = lines.assign(title=lines["measured"].map(TITLES))
    sentence = slopes_in_words(lines)
    notices.write("<strong>$model</strong>: $said.", model=lines["model"].iloc[0], said=sentence)
    reach = float(lines["low"].min()), float(lines["high"].max())
    panels = list(lines.groupby("title", sort=False))
    for column, (title, rows) in zip(st.columns(len(panels)), panels, strict=True):
        with column:
            notices.text(title, "pl-quiet")
            show_chart(partial_effect(rows, sentence, reach), f"effects_{title}")
    notices.write(
        "Partial effect of surprisal: milliseconds more than at mean surprisal, with all other predictors of the "
        "regression at their means; bands are 95 %, words of one sentence together ($n words, $c sentences).",
        "pl-quiet", n=f"{lines['n'].iloc[0]:,}", c=f"{lines['n_clusters'].iloc[0]:,}",
    )  # fmt: skip
    show_downloads(f"{results[0].manifest['run_id']}-effects", lines, partial_effects(lines, sentence))


@resources.remembered(most=32)
def _reading_effects(result: Run, metrics: tuple[str, ...]) -> pd.DataFrame:
    tables = [effects_of_surprisal(METRICS[name], result.candidates, result.policy) for name in metrics]  # type: ignore[arg-type]
    return pd.concat(tables, ignore_index=True)


def _show_reading_differences(results: Sequence[Run]) -> None:
    """The differences of all runs, each once; nothing for other tasks and where there are none."""
    ours = [
        result for result in results if result.task.prediction == "surprisal" and result.manifest["scorer"] in SCORERS
    ]
    lines = [line for one in ours for line in differences(SCORERS[one.manifest["scorer"]], one.policy)]
    if lines:
        with st.expander(HEADING):
            for line in dict.fromkeys(lines):
                notices.write("· $line", "pl-quiet", line=line)
