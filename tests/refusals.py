"""What a user is told when something is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pairlens.errors import InputError


def error_of(read: Callable[[], object], kind: type[Exception] = InputError) -> str:
    """The message of the error that `read` raises; it must be one line."""
    with pytest.raises(kind) as error:
        read()
    message = str(error.value)
    assert "\n" not in message
    return message


def refused(outcome: tuple[int, str, str], *words: str) -> None:
    """A verb ended with one line on standard error that says this, nothing on standard output, and status 2."""
    status, out, err = outcome
    assert (status, out, err.count("\n")) == (2, "", 1) and err.startswith("pairlens: "), outcome
    for word in words:
        assert word in err, err
