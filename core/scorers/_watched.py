"""How far a scorer has come, told between forward passes to whoever watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_WATCHER: ContextVar[Callable[[int, int], None] | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Callable[[int, int], None]) -> Iterator[None]:
    """Inside, `watcher` is told how many tokens of how many are scored; what it raises ends the scoring.

    It is told 0 of 0 while another text is being scored.
    """
    token = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(token)


def tell(done: float, total: int) -> None:
    """Say how many of the tokens of all texts are scored."""
    if watcher := _WATCHER.get():
        watcher(min(round(done), total), total)
