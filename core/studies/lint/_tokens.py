"""How many tokens a model cuts a text into, and how many it sees at once, without loading its weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from core.models.loading import load_tokenizer, load_window
from core.models.unigram import split_words
from core.models.vocabulary import reads_whole_words
from core.types import Model


class TokenCounter(NamedTuple):
    """`tokens` returns the number of tokens of a text, without special ones.

    `window` is the most tokens of a text that the model sees at once, special ones aside; None without a limit.
    `whole_words`: its tokens are the words between white space.
    """

    tokens: Callable[[str], int]
    window: int | None
    whole_words: bool


def token_counter(model: Model) -> TokenCounter:
    """The tokens of a model; for word counts, words and marks. ModelError if its files are missing or damaged."""
    if model.kind == "unigram":
        return TokenCounter(lambda text: len(split_words(text)), None, False)
    tokenizer = load_tokenizer(model)
    around = max(len(tokenizer.before) + len(tokenizer.after), 1)

    def tokens(text: str) -> int:
        return len(tokenizer.backend.encode(text, add_special_tokens=False).ids)

    return TokenCounter(tokens, load_window(model) - around, reads_whole_words(model))
