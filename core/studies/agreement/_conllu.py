"""Parsed sentences in CoNLL-U (universaldependencies.org/format.html), as far as agreement needs them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.files.tables import read_lines

_FIELDS = 10


@dataclass(frozen=True, slots=True)
class Token:
    """A syntactic word. `place` is that of its written word, from 0; `contracted` if others share that word."""

    id: int
    form: str
    lemma: str
    upos: str
    features: Mapping[str, str]
    head: int
    relation: str
    place: int
    contracted: bool


@dataclass(frozen=True, slots=True)
class Parse:
    """A sentence: its words as written (*du*, not *de* and *le*), and its syntactic words in order."""

    words: tuple[str, ...]
    tokens: tuple[Token, ...]


def read_parses(path: Path) -> dict[tuple[str, ...], Parse]:
    """The sentences of a .conllu file, also as .gz or .xz, by their words; InputError with the line that is wrong."""
    return {parse.words: parse for parse in _sentences(path)}


def _sentences(path: Path) -> Iterator[Parse]:
    block: list[tuple[str, Sequence[str]]] = []
    for number, line in enumerate([*read_lines(path), ""], start=1):
        if line.startswith("#"):
            continue
        if line.strip():
            block.append((f"{path.name}, line {number}", line.split("\t")))
        elif block:
            yield _parse(block)
            block = []


def _parse(block: Sequence[tuple[str, Sequence[str]]]) -> Parse:
    words: list[str] = []
    tokens: list[Token] = []
    last_contracted = 0
    for where, fields in block:
        if len(fields) != _FIELDS:
            raise InputError(f"found {len(fields)} columns, expected the {_FIELDS} of CoNLL-U.", where)
        first, _, last = fields[0].partition("-")
        try:
            if last:
                words.append(fields[1])
                last_contracted = int(last)
            elif "." not in first:  # empty nodes are not words
                contracted = int(first) <= last_contracted
                if not contracted:
                    words.append(fields[1])
                tokens.append(_token(fields, len(words) - 1, contracted))
        except ValueError:
            raise InputError("the columns ID, HEAD and FEATS are not those of CoNLL-U.", where) from None
    return Parse(tuple(words), tuple(tokens))


def _token(fields: Sequence[str], place: int, contracted: bool) -> Token:
    identifier, form, lemma, upos, _, features, head, relation, *_ = fields
    pairs = [] if features == "_" else [feature.split("=", 1) for feature in features.split("|")]
    return Token(
        int(identifier), form, lemma, upos, dict(pairs), int(head) if head != "_" else 0, relation, place, contracted
    )  # fmt: skip
