"""The metrics JSON of the original and of its successor: their keys, their names, one entry per file of predictions.

The two use the same names for different numbers:

    name                      original                      successor
    LM Score, SS Score        mean over terms               pooled over examples
    ICAT Score                of the two means over terms   of the two pooled numbers
    Multi Class LM/SS Score                                 mean over terms
    Multi Class SS Score Stdev                              population standard deviation over terms
    Micro ICAT Score                                        of the two means over terms
    Macro ICAT Score                                        mean of the terms' ICAT

The original's `Count` of a bias type is three times the number of its examples; it is so here, under its names only.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from core.errors import InputError
from core.files.tables import read_json, write_texts
from core.studies.stereoset.cells import Cell
from core.studies.stereoset.measured import OVERALL, Measured, bias_types

_EXPECTED = "a metrics file: a JSON object with one entry per model"


def _original(cell: Cell) -> dict[str, float]:
    return {
        "Count": float(cell.n * (1 if cell.bias_type == OVERALL else 3)),
        "LM Score": cell.term_means.lms.value,
        "SS Score": cell.term_means.ss.value,
        "ICAT Score": cell.term_means.icat.value,
    }


def _successor(cell: Cell) -> dict[str, float]:
    return {
        "Count": float(cell.n),
        "LM Score": cell.pooled.lms.value,
        "SS Score": cell.pooled.ss.value,
        "ICAT Score": cell.pooled.icat.value,
        "Multi Class LM Score": cell.term_means.lms.value,
        "Multi Class SS Score": cell.term_means.ss.value,
        "Multi Class SS Score Stdev": cell.spread.sd,
        "Macro ICAT Score": cell.mean_term_icat.value,
        "Micro ICAT Score": cell.term_means.icat.value,
    }


NAMES: Mapping[str, Callable[[Cell], dict[str, float]]] = MappingProxyType(
    {"original": _original, "successor": _successor}
)
"""Whose names: what they call the numbers of a cell."""


def metrics(measured: Measured, names: str) -> dict[str, Any]:
    """The numbers as nested objects: task, bias type, name. In the original, `overall` has no bias types."""
    named = NAMES[names]
    found: dict[str, Any] = {
        kind: {name: named(measured.cell(kind, name)) for name in (*_domains(measured, kind), OVERALL)}
        for kind in measured.kinds
    }
    if names == "original" and OVERALL in found:
        found[OVERALL] = found[OVERALL][OVERALL]
    return found


def metrics_keys(predictions: Sequence[str], names: str) -> list[str]:
    """What files of predictions are called in a metrics file.

    The original takes what stands between the first two underscores of the whole name (`predictions_gpt2_....json` is
    `gpt2`, `predictions_mine.json` is `mine.json`), the successor the base name without ending. So are files called
    here whose names do not begin as the original's do (`english-small_GPT2LM_...` would be `GPT2LM`), and those that
    it would call alike, so that one would replace the other.
    """
    if names != "original":
        return list(predictions)
    keys = [_original_key(name) for name in predictions]
    times = Counter(keys)
    return [key if times[key] == 1 else name for key, name in zip(keys, predictions, strict=True)]


def write_metrics(models: Sequence[Measured], path: Path, names: str) -> None:
    """Add the numbers of models to a .json file under `metrics_keys`; other entries are kept, the same are replaced.

    Raises InputError if what is there is not such a file.
    """
    entries = read_json(path, _EXPECTED, nan=True) if path.exists() else {}
    if not isinstance(entries, dict):
        raise InputError(f"expected {_EXPECTED}. Name another file.", path.name)
    keys = metrics_keys([model.name for model in models], names)
    entries |= {key: metrics(model, names) for key, model in zip(keys, models, strict=True)}
    write_texts(path.parent, {path.name: json.dumps(entries, indent=2, ensure_ascii=False) + "\n"})


def _original_key(predictions: str) -> str:
    first, *parts = f"{predictions}.json".split("_")
    return parts[0] if first == "predictions" and parts else predictions


def _domains(measured: Measured, kind: str) -> list[str]:
    return bias_types(cell.bias_type for cell in measured.cells if cell.kind == kind and cell.bias_type != OVERALL)
