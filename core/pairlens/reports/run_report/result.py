"""What runs come to, as results: of one task, and of two of them item by item."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import pandas as pd

from pairlens.analysis.items import deciding_metric, surprisals_in_words
from pairlens.analysis.summary import generalises_over, headlines, summary_in_words
from pairlens.charts.accuracy import accuracy_beside, accuracy_by_group
from pairlens.charts.drawing import Chart
from pairlens.charts.named_rows import Measure
from pairlens.charts.run_numbers import margin_histogram
from pairlens.evaluation.receipts.methods import provenance_of_runs
from pairlens.evaluation.receipts.sentences import in_windows, note
from pairlens.evaluation.result import Run, by_paradigm, labels
from pairlens.files.formulas import formula_of, in_words
from pairlens.messages import Message, counted, joined
from pairlens.metrics import METRICS
from pairlens.reports.columns import columns
from pairlens.reports.run_comparison.result import of_two
from pairlens.reports.run_report import wording
from pairlens.results.report import report
from pairlens.results.result import Column, Figure, Headline, Notice, Result, Table
from pairlens.statistics.verdicts import VERDICT
from pairlens.store import Store
from pairlens.types import Metric

QUESTION = "How often does the model prefer what is right?"
_NUMBER = ("value", "low", "high", "chance", "length_only")
_COUNTS = ("n", "ties", "undecided", "excluded")
_PARADIGM = ("run", "group", "section", *_NUMBER, *_COUNTS, "n_clusters")
_NUMBERS = ("run", "metric", *_NUMBER, "over", *_COUNTS, "formula")
_UNDECIDED = ("run", "item", "metric", "why", "margin", "texts")
_ITEMS = ("run", "item", "prediction", "surprisals", "context", "right", "rival", "margin", "paradigm")
_LOOKED_AT = 200
"""Items that tell which columns hold something."""
MOST_GROUPS = 80
"""Rows of a chart; all of them are in its table."""
_NONE: Mapping[str, str] = {}


def html_report(results: Sequence[Run], store: Store, *, decimal_comma: bool = False) -> str:
    """Finished runs as one HTML page, two of one task compared too: findings, charts, tables, how it was made."""
    tasks: dict[tuple[str, str], list[Run]] = {}
    for run in results:
        tasks.setdefault((run.task.name, run.rule), []).append(run)
    parts = []
    for runs in tasks.values():
        parts.append(result_of(runs, store))
        if len(runs) == 2:
            parts.append(of_two(store, runs[0].manifest["run_id"], runs[1].manifest["run_id"]))
    titles = ", ".join(dict.fromkeys(run.task.title for run in results))
    title = f"{results[0].manifest['model'] if len(results) == 1 else f'{len(results)} runs'} on {titles}"
    return report(*parts, title=title, decimal_comma=decimal_comma)


def result_of(runs: Sequence[Run], store: Store, metric: str = "", unread: Mapping[str, str] = _NONE) -> Result:
    """Finished runs of one task, by a metric (the headline's); `unread` says by run why not to believe its number."""
    chosen = METRICS[metric or runs[0].metrics["name"].iloc[0]]
    named = dict(zip(labels(runs), runs, strict=True))
    return Result(
        study="zero-shot",
        question=QUESTION,
        title=runs[0].task.title,
        file=runs[0].manifest["run_id"] if len(runs) == 1 else runs[0].task.name,
        headlines=[line for name, run in named.items() for line in _headlines(run, name)],
        tables=[*_tables(named, chosen)],
        figures=[*_figures(runs, chosen)],
        notices=[*_notices(named, chosen, unread)],
        trace=partial(provenance_of_runs, store, [run.manifest["run_id"] for run in runs], worked=False),
    )


def _headlines(run: Run, name: str) -> Iterator[Headline]:
    for _, row in headlines(run.metrics).iterrows():
        sentence = wording.finding(run, row, name)
        bounds = None if pd.isna(row["low"]) else (float(row["low"]), float(row["high"]))
        scale, n, noun = METRICS[row["name"]].scale, int(row["n"]), f"{run.task.noun}s"
        yield Headline(row["name"], name, float(row["value"]), scale, sentence, n, noun, bounds)


def _notices(named: Mapping[str, Run], metric: Metric, unread: Mapping[str, str]) -> Iterator[Notice]:
    for name, run in named.items():
        if why := unread.get(run.manifest["run_id"]):
            yield Notice("unread", "instead", why, name)
        if not run.manifest.get("finding"):  # without right answers its number is not computed
            yield Notice("scope", "remark", wording.scope(run, metric), name)
            yield Notice("behind", "detail", wording.behind(run, metric), name)
        if run.items.empty and deciding_metric(run.task, run.rule) is not None:
            each = f"No {run.task.noun} of this run can be judged. Ties and exclusions says why."
            yield Notice("none", "note", each, name)
        if stated := run.manifest.get("stated", {}).get("notes"):
            yield Notice("stated", "remark", " ".join(stated), name)
        if faults := run.manifest.get("faults"):
            yield Notice("faults", "note", faults, name)
        if long := note(in_windows(run.manifest, run.candidates)):
            yield Notice("windows", "remark", long, name)


def _tables(named: Mapping[str, Run], metric: Metric) -> Iterator[Table]:
    run = next(iter(named.values()))
    task, decides = run.task, deciding_metric(run.task, run.rule)
    about = f"{metric.title} is computed from all items together; none is right or wrong. These are its ingredients."
    if decides is not None:
        about = f"The {'lowest margin' if decides.higher_is_better is None else 'worst decision'} first."
    if task.confidential:
        about = (
            f"The texts of {task.title} are confidential: its authors ask that they are not passed on. Only ids and "
            "numbers are stored, so no item can be opened in Compare."
        )
    part = _items if decides is not None else partial(_statistics, metric=metric)
    own = _item_columns(pd.concat([part(_few(one)) for one in named.values()]), run)
    yield _table(named, "items", "Items by margin", own, part, about, most=500)
    own = columns(_PARADIGM, _form([metric]), group="Paradigm", n_clusters="Independent contrasts")
    yield _table(named, "paradigms", "Paradigms", own, lambda one: by_paradigm(one, metric.name), f"{metric.title}.")
    undecided = [replace(column, form=".3g") if column.name == "margin" else column for column in columns(_UNDECIDED)]
    yield _table(named, "undecided", "Ties and exclusions", undecided, _undecided)
    metrics = [METRICS[name] for name in run.metrics["name"].unique()]
    yield _table(named, "numbers", "All numbers", columns(_NUMBERS, _form(metrics)), _numbers)


def _table(
    named: Mapping[str, Run],
    name: str,
    title: str,
    described: Sequence[Column],
    part: Callable[[Run], pd.DataFrame],
    lead: str = "",
    most: int = 1_000,
) -> Table:
    """A table of this part of each run, beside the run's name."""

    def make() -> pd.DataFrame:
        frames = [part(run).assign(run=label) for label, run in named.items()]
        return pd.concat(frames, ignore_index=True).reindex(columns=[one.name for one in described])

    own = [replace(one, drawn=one.drawn and (len(named) > 1 or one.name != "run")) for one in described]
    return Table(name, title, own, make, most, lambda: lead)


def _form(metrics: Sequence[Metric]) -> str:
    return ".2%" if all(metric.scale == "share" for metric in metrics) else ".3f"


def _numbers(run: Run) -> pd.DataFrame:
    rows = headlines(run.metrics)
    over = [generalises_over(row, run.task.clusters) if row["n_clusters"] else "" for _, row in rows.iterrows()]
    metrics = [METRICS[name] for name in rows["name"]]
    return rows.assign(
        over=over, metric=[metric.title for metric in metrics], formula=[metric.formula for metric in metrics]
    )


def _few(run: Run) -> Run:
    """The run with its first items, which tell what is known about all."""
    ids = run.items["item"].head(_LOOKED_AT) if len(run.items) else run.candidates["item"].unique()[:_LOOKED_AT]
    shown_rows = run.candidates[run.candidates["item"].isin(ids)]
    return replace(run, items=run.items.head(_LOOKED_AT), candidates=shown_rows)


def _items(run: Run) -> pd.DataFrame:
    """Worst first; of those without a right candidate what each costs, and what was predicted of them."""
    rows = run.items
    if VERDICT in rows:
        rows = rows.sort_values(VERDICT, kind="stable").assign(
            rival=None
        )  # which other text was preferred is not known
    if "formula" in rows:
        sentences = rows["formula"].map(lambda text: in_words(formula_of(text)), na_action="ignore")
        rows = rows.assign(prediction=sentences)
    if rows["right"].isna().all() and not run.task.confidential:
        rows = rows.join(surprisals_in_words(run.candidates), on="item")
    return rows.assign(paradigm=rows[run.main_group])


def _statistics(run: Run, metric: Metric) -> pd.DataFrame:
    return metric.statistics(run.candidates, run.policy).dropna(axis="columns", how="all")


_OTHERS = {VERDICT: "Verdict"}
"""Groups that are shown with the items."""


def _item_columns(items: pd.DataFrame, run: Run) -> list[Column]:
    """Those that hold something; groups and what is not for people are in files only."""
    unit = {"margin": "bits per token"} if run.policy.sentence_value == "mean" else {}
    filled = {str(name) for name in items if items[name].replace("", None).notna().any()} | {"run", "item"}
    known = columns(name for name in _ITEMS if name in filled)
    nameless = "right" not in items or bool(items["right"].isna().all())
    others = [name for name in map(str, items) if name in filled and name not in _ITEMS]
    return [
        *(replace(one, unit=unit.get(one.name, one.unit), drawn=one.name != "item" or nameless) for one in known),
        *(
            Column(name, _OTHERS.get(name, name), "As in the run.", drawn=name in _OTHERS or "paradigm" not in items)
            for name in others
        ),
    ]


def _undecided(run: Run) -> pd.DataFrame:
    return run.undecided.assign(metric=run.undecided["metric"].map(lambda name: METRICS[name].title))


def _figures(runs: Sequence[Run], metric: Metric) -> Iterator[Figure]:
    row = runs[0].metrics[runs[0].metrics["name"] == metric.name].iloc[0]
    finding = Message("{first}.", first=summary_in_words(row, runs[0].task.clusters))
    if len(runs) > 1:
        finding = Message("{title} of {n} runs by group.", title=metric.title, n=len(runs))
    groups = by_paradigm(runs[0], metric.name).dropna(subset=["value"])["group"].nunique()
    if groups > 1:
        if groups > MOST_GROUPS:
            cut = Message("The first {n} of {all} groups are drawn.", n=MOST_GROUPS, all=groups)
            finding = joined((finding, cut))
        yield Figure("paradigms", "paradigms", partial(_draw_groups, metric, finding), finding)
    elif any(run.metrics.loc[run.metrics["name"] == metric.name, "value"].notna().any() for run in runs):
        yield Figure("beside", "numbers", partial(_draw_beside, metric, finding), finding)
    decides = deciding_metric(runs[0].task, runs[0].rule)
    if decides is not None and runs[0].items["margin"].notna().any():
        spread = Message("Margins of {items}.", items=counted(len(runs[0].items), runs[0].task.noun))
        draw = lambda rows: margin_histogram(rows[["margin"]], spread, sides=decides.sides)  # noqa: E731
        yield Figure("margins", "items", draw, spread, beside=True)


def _draw_groups(metric: Metric, finding: str, rows: pd.DataFrame) -> Chart:
    drawn = rows.dropna(subset=["value"]).rename(columns={"run": "model"})
    drawn = drawn[drawn["group"].isin(drawn["group"].unique()[:MOST_GROUPS])].reset_index(drop=True)
    return accuracy_by_group(drawn, finding, Measure(metric.title, metric.scale))


def _draw_beside(metric: Metric, finding: str, rows: pd.DataFrame) -> Chart:
    drawn = rows[rows["metric"] == metric.title].dropna(subset=["value"]).rename(columns={"run": "name"})
    return accuracy_beside(drawn.assign(mark="run", note=""), finding, Measure(metric.title, metric.scale))
