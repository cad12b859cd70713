"""A template's text as pieces: literal text, slots for words, and choices between conditions.

The notation is described in docs/commands.md. Slots may hold choices and choices may hold slots:
`{person[side: same=@head|other=@head!number]}` is read as a choice between two slots of one word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from pairlens.analysis.experiment import EXPECTED, UNEXPECTED
from pairlens.errors import InputError, unknown
from pairlens.text.lexicon import DIMENSIONS

COMPARISON = "comparison"
"""The factor whose levels are the two sentences of a pair."""
REGION = "*"
MOST_CHARACTERS = 2_000
MOST_CHOICES = 6
"""In one slot: each of them multiplies its variants."""

_PIECE = re.compile(r"\{(?:[^{}\[\]]|\[[^{}\[\]]*\])*\}|\[(?:[^{}\[\]]|\{[^{}\[\]]*\})*\]|[^{}\[\]]+|.", re.DOTALL)
_BAR_OUTSIDE = re.compile(r"\|(?![^{]*\})")
_FACTOR = re.compile(r"\s*([^\W\d]\w*)\s*:(.*)", re.DOTALL)
_LEVEL = re.compile(r"\s*([^{}=]*?)\s*=(.*)", re.DOTALL)
_SLOT = re.compile(
    r"\s*(?:(?P<name>\w+)\s*=\s*)?(?P<classes>[\w./]+)\s*(?::(?P<features>[\w\s/]+))?"
    r"(?:@\s*(?P<agrees>\w+)\s*(?:!\s*(?P<but>\w+))?)?\s*"
)


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a word of the lexicon.

    Slots with the same `key` hold the same word, from `classes` (as in `Lexicon.select`), in the form with these
    `features`: each is one feature or several that alternate between items. Otherwise the form agrees with the word
    whose key is `agrees`, `but` with the opposite number or gender. `source` is the slot as written.
    """

    source: str
    key: str
    classes: tuple[tuple[str, ...], ...]
    features: tuple[tuple[str, ...], ...] = ()
    agrees: str = ""
    but: str = ""


@dataclass(frozen=True, slots=True)
class Alternatives:
    """The pieces by level of a factor, or by sentence of a pair."""

    factor: str
    levels: Mapping[str, tuple[Piece, ...]]


Piece = str | Slot | Alternatives


def parse(text: str) -> tuple[Piece, ...]:
    """The pieces of a template in order. Raises InputError that quotes what cannot be read."""
    if len(text) > MOST_CHARACTERS:
        refuse(f"a template has {MOST_CHARACTERS:,} characters at most, this one has {len(text):,}.")
    return _Reader().read(text)


def alternatives(pieces: tuple[Piece, ...]) -> Iterator[Alternatives]:
    for piece in pieces:
        if isinstance(piece, Alternatives):
            yield piece
            for level in piece.levels.values():
                yield from alternatives(level)


@dataclass
class _Reader:
    """Reads from left to right; `names` are the named words so far, with their classes."""

    names: dict[str, str] = field(default_factory=dict)
    slots: int = 0

    def read(self, text: str) -> tuple[Piece, ...]:
        pieces: list[Piece] = []
        for match in _PIECE.finditer(text):
            source = match.group()
            if source in ("{", "}", "[", "]"):
                near = text[max(0, match.start() - 15) : match.start() + 25].strip()
                refuse(f"'{source}' at character {match.start() + 1} has no counterpart, near '{near}'.")
            if source[0] == "{":
                self.slots += 1
                pieces.append(self._slot(source[1:-1]))
            elif source[0] == "[":
                factor, levels = _levels(source, _BAR_OUTSIDE.split(source[1:-1]))
                pieces.append(Alternatives(factor, {level: self.read(text) for level, text in levels.items()}))
            elif "|" in source:
                refuse("a bar outside braces and brackets: mark the region by asterisks, *so*.", source.strip())
            else:
                pieces.append(source)
        return tuple(pieces)

    def _slot(self, inner: str) -> Piece:
        """A slot, or alternative slots if it contains a choice or a bar."""
        source = f"{{{inner}}}"
        if inner.count("[") > MOST_CHOICES:
            refuse(f"a slot has {MOST_CHOICES} choices at most.", source)
        if choice := re.search(r"\[[^\]]*\]", inner):
            before, after = inner[: choice.start()], inner[choice.end() :]
            factor, levels = _levels(choice.group(), choice.group()[1:-1].split("|"))
            return Alternatives(factor, {name: (self._slot(before + text + after),) for name, text in levels.items()})
        if "|" in inner:
            factor, levels = _levels(source, inner.split("|"))
            return Alternatives(factor, {name: (self._slot(text),) for name, text in levels.items()})
        if not (match := _SLOT.fullmatch(inner)):
            refuse("expected a class of words such as {noun}, {verb.motion:past} or {head=person:sg/pl}.", source)
        name, classes, features, agrees, but = (text or "" for text in match.group(*match.groupdict()))
        if but and but not in DIMENSIONS:
            refuse(unknown("way to disagree", but, DIMENSIONS), source)
        if name and self.names.setdefault(name, classes) != classes:
            refuse(f"'{name}' is already the name of another word, {{{name}={self.names[name]}}}.", source)
        known = name or (classes if classes in self.names else "")
        return Slot(
            source,
            known or f"{self.slots} {classes}",
            tuple(tuple(part.split("/")) for part in (self.names[known] if known else classes).split(".")),
            tuple(tuple(feature.split("/")) for feature in features.split()),
            agrees,
            but,
        )


def _levels(source: str, texts: list[str]) -> tuple[str, dict[str, str]]:
    """Factor and text by level of a choice: `comma: with=,|without=`, or `is|are`, the expected one first."""
    factor = _FACTOR.fullmatch(texts[0]) if source[0] == "[" else None
    if not factor:
        if len(texts) != 2:
            refuse(f"expected two forms, the expected one and the other; found {len(texts)}.", source)
        return COMPARISON, dict(zip((EXPECTED, UNEXPECTED), texts, strict=True))
    levels: dict[str, str] = {}
    for text in [factor.group(2), *texts[1:]]:
        label = _LEVEL.fullmatch(text)
        level, content = label.groups() if label else (text.strip(), text)
        if not level or level in levels:
            refuse("every level needs a name of its own, as in [comma: with=,|without=].", source)
        levels[level] = content
    if len(levels) < 2:
        refuse("a factor has two levels or more, as in [comma: with=,|without=].", source)
    if factor.group(1) in RESERVED:
        refuse(f"a factor cannot be called '{factor.group(1)}': the table has a column of that name.", source)
    return factor.group(1), levels


RESERVED = ("sentid", "pairid", "item", COMPARISON, "sentence", "ROI")
"""Columns of the table of sentences: no factor can have these names."""


def refuse(why: str, source: str = "") -> NoReturn:
    """InputError that says where in the template."""
    raise InputError(why, f"Template, {source}" if source else "Template")
