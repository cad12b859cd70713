"""How well a model's tokenizer covers texts, which explains much of its accuracy in a language."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.models import resolve
from core.models.unreadable import given_texts, letters_of, tokenizer_of, why_unreadable
from core.policies import Policy
from core.text.words import word_spans
from core.types import Model


@dataclass(frozen=True, slots=True)
class Coverage:
    """Tokens per word, the share of letters that the model has never read, and why it cannot read the texts.

    A word is what word values are made for (`core.text.words`): a character of Chinese and Japanese, which have no
    spaces. `tokens` is NaN without a tokenizer's file, `unread` is empty where nothing speaks against the model.
    """

    tokens: float
    unknown: float
    unread: str


def coverage(texts: Sequence[str], policy: Policy, model: Model) -> Coverage:
    """What `Coverage` says, of these texts; only the tokenizer is read."""
    base = resolve.base_of(model)
    given = given_texts(texts, policy, base)
    letters, never = letters_of(given, policy, base)
    opened = tokenizer_of(base)
    words = sum(len(word_spans(text)) for text in given)
    tokens = math.nan
    if opened and words:
        tokens = sum(len(opened.encode(text, add_special_tokens=False).ids) for text in given) / words
    unknown = sum(sign in never for sign in letters) / len(letters) if letters else math.nan
    return Coverage(tokens, unknown, str(why_unreadable(texts, policy, model)))
