"""Which word each token of a per-token table belongs to, with punctuation marks as the analysis assigns them.

Words follow `core.text.words.segmentation` as far as such a table allows (fold `whole`): the table's words are
segments, a word of marks only is a mark, and two words touch unless white space separates them. So under `previous`
a mark belongs to the word before it, but an opening mark to the word it opens, and under `next` to the word after it;
at the edges of a sentence to the only neighbour. Where no word of a model has white space before it, the table does
not say which words touch, and only opening brackets and quotation marks open a word.

`separate` keeps the table's words and `ignore` drops marks.
"""

import unicodedata

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis.experiment import Analysis
from core.studies.experiment.predictions import are_marks

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


def align_tokens(sentences: Ints, tokens: pd.DataFrame, punctuation: str) -> Ints:
    """The number of each token's word in its sentence, from 0; -1 if it belongs to none.

    `sentences` numbers the sentence of each token from 0, in ascending order; `tokens` has `word`, `wordpos` (in
    order within a sentence), `model` and `punctuation`. `rule` is `whole` or `nlpscholar`.
    """
    if not len(tokens):
        return np.empty(0, np.int64)
    places = tokens["wordpos"].to_numpy(np.int64)
    if punctuation != "separate":
        marks = are_marks(tokens["word"].array)
        ignored = punctuation == "ignore"
        places = np.where(marks, -1, places) if ignored else _attached(sentences, tokens, places, marks, punctuation)
    return _renumbered(sentences, places)


def _renumbered(sentences: Ints, places: Ints) -> Ints:
    """Places within sentences as 0, 1, 2, ... without gaps; -1 stays."""
    kept = places >= 0
    keys = sentences[kept] * (int(places.max()) + 1) + places[kept]
    distinct, word = np.unique(keys, return_inverse=True)
    owner = distinct // (int(places.max()) + 1)
    first = np.searchsorted(owner, owner)
    numbers = np.full(len(places), -1, np.int64)
    numbers[kept] = (np.arange(len(distinct)) - first)[word]
    return numbers


def _attached(sentences: Ints, tokens: pd.DataFrame, places: Ints, marks: Flags, punctuation: str) -> Ints:
    """The position of the table's word that heads each token's word."""
    begins = (np.diff(sentences, prepend=-1) != 0) | (np.diff(places, prepend=-1) != 0)
    kinds, distinct = pd.factorize(tokens["word"].array[begins])
    spaced = np.array([word[:1].isspace() for word in distinct], np.bool_)[kinds]
    opening = np.array([unicodedata.category(word.strip()[:1] or " ") in ("Ps", "Pi") for word in distinct], np.bool_)
    touching = _touching(sentences[begins], spaced, tokens["model"][begins])
    heads = _heads(sentences[begins], marks[begins], touching, opening[kinds], punctuation)
    owners: Ints = places[begins][heads][np.cumsum(begins) - 1]
    return owners


def _touching(sentences: Ints, spaced: Flags, models: pd.Series) -> Flags:
    """Whether each word touches the one before it, as far as the table says."""
    inside = np.diff(sentences, prepend=-1) == 0
    known = pd.Series(spaced & inside).groupby(models.array, sort=False).transform("any").to_numpy(np.bool_)
    touching: Flags = inside & ~spaced & known
    return touching


def _heads(sentences: Ints, marks: Flags, touching: Flags, opens: Flags, punctuation: str) -> Ints:
    """The word that each word of the table is part of: itself, or for a mark a neighbour."""
    here = np.arange(len(marks))
    first = np.searchsorted(sentences, sentences)
    left = np.maximum.accumulate(np.where(marks, -1, here))
    left = np.where(left >= first, left, -1)
    right = _next_where(~marks)
    right = np.where((right < len(marks)) & (sentences[np.minimum(right, len(marks) - 1)] == sentences), right, -1)
    apart = np.where(touching, -1, here)
    touches_left = (left >= 0) & (np.maximum.accumulate(apart) <= left)
    touches_right = (right >= 0) & (np.append(_next_where(~touching), len(marks))[1:] > right)
    opening = marks & np.where(touches_left, touches_right & opens, touches_right | opens)
    opened = np.maximum.accumulate(np.where(opening, here, -1)) > left  # later marks do not cross it
    forward = (right >= 0) & ((left < 0) | opened | (punctuation == "next"))
    heads = np.where(forward, right, left)
    return np.where(marks, np.where(heads >= 0, heads, first), here)


def _next_where(wanted: Flags) -> Ints:
    """For each position the next one, itself included, that is wanted; the length if there is none."""
    places = np.where(wanted, np.arange(len(wanted)), len(wanted))
    return np.minimum.accumulate(places[::-1])[::-1]


_BEFORE = {"previous": True, "next": False}


def published_words(tokens: pd.DataFrame, sentences: NDArray[np.int64], analysis: Analysis) -> pd.DataFrame:
    """One row per word; `sentences` numbers the sentence of each token, in ascending order.

    `wordpos` counts the words of a sentence from 0, `wordpos_given` is their position in the per-token table, and
    `word_given` their text there.
    """
    whole = tokens.assign(sentence=sentences, place=tokens["wordpos"], text=tokens["word"])
    whole["punctuation"] = tokens["punctuation"].astype(bool)
    if analysis.punctuation == "ignore":
        whole = whole[~whole["punctuation"]]
    elif analysis.punctuation in _BEFORE:
        whole = _joined(whole, before=_BEFORE[analysis.punctuation])
    by_word = whole.groupby(["sentence", "place"], sort=False)
    values = by_word[["prob", "surp"]].mean(skipna=False).assign(n_tokens=by_word.size())
    total = by_word["surp"].sum(skipna=False)
    if analysis.word_summary == "sum":
        values["surp"] = total
    if analysis.word_probability == "product":
        values["prob"] = np.exp2(-total)
    heads = whole if analysis.punctuation == "separate" else whole[~whole["punctuation"]]
    heads = heads.drop(columns=["prob", "surp"]).drop_duplicates(["sentence", "place"], keep="last")
    table = heads.merge(values.reset_index(), on=["sentence", "place"])
    table["wordpos"] = table.groupby("sentence").cumcount()
    return table.rename(columns={"place": "wordpos_given", "word": "word_given", "text": "word"})


def _joined(tokens: pd.DataFrame, *, before: bool) -> pd.DataFrame:
    """Marks at the position of the token before or after them, and their text beside that token's word."""
    of_sentence = tokens.groupby("sentence", sort=False)
    there, here = (1, -1) if before else (-1, 1)
    place = tokens["wordpos"].mask(tokens["punctuation"], of_sentence["wordpos"].shift(there, fill_value=0))
    marked = of_sentence["punctuation"].shift(here, fill_value=False)
    beside = of_sentence["word"].shift(here, fill_value="").where(marked, "")
    text = tokens["word"] + beside if before else beside + tokens["word"]
    return tokens.assign(place=place, text=text)
