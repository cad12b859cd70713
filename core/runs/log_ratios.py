"""Scores of another program, one per line: log10 of p(first candidate) / p(second), in the order of the data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from core.errors import InputError
from core.files.tables import read_lines
from core.statistics.candidates import rows_of
from core.types import Item

_TEMPLATE = "template"


def read(path: Path) -> list[float]:
    """The numbers of a file (.txt), also as .gz or .xz; InputError with file and line where there is none."""
    found = []
    for number, line in enumerate(read_lines(path), start=1):
        try:
            value = float(line)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise InputError(f"expected a number alone, found {line[:40]!r}.", f"{path.name}, line {number}")
        found.append(value)
    return found


def candidates_of(items: Sequence[Item], path: Path) -> pd.DataFrame:
    """A candidate table (`core.metrics`): the first candidate has the logarithm of the ratio, in nats, the other 0.

    Where each sentence is an item under several templates, the scores are of one of them; which, the numbers do not
    say, so that the file's name stands for it. InputError if there are not as many numbers as sentences.
    """
    values = read(path)
    asked = [item for item in items if item.groups.get(_TEMPLATE) == items[0].groups.get(_TEMPLATE)]
    if len(values) != len(asked):
        raise InputError(
            f"{len(values):,} numbers, but the data are {len(asked):,} sentences: give the data they are of.",
            path.name,
        )
    rows: list[dict[str, object]] = []
    for item, value in zip(asked, values, strict=True):
        groups = {**item.groups, _TEMPLATE: path.stem} if _TEMPLATE in item.groups else item.groups
        rows.extend(rows_of(replace(item, groups=groups), [value * math.log(10), 0.0]))
    return pd.DataFrame(rows)
