"""Every word of an experiment with the table's columns about its sentence."""

from __future__ import annotations

from collections.abc import Set

import pandas as pd

from core.analysis.experiment import Columns, refuse_taken
from core.analysis.tokens import LONG

_ORDER = ("wordpos_mod", "word_mod", "sentid", "punctuation", "model", "prob", "surp", "wordpos")
_OURS = ("tokenizer", "n_tokens", "start", "end", "bar")


def by_word(words: pd.DataFrame, sentences: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    """One row per model, sentence and word: NLPScholar's columns first, under its names.

    wordpos_mod           the position of its first token in the file with the scores (`wordpos_given` of the word
                          table); the same as wordpos for words scored by Pairlens
    [conditions]
    word_mod              the word, with the punctuation that the policy joined to it
    sentid, punctuation, model, prob, surp
    wordpos               the word's position among the words of the punctuation policy, from 0, as in an ROI
    [other columns]       of the sentences, including those of the table; regions as written (`4,3`), under `ROI`
    tokenizer, n_tokens, start, end, bar    where the word comes from: see `core.analysis.experiment`

    Works without pairs. A column of the table with one of these names is prefixed with `given_`. Of a cell with more
    than `LONG` characters, only the first row of a sentence has the text.
    """
    refuse_taken(columns.conditions, {*_ORDER, *_OURS})
    about = _renamed(sentences, {*_ORDER, *_OURS} - {"sentid"})
    others = [name for name in about if name not in {"sentid", *columns.conditions}]
    given = words["wordpos_given"] if "wordpos_given" in words else words["wordpos"]
    table = words.rename(columns={"word": "word_mod"}).assign(wordpos_mod=given)
    order = [_ORDER[0], *columns.conditions, *_ORDER[1:], *others, *_OURS]
    long = [str(name) for name in others if _is_long(about[name]).any()]
    brief = about.assign(**{name: about[name].mask(_is_long(about[name]), "") for name in long})
    merged = table.merge(brief, on="sentid", how="left")[order]
    firsts = ~merged.duplicated(["model", "sentid"])
    for name in long:
        merged.loc[firsts, name] = merged.loc[firsts, "sentid"].map(about.set_index("sentid")[name])
    return merged


def _is_long(column: pd.Series) -> pd.Series:
    texts = pd.api.types.is_string_dtype(column)
    return column.str.len().fillna(0) > LONG if texts else pd.Series(False, column.index)


def _renamed(sentences: pd.DataFrame, taken: Set[str]) -> pd.DataFrame:
    """The sentences without column names of the words, and without tuples, which a file cannot hold."""
    table = sentences.drop(columns="bars", errors="ignore")
    if "roi" in table:
        texts = [",".join(map(str, roi)) if isinstance(roi, tuple) else None for roi in table["roi"]]
        table["roi"] = pd.array(texts, "str")
        table["roi"] = table.pop("roi_written") if "roi_written" in table else table["roi"]
        table = table.rename(columns={} if "ROI" in table else {"roi": "ROI"})
    return table.rename(columns={name: f"given_{name}" for name in table if name in taken})
