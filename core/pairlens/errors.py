"""Errors with messages that a user can act on: what was wrong, where, and what to do.

    PairlensError            every error that is shown to a user as one sentence
    |-- InputError           a file, a table or a typed text is not what was expected
    |   '-- NoScoreError     a network gives no number for a text
    |-- PolicyError          an unknown choice, or choices that exclude each other
    |-- ModelError           a model cannot be found, loaded or used as requested
    |-- StoreError           the store is damaged, locked or of another version
    '-- JobError             long work cannot be started, found or stopped

`str(error)` is the message in English, `error.message` the same for other languages (`pairlens.messages`). Any other
exception that reaches a user is a bug.
"""

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pairlens.messages import Message


class PairlensError(Exception):
    @property
    def message(self) -> str:
        """What `str` gives, as the message that it was made from."""
        return self.args[0] if self.args else ""


class InputError(PairlensError):
    """`where` names the place (`file.jsonl, line 12`), `problem` what is wrong with it."""

    def __init__(self, problem: str, where: str = "") -> None:
        super().__init__(Message("{where}: {found}", where=where, found=problem) if where else problem)


class NoScoreError(InputError):
    """A network answers a text with values that are no numbers."""


class PolicyError(PairlensError):
    """A choice is unknown, or two choices exclude each other."""


class ModelError(PairlensError):
    """A model cannot be found, loaded or used as requested."""


class StoreError(PairlensError):
    """The store is damaged, locked by another process or written by another version."""


class JobError(PairlensError):
    """Long work cannot be started, found or stopped."""


def unknown(what: str, name: str, choices: Iterable[str]) -> Message:
    """The sentence for an unknown name: the nearest known one first, then all of them.

    >>> unknown("task", "blmp", ["blimp", "ewok"])
    "There is no task 'blmp'. Did you mean 'blimp'? Known: blimp, ewok."
    """
    known = sorted(choices)
    listed = ", ".join(known) or Message("none")
    if near := difflib.get_close_matches(name, known, n=1, cutoff=0.6):
        return Message(
            "There is no {what} '{name}'. Did you mean '{near}'? Known: {known}.",
            what=what, name=name, near=near[0], known=listed,
        )  # fmt: skip
    return Message("There is no {what} '{name}'. Known: {known}.", what=what, name=name, known=listed)


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C also where it arrives within a query of DuckDB, which says so in other words."""
    try:
        yield
    except RuntimeError as error:
        if str(error) == "Query interrupted":
            raise KeyboardInterrupt from error
        raise
