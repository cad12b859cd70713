"""The token table: one row per token of each text, a long format that other tools can read."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import pandas as pd

from pairlens import identity, measures
from pairlens.scoring.into_store import Progress, score_missing
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.text import describe, prepare
from pairlens.text.words import word_positions, word_spans
from pairlens.types import Request, TokenScores

COLUMNS = (
    "item", "text", "position", "token", "token_id", "start", "end", "word", "word_position", "logprob",
    "surprisal_bits",
)  # fmt: skip
LONG = 1_000
"""A text of more characters stands in the first of its rows only: in every row it would take its length squared."""

Watch = Callable[[Iterable[Progress]], Progress]
"""Runs a scoring to its end, and may show its progress."""


def token_scores(
    texts: Sequence[str], recipe: Recipe, store: Store, *, watch: Watch, rescore: bool = False
) -> list[tuple[str, TokenScores]]:
    """Score texts, each distinct one once: by text, in order, the text as scored and its token scores."""
    requests = [recipe.request(Request("", text)) for text in texts]
    keys = [identity.request_key(recipe.fingerprint, request) for request in requests]
    by_key = dict(zip(keys, requests, strict=True))
    watch(score_missing(by_key, recipe, store, rescore=rescore, by_token=True))
    scores = store.token_scores(recipe.fingerprint, set(keys))
    return [(request.text, scores[key]) for key, request in zip(keys, requests, strict=True)]


def token_table(
    texts: Sequence[str], recipe: Recipe, store: Store, *, watch: Watch, rescore: bool = False
) -> tuple[pd.DataFrame, str]:
    """Score texts (each distinct one once): their tokens in order (COLUMNS), and a note on changes to the texts.

    `item` counts from 1; `text` of more than `LONG` characters is in its first row only; `start` and `end` are
    characters of the text as scored; `logprob` is in nats, missing where unscored.
    """
    scored = token_scores(texts, recipe, store, watch=watch, rescore=rescore)
    rows = (
        row
        for number, (text, (scored_text, scores)) in enumerate(zip(texts, scored, strict=True), start=1)
        for row in _rows(number, text, scored_text, scores, recipe.policy.punctuation)
    )
    table = pd.DataFrame(rows, columns=COLUMNS[:-1])
    table["surprisal_bits"] = measures.surprisal(table["logprob"].to_numpy(np.float64))
    characters = recipe.model.card.get("characters")
    changes = [change for text in texts for change in prepare(text, recipe.policy, characters).changes]
    return table, " ".join(filter(None, (describe(changes), _said_of_long(texts))))


def _said_of_long(texts: Sequence[str]) -> str:
    if not any(len(text) > LONG for text in texts):
        return ""
    return f"A text of more than {LONG:,} characters stands in its first row only: its rows have the same item."


def _rows(
    item: int, text: str, scored_text: str, scores: TokenScores, punctuation: str
) -> Iterator[tuple[object, ...]]:
    """The rows of one text, without the last column."""
    words = [scored_text[start:end] for start, end in word_spans(scored_text, punctuation)]
    positions = word_positions(scores.spans, scored_text, punctuation)
    columns = zip(scores.tokens, scores.ids, scores.spans, positions, scores.logprobs, strict=True)
    for number, (token, id, (start, end), position, logprob) in enumerate(columns):
        word = words[position] if position >= 0 else ""
        shown = text if number == 0 or len(text) <= LONG else ""
        yield item, shown, number, token, id, start, end, word, position, logprob
