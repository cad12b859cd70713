"""The successor's Excel workbook: a sheet per task and one for both, a row per model, two decimals.

A model that is already there is replaced; other rows, columns and sheets stay, and a task that was not measured
leaves its sheet as it was. Cell formats are not kept.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from core.stereoset.examples import KINDS
from core.stereoset.measured import OVERALL, Measured
from core.stereoset.metrics_files import NAMES
from core.tables import read_workbook, write_workbook

SHEETS = (*KINDS, OVERALL)
MODEL = "model_name"


def append_to_workbook(measured: Measured, path: Path) -> None:
    """Add a row per sheet to an .xlsx file, which is made if there is none."""
    sheets = {name: _numbers(table) for name, table in read_workbook(path).items()} if path.exists() else {}
    for kind in SHEETS:
        before = sheets.get(kind, pd.DataFrame(columns=[MODEL]))
        sheets[kind] = _with_row(before, measured, kind) if kind in measured.kinds else before
    write_workbook(sheets, path)


def _with_row(table: pd.DataFrame, measured: Measured, kind: str) -> pd.DataFrame:
    numbers = NAMES["successor"](measured.cell(kind))
    row = pd.DataFrame([{MODEL: measured.name} | {name: round(value, 2) for name, value in numbers.items()}])
    if table.empty:
        return row
    same = table[MODEL] == measured.name if MODEL in table else pd.Series(False, table.index)
    return pd.concat([table[~same], row], ignore_index=True)


def _numbers(table: pd.DataFrame) -> pd.DataFrame:
    """Columns that hold numbers only, as numbers: a spreadsheet is read as text."""
    typed = table.replace("", None)
    for name in typed.columns:
        numbers = pd.to_numeric(typed[name], errors="coerce")
        if name != MODEL and numbers.notna().sum() == typed[name].notna().sum():
            typed[name] = numbers
    return typed
