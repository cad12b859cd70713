"""Perplexity of texts: per text and over all of them, with and without unknown words.

    perplexity = exp(-sum of log-probabilities / number of tokens)

over the tokens that the policy scores, which do not include the end of the text. `known` leaves out tokens that are
the model's unknown symbol, as published perplexities of word-level models do. Perplexities per token depend on the
tokenizer; `word` divides the same sum by the number of words instead and can be compared between models that read the
same texts (Mielke 2019, "Can you compare perplexity across different segmentations?").

The log-probabilities of a masked model are pseudo-log-likelihoods, and the measure is the pseudo-perplexity (Salazar
et al. 2020, "Masked language model scoring"), which cannot be compared with a perplexity.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens import measures
from pairlens.analysis.tokens import Watch, token_scores
from pairlens.models import unknown_token
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.text.words import word_positions
from pairlens.types import TokenScores

COUNTS = ("tokens", "scored", "unknown", "words")


def perplexity_table(
    texts: Sequence[str], recipe: Recipe, store: Store, *, watch: Watch, rescore: bool = False
) -> pd.DataFrame:
    """Score texts (each distinct one once); one row per text, in order, with a missing value for numbers over
    nothing.

    Columns: item (from 1), text, tokens, scored, unknown (missing for word counts), words (with a scored token),
    logprob (sum in nats), logprob_known (without unknown tokens), and those of `names`.
    """
    scored = token_scores(texts, recipe, store, watch=watch, rescore=rescore)
    frame = pd.DataFrame([_sums(scores, text, recipe) for text, scores in scored])
    frame.insert(0, "item", range(1, len(frame) + 1))
    frame.insert(1, "text", list(texts))
    return frame.assign(**_perplexities(frame, recipe))


def overall(table: pd.DataFrame, recipe: Recipe) -> pd.Series:
    """The counts and perplexities over all texts of a table together: the same columns, without item and text."""
    columns = [*COUNTS, "logprob", "logprob_known"]
    sums = table[columns].sum(min_count=1).to_frame().T
    return sums.assign(**_perplexities(sums, recipe)).iloc[0]


def names(recipe: Recipe) -> Mapping[str, str]:
    """The names of the three measures: perplexities, or pseudo-perplexities for models that see later words."""
    name = "pseudo_perplexity" if "pll" in recipe.kind.reads else "perplexity"
    return {"all": name, "known": f"{name}_known", "word": f"{name}_word"}


def _sums(scores: TokenScores, text: str, recipe: Recipe) -> dict[str, float]:
    values = np.asarray(scores.logprobs)
    scored = ~np.isnan(values)
    symbol = unknown_token(recipe.model)
    unknown = scored & np.fromiter((token == symbol for token in scores.tokens), np.bool_)
    words = np.asarray(word_positions(scores.spans, text, recipe.policy.punctuation))[scored]
    certain = len(values) - scored.sum() if recipe.policy.first_token == "one" else 0
    return {
        "tokens": len(values),
        "scored": int(scored.sum() + certain),
        "unknown": np.nan if recipe.model.kind == "unigram" else int(unknown.sum()),
        "words": len(np.unique(words[words >= 0])),
        "logprob": values[scored].sum() if scored.any() else np.nan,
        "logprob_known": values[scored & ~unknown].sum() if (scored & ~unknown).any() else np.nan,
    }


def _perplexities(sums: pd.DataFrame, recipe: Recipe) -> dict[str, NDArray[np.float64]]:
    numbers = {name: sums[name].to_numpy(np.float64) for name in sums.columns if name not in ("item", "text")}
    over = {"all": numbers["scored"], "known": numbers["scored"] - numbers["unknown"], "word": numbers["words"]}
    logprobs = {"all": numbers["logprob"], "known": numbers["logprob_known"], "word": numbers["logprob"]}
    return {
        name: measures.perplexity(logprobs[kind], np.where(over[kind] > 0, over[kind], np.nan))
        for kind, name in names(recipe).items()
    }
