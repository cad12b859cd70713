"""Coverage, width and error rates in every condition, as a table: `python -m tests.statistics.table [DRAWS [WORDS]]`.

With WORDS, only the conditions that have them in their name.
"""

import sys
from collections.abc import Iterable

from tests.statistics.simulated import CONDITIONS, Result, simulate


def show(draws: int, heads: str, measured: Iterable[tuple[str, Result]]) -> None:
    """Print a Markdown table, each row as soon as it is known."""
    print(f"| {heads.format(draws=draws)} | coverage | mean width | no interval | error at .05 |")
    print(f"|---|{'---:|' * (heads.count('|') + 4)}")
    for name, found in measured:
        numbers = f"{found.coverage:.3f} | {found.width:.3f} | {found.none:.3f} | {found.error:.3f}"
        print(f"| {name} | {numbers} |".replace("nan", ""), flush=True)


def asked() -> tuple[int, str]:
    """The number of draws, and words in the names of what is drawn."""
    return int(sys.argv[1]) if len(sys.argv) > 1 else 1_000, " ".join(sys.argv[2:])


if __name__ == "__main__":
    draws, named = asked()
    show(
        draws,
        "condition ({draws:,} draws) | independent",
        (
            (f"{one.kind}: {one.name} | {one.independent}", simulate(one, draws))
            for one in CONDITIONS
            if named in one.name
        ),
    )
