"""Characters that a model has never read: what it makes of words with them says little."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from core.policies import Policy
from core.text import prepare

_NO_SIGNS = ("M", "Z", "C")
"""Categories of what is no sign of its own: marks on letters, spaces, controls."""


def unread(texts: Iterable[str], policy: Policy, card: Mapping[str, object]) -> str:
    """The signs of these texts that a model's training text lacked, sorted; empty where its card does not say.

    Variants that the text policy replaces are read, as are capital letters by a model that has none.
    """
    if "characters" not in card:
        return ""
    known = str(card["characters"])
    given = "".join(sorted(set().union(*texts)))
    seen = prepare(given, policy.but(detokenise=""), known).text
    lower = bool(card.get("lower_case"))
    strange = {sign for sign in seen if not set(sign.lower() if lower else sign) <= set(known)}
    return "".join(sorted(sign for sign in strange if unicodedata.category(sign)[0] not in _NO_SIGNS))
