"""The worked examples, read from `data/gallery`: what was written by hand, and what was measured."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.settings import ROOT
from core.studies.compare.typed import SentencePair

FOLDER = ROOT / "data" / "gallery"
EXPECTATIONS = ("A", "B", "interaction", "none")
OPENING = "en"
"""The language of the pair that opens the page, where the model's is not known or has no example."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The result of a model: A's lead in each pair, in bits, and whether that is as expected.

    `right` is None where both sentences are fine.
    """

    margins: tuple[float, ...]
    right: bool | None


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """One worked example: pairs of sentences (A, B), the phenomenon, what is expected, a note for teachers.

    `expected` is `A`, `B`, `interaction` (A's lead is larger in the first pair than in the second) or `none`. `at`
    names the word of each pair at which A should lead; empty for the sentence as a whole. `measured` has the results
    by bundled model, of those that have read the `language`.
    """

    id: str
    title: str
    phenomenon: str
    pairs: tuple[SentencePair, ...]
    expected: str
    note: str
    reference: str
    language: str = OPENING
    at: tuple[str, ...] = ()
    measured: Mapping[str, Measured] = field(default_factory=dict)


def examples(folder: Path = FOLDER) -> tuple[WorkedExample, ...]:
    """All examples in order of appearance, with what was measured. Raises InputError for a malformed entry."""
    entries = tomllib.loads((folder / "gallery.toml").read_text(encoding="utf-8"))["example"]
    path = folder / "measured.json"
    measured = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return tuple(_example(entry, measured.get(entry["id"], {})) for entry in entries)


def languages_of(card: Mapping[str, Any], among: Sequence[WorkedExample]) -> tuple[str, ...]:
    """The languages that a model with this card has read and that have examples; English where there is none."""
    known = {example.language for example in among}
    return tuple(code for code in str(card.get("language", "")).split() if code in known) or (OPENING,)


def first_in(language: str, among: Sequence[WorkedExample]) -> WorkedExample:
    """The example of a language that opens the page."""
    return next(example for example in among if example.language == language)


def find(pairs: Sequence[SentencePair], among: Sequence[WorkedExample]) -> WorkedExample | None:
    """The example that consists of these pairs, if there is one."""
    return next((example for example in among if example.pairs == tuple(pairs)), None)


def verdict(expected: str, margins: Sequence[float]) -> bool | None:
    """Whether these margins (A minus B, any unit) are as expected; None where both sentences are fine."""
    if expected == "none":
        return None
    if expected == "interaction":
        return margins[0] > margins[1]
    return all(margin > 0 for margin in margins) if expected == "A" else all(margin < 0 for margin in margins)


def _example(entry: Mapping[str, Any], measured: Mapping[str, Any]) -> WorkedExample:
    if entry["expected"] not in EXPECTATIONS:
        raise InputError(f"expected is '{entry['expected']}', not one of {EXPECTATIONS}", f"gallery, {entry['id']}")
    results = {name: Measured(tuple(result["margins"]), result["right"]) for name, result in measured.items()}
    pairs = tuple((a, b) for a, b in entry["pairs"])
    return WorkedExample(**{**entry, "pairs": pairs, "at": tuple(entry.get("at", ()))}, measured=results)
