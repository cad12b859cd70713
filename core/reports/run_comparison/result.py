"""A comparison of runs as a result: what was found, tables, charts, what differs in how the runs were made."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from core.analysis.summary import OVERALL
from core.charts.named_rows import Measure
from core.charts.run_comparison import differences_by_group, every_pair, margin_against_margin, values_by_group
from core.charts.run_numbers import over_training
from core.files.exports import workbook
from core.messages import counted
from core.metrics import METRICS
from core.reports.run_comparison import wording
from core.reports.run_comparison.comparison import CHANGED, MOVES, RunComparison, thinned
from core.reports.run_comparison.numbers import ALL, curve, moments
from core.reports.run_comparison.runs import APART, Run
from core.reports.run_comparison.two_runs import is_mcnemars
from core.results.result import Column, Export, Figure, Headline, Notice, Provenance, Result, Table
from core.runs.receipts.bibtex import STATISTICS, bibtex
from core.statistics.wholes import interval_method

if TYPE_CHECKING:
    from core.charts.drawing import Chart

_MOST_GROUPS, _MOST_LINES = 40, 6
"""Rows of a chart, and lines of a curve; the tables have all."""
_WHOLE = "all"


def result(comparison: RunComparison) -> Result:
    """Headlines are of each run that is compared with the reference."""
    reference, runs, metric = comparison.reference, comparison.runs, METRICS[comparison.metric]
    measure, names = Measure(metric.title, metric.scale), [run.name for run in runs]
    items = comparison.items()
    changed = items[items["right_in"].isin(CHANGED)].reset_index(drop=True)
    finding = " ".join([*comparison.findings, wording.beyond_chance(comparison.differences, _MOST_GROUPS)])
    tables = [
        _table("differences", "Tests by group", comparison, comparison.differences),
        _table("values", "Every number", comparison, comparison.values),
    ]
    by_group = partial(_largest, comparison)
    figures = [Figure("numbers", "values", lambda rows: values_by_group(by_group(rows), finding, measure), finding)]
    if comparison.differences["difference"].notna().any():

        def beside_zero(rows: pd.DataFrame) -> Chart:
            return differences_by_group(by_group(rows), finding, measure, reference.name, names)

        figures.append(Figure("differences", "differences", beside_zero, finding))
    if len(runs) > 2:
        pairs = comparison.pairwise()
        of_pairs = _of_pairs(pairs)
        tables.append(_table("pairs", "Every pair", comparison, pairs))
        figures.append(
            Figure("every_pair", "pairs", lambda rows: every_pair(rows, of_pairs, measure), of_pairs, beside=True)
        )
    if moment := moments(runs, reference.store):
        points = curve(comparison.values, runs, moment)
        unit = points["unit"].iloc[0]
        extent = f"{points['checkpoint'].nunique()} checkpoints, up to {points['words'].max():,.0f} {unit}"

        def over_time(rows: pd.DataFrame) -> Chart:
            """All items, and each group if they are few."""
            drawn = rows if rows["line"].nunique() <= _MOST_LINES else rows[rows["line"] == ALL]
            return over_training(drawn, extent, measure, f"{unit.capitalize()} seen")

        tables.append(_table("training", "Over training", comparison, points))
        figures.append(Figure("training", "training", over_time, extent, beside=True))
    if len(items):
        tables.append(_table("changed_sides", "Items that changed sides", comparison, changed, most=500))
        tables.append(_table("margins", "All items", comparison, items))
        figures += [
            Figure(f"margins_{run.id}", "margins", partial(_margins, comparison, run), said, beside=True)
            for run in comparison.others
            if (said := _sides(comparison, run, items))
        ]
    for name, title, differs in (
        ("recipe", "What differs in the recipe", True),
        ("same", "Identical settings", False),
    ):
        fields = comparison.recipe[comparison.recipe["differs"] == differs].drop(columns="differs")
        tables.append(_table(name, title, comparison, fields.reset_index(drop=True)))
    whole = Export("Everything as an Excel workbook", ".xlsx", lambda: workbook(_sheets(comparison, tables)))
    return Result(
        study="compare-runs",
        question="What differs between runs, and is it more than chance?",
        title=f"{metric.title}: {', '.join(run.name for run in comparison.others)} and {reference.name}",
        file=f"compared-{reference.id}-{len(runs)}-{metric.name}",
        headlines=[line for run in comparison.others for line in _headlines(comparison, run, items)],
        tables=tables,
        figures=figures,
        notices=[*_notices(comparison, items)],
        trace=partial(_provenance, comparison),
        exports=[whole],
    )


def _headlines(comparison: RunComparison, run: Run, items: pd.DataFrame) -> Iterator[Headline]:
    """How far a run is from the reference, and how many items changed sides."""
    row = next(row for _, row in comparison.overall.iterrows() if row["run_id"] == run.id)
    noun, scale = f"{run.task.noun}s", METRICS[comparison.metric].scale
    bounds = None if pd.isna(row["low"]) else (float(row["low"]), float(row["high"]))
    sentence = wording.finding(row, comparison.reference.name, comparison.metric, run.task)
    n = 0 if pd.isna(row["n"]) else int(row["n"])
    yield Headline("difference", run.name, float(row["difference"]), scale, sentence, n, noun, bounds)
    if said := _sides(comparison, run, items):
        own = items[items["run"] == run.name]
        yield Headline("changed", run.name, float(own["right_in"].isin(CHANGED).sum()), noun, said, len(own), noun)


def _notices(comparison: RunComparison, items: pd.DataFrame) -> Iterator[Notice]:
    """Those about all runs."""
    reference, metric, task = comparison.reference, METRICS[comparison.metric], comparison.reference.task
    for caution in comparison.cautions:
        yield Notice("caution", "warning", caution)
    remarks = [
        wording.one_model(comparison.runs),
        wording.grounds(comparison.differences, metric.name, task),
        wording.beyond_chance(comparison.differences, _MOST_GROUPS),
        _of_pairs(comparison.pairwise()) if len(comparison.runs) > 2 else "",
        wording.recipe(comparison.recipe, MOVES),
        _ageless(comparison),
    ]
    if not metric.averages:
        remarks.append(f"{metric.title} is one number for all items, none of which is right or wrong.")
    elif all(shared.kind == APART for shared in comparison.bases.values()):
        remarks.append(
            f"No {task.noun} has the same wording in {reference.name} and another run: none can change sides."
        )
    elif items.empty:
        remarks.append(f"No {task.noun} could be judged in both runs.")
    elif task.confidential:
        remarks.append(f"The texts of {task.title} are confidential: only ids and numbers are stored and shown.")
    yield Notice("remark", "remark", " ".join(filter(None, remarks)))
    if task.page:
        yield Notice("elsewhere", "note", wording.elsewhere(task))


def _provenance(comparison: RunComparison) -> Provenance:
    """How the comparison is made again; the runs' own receipts say how their numbers were made."""
    ids, by = [run.id for run in comparison.runs], comparison.group_by
    chosen = {"reference": comparison.reference.id, "metric": comparison.metric, "by": by}
    options = [part for name, value in chosen.items() if value for part in (f"--{name}", value)]
    signatures = {run.id: run.manifest.get("signature") for run in comparison.runs}
    grounds = wording.grounds(comparison.differences, comparison.metric, comparison.reference.task)
    return Provenance(
        {"runs": signatures, **chosen},
        " ".join(filter(None, (*comparison.findings, grounds))),
        _bibtex(comparison),
        ids,
        shlex.join(["pairlens", "compare-runs", *ids, *options]),
        f"api.compare_runs({ids!r}, {', '.join(f'{name}={value!r}' for name, value in chosen.items())})",
    )


def _bibtex(comparison: RunComparison) -> str:
    """What to cite for the task, the metric, and the methods of intervals, tests and corrections."""
    metric, rows = METRICS[comparison.metric], comparison.differences
    known, tested = rows[rows["low"].notna()], rows[rows["p"].notna()]
    of_items = "difference of paired shares" if metric.averages else interval_method(metric)
    methods = ["MOVER" if kind == APART else of_items for kind in known["basis"]]
    methods += ["exact McNemar" if is_mcnemars(row) else "exchanging answers" for _, row in tested.iterrows()]
    methods += ["Holm"] if len(tested) > 1 else []
    cited = [key for name in dict.fromkeys(methods) for key in STATISTICS[name]]
    return bibtex([*comparison.reference.task.cites, *metric.cites, *cited])


def _sheets(comparison: RunComparison, tables: Sequence[Table]) -> dict[str, pd.DataFrame]:
    """All of it as the sheets of a workbook."""
    grounds = wording.grounds(comparison.differences, comparison.metric, comparison.reference.task)
    return {
        "findings": pd.DataFrame({"finding": [*comparison.findings, *comparison.cautions, grounds]}),
        **{table.name.replace("_", " "): table.frame for table in tables},
        "to cite": pd.DataFrame({"BibTeX": _bibtex(comparison).rstrip().split("\n\n")}),
    }


# Sentences


def _of_pairs(pairs: pd.DataFrame) -> str:
    clear, n = int(pairs["clear"].sum()) // 2, len(pairs) // 2
    return f"{clear} of {n} pairs of runs differ beyond chance (corrected for {n} tests)."


def _ageless(comparison: RunComparison) -> str:
    """The checkpoints that are not on the curve."""
    moment = moments(comparison.runs, comparison.reference.store)
    names = ", ".join(run.name for run in comparison.runs if moment and not moment[run.id].words)
    return f"Not over training, because their names do not say how much they had been trained: {names}." * bool(names)


def _sides(comparison: RunComparison, run: Run, items: pd.DataFrame) -> str:
    """How many items changed sides between a run and the reference; empty where there is none to judge."""
    sides = items.loc[items["run"] == run.name, "right_in"]
    if sides.empty:
        return ""
    verb = "Counted" if METRICS[comparison.metric].higher_is_better is None else "Right"
    only, only_reference = (int((sides == side).sum()) for side in CHANGED)
    sentence = (
        f"{only + only_reference:,} of {counted(len(sides), run.task.noun)} changed sides. "
        f"{verb} in {run.name} only: {only:,}, in {comparison.reference.name} only: {only_reference:,}."
    )
    if partly := int((sides == "part").sum()):
        sentence += f" {partly:,} are ties or half right in at least one run and are on neither side."
    return sentence


# Charts


def _largest(comparison: RunComparison, table: pd.DataFrame) -> pd.DataFrame:
    """The overall rows, under one name whatever they are called, and those of groups with the largest differences."""
    overall, groups = table["group_by"] == OVERALL, comparison.differences.query("group_by != @OVERALL")
    sizes = groups["difference"].abs().groupby(groups["group"], sort=False).max()
    largest = sizes.nlargest(_MOST_GROUPS, keep="first").index
    return table.assign(group=table["group"].mask(overall, _WHOLE))[overall | table["group"].isin(largest)]


def _margins(comparison: RunComparison, run: Run, items: pd.DataFrame) -> Chart:
    own = thinned(items[items["run"] == run.name])
    return margin_against_margin(own, _sides(comparison, run, items), (run.name, comparison.reference.name))


# Columns

_ABOUT = {
    "run": ("Run", "The run, named after its model and what tells it from the others."),
    "run_id": ("Id", "The run's id in the store."),
    "reference": ("Reference", "The run that is subtracted."),
    "reference_id": ("Id of the reference", "Its id in the store."),
    "basis": ("Compared by", "same: all items; shared: those with the same id and texts; apart: two numbers."),
    "group_by": ("By", "The column that the group is a value of; overall: all items."),
    "group": ("Group", "A value of that column; overall: how the mean is taken."),
    "value": ("Value", "The run's number, in a difference over the items that count in both."),
    "value_reference": ("Reference", "The same of the run that is subtracted."),
    "difference": ("Difference", "The run minus the reference."),
    "low": ("95 % from", "The lower bound of the 95 % interval."),
    "high": ("to", "The upper bound of the 95 % interval."),
    "chance": ("A blind guess", "The value for choosing at random."),
    "n": ("Items", "Items that count, in a difference in both runs."),
    "n_clusters": ("Independent", "How many of the items are independent."),
    "freedom": ("Degrees of freedom", "Degrees of freedom of the interval."),
    "n_contrasts": ("Contrasts", "How many contrasts the words of the pairs seem to make."),
    "low_contrasts": ("New contrasts from", "The lower bound of the 95 % interval over new contrasts."),
    "high_contrasts": ("to (new contrasts)", "The upper bound of the 95 % interval over new contrasts."),
    "ties": ("Ties", "Exact ties among the items."),
    "excluded": ("Left out", "Items that do not count because a candidate could not be scored."),
    "unscored": ("Unscored", "Items left out because this run could not score them."),
    "unscored_reference": ("Unscored in the reference", "Items left out because the reference could not score them."),
    "only_run": ("Only the run", "Items right in this run alone."),
    "only_reference": ("Only the reference", "Items right in the reference alone."),
    "p": ("p (exact)", "The p-value of exchanging the runs' answers, cluster by cluster."),
    "p_mcnemar": ("p (McNemar)", "McNemar's exact p-value, which takes items as independent."),
    "p_holm": ("p (Holm)", "The p-value corrected for all tests of its kind here: those overall, or those by group."),
    "clear": ("Clear", "Whether the interval does not hold 0 and the corrected p-value, if any, is below 0.05."),
    "line": ("Line", "All items, or a group of them."),
    "checkpoint": ("Checkpoint", "The checkpoint's name."),
    "words": ("Seen", "How much it had seen in training."),
    "unit": ("Unit", "What that is counted in."),
    "same_as": ("Same weights as", "An earlier checkpoint with the same weights."),
    "item": ("Item", "The item's id."),
    "right_in": ("Right in", "run or reference where one alone is right; else both, neither or part."),
    "formula": ("Prediction", "The prediction that the item is about."),
    "context": ("After", "The context, if all candidates share it."),
    "right": ("Right", "The right text."),
    "rival": ("Wrong", "What the run that errs prefers, or the first run's best other text."),
    "texts": ("Texts", "All candidates with their labels."),
    "margin": ("Margin", "How far the right text is ahead in the run, in bits."),
    "margin_reference": ("Margin in the reference", "The same in the reference, in bits."),
    "change": ("Change", "The run's margin minus the reference's, in bits."),
    "section": ("Part", "What the setting is about."),
    "field": ("Setting", "What may differ."),
    "effect": ("Effect of a difference", "What a difference in it can do to the numbers."),
}
_SHARES = ("value", "value_reference", "difference", "low", "high", "chance", "low_contrasts", "high_contrasts")
_FORMS = {
    "p": ".3g",
    "p_mcnemar": ".3g",
    "p_holm": ".3g",
    "margin": "+.2f",
    "margin_reference": "+.2f",
    "change": "+.2f",
}
_MARGINS = ("margin", "margin_reference", "change")
_COUNTS = ("n", "n_clusters", "ties", "excluded", "only_run", "only_reference", "words")
_HIDDEN = (
    "run_id", "reference_id", "basis", "freedom", "unscored", "unscored_reference", "p_mcnemar", "unit",
    "n_contrasts", "low_contrasts", "high_contrasts",
)  # fmt: skip
"""Columns that are in files only, as are groups beside the main one and texts that are missing."""
_TEXTS = ("formula", "context", "right", "rival", "texts")
_OF_ITEMS = (*_TEXTS, "run", "reference", "item", "right_in", *_MARGINS)


def _table(name: str, title: str, comparison: RunComparison, frame: pd.DataFrame, most: int = 1_000) -> Table:
    task, style = comparison.reference.task, ".1%" if METRICS[comparison.metric].scale == "share" else ".3f"
    forms = dict.fromkeys(("p", "p_mcnemar", "p_holm"), ".3g") | dict.fromkeys(
        ("margin", "margin_reference", "change"), "+.2f"
    )
    forms |= dict.fromkeys(_SHARES, style) | dict.fromkeys(_COUNTS, ",.0f")
    columns = []
    for column in map(str, frame.columns):
        group = "item" in frame and column not in _OF_ITEMS
        heading, about = _ABOUT.get(column, (column, "What this run has."))
        if group:
            heading, about = column.replace("_", " "), "A group of the item."
        drawn = column in task.groups[:1] if group else column not in _HIDDEN
        if column in _TEXTS:
            drawn = bool(frame[column].fillna("").astype(bool).any())
        columns.append(Column(column, heading, about, form=forms.get(column, ""), drawn=drawn))
    return Table(name, title, columns, lambda: frame, most)
