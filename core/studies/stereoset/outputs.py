"""Numbers into files, as the ending says.

    .json                           the metrics JSON of the original or of the successor; other entries are kept
    .xlsx                           the successor's workbook: a sheet per task and one for both, a row per model, two
                                    decimals; a model that is there is replaced, other rows, columns, sheets are kept
    .csv .tsv .jsonl .parquet       ours: a row per number with its interval
    .tex                            a table for a paper, with the package booktabs

The formats of the originals count ties as the originals do unless told otherwise, the others as chosen.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd

from core.errors import InputError
from core.files.exports.latex import escaped, number
from core.files.stereoset.examples import KINDS, Examples
from core.files.tables import check_folder, put_rows, read_json, write_table, write_texts
from core.studies.stereoset.cells import AGGREGATIONS, Cell
from core.studies.stereoset.measured import OVERALL, TIES, Measured, measure
from core.studies.stereoset.predictions import Predictions

_TABLES = (".csv", ".tsv", ".jsonl", ".parquet")
ENDINGS = (".json", ".xlsx", *_TABLES, ".tex")
_NUMBERS = ("metrics.json", "results.xlsx", "numbers.csv", "numbers.tex")
_ROWS = ("terms", "triples")


def check_output(path: Path) -> None:
    """InputError for an ending that is not one of `ENDINGS`, and where nothing can be written."""
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"cannot write a file of this kind. Expected {', '.join(ENDINGS)}.", path.name)
    check_folder(path.parent)


def files_of(folder: Path) -> list[Path]:
    """What `write_folder` writes into a folder."""
    return [folder / name for name in (*_NUMBERS, *(f"{name}.csv" for name in _ROWS))]


def write_numbers(
    ours: Sequence[Measured], published: Sequence[Measured], path: Path, names: str, decimal: str = "."
) -> None:
    """Write the numbers of models; `published` are the same models with ties as the originals' formats count them.

    `names` says whose names a metrics JSON has (`NAMES`), `decimal` is LaTeX's mark.
    """
    match path.suffix.lower():
        case ".json":
            write_metrics(published, path, names)
        case ".xlsx":
            for model in published:
                append_to_workbook(model, path)
        case ".tex":
            write_texts(path.parent, {path.name: latex(ours, decimal=decimal)})
        case _:
            write_table(pd.concat([model.table() for model in ours], ignore_index=True), path)


def write_folder(
    ours: Sequence[Measured], published: Sequence[Measured], folder: Path, names: str, decimal: str = "."
) -> None:
    """Everything: the formats above, and ours with a row per term and a row per example."""
    for name in _NUMBERS:
        write_numbers(ours, published, folder / name, names, decimal)
    for name in _ROWS:
        tables = [getattr(model, name).assign(model=model.name) for model in ours]
        write_table(pd.concat(tables, ignore_index=True), folder / f"{name}.csv")


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
"""Whose names: what they call the numbers of a cell. The two use the same names for different numbers:

    name                      original                      successor
    LM Score, SS Score        mean over terms               pooled over examples
    ICAT Score                of the two means over terms   of the two pooled numbers
    Multi Class LM/SS Score                                 mean over terms
    Multi Class SS Score Stdev                              population standard deviation over terms
    Micro ICAT Score                                        of the two means over terms
    Macro ICAT Score                                        mean of the terms' ICAT

The original's `Count` of a bias type is three times the number of its examples; it is so here, under its names only.
"""


def metrics(measured: Measured, names: str) -> dict[str, Any]:
    """The numbers as nested objects: task, bias type, name. In the original, `overall` has no bias types."""
    named = NAMES[names]
    found: dict[str, Any] = {
        kind: {name: named(cell) for name, cell in measured.by_bias_type(kind).items()} for kind in measured.kinds
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


SHEETS = (*KINDS, OVERALL)
MODEL = "model_name"


def append_to_workbook(measured: Measured, path: Path) -> None:
    """Add a row per sheet to an .xlsx file, which is made if there is none."""
    put_rows({kind: _row(measured, kind) if kind in measured.kinds else None for kind in SHEETS}, MODEL, path)


def _row(measured: Measured, kind: str) -> dict[str, str | float | None]:
    numbers = NAMES["successor"](measured.cell(kind)).items()
    return {MODEL: measured.name, **{name: None if math.isnan(value) else round(value, 2) for name, value in numbers}}


def latex(
    models: Sequence[Measured], bias_type: str = OVERALL, aggregation: str = "term_means", decimal: str = "."
) -> str:
    """The table of models that were measured, for one bias type and aggregation (`term_means` or `pooled`).

    `decimal` is the decimal mark. Numbers that there are not are dashes; the caption says what the numbers are.
    """
    kinds = [kind for kind in (*KINDS, OVERALL) if any(kind in model.kinds for model in models)]
    heads = " & ".join(rf"\multicolumn{{3}}{{c}}{{{kind.capitalize()}}}" for kind in kinds)
    rules = " ".join(rf"\cmidrule(lr){{{2 + 3 * place}-{4 + 3 * place}}}" for place in range(len(kinds)))
    rows = [
        rf"{escaped(model.name)} & {_cells_of(model, kinds, bias_type, aggregation, decimal)} \\" for model in models
    ]
    about = f"{AGGREGATIONS[aggregation]}; {TIES[models[0].ties]}"
    lines = [
        r"\begin{table}", r"\centering",
        rf"\begin{{tabular}}{{l{'rrr' * len(kinds)}}}", r"\toprule",
        rf" & {heads} \\", rules,
        f"Model & {' & '.join(['LMS', 'SS', 'ICAT'] * len(kinds))} \\\\", r"\midrule", *rows, r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{StereoSet ({'all bias types' if bias_type == OVERALL else bias_type}): {about}.}}",
        r"\end{table}", "",
    ]  # fmt: skip
    return "\n".join(lines)


def _cells_of(model: Measured, kinds: Sequence[str], bias_type: str, aggregation: str, decimal: str) -> str:
    cells = [model.by_name.get((kind, bias_type)) for kind in kinds]
    return " & ".join(number(value, decimal=decimal) for cell in cells for value in _values(cell, aggregation))


def _values(cell: Cell | None, aggregation: str) -> list[float]:
    if cell is None:
        return [math.nan] * 3
    scores = cell.pooled if aggregation == "pooled" else cell.term_means
    return [scores.lms.value, scores.ss.value, scores.icat.value]


def numbers_file(
    scored: Sequence[tuple[Examples, Predictions]], ours: Sequence[Measured], ending: str, names: str = "successor"
) -> bytes:
    """What `write_numbers` writes under this ending; ties as published in the originals' formats.

    `scored` is what each of `ours` was measured from. Models of the same name would replace each other in the
    originals' formats: give them different ones.
    """
    published = [measure(examples, predictions, "legacy") for examples, predictions in scored]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"numbers{ending}"
        write_numbers(ours, published, path, names)
        return path.read_bytes()
