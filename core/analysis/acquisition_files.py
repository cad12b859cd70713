"""The files of BabyLM's age of acquisition: surprisals over checkpoints, and the words of children."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from core import measures
from core.analysis.acquisition import MONTHS
from core.checkpoints import seen
from core.errors import InputError
from core.tables import read_json, read_table

_COLUMNS = ("step", "words_seen", "word", "context_id", "context", "surprisal")
_KEYS = {"words_seen": "word_count", "word": "target_word"}
"""What the original calls columns of `core.analysis.acquisition.surprisal_table`."""
_EXPECTED = (
    '{"metadata": {...}, "results": [{"step": "chck_1M", "target_word": "...", "context_id": 0, "context": "...", '
    '"surprisal": 9.5}, ...]}'
)


def write_surprisals(path: Path, surprisals: pd.DataFrame, model_name: str) -> None:
    """Write `surprisal.json` of the original, whose unit is the nat; NaN where a word could not be scored.

    The original scores each word after the start symbol alone, once per context ("use_bos_only", "BOS_ONLY"); here
    every word is scored after its context, and the file says so. Raises InputError if it cannot be written.
    """
    n_steps = int(surprisals["step"].nunique())
    metadata = {
        "model_name": model_name, "use_bos_only": False, "total_steps": n_steps, "completed_steps": n_steps,
    }  # fmt: skip
    table = surprisals[list(_COLUMNS)].rename(columns=_KEYS)
    table = table.assign(
        word_count=table["word_count"].astype("int64"),
        surprisal=measures.nats(table["surprisal"].to_numpy(np.float64)),
    )
    document = {"metadata": metadata, "results": table.to_dict("records")}
    try:
        path.write_text(json.dumps(document, indent=2), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}.", str(path)) from None


def read_surprisals(path: Path) -> pd.DataFrame:
    """The results of a `surprisal.json`, in bits, with the columns of `acquisition.surprisal_table`.

    In files without "word_count", the steps say how much was seen. Raises InputError with the result that is not in
    the format.
    """
    document = read_json(path, _EXPECTED, nan=True)
    results = document.get("results") if isinstance(document, dict) else document
    if not isinstance(results, list) or not results:
        raise InputError(f"expected {_EXPECTED}.", path.name)
    rows = [_result(record, f"{path.name}, result {place}") for place, record in enumerate(results)]
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def _result(record: Any, where: str) -> tuple[str, float, str, int, str, float]:
    try:
        step, word, context = str(record["step"]), str(record["target_word"]), str(record["context"])
        count = float(record["word_count"]) if "word_count" in record else _count(record["step"])
        nats = math.nan if record["surprisal"] is None else float(record["surprisal"])
        return step, count, word, int(record["context_id"]), context, measures.bits(nats)
    except (KeyError, TypeError, ValueError):
        raise InputError(f"expected {_EXPECTED}, found {str(record)[:80]}.", where) from None


def _count(step: object) -> float:
    """How much a checkpoint had seen: its number, or what its name says; ValueError if it does not."""
    count, _ = (step, "") if isinstance(step, int | float) else seen(str(step))
    if count is None:
        raise ValueError
    return float(count)


def read_children(path: Path) -> pd.DataFrame:
    """Which share of children says a word: columns `word` (str) and months of age (int, 16 to 30; some may lack).

    A .csv table as made from Wordbank's communicative development inventories, with the columns `word`, `16`, `17`,
    ...; others are left out, and so are later rows of a word. An empty cell is missing. Raises InputError for a table
    without these columns, and for a share that is not a number from 0 to 1.
    """
    table = read_table(path)
    months = [month for month in MONTHS if str(month) in table.columns]
    if "word" not in table.columns or not months or table.empty:
        found = ", ".join(map(str, table.columns))
        raise InputError(
            f"expected a column 'word' and months of age (16 to 30), with rows; found {found}.", path.name
        )
    table = table.drop_duplicates("word")
    columns: dict[str | int, pd.Series] = {month: _shares(table[str(month)], path.name) for month in months}
    return pd.DataFrame({"word": table["word"]} | columns)


def _shares(column: pd.Series, where: str) -> pd.Series:
    shares = pd.to_numeric(column.replace({"": None, "NA": None}), errors="coerce")
    wrong = (shares.isna() & ~column.isin(["", "NA"])) | ~shares.fillna(0).between(0, 1)
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        cell = str(column.iloc[place])[:40]
        raise InputError(f"expected a share from 0 to 1, found {cell!r}.", f"{where}, column {column.name}")
    return shares.astype("float64")
