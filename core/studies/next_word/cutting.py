"""Tokenise a prefix a few words at a time, so that the prefixes of one text share the work."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain

from core.types import Tokenizer

_STRETCH = re.compile(r".{128,}?(?<=[^\W\d_])(?= [^\W\d_])|.+", re.DOTALL)
"""Up to a space between two letters, where neither side affects how the other is cut."""


def stretches(tokenizer: Tokenizer, text: str) -> list[str]:
    """A text in parts whose tokens concatenate to the text's; one part where the tokenizer ignores spaces."""
    return _STRETCH.findall(text) if _apart(tokenizer) else [text]


def cut(tokenizer: Tokenizer, text: str) -> tuple[int, ...]:
    """The ids of a text's tokens."""
    return tuple(chain.from_iterable(_ids(tokenizer, one) for one in stretches(tokenizer, text)))


@lru_cache(maxsize=4096)
def _ids(tokenizer: Tokenizer, text: str) -> tuple[int, ...]:
    return tuple(tokenizer.backend.encode(text, add_special_tokens=False).ids)


@lru_cache(maxsize=8)
def _apart(tokenizer: Tokenizer) -> bool:
    """Whether a space and the letters after it are cut independently of what comes before."""
    before = tokenizer.backend.pre_tokenizer
    return (
        before is not None
        and len(before.pre_tokenize_str("a b")) > 1
        and _ids(tokenizer, "a b a") == _ids(tokenizer, "a") + _ids(tokenizer, " b") + _ids(tokenizer, " a")
    )
