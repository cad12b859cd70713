"""Checks of pairs: what differs besides what is tested; and how often a rule without grammar would be right."""

import logging
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import compress
from operator import itemgetter, ne
from typing import NamedTuple

import numpy as np
import pandas as pd

from pairlens.errors import ModelError
from pairlens.messages import counted as plural
from pairlens.models import catalogue
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.scorers.unigram import split_words
from pairlens.statistics.intervals import wilson
from pairlens.studies.lint.check import Edits, Outcome, Stimuli, about_all, about_items, check, per_cent
from pairlens.studies.lint.texts import end_marks
from pairlens.text.lexicon import lexicons
from pairlens.types import Model, Request, Scorer

_NOTHING = "nothing"


@check("note", "More than one difference")
def several_edits(stimuli: Stimuli) -> Outcome:
    """The preference may come from any of them; fine if the design moves words on purpose."""
    pairs = stimuli.edits
    numbers = Counter(len(edits) for edits in pairs["edits"] if len(edits) > 1)
    by_number = ", ".join(f"{places} places: {count:,}" for places, count in sorted(numbers.items()))

    def listed(edits: Edits) -> str:
        changes = "; ".join(f"{old or _NOTHING} / {new or _NOTHING}" for old, new in edits)
        return f"{len(edits)} places: {changes}" if len(edits) > 1 else ""

    what = [*map(listed, pairs["edits"])]
    return about_items(pairs.assign(what=what), "pair", f"differ in several places: {by_number}")


@check("warning", "Capitals on one side only")
def capitals_differ(stimuli: Stimuli) -> Outcome:
    """Upper and lower case are different tokens, so part of the preference is for the spelling."""
    pairs = stimuli.edits
    what = [_other_case(*texts) for texts in zip(pairs["right"].tolist(), pairs["wrong"].tolist(), strict=True)]
    predicate = "differ in capitals, with the same word in the same place"
    return about_items(pairs.assign(what=what), "pair", predicate)


def _other_case(right: str, wrong: str) -> str:
    """The words in the same place that are the same but for capitals; only the first words if the numbers differ."""
    words, others = right.split(), wrong.split()
    if len(words) != len(others):
        words, others = words[:1], others[:1]
    different = compress(zip(words, others, strict=False), map(ne, words, others))
    listed = ", ".join(f"{one} / {other}" for one, other in different if one.casefold() == other.casefold())
    only = ": they differ in nothing else" if listed and right.casefold() == wrong.casefold() else ""
    return listed + only


@check("warning", "Different punctuation at the end")
def end_marks_differ(stimuli: Stimuli) -> Outcome:
    """The final mark is scored too and may decide the pair by itself."""
    pairs = stimuli.pairs
    marks = zip(end_marks(pairs["right"]), end_marks(pairs["wrong"]), strict=True)
    what = [
        f"the right text ends with {mark or 'no mark'}, the wrong one with {other or 'no mark'}"
        if mark != other
        else ""
        for mark, other in marks
    ]
    return about_items(pairs.assign(what=what), "pair", "have texts that end with different punctuation marks")


@check("note", "Unequal numbers of words")
def word_counts(stimuli: Stimuli) -> Outcome:
    """Summed log-probabilities favour the shorter text: part of the accuracy may be length."""
    return _unequal(stimuli.pairs, lambda text: len(text.split()), "words")


@check("note", "Unequal numbers of tokens")
def token_counts(stimuli: Stimuli) -> Outcome | None:
    """Every token costs probability: a text that this model splits into more tokens is at a disadvantage."""
    return _unequal(stimuli.pairs, stimuli.counter.tokens, "tokens") if stimuli.counter else None


def _unequal(pairs: pd.DataFrame, length: Callable[[str], int], unit: str) -> Outcome:
    """The pairs of unequal length in `unit`, and the accuracy of always choosing the shorter text."""
    pairs = _lengths(pairs, length)
    accuracy = _wins(pairs["n_wrong"], pairs["n_right"]).mean()
    what = [
        f"{right:,} {unit} in the right text, {wrong:,} in the wrong one" if right != wrong else ""
        for right, wrong in zip(pairs["n_right"], pairs["n_wrong"], strict=True)
    ]
    predicate = (
        f"have texts with different numbers of {unit}; choosing the one with fewer {unit} would be right in "
        f"{per_cent(accuracy)} of all pairs"
    )
    return about_items(pairs.assign(what=what), "pair", predicate)


def _lengths(pairs: pd.DataFrame, length: Callable[[str], int]) -> pd.DataFrame:
    """The pairs with `n_right` and `n_wrong`; each distinct text is measured once."""
    known = {text: length(text) for text in {*pairs["right"], *pairs["wrong"]}}
    return pairs.assign(n_right=pairs["right"].map(known), n_wrong=pairs["wrong"].map(known))


def _wins(right: pd.Series, wrong: pd.Series) -> pd.Series:
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
    unit, measure = ("tokens", stimuli.counter.tokens) if stimuli.counter else ("characters", len)
    pairs = _lengths(stimuli.pairs, measure)
    side = Side("Length", f"the right text has fewer {unit}", f"the right text has more {unit}", 0.9)
    return _by_section(_wins(pairs["n_wrong"], pairs["n_right"]), pairs["section"], side)


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
    return _by_section(_wins(pairs["old"].map(known), pairs["new"].map(known)), pairs["section"], _FREQUENCY)


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
    sections = stimuli.places["section"]
    if stated.isna().all():
        pairs, known = stimuli.critical, _numbers()
        forms = zip(pairs["old"].tolist(), pairs["new"].tolist(), strict=True)
        singular = [1.0 if pair in known else 0.0 if pair[::-1] in known else np.nan for pair in forms]
        stated, sections = pd.Series(singular, pairs.index, "float64"), pairs["section"]
    return _by_section(stated.dropna(), sections[stated.notna()], _NUMBER)


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


def _by_section(wins: pd.Series, sections: pd.Series, side: Side) -> Outcome | None:
    """The sections in which at least `side.least` of the pairs are on one side and more than by chance."""
    if wins.empty:
        return None
    table = _shares(wins, sections)
    beyond, certain = (table["share"] - 0.5).abs(), (table["low"] > 0.5) | (table["high"] < 0.5)
    sided = beyond[certain & (beyond >= side.least - 0.5) & (table["n"] >= _FEWEST)]
    farthest = table.loc[sided.sort_values(ascending=False, kind="stable").index]
    if len(table) == 1:
        whats = [f"in {_sentence(row, side)}" for _, row in farthest.iterrows()]
        return about_all(whats, 1, f"{side.by} tells right from wrong")
    whats = [f"{name or 'the rest'}: in {_sentence(row, side)}" for name, row in farthest.iterrows()]
    overall = _sentence(_shares(wins, pd.Series("", wins.index)).iloc[0], side)
    parts = f"{len(farthest):,} of {plural(len(table), 'group')} of items"
    return about_all(whats, len(table), f"{side.by} tells right from wrong in {parts} (in all of them, in {overall})")


def _shares(wins: pd.Series, sections: pd.Series) -> pd.DataFrame:
    """Per section `n`, `share` and its Wilson interval (`low`, `high`): the mean of `wins`, which are 0, 0.5 or 1."""
    by_section = wins.groupby(sections.set_axis(wins.index), sort=False)
    table = by_section.agg(["size", "mean"]).set_axis(["n", "share"], axis=1)
    bounds = [wilson(share * n, n) for n, share in zip(table["n"], table["share"], strict=True)]
    return table.assign(low=[low for low, _ in bounds], high=[high for _, high in bounds])


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
    running = Counter(word for text in sample for word in split_words(text) if word.isalpha())

    def common(scorer: Scorer) -> float:
        known = _logprobs(scorer, sorted(running))
        return sum(n for word, n in running.items() if known[word] > math.log(_COMMON)) / max(running.total(), 1)

    share, best = max(((common(scorer), scorer) for scorer in _word_counts()), key=itemgetter(0), default=(0.0, None))
    if best is None or share < _KNOWN:
        return {}
    unseen = _logprobs(best, [_UNHEARD])[_UNHEARD]
    return {word: value for word, value in _logprobs(best, sorted(words)).items() if value > unseen}


def _word_counts() -> Iterator[Scorer]:
    """All installed word counts; damaged ones are skipped with a warning in the log."""
    for model in catalogue():
        if model.kind == "unigram":
            try:
                yield _opened(model)
            except ModelError as error:
                logging.getLogger(__name__).warning("left out of the word frequencies: %s", error)


def _opened(model: Model) -> Scorer:
    """Counts that ship are read once: that takes longer than all other checks of a small set."""
    if not model.bundled:
        return SCORERS["unigram"].open(model, Policy())
    if model.weights not in _SHIPPED:
        _SHIPPED[model.weights] = SCORERS["unigram"].open(model, Policy())
    return _SHIPPED[model.weights]


_SHIPPED: dict[str, Scorer] = {}
"""By the digests of the counts."""


def _logprobs(scorer: Scorer, words: Sequence[str]) -> dict[str, float]:
    """The log-probabilities of those words that the counts treat as one word."""
    single = [word for word in words if len(split_words(word)) == 1]
    scores = scorer.score([Request("", word) for word in single])
    return {word: score.total for word, score in zip(single, scores, strict=True)}
