"""Map typographic variants to characters that a model has seen."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

_GUILLEMETS = "«»‹›"

_VARIANTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys("’‘‛ʼ′´＇", ("'", "’")),
    **dict.fromkeys("“”„‟″＂", ('"',)),
    **dict.fromkeys(_GUILLEMETS, ('"',)),
    **dict.fromkeys("\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))), (" ",)),
    **dict.fromkeys("\u00ad\u200b\u2060\ufeff", ("",)),
    **{ligature: (unicodedata.normalize("NFKC", ligature),) for ligature in "ﬀﬁﬂﬃﬄﬅﬆ"},
    **dict.fromkeys("‐‑–−", ("-",)),
    **dict.fromkeys("—―", ("--",)),
    "…": ("...",),
}
"""The replacements of each variant, best first: the first that the model has seen is taken."""

_CHUNK = re.compile(r"\S+")


def mapped(text: str, characters: str | None, always: bool, changes: Counter[tuple[str, str]]) -> str:
    """The text with typographic variants replaced, and composed (NFC); counts each replacement in `changes`.

    A variant is replaced if `characters` lack it; with `always` any but a guillemet is. A replacement needs all its
    characters in `characters`, if these are known. A guillemet takes the space inside with it (« oui » becomes
    "oui"). Accents as separate characters are composed on the same terms.
    """
    if text.isascii():
        return text
    pattern, replacements = _table(characters, always)

    def replace(match: re.Match[str]) -> str:
        variant = match.group().strip() or match.group()
        changes[variant, replacements[variant]] += 1
        return replacements[variant]

    def compose(match: re.Match[str]) -> str:
        sequence = match.group()
        composed = unicodedata.normalize("NFC", sequence)
        if composed == sequence or (not always and characters is not None and set(sequence) <= set(characters)):
            return sequence
        changes[sequence, composed] += 1
        return composed

    if replacements:
        text = pattern.sub(replace, text)
    return text if unicodedata.is_normalized("NFC", text) else _CHUNK.sub(compose, text)


def replacements(characters: str | None) -> Mapping[str, str]:
    """What `mapped` writes for each variant, for a model with these characters, under the text policy `auto`."""
    return _table(characters, False)[1]


@lru_cache(maxsize=64)
def _table(characters: str | None, always: bool) -> tuple[re.Pattern[str], dict[str, str]]:
    """The replacement of each variant for a model with these characters (None: unknown), and a pattern for them."""
    seen = None if characters is None else frozenset(characters) | {" "}
    replacements = {}
    for variant, candidates in _VARIANTS.items():
        known = variant in seen if seen is not None else variant in _GUILLEMETS
        usable = [c for c in candidates if c != variant and (seen is None or seen.issuperset(c))]
        if usable and not (known and (variant in _GUILLEMETS or not always)):
            replacements[variant] = usable[0]
    spaced = {"«": r"«\s?", "»": r"\s?»", "‹": r"‹\s?", "›": r"\s?›"}
    alternatives = [spaced.get(variant, re.escape(variant)) for variant in replacements]
    return re.compile("|".join(alternatives)), replacements
