"""Tables as the bytes of a download."""

from __future__ import annotations

import csv
import io
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pairlens.files.tables import write_table, write_workbook

if TYPE_CHECKING:
    import pandas as pd

SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def local_csv(frame: pd.DataFrame) -> bytes:
    """CSV that Excel opens where a comma is the decimal mark: `;` between columns, UTF-8 with a byte order mark."""
    text = frame.to_csv(index=False, sep=";", decimal=",", lineterminator="\r\n", quoting=csv.QUOTE_MINIMAL)
    return text.encode("utf-8-sig")


def written(frame: pd.DataFrame, ending: str) -> bytes:
    return _through_a_file(lambda path: write_table(frame, path), ending)


def workbook(sheets: Mapping[str, pd.DataFrame]) -> bytes:
    return _through_a_file(lambda path: write_workbook(sheets, path), ".xlsx")


def archive(files: Mapping[str, bytes | str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as whole:
        for name, content in files.items():
            whole.writestr(name, content)
    return packed.getvalue()


def _through_a_file(write: Callable[[Path], None], ending: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table{ending}"
        write(path)
        return path.read_bytes()
