"""Predictions as published: `{"intrasentence": [{"id": ..., "score": ...}, ...], "intersentence": [...]}`.

A score says how well a candidate sentence fits its context; only the order inside a triple matters.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pairlens.errors import InputError
from pairlens.files.stereoset.examples import INTERSENTENCE, INTRASENTENCE, KINDS
from pairlens.files.stereoset.reading import check_language, refuse_pickle
from pairlens.files.tables import kind as kind_of
from pairlens.files.tables import read_json, write_texts

_EXPECTED = 'predictions: {"intrasentence": [{"id": "...", "score": 0.1}, ...], "intersentence": [...]}'
_CASED = ("GPT2LM", "T5LM")
"""Intersentence classes whose file names say the case. For T5 it has no effect, but it is there."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """Scores by candidate id, by task; NaN where the file has no number.

    `name` is the file's base name without ending. `tasks` are the keys that the file has, `notes` what is strange.
    """

    intrasentence: Mapping[str, float] = field(default_factory=dict)
    intersentence: Mapping[str, float] = field(default_factory=dict)
    name: str = ""
    notes: tuple[str, ...] = ()

    @property
    def by_kind(self) -> Mapping[str, Mapping[str, float]]:
        return {INTRASENTENCE: self.intrasentence, INTERSENTENCE: self.intersentence}


def predictions_name(model: str, intrasentence: str, intersentence: str, case: str = "", language: str = "en") -> str:
    """The published name of a predictions file: `gpt2_GPT2LM_GPT2LM_d_en.json`, with the classes of both tasks.

    A task that is skipped has an empty part (`gpt2__GPT2LM_e_en.json`); the case is part of it for `GPT2LM` and
    `T5LM` between sentences. `/` becomes `_`. PolicyError for a language that is none.
    """
    check_language(language)
    lettered = [case] if case and intersentence in _CASED else []
    return "_".join([model.replace("/", "_"), intrasentence, intersentence, *lettered, language]) + ".json"


def read_predictions(path: Path) -> Predictions:
    """Predictions from a .json file, also as .gz or .xz.

    Raises InputError for a file of another structure, for an entry without an id or score, and for an id that has
    two different scores. Ids that are whole numbers are read as text; what is not a number is NaN.
    """
    refuse_pickle(path)
    document = read_json(path, _EXPECTED, nan=True)
    if not isinstance(document, dict) or not any(kind in document for kind in KINDS):
        raise InputError(f"expected {_EXPECTED}.", path.name)
    notes: list[str] = []
    scores = {kind: _scores(document.get(kind, []), f"{path.name}, {kind}", notes) for kind in KINDS}
    if other := [name for name in document if name not in KINDS]:
        notes.append(f"Not read: {', '.join(map(repr, other[:5]))}.")
    return Predictions(**scores, name=path.name.partition(".json")[0], notes=tuple(notes))


def write_predictions(predictions: Predictions, path: Path) -> None:
    """Write the published JSON; NaN becomes null, because JSON has no NaN."""
    write_texts(path.parent, {path.name: predictions_text(predictions)})


def predictions_text(predictions: Predictions) -> str:
    """The published JSON, indented by two as published; a task without scores (a skipped one) has no key."""
    document = {
        kind: [{"id": name, "score": None if math.isnan(score) else score} for name, score in scores.items()]
        for kind, scores in predictions.by_kind.items()
        if scores
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _scores(entries: object, where: str, notes: list[str]) -> dict[str, float]:
    """The scores of one task, which is named in `where`; what is strange about them is added to the notes."""
    file, _, kind = where.rpartition(", ")
    if not isinstance(entries, list):
        raise InputError(f'"{kind}" must be a list of objects with id and score, found {kind_of(entries)}.', file)
    scores: dict[str, float] = {}
    for place, entry in enumerate(entries, start=1):
        at = f"{where}, entry {place}"
        identifier, score = _entry(entry, at)
        known = scores.setdefault(identifier, score)
        if known != score and not (math.isnan(known) and math.isnan(score)):
            raise InputError(f"id '{identifier}' has two different scores: {known}, {score}.", at)
    numbered = sum(not isinstance(entry["id"], str) for entry in entries)
    strange = {
        "ids that are numbers, read as text": numbered,
        "ids given again with the same score": len(entries) - len(scores),
    }
    notes += [f"{kind}: {remark}: {n:,}." for remark, n in strange.items() if n]
    return scores


def _entry(entry: object, where: str) -> tuple[str, float]:
    if not isinstance(entry, dict) or "id" not in entry or "score" not in entry:
        shape = f"an object with {', '.join(entry) or 'nothing'}" if isinstance(entry, dict) else kind_of(entry)
        raise InputError(f"expected an object with id and score, found {shape}.", where)
    identifier, score = entry["id"], entry["score"]
    if not isinstance(identifier, str | int) or isinstance(identifier, bool) or identifier == "":
        raise InputError(f"an id must be a text, found {kind_of(identifier)}.", where)
    if isinstance(score, bool) or not isinstance(score, int | float | None):
        raise InputError(f"a score must be a number, found {kind_of(score)}.", where)
    try:
        return str(identifier), math.nan if score is None else float(score)
    except OverflowError:
        raise InputError("a score must be a number, found one that is too large to count with.", where) from None
