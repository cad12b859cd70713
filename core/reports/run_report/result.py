"""What runs come to, as results: of one task, and of two of them item by item."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import pandas as pd

from core.analysis.items import deciding_metric, surprisals_in_words
from core.analysis.summary import generalises_over, headlines, summary_in_words
from core.charts.accuracy import accuracy_beside, accuracy_by_group, difference_by_group
from core.charts.drawing import Chart
from core.charts.named_rows import Measure
from core.charts.run_numbers import margin_histogram
from core.errors import StoreError
from core.files.formulas import formula_of, in_words
from core.messages import Message, counted, joined
from core.metrics import METRICS
from core.reports.run_comparison.two_runs import against, flips, grounds, verdict
from core.reports.run_report import wording
from core.results.report import report
from core.results.result import Column, Figure, Headline, Notice, Result, Table
from core.runs.receipts.methods import provenance_of_runs
from core.runs.receipts.sentences import in_windows, note
from core.runs.result import Result as Run
from core.runs.result import by_paradigm, labels
from core.store import Store
from core.types import Metric

QUESTION = "How often does the model prefer what is right?"
_LOOKED_AT = 200
"""Items that tell which columns hold something."""
MOST_GROUPS = 80
"""Rows of a chart; all of them are in its table."""
_NONE: Mapping[str, str] = MappingProxyType({})
_NOTHING_PUBLISHED = pd.DataFrame(columns=["group", "system", "value"])
_RUN = Column("run", "Run", "The model, with what tells its run from others.")
_METRIC = Column("metric", "Number", "Which of the task's numbers.")
_COUNTS = (
    Column("n", "Items", "How many items count."),
    Column("ties", "Ties", "Items whose candidates are equally likely."),
    Column("undecided", "Too close", "Items decided by less than 1e-4 nats, which another device could turn."),
    Column("excluded", "Left out", "Items that do not count because a candidate could not be scored."),
)
_ITEM = Column("item", "Item", "The item's id.")


def html_report(results: Sequence[Run], store: Store, *, decimal_comma: bool = False) -> str:
    """Finished runs as one HTML page: what was found, charts and tables, what was left out, how it was made."""
    tasks: dict[tuple[str, str], list[Run]] = {}
    for run in results:
        tasks.setdefault((run.task.name, run.rule), []).append(run)
    titles = ", ".join(dict.fromkeys(run.task.title for run in results))
    title = f"{results[0].manifest['model'] if len(results) == 1 else f'{len(results)} runs'} on {titles}"
    parts = [result_of(runs, store) for runs in tasks.values()]
    return report(*parts, title=title, decimal_comma=decimal_comma)


def result_of(
    runs: Sequence[Run], store: Store, metric: str = "", *, paired: bool = True, unread: Mapping[str, str] = _NONE
) -> Result:
    """Finished runs of one task, by a metric (the headline's); two of them, if `paired`, are compared item by item.

    `unread` says by run why not to believe its numbers.
    """
    chosen = METRICS[metric or runs[0].metrics["name"].iloc[0]]
    names = labels(runs)
    pair = _pair(runs, chosen) if paired and len(runs) == 2 else ""
    compared = pair if isinstance(pair, pd.DataFrame) else None
    return Result(
        study="zero-shot",
        question=QUESTION,
        title=runs[0].task.title,
        file=runs[0].manifest["run_id"] if len(runs) == 1 else runs[0].task.name,
        headlines=[line for run, name in zip(runs, names, strict=True) for line in _headlines(run, name)],
        tables=[*_tables(runs, names, chosen, compared)],
        figures=[*_figures(runs, names, chosen, compared)],
        notices=[*_notices(runs, names, chosen, pair, unread)],
        trace=partial(provenance_of_runs, store, [run.manifest["run_id"] for run in runs], worked=False),
    )


def _headlines(run: Run, name: str) -> Iterator[Headline]:
    for _, row in headlines(run.metrics).iterrows():
        sentence = wording.finding(run, row, name)
        bounds = None if pd.isna(row["low"]) else (float(row["low"]), float(row["high"]))
        scale, n, noun = METRICS[row["name"]].scale, int(row["n"]), f"{run.task.noun}s"
        yield Headline(row["name"], name, float(row["value"]), scale, sentence, n, noun, bounds)


def _notices(
    runs: Sequence[Run], names: Sequence[str], metric: Metric, pair: pd.DataFrame | str, unread: Mapping[str, str]
) -> Iterator[Notice]:
    for run, name in zip(runs, names, strict=True):
        if why := unread.get(run.manifest["run_id"]):
            yield Notice("unread", "instead", why, name)
        if not run.manifest.get("finding"):  # without right answers its number is not computed
            yield Notice("behind", "remark", wording.behind(run, metric), name)
        if run.items.empty and deciding_metric(run.task, run.rule) is not None:
            each = f"No {run.task.noun} of this run can be judged. Ties and exclusions says why."
            yield Notice("none", "note", each, name)
        if faults := run.manifest.get("faults"):
            yield Notice("faults", "note", faults, name)
        if long := note(in_windows(run.manifest, run.candidates)):
            yield Notice("windows", "remark", long, name)
    if isinstance(pair, str):
        yield from [Notice("pair", "note", pair)] if pair else []
        return
    clusters = runs[0].task.clusters
    yield Notice("verdict", "remark", verdict(pair, (names[0], names[1]), metric.name, clusters))
    yield Notice("grounds", "remark", grounds(pair, metric.name, clusters))


def _pair(runs: Sequence[Run], metric: Metric) -> pd.DataFrame | str:
    """Two runs compared item by item, or why they cannot be."""
    try:
        return against(runs[0], runs[1], metric.name)
    except StoreError as reason:
        return str(reason)


def _tables(runs: Sequence[Run], names: Sequence[str], metric: Metric, pair: pd.DataFrame | None) -> Iterator[Table]:
    named = dict(zip(names, runs, strict=True))
    task, decides = runs[0].task, deciding_metric(runs[0].task, runs[0].rule)
    about = f"{metric.title} is computed from all items together; none is right or wrong. These are its ingredients."
    if decides is not None:
        about = f"The {'lowest margin' if decides.higher_is_better is None else 'worst decision'} first."
    if task.confidential:
        about = (
            f"The texts of {task.title} are confidential: its authors ask that they are not passed on. Only ids and "
            "numbers are stored, so no item can be opened in Compare."
        )
    part = _items if decides is not None else partial(_statistics, metric=metric)
    columns = _item_columns(pd.concat([part(_few(run)) for run in runs]), runs[0])
    yield _table("items", "Items by margin", columns, lambda: _together(named, part), about, most=500)
    paradigms = partial(_together, named, lambda run: by_paradigm(run, metric.name))
    yield _table("paradigms", "Paradigms", _paradigm_columns(metric), paradigms, f"{metric.title}.")
    if pair is not None:
        yield from paired_tables(runs, names, pair, metric)
    yield _table("undecided", "Ties and exclusions", _UNDECIDED, lambda: _together(named, _undecided))
    yield _table("numbers", "All numbers", _number_columns(runs), lambda: _together(named, _numbers))


def _together(named: Mapping[str, Run], part: Callable[[Run], pd.DataFrame]) -> pd.DataFrame:
    return pd.concat([part(run).assign(run=name) for name, run in named.items()], ignore_index=True)


def _table(
    name: str, title: str, columns: Sequence[Column], make: Callable[[], pd.DataFrame], lead: str = "",
    most: int = 1_000,
) -> Table:  # fmt: skip
    return Table(
        name, title, columns, lambda: make().reindex(columns=[one.name for one in columns]), most, lambda: lead
    )


def _form(metrics: Sequence[Metric]) -> str:
    return ".2%" if all(one.scale == "share" for one in metrics) else ".3f"


def _numbers(run: Run) -> pd.DataFrame:
    rows = headlines(run.metrics)
    over = [generalises_over(row, run.task.clusters) if row["n_clusters"] else "" for _, row in rows.iterrows()]
    metrics = [METRICS[name] for name in rows["name"]]
    return rows.assign(over=over, metric=[one.title for one in metrics], formula=[one.formula for one in metrics])


def _number_columns(runs: Sequence[Run]) -> list[Column]:
    return [_RUN, _METRIC, *_values(_form([METRICS[name] for name in runs[0].metrics["name"].unique()])),
            Column("over", "Over", "What the interval is over."), *_COUNTS,
            Column("formula", "Formula", "How it is computed.")]  # fmt: skip


def _values(form: str) -> list[Column]:
    return [
        Column("value", "Value", "The number.", form=form),
        Column("low", "95 % from", "Lower bound of its interval.", form=form),
        Column("high", "95 % to", "Upper bound of its interval.", form=form),
        Column("chance", "A blind guess", "What guessing would reach.", form=form),
        Column("length_only", "By length alone", "What the number of tokens alone would reach.", form=form),
    ]


def _paradigm_columns(metric: Metric) -> list[Column]:
    return [
        _RUN,
        Column("group", "Paradigm", "The items' group."),
        Column("section", "Phenomenon", "What the group belongs to."),
        *_values(_form([metric])),
        *_COUNTS,
        Column("n_clusters", "Independent contrasts", "How many of its items are independent."),
    ]


def paired_tables(runs: Sequence[Run], names: Sequence[str], pair: pd.DataFrame, metric: Metric) -> Iterator[Table]:
    """Two runs compared (`two_runs.against`), and the items that only one of them has right."""
    form, (first, second) = _form([metric]), runs
    columns = (
        Column("group", "Group", "The items' group; macro or micro: all."),
        Column("value_a", f"{names[0]}, value", "The first one's value.", form=form),
        Column("value_b", f"{names[1]}, value", "The second one's value.", form=form),
        Column("difference", "Difference", "First minus second.", form=form),
        Column("low", "95 % from", "Lower bound of the difference.", form=form),
        Column("high", "95 % to", "Upper bound of the difference.", form=form),
        Column("n", "Items in both", "Items that both could score."),
        Column("only_a", f"Right in {names[0]} only", "Items that only the first has right."),
        Column("only_b", f"Right in {names[1]} only", "Items that only the second has right."),
        Column("p", "p (exact)", "Of the exact test.", form=".3g"),
        Column("p_holm", "p (Holm)", "The same, corrected for the number of groups.", form=".3g"),
    )
    yield Table.of("pair", "Item by item", columns, pair)
    if not metric.averages:
        return
    changed = flips(first, second)
    changed = changed.assign(
        right_in=changed["right_in"].map({"a": names[0], "b": names[1]}), paradigm=changed[first.main_group]
    )
    if "formula" in changed:
        changed["prediction"] = changed["formula"].map(lambda text: in_words(formula_of(text)), na_action="ignore")
    texts = [one for one in _TEXTS if one.name in changed and changed[one.name].notna().any()]
    own = (
        _ITEM,
        Column("right_in", "Right in", "The run that has it right."),
        *texts,
        Column("margin_a", "Margin of the first", "By how much the right candidate is ahead.", "bits", ".2f"),
        Column("margin_b", "Margin of the second", "The same of the second.", "bits", ".2f"),
        Column("change", "Change", "How much they differ.", "bits", ".2f"),
        Column("paradigm", "Paradigm", "The item's group."),
    )
    decides = deciding_metric(first.task, first.rule)
    n = counted(len(changed), first.task.noun)
    about = (
        f"{n} are right in one only ({decides.title if decides else ''}), the largest change of margin first."
        f"{f' The texts of {first.task.title} are confidential.' if first.task.confidential else ''}"
    )
    yield Table.of("flipped", "Right in one only", own, changed, about)


_TEXTS = (
    Column("prediction", "Prediction", "What is predicted of its candidates."),
    Column("surprisals", "Surprisals", "What each candidate costs."),
    Column("context", "After", "What stands before all candidates."),
    Column("right", "Right", "The right candidate."),
    Column("rival", "Wrong", "The best other candidate."),
)


def _few(run: Run) -> Run:
    """The run with its first items, which tell what is known about all."""
    ids = run.items["item"].head(_LOOKED_AT) if len(run.items) else run.candidates["item"].unique()[:_LOOKED_AT]
    shown_rows = run.candidates[run.candidates["item"].isin(ids)]
    return replace(run, items=run.items.head(_LOOKED_AT), candidates=shown_rows)


def _items(run: Run) -> pd.DataFrame:
    """Worst first; of those without a right candidate what each costs, and what was predicted of them."""
    rows = run.items
    if "formula" in rows:
        sentences = rows["formula"].map(lambda text: in_words(formula_of(text)), na_action="ignore")
        rows = rows.assign(prediction=sentences)
    if rows["right"].isna().all() and not run.task.confidential:
        rows = rows.join(surprisals_in_words(run.candidates), on="item")
    return rows.assign(paradigm=rows[run.main_group])


def _statistics(run: Run, metric: Metric) -> pd.DataFrame:
    """What a number that decides nothing item by item was computed from."""
    return metric.statistics(run.candidates, run.policy).dropna(axis="columns", how="all")


def _item_columns(items: pd.DataFrame, run: Run) -> list[Column]:
    """Those that hold something; groups and what is not for people are in files only."""
    unit = "bits per token" if run.policy.sentence_value == "mean" else "bits"
    margin = "By how much the right candidate is ahead; below 0 the other one is preferred."
    described = (
        _RUN,
        Column("item", "Item", "The item's id.", drawn="right" not in items or bool(items["right"].isna().all())),
        *_TEXTS,
        Column("margin", "Margin", margin, unit, ".2f"),
        Column("paradigm", "Paradigm", "The item's group."),
    )
    filled = {str(name) for name in items if items[name].replace("", None).notna().any()} | {"run", "item"}
    known = [one for one in described if one.name in filled]
    others = filled - {one.name for one in known}
    drawn = "paradigm" not in items
    return [*known, *(Column(one, one, "As in the run.", drawn=drawn) for one in map(str, items) if one in others)]


_UNDECIDED = (
    _RUN,
    _ITEM,
    _METRIC,
    Column("why", "Why", "Why it is no clear decision."),
    Column("margin", "Margin", "By how much one candidate is ahead.", "bits", ".3g"),
    Column("texts", "Texts", "The candidates."),
)


def _undecided(run: Run) -> pd.DataFrame:
    return run.undecided.assign(metric=run.undecided["metric"].map(lambda name: METRICS[name].title))


def _figures(
    runs: Sequence[Run], names: Sequence[str], metric: Metric, pair: pd.DataFrame | None
) -> Iterator[Figure]:
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
    if pair is not None and metric.scale == "share" and len(pair.iloc[1:].dropna(subset=["difference"])) > 1:
        finding_of_pair = verdict(pair, (names[0], names[1]), metric.name, runs[0].task.clusters)
        known = pair.iloc[1:].dropna(subset=["difference"]).head(MOST_GROUPS).reset_index(drop=True)
        draw = lambda _: difference_by_group(known, finding_of_pair, (names[0], names[1]))  # noqa: E731
        yield Figure("pair", "pair", draw, finding_of_pair, beside=True)
    decides = deciding_metric(runs[0].task, runs[0].rule)
    if decides is not None and len(runs[0].items):
        spread = Message("Margins of {items}.", items=counted(len(runs[0].items), runs[0].task.noun))
        draw = lambda rows: margin_histogram(rows[["margin"]], spread, sides=decides.sides)  # noqa: E731
        yield Figure("margins", "items", draw, spread, beside=True)


def _draw_groups(metric: Metric, finding: str, rows: pd.DataFrame) -> Chart:
    drawn = rows.dropna(subset=["value"]).rename(columns={"run": "model"})
    drawn = drawn[drawn["group"].isin(drawn["group"].unique()[:MOST_GROUPS])].reset_index(drop=True)
    return accuracy_by_group(drawn, finding, Measure(metric.title, metric.scale), _NOTHING_PUBLISHED)


def _draw_beside(metric: Metric, finding: str, rows: pd.DataFrame) -> Chart:
    drawn = rows[rows["metric"] == metric.title].dropna(subset=["value"]).rename(columns={"run": "name"})
    return accuracy_beside(drawn.assign(mark="run", note=""), finding, Measure(metric.title, metric.scale))
