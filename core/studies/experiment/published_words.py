"""Words of a per-token table as NLPScholar makes them, token by token (fold `nlpscholar`).

A token flagged as `punctuation` takes the position of the token before it (`previous`) or after it (`next`), at the
edge of the sentence position 0. A word is all tokens of one position, if one of them is no mark: other marks are
lost, and a final mark under `next` counts for the first word. The word's text is that of its last token that is no
mark, joined to the word of the mark beside that very token, so that text may be lost or doubled. `separate` keeps the
positions, `ignore` drops the marks.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis.experiment import Analysis

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
