"""Cases of one promise: some in `make test`, all in `make soak`."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest


def thinned(cases: Iterable[Any], every: int) -> list[Any]:
    """The first of `every` so many cases as it is, the others for the soak; a case of several values is a tuple."""
    return [_marked(case, place % every == 0) for place, case in enumerate(cases)]


def one_of_each(cases: Iterable[Any], kind: Callable[[Any], Hashable]) -> list[Any]:
    """The first case of each kind as it is, the others for the soak."""
    seen: set[Hashable] = set()
    marked = []
    for case in cases:
        marked.append(_marked(case, kind(case) not in seen))
        seen.add(kind(case))
    return marked


def _marked(case: Any, usual: bool) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=() if usual else pytest.mark.soak)
