"""A run's numbers as sentences: what was found, and what stands behind it."""

import re

import pandas as pd

from pairlens.analysis.summary import against_nothing, are_few, counted_units, generalises_over, no_interval, written
from pairlens.evaluation.result import Run
from pairlens.evaluation.samples import finding_of, items_of
from pairlens.messages import Message, counted, joined
from pairlens.metrics import METRICS
from pairlens.statistics.verdicts import VERDICT
from pairlens.types import Metric

_NAME = re.compile(r"\$(\w+)")


_JUDGED = "$model was right in $value of $items, as another program judged."


def finding(run: Run, row: pd.Series, model: str) -> str:
    """The metric's sentence about a row of a summary, in which our own sample is named as such."""
    metric, data = METRICS[row["name"]], run.manifest["data"]
    if not pd.isna(row["value"]):
        items = items_of(data, int(row["n"]), run.task.noun)
        template = _NAME.sub(r"{\1}", _JUDGED if VERDICT in run.candidates else finding_of(metric, data))
        if not (pd.isna(row["low"]) or _all_tied(row)):
            template = f"{template.removesuffix('.')} (95 % interval {{low}} to {{high}})."
        low, high = (_number(row[end], metric.scale) for end in ("low", "high"))
        value = percent(row["value"], metric.scale)
        return Message(template, model=model, value=value, items=items, low=low, high=high)
    if spoken := run.manifest.get("finding"):  # pairs without right answers
        return Message("{model}: {finding}.", model=model, finding=spoken)
    return Message("{title}: no number for {model}.", title=metric.title, model=model)


def scope(run: Run, metric: Metric) -> str:
    """Of what a number is the mean, what others would give, why it has no interval; its items, ties, exclusions."""
    rows = run.metrics[run.metrics["name"] == metric.name]
    first = rows.iloc[0]
    if pd.isna(first["value"]):
        return _counts(first, run, metric)
    tied = f"It cannot tell: all are ties, each counted as {run.policy.ties}."
    spread = tied if _all_tied(first) else _spread(rows, run, metric)
    return joined(filter(None, (spread, _counts(first, run, metric))))


def behind(run: Run, metric: Metric) -> str:
    """What a number is, over what its intervals are, and what blind choosers would reach."""
    rows = run.metrics[run.metrics["name"] == metric.name]
    first = rows.iloc[0]
    formula = f"{metric.formula[:1].upper()}{metric.formula[1:]}. {metric.note}".rstrip()
    if VERDICT in run.candidates:
        formula = "Mean of the verdicts of another program, whose log-probabilities, if it had any, are not known."
    if pd.isna(first["value"]) or _all_tied(first):
        return formula
    return joined(filter(None, (formula, _intervals(rows, run, metric), _blind(first, metric))))


def _all_tied(row: pd.Series) -> bool:
    return bool(row["ties"] == row["n"])


def _spread(rows: pd.DataFrame, run: Run, metric: Metric) -> str:
    """The mean over groups, and the interval beyond these unless they are too few; the headline has the other."""
    mean = f"Mean over {_groups(rows, run)}" if _is_mean(rows, run, metric) else ""
    if pd.isna(rows.iloc[0]["low"]):
        why = f"No interval: {no_interval(rows.iloc[0], metric.name, run.task.clusters)}."
        return joined((Message("{mean}.", mean=mean), why)) if mean else why
    beyond = _beyond(rows)
    if beyond is not None and not are_few(beyond):
        wide = _between(beyond, metric)
        return Message("{mean}; {wide} generalising beyond these paradigms.", mean=mean, wide=wide)
    return Message("{mean}.", mean=mean) if mean else ""


def _intervals(rows: pd.DataFrame, run: Run, metric: Metric) -> str:
    """Over how many independent units the intervals are."""
    first, unit = rows.iloc[0], run.task.clusters
    if pd.isna(first["low"]):
        return ""
    fixed = " for these paradigms" if _is_mean(rows, run, metric) and {*run.task.averaged} - {unit} else ""
    over = generalises_over(first, unit)
    parts = [Message("95 % interval: {between}{fixed}, over {over}", fixed=fixed, over=over,
                     between=_between(first, metric))]  # fmt: skip
    if (beyond := _beyond(rows)) is not None:
        wide, over = _between(beyond, metric), generalises_over(beyond)
        parts += [Message("{wide} generalising beyond these paradigms, over {over}", wide=wide, over=over)]
    return Message("{parts}.", parts=joined(parts, "; "))


def _is_mean(rows: pd.DataFrame, run: Run, metric: Metric) -> bool:
    return bool(metric.averages and rows["group_by"].eq(run.main_group).sum() > 1)


def _beyond(rows: pd.DataFrame) -> pd.Series | None:
    """The row of the interval that generalises to other paradigms, where it is one."""
    others = rows[rows["over"] == "paradigms"]
    return others.iloc[0] if len(others) and others.iloc[0]["low"] < others.iloc[0]["high"] else None


def _groups(rows: pd.DataFrame, run: Run) -> str:
    n = {column: rows["group_by"].eq(column).sum() for column in run.task.averaged}
    inner = "items"
    if run.main_group in n:
        named = "paradigm" if run.main_group != run.task.clusters else run.task.clusters
        inner = counted_units(int(n[run.main_group]), named)
    outer = [f"{counted(int(count), column)} of " for column, count in n.items() if column != run.main_group]
    return "".join(outer) + inner


def _between(row: pd.Series, metric: Metric) -> str:
    low, high = (percent(row[end], metric.scale) for end in ("low", "high"))
    return Message("{low} to {high}", low=low, high=high)


def _counts(row: pd.Series, run: Run, metric: Metric) -> str:
    parts = [counted(int(row["n"]), run.task.noun)]
    if metric.averages:
        parts += [counted(int(row["ties"]), "tie"), f"{int(row['undecided']):,} too close to call"]
    return ", ".join([*parts, f"{int(row['excluded']):,} left out"]) + "."


def _blind(row: pd.Series, metric: Metric) -> str:
    if compared := against_nothing(row):
        return f"{compared[:1].upper()}{compared[1:]}."
    value = {name: percent(row[name], metric.scale) for name in ("length_only", "chance") if pd.notna(row[name])}
    if "length_only" not in value:
        return Message("A blind guess would score {value}.", value=value["chance"]) if value else ""
    alone = Message("Choosing by number of tokens alone would score {value}", value=value["length_only"])
    if "chance" not in value:
        return Message("{alone}.", alone=alone)
    return Message("{alone}, a blind guess would score {value}.", alone=alone, value=value["chance"])


def percent(value: float, scale: str) -> Message:
    """A number as its metric's scale is written, with a space that does not break."""
    number = written(value, scale, 1)
    return Message(number.template.replace(" ", "\u00a0"), **number.arguments)


def _number(value: float, scale: str) -> str:
    """A number as `percent` writes it, without the unit of a share, which the value before it has."""
    return str(percent(value, scale)).removesuffix("\u00a0%")
