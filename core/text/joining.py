"""What joins a word to the text before it."""

from __future__ import annotations

import re
import unicodedata

from core.text.words import unspaced_letter

_ELIDED = re.compile(r"(?:^|[\s(«“\"'’-])(?:[cdjlmnstç]|\w*qu|entr)['’]$", re.IGNORECASE)
"""French words whose last letter an apostrophe stands for: what follows touches it."""


def joint(prefix: str, always: bool = False) -> str:
    """What joins a word to the prefix: a space, or nothing.

    Nothing at the beginning of a text. Unless words are `always` spaced, nothing either in scripts without spaces,
    after an opening bracket or quotation mark, after a dash that touches a word, and after a French elision (`l'`).
    """
    if always or not prefix:
        return " " if prefix else ""
    last, touching = prefix[-1], bool(prefix[-2:-1].strip())
    kind = unicodedata.category(last)
    opens = kind in ("Ps", "Pi") or (last in "\"'" and not touching) or (kind == "Pd" and touching)
    return "" if opens or unspaced_letter(prefix, len(prefix) - 1, -1) or _ELIDED.search(prefix) else " "
