"""Sentences, words and regions of an experiment (`pairlens.analysis.experiment`) by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import pandas as pd

from pairlens.analysis.experiment import Analysis
from pairlens.analysis.regions import regions

_WORDS = {
    "model": "str", "tokenizer": "str", "sentid": "str", "wordpos": int, "word": "str", "start": "Int64",
    "end": "Int64", "bar": "Int64", "n_tokens": int, "punctuation": bool, "surp": float,
}  # fmt: skip


def sentence_table(rows: Iterable[Mapping[str, object]]) -> pd.DataFrame:
    """The sentences table; a row without a sentid is numbered from 1."""
    table = pd.DataFrame([{"sentid": str(number), **row} for number, row in enumerate(rows, start=1)])
    texts = [name for name in table if name not in ("roi", "bars")]
    return table.astype(dict.fromkeys(texts, "str"))


def word_table(sentences: pd.DataFrame, surprisals: Sequence[Sequence[float]], model: str = "m") -> pd.DataFrame:
    """The words of each sentence, parted at spaces, with these surprisals in bits."""
    rows = [
        (model, model, sentence["sentid"], *word)
        for sentence, values in zip(sentences.to_dict("records"), surprisals, strict=True)
        for word in _words(sentence["sentence"], sentence.get("bars"), values)
    ]
    table = pd.DataFrame(rows, columns=[*_WORDS]).astype(_WORDS)
    return table.assign(prob=2 ** -table["surp"])


def _words(
    text: str, bars: Sequence[tuple[int, int]] | None, values: Sequence[float]
) -> Iterator[tuple[object, ...]]:
    end = 0
    for position, (word, surp) in enumerate(zip(text.split(), values, strict=True)):
        start = text.index(word, end)
        end = start + len(word)
        bar = next((number for number, (first, last) in enumerate(bars or ()) if first <= start < last), None)
        yield position, word, start, end, bar, 1, False, surp


def region_values(sentences: pd.DataFrame, surprisals: Sequence[float], model: str = "m") -> pd.DataFrame:
    """The regions table if each sentence were one word with this surprisal; NaN is not scored."""
    one_word = sentences.assign(sentence="word").drop(columns="roi", errors="ignore")
    return regions(word_table(one_word, [[value] for value in surprisals], model), one_word, Analysis())
