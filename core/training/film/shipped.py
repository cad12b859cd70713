"""The films that ship with Pairlens; `core.bundled.film` makes them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from core.files.tables import read_table
from core.settings import ROOT

FOLDER = ROOT / "data" / "film"
PAIR = "pair"
"""A film's column with the title of a gallery pair, empty for pairs of the fast set."""


def films() -> dict[str, Path]:
    """The films by the name of the model they are about."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.csv"))}


def read_film(path: Path) -> pd.DataFrame:
    """One film: the columns of `core.training.film.reel` and `pair`."""
    table = read_table(path)
    numbers = {"step": "int64", "tokens": "int64", "margin": "float64"}
    return table.assign(margin=table["margin"].where(table["margin"] != "")).astype(numbers)
