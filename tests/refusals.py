"""What a user is told when something is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.errors import InputError


def error_of(read: Callable[[], object], kind: type[Exception] = InputError) -> str:
    """The message of the error that `read` raises; it must be one line."""
    with pytest.raises(kind) as error:
        read()
    message = str(error.value)
    assert "\n" not in message
    return message
