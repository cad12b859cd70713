"""What is wrong with single rows of a file: raised at the first one, unless somebody collects all of them.

A reader takes each row inside `row(number)`, or gives what is wrong with it to `note`, and goes on.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from pairlens.errors import InputError

KEPT = 200
"""Mistakes kept with their sentences; all are counted."""


@dataclass(slots=True)
class RowMistakes:
    """The first `KEPT` mistakes as `(row, sentence)`, how many there are, and which row was read last."""

    kept: list[tuple[int | None, str]] = field(default_factory=list)
    n: int = 0
    last: int | None = None
    at_most: int | None = None

    def add(self, number: int | None, error: InputError) -> None:
        self.n += 1
        if len(self.kept) < KEPT:
            self.kept.append((number, error.message))


_COLLECTING: ContextVar[RowMistakes | None] = ContextVar("row_mistakes", default=None)


@contextmanager
def collected(at_most: int | None = None) -> Iterator[RowMistakes]:
    """Inside, rows with mistakes are left out and their mistakes collected; the one after `at_most` is raised.

    An InputError that ends the block is often a consequence: the first mistake, if any, is raised in its place.
    """
    token = _COLLECTING.set(mistakes := RowMistakes(at_most=at_most))
    try:
        yield mistakes
    except InputError as error:
        raise (InputError(mistakes.kept[0][1]) if mistakes.kept else error) from None
    finally:
        _COLLECTING.reset(token)


@contextmanager
def row(number: int) -> Iterator[None]:
    if (mistakes := _COLLECTING.get()) is not None:
        mistakes.last = number
    try:
        yield
    except InputError as error:
        note(number, error)


def note(number: int, error: InputError) -> None:
    mistakes = _COLLECTING.get()
    if mistakes is None or mistakes.n == mistakes.at_most:
        raise error from None
    mistakes.add(number, error)
