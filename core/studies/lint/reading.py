"""A data set read to be checked: rows that cannot be read are listed, the others are checked; tokens counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from core.errors import InputError
from core.files.apart import counted
from core.files.row_mistakes import RowMistakes, collected
from core.files.tables import ending
from core.models.loading import load_tokenizer, load_window
from core.models.vocabulary import reads_whole_words
from core.scorers.unigram import split_words
from core.studies.experiment.design import Design
from core.types import Item, Model

_OF_LINES = (".jsonl", ".ndjson", ".txt", ".text")
_OF_TABLES = (".csv", ".tsv", ".tab", ".xlsx", ".raw-pred", ".pred")


@dataclass(frozen=True)
class Reading:
    """The items that could be read, the row of each, and what is wrong with the other rows.

    `rows` has None where the file does not number its items, and for the files of a folder. `design` is the
    experiment that the items are of, if any.
    """

    items: tuple[Item, ...]
    rows: Sequence[int | None]
    mistakes: RowMistakes
    design: Design | None = None


def read_items(read: Callable[[Path], Iterable[Item]], path: Path) -> Reading:
    """The items of a task (`read` is its method); InputError if there is none, for a single reason."""
    items: list[Item] = []
    rows: list[int | None] = []
    with collected() as mistakes:
        try:
            for item in counted(read(path)):
                items.append(item)
                rows.append(mistakes.last)
        except InputError as error:
            if items or not mistakes.n:  # else it is a consequence: nothing was left to read
                mistakes.add(None, error)
    if not items and mistakes.n == 1:
        raise InputError(mistakes.kept[0][1])
    return Reading(tuple(items), rows if path.is_file() else [None] * len(items), mistakes)


def read_experiment(read: Callable[[], Design]) -> Reading:
    """The pairs of an experiment; InputError if no sentence can be read."""
    with collected() as mistakes:
        design = read()
    items = tuple(design.items())
    return Reading(items, [None] * len(items), mistakes, design)


def rows_in_words(path: Path) -> str:
    """What the numbers of rows mean that a report on this file gives; empty for a folder and other formats."""
    if path.is_dir():
        return ""
    if ending(path) in _OF_LINES:
        return "Rows are lines of the file."
    if ending(path) in _OF_TABLES:
        return "Rows are numbered as in a spreadsheet: the column names are row 1."
    return ""


class TokenCounter(NamedTuple):
    """`tokens` returns the number of tokens of a text, without special ones.

    `window` is the most tokens of a text that the model sees at once, special ones aside; None without a limit.
    `whole_words`: its tokens are the words between white space.
    """

    tokens: Callable[[str], int]
    window: int | None
    whole_words: bool


def token_counter(model: Model) -> TokenCounter:
    """The tokens of a model; for word counts, words and marks. ModelError if its files are missing or damaged."""
    if model.kind == "unigram":
        return TokenCounter(lambda text: len(split_words(text)), None, False)
    tokenizer = load_tokenizer(model)
    around = max(len(tokenizer.before) + len(tokenizer.after), 1)

    def tokens(text: str) -> int:
        return len(tokenizer.backend.encode(text, add_special_tokens=False).ids)

    return TokenCounter(tokens, load_window(model) - around, reads_whole_words(model))
