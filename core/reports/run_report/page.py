"""The HTML file of a report: everything is in it, nothing is asked of any host, and it is read without a script.

What it says is put together here, how it looks is in page.html, parts.html and style.css.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from core import __version__
from core.analysis.items import deciding_metric
from core.analysis.summary import OVERALL, generalises_over, headlines
from core.messages import Message
from core.metrics import METRICS
from core.policies import CHOICES
from core.reports.run_report.compose import (
    MOST_ROWS,
    ComparedPair,
    Numerals,
    Table,
    by_task,
    finding,
    further,
    paired,
    printable,
    table,
)
from core.reports.run_report.parts import drawn_by_group, drawn_difference, made
from core.runs.receipts.scored_by import by_manifest
from core.runs.result import Result, labels
from core.scoring.recipe import now
from core.store import Store

_HERE = Path(__file__).parent
_WORST = 25


def html_report(results: Sequence[Result], store: Store, *, decimal_comma: bool = False) -> str:
    """Finished runs as one HTML page: what was found, charts and tables, what was left out, how it was made."""
    numerals = Numerals(decimal_comma=decimal_comma)
    return (
        environment()
        .get_template("page.html")
        .render(
            title=_title(results),
            made=f"Pairlens {__version__}, {now()[:10]}",
            style=Markup((_HERE / "style.css").read_text("utf-8")),
            tasks=[_of_task(runs, numerals) for runs in by_task(results)],
            runs=[_of_run(run, name, store, numerals) for run, name in zip(results, labels(results), strict=True)],
        )
    )


@cache
def environment() -> Environment:
    """The templates; whatever is put into them is escaped."""
    return Environment(
        loader=FileSystemLoader(_HERE), autoescape=True, finalize=printable, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip


def _title(results: Sequence[Result]) -> str:
    tasks = ", ".join(dict.fromkeys(result.task.title for result in results))
    if len(results) == 1:
        return f"{results[0].manifest['model']} on {tasks}"
    return f"{len(results)} runs on {tasks}"


def _of_task(runs: Sequence[Result], numerals: Numerals) -> dict[str, Any]:
    """What runs of one task found: in words, as a chart, as tables; two of them item by item."""
    named = list(zip(runs, labels(runs), strict=True))
    title = METRICS[runs[0].metrics["name"].iloc[0]].title
    first = finding(runs[0], numerals) if len(runs) == 1 else f"{title} of {len(runs)} runs by group."
    pair = paired(runs, numerals)
    return {
        "title": runs[0].task.title,
        "findings": [f"{name}: {finding(run, numerals)}" for run, name in named],
        "further": [f"{name}: {one}" for run, name in named for one in further(run, numerals)],
        "chart": drawn_by_group(runs, first, numerals),
        "numbers": _numbers(runs, numerals),
        "groups": _groups(runs, numerals),
        "pair": pair,
        **(_compared(pair, (named[0][1], named[1][1]), runs[0], numerals) if isinstance(pair, ComparedPair) else {}),
    }


def _numbers(runs: Sequence[Result], numerals: Numerals) -> Table:
    """The headline of each metric of each run."""
    rows = [
        (name, *_number(run, row, numerals))
        for run, name in zip(runs, labels(runs), strict=True)
        for _, row in headlines(run.metrics).iterrows()
    ]
    heads = ("Run", "Number", "Value", "95 % interval", "Over", "Items", "Ties", "Too close", "Left out", "Chance",
             "By length alone")  # fmt: skip
    return table("All numbers.", heads, rows, len(rows), numerals, {*range(2, len(heads))} - {4})


def _number(run: Result, row: pd.Series, numerals: Numerals) -> tuple[str, ...]:
    metric = METRICS[row["name"]]
    return (
        metric.title,
        numerals.value(row["value"], metric.scale, 2),
        numerals.between(row["low"], row["high"], metric.scale),
        generalises_over(row, run.task.clusters) if row["n_clusters"] else "",
        *(numerals.count(row[name]) for name in ("n", "ties", "undecided", "excluded")),
        *(numerals.value(row[name], metric.scale) for name in ("chance", "length_only")),
    )


def _groups(runs: Sequence[Result], numerals: Numerals) -> Table:
    """The headline metric by the main group, of all runs."""
    rows = [
        (
            name,
            str(row["group"]),
            *_number(run, row, numerals)[1:3],
            numerals.count(row["n"]),
            numerals.count(row["ties"]),
        )
        for run, name in zip(runs, labels(runs), strict=True)
        for _, row in run.paradigms.iterrows()
    ]
    title = METRICS[runs[0].metrics["name"].iloc[0]].title
    heads = ("Run", "Group", title, "95 % interval", "Items", "Ties")
    return table(f"{title} by {runs[0].main_group}.", heads, rows, len(rows), numerals, range(2, 6))


def _compared(pair: ComparedPair, names: tuple[str, str], run: Result, numerals: Numerals) -> dict[str, Any]:
    """The chart and the table of two runs."""
    scale = METRICS[run.metrics["name"].iloc[0]].scale
    share = scale == "share"
    difference = "points" if share else scale
    rows = [
        (
            "all" if row["group_by"] == OVERALL else str(row["group"]),
            *(numerals.value(row[name], scale) for name in ("value_a", "value_b")),
            numerals.value(row["difference"], difference),
            numerals.between(row["low"], row["high"], difference),
            numerals.count(row["n"]),
            numerals.real(row["p"], ".2g"),
            numerals.real(row["p_holm"], ".2g"),
        )
        for _, row in pair.rows.iterrows()
    ]
    heads = ("Group", *names, "Difference", "95 % interval", "Items", "p", "p (Holm)")
    caption = "Both runs on the items that both could score."
    return {
        "difference": drawn_difference(pair.rows.iloc[1:], names, pair.verdict, numerals) if share else None,
        "compared": table(caption, heads, rows, len(rows), numerals, range(1, 8)),
    }


def _of_run(result: Result, name: str, store: Store, numerals: Numerals) -> dict[str, Any]:
    """Ties, exclusions and the worst decisions of a run; how its numbers were made."""
    counts = result.undecided.groupby(["metric", "why"], sort=False).size().rename("items").reset_index()
    said = counts.itertuples(index=False, name=None)
    why = [(METRICS[metric].title, reason, numerals.count(n)) for metric, reason, n in said]
    listed = result.undecided.drop(columns=["margin"])
    listed["metric"] = [METRICS[name].title for name in listed["metric"]]
    rows = listed.astype(object).where(listed.notna(), "").itertuples(index=False, name=None)
    return {
        "name": name,
        "unclear": table("Ties and what was left out.", ("Number", "Why", "Items"), why, len(why), numerals, {2}),
        "each": table("Each of them.", ("Item", "Number", "Why", "Texts"), rows, len(listed), numerals),
        "worst": _worst(result, numerals),
        "all": _all(result, numerals),
        "made": made(store, result.manifest["run_id"]),
        "about": _about(result),
    }


def _worst(result: Result, numerals: Numerals) -> Table | None:
    """The items that a model gets most wrong."""
    wrong = _decided(result)
    wrong = wrong[wrong["margin"] < 0]
    caption = Message(
        "The clearest wrong decisions: {shown} of {n:,}. The margin is in {unit}.",
        shown=len(wrong.head(_WORST)), n=len(wrong), unit=_unit(result),
    )  # fmt: skip
    return None if wrong.empty else _items(wrong.head(_WORST), numerals(caption), "Preferred", numerals)


def _all(result: Result, numerals: Numerals) -> Table | None:
    """Every decision of a run that is short enough, such as a list of pairs for a class."""
    decided = _decided(result)
    if decided.empty or len(decided) > MOST_ROWS:
        return None
    caption = f"Every decision, the worst first. The margin is in {_unit(result)}."
    return _items(decided, caption, "Other", numerals)


def _decided(result: Result) -> pd.DataFrame:
    """The items with a decision; none if neither side is right, or if texts must not be passed on."""
    decides = deciding_metric(result.task, result.rule)
    shown = not result.task.confidential and decides is not None and decides.higher_is_better is not None
    return result.items.dropna(subset=["margin"]) if shown else result.items.iloc[:0]


def _unit(result: Result) -> str:
    return "bits per token" if result.policy.sentence_value == "mean" else "bits"


def _items(shown: pd.DataFrame, caption: str, rival: str, numerals: Numerals) -> Table:
    """Items with their texts and margins; `rival` is the head of the column of texts that are not right."""
    told = {"item": "Item", "formula": "Prediction", "context": "After", "right": "Right", "rival": rival}
    texts = shown.reindex(columns=[*told]).fillna("").astype("str")
    heads = {name: title for name, title in told.items() if texts[name].any()}
    margins = shown["margin"].map(numerals.real)
    rows = [(*row, margin) for row, margin in zip(texts[[*heads]].to_numpy(), margins, strict=True)]
    return table(caption, (*heads.values(), "Margin"), rows, len(rows), numerals, {len(heads)})


def _about(result: Result) -> dict[str, str]:
    """What a run's numbers depend on."""
    manifest, policy = result.manifest, result.policy
    moving = by_manifest(manifest).moving
    chosen = {
        field.replace("_", " "): f"{value}: {choices[value]}"
        for field, choices in CHOICES.items()
        if field in moving and (value := getattr(policy, field))
    }
    return {
        "run": f"{manifest['run_id']}: {manifest['title']}",
        "model": manifest["model"] + (f"@{manifest['revision']}" if manifest["revision"] else ""),
        "weights (sha256)": manifest["weights"],
        "data": f"{manifest['data']} (sha256 {manifest['data_hash']})",
        "scored": f"{manifest['scorer']}, rule {result.rule}, preset {manifest['preset']}",
        "signature": manifest["signature"],
        **chosen,
    }
