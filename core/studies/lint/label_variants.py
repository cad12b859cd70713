"""Labels that are written in several ways."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pandas as pd

from core.errors import InputError
from core.files.tables import ending, files, read_records
from core.messages import counted as plural
from core.studies.lint._check import Check, Found, about_all, counted
from core.studies.lint._stimuli import MADE_HERE, PARADIGM, Stimuli

_MOST_VALUES = 100
"""A group with more distinct values is a text or a number, not a label."""
_LONGEST = 60
_RECORDS = ".jsonl"
_SEPARATORS = re.compile(r"[\s_/\\.,;:&]+|(?<=\w)-(?=\w)")
"""A hyphen separates only between letters or digits: in -attractor it is a sign."""


def _find(stimuli: Stimuli) -> Found | None:
    """In the items, and in the records they were read from, since a task may merge several spellings."""
    groups = pd.DataFrame([dict(item.groups) for item in stimuli.items])
    whats, n_labels = _found(groups, stimuli.noun)
    if stimuli.source:
        written, n_written = _found(_records(stimuli.source), stimuli.noun)
        whats += [f"{what}, which are read as one" for what in written if what not in whats]
        n_labels = max(n_labels, n_written)
    if not n_labels:
        return None
    return about_all(whats, n_labels, counted(len(whats), n_labels, "label", "are written in several ways"))


def _found(groups: pd.DataFrame, noun: str) -> tuple[list[str], int]:
    """A sentence for each label that has several spellings, and how many labels there are."""
    columns = [name for name in groups if name not in MADE_HERE and _is_label(groups[name])]
    whats = [what for name in columns for what in _variants(groups[name], groups.get(PARADIGM), noun)]
    return whats, sum(len(set(map(_folded, groups[name].dropna().unique()))) for name in columns)


def _records(source: Path) -> pd.DataFrame:
    """The texts in the fields of JSON lines, unchanged; tasks do not change labels of other formats."""
    if source.is_file() and ending(source) != _RECORDS:
        return pd.DataFrame()
    try:
        found = [record for file in files(source, (_RECORDS,)) for _, record in read_records(file)]
    except InputError:  # a folder of files in another format
        return pd.DataFrame()
    return pd.DataFrame([{name: value for name, value in one.items() if isinstance(value, str)} for one in found])


def _is_label(column: pd.Series) -> bool:
    values = column.dropna().unique()
    return 1 < len(values) <= min(_MOST_VALUES, len(column) / 2) and max(map(len, values)) <= _LONGEST


def _variants(column: pd.Series, sections: pd.Series | None, noun: str) -> list[str]:
    """A sentence for each label of a column that has several spellings, the commonest first."""
    counts = column.value_counts()
    spellings: dict[str, list[str]] = {}
    for value in counts.index:
        if any(map(str.isalpha, value)):  # numbers such as -1 and 1 are no variants of each other
            spellings.setdefault(_folded(value), []).append(value)
    per_value = None
    if sections is not None and column.name != PARADIGM and sections.nunique() > 1:
        per_value = sections.groupby(column).nunique()
    sentences = []
    for values in (values for values in spellings.values() if len(values) > 1):
        numbers = [
            plural(counts[value], noun)
            + (f" in {plural(per_value[value], 'paradigm')}" if per_value is not None else "")
            for value in values
        ]
        shown = [f"'{value}' ({number})" for value, number in zip(values, numbers, strict=True)]
        sentences.append(f"{column.name} {' and '.join(shown)}")
    return sentences


def _folded(label: str) -> str:
    """The label without case, accents and surrounding white space, its separators alike."""
    letters = unicodedata.normalize("NFKD", label.casefold())
    bare = "".join(character for character in letters if not unicodedata.combining(character))
    return _SEPARATORS.sub(" ", bare).strip()


CHECK = Check(
    name="label_variants",
    title="Inconsistent labels",
    severity="warning",
    meaning="Items of one group count as two groups, unless the reader treats the spellings as one.",
    find=_find,
)
