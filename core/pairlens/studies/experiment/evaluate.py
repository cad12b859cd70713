"""The sentences of a design under a recipe: each distinct one is scored once and then looked up.

And the per-token table of NLPScholar's `evaluate`, as written by us and as read from any program:

    token         as the vocabulary has it (`Ġcats`, `##s`)
    sentid
    word          its word as in the sentence, with the white space before it; punctuation marks are words of their
                  own (punctuation `separate`, `pairlens.text.words.segmentation`)
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

from __future__ import annotations

import math
import string
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.extensions import ExtensionArray

from pairlens import identity
from pairlens.errors import InputError
from pairlens.evaluation.receipts.sentences import InWindows
from pairlens.files.tables import read_table, row_numbers
from pairlens.measures import probability, surprisal
from pairlens.models.loading import load_tokenizer
from pairlens.models.tokenizer import Tokenizer
from pairlens.policies import Policy
from pairlens.scoring.into_store import Progress, score_missing
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.store.parts import windows
from pairlens.studies.experiment.columns import cells
from pairlens.studies.experiment.design import Design
from pairlens.text.words import words
from pairlens.text.words.segmentation import is_mark
from pairlens.types import Extras, Request, Scorer, TokenScores


def evaluate(
    design: Design,
    recipe: Recipe,
    store: Store,
    *,
    scorer: Callable[[], Scorer] | None = None,
    rescore: bool = False,
    refused: dict[str, str] | None = None,
) -> Iterator[Progress]:
    """Score what the store lacks, word ends included; `refused` receives why sentences cannot be, by sentid."""
    requests, keys = _requests(design, recipe)
    reasons: dict[str, str] = {}
    yield from score_missing(
        requests, recipe, store, extras=_extras(recipe), scorer=scorer, rescore=rescore, refused=reasons
    )
    if refused is not None:
        refused.update({sentid: reasons[key] for sentid, key in keys.items() if key in reasons})


def missing(design: Design, recipe: Recipe, store: Store) -> int:
    """The number of distinct sentences that are not stored yet."""
    requests, _ = _requests(design, recipe)
    known = store.known(recipe.fingerprint, boundary=_extras(recipe).boundary, keys=requests)
    return len(requests.keys() - known)


def scores_of(design: Design, recipe: Recipe, store: Store) -> dict[str, tuple[str, TokenScores]]:
    """Each stored sentence as scored and its scores, by sentid, in the design's order."""
    requests, keys = _requests(design, recipe)
    scores = store.token_scores(recipe.fingerprint, requests.keys())
    return {sentid: (requests[key].text, scores[key]) for sentid, key in keys.items() if key in scores}


def texts_in_windows(design: Design, recipe: Recipe, store: Store) -> InWindows | None:
    """The number of distinct sentences longer than the model's window; None if the window is not known."""
    known = windows(store.parts(recipe.fingerprint))
    if not known:
        return None
    requests, _ = _requests(design, recipe)
    scores = store.scores(recipe.fingerprint, 1.0, requests.keys())
    scores = scores[scores["request_key"].isin(requests.keys())]
    n = int((scores["n_tokens"] > known["window"]).sum())
    return InWindows(n=n, at_least=False, windows=recipe.policy.windows, **known)


def _requests(design: Design, recipe: Recipe) -> tuple[dict[str, Request], dict[str, str]]:
    """The distinct requests by key, and the key of each sentid."""
    sentences = design.sentences["sentence"]
    by_sentence = {sentence: recipe.request(Request("", sentence)) for sentence in sentences.unique()}
    keys = {sentence: identity.request_key(recipe.fingerprint, request) for sentence, request in by_sentence.items()}
    requests = {keys[sentence]: request for sentence, request in by_sentence.items()}
    return requests, dict(zip(design.sentences["sentid"], sentences.map(keys), strict=True))


def _extras(recipe: Recipe) -> Extras:
    """Models that see both sides of a word have no masses at word ends."""
    return Extras(boundary="pll" not in recipe.kind.reads)


COLUMNS = ("token", "sentid", "word", "wordpos", "model", "tokenizer", "punctuation", "prob", "surp")
_MISSING, _FLAGS = ("", "NA", "nan", "NaN"), {"true": True, "false": False, "1": True, "0": False}
_LAST = 10_000_000
"""No sentence has as many words."""


def prediction_table(design: Design, recipe: Recipe, store: Store) -> pd.DataFrame:
    """One row per token of each stored sentence of a design, in order. Columns: COLUMNS."""
    tokenizer = load_tokenizer(recipe.model) if recipe.policy.words_by == "tokenizer" else None
    spaced = set(design.sentences.loc[design.sentences["sentence"].str.match(r"\s"), "sentid"])
    rows = [
        (sentid, *row)
        for sentid, (text, scores) in scores_of(design, recipe, store).items()
        for row in _rows(recipe.policy, text, scores, tokenizer, sentid in spaced)
    ]
    table = pd.DataFrame(rows, columns=["sentid", "token", "word", "wordpos", "punctuation", "logprob"])
    logprobs, name = table["logprob"].to_numpy(np.float64), recipe.model.name
    surp = surprisal(logprobs) + 0.0  # a certain token has surprisal 0, not -0
    return _typed(table.assign(model=name, tokenizer=name, prob=probability(logprobs), surp=surp))


def _rows(
    policy: Policy, text: str, scores: TokenScores, tokenizer: Tokenizer | None, spaced: bool
) -> Iterator[tuple[str, str, int, bool, float]]:
    """Token, word, its position, punctuation and log-probability, with the words of the text or of a `tokenizer`.

    A space that the policy puts before a sentence, unless that is `spaced`, is no part of the tokenizer's words.
    """
    first, *later = scores.logprobs
    values = [0.0 if policy.first_token == "one" and math.isnan(first) else first, *later]  # 0: it is certain
    if tokenizer is not None:
        own = int(policy.leading_space and not spaced)
        tokens = zip(scores.tokens, tokenizer.words(text), values, strict=True)
        for token, (position, (start, end)), value in tokens:
            yield token, text[max(start, own) : end], position, token in string.punctuation, value
        return
    begin = 0
    for position, word in enumerate(words(scores, text, policy.but(punctuation="separate", word_value="sum"))):
        written, begin = text[begin : word.span[1]], word.span[1]
        for place in word.tokens:
            is_punctuation = only_marks(text[slice(*scores.spans[place])])
            yield scores.tokens[place], written, position, is_punctuation, values[place]


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
        expected = f"Expected a table of tokens with {', '.join(COLUMNS)}."
        raise InputError(f"no column {', '.join(absent)}. {expected}", source.name)
    if table.empty:
        raise InputError("no token below the column names.", source.name)

    def refuse(column: pd.Series, wrong: pd.Series, what: str) -> None:
        for row, cell in column[wrong].items():
            raise InputError(f"column '{column.name}': {str(cell)[:40]!r} {what}.", f"{source.name}, row {row}")

    columns = {name: cells(table[name]) for name in COLUMNS}
    for name in ("wordpos", "prob", "surp"):
        missing = columns[name].isin(_MISSING)
        numbers = pd.to_numeric(columns[name].mask(missing), errors="coerce").astype("float64")
        refuse(columns[name], numbers.isna() & ~missing, "is no number")
        columns[name] = numbers
    position, prob, surp, flags = (columns[name] for name in ("wordpos", "prob", "surp", "punctuation"))
    refuse(position, ~position.between(0, _LAST) | (position % 1 != 0), "is no position (0, 1, ...)")
    refuse(surp, surp < -1e-6, "is no surprisal (0 or more)")
    refuse(prob, (prob < 0) | (prob > 1 + 1e-6), "is no probability (0 to 1)")
    columns["punctuation"] = flags.str.strip().str.casefold().map(_FLAGS)
    refuse(flags, columns["punctuation"].isna(), "is neither True nor False")
    predictions = _typed(pd.DataFrame(columns))
    steps = predictions.groupby(["model", "tokenizer", "sentid"], sort=False)["wordpos"].diff()
    for row, sentence, model in predictions.loc[steps < 0, ["sentid", "model"]].itertuples(name=None):
        twice = f"sentence {sentence} of model {model} begins again: keep one of the two."
        raise InputError(twice, f"{source.name}, row {row}")
    return predictions.reset_index(drop=True)


def _typed(table: pd.DataFrame) -> pd.DataFrame:
    kinds = {"wordpos": "int64", "punctuation": "bool", "prob": "float64", "surp": "float64"}
    return table[[*COLUMNS]].astype({name: kinds.get(name, "str") for name in COLUMNS})
