"""A run's number under every policy: what holds, what is fragile, which policy gives a published number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from core.charts.named_rows import Measure
from core.charts.run_numbers import ORIGINS, by_policy
from core.errors import InputError, ModelError
from core.metrics import METRICS
from core.reports.multiverse import Layout, lay_out, wording
from core.reports.multiverse.adding_up import Scores
from core.reports.multiverse.matching import match
from core.reports.multiverse.matching import printable as printable_numbers
from core.reports.multiverse.numbers import OWN, QUERY, RUN, Decisions, decisions, numbers
from core.reports.multiverse.scoring import seconds as seconds_of_missing
from core.runs.estimate import duration_in_words
from core.store import jobs
from pages.components.shared import notices, resources
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.jobs import show_command, watch_jobs
from pages.components.shared.tables import number_columns, show_table

_SAID = dict(zip((OWN, QUERY, RUN), ORIGINS, strict=True))
_NUMBERS = {"value": "Value", "low": "95 % from", "high": "95 % to"}
_COLUMNS = {
    "label": "Policy", "presets": "Preset", "said": "From", "n": "Items", "ties": "Ties",
    "ties_count": "A tie counts", "undecided": "Too close", "excluded": "Left out", "run_id": "Run",
}  # fmt: skip
_LISTED = 1_000
_TEXTS = ("context", "right", "rival", "texts")
_FRAGILE_COLUMNS = {
    "right": "Right", "rival": "Against", "texts": "Texts", "context": "After", "here": "This run",
    "agree": "Policies that agree", "of": "Of", "against": "Decided differently under",
}  # fmt: skip
_MATCHES = 12
_MATCH_COLUMNS = {
    "matches": "Gives it", "near": "Near", "value": st.column_config.NumberColumn("Value", format="%.6g"),
    "unit": "Unit", "of": "What", "label": "Policy", "presets": "Preset", "ties_count": "A tie counts",
}  # fmt: skip


def show_run_policies(run_id: str, metric: str = "") -> None:
    """All of it; nothing is scored unless a button is pressed. `metric` is the headline's if none is named."""
    with notices.explained_errors():
        layout = layout_of(run_id, metric)
        found = under_all_policies(layout)
        if found.decisions is not None:
            notices.write("<strong>$said</strong>", said=wording.headline(found.decisions, layout.task.noun))
        _show_numbers(layout, found)
        _offer(layout)
        if found.decisions is not None:
            show_fragile(layout, found.decisions)
        show_match(layout)


def _show_numbers(layout: Layout, found: UnderAllPolicies) -> None:
    table = found.numbers.assign(said=found.numbers["origin"].map(_SAID))
    finding = wording.span(table, layout.metric)
    notices.text(finding)
    metric = METRICS[layout.metric]
    chart = by_policy(table, finding, Measure(metric.title, metric.scale))
    show_chart(chart, f"policies_{layout.run_id}_{layout.metric}")
    ticks = "; grey ticks are other tie rules" if table["label"].duplicated().any() else ""
    notices.write(
        "With 95 % intervals. The dashed line is this run's own number$ticks. $corrections", "pl-quiet",
        ticks=ticks, corrections=found.corrections,
    )  # fmt: skip
    if said := wording.unlike(table):
        notices.warning(said)
    for reason, labels in wording.by_reason(found.reasons).items():
        notices.note(f"No number for {labels}: {reason}")
    with st.expander("The numbers as a table", key=f"numbers_{layout.run_id}"):
        columns = [
            "label",
            "presets",
            *_NUMBERS,
            "said",
            "n",
            "ties",
            "ties_count",
            "undecided",
            "excluded",
            "run_id",
        ]
        config = _COLUMNS | number_columns(_NUMBERS, layout.metric)
        show_table(table[columns], column_config=config, alt="One row per policy")
    show_downloads(f"{layout.run_id}-policies-{layout.metric}", table.drop(columns="said"), chart)


def _offer(layout: Layout) -> None:
    if not layout.missing:
        return
    arguments = ["policies", layout.run_id, "--score-missing"]
    latest = jobs.latest(arguments)
    watch_jobs("policies")
    if latest and not latest.ended:
        return
    if latest and latest.state in ("failed", "lost"):
        notices.error(latest.error)
    try:
        time = duration_in_words(seconds(layout))
    except ModelError as absent:
        notices.note(f"{wording.missing(layout)} {absent}")
        return
    notices.text(wording.missing(layout, time))
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(f"Score them: about {time}", icon=":material/play_arrow:", key=f"score_{layout.run_id}"):
            title = f"{layout.task.title} · {layout.manifest['data']} · all policies · {layout.manifest['model']}"
            jobs.start(arguments, title)
            st.rerun()
        with st.popover("Which ones", icon=":material/list:", key=f"which_{layout.run_id}"):
            labels = [layout.label(way) for way in layout.missing]
            show_table(pd.DataFrame({"Not scored yet": labels}), alt="Policies not scored yet")
        show_command([arguments], key=f"cli_{layout.run_id}")


@dataclass(frozen=True)
class UnderAllPolicies:
    """The numbers under each stored policy, why some have none, the decisions, and what SLOR and PMI are."""

    numbers: pd.DataFrame
    reasons: dict[str, str]
    decisions: Decisions | None
    corrections: str


_BY_LAYOUT: dict[str | type, Callable[[Any], object]] = {
    Layout: lambda one: (one.run_id, one.metric, repr(one.policy), tuple(sorted(one.runs.values()))),
}


def layout_of(run_id: str, metric: str) -> Layout:
    """The policies of a run's number, and which are stored; PairlensError in words."""
    runs = resources.store().runs()
    finished = runs[runs["state"] == "done"]
    return _layout_of(run_id, metric, tuple(zip(finished["run_id"], finished["finished"], strict=True)))


@resources.remembered("Looking for scores …")
def _layout_of(run_id: str, metric: str, finished: tuple[tuple[str, str], ...]) -> Layout:  # noqa: ARG001
    return lay_out(resources.store(), run_id, metric)


@resources.remembered(by=_BY_LAYOUT)
def under_all_policies(layout: Layout) -> UnderAllPolicies:
    """Everything that is a query on stored scores."""
    scores = Scores(layout, resources.store())
    table, reasons = numbers(layout, scores)
    return UnderAllPolicies(table, reasons, decisions(layout, scores), wording.corrections(layout, scores, reasons))


@resources.remembered(by=_BY_LAYOUT)
def printable(layout: Layout) -> pd.DataFrame:
    """Every number of the run that could have been printed (`core.reports.multiverse.matching.printable`)."""
    return printable_numbers(layout, Scores(layout, resources.store()))


@st.cache_resource(max_entries=12, ttl=60, show_spinner="Counting texts …", hash_funcs=_BY_LAYOUT)
def seconds(layout: Layout) -> float:
    """How long scoring all that is missing will take, about; a pass that is stopped leaves less to do.

    ModelError in words if the run's model is not here any more.
    """
    return seconds_of_missing(layout, resources.store())


def show_fragile(layout: Layout, decisions: Decisions) -> None:
    """How many items how many policies agree on, and the items on which not all do, the least agreed first."""
    fragile = decisions.fragile
    if fragile.empty:
        return
    otherwise = fragile["of"] - fragile["agree"]
    notices.write(
        "<strong>Fragile: $n.</strong> One policy decides $few of them differently; half of the $of policies or "
        "more decide $most differently.",
        n=notices.counted(len(fragile), layout.task.noun), of=decisions.n_ways, few=f"{(otherwise == 1).sum():,}",
        most=f"{(2 * otherwise >= fragile['of']).sum():,}",
    )  # fmt: skip
    if layout.task.confidential:
        notices.note("The items are confidential: they are counted, not listed.")
        return
    main = layout.task.groups[0]
    columns = [main, "here", "agree", "of", *(name for name in _TEXTS if name in fragile), "against"]
    if (fragile["context"].fillna("") == "").all():
        columns.remove("context")
    if len(fragile) > _LISTED:
        notices.write("The first $n are listed; the download has all.", "pl-quiet", n=f"{_LISTED:,}")
    shown: pd.DataFrame = fragile[columns].head(_LISTED)
    show_table(shown, column_config={main: "Paradigm", **_FRAGILE_COLUMNS}, alt="One row per fragile item")
    show_downloads(f"{layout.run_id}-fragile-{layout.metric}", fragile)


def show_match(layout: Layout) -> None:
    """For a run: a box for the number, and the nearest ways to print one of it."""
    tried = show_number_match(layout.run_id, lambda: printable(layout))
    if tried and (n := len(layout.missing)):
        said = "1 policy is" if n == 1 else f"{n} policies are"
        notices.write("$said not scored yet: not tried.", "pl-quiet", said=said)


def show_number_match(key: str, printable: Callable[[], pd.DataFrame]) -> bool:
    """The box and the answer over a table of printable numbers; whether one was asked for."""
    number = st.text_input(
        "Match a number", placeholder="74.3", width=240, key=f"match_{key}",
        help="A number published for this model and data (74.3, 0.743, 74,3 %): all scored policies, units, averages "
        "and tie rules are searched for it.",
    )  # fmt: skip
    if not number:
        return False
    try:
        found = match(printable(), number)
    except InputError as wrong:
        notices.error(wrong)
        return False
    notices.text(wording.matched(found))
    nearest = found.table[[*_MATCH_COLUMNS]].head(_MATCHES)
    show_table(nearest, column_config=_MATCH_COLUMNS, alt="The nearest ways to print a number")
    return True
