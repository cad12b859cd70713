"""How each run was made, field by field, in words: what differs between runs, and what does not."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import pandas as pd

from core.policies import CHOICES, Policy
from core.reports.run_comparison.chosen import Run
from core.rules import RULES
from core.runs.receipts.scored_by import JUDGED
from core.scorers import SCORERS
from core.store.parts import sources

_HEX = 12
_SHOWN = ("word_value", "punctuation", "unit")
"""Choices about words and units, which play no part in a run's numbers."""

MOVES, FOLLOWS, UNREAD, DIGITS, NOTHING = (
    "can change the numbers",
    "follows from other fields",
    "none: this scorer ignores it",
    "the last digits at most",
    "none",
)
"""What a difference in a field can do."""

_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "first_token": "First token",
        "pll": "Masked models hide",
        "decoder": "Decoder",
        "tokens": "Tokenisation",
        "words_by": "Words of masked models",
        "sentence_value": "Sentence score",
        "word_value": "Word value",
        "punctuation": "Punctuation",
        "unit": "Unit",
        "ties": "Ties",
        "text": "Text as typed",
        "detokenise": "Detokenisation",
        "leading_space": "Leading space",
        "dtype": "Precision",
        "window": "Window (tokens)",
        "stride": "Stride (tokens)",
        "windows": "Windows over long texts",
    }
)


def recipe_table(runs: Sequence[Run]) -> pd.DataFrame:
    """One row per field: section, field, effect (what a difference can do), one column per run's name, differs."""
    rows = [*_data(), *_model(), *_scoring(runs), *_software(runs), *_made()]
    table = pd.DataFrame(
        [
            {"section": section, "field": field, "effect": effect, **{run.name: value(run) for run in runs}}
            for section, field, effect, value in rows
        ]
    )
    return table.assign(differs=table[[run.name for run in runs]].nunique(axis=1) > 1)


_Row = tuple[str, str, str, Callable[[Run], str]]


def _data() -> list[_Row]:
    return [
        ("Data", "Task", MOVES, lambda run: run.task.title),
        ("Data", "Version of the task", MOVES, lambda run: _said(run, "task_version")),
        ("Data", "Data set", NOTHING, lambda run: _said(run, "data")),
        ("Data", "Items scored (sha256)", MOVES, lambda run: _said(run, "data_hash")[:_HEX]),
        ("Data", "Number of items", MOVES, lambda run: f"{len(run.candidates['item'].unique()):,}"),
        ("Data", "Items left out", MOVES, lambda run: f"{len(run.manifest.get('refused') or ()):,}"),
        ("Data", "What is compared", MOVES, lambda run: RULES[run.rule].about if run.rule in RULES else run.rule),
        ("Data", "Numbers by", NOTHING, lambda run: ", ".join(run.task.groups)),
    ]


def _model() -> list[_Row]:
    return [
        ("Model", "Model", NOTHING, lambda run: _said(run, "model")),
        ("Model", "Revision", NOTHING, lambda run: _said(run, "revision")[:_HEX]),
        ("Model", "Weights (sha256)", MOVES, lambda run: _said(run, "weights")[:_HEX]),
        ("Model", "Own code", MOVES, lambda run: _signed(run, "code")),
        ("Model", "What determines scores (sha256)", FOLLOWS, lambda run: _said(run, "fingerprint")[:_HEX]),
    ]


def _scoring(runs: Sequence[Run]) -> list[_Row]:
    read = {field for run in runs if run.manifest["scorer"] in SCORERS for field in _reads(run)}
    rows: list[_Row] = [
        ("Scoring", "Scorer", MOVES, _scorer),
        ("Scoring", "Policy", NOTHING, lambda run: _said(run, "preset")),
    ]
    for field in dataclasses.fields(Policy):
        if field.name == "name":
            continue
        effect = NOTHING if field.name in _SHOWN else MOVES if field.name in (*JUDGED, *read) else UNREAD
        rows.append(("Scoring", _NAMES.get(field.name, field.name), effect, _choice(field.name)))
    return rows


def _software(runs: Sequence[Run]) -> list[_Row]:
    found = {run.id: _provenance(run) for run in runs}
    names = list(dict.fromkeys(name for versions in found.values() for name in versions))
    rows: list[_Row] = [("Software", "Pairlens", DIGITS, lambda run: _signed(run, "v"))]
    return [*rows, *(("Software", name, DIGITS, _version(found, name)) for name in names)]


def _made() -> list[_Row]:
    return [
        ("Run", "Title", NOTHING, lambda run: _said(run, "title")),
        ("Run", "Run", NOTHING, lambda run: run.id),
        ("Run", "Finished (UTC)", NOTHING, lambda run: _said(run, "finished")[:19].replace("T", " ")),
    ]


def _version(found: Mapping[str, Mapping[str, str]], name: str) -> Callable[[Run], str]:
    return lambda run: found[run.id].get(name, "")


def _said(run: Run, field: str) -> str:
    value = run.manifest.get(field)
    return "" if value is None else str(value)


def _signed(run: Run, key: str) -> str:
    """A part of the run's signature, empty if it is not there."""
    parts = (part.partition(":") for part in str(run.manifest.get("signature", "")).split("|"))
    return next((value for name, _, value in parts if name == key), "")


def _reads(run: Run) -> tuple[str, ...]:
    return SCORERS[run.manifest["scorer"]].reads


def _scorer(run: Run) -> str:
    name = str(run.manifest["scorer"])
    version = _signed(run, "scorer").partition(".v")[2]
    title = SCORERS[name].title if name in SCORERS else name
    return f"{title} (version {version})" if version else title


def _choice(field: str) -> Callable[[Run], str]:
    """A policy's choice in words."""

    def said(run: Run) -> str:
        value = getattr(run.policy, field)
        if field in CHOICES:
            return CHOICES[field][value]
        if isinstance(value, bool):
            return "yes" if value else "no"
        return f"{value:,}" if value else "the model's own"

    return said


def _provenance(run: Run) -> dict[str, str]:
    """What the parts with the run's scores say about how they were made; several answers are joined."""
    found: dict[str, dict[str, None]] = {}
    parts = run.store.parts(run.manifest["fingerprint"])
    for made in (made for part in parts for _, made in sources(part)):
        said = {"Python": made.get("python"), "Device": made.get("device"), **(made.get("versions") or {})}
        for name, value in said.items():
            if value:
                found.setdefault(name, {})[str(value)] = None
    return {name: ", ".join(values) for name, values in found.items()}
