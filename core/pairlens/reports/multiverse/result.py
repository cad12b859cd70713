"""A run's number under all its ways as a result: what holds, the number under each, the fragile items."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from pairlens.charts.named_rows import Measure
from pairlens.charts.run_numbers import ORIGINS, by_policy
from pairlens.evaluation.receipts.bibtex import bibtex, keys_of, model_of
from pairlens.evaluation.receipts.methods import methods
from pairlens.evaluation.receipts.run import FEW, receipt
from pairlens.metrics import METRICS
from pairlens.reports.columns import columns, of_frame
from pairlens.reports.multiverse import wording
from pairlens.reports.multiverse.adding_up import Scores
from pairlens.reports.multiverse.layout import Layout
from pairlens.reports.multiverse.numbers import OWN, QUERY, RUN, Decisions, decisions, numbers
from pairlens.results.result import Column, Figure, Headline, Notice, Provenance, Result, Table
from pairlens.store import Store

if TYPE_CHECKING:
    from pairlens.charts.drawing import Chart

_WAY = (
    Column("way", "Way", "The policy's place, from 0.", drawn=False),
    Column("label", "Policy", "How texts are scored, and how the scores of tokens are added up."),
    Column("presets", "Preset", "The presets that give this number."),
    Column("origin", "From", "own: this run; query: another query on its scores; run: the scores of another run."),
    Column("run_id", "Run", "The run that holds the scores."),
    Column("ties_count", "A tie counts", "The tie rule, the run's own first."),
    Column("name", "Metric", "The metric.", drawn=False),
)
_NUMBERS = ("value", "low", "high", "n", "ties", "undecided", "excluded", "chance")
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
    form = ".1%" if metric.scale == "share" else ".3f"
    tables = [Table("policies", "The numbers", [*_WAY, *columns(_NUMBERS, form)], lambda: table)]
    if decided is not None:
        firm = decided.common - len(decided.fragile)
        hold = wording.headline(decided, layout.task.noun)
        headlines.insert(0, Headline("hold", model, firm, noun, hold, decided.common, noun))
        if not layout.task.confidential:
            described = of_frame(decided.fragile, layout.task.groups[0], rival="Against")
            tables.append(Table("fragile", "Fragile items", described, lambda: decided.fragile))
    if layout.missing:
        labels = pd.DataFrame({"label": [layout.label(way) for way in layout.missing]})
        tables.append(Table.of("missing", "Not scored yet", _WAY, labels))
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
