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
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

import pandas as pd

from pairlens.errors import InputError
from pairlens.files.exports import latex, written
from pairlens.files.stereoset.examples import KINDS
from pairlens.files.stereoset.predictions import predictions_text
from pairlens.files.tables import check_folder, put_rows, read_json, write_table, write_texts
from pairlens.results.result import Export
from pairlens.statistics.mover import Estimate
from pairlens.studies.stereoset.answers import Answer
from pairlens.studies.stereoset.measured import AGGREGATIONS, OVERALL, TIES, Cell, Measured

ENDINGS = (".json", ".xlsx", ".csv", ".tsv", ".jsonl", ".parquet", ".tex")
FILES = ("metrics.json", "results.xlsx", "numbers.csv", "numbers.tex")
"""The numbers in a folder for all of them; beside them lie tables of a result."""
NAMES: Mapping[str, Mapping[str, str]] = {
    "original": {
        "LM Score": "term_means.lms.value",
        "SS Score": "term_means.ss.value",
        "ICAT Score": "term_means.icat.value",
    },
    "successor": {
        "LM Score": "pooled.lms.value",
        "SS Score": "pooled.ss.value",
        "ICAT Score": "pooled.icat.value",
        "Multi Class LM Score": "term_means.lms.value",
        "Multi Class SS Score": "term_means.ss.value",
        "Multi Class SS Score Stdev": "spread.sd",
        "Macro ICAT Score": "mean_term_icat.value",
        "Micro ICAT Score": "term_means.icat.value",
    },
}
"""Whose names: what they call the numbers of a cell, beside its `Count`. The same names are different numbers."""
_NOT_MEASURED = [Estimate(math.nan, math.nan, math.nan)] * 3
_MODEL = "model_name"
_EXPECTED = "a metrics file: a JSON object with one entry per model"


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
            append_to_workbook(published, path)
        case ".tex":
            write_texts(path.parent, {path.name: latex_table(ours, decimal)})
        case _:
            write_table(table_of(ours), path)


def _named(cell: Cell, names: str) -> dict[str, float]:
    """The original's `Count` of a bias type is three times the number of its examples, under its names only."""
    times = 3 if names == "original" and cell.bias_type != OVERALL else 1
    return {"Count": float(cell.n * times), **{name: attrgetter(of)(cell) for name, of in NAMES[names].items()}}


def metrics(measured: Measured, names: str) -> dict[str, Any]:
    """The numbers as nested objects: task, bias type, name. In the original, `overall` has no bias types."""
    nested: dict[str, Any] = {
        kind: {name: _named(cell, names) for name, cell in measured.by_bias_type(kind).items()}
        for kind in measured.kinds
    }
    if names == "original" and OVERALL in nested:
        nested[OVERALL] = nested[OVERALL][OVERALL]
    return nested


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


def append_to_workbook(models: Sequence[Measured], path: Path) -> None:
    """Add a row per model and sheet to an .xlsx file, which is made if there is none."""
    for measured in models:
        rows: dict[str, dict[str, str | float | None] | None] = dict.fromkeys((*KINDS, OVERALL))
        for kind in measured.kinds:
            numbers = _named(measured.cell(kind), "successor").items()
            rounded = {name: None if math.isnan(value) else round(value, 2) for name, value in numbers}
            rows[kind] = {_MODEL: measured.name, **rounded}
        put_rows(rows, _MODEL, path)


def latex_table(models: Sequence[Measured], decimal: str = ".") -> str:
    """The table of models that were measured, as means over terms; `decimal` is the decimal mark.

    Numbers that there are not are dashes; the caption says what the numbers are.
    """
    kinds = [kind for kind in (*KINDS, OVERALL) if any(kind in model.kinds for model in models)]
    heads = " & ".join(rf"\multicolumn{{3}}{{c}}{{{kind.capitalize()}}}" for kind in kinds)
    rules = " ".join(rf"\cmidrule(lr){{{2 + 3 * place}-{4 + 3 * place}}}" for place in range(len(kinds)))
    names = " & ".join(["LMS", "SS", "ICAT"] * len(kinds))
    body = []
    for model in models:
        cells = (model.cell(kind).term_means if kind in model.kinds else _NOT_MEASURED for kind in kinds)
        numbers = (latex.number(one.value, decimal=decimal) for scores in cells for one in scores)
        body.append(" & ".join([latex.escaped(model.name), *numbers]) + r" \\")
    head = [r"\toprule", rf" & {heads} \\", rules, rf"Model & {names} \\", r"\midrule"]
    caption = f"StereoSet (all bias types): {AGGREGATIONS['term_means']}; {TIES[models[0].ties]}."
    layout = f"{{l{'rrr' * len(kinds)}}}"
    return latex.table(layout, head, [*body, r"\bottomrule"], caption, n_rows=len(models))


def exports(answers: Sequence[Answer]) -> Iterator[Export]:
    """Files in the forms of the originals, where ties count as published; all numbers; and every model's scores."""
    ours = [answer.measured for answer in answers]
    published = [answer.published for answer in answers]
    yield Export("All numbers (CSV)", "-numbers.csv", lambda: written(table_of(ours), ".csv"))
    yield Export("Table for a paper (LaTeX)", "-numbers.tex", lambda: latex_table(ours))
    yield Export("Workbook of StereoSet's successor (Excel)", "-results.xlsx", partial(_workbook, published))
    for names, whose in (("original", "StereoSet"), ("successor", "its successor")):
        yield Export(f"Metrics, names of {whose}", f".{names}.json", partial(_as_json, published, names))
    for answer in answers:
        label = f"Predictions of {answer.name}"
        yield Export(label, f"-{answer.predictions.name}.json", partial(predictions_text, answer.predictions))


def _workbook(models: Sequence[Measured]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.xlsx"
        append_to_workbook(models, path)
        return path.read_bytes()
