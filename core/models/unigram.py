"""Word counts: the language model without context, and the baseline every model should beat."""

from __future__ import annotations

import re

WORD = re.compile(r"\w+(?:[^\w\s]+\w+)*|[^\w\s]")
"""A word with the marks inside it ("don't", "well-known"), or one mark by itself."""


def split_words(text: str) -> list[str]:
    """Lower-cased words, with every leading and trailing mark a token of its own.

    >>> split_words('"Don\\'t stop," he said.')
    ['"', "don't", 'stop', ',', '"', 'he', 'said', '.']
    """
    return WORD.findall(text.lower())
