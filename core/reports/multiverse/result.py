"""A run's number under all its ways as a result: what holds, the number under each, the fragile items."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from core.charts.named_rows import Measure
from core.charts.run_numbers import ORIGINS, by_policy
from core.metrics import METRICS
from core.reports.multiverse import wording
from core.reports.multiverse.adding_up import Scores
from core.reports.multiverse.layout import Layout
from core.reports.multiverse.numbers import OWN, QUERY, RUN, Decisions, decisions, numbers
from core.results.result import Column, Figure, Headline, Notice, Provenance, Result, Table
from core.runs.receipts.bibtex import bibtex, keys_of, model_of
from core.runs.receipts.methods import methods
from core.runs.receipts.run import FEW, receipt
from core.store import Store

if TYPE_CHECKING:
    from core.charts.drawing import Chart

_ORIGINS = dict(zip((OWN, QUERY, RUN), ORIGINS, strict=True))


def result(layout: Layout, store: Store) -> Result:
    """Everything that is a query on stored scores; nothing is scored."""
    scores, metric = Scores(layout, store), METRICS[layout.metric]
    table, reasons = numbers(layout, scores)
    decided = decisions(layout, scores)
    span, model = wording.span(table, layout.metric), str(layout.manifest["model"])
    own, noun = table.iloc[0], f"{layout.task.noun}s"
    bounds = None if pd.isna(own["low"]) else (float(own["low"]), float(own["high"]))
    headlines = [Headline("value", model, float(own["value"]), metric.scale, span, int(own["n"]), noun, bounds)]
    share = ".1%" if metric.scale == "share" else ".3f"
    columns = [
        *_NUMBERS,
        *(Column(name, title, about, form=share) for name, title, about in _VALUES),
        *_COUNTS,
        Column("chance", "A blind guess", "The value for choosing at random.", form=share, drawn=False),
    ]
    tables = [Table("policies", "The numbers", columns, lambda: table)]
    if decided is not None:
        firm = decided.common - len(decided.fragile)
        hold = wording.headline(decided, layout.task.noun)
        headlines.insert(0, Headline("hold", model, firm, noun, hold, decided.common, noun))
        if not layout.task.confidential:
            tables.append(_fragile(decided.fragile, layout.task.groups[0]))
    if layout.missing:
        column = Column("label", "Policy", "A policy whose scores are not stored.")
        labels = pd.DataFrame({"label": [layout.label(way) for way in layout.missing]})
        tables.append(Table("missing", "Not scored yet", [column], lambda: labels))
    return Result(
        study="policies",
        question="Does a number depend on choices that differ between papers?",
        title=f"{metric.title}: {layout.manifest['title']}, under every policy",
        file=f"{layout.run_id}-policies-{layout.metric}",
        headlines=headlines,
        tables=tables,
        figures=[Figure("policies", "policies", partial(_chart, layout), span)],
        notices=[*_notices(layout, scores, table, reasons, decided)],
        trace=partial(_provenance, layout, store),
    )


def _chart(layout: Layout, table: pd.DataFrame) -> Chart:
    metric = METRICS[layout.metric]
    rows = table.assign(said=table["origin"].map(_ORIGINS))
    return by_policy(rows, wording.span(table, layout.metric), Measure(metric.title, metric.scale))


def _notices(
    layout: Layout, scores: Scores, table: pd.DataFrame, reasons: dict[str, str], decided: Decisions | None
) -> Iterator[Notice]:
    if unlike := wording.unlike(table):
        yield Notice("unlike", "warning", unlike)
    ticks = "; grey ticks are other tie rules" if table["label"].duplicated().any() else ""
    drawn = f"With 95 % intervals. The dashed line is this run's own number{ticks}."
    yield Notice("drawn", "remark", drawn, advice=wording.corrections(layout, scores, reasons))
    by_reason: dict[str, list[str]] = {}
    for label, reason in reasons.items():
        by_reason.setdefault(reason, []).append(f"'{label}'")
    for reason, labels in by_reason.items():
        yield Notice("none", "note", f"No number for {', '.join(labels)}: {reason}")
    if decided is not None and len(decided.fragile):
        yield Notice("fragile", "remark", wording.fragile(decided, layout.task.noun))
        if layout.task.confidential:
            yield Notice("confidential", "note", "The items are confidential: they are counted, not listed.")
    if layout.missing and layout.model is None:
        yield Notice("missing", "note", wording.missing(layout), advice=layout.absent)


def _provenance(layout: Layout, store: Store) -> Provenance:
    """How the run's own number was made; the others are queries, or runs with receipts of their own."""
    own = receipt(store, layout.run_id, layout.metric, most=FEW)
    cited = bibtex(keys_of(own), model_of(own))
    command = shlex.join(["pairlens", "policies", layout.run_id, "--metric", layout.metric])
    return Provenance(own, methods(own), cited, (layout.run_id,), command)


_NUMBERS = [
    Column("way", "Way", "The policy's place, from 0.", drawn=False),
    Column("label", "Policy", "How texts are scored, and how the scores of tokens are added up."),
    Column("presets", "Preset", "The presets that give this number."),
    Column("origin", "From", "own: this run; query: another query on its scores; run: the scores of another run."),
    Column("run_id", "Run", "The run that holds the scores."),
    Column("ties_count", "A tie counts", "The tie rule, the run's own first."),
    Column("name", "Metric", "The metric.", drawn=False),
]
_VALUES = [
    ("value", "Value", "The number."),
    ("low", "95 % from", "The lower bound of its 95 % interval."),
    ("high", "95 % to", "The upper bound of its 95 % interval."),
]
_COUNTS = [
    Column("n", "Items", "Items that count."),
    Column("ties", "Ties", "Exact ties among them."),
    Column("undecided", "Too close", "Decisions within the precision of the numbers."),
    Column("excluded", "Left out", "Items that do not count because a candidate could not be scored."),
]
_FRAGILE = {
    "item": ("Item", "The item's id."),
    "context": ("After", "The context, if all candidates share it."),
    "right": ("Right", "The right text."),
    "rival": ("Against", "The best other text."),
    "texts": ("Texts", "All candidates with their labels."),
    "here": ("This run", "The run's own decision."),
    "agree": ("Policies that agree", "How many policies decide as the run does."),
    "of": ("Of", "How many policies there are."),
    "against": ("Decided differently under", "The other policies, with their decisions."),
}


def _fragile(frame: pd.DataFrame, main: str) -> Table:
    """The items on which not all policies agree; people see the main group, files have all."""
    columns = [
        Column(name, *_FRAGILE[name], drawn=name != "item" and bool(frame[name].fillna("").astype(bool).any()))
        if name in _FRAGILE
        else Column(name, name.replace("_", " "), "A group of the item.", drawn=name == main)
        for name in map(str, frame.columns)
    ]
    return Table("fragile", "Fragile items", columns, lambda: frame)
