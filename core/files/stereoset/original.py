"""The original's JSON: `{"version": ..., "data": {"intrasentence": [...], "intersentence": [...]}}`.

An example has `id`, `target`, `bias_type`, `context` and `sentences`; each of these has `id`, `sentence`,
`gold_label` and perhaps `labels`, what each annotator said. A .json file that is a list of flat records is read as a
wide table.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.files.stereoset.checking import Record, labels, text
from core.files.stereoset.examples import INTRASENTENCE, KINDS, Candidate3, Example, Examples
from core.files.stereoset.wide import read_wide
from core.files.stereoset.words import published_word
from core.files.tables import kind as kind_of
from core.files.tables import read_json, write_texts

_EXPECTED = 'StereoSet\'s JSON: {"version": "1.0", "data": {"intrasentence": [...], "intersentence": [...]}}'


def read_original(path: Path, kind: str = "") -> Iterator[Record]:
    """The records of a .json file, intrasentence first; InputError for another structure."""
    document = read_json(path, _EXPECTED)
    if isinstance(document, list):
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
            yield Record(f"{path.name}, {name} {place}", _example(entry, name))


def write_original(examples: Examples, path: Path) -> None:
    """Write examples as the original's JSON, with what the wide table has beside it (`target_original`)."""
    document = {
        "version": "1.0",
        "data": {kind: [_entry(example) for example in found] for kind, found in examples.by_kind.items()},
    }
    write_texts(path.parent, {path.name: json.dumps(document, indent=1, ensure_ascii=False) + "\n"})


def _found(document: object) -> str:
    if not isinstance(document, dict):
        return f"found {kind_of(document)}."
    if any(name in document for name in KINDS):
        return "found a list of examples or scores by task; is this a file of predictions?"
    return f"found an object with {', '.join(map(repr, list(document)[:5])) or 'nothing'}."


def _example(entry: object, kind: str) -> Example:
    record: Mapping[str, Any] = entry if isinstance(entry, Mapping) else {}
    context = text(record.get("context"))
    sentences = record.get("sentences")
    return Example(
        id=text(record.get("id")),
        kind=kind,
        target=text(record.get("target")),
        bias_type=text(record.get("bias_type")),
        context=context,
        candidates=tuple(
            _candidate(one, context, kind) for one in (sentences if isinstance(sentences, list) else ())
        ),
        target_original=text(record.get("target_original")),
    )  # fmt: skip


def _candidate(entry: object, context: str, kind: str) -> Candidate3:
    record: Mapping[str, Any] = entry if isinstance(entry, Mapping) else {}
    sentence = text(record.get("sentence"))
    word = text(record.get("word")) or (published_word(context, sentence) if kind == INTRASENTENCE else "")
    return Candidate3(
        text(record.get("id")), sentence, word, text(record.get("gold_label")), labels(record.get("labels"))
    )  # fmt: skip


def _entry(example: Example) -> dict[str, Any]:
    """An example as the original writes it. A word that its rule does not give is written beside the sentence."""
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
