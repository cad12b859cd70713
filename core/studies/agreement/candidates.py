"""Predictions of any program on an agreement set as a candidate table (`core.metrics`), without a model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from core.errors import InputError
from core.statistics.candidates import rows_of
from core.studies.agreement.heuristics import Parses, described
from core.tasks.agreement import pairs_and_items

PROBS = "probs"
"""The column of .raw-pred that holds logarithms, whatever its name says."""
UNSCORED = "a form has no log-probability"
UNSEEN = "its forms score exactly alike, and one of them never occurs in the training text"


def candidates(
    path: Path, table: Path | None = None, *, column: str = PROBS, parses: Parses | None = None
) -> pd.DataFrame:
    """The candidate table of a .raw-pred file, or of a table or folder that the task `agreement` reads.

    `column` holds ln p of each row's form, `table` (.tab, .pred) what else is known about the items, `parses` the
    parses from which heuristics missing in the files are computed. Empty cells count as not scored. Raises InputError
    for what the task refuses, and for a cell that is not the logarithm of a probability.
    """
    rows: list[dict[str, object]] = []
    for pair, item in pairs_and_items(path, table):
        values = [_logprob(row, column, pair.where) for row in (pair.right, pair.wrong)]
        rows.extend(rows_of(described(item, parses) if parses else item, values))
    return pd.DataFrame(rows)


def out_of_vocabulary(table: pd.DataFrame) -> list[str]:
    """Ids of the items whose forms have equal scores and of which at least one never occurs in the training text.

    A model of whole words maps every unknown word to `<unk>`, so that there is nothing to compare. Known only where
    the files give frequencies.
    """
    alike = table.groupby("item", sort=False)["logprob"].transform("nunique") == 1
    frequencies = table[["frequency_correct", "frequency_wrong"]].apply(pd.to_numeric, errors="coerce")
    unseen = (frequencies == 0).any(axis=1)
    return [str(item) for item in table.loc[alike & unseen, "item"].unique()]


def left_out(table: pd.DataFrame) -> dict[str, str]:
    """Why items do not count, by id: a form has no log-probability, or is not in the model's vocabulary."""
    unscored = dict.fromkeys(table.loc[table["logprob"].isna(), "item"], UNSCORED)
    return unscored | dict.fromkeys(out_of_vocabulary(table), UNSEEN)


def without(table: pd.DataFrame, items: list[str]) -> pd.DataFrame:
    """The table with these items not scored, so that they do not count."""
    return table.assign(logprob=table["logprob"].mask(table["item"].isin(items)))


def _logprob(row: Mapping[str, str], column: str, where: str) -> float:
    if column not in row:
        found = ", ".join(row) or "none"
        raise InputError(f"no column '{column}' with the log-probabilities of the forms. Found {found}.", where)
    cell = row[column].strip()
    try:
        value = float(cell) if cell else math.nan
    except ValueError:
        value = math.inf
    if value > 0:
        shown = f"'{cell[:40]}' in column '{column}'"
        raise InputError(f"{shown} is no natural logarithm of a probability, which is a number up to 0.", where)
    return value
