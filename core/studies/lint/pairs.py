"""Checks of pairs: in what the right and the wrong text differ, besides what is tested."""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from operator import ne
from typing import Any

import pandas as pd

from core.studies.lint.check import Outcome, about_items, check, per_cent
from core.studies.lint.stimuli import Stimuli
from core.studies.lint.texts import end_marks

_NOTHING = "nothing"


@check("note", "More than one difference")
def several_edits(stimuli: Stimuli) -> Outcome | None:
    """The preference may come from any of them; fine if the design moves words on purpose."""
    pairs = stimuli.edits
    if pairs.empty:
        return None
    numbers = pairs["edits"].map(len)
    counts = numbers[numbers > 1].value_counts().sort_index()
    by_number = ", ".join(f"{places} places: {count:,}" for places, count in counts.items())

    def describe(row: Any) -> str:
        changes = "; ".join(f"{old or _NOTHING} / {new or _NOTHING}" for old, new in row.edits)
        return f"{len(row.edits)} places: {changes}"

    predicate = f"differ in several places: {by_number}"
    return about_items(pairs[numbers > 1], len(pairs), "pair", predicate, describe)


@check("warning", "Capitals on one side only")
def capitals_differ(stimuli: Stimuli) -> Outcome | None:
    """Upper and lower case are different tokens, so part of the preference is for the spelling."""
    pairs = stimuli.edits
    if pairs.empty:
        return None
    right, wrong = pairs["right"].tolist(), pairs["wrong"].tolist()
    words = pd.Series([_other_case(*texts) for texts in zip(right, wrong, strict=True)], pairs.index)
    rows = pairs.assign(words=words)[words.map(len) > 0]

    def describe(row: Any) -> str:
        only = row.right.casefold() == row.wrong.casefold()
        return ", ".join(row.words) + (": they differ in nothing else" if only else "")

    return about_items(rows, len(pairs), "pair", "differ in capitals, with the same word in the same place", describe)


def _other_case(right: str, wrong: str) -> list[str]:
    """The words in the same place that are the same but for capitals; only the first words if the numbers differ."""
    words, others = right.split(), wrong.split()
    if len(words) != len(others):
        words, others = words[:1], others[:1]
    different = compress(zip(words, others, strict=False), map(ne, words, others))
    return [f"{word} / {other}" for word, other in different if word.casefold() == other.casefold()]


@check("warning", "Different punctuation at the end")
def end_marks_differ(stimuli: Stimuli) -> Outcome | None:
    """The final mark is scored too and may decide the pair by itself."""
    pairs = stimuli.pairs
    if pairs.empty:
        return None
    marked = pairs.assign(mark=end_marks(pairs["right"]), other=end_marks(pairs["wrong"]))
    return about_items(
        marked[marked["mark"] != marked["other"]],
        len(pairs),
        "pair",
        "have texts that end with different punctuation marks",
        lambda row: f"the right text ends with {row.mark or 'no mark'}, the wrong one with {row.other or 'no mark'}",
    )


@check("note", "Unequal numbers of words")
def word_counts(stimuli: Stimuli) -> Outcome | None:
    """Summed log-probabilities favour the shorter text: part of the accuracy may be length."""
    return _unequal(stimuli.pairs, lambda text: len(text.split()), "words")


@check("note", "Unequal numbers of tokens")
def token_counts(stimuli: Stimuli) -> Outcome | None:
    """Every token costs probability: a text that this model splits into more tokens is at a disadvantage."""
    return _unequal(stimuli.pairs, stimuli.counter.tokens, "tokens") if stimuli.counter else None


def _unequal(pairs: pd.DataFrame, length: Callable[[str], int], unit: str) -> Outcome | None:
    """The pairs of unequal length in `unit`, and the accuracy of always choosing the shorter text."""
    if pairs.empty:
        return None
    pairs = lengths(pairs, length)
    accuracy = wins(pairs["n_wrong"], pairs["n_right"]).mean()
    return about_items(
        pairs[pairs["n_right"] != pairs["n_wrong"]],
        len(pairs),
        "pair",
        f"have texts with different numbers of {unit}; choosing the one with fewer {unit} would be right in "
        f"{per_cent(accuracy)} of all pairs",
        lambda row: f"{row.n_right:,} {unit} in the right text, {row.n_wrong:,} in the wrong one",
    )


def lengths(pairs: pd.DataFrame, length: Callable[[str], int]) -> pd.DataFrame:
    """The pairs with `n_right` and `n_wrong`; each distinct text is measured once."""
    right, wrong = pairs["right"].tolist(), pairs["wrong"].tolist()
    known = {text: length(text) for text in {*right, *wrong}}
    return pairs.assign(n_right=[known[text] for text in right], n_wrong=[known[text] for text in wrong])


def wins(right: pd.Series, wrong: pd.Series) -> pd.Series:
    """1 where the right value is the larger one, 0 where it is the smaller one, one half where they are equal."""
    return (right > wrong).astype("float64").mask(right == wrong, 0.5)
