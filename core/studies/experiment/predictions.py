"""The per-token table of NLPScholar's `evaluate`, as written by us and as read from any program.

    token         as the vocabulary has it (`Ġcats`, `##s`)
    sentid
    word          its word as in the sentence, with the white space before it; punctuation marks are words of their
                  own (punctuation `separate`, `core.text.words.segmentation`)
    wordpos       the word's place in the sentence, from 0
    model, tokenizer
    punctuation   whether the token is nothing but marks (Unicode's categories P) and white space, with at least one
                  mark
    prob, surp    probability and surprisal (bits) of the token; missing if unscored

With policy `words_by` = `tokenizer` (preset `nlpscholar`) the table is as NLPScholar writes it: words are those of
the tokenizer, with white space where it counts that as part of them, and a token is flagged as punctuation if, as the
vocabulary has it, it is a stretch of Python's `string.punctuation`: `.` and `()` are, `."`, `Ġ,` and `«` are not.

Under first-token policy `one` the first token has prob 1 and surp 0, as published; under others it is missing where
nothing precedes it.
"""

import math
import string
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.extensions import ExtensionArray

from core.errors import InputError
from core.files.tables import read_table, row_numbers
from core.measures import probability, surprisal
from core.models.loading import load_tokenizer
from core.policies import Policy
from core.scoring.recipe import Recipe
from core.store import Store
from core.studies.experiment.columns import cells
from core.studies.experiment.design import Design
from core.studies.experiment.evaluate import scores_of
from core.text.words import words
from core.text.words.segmentation import is_mark
from core.types import TokenScores

COLUMNS = ("token", "sentid", "word", "wordpos", "model", "tokenizer", "punctuation", "prob", "surp")
_MISSING = ("", "NA", "nan", "NaN")
_LAST = 10_000_000
"""No sentence has as many words."""


def prediction_table(design: Design, recipe: Recipe, store: Store) -> pd.DataFrame:
    """One row per token of each stored sentence of a design, in order. Columns: COLUMNS."""
    rows_of = _rows_by_tokenizer(recipe) if recipe.policy.words_by == "tokenizer" else partial(_rows, recipe.policy)
    spaced = set(design.sentences.loc[design.sentences["sentence"].str.match(r"\s"), "sentid"])
    rows = [
        (token, sentid, *rest)
        for sentid, (text, scores) in scores_of(design, recipe, store).items()
        for token, *rest in rows_of(text, scores, sentid in spaced)
    ]
    found = pd.DataFrame(rows, columns=["token", "sentid", "word", "wordpos", "punctuation", "logprob"])
    logprobs = found["logprob"].to_numpy(np.float64)
    name = recipe.model.name
    positive_zero = 0.0  # a certain token has surprisal 0, not -0
    surp = surprisal(logprobs) + positive_zero
    return _typed(found.assign(model=name, tokenizer=name, prob=probability(logprobs), surp=surp))


_Row = tuple[str, str, int, bool, float]
"""Token, word, word position, punctuation and log-probability."""


def _rows(policy: Policy, text: str, scores: TokenScores, spaced: bool) -> Iterator[_Row]:  # noqa: ARG001
    """Each token of a sentence, with the words of the text."""
    begin = 0
    values = _values(scores, policy)
    for position, word in enumerate(words(scores, text, policy.but(punctuation="separate", word_value="sum"))):
        written = text[begin : word.span[1]]
        begin = word.span[1]
        for token in word.tokens:
            is_punctuation = only_marks(text[slice(*scores.spans[token])])
            yield scores.tokens[token], written, position, is_punctuation, values[token]


def _rows_by_tokenizer(recipe: Recipe) -> Callable[[str, TokenScores, bool], Iterator[_Row]]:
    """Tokens with the tokenizer's words, without the space that the policy puts before one not `spaced`."""
    tokenizer, policy = load_tokenizer(recipe.model), recipe.policy

    def rows(text: str, scores: TokenScores, spaced: bool) -> Iterator[_Row]:
        found = zip(scores.tokens, tokenizer.words(text), _values(scores, policy), strict=True)
        for token, (position, (start, end)), value in found:
            word = text[max(start, int(policy.leading_space and not spaced)) : end]
            yield token, word, position, token in string.punctuation, value

    return rows


def _values(scores: TokenScores, policy: Policy) -> list[float]:
    """Log-probabilities; that of a first token which counts as certain is 0."""
    first, *later = scores.logprobs
    return [0.0 if policy.first_token == "one" and math.isnan(first) else first, *later]


def only_marks(text: str) -> bool:
    """Whether a text is nothing but punctuation marks, white space aside."""
    text = text.strip()
    return bool(text) and all(is_mark(character) or character.isspace() for character in text)


def are_marks(texts: Sequence[str] | ExtensionArray) -> NDArray[np.bool_]:
    """`only_marks` of each text; each distinct text is examined once."""
    kinds, distinct = pd.factorize(pd.Series(texts))
    return np.array([only_marks(text) for text in distinct], np.bool_)[kinds]


def read_predictions(source: Path) -> pd.DataFrame:
    """A per-token table as published, with any number of models; other columns are ignored.

    `sentid`, `model` and `tokenizer` are labels: nothing is looked up. Raises InputError for missing columns, for
    cells that are not valid (with the row), and for a sentence that occurs twice.
    """
    table = read_table(source)
    table.index = pd.Index(row_numbers(table))
    if absent := [name for name in COLUMNS if name not in table.columns]:
        raise InputError(
            f"no column {', '.join(absent)}. Expected a table of tokens with {', '.join(COLUMNS)}.", source.name
        )
    if table.empty:
        raise InputError("no token below the column names.", source.name)
    texts = {name: cells(table[name]) for name in ("token", "sentid", "word", "model", "tokenizer")}
    numbers = {name: _numbers(table[name], source.name) for name in ("wordpos", "prob", "surp")}
    _check_range(numbers, source.name)
    flags = _flags(table["punctuation"], source.name)
    found = _typed(pd.DataFrame({**texts, **numbers, "punctuation": flags}))
    _check_order(found, source.name)
    return found.reset_index(drop=True)


def _typed(found: pd.DataFrame) -> pd.DataFrame:
    kinds = {"wordpos": "int64", "punctuation": "bool", "prob": "float64", "surp": "float64"}
    return found[[*COLUMNS]].astype({name: kinds.get(name, "str") for name in COLUMNS})


def _numbers(column: pd.Series, source: str) -> pd.Series:
    written = cells(column)
    found = pd.to_numeric(written.where(~written.isin(_MISSING)), errors="coerce").astype("float64")
    _refuse(written, found.isna() & ~written.isin(_MISSING), "is no number", source)
    return found


def _check_range(numbers: dict[str, pd.Series], source: str) -> None:
    """Positions are whole numbers, probabilities lie between 0 and 1, surprisals are not negative."""
    position, prob, surp = (numbers[name] for name in ("wordpos", "prob", "surp"))
    _refuse(position, ~position.between(0, _LAST) | (position % 1 != 0), "is no position (0, 1, ...)", source)
    _refuse(surp, surp < -1e-6, "is no surprisal (0 or more)", source)
    _refuse(prob, (prob < 0) | (prob > 1 + 1e-6), "is no probability (0 to 1)", source)


def _flags(column: pd.Series, source: str) -> pd.Series:
    written = cells(column).str.strip()
    found = written.str.casefold().map({"true": True, "false": False, "1": True, "0": False})
    _refuse(written, found.isna(), "is neither True nor False", source)
    return found


def _check_order(found: pd.DataFrame, source: str) -> None:
    """Within a sentence word positions increase; where they start again, the sentence occurs twice."""
    steps = found.groupby(["model", "tokenizer", "sentid"], sort=False)["wordpos"].diff()
    if (steps < 0).any():
        row = found.index[int((steps < 0).to_numpy().argmax())]
        sentence, model = found.loc[row, ["sentid", "model"]]
        raise InputError(
            f"sentence {sentence} of model {model} begins again: keep one of the two.", f"{source}, row {row}"
        )


def _refuse(written: pd.Series, wrong: pd.Series, what: str, source: str) -> None:
    if wrong.any():
        place = int(wrong.to_numpy().argmax())
        said = f"column '{written.name}': {str(written.iloc[place])[:40]!r} {what}."
        raise InputError(said, f"{source}, row {written.index[place]}")
