"""Accuracy of several models from tables with a column of log-probabilities each (as in Gulordava et al. 2018).

An exact tie between the two forms counts in every way that a policy can count it, side by side.
"""

from pathlib import Path

import pandas as pd

from pairlens.errors import InputError
from pairlens.files.tables import ending, files
from pairlens.tasks._agreement_pairs import RAW, TABLE, UNKNOWN, Source, pairs, stem
from pairlens.tasks._base import by_language
from pairlens.tasks.colorless_green import LANGUAGE

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
    sets = {
        (language, stem(file), place): _of_set(file)
        for folder, language in by_language(path, LANGUAGE)
        for place, file in enumerate(files(folder, _KINDS))
    }
    table = pd.concat(sets, names=["language", "set", "file"]).reset_index(["language", "set"])
    return table.reset_index(drop=True)


def _of_set(file: Path) -> pd.DataFrame:
    if ending(file) not in _KINDS:
        raise InputError(
            f"cannot read a file of this kind. Expected {', '.join(_KINDS)}; also as .gz, .xz.", file.name
        )
    read = list(pairs(Source(file, None, stem(file))))
    right, wrong = (pd.DataFrame([getattr(pair, side) for pair in read]) for side in ("right", "wrong"))
    models = [name for name in right if name in wrong and _are_logarithms(pd.concat([right[name], wrong[name]]))]
    if not models:
        columns = ", ".join(map(str, right.columns)) or "none"
        raise InputError(
            f"no column holds log-probabilities, numbers that are never above 0. Found {columns}.", file.name
        )
    kinds = right["type"].to_numpy() if "type" in right else [UNKNOWN] * len(right)
    same = pd.Series([first == second for first, second in (pair.forms for pair in read)])
    parts = {}
    for model in models:
        first, second = (pd.to_numeric(rows[model], errors="coerce") for rows in (right, wrong))
        lead = (first - second).mask(first == second, 0.0)  # two forms of probability 0 are a tie
        tie = lead == 0
        counts = {"n": lead.notna(), "left_out": lead.isna(), "right": lead > 0, "ties": tie, "same": tie & same}
        parts[model] = pd.DataFrame(counts).groupby(kinds).sum()
    table = pd.concat(parts, names=["model", "type"]).reset_index()
    return table.assign(**{how: (table["right"] + tie * table["ties"]) / table["n"] for how, tie in _WORTH.items()})


def _are_logarithms(cells: pd.Series) -> bool:
    """Whether the cells, other than empty ones and `nan`, are numbers up to 0, some of them below."""
    known = cells[~cells.fillna("").str.strip().str.lower().isin(_MISSING)]
    values = pd.to_numeric(known, errors="coerce")
    return bool((values <= 0).all() and (values < 0).any())
