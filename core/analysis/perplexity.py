"""Perplexity of texts: per text and over all of them, with and without words that the model does not know.

    perplexity = exp(-sum of log-probabilities / number of tokens)

over the tokens that the policy scores; the end of a text is not among them. `known` leaves out tokens that are the
model's unknown symbol, as published perplexities of word-level models do. Perplexities per token depend on how a
tokenizer cuts words; `word` divides the same sum by the number of words instead, and can be compared between models
that read the same texts (Mielke 2019, "Can you compare perplexity across different segmentations?").

With a masked model the log-probabilities are pseudo-log-likelihoods and the measure is the pseudo-perplexity (Salazar
et al. 2020, "Masked language model scoring"), which cannot be compared with a perplexity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core import identity, measures
from core.models import unknown_token
from core.scoring.into_store import Progress, score_missing
from core.scoring.recipe import Recipe
from core.store import Store
from core.text.words import word_positions
from core.types import Request, TokenScores

COUNTS = ("tokens", "scored", "unknown", "words")


def perplexity_table(
    texts: Sequence[str],
    recipe: Recipe,
    store: Store,
    *,
    watch: Callable[[Iterable[Progress]], Progress],
    rescore: bool = False,
) -> pd.DataFrame:
    """Score texts (each distinct one once); one row per text, in order.

    Columns: item (from 1), text, tokens, scored, unknown (scored tokens that are the unknown symbol; missing for word
    counts, which have none), words (with a scored token), logprob (sum in nats), logprob_known (the same without
    unknown tokens), and the columns of `names`. Numbers over nothing are missing.
    """
    requests = [recipe.request(Request("", text)) for text in texts]
    keys = [identity.request_key(recipe.fingerprint, request) for request in requests]
    asked = dict(zip(keys, requests, strict=True))
    watch(score_missing(asked, recipe, store, rescore=rescore, by_token=True))
    scores = store.token_scores(recipe.fingerprint, set(keys))
    rows = {key: _sums(scores[key], request.text, recipe) for key, request in zip(keys, requests, strict=True)}
    frame = pd.DataFrame([rows[key] for key in keys])
    frame.insert(0, "item", range(1, len(frame) + 1))
    frame.insert(1, "text", list(texts))
    return frame.assign(**_perplexities(frame, recipe))


def overall(table: pd.DataFrame, recipe: Recipe) -> pd.Series:
    """The counts and perplexities over all texts of a table together: the same columns, without item and text."""
    columns = [*COUNTS, "logprob", "logprob_known"]
    sums = table[columns].sum(min_count=1).to_frame().T
    return sums.assign(**_perplexities(sums, recipe)).iloc[0]


def names(recipe: Recipe) -> Mapping[str, str]:
    """What the three measures are called: perplexities or, where later words are seen, pseudo-perplexities."""
    pseudo = "pseudo_" if "pll" in recipe.kind.reads else ""
    return {
        kind: f"{pseudo}perplexity{ending}"
        for kind, ending in {"all": "", "known": "_known", "word": "_word"}.items()
    }


def _sums(scores: TokenScores, text: str, recipe: Recipe) -> dict[str, float]:
    values = np.asarray(scores.logprobs)
    scored = ~np.isnan(values)
    symbol = unknown_token(recipe.model)
    strange = scored & np.fromiter((token == symbol for token in scores.tokens), np.bool_)
    words = np.asarray(word_positions(scores.spans, text, recipe.policy.punctuation))[scored]
    certain = len(values) - scored.sum() if recipe.policy.first_token == "one" else 0
    return {
        "tokens": len(values),
        "scored": int(scored.sum() + certain),
        "unknown": np.nan if recipe.model.kind == "unigram" else int(strange.sum()),
        "words": len(np.unique(words[words >= 0])),
        "logprob": values[scored].sum() if scored.any() else np.nan,
        "logprob_known": values[scored & ~strange].sum() if (scored & ~strange).any() else np.nan,
    }


def _perplexities(sums: pd.DataFrame, recipe: Recipe) -> dict[str, NDArray[np.float64]]:
    """The three measures over these sums, missing where there is nothing to divide by."""
    numbers = {name: sums[name].to_numpy(np.float64) for name in sums.columns if name not in ("item", "text")}
    over = {"all": numbers["scored"], "known": numbers["scored"] - numbers["unknown"], "word": numbers["words"]}
    logprobs = {"all": numbers["logprob"], "known": numbers["logprob_known"], "word": numbers["logprob"]}
    called = names(recipe)
    return {
        called[kind]: measures.perplexity(logprobs[kind], np.where(over[kind] > 0, over[kind], np.nan))
        for kind in called
    }
