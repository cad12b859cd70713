"""The files of BabyLM's age-of-acquisition task: surprisals over checkpoints, and the words that children say."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd

from core import measures
from core.analysis.acquisition import MONTHS
from core.errors import InputError
from core.files.tables import read_table, write_texts

_COLUMNS = ("step", "words_seen", "word", "context_id", "context", "surprisal")
_KEYS = {"words_seen": "word_count", "word": "target_word"}
"""The original's names for columns of `core.analysis.acquisition.surprisal_table`."""


def write_surprisals(path: Path, surprisals: pd.DataFrame, model_name: str) -> None:
    """Write the original's `surprisal.json`, in nats; NaN where a word could not be scored.

    Every word is scored after its context ("use_bos_only" is false). Creates the folder. Raises InputError if the
    file cannot be written.
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
    write_texts(path.parent, {path.name: json.dumps(document, indent=2)})


def read_children(path: Path) -> pd.DataFrame:
    """Shares of children who say each word: columns `word` (str) and months of age (16 to 30; some may be missing).

    Reads a .csv table such as those made from Wordbank's communicative development inventories, with the columns
    `word`, `16`, `17`, ...; other columns and repeated words are ignored, and an empty cell is missing. Raises
    InputError for a table without these columns, and for a share that is not a number from 0 to 1.
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
