"""What a comparison of runs found, in sentences."""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from pairlens.analysis.summary import OVERALL, generalises_over, no_interval, written
from pairlens.messages import Message, counted, joined
from pairlens.metrics import METRICS
from pairlens.places import program
from pairlens.reports.run_comparison.numbers import ALPHA
from pairlens.reports.run_comparison.runs import APART, SAME, SHARED, Basis, Run, differing
from pairlens.statistics.few import p_value
from pairlens.statistics.paired import Discordant
from pairlens.types import Task

_OF_JUDGEMENT = ("sentence_value", "ties", "first_token")
"""Choices that move numbers although scores are the same: `one` and `none` differ in averages only."""
_NUMBERS = ["name", "group_by", "group", "over", "value", "n"]
_MANY = 50
"""Items that differ, beyond which the exact test loses little."""


def elsewhere(task: Task) -> str:
    """What the page of its own compares of a task; empty if it has none."""
    return f"The page {task.page} {task.page_compares}." if task.page else ""


def finding(row: pd.Series, reference: str, metric: str, task: Task) -> str:
    """The overall difference of a run and the reference as a sentence: size, interval, p, and on which items."""
    name, where = str(row["run"]), _items(row, task)
    if row["n"] == 0:
        return f"There is no {task.noun} that counts in both {name} and {reference}: nothing to compare."
    if pd.isna(row["difference"]):
        without = [who for who, column in ((name, "value"), (reference, "value_reference")) if pd.isna(row[column])]
        return f"{METRICS[metric].title} has no value for {' and '.join(without)}: nothing to compare."
    tested = "" if pd.isna(row["p"]) else f", {p_value(row['p_holm'])}"
    named = {"run": name, "reference": reference, "tested": tested, "where": where}
    size = _signed(row["difference"], metric)
    if math.isnan(row["low"]):
        why = no_interval(row, metric, task.clusters)
        bare = Message("{run} minus {reference} is {size}{tested}, {where}", size=size, **named)
        return Message("{difference}, without an interval: {why}.", difference=bare, why=why)
    if not row["clear"]:
        low, high = (_signed(row[bound], metric, bare=True) for bound in ("low", "high"))
        between = Message("{run} minus {reference} is {size} ({low} to {high}){tested}, {where}.",
                          size=size, low=low, high=high, **named)  # fmt: skip
        return Message("No clear difference: {difference}", difference=between)
    least, most = (_points(bound, metric, bare=True) for bound in sorted(abs(row[["low", "high"]])))
    size, ahead, behind = _points(abs(row["difference"]), metric), name, reference
    if row["difference"] < 0:
        ahead, behind = behind, ahead
    order = Message("{ahead} is {size} better than {behind}", ahead=ahead, size=size, behind=behind)
    if METRICS[metric].higher_is_better is None:
        order = Message(
            "{metric} is {size} higher for {ahead} than for {behind}",
            metric=METRICS[metric].title, size=size, ahead=ahead, behind=behind,
        )  # fmt: skip
    return Message("{order} ({least} to {most}){tested}, {where}.", order=order, least=least, most=most, **named)


def grounds(rows: pd.DataFrame, metric: str, task: Task) -> str:
    """What stands behind the overall differences: intervals, tests, corrections."""
    overall = rows[rows["group_by"] == OVERALL]
    if overall["difference"].isna().all():
        return ""
    tested = overall["p"].notna().sum()
    if (overall["basis"] == APART).all():
        return "The interval is that of two independent numbers, from the interval of each (Newcombe 1998)."
    known = overall[overall["low"].notna() & overall["n_clusters"].notna()]
    sentence = (
        "" if known.empty else f"Intervals are 95 % ones, over {generalises_over(known.iloc[0], task.clusters)}."
    )
    if not tested:
        return f"{sentence} There is no test of single items for {METRICS[metric].title}.".lstrip()
    first = overall[overall["p"].notna()].iloc[0]
    sentence = f"{sentence} p: {exact_test(first)}{_mid_p(first) if tested == 1 else ''}".lstrip()
    sentence += f", corrected for {tested} comparisons (Holm)" if tested > 1 else ""
    groups = int((rows["p"].notna() & (rows["group_by"] != OVERALL)).sum())
    return f"{sentence}; by group corrected for all {groups} tests." if groups > 1 else f"{sentence}."


def exact_test(row: pd.Series) -> str:
    if is_mcnemars(row):
        return "McNemar's exact test"
    if row["n_clusters"] == row["n"]:
        return "test of exchanging answers, weighted as in the mean"
    return "test of exchanging answers, those to dependent items together"


def is_mcnemars(row: pd.Series) -> bool:
    """Whether such a row's p-value is McNemar's: items are independent and weigh the same."""
    return bool(row["n_clusters"] == row["n"] and np.isclose(row["p"], row["p_mcnemar"], rtol=1e-6, atol=0))


def _mid_p(row: pd.Series) -> str:
    """The mid-p value beside McNemar's, which is conservative where few items differ; else empty."""
    if not is_mcnemars(row) or row["only_run"] + row["only_reference"] > _MANY:
        return ""
    return f", mid-{p_value(Discordant(int(row['only_run']), int(row['only_reference'])).mid_p)}"


def beyond_chance(rows: pd.DataFrame, most: int) -> str:
    """In how many groups the difference is beyond chance, and of how many a chart shows the `most`; else empty."""
    groups = rows[rows["group_by"] != OVERALL]
    tested, n = groups[groups["p_holm"].notna()], groups["group"].nunique()
    sentences = []
    if len(tested):
        what = "groups" if tested["run_id"].nunique() == 1 else "comparisons by group"
        beyond = (tested["p_holm"] < ALPHA).sum()
        sentences.append(f"Beyond chance in {beyond} of {len(tested)} {what} after correction.")
        if few := (0.5 ** (tested["n_clusters"].astype(float) - 1) >= ALPHA / len(tested)).sum():
            sentences.append(f"In {few} it could not be, whatever the answers: too few are independent.")
    if n > most:
        sentences.append(
            f"The charts show the {most} of {n} groups with the largest differences; the tables have all."
        )
    return " ".join([*sentences, "Filled marks are beyond chance."]) if sentences else ""


def recipe(table: pd.DataFrame, moving: str) -> str:
    """Which of the differences in how runs were made can have this effect, that of changing the numbers."""
    fields = table.loc[table["differs"] & (table["effect"] == moving), "field"]
    if fields.empty:
        return "None of the differences in the recipe can change the numbers."
    return f"These differences in the recipe can change the numbers: {', '.join(fields).lower()}."


def based_on(run: Run, reference: Run, shared: Basis) -> str:
    """What two runs are compared by, if it is not simply all items of one question; else empty."""
    others = " and ".join(f"another {what}" for what in shared.others)
    noun = run.task.noun
    if shared.kind == SAME:
        return ""
    if shared.kind == SHARED:
        alone = [
            (name, len(items)) for name, items in zip((run.name, reference.name), shared.alone, strict=True) if items
        ]
        rest = "; ".join(f"{n:,} of {name} have no counterpart" for name, n in alone)
        return (
            f"{run.name} was run with {others} than {reference.name}: only the {shared.n:,} {noun}s with {shared.by} "
            f"in both are compared{f' ({rest})' * bool(rest)}."
        )
    if run.task.confidential:
        return (
            f"{run.name} was run with {others} than {reference.name}, and no texts of {run.task.title} are stored to "
            "tell which items are the same: two independent numbers, no paired test."
        )
    return (
        f"{run.name} was run with {others} than {reference.name}, and no {noun} has the same wording in both: two "
        "independent numbers with independent intervals, no paired test. A difference may come from the items alone."
    )


def twins(runs: Sequence[Run]) -> Iterator[str]:
    """A sentence for every two runs with the same weights, and what follows for their numbers.

    One model under one name is no surprise if it was scored in two ways, or asked about other items.
    """
    for one, other in combinations(runs, 2):
        same = {name for name in ("weights", "fingerprint", "model") if one.manifest[name] == other.manifest[name]}
        scores, same_requests = "fingerprint" in same and bool(one.manifest["fingerprint"]), not differing(one, other)
        if (
            "weights" not in same
            or not one.manifest["weights"]
            or ("model" in same and not (scores and same_requests))
        ):
            continue
        alike = f"{one.name} and {other.name} have the same scores"
        if "model" not in same:
            alike = f"{one.manifest['model']} and {other.manifest['model']} are the same weights under two names"
        if not scores:
            yield f"{alike}; they are scored differently."
            continue
        alike += ", with the same scores" * ("model" not in same)
        if not same_requests or any(
            getattr(one.policy, name) != getattr(other.policy, name) for name in _OF_JUDGEMENT
        ):
            yield f"{alike}, but they were scored or judged differently: any difference comes from that alone."
            continue
        first, second = (run.metrics[_NUMBERS].sort_values(_NUMBERS[:4], ignore_index=True) for run in (one, other))
        are = "and they are" if first.equals(second) else f"but they are not. Run `{program()} store verify`"
        yield f"{alike}, so their numbers must be equal, {are}."


def one_model(runs: Sequence[Run]) -> str:
    """Said where all runs are of one model under one name; empty otherwise."""
    known = {(run.manifest["model"], run.manifest["weights"]) for run in runs}
    return f"One model ({runs[0].manifest['model']}), scored in {len(runs)} ways." if len(known) == 1 else ""


def _points(size: float, metric: str, *, bare: bool = False) -> Message:
    """A difference as its metric's scale is written: `3.1 points`, `0.031`, `2.1 bits`; `bare`: without the unit."""
    scale = {"share": "points"}.get(METRICS[metric].scale, METRICS[metric].scale)
    if not bare:
        return written(size, scale, 1)
    factor, digits = 100 if scale == "points" else 1, 2 if scale == "correlation" else 1
    return Message("{value:.{digits}f}", value=factor * size, digits=digits)


def _signed(size: float, metric: str, *, bare: bool = False) -> Message:
    """The same with its sign, which what is written as 0 has none of."""
    amount = _points(abs(size), metric, bare=bare)
    sign = ("−" if size < 0 else "+") if any(digit in amount for digit in "123456789") else ""
    return joined((sign, amount), "")


def _items(row: pd.Series, task: Task) -> str:
    if row["basis"] == APART:
        return f"not compared {task.noun} by {task.noun}"
    left_out = int(row["unscored"] + row["unscored_reference"])
    only = f" ({left_out:,} that only one could score left out)" if left_out else ""
    return f"on the same {counted(int(row['n']), task.noun)}{only}"
