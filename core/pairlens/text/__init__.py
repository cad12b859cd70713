"""Typed text is not training text: what is changed before tokenization, and how that is reported.

Two steps, both named in the policy: text that was cut into tokens by an annotation tool is joined again
(`tokenised`), then typographic variants that the model has never seen are mapped to ones that it has (`typography`).
A curly apostrophe that the training text lacks costs a small model a hundred bits, and phones type nothing else.

    tokenised, typography   the two steps
    words                   which tokens belong to which word; the log-probability of a word
    lexicon                 words by class and form; the words of a text that a lexicon has, exchanged
    joining                 what joins a word to the text before it
    lexical_sets            items made of the same words
    faults                  what is no text of its author's
    spelling                a or an, elision and contraction
    languages               messages in other languages than English, and numbers as these write them
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pairlens.errors import InputError
from pairlens.policies import Policy
from pairlens.settings import settings
from pairlens.text.tokenised import detokenise, joined, looks_tokenised
from pairlens.text.typography import mapped

__all__ = [
    "Change", "Prepared", "describe", "detokenise", "looks_tokenised", "none_empty", "prepare", "unread", "visible",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of typed text, its replacement (empty if it was deleted), and how often it occurred."""

    original: str
    replacement: str
    count: int


class Prepared(NamedTuple):
    """A text as the tokenizer will see it, and its changes in order of first appearance."""

    text: str
    changes: tuple[Change, ...]


def prepare(text: str, policy: Policy, characters: str | None) -> Prepared:
    """Apply the text policy.

    `characters` are those that the model saw in training (a bundled model's card lists them), None if unknown. `auto`
    maps only characters missing from them, and nothing if they are unknown. `typographic` always maps the variants,
    but guillemets only if the model is known to lack them. `as-typed` maps nothing. The mapping is idempotent.
    """
    changes: Counter[tuple[str, str]] = Counter()
    if policy.detokenise:
        text = joined(text, policy.detokenise, changes)
    if policy.text == "typographic" or (policy.text == "auto" and characters is not None):
        text = mapped(text, characters, policy.text == "typographic", changes)
    return Prepared(text, tuple(Change(old, new, count) for (old, new), count in changes.items()))


_QUOTED = 40
_INVISIBLE = re.compile(
    "[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that nobody sees: controls, soft hyphens, joiners, directions, byte-order marks, variation selectors,
tags, and letters and signs that are blank (Hangul fillers, Khmer's inherent vowels, the empty braille pattern).
"""


def visible(text: str) -> str:
    return _INVISIBLE.sub("", text).strip()


def none_empty(texts: Sequence[Any], place: str) -> list[str]:
    """The texts; InputError, with `place` and number, for one that is empty, too long or no string, and for none."""
    most = settings().max_text_characters
    if not texts:
        raise InputError("there is no text in it", place.removesuffix(", line").removesuffix(", row"))
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str | None):
            raise InputError(f"found {str(text)[:_QUOTED]}, which is not a text", f"{place} {number}")
        if not text or not visible(text):
            raise InputError(
                "the text is empty, there is nothing to score: fill it in or leave it out", f"{place} {number}"
            )
        if len(text) > most:
            raise InputError(
                f"a text of {len(text):,} characters is longer than the {most:,} that are scored at once "
                "(PAIRLENS_MAX_TEXT_CHARACTERS)",
                f"{place} {number}",
            )
    return list(texts)


_KINDS_SHOWN = 6
"""Kinds of change that a notice names."""


def describe(changes: Iterable[Change]) -> str:
    """One plain sentence, the most frequent changes first; empty if nothing was changed.

    >>> describe([Change("’", "'", 2), Change("\\u00a0", " ", 1)])
    "’ was read as ' (2 times), no-break space as space."
    """
    counts: Counter[tuple[str, str]] = Counter()
    for change in changes:
        counts[_name(change.original), _name(change.replacement)] += change.count
    parts: list[str] = []
    for (original, replacement), count in counts.most_common(_KINDS_SHOWN):
        verb = "as" if parts else "was read as"
        parts.append(f"{original} {verb} {replacement}" + (f" ({count} times)" if count > 1 else ""))
    if len(counts) > _KINDS_SHOWN:
        parts.append(f"and {len(counts) - _KINDS_SHOWN} other kinds of change")
    return ", ".join(parts) + "." if parts else ""


def _name(text: str) -> str:
    """The text made visible: invisible characters by name, stretches with spaces in quotation marks."""
    if not text:
        return "nothing"
    if len(text) == 1:
        visible = unicodedata.category(text) not in ("Zs", "Zl", "Zp", "Cf", "Cc")
        return text if visible else unicodedata.name(text, "control character").lower()
    if unicodedata.normalize("NFC", text) != text:
        return f"{text} (accents as separate characters)"
    return f'"{text}"' if " " in text else text


_NO_SIGNS = ("M", "Z", "C")
"""Categories without signs of their own: combining marks, spaces, controls."""


def unread(texts: Iterable[str], policy: Policy, card: Mapping[str, object]) -> str:
    """The signs of these texts that the training text lacked, sorted; empty if the card does not tell.

    Variants that the text policy replaces do not count, nor do capital letters for a model of lower case.
    """
    if "characters" not in card:
        return ""
    known = str(card["characters"])
    characters = "".join(sorted(set().union(*texts)))
    prepared = prepare(characters, policy.but(detokenise=""), known).text
    lower = bool(card.get("lower_case"))
    strange = {sign for sign in prepared if not set(sign.lower() if lower else sign) <= set(known)}
    return "".join(sorted(sign for sign in strange if unicodedata.category(sign)[0] not in _NO_SIGNS))


def n_shared(sequence: Sequence[object], other: Sequence[object]) -> int:
    """How many elements, such as words or tokens, both begin with."""
    pairs = zip(sequence, other, strict=False)
    return next((n for n, (one, another) in enumerate(pairs) if one != another), min(len(sequence), len(other)))
