"""The facts about a run that accompany its tables: model, data, scoring, results."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from typing import Any

from core import __version__
from core.analysis.items import deciding_metric
from core.runs.result import Result
from core.settings import ROOT

_OF_THE_MANIFEST = (
    "run_id", "title", "task", "task_version", "rule", "data", "data_hash", "model", "revision", "weights", "scorer",
    "preset", "signature", "fingerprint", "finished", "n",
)  # fmt: skip


def facts(result: Result) -> dict[str, Any]:
    """A run in brief, in a form for JSON.

    `decides` names the metric that decides item by item, null if there is none; `accuracy` is the headline, null if
    the headline is another metric.
    """
    known = {name: result.manifest.get(name, "") for name in _OF_THE_MANIFEST}
    metric = deciding_metric(result.task, result.rule)
    first = result.metrics.iloc[0]
    chosen = metric is not None and metric.name == "accuracy" == first["name"]
    return {
        **known,
        "policy": dataclasses.asdict(result.policy),
        "decides": metric.name if metric else None,
        "accuracy": float(first["value"]) if chosen and first["n"] else None,
        "pairlens": __version__,
    }


def lines(records: Iterable[Mapping[str, Any]]) -> str:
    """Records as JSON lines. Missing numbers are null; lone surrogates, which UTF-8 lacks, are escaped."""
    return "".join(f"{_line(record)}\n" for record in records)


def _line(record: Mapping[str, Any]) -> str:
    text = json.dumps(record, ensure_ascii=False, allow_nan=False)
    return text if text.isascii() or not _has_surrogate(text) else json.dumps(record, allow_nan=False)


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


_FOLDER = ROOT / "data" / "programs"


def program(name: str) -> str:
    """The source of a program, by its file name."""
    return (_FOLDER / name).read_text("utf-8")
