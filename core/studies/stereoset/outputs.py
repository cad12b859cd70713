"""Numbers into files, as the ending says.

    .json                           the metrics JSON of the original or of the successor; other entries are kept
    .xlsx                           the successor's workbook: a sheet per task and one for both, a row per model, two
                                    decimals; a model that is there is replaced, other rows, columns, sheets are kept
    .csv .tsv .jsonl .parquet       ours: a row per number with its interval
    .tex                            a table for a paper, with the package booktabs

The formats of the originals count ties as the originals do unless told otherwise, the others as chosen.
"""

import json
import math
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from core.errors import InputError
from core.files.exports import latex, written
from core.files.stereoset.examples import KINDS
from core.files.tables import check_folder, put_rows, read_json, write_table, write_texts
from core.results.result import Export
from core.studies.stereoset.answers import Answer
from core.studies.stereoset.cells import AGGREGATIONS, Cell
from core.studies.stereoset.measured import OVERALL, TIES, Measured, measure
from core.studies.stereoset.predictions import predictions_text

_TABLES = (".csv", ".tsv", ".jsonl", ".parquet")
ENDINGS = (".json", ".xlsx", *_TABLES, ".tex")
FILES = ("metrics.json", "results.xlsx", "numbers.csv", "numbers.tex")
"""The numbers in a folder for all of them; beside them lie tables of a result."""


def check_output(path: Path) -> None:
    """InputError for an ending that is not one of `ENDINGS`, and where nothing can be written."""
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"cannot write a file of this kind. Expected {', '.join(ENDINGS)}.", path.name)
    check_folder(path.parent)


def table_of(models: Sequence[Measured]) -> pd.DataFrame:
    """A row per number with its interval."""
    return pd.concat([model.table() for model in models], ignore_index=True)


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
            write_texts(path.parent, {path.name: latex_table(ours, decimal)})
        case _:
            write_table(table_of(ours), path)


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


NAMES: Mapping[str, Callable[[Cell], dict[str, float]]] = {"original": _original, "successor": _successor}
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
    parts = {name: f"{name}.json".split("_") for name in predictions}
    keys = [part[1] if part[0] == "predictions" and part[1:] else name for name, part in parts.items()]
    return [name if keys.count(key) > 1 else key for key, name in zip(keys, parts, strict=True)]


def write_metrics(models: Sequence[Measured], path: Path, names: str) -> None:
    """Add the numbers of models to a .json file under `metrics_keys`; other entries are kept, the same are replaced.

    Raises InputError if what is there is not such a file.
    """
    known = read_json(path, _EXPECTED, nan=True) if path.exists() else {}
    if not isinstance(known, dict):
        raise InputError(f"expected {_EXPECTED}. Name another file.", path.name)
    write_texts(path.parent, {path.name: _as_json(models, names, known)})


def _as_json(models: Sequence[Measured], names: str, known: Mapping[str, Any] = {}) -> str:
    keys = metrics_keys([model.name for model in models], names)
    entries = {key: metrics(model, names) for key, model in zip(keys, models, strict=True)}
    return json.dumps({**known, **entries}, indent=2, ensure_ascii=False) + "\n"


MODEL = "model_name"


def append_to_workbook(measured: Measured, path: Path) -> None:
    """Add a row per sheet to an .xlsx file, which is made if there is none."""
    rows: dict[str, dict[str, str | float | None] | None] = dict.fromkeys((*KINDS, OVERALL))
    for kind in measured.kinds:
        numbers = _successor(measured.cell(kind)).items()
        rounded = {name: None if math.isnan(value) else round(value, 2) for name, value in numbers}
        rows[kind] = {MODEL: measured.name, **rounded}
    put_rows(rows, MODEL, path)


def latex_table(models: Sequence[Measured], decimal: str = ".") -> str:
    """The table of models that were measured, as means over terms; `decimal` is the decimal mark.

    Numbers that there are not are dashes; the caption says what the numbers are.
    """
    kinds = [kind for kind in (*KINDS, OVERALL) if any(kind in model.kinds for model in models)]
    heads = " & ".join(rf"\multicolumn{{3}}{{c}}{{{kind.capitalize()}}}" for kind in kinds)
    rules = " ".join(rf"\cmidrule(lr){{{2 + 3 * place}-{4 + 3 * place}}}" for place in range(len(kinds)))
    metrics = " & ".join(["LMS", "SS", "ICAT"] * len(kinds))
    head = [r"\toprule", rf" & {heads} \\", rules, rf"Model & {metrics} \\", r"\midrule"]
    body = [
        " & ".join([latex.escaped(model.name), *(latex.number(value, decimal=decimal) for value in values)]) + r" \\"
        for model in models
        for values in [[value for kind in kinds for value in _means(model, kind)]]
    ]
    caption = f"StereoSet (all bias types): {AGGREGATIONS['term_means']}; {TIES[models[0].ties]}."
    layout = f"{{l{'rrr' * len(kinds)}}}"
    return latex.table(layout, head, [*body, r"\bottomrule"], caption, n_rows=len(models))


def _means(model: Measured, kind: str) -> list[float]:
    """LMS, SS and ICAT of a task, NaN where it was not measured."""
    if kind not in model.kinds:
        return [math.nan] * 3
    return [number.value for number in model.cell(kind).numbers["term_means"].values()]


def exports(answers: Sequence[Answer]) -> Iterator[Export]:
    """Files in the forms of the originals, where ties count as published; all numbers; and every model's scores."""
    ours = [one.measured for one in answers]
    published = [*map(as_published, answers)] if any(one.has_ties for one in ours) else ours
    yield Export("All numbers (CSV)", "-numbers.csv", lambda: written(table_of(ours), ".csv"))
    yield Export("Table for a paper (LaTeX)", "-numbers.tex", lambda: latex_table(ours))
    yield Export("Workbook of StereoSet's successor (Excel)", "-results.xlsx", partial(_workbook, published))
    for names, whose in (("original", "StereoSet"), ("successor", "its successor")):
        yield Export(f"Metrics, names of {whose}", f".{names}.json", partial(_as_json, published, names))
    for one in answers:
        label = f"Predictions of {one.name}"
        yield Export(label, f"-{one.predictions.name}.json", partial(predictions_text, one.predictions))


def as_published(answer: Answer) -> Measured:
    """The numbers with ties as the originals count them."""
    return measure(answer.examples, answer.predictions, "legacy") if answer.measured.has_ties else answer.measured


def _workbook(models: Sequence[Measured]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.xlsx"
        for model in models:
            append_to_workbook(model, path)
        return path.read_bytes()
