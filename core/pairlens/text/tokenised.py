"""Recognise and join text that an annotation tool cut into tokens (`l' industrie`, `do n't`, ` .`, `<eos>`).

Released agreement data come in this form (Gulordava et al. 2018, Linzen et al. 2016, CLAMS, the French participle
sets); to a tokenizer trained on ordinary text it is a foreign language.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from pairlens.errors import PolicyError, unknown

_ELISIONS = "l|d|j|m|t|s|n|c|ç|qu|jusqu|lorsqu|puisqu|quoiqu|quelqu|presqu|entr|aujourd|grand|prud"
_CLITICS = "s|re|ve|ll|d|m"
_LOOKED_AT = 1000
"""About so many texts, evenly spread, are enough to recognise a file."""


_Rule = tuple[re.Pattern[str], str]
"""A pattern and what replaces each match; every rule shortens the text, so that repeating them ends."""


def _rule(pattern: str, replacement: str) -> _Rule:
    return re.compile(pattern, re.IGNORECASE), replacement


_ENDS = [_rule(r"(?<!\s)\s*<eos>", "")]
_BRACKETS = [
    _rule(r"-LRB-", "("), _rule(r"-RRB-", ")"), _rule(r"-LSB-", "["), _rule(r"-RSB-", "]"),
    _rule(r" @([-,.])@ ", r"\1"),
    _rule(r"([(\[{]) +(?=\S)", r"\1"), _rule(r"(?<=\S) +([)\]}])", r"\1"),
]  # fmt: skip
_QUOTES = [
    _rule(r"`` *", '"'), _rule(r"(?<! ) *(?<!')''(?!')", '"'),
    _rule(r"""(?<![^\s'’(\[])" ++([^"]*[^"\s]) +"(?=[\s.,;:!?)\]]|$)""", r'"\1"'),
    _rule(r'^" +(?=[^"\s][^"]*$)', '"'), _rule(r'^([^"]*[,:] ") +(?=[^"\s][^"]*$)', r"\1"),
    _rule(r'^([^"]*[^"\s]) +"(?=[\s.,]*$)', r'\1"'),
]  # fmt: skip
_MARKS = _rule(r"(?<=\S) +(,|\.+)(?=[\s\"')\]}]|$)", r"\1")
_RULES: dict[str, Sequence[_Rule]] = {
    "en": [
        *_ENDS,
        *_BRACKETS,
        *_QUOTES,
        _MARKS,
        _rule(r"(?<=\S) +([;:!?%]+)(?=[\s\"')\]}.,]|$)", r"\1"),
        _rule(r"(?<=\w) +(n['’]t)\b", r"\1"),
        _rule(rf"(?<=\S) +(['’](?:{_CLITICS}))(?![\w'’])", r"\1"),
        _rule(r"(?<!\S)'(\w[^']*[^'\s]) +'(?!\w)", r"'\1'"),
        _rule(r"(?<=\w) +'(?= ?[,.;:!?)]|$)", "'"),
        _rule(r"(?<=s) +'(?= )", "'"),
        _rule(r"\b(gon|wan) (na)\b", r"\1\2"),
        _rule(r"\b(got) (ta)\b", r"\1\2"),
    ],
    "fr": [
        *_ENDS,
        *_BRACKETS,
        *_QUOTES,
        _MARKS,
        _rule(rf"\b({_ELISIONS}) ?(['’]) +(?=[\w«\"(])", r"\1\2"),
        _rule(r"(?<=\w) +(-)(?=[^\W\d_])", r"\1"),
    ],
}

_SIGNS = {
    "": re.compile(r"(?:<eos>\s*$)|-[LR]RB-|``"),
    "en": re.compile(rf"\w n['’]t\b|\w ['’](?:{_CLITICS})\b(?!['’])", re.IGNORECASE),
    "fr": re.compile(
        rf"\b(?:{_ELISIONS}) ?['’] \w|\w -(?:ce|t|il|elle|ils|elles|on|je|tu|nous|vous)\b", re.IGNORECASE
    ),
}
_SPACED_MARKS = re.compile(r"\w [.,](?:\s|$)")
_COMMON_WORDS = {
    "en": re.compile(r"\b(?:the|of|and|is|are|was|were|to|that|with|for|it|in)\b"),
    "fr": re.compile(r"\b(?:le|la|les|des|est|et|une|un|dans|qui|que|du|au|pas|ne|sont|en)\b"),
    "it": re.compile(r"\b(?:il|lo|gli|di|del|della|dei|che|è|e|non|con|una|sono|nel|alla)\b"),
}
"""Italian is listed so that it is not taken for French, which elides like it."""


def looks_tokenised(texts: Iterable[str]) -> str:
    """The language (`en`, `fr`) of the rules that join texts cut into tokens; empty if these texts were not.

    Signs that nobody types (a space after an elision, before n't, an <eos>) must be in one text in twenty, a space
    before a full stop or comma in every other one.
    """
    filled = [text for text in texts if text.strip()]
    sample = filled[:: -(-len(filled) // _LOOKED_AT) or 1]
    counts = {sign: sum(bool(pattern.search(text)) for text in sample) for sign, pattern in _SIGNS.items()}
    spaced = sum(bool(_SPACED_MARKS.search(text)) for text in sample)
    if not sample or (20 * max(counts.values()) < len(sample) and 2 * spaced < len(sample)):
        return ""
    language = _language(sample) or ("en" if counts["en"] > counts["fr"] else "fr" if counts["fr"] else "")
    return language if language in _RULES else ""


def _language(sample: Sequence[str]) -> str:
    """The language whose commonest words are most frequent here; empty if they are less than a tenth."""
    counts = {
        language: sum(len(common.findall(text.lower())) for text in sample)
        for language, common in _COMMON_WORDS.items()
    }
    best = max(counts, key=counts.__getitem__)
    return best if 10 * counts[best] >= sum(len(text.split()) for text in sample) else ""


def detokenise(text: str, language: str) -> str:
    """The text as it would be written, by the rules of a language (`en`, `fr`). The function is idempotent.

    English marks join the word before them; in French only full stop and comma do, since `?`, `!`, `:` and `;` keep
    their space. Straight double quotes are joined in pairs. A hyphen between spaces is left: it may be a dash.
    """
    return joined(text, language, Counter())


def joined(text: str, language: str, changes: Counter[tuple[str, str]]) -> str:
    """The same, counting each replacement in `changes`."""
    if language not in _RULES:
        raise PolicyError(unknown("language of tokenised text", language, _RULES))
    before = None
    while before != text:
        before = text
        for pattern, replacement in _RULES[language]:

            def replace(match: re.Match[str], replacement: str = replacement) -> str:
                new = match.expand(replacement)
                changes[match.group(), new] += 1
                return new

            text = pattern.sub(replace, text)
    return text
