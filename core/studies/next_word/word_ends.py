"""Where words end, for models whose vocabulary says so and for those whose every token is a word."""

from __future__ import annotations

from core.errors import ModelError, PolicyError
from core.policies import Policy
from core.studies.next_word.pieces import Pieces
from core.text.words import Ends, end_masses, word_value


def word_end(said: Ends, policy: Policy, pieces: Pieces) -> float:
    """The log mass of what ends a word at the last place spoken of, in nats; 0 where each token is a word.

    Raises ModelError where the vocabulary does not show it, PolicyError where the policy does not count it.
    """
    if pieces.whole:
        return 0.0
    if policy.word_value == "sum":
        raise PolicyError("Whole words need their ends: take another word value than 'sum'.")
    if word_value(said, policy) == "sum":
        raise ModelError(
            "The pieces of this model do not show where words begin, so whole words cannot be told apart: look at "
            "pieces instead."
        )
    return end_masses(said, policy)[-1]
