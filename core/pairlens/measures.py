"""Units. Inside, Pairlens uses natural-log probabilities; these functions convert them to the units that people read.

Each takes a float or a NumPy array of log-probabilities in nats and keeps NaN (unscored) as NaN.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pairlens.policies import Policy
    from pairlens.types import TokenScores

Real = TypeVar("Real", float, NDArray[np.float64])

LN2 = float(np.log(2.0))

PRECISION = 1e-4
"""Nats. A smaller difference, unless zero, may change its sign with the device or batch size."""


def bits(nats: Real) -> Real:
    return nats / LN2


def nats(in_bits: Real) -> Real:
    return in_bits * LN2


def surprisal(logprob: Real) -> Real:
    """Surprisal in bits: -log2 p (Shannon 1948; Hale 2001)."""
    return -logprob / LN2


def probability(logprob: Real) -> Real:
    return cast(Real, np.exp(logprob))


def perplexity(total: Real, n_tokens: Real) -> Real:
    """exp of the mean negative log-probability per scored token."""
    return cast(Real, np.exp(-total / n_tokens))


def times_as_likely(difference: float) -> float:
    return float(np.exp(difference))


def sentence_value(scores: TokenScores, policy: Policy) -> float:
    """The value by which a text is compared, in nats: its summed log-probability or the mean per token.

    NaN if no token is scored. Means are over scored tokens; under the first-token policy `one`, they include the
    first token with log-probability 0.
    """
    if policy.sentence_value == "sum":
        return scores.total
    n_tokens = len(scores.tokens) if policy.first_token == "one" else scores.n_scored
    return scores.total / n_tokens if scores.n_scored else float("nan")
