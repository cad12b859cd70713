"""The HTML file of a report: everything is in it, nothing is asked of any host, and it is read without a script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from core import __version__
from core.analysis.items import deciding_metric
from core.analysis.summary import OVERALL, headlines
from core.metrics import METRICS
from core.policies import CHOICES
from core.reports.run_report import drawings
from core.reports.run_report.compose import ComparedPair, by_task, finding, further, paired
from core.reports.run_report.made import made
from core.reports.run_report.numerals import Numerals
from core.reports.run_report.parts import code, definitions, folded, paragraph, plain, section, table, text
from core.runs.receipts.scored_by import by_manifest
from core.runs.result import Result, labels
from core.scoring.recipe import now
from core.store import Store

_WORST = 25
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def html_report(results: Sequence[Result], store: Store, *, decimal_comma: bool = False) -> str:
    """Finished runs as one HTML page: what was found, charts and tables, what was left out, how it was made."""
    numerals = Numerals(decimal_comma)
    title = _title(results)
    body = [f"<h1>{text(title)}</h1>\n", paragraph(f"Pairlens {__version__}, {now()[:10]}", "quiet")]
    for runs in by_task(results):
        body += _of_task(runs, numerals)
    for result, name in zip(results, labels(results), strict=True):
        body.append(_of_run(result, name, numerals))
    body += [_how(result, name, store) for result, name in zip(results, labels(results), strict=True)]
    style = Path(__file__).with_name("style.css").read_text("utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{plain(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"{''.join(body)}</main>\n</body>\n</html>\n"
    )


def _title(results: Sequence[Result]) -> str:
    tasks = ", ".join(dict.fromkeys(result.task.title for result in results))
    if len(results) == 1:
        return f"{results[0].manifest['model']} on {tasks}"
    return f"{len(results)} runs on {tasks}"


def _of_task(runs: Sequence[Result], numerals: Numerals) -> Iterator[str]:
    """What runs of one task found: in words, as a chart, as tables; two of them item by item."""
    named = list(zip(runs, labels(runs), strict=True))
    words = [paragraph(f"{name}: {finding(run, numerals)}", "headline") for run, name in named]
    more = [paragraph(f"{name}: {one}") for run, name in named for one in further(run, numerals)]
    title = METRICS[runs[0].metrics["name"].iloc[0]].title
    first = finding(runs[0], numerals) if len(runs) == 1 else f"{title} of {len(runs)} runs by group."
    chart = drawings.by_group(runs, first, numerals)
    yield section(runs[0].task.title, *words, *more, chart, _numbers(runs, numerals), _groups(runs, numerals))
    pair = paired(runs, numerals)
    if isinstance(pair, ComparedPair):
        yield _compared(pair, (named[0][1], named[1][1]), runs[0], numerals)
    elif pair:
        yield section("Item by item", paragraph(pair))


def _numbers(runs: Sequence[Result], numerals: Numerals) -> str:
    """The headline of each metric of each run."""
    rows = [
        (name, *_number(row, numerals))
        for run, name in zip(runs, labels(runs), strict=True)
        for _, row in headlines(run.metrics).iterrows()
    ]
    heads = ("Run", "Number", "Value", "95 % interval", "Over", "Items", "Ties", "Too close", "Left out", "Chance",
             "By length alone")  # fmt: skip
    return table("All numbers.", heads, rows, len(rows), numerals, frozenset(range(2, len(heads))) - {4})


def _number(row: pd.Series, numerals: Numerals) -> tuple[str, ...]:
    metric = METRICS[row["name"]]
    return (
        metric.title,
        numerals.value(row["value"], metric.scale, 2),
        numerals.between(row["low"], row["high"], metric.scale),
        str(row["over"]),
        *(numerals.count(row[name]) for name in ("n", "ties", "undecided", "excluded")),
        *(numerals.value(row[name], metric.scale) for name in ("chance", "length_only")),
    )


def _groups(runs: Sequence[Result], numerals: Numerals) -> str:
    """The headline metric by the main group, of all runs."""
    rows = [
        (name, str(row["group"]), *_number(row, numerals)[1:3], numerals.count(row["n"]), numerals.count(row["ties"]))
        for run, name in zip(runs, labels(runs), strict=True)
        for _, row in run.paradigms.iterrows()
    ]
    title = METRICS[runs[0].metrics["name"].iloc[0]].title
    heads = ("Run", "Group", title, "95 % interval", "Items", "Ties")
    caption = f"{title} by {runs[0].main_group}."
    return table(caption, heads, rows, len(rows), numerals, frozenset(range(2, 6)))


def _compared(pair: ComparedPair, names: tuple[str, str], run: Result, numerals: Numerals) -> str:
    scale = METRICS[run.metrics["name"].iloc[0]].scale

    def bounds(row: pd.Series) -> str:
        return numerals.between(row["low"], row["high"], scale)

    rows = [
        (
            "all" if row["group_by"] == OVERALL else str(row["group"]),
            *(numerals.value(row[name], scale) for name in ("value_a", "value_b")),
            *(one.replace(" %", " points") for one in (numerals.value(row["difference"], scale), bounds(row))),
            numerals.count(row["n"]),
            numerals.real(row["p"], ".2g"),
            numerals.real(row["p_holm"], ".2g"),
        )
        for _, row in pair.rows.iterrows()
    ]
    heads = ("Group", *names, "Difference", "95 % interval", "Items", "p", "p (Holm)")
    groups = pair.rows.iloc[1:]
    share = scale == "share"
    chart = drawings.difference(groups, names, pair.verdict, numerals) if share else ""
    listed = table("Both runs on the items that both could score.", heads, rows, len(rows), numerals,
                   frozenset(range(1, 8)))  # fmt: skip
    said = paragraph(pair.verdict, "headline") + paragraph(pair.grounds, "quiet")
    return section("Item by item", said, chart, listed)


def _of_run(result: Result, name: str, numerals: Numerals) -> str:
    """Ties, exclusions and the worst decisions of a run."""
    counts = result.undecided.groupby(["metric", "why"], sort=False).size().rename("items").reset_index()
    said = counts.itertuples(index=False, name=None)
    why = [(METRICS[metric].title, reason, numerals.count(n)) for metric, reason, n in said]
    listed = result.undecided.drop(columns=["margin"])
    listed["metric"] = [METRICS[name].title for name in listed["metric"]]
    rows = listed.astype(object).where(listed.notna(), "").itertuples(index=False, name=None)
    unclear = (
        table("Ties and what was left out.", ("Number", "Why", "Items"), why, len(why), numerals, frozenset({2})),
        folded("One by one", table("Each of them.", ("Item", "Number", "Why", "Texts"), rows, len(listed), numerals)),
    )
    settled = () if why else (paragraph("No ties, nothing too close to call, nothing left out."),)
    return section(f"Items of {name}", *settled, *unclear, _worst(result, numerals))


def _worst(result: Result, numerals: Numerals) -> str:
    """The items that a model gets most wrong; none of numbers of which neither side is right."""
    decides = deciding_metric(result.task, result.rule)
    wrong = result.items[result.items["margin"] < 0]
    if wrong.empty or result.task.confidential or decides is None or decides.higher_is_better is None:
        return ""
    unit = "bits per token" if result.policy.sentence_value == "mean" else "bits"
    shown = wrong.head(_WORST)
    told = {"item": "Item", "formula": "Prediction", "context": "After", "right": "Right", "rival": "Preferred"}
    texts = shown.reindex(columns=[*told]).fillna("").astype("str")
    heads = {name: title for name, title in told.items() if texts[name].any()}
    margins = shown["margin"].map(numerals.real)
    rows = [(*row, margin) for row, margin in zip(texts[[*heads]].to_numpy(), margins, strict=True)]
    caption = f"The clearest wrong decisions: {len(rows)} of {numerals.count(len(wrong))}. The margin is in {unit}."
    return table(caption, (*heads.values(), "Margin"), rows, len(rows), numerals, frozenset({len(heads)}))


def _how(result: Result, name: str, store: Store) -> str:
    """What a run's numbers depend on."""
    manifest, policy = result.manifest, result.policy
    told = made(store, manifest["run_id"])
    moving = by_manifest(manifest).moving
    chosen = {
        field.replace("_", " "): f"{value}: {choices[value]}"
        for field, choices in CHOICES.items()
        if field in moving and (value := getattr(policy, field))
    }
    about = {
        "run": f"{manifest['run_id']}: {manifest['title']}",
        "model": manifest["model"] + (f"@{manifest['revision']}" if manifest["revision"] else ""),
        "weights (sha256)": manifest["weights"],
        "data": f"{manifest['data']} (sha256 {manifest['data_hash']})",
        "scored": f"{manifest['scorer']}, rule {result.rule}, preset {manifest['preset']}",
        "signature": manifest["signature"],
        **chosen,
    }
    return section(
        f"How the numbers of {name} were made",
        paragraph(told.methods),
        definitions(about),
        folded("To cite (BibTeX)", code(told.bibtex)),
        folded("Receipt (JSON)", code(told.receipt)),
    )
