"""What a form is worth in each cell: the log-probability of the whole word, as `core.text.words` defines it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.policies import Policy
from core.scorers._patch import apart, together
from core.text.joining import joint
from core.text.words import edges, end_masses, word_value
from core.types import Request, TokenScores

Reals = NDArray[np.float64]


def values(scores: TokenScores, request: Request, policy: Policy) -> Reals:
    """By cell, in nats; of a request that is not patched, its one value. Only differences of two forms are meant.

    The end of the word counts as the policy says, but for marks, which always end it (as in `next_word.forms`).
    """
    policy = policy.but(punctuation="separate")
    scores = scores if request.after else together([scores])
    first = apart(scores)[0]
    n = len(first.tokens)
    found: Reals = np.asarray(scores.logprobs).reshape(-1, n + 1)[:, :n].sum(axis=1)
    if word_value(scores, policy) != "sum" and joint((request.context + request.continuation).rstrip()):
        masses = np.asarray(end_masses(scores, policy)[:-1]).reshape(-1, n + 1)
        if not math.isnan(edges(first, request.context + request.continuation, policy)[-1]):
            found = found + masses[:, -1]
    return found
