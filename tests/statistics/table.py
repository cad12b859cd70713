"""Coverage, width and error rates in every condition, as a table: `python -m tests.statistics.table [DRAWS [WORDS]]`.

With WORDS, only the conditions that have them in their name.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tests.statistics.simulated import CONDITIONS, simulate


def rows(draws: int, named: str = "") -> Iterator[str]:
    """The lines of a Markdown table, each as soon as it is known."""
    yield f"| condition ({draws:,} draws) | independent | coverage | mean width | no interval | error at .05 |"
    yield "|---|---:|---:|---:|---:|---:|"
    for condition in CONDITIONS:
        if named in condition.name:
            found = simulate(condition, draws)
            kind = type(condition).__name__.lower()
            numbers = f"{found.coverage:.3f} | {found.width:.3f} | {found.none:.3f} | {found.error:.3f}"
            yield f"| {kind}: {condition.name} | {condition.independent} | {numbers} |".replace("nan", "")


if __name__ == "__main__":
    for line in rows(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000, " ".join(sys.argv[2:])):
        print(line, flush=True)
