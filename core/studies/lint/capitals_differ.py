"""Pairs whose texts write the same word with and without capitals."""

from __future__ import annotations

from itertools import compress
from operator import ne
from typing import Any

import pandas as pd

from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found | None:
    pairs = stimuli.edits
    if pairs.empty:
        return None
    right, wrong = pairs["right"].tolist(), pairs["wrong"].tolist()
    words = pd.Series([_differing(*texts) for texts in zip(right, wrong, strict=True)], pairs.index)
    rows = pairs.assign(words=words)[words.map(len) > 0]
    return found(rows, len(pairs), "pair", "differ in capitals, with the same word in the same place", _what)


def _differing(right: str, wrong: str) -> list[str]:
    """The words in the same place that are the same but for capitals; only the first words if the numbers differ."""
    one, two = right.split(), wrong.split()
    if len(one) != len(two):
        one, two = one[:1], two[:1]
    different = compress(zip(one, two, strict=False), map(ne, one, two))
    return [f"{a} / {b}" for a, b in different if a.casefold() == b.casefold()]


def _what(row: Any) -> str:
    only = row.right.casefold() == row.wrong.casefold()
    return ", ".join(row.words) + (": they differ in nothing else" if only else "")


CHECK = Check(
    name="capitals_differ",
    title="Capitals on one side only",
    severity="warning",
    meaning="Upper and lower case are different tokens, so part of the preference is for the spelling.",
    find=_find,
)
