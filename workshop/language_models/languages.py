"""Which sentences of a language are worth training on: by their characters, ends and archaic words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

SHORTEST, LONGEST = 4, 40
"""Words (split at white space) of a sentence that is kept, both ends included."""


@dataclass(frozen=True)
class Language:
    """`allowed` matches a whole sentence, `starts` its beginning, `ends` its end; `archaic` may not occur in it."""

    code: str
    name: str
    allowed: re.Pattern[str]
    starts: re.Pattern[str]
    ends: re.Pattern[str]
    archaic: re.Pattern[str] | None = None

    def wants(self, sentence: str) -> bool:
        """True for a complete modern sentence of `SHORTEST` to `LONGEST` words."""
        return (
            SHORTEST <= sentence.count(" ") + 1 <= LONGEST
            and self.allowed.fullmatch(sentence) is not None
            and self.starts.match(sentence) is not None
            and self.ends.search(sentence) is not None
            and (self.archaic is None or self.archaic.search(sentence) is None)
        )


ENGLISH = Language(
    "en",
    "English",
    re.compile(r"""[A-Za-z0-9 .,;:!?'"()$%&£éèêàâçôûîïöüæœÉÀÇÆ/-]+"""),
    re.compile(r"""["'(]{0,2}[A-Z0-9É]"""),
    re.compile(r"""[A-Za-z0-9é%)'][.!?]{1,3}["')]{0,2}$"""),
    re.compile(
        r"\b(thou|thee|thy|thine|thyself|ye|hath|doth|hast|dost|didst|hadst|wast|wert|shalt|wilt|canst"
        r"|mayst|wouldst|shouldst|couldst|saith|cometh|goeth|maketh|giveth|quoth|'tis|'twas|whilst"
        r"|methinks|forsooth|prithee)\b",
        re.IGNORECASE,
    ),
)
FRENCH = Language(
    "fr",
    "French",
    re.compile(r"""[A-Za-z0-9 .,;:!?'"()%&«»àâäçéèêëîïôöùûüÿæœÀÂÇÉÈÊËÎÏÔÙÛŒÆ-]+"""),
    re.compile(r"""(?:- |[«"'(] ?)?[A-Z0-9ÀÂÇÉÈÊÎÔŒ]"""),
    re.compile(r"""[A-Za-z0-9àâçéèêëîïôùû%)'»] ?[.!?]{1,3}(?: ?[»")])?$"""),
)
PORTUGUESE = Language(
    "pt",
    "Portuguese",
    re.compile(r"""[A-Za-z0-9 .,;:!?'"()%&àáâãçéêíóôõúÀÁÂÃÇÉÊÍÓÔÕÚ-]+"""),
    re.compile(r"""(?:- |["'(])?[A-Z0-9ÀÁÂÃÉÊÍÓÔÚ]"""),
    re.compile(r"""[A-Za-z0-9àáâãçéêíóôõú%)'][.!?]{1,3}["')]?$"""),
)
LANGUAGES: Mapping[str, Language] = MappingProxyType({one.code: one for one in (ENGLISH, FRENCH, PORTUGUESE)})
