"""The successor's Excel workbook: a sheet per task and one for both, a row per model, two decimals.

A model that is already there is replaced; other rows, columns and sheets stay, formats included, and a task that was
not measured leaves its sheet as it was.
"""

from __future__ import annotations

import math
from pathlib import Path

from core.files.stereoset.examples import KINDS
from core.files.tables import put_rows
from core.studies.stereoset.measured import OVERALL, Measured
from core.studies.stereoset.metrics_files import NAMES

SHEETS = (*KINDS, OVERALL)
MODEL = "model_name"


def append_to_workbook(measured: Measured, path: Path) -> None:
    """Add a row per sheet to an .xlsx file, which is made if there is none."""
    put_rows({kind: _row(measured, kind) if kind in measured.kinds else None for kind in SHEETS}, MODEL, path)


def _row(measured: Measured, kind: str) -> dict[str, str | float | None]:
    numbers = NAMES["successor"](measured.cell(kind)).items()
    return {MODEL: measured.name, **{name: None if math.isnan(value) else round(value, 2) for name, value in numbers}}
