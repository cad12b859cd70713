"""What a request for a patched form asks, and its scores, cell by cell.

The request's context is the beginning that receives, its continuation the form, its `after` a `Patch` as text. Its
scores have one entry more than the form has tokens for each cell, a layer and a position: the form's tokens, then one
without a token, before which the ends of words after the form stand. Cells are in order of layers, then of positions.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import takewhile
from typing import Any, NamedTuple

from core.errors import InputError
from core.identity import canonical
from core.types import UNSCORED, TokenScores

AT_ENDS = ("boundary_logprobs", "eos_logprobs", "punctuation_logprobs")
COMPONENTS = ("residual", "attention", "mlp")
LADDER = "ladder"
"""In place of a component: each layer's state as if it were the last one's."""
SOURCES = DONOR, OTHER, RANDOM = ("donor", "other", "random")
_NO_TOKEN = -1
"""The id of the entry that closes a cell."""


@dataclass(frozen=True, slots=True)
class Patch:
    """What is put where: states of `component` from the run of `donor`, at all aligned positions of all layers.

    `source` is `donor`, `other` (those of the text `other`, which has as many tokens, at the donor's positions) or
    `random`: the receiver's own states moved in a random direction as far as the donor's are from them. With `layer`
    and `position` there is one cell only.
    """

    component: str
    donor: str = ""
    source: str = DONOR
    other: str = ""
    layer: int = -1
    position: int = -1

    def written(self) -> str:
        """As the `after` of a request."""
        return canonical(asdict(self))

    @classmethod
    def read(cls, after: str) -> Patch:
        """What `written` wrote."""
        return cls(**json.loads(after))


class Alignment(NamedTuple):
    """Positions of a receiver and of a donor that belong together, in order, and the tokens that begin and end both.

    `parted` are the numbers of tokens between these in the receiver and in the donor. If they are the same, they are
    aligned one by one, else not at all.
    """

    pairs: tuple[tuple[int, int], ...]
    start: int
    end: int
    parted: tuple[int, int]


def aligned(receiver: Sequence[int], donor: Sequence[int]) -> Alignment:
    """Two beginnings' tokens over their shared start and end; InputError if they are the same."""
    start = _shared(receiver, donor)
    end = _shared(receiver[start:][::-1], donor[start:][::-1])
    parted = len(receiver) - start - end, len(donor) - start - end
    if parted == (0, 0):
        raise InputError("both beginnings are the same tokens for this model: there is nothing to move")
    count, shift = len(receiver), len(donor) - len(receiver)
    between = range(start, count - end) if not shift else ()
    first, last = ((place, place) for place in range(start)), range(count - end, count)
    pairs = (*first, *((place, place) for place in between), *((place, place + shift) for place in last))
    return Alignment(pairs, start, end, parted)


def together(cells: Sequence[TokenScores]) -> TokenScores:
    """The scores of a form in each cell as those of one request: see the top."""
    first = cells[0]
    ends = {name: (*(value for one in cells for value in getattr(one, name)), UNSCORED) for name in AT_ENDS}
    tops = tuple(top for one in cells for top in (*(one.tops or ()), ()))
    return TokenScores(
        tokens=(*first.tokens, "") * len(cells),
        ids=(*first.ids, _NO_TOKEN) * len(cells),
        logprobs=tuple(value for one in cells for value in (*one.logprobs, UNSCORED)),
        spans=(*first.spans, first.spans[-1]) * len(cells),
        tops=tops if any(tops) else None,
        boundary_logprobs=ends["boundary_logprobs"],
        eos_logprobs=ends["eos_logprobs"],
        punctuation_logprobs=ends["punctuation_logprobs"],
    )


def apart(scores: TokenScores) -> list[TokenScores]:
    """The scores of the form in each cell, out of those of one request."""
    n = scores.ids.index(_NO_TOKEN)
    found = []
    for start in range(0, len(scores.ids), n + 1):
        own = slice(start, start + n)
        ends: dict[str, Any] = {name: getattr(scores, name)[start : start + n + 1] for name in AT_ENDS}
        part = TokenScores(scores.tokens[own], scores.ids[own], scores.logprobs[own], scores.spans[own], **ends)
        found.append(replace(part, tops=scores.tops and scores.tops[own]))
    return found


def _shared(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
