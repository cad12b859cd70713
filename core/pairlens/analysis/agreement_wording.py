"""An agreement set's numbers as sentences."""

import math

import pandas as pd

from pairlens.analysis.agreement import BESIDE, AgreementNumbers, Flips
from pairlens.analysis.items import forms
from pairlens.analysis.summary import written
from pairlens.messages import counted

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
    row, n = numbers.overall, numbers.overall["n"]
    if not n:
        return f"No item can be judged: {counted(row['excluded'], 'item')} left out."
    if row["ties"] == n:
        every = "the one item" if n == 1 else f"all {n:,} items"
        return f"No decision: the two forms are equally likely in {every}."
    items = f"our {counted(n, 'sample item')}" if sample else counted(n, "item")
    interval = "no interval: too few independent items"
    if not math.isnan(row["low"]):
        bounds = f"{100 * row['low']:.0f} to {100 * row['high']:.0f}"
        interval = f"95\u00a0% interval {bounds}, over {counted(row['contrasts'], 'pair')} of forms"
    return f"Right in {row['right']:g} of {items}: {percent(row['share'])} ({interval})."


def beside(numbers: AgreementNumbers) -> str:
    """The shares of choosers that do not know the head on the same items; empty if the file allows none."""
    choosers = _choosers(numbers)
    named = choosers[choosers["name"].isin([*BESIDE])]
    parts = [f"{row['title']} {percent(row['share'])}" for _, row in named.iterrows()]
    return f"Baselines that do not look at the head: {', '.join(parts)}." if parts else ""


def counts(numbers: AgreementNumbers, ties: str) -> str:
    """The counts behind the number: ties, decisions too close to call, exclusions."""
    row, balanced = numbers.overall, numbers.balanced_accuracy
    text = (
        f"{counted(row['ties'], 'tie')} (each counted as {ties}), "
        f"{row['undecided']:,} too close to call, {row['excluded']:,} left out."
    )
    return text if math.isnan(balanced) else f"Balanced accuracy: {percent(balanced)}. {text}"


def caution(numbers: AgreementNumbers) -> str:
    """Which choosers that do not know the head do as well as the model; empty if none does."""
    row, choosers = numbers.overall, _choosers(numbers)
    as_good = choosers[choosers["share"] >= choosers["model"]].sort_values("share", ascending=False, kind="stable")
    if not row["n"] or row["ties"] == row["n"] or as_good.empty:
        return ""
    named = [f"{one['title']} ({percent(one['share'])})" for _, one in as_good.head(_NAMED).iterrows()]
    more = [counted(len(as_good) - _NAMED, "other")] if len(as_good) > _NAMED else []
    *firsts, last = named + more
    return (
        f"No better than {' and '.join(filter(None, (', '.join(firsts), last)))}: this number does not show that the "
        "model looks at the head. Heuristics shows how it does where these fail."
    )


def _choosers(numbers: AgreementNumbers) -> pd.DataFrame:
    """The distinct choosers: name, title, share, and the model's share of the same items."""
    named = (table.rename(columns={table.columns[0]: "name"}) for table in (numbers.baselines, numbers.heuristics))
    choosers = pd.concat([table[["name", "title", "share", "model"]] for table in named], ignore_index=True)
    return choosers[choosers["name"] != "majority"]


def flipped(flips: Flips) -> str:
    """What counting the end of the word changes."""
    pairs = f"in {counted(flips.prefixed, 'pair')} one form begins the other"
    decisions = f"{len(flips.items):,} of {counted(flips.n, 'decision')}"
    return f"Scoring the form only, without the end of the word, flips {decisions}; {pairs}."


def margins(n: int) -> str:
    return f"Margins of {counted(n, 'item')}."


def of_participles(candidates: pd.DataFrame) -> bool:
    """Whether these are French participles after *que*: nearly every pair differs in a final s alone."""
    pairs = forms(candidates).dropna()
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
    return written(value, "share", 1).replace(" ", "\u00a0")
