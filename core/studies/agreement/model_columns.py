"""Accuracy of several models from tables with a column of log-probabilities each (as in Gulordava et al. 2018).

An exact tie between the two forms counts in every way that a policy can count it, side by side.
"""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from core.errors import InputError
from core.files.tables import ending, files
from core.policies import CHOICES
from core.tasks._agreement_pairs import RAW, TABLE, UNKNOWN, Source, pairs, stem
from core.tasks._base import by_language
from core.tasks.colorless_green import LANGUAGE

_KINDS = (TABLE, RAW)
_MISSING = ("", "nan")
_WORTH = {"half": 0.5, "correct": 1.0, "wrong": 0.0}
"""What a tie counts under each choice of the policy field `ties`."""


def right_by_model(path: Path) -> pd.DataFrame:
    """One row per set, model and type of item, for a .tab or .raw-pred, a folder of them, or a folder per language.

    language, set    the folder's name (`unknown` if it names no language) and the file's
    model            the name of a column of natural logarithms: numbers that are never above 0
    type             `original`, `generated` or `unknown`
    n                items whose forms both have a log-probability
    left_out         all other items
    right            items whose right form is the more probable one
    ties             items whose forms are equally probable
    same             ties in which the file has the same word as both forms
    half, correct, wrong   the share that is right, 0 to 1, if a tie counts so

    Raises InputError for rows that form no pair, and for a table without such a column.
    """
    rows = [
        {"language": language, "set": stem(file), **row}
        for folder, language in by_language(path, LANGUAGE)
        for file in files(folder, _KINDS)
        for row in _of_set(file)
    ]
    return pd.DataFrame(rows)


def _of_set(file: Path) -> Iterator[dict[str, object]]:
    """The rows of a file, without its set and language."""
    if ending(file) not in _KINDS:
        raise InputError(
            f"cannot read a file of this kind. Expected {', '.join(_KINDS)}; also as .gz, .xz.", file.name
        )
    read = list(pairs(Source(file, None, stem(file))))
    right, wrong = (
        pd.DataFrame(list(rows)) for rows in zip(*((pair.right, pair.wrong) for pair in read), strict=True)
    )
    models = [
        column for column in right if column in wrong and _are_logarithms(pd.concat([right[column], wrong[column]]))
    ]
    if not models:
        found = ", ".join(map(str, right.columns)) or "none"
        raise InputError(
            f"no column holds log-probabilities, numbers that are never above 0. Found {found}.", file.name
        )
    kinds = right["type"].to_numpy() if "type" in right else [UNKNOWN] * len(right)
    same = [first == second for first, second in (pair.forms for pair in read)]
    for model in models:
        first, second = (pd.to_numeric(rows[model], errors="coerce") for rows in (right, wrong))
        lead = (first - second).mask(first == second, 0.0)  # two forms of probability 0 are a tie
        items = pd.DataFrame({"lead": lead.to_numpy(), "same": same})
        for kind, part in items.groupby(kinds, sort=True):
            yield {"model": model, "type": kind, **_counts(part)}


def _are_logarithms(cells: pd.Series) -> bool:
    """Whether the cells, other than empty ones and `nan`, are numbers up to 0, some of them below."""
    given = cells[~cells.fillna("").str.strip().str.lower().isin(_MISSING)]
    values = pd.to_numeric(given, errors="coerce")
    return bool((values <= 0).all() and (values < 0).any())


def _counts(items: pd.DataFrame) -> dict[str, object]:
    scored = items[items["lead"].notna()]
    n, right, tie = len(scored), int((scored["lead"] > 0).sum()), scored["lead"] == 0
    shares = {how: (right + _WORTH[how] * tie.sum()) / n if n else float("nan") for how in CHOICES["ties"]}
    return {
        "n": n, "left_out": len(items) - n, "right": right, "ties": int(tie.sum()),
        "same": int((tie & scored["same"]).sum()), **shares,
    }  # fmt: skip
