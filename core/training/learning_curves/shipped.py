"""The learning curves that ship with Pairlens; `workshop.learning_curves` makes them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from core.files.tables import read_table
from core.settings import ROOT

FOLDER = ROOT / "data" / "learning_curves"
PAIR = "pair"
"""The column with the title of a gallery pair, empty for pairs of the fast set."""


def shipped_curves() -> dict[str, Path]:
    """The files by the name of the model they are about."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.csv"))}


def read_curves(path: Path) -> pd.DataFrame:
    """The curves of one model: the columns of `core.training.learning_curves.curves` and `pair`."""
    table = read_table(path)
    numbers = {"step": "int64", "tokens": "int64", "margin": "float64"}
    return table.assign(margin=table["margin"].where(table["margin"] != "")).astype(numbers)
