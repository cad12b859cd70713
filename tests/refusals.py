"""What a user is told when something is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.errors import InputError


def error_of(read: Callable[[], object]) -> str:
    """The message of the InputError that `read` raises; it must be one line."""
    with pytest.raises(InputError) as error:
        read()
    message = str(error.value)
    assert "\n" not in message
    return message
