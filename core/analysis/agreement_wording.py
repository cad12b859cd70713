"""An agreement set's numbers as sentences."""

import math
from collections.abc import Iterator

import pandas as pd

from core.analysis.agreement import AgreementNumbers, Flips
from core.analysis.items import forms
from core.analysis.summary import written
from core.messages import counted

ATTRACTOR = (
    "Attractors are nouns of the other number between the head and the verb: cabinets, in the key to the cabinets is."
)
CHOOSERS = (
    "Grey: baselines that do not look at the head. Always the singular; the form that is more frequent in training "
    "text; the number of the last noun before the verb, which every attractor misleads."
)
ALONE = (
    "Grey: how often each heuristic alone is right. Coloured: how often the model is right where that one is wrong. "
    "Dashed: the model on all items."
)
PARTICIPLES = "Number only, and only in writing: accepté(e)(s) sound alike."

_QUE = r"\bqu(?:e\b|['’])"
_MOST = 0.9
_NAMED = 3
"""The most choosers named in a caution; the rest are counted."""


def answer(numbers: AgreementNumbers, *, sample: bool = False) -> str:
    """How many items are right, with the interval; or why it cannot be computed. Our own `sample` is called one."""
    row = numbers.overall
    items = counted(row["n"], "sample item" if sample else "item")
    if not row["n"]:
        return f"No item can be judged: {counted(row['excluded'], 'item')} left out."
    if row["ties"] == row["n"]:
        return f"No decision: the two forms are equally likely in {_all(row['n'])}."
    return (
        f"Right in {row['right']:g} of {'our ' if sample else ''}{items}: {percent(row['share'])} ({interval(row)})."
    )


def interval(row: pd.Series) -> str:
    """The bounds of a row, and what they generalise over."""
    if math.isnan(row["low"]):
        return "no interval: too few independent items"
    bounds = f"{100 * row['low']:.0f} to {100 * row['high']:.0f}"
    return f"95\u00a0% interval {bounds}, over {counted(row['contrasts'], 'pair')} of forms"


def beside(numbers: AgreementNumbers) -> str:
    """The shares of choosers that do not know the head on the same items; empty if the file allows none."""
    named = [row for row in _choosers(numbers) if row.get("heuristic", "cls_noun") == "cls_noun"]
    parts = [f"{row['title']} {percent(row['share'])}" for row in named]
    return f"Baselines that do not look at the head: {', '.join(parts)}." if parts else ""


def counts(numbers: AgreementNumbers, ties: str) -> str:
    """The counts behind the number: ties, decisions too close to call, exclusions."""
    row = numbers.overall
    text = (
        f"{counted(row['ties'], 'tie')} (each counted as {ties}), "
        f"{row['undecided']:,} too close to call, {row['excluded']:,} left out."
    )
    if math.isnan(numbers.balanced_accuracy):
        return text
    return f"Balanced accuracy: {percent(numbers.balanced_accuracy)}. {text}"


def caution(numbers: AgreementNumbers) -> str:
    """Which choosers that do not know the head do as well as the model; empty if none does."""
    row = numbers.overall
    if not row["n"] or row["ties"] == row["n"]:
        return ""
    as_good = [chooser for chooser in _choosers(numbers) if chooser["share"] >= chooser["model"]]
    if not as_good:
        return ""
    as_good.sort(key=lambda chooser: -chooser["share"])
    named = [f"{chooser['title']} ({percent(chooser['share'])})" for chooser in as_good[:_NAMED]]
    more = [counted(len(as_good) - _NAMED, "other")] if len(as_good) > _NAMED else []
    return (
        f"No better than {_listed(named + more)}: this number does not show that the model looks at the head. "
        "Heuristics shows how it does where these fail."
    )


def flipped(flips: Flips) -> str:
    """What counting the end of the word changes."""
    pairs = f"in {counted(flips.prefixed, 'pair')} one form begins the other"
    n = len(flips.items)
    return (
        f"Scoring the form only, without the end of the word, flips {n:,} of {counted(flips.n, 'decision')}; {pairs}."
    )


def margins(n: int) -> str:
    """What the histogram of so many margins shows."""
    return f"Margins of {counted(n, 'item')}."


def of_participles(candidates: pd.DataFrame) -> bool:
    """Whether these are French participles after *que*: nearly every pair differs in a final s alone."""
    pairs = forms(candidates).dropna()
    if pairs.empty:
        return False
    by_s = (pairs["right"] == pairs["wrong"] + "s") | (pairs["wrong"] == pairs["right"] + "s")
    after_que = candidates["context"].str.contains(_QUE, case=False)
    return bool(by_s.mean() >= _MOST and after_que.mean() >= _MOST)


def by_group(table: pd.DataFrame, named: str) -> str:
    """A table's groups in one sentence; `named` says what the groups are."""
    parts = [f"{row['group']}: {percent(row['share'])} of {row['n']:,}" for _, row in table.iterrows()]
    return f"Right by {named}: {', '.join(parts)}."


def misled(heuristics: pd.DataFrame) -> str:
    """How often each heuristic is right, and how often the model is right where the heuristic is wrong."""
    parts = [
        f"{row['title']} {percent(row['share'])} (where it is wrong, the model {row['model_right']:g} of "
        f"{row['n_wrong']:,})"
        for _, row in heuristics.iterrows()
    ]
    return f"Right by themselves: {'; '.join(parts)}."


def percent(value: float) -> str:
    """A share with one decimal and a no-break space."""
    return written(value, "share", 1).replace(" ", "\u00a0")


def _choosers(numbers: AgreementNumbers) -> Iterator[pd.Series]:
    """Rows of the distinct choosers: title, share, and the model's share of the same items."""
    for _, row in numbers.baselines.iterrows():
        if row["baseline"] != "majority":
            yield row
    for _, row in numbers.heuristics.iterrows():
        yield row


def _all(n: int) -> str:
    return "the one item" if n == 1 else f"all {n:,} items"


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
