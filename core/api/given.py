"""Arguments of calls in the form `core` takes: one text or many, a path or a data frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias

from core.files.datasets import located
from core.files.tables import write_table
from core.text import none_empty

if TYPE_CHECKING:
    import pandas as pd

Data: TypeAlias = "str | Path | pd.DataFrame"
"""A file or a folder, the name of a public data set that was fetched, or a table in memory."""
NAME = "data_frame"
"""The name of a data frame in messages and runs."""


def texts_of(texts: str | Iterable[str]) -> list[str]:
    """One text or several (a list, a column of a data frame); InputError for none, and for one that is empty."""
    return none_empty([*texts] if isinstance(texts, Iterable) and not isinstance(texts, str) else [texts], "text")


@contextmanager
def as_file(data: Data, ending: str = ".tsv") -> Iterator[Path]:
    """The path to read; a data frame is saved to a temporary file, without its index."""
    if isinstance(data, str | Path):
        yield located(Path(data))
        return

    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{NAME}{ending}"
        write_table(data, path)
        yield path
