"""Characters that a model has never read: its scores for words with them mean little."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from core.policies import Policy
from core.text import prepare

_NO_SIGNS = ("M", "Z", "C")
"""Categories without signs of their own: combining marks, spaces, controls."""


def unread(texts: Iterable[str], policy: Policy, card: Mapping[str, object]) -> str:
    """The signs of these texts that the training text lacked, sorted; empty if the card does not tell.

    Variants that the text policy replaces do not count, nor do capital letters for a model of lower case.
    """
    if "characters" not in card:
        return ""
    known = str(card["characters"])
    given = "".join(sorted(set().union(*texts)))
    seen = prepare(given, policy.but(detokenise=""), known).text
    lower = bool(card.get("lower_case"))
    strange = {sign for sign in seen if not set(sign.lower() if lower else sign) <= set(known)}
    return "".join(sorted(sign for sign in strange if unicodedata.category(sign)[0] not in _NO_SIGNS))
