"""Checks of pairs: what differs besides what is tested; and how often a rule without grammar would be right."""

import logging
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import compress
from operator import ne
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from core.errors import ModelError
from core.messages import counted as plural
from core.models import catalogue
from core.policies import Policy
from core.scorers import SCORERS
from core.scorers.unigram import split_words
from core.statistics.intervals import wilson
from core.studies.lint.check import Outcome, Stimuli, about_all, about_items, check, per_cent
from core.studies.lint.texts import end_marks
from core.text.lexicon import lexicons
from core.types import Request, Scorer

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


_FEWEST = 10
"""A share of fewer pairs is not worth mentioning."""


class Side(NamedTuple):
    """What tells right from wrong (`by`), what pairs of either kind are like, and the `least` share to mention."""

    by: str
    more: str
    less: str
    least: float


@check("warning", "Length gives the answer away")
def length(stimuli: Stimuli) -> Outcome | None:
    """Where the right text is nearly always the shorter (or longer) one, length alone gives the answer."""
    # In tokens where a tokenizer is given, else in characters.
    if stimuli.pairs.empty:
        return None
    unit, measure = ("tokens", stimuli.counter.tokens) if stimuli.counter else ("characters", len)
    pairs = lengths(stimuli.pairs, measure)
    side = Side("Length", f"the right text has fewer {unit}", f"the right text has more {unit}", 0.9)
    return _by_section(wins(pairs["n_wrong"], pairs["n_right"]), pairs["section"], side)


_FREQUENCY = Side(
    "Word frequency", "the right word is the more frequent one", "the right word is the less frequent one", 0.6
)


@check("warning", "Frequency of the critical words")
def frequency(stimuli: Stimuli) -> Outcome | None:
    """Frequent words are more probable everywhere, so a model may be right by frequency alone."""
    # Over pairs that differ in one word, where both words were counted; other languages have no counts.
    pairs = stimuli.critical
    known = log_frequencies(stimuli.texts["text"], {*pairs["old"], *pairs["new"]}) if len(pairs) else {}
    pairs = pairs[pairs["old"].isin(known) & pairs["new"].isin(known)]
    if pairs.empty:
        return None
    return _by_section(wins(pairs["old"].map(known), pairs["new"].map(known)), pairs["section"], _FREQUENCY)


_NUMBER = Side("Number", "the right form is the singular", "the right form is the plural", 0.9)
_GROUP = "number"
_VALUES = {"singular": 1.0, "plural": 0.0, "sg": 1.0, "pl": 0.0}
_AUXILIARIES = {
    "is": "are", "was": "were", "has": "have", "does": "do", "isn't": "aren't", "hasn't": "haven't",
    "est": "sont", "a": "ont", "était": "étaient", "é": "são", "era": "eram", "está": "estão",
}  # fmt: skip
"""Singular to plural of the commonest verbs, which the lexicons lack."""


@check("warning", "Always the same number")
def number(stimuli: Stimuli) -> Outcome | None:
    """A model that always prefers one number is right there without knowing agreement."""
    # From the items' group `number`; without it from the forms, where a lexicon has both.
    stated = pd.Series([_VALUES.get(item.groups.get(_GROUP, ""), np.nan) for item in stimuli.items])
    if stated.notna().any():
        singular, sections = stated.dropna(), stimuli.places["section"][stated.notna()]
    else:
        pairs = stimuli.critical
        forms = zip(pairs["old"].tolist(), pairs["new"].tolist(), strict=True)
        singular = pd.Series([_singular(*pair) for pair in forms], pairs.index, "float64").dropna()
        sections = pairs.loc[singular.index, "section"]
    return None if singular.empty else _by_section(singular, sections, _NUMBER)


def _singular(right: str, wrong: str) -> float:
    """1 for a singular against its plural, 0 for the reverse, NaN for any other words."""
    known = _numbers()
    if (right, wrong) in known:
        return 1.0
    return 0.0 if (wrong, right) in known else np.nan


@cache
def _numbers() -> frozenset[tuple[str, str]]:
    """Singular and plural forms, from all lexicons, that differ only in number."""
    numbers = set(_AUXILIARIES.items())
    for lexicon in lexicons().values():
        for entry in lexicon.entries:
            forms = list(zip(entry.forms, entry.features, strict=True))
            numbers |= {
                (form.lower(), other.lower())
                for form, features in forms
                for other, others in forms
                if form != other and "sg" in features and "pl" in others and features - {"sg"} == others - {"pl"}
            }
    return frozenset(numbers)


# Shares of pairs


def _by_section(wins: pd.Series, sections: pd.Series, side: Side) -> Outcome:
    """The sections in which at least `side.least` of the pairs are on one side and more than by chance."""
    table = _shares(wins, sections)
    sided = _one_sided(table, side.least)
    if len(table) == 1:
        whats = [f"in {_sentence(row, side)}" for _, row in sided.iterrows()]
        return about_all(whats, 1, f"{side.by} tells right from wrong")
    whats = [f"{name or 'the rest'}: in {_sentence(row, side)}" for name, row in sided.iterrows()]
    everything = _sentence(_shares(wins, pd.Series("", wins.index)).iloc[0], side)
    groups = f"{len(sided):,} of {plural(len(table), 'group')} of items"
    return about_all(
        whats, len(table), f"{side.by} tells right from wrong in {groups} (in all of them, in {everything})"
    )


def _shares(wins: pd.Series, sections: pd.Series) -> pd.DataFrame:
    """Per section `n`, `share` and its Wilson interval (`low`, `high`): the mean of `wins`, which are 0, 0.5 or 1."""
    by_section = wins.groupby(sections.set_axis(wins.index), sort=False)
    table = by_section.agg(["size", "mean"]).set_axis(["n", "share"], axis=1)
    bounds = [wilson(share * n, n) for n, share in zip(table["n"], table["share"], strict=True)]
    return table.assign(low=[low for low, _ in bounds], high=[high for _, high in bounds])


def _one_sided(table: pd.DataFrame, least: float) -> pd.DataFrame:
    """Of `_shares` those with at least `least` of the pairs on one side and more than by chance, farthest first."""
    beyond = (table["share"] - 0.5).abs()
    certain = (table["low"] > 0.5) | (table["high"] < 0.5)
    sided = certain & (beyond >= least - 0.5) & (table["n"] >= _FEWEST)
    return table.loc[beyond[sided].sort_values(ascending=False, kind="stable").index]


def _sentence(row: pd.Series, side: Side) -> str:
    kind, share, low, high = side.more, row["share"], row["low"], row["high"]
    if share < 0.5:
        kind, share, low, high = side.less, 1 - share, 1 - high, 1 - low
    interval = f"95 % interval {100 * low:.1f} to {100 * high:.1f}"
    return f"{per_cent(share)} of {plural(int(row['n']), 'pair')} {kind} ({interval})"


# Frequencies of words, from the word counts that are installed

_KNOWN = 0.9
"""Counts of a language cover nearly all words of a text in it, those of a related language far fewer."""
_COMMON = 1e-6
"""The share of all words that makes a word known: novels quote every language."""
_LOOKED_AT = 1000
_UNHEARD = "\ue000"
"""A private-use character, which occurs in no text that was counted."""


def log_frequencies(texts: pd.Series, words: Collection[str]) -> Mapping[str, float]:
    """The natural logarithm of the relative frequency of each word, from the counts that fit the texts best.

    Words that were never counted are missing. Empty if no counts fit: fewer than `_KNOWN` of the texts' words are
    common in them.
    """
    sample = texts.iloc[:: max(1, len(texts) // _LOOKED_AT)]
    running = [word for text in sample for word in split_words(text) if word.isalpha()]
    best, highest = None, 0.0
    for scorer in _word_counts():
        known = _logprobs(scorer, sorted(set(running)))
        common = sum(known[word] > math.log(_COMMON) for word in running) / max(len(running), 1)
        if common > highest:
            best, highest = scorer, common
    if best is None or highest < _KNOWN:
        return {}
    unseen = _logprobs(best, [_UNHEARD])[_UNHEARD]
    return {word: value for word, value in _logprobs(best, sorted(words)).items() if value > unseen}


def _word_counts() -> Iterator[Scorer]:
    """All installed word counts; damaged ones are skipped with a warning in the log."""
    for model in catalogue():
        if model.kind == "unigram":
            try:
                yield SCORERS["unigram"].open(model, Policy())
            except ModelError as error:
                logging.getLogger(__name__).warning("left out of the word frequencies: %s", error)


def _logprobs(scorer: Scorer, words: Sequence[str]) -> dict[str, float]:
    """The log-probabilities of those words that the counts treat as one word."""
    single = [word for word in words if len(split_words(word)) == 1]
    scores = scorer.score([Request("", word) for word in single])
    return {word: score.total for word, score in zip(single, scores, strict=True)}
