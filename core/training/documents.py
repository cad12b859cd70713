"""The documents that a training reads: the sequences of a text, sampled, and some of them held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import InputError
from core.training.corpus import read_corpus

HELD_OUT = 20
"""Without validation text, one document in this many is held out."""


@dataclass(frozen=True, slots=True)
class Documents:
    """Texts to train on and texts to measure on; `held_out`: both are from the same file."""

    training: list[str]
    validation: list[str]
    held_out: bool = False

    def written(self, *, lower_case: bool, leading_space: bool) -> Documents:
        """The same documents in lower case, and after a space, if requested."""
        training, validation = (
            [" " * leading_space + (text.lower() if lower_case else text) for text in texts]
            for texts in (self.training, self.validation)
        )
        return Documents(training, validation, self.held_out)


def repeated(validation: Sequence[str], training: Sequence[str]) -> str:
    """A warning if validation texts are also in the training text; empty if none is."""
    known = set(training)
    if not (n := sum(text in known for text in validation)):
        return ""
    if n == len(validation):
        return "The validation text is in the training text: its perplexity says nothing about other text."
    return (
        f"{n:,} of {len(validation):,} sequences of the validation text are in the training text too: "
        "on other text the perplexity may be much higher."
    )


def sampled(documents: Sequence[str], fraction: float, seed: int) -> list[str]:
    """The documents shuffled with the seed, and of these the first fraction, at least one."""
    order = np.random.default_rng(seed).permutation(len(documents))
    return [documents[index] for index in order[: max(1, int(fraction * len(documents)))]]


def documents_of(training: Path, validation: Path | None, column: str, fraction: float, seed: int) -> Documents:
    """The documents of files, both sampled; without a validation file a part of the text is held out."""
    texts = sampled(read_corpus([training], column).sequences, fraction, seed)
    if validation is not None:
        return Documents(texts, sampled(read_corpus([validation], column).sequences, fraction, seed))
    return held_out(texts, training.name)


def held_out(texts: Sequence[str], name: str) -> Documents:
    """The documents of the text `name`, some of them held out; InputError if there is only one."""
    if len(texts) < 2:
        raise InputError("one document only, of which none can be held out: name a validation file.", name)
    cut = max(1, len(texts) // HELD_OUT)
    return Documents([*texts[cut:]], [*texts[:cut]], held_out=True)
