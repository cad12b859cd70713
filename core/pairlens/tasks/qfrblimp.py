"""QFrBLiMP, and any table whose label is the place of the good sentence among two."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairlens.errors import InputError
from pairlens.files.row_mistakes import row
from pairlens.files.tables import files, read_table, row_numbers
from pairlens.tasks._agreement_pairs import stem
from pairlens.tasks._base import Numbering, PublishedTask, pair
from pairlens.types import Item

if TYPE_CHECKING:
    import pandas as pd

_ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".xlsx")
_PLACES = ("sentence_a", "sentence_b")
_NAMES = ("sentence_good", "sentence_bad")
_LABEL = "label"
_UNKNOWN = "unknown"
_ANNOTATOR = "annotator_"


def read(path: Path) -> Iterator[Item]:
    """A table with columns `sentence_a`, `sentence_b` and `label`, which is 0 if a is the good one and 1 if b is.

    What decides is the whole sentence. Groups:

        type        the phenomenon, here 1 to 20 (1: agreement of past participles); the file's name if there is none
        category    `morphology`, `semantic`, `syntax`, `anglicism`; `unknown` if the table does not say
        subcat      the same
        people      how many of those who were asked (`annotator_...`) chose the good sentence
        contrast    the words in which the sentences differ

    Where the columns are `sentence_good` and `sentence_bad`, as in the French part of MultiBLiMP that comes with it,
    their names say which is good: its `label` is only where the good one once stood, and is not read.

    The whole set lies in one folder with its parts: give one file. A pair that stands in two files of a folder is
    refused, since it would count twice. In 18 of the 1,761 pairs both sentences are the same: they can only be ties.
    """
    number = Numbering()
    seen: dict[frozenset[str], str] = {}
    for file in files(path, _ENDINGS):
        table, known = _table(file)
        for place, cells in zip(row_numbers(table), table.to_dict("records"), strict=True):
            where = f"{file.name}, row {place}"
            with row(place):
                good, bad, groups = _pair(cells, known, file, where)
                if (other := seen.setdefault(frozenset((good, bad)), file.name)) != file.name:
                    raise InputError(f"this pair stands in {other} too: give one of the files", where)
                yield pair(number(groups["type"]), good, bad, groups)


def _table(file: Path) -> tuple[pd.DataFrame, tuple[str, ...]]:
    table = read_table(file)
    known = next((names for names in ((*_PLACES, _LABEL), _NAMES) if set(names) <= set(table.columns)), None)
    if known is None:
        expected = f"{', '.join((*_PLACES, _LABEL))}, or {' and '.join(_NAMES)}"
        raise InputError(f"expected columns {expected}; found {', '.join(map(str, table.columns))}", file.name)
    if table.empty:
        raise InputError("no pair below the column names", file.name)
    return table, known


def _pair(
    cells: Mapping[Hashable, Any], known: tuple[str, ...], file: Path, where: str
) -> tuple[str, str, dict[str, str]]:
    sentences = [_text(cells[name], name, where) for name in known[:2]]
    place = _place(cells[_LABEL], where) if _LABEL in known else 0
    annotators = [name for name in cells if str(name).startswith(_ANNOTATOR)] if _LABEL in known else []
    chosen = [cell for name in annotators if (cell := _cell(cells[name]))]
    groups = {name: _cell(cells.get(name)) or _UNKNOWN for name in ("type", "category", "subcat")}
    groups["type"] = stem(file) if groups["type"] == _UNKNOWN else groups["type"]
    groups["people"] = f"{chosen.count(str(place))} of {len(chosen)}" if chosen else _UNKNOWN
    return sentences[place], sentences[1 - place], groups


def _text(value: object, column: str, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"column '{column}' has no text", where)
    return value


def _place(value: object, where: str) -> int:
    if (label := _cell(value)) not in ("0", "1"):
        raise InputError(f"label must be 0 (a is good) or 1 (b is good), found '{label[:40]}'", where)
    return int(label)


def _cell(value: object) -> str:
    """A cell as text: whole numbers without a point, nothing for what is missing."""
    if value is None or value != value:  # NaN is not itself
        return ""
    text = str(value).strip()
    return text.removesuffix(".0") if text.removesuffix(".0").isdecimal() else text


TASK = PublishedTask(
    name="qfrblimp",
    title="QFrBLiMP",
    about="Does the model prefer the good sentence of each pair, in the French of Quebec?",
    paper="Beauchemin et al. 2026, QFrBLiMP: a Quebec-French Benchmark of Linguistic Minimal Pairs",
    cites=("beauchemin2026qfrblimp",),
    topic="Grammar",
    language="fr",
    rules=("joint",),
    groups=("type", "category"),
    averaged=("type",),
    any_table=True,
    reader=read,
)
