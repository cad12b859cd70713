"""Log-probabilities without context, which SLOR (Pauls & Klein 2012; Lau, Clark & Lappin 2017) subtracts.

    SLOR = (log p(text) - log p_unigram(text)) / number of its tokens

Models with `token_counts.npz` have those of their own tokens in training; other English models use the bundled word
counts, and the results say so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pairlens.errors import ModelError
from pairlens.models import find, token_counts
from pairlens.models.loading import load_tokenizer
from pairlens.policies import PRESETS
from pairlens.scorers import SCORERS
from pairlens.scorers._encoding import encode
from pairlens.types import Model, Request, Scorer, TokenScores

WORD_COUNTS = "unigram-english"
_LANGUAGE = "en"
UNTOLD = "Not every token is scored, and word counts cannot tell which words that leaves out."
"""Why there is no SLOR by word counts of texts that are scored in part."""


@dataclass(frozen=True)
class Unigrams:
    """Log-probabilities without context for a `model`: `by_token` id in nats, or those of a `scorer` of words."""

    about: str
    model: Model
    by_token: NDArray[np.float64] | None = None
    scorer: Scorer | None = None

    def of_texts(self, requests: Sequence[Request]) -> NDArray[np.float64]:
        """The summed log-probability of each continuation, by the word counts."""
        assert self.scorer is not None
        return np.array([scores.total for scores in self.scorer.score(requests)])

    def of_tokens(self, requests: Sequence[Request], n_scored: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same by the model's tokens; NaN where their number is not that of the scored tokens."""
        assert self.by_token is not None
        cut = [text.ids[text.first : text.stop] for text in encode(load_tokenizer(self.model), requests)]
        sums = np.array([self.by_token[np.array(ids)].sum() for ids in cut])
        return np.where(np.array([len(ids) for ids in cut]) == n_scored, sums, np.nan)

    def of_scores(self, scores: TokenScores, text: str) -> float:
        """The same for the scored tokens of a text, or for all its words."""
        if self.by_token is None:
            return float(self.of_texts([Request("", text)])[0])
        scored = ~np.isnan(scores.logprobs)
        return float(self.by_token[np.array(scores.ids)[scored]].sum())


def unigrams_of(model: Model) -> Unigrams | str:
    try:
        counts = token_counts.read(model)
    except ModelError as error:
        return str(error)
    if counts is not None:
        return Unigrams("the model's own token counts", model, by_token=token_counts.logprobs(counts))
    language = str(model.card.get("language") or "")
    if language != _LANGUAGE:
        spoken = f"its language is {language}" if language else "its language is not known"
        return f"'{model.name}' has no token counts, and word counts are there for English models only ({spoken})."
    try:
        counted = find(WORD_COUNTS)
    except ModelError as error:
        return str(error)
    return Unigrams(f"the word counts of {WORD_COUNTS}", model, scorer=_words(counted.weights))


@lru_cache(maxsize=1)
def _words(weights: str) -> Scorer:  # noqa: ARG001
    """The word counts with this digest, read once."""
    return SCORERS["unigram"].open(find(WORD_COUNTS), PRESETS["pairlens"])
