"""What a request for a patched form asks, and its scores, cell by cell.

The request's context is the beginning that receives, its continuation the form, its `after` a `Patch` as text. Its
scores have one entry more than the form has tokens for each cell, a layer and a position: the form's tokens, then one
without a token, before which the ends of words after the form stand. Cells are in order of layers, then of positions.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from pairlens.identity import canonical
from pairlens.types import AT_ENDS, UNSCORED, TokenScores

RESIDUAL, ATTENTION, MLP = COMPONENTS = ("residual", "attention", "mlp")
LADDER = "ladder"
"""In place of a component: each layer's states as if they were the last one's."""
_NO_TOKEN = -1
"""The id of the entry that closes a cell."""


@dataclass(frozen=True, slots=True)
class Patch:
    """Which states are put where.

    Those of `component` in the run of `donor`, in each of `layers` (without any: in all), for `pairs` of a position
    in the receiver and one in the donor, the start symbol counted. `random`: instead of the donor's state the
    receiver's own, moved in a random direction as far as the donor's is from it.
    """

    component: str
    donor: str = ""
    pairs: tuple[tuple[int, int], ...] = ()
    layers: tuple[int, ...] = ()
    random: bool = False

    def written(self) -> str:
        return canonical(asdict(self))

    @classmethod
    def read(cls, after: str) -> Self:
        fields = json.loads(after)
        pairs = tuple((to, of) for to, of in fields.pop("pairs"))
        return cls(**{**fields, "pairs": pairs, "layers": tuple(fields["layers"])})


def together(cells: Sequence[TokenScores]) -> TokenScores:
    first = cells[0]
    ends: Any = {name: (*(value for cell in cells for value in getattr(cell, name)), UNSCORED) for name in AT_ENDS}
    tops = tuple(top for cell in cells for top in (*(cell.tops or ()), ()))
    return TokenScores(
        tokens=(*first.tokens, "") * len(cells),
        ids=(*first.ids, _NO_TOKEN) * len(cells),
        logprobs=tuple(value for cell in cells for value in (*cell.logprobs, UNSCORED)),
        spans=(*first.spans, first.spans[-1]) * len(cells),
        tops=tops if any(tops) else None,
        **ends,
    )


def apart(scores: TokenScores) -> list[TokenScores]:
    n = scores.ids.index(_NO_TOKEN)
    places = []
    for start in range(0, len(scores.ids), n + 1):
        own = slice(start, start + n)
        ends: dict[str, Any] = {name: getattr(scores, name)[start : start + n + 1] for name in AT_ENDS}
        part = TokenScores(scores.tokens[own], scores.ids[own], scores.logprobs[own], scores.spans[own], **ends)
        places.append(replace(part, tops=scores.tops and scores.tops[own]))
    return places
