"""The documents that a training reads: the lines of a text file or a column of a table, sampled and held out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import InputError, unknown
from core.tables import ending, read_lines, read_table

HELD_OUT = 20
"""Without validation text, one document of this many is kept for it."""
_PLAIN = ("", ".txt")


@dataclass(frozen=True, slots=True)
class Documents:
    """Texts to train on and texts to measure on; `held_out` says that these were taken from the same file."""

    training: list[str]
    validation: list[str]
    held_out: bool = False

    def each(self, change: Callable[[str], str]) -> Documents:
        """The same documents, each changed."""
        return Documents([*map(change, self.training)], [*map(change, self.validation)], self.held_out)

    @property
    def same(self) -> bool:
        """Whether the model is measured on what it was trained on."""
        return set(self.validation) <= set(self.training)


def read_documents(path: Path, column: str = "text") -> list[str]:
    """The lines of a plain text (.txt), or the column of any table, also as .gz or .xz; blank ones are left out.

    InputError for an empty file and for a table without the column.
    """
    if ending(path) in _PLAIN:
        texts = read_lines(path)
    else:
        table = read_table(path, trusted=True)
        if column not in table.columns:
            raise InputError(unknown("column of texts", column, map(str, table.columns)), path.name)
        texts = table[column].dropna().astype(str).tolist()
    if not (documents := [text for text in texts if text.strip()]):
        raise InputError("there is no text to train on.", path.name)
    return documents


def sampled(documents: Sequence[str], fraction: float, seed: int) -> list[str]:
    """The documents in the order of the seed, and of these the first fraction, at least one."""
    order = np.random.default_rng(seed).permutation(len(documents))
    return [documents[index] for index in order[: max(1, int(fraction * len(documents)))]]


def documents_of(training: Path, validation: Path | None, column: str, fraction: float, seed: int) -> Documents:
    """What to train and to measure on, both sampled; without a validation file a part of the text is held out."""
    texts = sampled(read_documents(training, column), fraction, seed)
    if validation is not None:
        return Documents(texts, sampled(read_documents(validation, column), fraction, seed))
    return held_out(texts, training.name)


def held_out(texts: Sequence[str], name: str) -> Documents:
    """The documents of the text `name`, some of them to measure on; InputError if there is only one."""
    if len(texts) < 2:
        raise InputError("one document only, of which none can be held out: name a validation file.", name)
    cut = max(1, len(texts) // HELD_OUT)
    return Documents([*texts[cut:]], [*texts[:cut]], held_out=True)
