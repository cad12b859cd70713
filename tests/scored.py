"""Scores as a scorer would report them, out of given log-probabilities: for what is stored, without a model."""

from __future__ import annotations

import math

from pairlens.store.parts import Scored
from pairlens.store.runs import ItemRow
from pairlens.types import TokenScores

FINGERPRINT = "f" * 64


def scores(*logprobs: float, ends: bool = False) -> TokenScores:
    """Tokens of one character with a space before each; `ends`: with the log masses of what ends a word."""
    n = len(logprobs)
    return TokenScores(
        tokens=tuple(f"Ġ{i}" for i in range(n)),
        ids=tuple(range(n)),
        logprobs=logprobs,
        spans=tuple((2 * i, 2 * i + 1) for i in range(n)),
        boundary_logprobs=(-1.0,) * n + (-0.5,) if ends else None,
        eos_logprobs=(-2.0,) * n + (math.nan,) if ends else None,
        punctuation_logprobs=(-3.0,) * (n + 1) if ends else None,
    )


def scored(**by_key: TokenScores) -> list[Scored]:
    """One entry of a part per request key, every token a word of its own."""
    return [Scored(key, one, list(range(len(one.tokens)))) for key, one in by_key.items()]


def row(key: str, item: str = "", candidate: int = 0, **more: object) -> ItemRow:
    """A request of a candidate, by default of an item of its own; the first candidate is the good one."""
    usual = {
        "label": "bad" if candidate else "good", "gold": "good", "term": 0, "weight": 1.0, "context": "",
        "text": f"text {key}", "groups": {"UID": "u"}, "fingerprint": FINGERPRINT,
    }  # fmt: skip
    return ItemRow(item_id=item or key, candidate=candidate, request_key=key, **{**usual, **more})
