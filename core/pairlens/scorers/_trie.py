"""The rows of tokens that a network sees; rows with shared beginnings laid out as one, each distinct beginning once.

A tree's tokens are in depth-first order: a token sees itself and the earlier ones whose branch has not ended yet.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

Ids = tuple[int, ...]
Place = tuple[int, int]
"""A row and a position in it."""


class Input(NamedTuple):
    """The tokens of a row, or an encoder's and the decoder's; `types` tell two texts apart, where there are some."""

    ids: Ids
    decoder: Ids = ()
    types: Ids = ()

    @property
    def tokens(self) -> int:
        return len(self.ids) + len(self.decoder)

    @property
    def read(self) -> Ids:
        """The tokens with an output: all, or the decoder's."""
        return self.decoder or self.ids

    @property
    def source(self) -> Ids:
        return self.ids if self.decoder else ()

    @property
    def outputs(self) -> int:
        return len(self.read)


_OPEN = 1 << 30
"""The end of a branch to which more tokens may be added."""


@dataclass(slots=True)
class Tree:
    """Tokens of several rows, shared beginnings once.

    For the token at each index, `depths` is its position in its rows and `ends` the first index outside its branch.
    `paths` has the indices of each row's tokens. An encoder sees the same `source` for all.
    """

    ids: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    paths: dict[Input, list[int]] = field(default_factory=dict)
    source: Ids = ()

    @property
    def tokens(self) -> int:
        return len(self.ids)

    def shared(self, ids: Ids) -> int:
        if not self.paths:
            return 0
        latest = next(reversed(self.paths)).read
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(latest, ids, strict=False)))

    def add(self, row: Input) -> None:
        """Lay out a row; rows of one source are added in order of ids."""
        ids, self.source = row.read, row.source
        n_shared = self.shared(ids)
        latest = next(reversed(self.paths.values()), [])
        for left in latest[n_shared:]:
            self.ends[left] = len(self.ids)
        path = [*latest[:n_shared], *range(len(self.ids), len(self.ids) + len(ids) - n_shared)]
        self.ids.extend(ids[n_shared:])
        self.depths.extend(range(n_shared, len(ids)))
        self.ends.extend([_OPEN] * (len(ids) - n_shared))
        self.paths[row] = path


def plant(rows: Iterable[Input], width: int, most: int) -> Iterator[Tree]:
    """Trees of up to `width` tokens; of up to `most` where a row pays for the attention of its new tokens.

    In the tree each new token is compared with all others; alone, the row's tokens only with one another.
    """
    tree = Tree()
    for row in sorted(rows):
        new = row.outputs - tree.shared(row.read)
        size = tree.tokens + new
        pays = 2 * new * size <= row.outputs**2
        if tree.tokens and (row.source != tree.source or size > (most if pays else width)):
            yield tree
            tree = Tree()
        tree.add(row)
    if tree.tokens:
        yield tree
