"""The gallery: worked examples, what is expected of each, and what the bundled models answer.

`data/gallery/gallery.toml` was written by hand. `python -m workshop.gallery --score` wrote `measured.json` and
`scores/`, an ordinary store that ships with Pairlens, so that the first page needs no model.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pairlens import measures
from pairlens.errors import InputError
from pairlens.places import bundled
from pairlens.studies.compare.pair import Comparison
from pairlens.studies.compare.typed import SentencePair
from pairlens.studies.compare.wording import agreement, amount

FOLDER = bundled("gallery")
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


def margins(example: WorkedExample, comparisons: Sequence[Comparison]) -> tuple[float, ...]:
    """A's lead in each pair, in bits: of the sentence as a whole, or at the word that the example names."""
    if not example.at:
        return tuple(measures.bits(comparison.margin) for comparison in comparisons)
    return tuple(_margin_at(word, comparison) for word, comparison in zip(example.at, comparisons, strict=True))


def _margin_at(word: str, comparison: Comparison) -> float:
    frame = comparison.contrast.frame
    return float(frame.loc[(frame["word_a"] == word) & (frame["word_b"] == word), "difference_bits"].iloc[0])


def verdict(expected: str, leads: Sequence[float]) -> bool | None:
    """Whether these leads of A (any unit) are as expected; None where both sentences are fine."""
    if expected == "none":
        return None
    if expected == "interaction":
        return leads[0] > leads[1]
    return all(lead > 0 for lead in leads) if expected == "A" else all(lead < 0 for lead in leads)


def _example(entry: Mapping[str, Any], measured: Mapping[str, Any]) -> WorkedExample:
    if entry["expected"] not in EXPECTATIONS:
        raise InputError(f"expected is '{entry['expected']}', not one of {EXPECTATIONS}", f"gallery, {entry['id']}")
    results = {name: Measured(tuple(result["margins"]), result["right"]) for name, result in measured.items()}
    pairs = tuple((a, b) for a, b in entry["pairs"])
    return WorkedExample(**{**entry, "pairs": pairs, "at": tuple(entry.get("at", ()))}, measured=results)


def outcome(example: WorkedExample, comparisons: Sequence[Comparison]) -> str:
    """The result of a model as a sentence."""
    name = comparisons[0].recipe.model.name
    leads = margins(example, comparisons)
    right = verdict(example.expected, leads)
    where = f"At {' and '.join(dict.fromkeys(example.at))}, " if example.at else ""
    if example.expected == "interaction":
        first, second = (
            f"{'A' if lead > 0 else 'B'} by {amount(measures.nats(abs(lead)), 'bits')}" for lead in leads
        )
        end = "as expected" if right else "against expectation"
        return f"{where}{name} prefers {first} in the first pair and {second} in the second, {end}."
    return where + agreement(name, right, example.expected, example.language)


def measured(example: WorkedExample, model_name: str) -> str:
    """The result of a bundled model in a few words; empty if it was not measured."""
    result = example.measured.get(model_name)
    if result is None:
        return ""
    by = min(abs(margin) for margin in result.margins)
    if example.expected == "interaction":
        by = abs(result.margins[0] - result.margins[1])
    size = amount(measures.nats(by), "bits")
    return {True: f"as expected, by {size}", False: f"goes wrong, by {size}", None: f"{size} apart"}[result.right]
