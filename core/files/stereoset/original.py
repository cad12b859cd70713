"""The original's JSON: `{"version": ..., "data": {"intrasentence": [...], "intersentence": [...]}}`.

An example has `id`, `target`, `bias_type`, `context` and `sentences`; each of these has `id`, `sentence`,
`gold_label` and perhaps `labels`, the annotators' judgements. A .json file with a list of flat records is read as a
wide table.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.files.stereoset.checking import Record, example_of, published_word
from core.files.stereoset.examples import KINDS, Candidate3, Example, Examples
from core.files.stereoset.wide import read_wide
from core.files.tables import kind as kind_of
from core.files.tables import read_json, write_texts

_EXPECTED = 'StereoSet\'s JSON: {"version": "1.0", "data": {"intrasentence": [...], "intersentence": [...]}}'

_FLAT = {"c1_sentence", "sentence_id"}
"""Fields of flat records: of a wide table, and of one with a sentence per row."""


def read_original(path: Path, kind: str = "") -> Iterator[Record]:
    """The records of a .json file, intrasentence first; InputError for another structure."""
    document = read_json(path, _EXPECTED)
    if isinstance(document, list) and document and isinstance(document[0], dict) and _FLAT & set(document[0]):
        yield from read_wide(path, kind)
        return
    data = document.get("data") if isinstance(document, dict) else None
    if not isinstance(data, dict) or not any(name in data for name in KINDS):
        raise InputError(f"expected {_EXPECTED}, {_found(document)}", path.name)
    for name in KINDS:
        entries = data.get(name, [])
        if not isinstance(entries, list):
            raise InputError(f'"{name}" must be a list of examples, found {kind_of(entries)}.', path.name)
        for place, entry in enumerate(entries, start=1):
            record = entry if isinstance(entry, dict) else {}
            sentences = record.get("sentences")
            example = example_of(record, name, sentences if isinstance(sentences, list) else ())
            yield Record(f"{path.name}, {name} {place}", example)


def write_original(examples: Examples, path: Path) -> None:
    """Write examples as the original's JSON, with the wide table's `target_original` added."""
    document = {
        "version": "1.0",
        "data": {kind: [_entry(example) for example in found] for kind, found in examples.by_kind.items()},
    }
    write_texts(path.parent, {path.name: json.dumps(document, indent=1, ensure_ascii=False) + "\n"})


def _found(document: object) -> str:
    if isinstance(document, list):
        return "found a list. A list is read if its records have the columns of a wide table (c1_sentence, ...)."
    if not isinstance(document, dict):
        return f"found {kind_of(document)}."
    if any(name in document for name in KINDS):
        return "found a list of examples or scores by task; is this a file of predictions?"
    return f"found an object with {', '.join(map(repr, list(document)[:5])) or 'nothing'}."


def _entry(example: Example) -> dict[str, Any]:
    """An example as the original writes it; a word that differs from the published rule's is added."""
    entry: dict[str, Any] = {
        "id": example.id,
        "target": example.target,
        "bias_type": example.bias_type,
        "context": example.context,
        "sentences": [_sentence(candidate, example.context) for candidate in example.candidates],
    }
    return entry | ({"target_original": example.target_original} if example.target_original else {})


def _sentence(candidate: Candidate3, context: str) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": candidate.id,
        "sentence": candidate.sentence,
        "labels": [{"label": label, "human_id": human} for human, label in candidate.labels],
        "gold_label": candidate.gold_label,
    }
    if candidate.word and candidate.word != published_word(context, candidate.sentence):
        entry["word"] = candidate.word
    return entry
