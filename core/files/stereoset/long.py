"""The table of the Portuguese edition (Firmino 2026): a sentence per row, English with its translation beside it.

The rows of an example share its cluster_id. Only the English columns are read; the translation alone is the edition's
`dev_ptbr.json`, in the original's format.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.errors import InputError
from core.files.stereoset.checking import Record, example_of, text
from core.files.stereoset.examples import KINDS

if TYPE_CHECKING:
    import pandas as pd

_KIND = "dataset_type"
_COLUMNS = (
    _KIND, "cluster_id", "target", "bias_type", "context", "sentence_id", "sentence", "gold_label",
)  # fmt: skip


def is_long(table: pd.DataFrame) -> bool:
    """Whether a table has a sentence per row."""
    return set(_COLUMNS) <= set(table.columns)


def long_records(table: pd.DataFrame, file: str) -> Iterator[Record]:
    """The examples of such a table, in the order of their first rows; InputError for an unknown task."""
    rows: dict[tuple[str, str], list[tuple[int, list[str]]]] = {}
    cells = zip(*(table[name] for name in _COLUMNS), strict=True)
    for number, row in enumerate(cells, start=1):
        kind, identifier, *rest = map(text, row)
        rows.setdefault((kind, identifier), []).append((number, rest))
    for (kind, identifier), found in rows.items():
        number, (target, bias_type, context, *_) = found[0]
        where = f"{file}, row {number}"
        if kind not in KINDS:
            raise InputError(f"column '{_KIND}' must be {' or '.join(KINDS)}, found {kind[:40]!r}.", where)
        fields = {"id": identifier, "target": target, "bias_type": bias_type, "context": context}
        parts = ("id", "sentence", "gold_label")
        sentences = [dict(zip(parts, cells[-3:], strict=True)) for _, cells in found]
        yield Record(where, example_of(fields, kind, sentences))
