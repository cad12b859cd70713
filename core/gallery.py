"""The gallery: worked examples in our own words, what is expected of each, and what the bundled models did.

`data/gallery/gallery.toml` is written by hand. `python -m core.gallery --score` scores it with the bundled models and
writes `measured.json` and `scores/`, an ordinary store that ships with Pairlens: the first page is answered from it,
without loading a model.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core import measures, models
from core.analysis.multiverse import policies_for
from core.comparison import Comparison, compare
from core.comparison.typed import Pair
from core.errors import InputError
from core.evaluate import plan
from core.identity import request_key
from core.policies import Policy
from core.recipe import Recipe
from core.scorers import SCORERS, default_for
from core.scoring import score_missing
from core.settings import ROOT
from core.store import Store
from core.tasks import TASKS
from core.types import Extras, Model, Request

FOLDER = ROOT / "data" / "gallery"
EXPECTATIONS = ("A", "B", "interaction", "none")


@dataclass(frozen=True, slots=True)
class Measured:
    """What a model did: how far A is ahead in each pair, in bits, and whether that is what was expected.

    `right` is None where both sentences are fine.
    """

    margins: tuple[float, ...]
    right: bool | None


@dataclass(frozen=True, slots=True)
class Example:
    """One worked example: pairs of sentences (A, B), the phenomenon, what is expected, a note for teachers.

    `expected` is `A`, `B`, `interaction` (A is further ahead in the first pair than in the second) or `none`.
    `at` names the word of each pair at which A should be ahead, where that is not the sentence as a whole. `measured`
    is by name of the bundled model.
    """

    id: str
    title: str
    phenomenon: str
    pairs: tuple[Pair, ...]
    expected: str
    note: str
    reference: str
    at: tuple[str, ...] = ()
    measured: Mapping[str, Measured] = field(default_factory=dict)


def examples(folder: Path = FOLDER) -> tuple[Example, ...]:
    """All examples in order of appearance, with what was measured. Raises InputError for a malformed entry."""
    entries = tomllib.loads((folder / "gallery.toml").read_text(encoding="utf-8"))["example"]
    path = folder / "measured.json"
    measured = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return tuple(_example(entry, measured.get(entry["id"], {})) for entry in entries)


def find(pairs: Sequence[Pair], among: Sequence[Example]) -> Example | None:
    """The example that consists of these pairs, if there is one."""
    return next((example for example in among if example.pairs == tuple(pairs)), None)


def verdict(expected: str, margins: Sequence[float]) -> bool | None:
    """Whether these margins (A minus B, any unit) are what was expected; None where both sentences are fine."""
    if expected == "none":
        return None
    if expected == "interaction":
        return margins[0] > margins[1]
    return all(margin > 0 for margin in margins) if expected == "A" else all(margin < 0 for margin in margins)


def margins(example: Example, answers: Sequence[Comparison]) -> tuple[float, ...]:
    """How far A is ahead in each pair, in bits: as a whole, or at the word that the example names."""
    if not example.at:
        return tuple(measures.bits(one.margin) for one in answers)
    return tuple(_margin_at(word, one) for word, one in zip(example.at, answers, strict=True))


def _margin_at(word: str, answer: Comparison) -> float:
    frame = answer.contrast.frame
    return float(frame.loc[(frame["word_a"] == word) & (frame["word_b"] == word), "difference_bits"].iloc[0])


def measure(some: Sequence[Example], recipe: Recipe, store: Store) -> list[Measured]:
    """Score these examples' sentences where the store lacks them, all at once, and say how each came out."""
    requests = [recipe.request(Request("", text)) for example in some for pair in example.pairs for text in pair]
    keyed = {request_key(recipe.fingerprint, request): request for request in requests}
    for _ in score_missing(keyed, recipe, store, extras=Extras(boundary=True)):
        continue
    found = [margins(example, compare(example.pairs, recipe, store)) for example in some]
    return [Measured(own, verdict(example.expected, own)) for example, own in zip(some, found, strict=True)]


def score(scored_by: Sequence[Model], folder: Path = FOLDER) -> None:
    """Score all examples from nothing, the opening one under all policies too, and write what was measured."""
    shutil.rmtree(folder / "scores", ignore_errors=True)
    store = Store(folder, shipped=None)
    opening, *others = examples(folder)
    measured: dict[str, dict[str, Any]] = {example.id: {} for example in (opening, *others)}
    for model in scored_by:
        default = Recipe(model, SCORERS[default_for(model.kind)], Policy())
        for example, result in zip((opening, *others), measure((opening, *others), default, store), strict=True):
            rounded = [round(margin, 4) for margin in result.margins]
            measured[example.id][model.name] = {"margins": rounded, "right": result.right}
        _score_sample(default, store)
        for policy in policies_for(default.kind):
            measure([opening], Recipe(model, default.kind, policy), store)
    (folder / "measured.json").write_text(json.dumps(measured, indent=2) + "\n", encoding="utf-8")


def _score_sample(recipe: Recipe, store: Store) -> None:
    """The agreement sample too (sums only), so that the page of benchmarks is answered on arrival."""
    task = TASKS["blimp"]
    planned = plan(task, task.read(ROOT / "data" / "samples" / task.name), recipe)
    for _ in score_missing(planned.requests, recipe, store, tokens=False):
        continue


def _example(entry: Mapping[str, Any], measured: Mapping[str, Any]) -> Example:
    if entry["expected"] not in EXPECTATIONS:
        raise InputError(f"expected is '{entry['expected']}', not one of {EXPECTATIONS}", f"gallery, {entry['id']}")
    results = {name: Measured(tuple(result["margins"]), result["right"]) for name, result in measured.items()}
    pairs = tuple((a, b) for a, b in entry["pairs"])
    return Example(**{**entry, "pairs": pairs, "at": tuple(entry.get("at", ()))}, measured=results)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--score", action="store_true", required=True, help="score all examples with the bundled models"
    )
    parser.parse_args()
    score([model for model in models.catalogue() if model.bundled and model.kind in ("causal", "masked")])
