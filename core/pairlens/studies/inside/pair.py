"""One pair of beginnings: its map, its ladder, and what comes next with a patch and without."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product

import numpy as np
import pandas as pd

from pairlens import measures
from pairlens.errors import InputError
from pairlens.models import unknown_token
from pairlens.scorers._patch import LADDER, RESIDUAL, Patch
from pairlens.scoring.into_store import scores_now
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.inside.question import (
    DIRECTIONS,
    Alignment,
    Cutter,
    Question,
    Reals,
    aligned,
    check_component,
    patched,
    put,
    share,
    values,
)
from pairlens.text.joining import following
from pairlens.types import Extras, Request, Scorer

CELLS = [
    "component", "direction", "layer", "position", "token", "donor_position", "donor_token", "share", "bits",
    "random",
]  # fmt: skip
"""The columns of a map, which has a row per direction, layer and aligned position."""


@dataclass(frozen=True, eq=False)
class Inside:
    """What was found inside a model about a question.

    `margins`: m of both beginnings, in bits. `cells` (CELLS): `position` (from 0, the start symbol counted) and
    `token` are the receiver's, `donor_position` and `donor_token` those of the state that is put there; layer 0 is
    the embedding; `share` and `bits` as in `pairlens.studies.inside.question`, and `random` the share that a random
    direction of the same size moves. `ladder`: layer, first, second, the margins in bits as each layer would have
    given them; `settled`: by beginning, the first layer from which their sign no longer changes. `tokens` are those
    of both beginnings, as displayed; `alignment` pairs positions of the first with positions of the second.
    """

    question: Question
    recipe: Recipe
    component: str
    margins: tuple[float, float]
    cells: pd.DataFrame
    ladder: pd.DataFrame
    settled: tuple[int, int]
    tokens: tuple[list[str], list[str]]
    alignment: Alignment


def inside(
    question: Question,
    recipe: Recipe,
    store: Store,
    scorer: Callable[[], Scorer] | None = None,
    component: str = RESIDUAL,
) -> Inside:
    """Both maps and the ladder; what is not stored is computed now, with `scorer()` of `patched(recipe)`.

    ModelError for a network or component that it does not show; InputError for beginnings that are the same to it.
    """
    check_component(component)
    read = _Read(question, recipe)
    requests = [*read.forms, *(put(forms, Patch(LADDER)) for forms in read.forms)]
    for donor, random in product((0, 1), (False, True)):
        requests.append(put(read.forms[1 - donor], read.patch(donor, component, random=random)))
    plain_first, plain_second, ladder_first, ladder_second, *maps = _margins(requests, read.recipe, store, scorer)
    margins = float(plain_first[0]), float(plain_second[0])
    cells = pd.concat([_cells(read, 0, margins, *maps[:2]), _cells(read, 1, margins, *maps[2:])], ignore_index=True)
    cells = cells.assign(component=component, layer=cells["layer"] + int(component != RESIDUAL))[CELLS]
    ladder = pd.DataFrame({"layer": range(len(ladder_first)), "first": ladder_first, "second": ladder_second})
    changes = settled(ladder_first), settled(ladder_second)
    return Inside(question, recipe, component, margins, cells, ladder, changes, read.shown, read.alignment)


def settled(ladder: Reals) -> int:
    other = np.flatnonzero(np.sign(ladder) != np.sign(ladder[-1]))
    return int(other[-1]) + 1 if len(other) else 0


def coming_next(
    question: Question,
    recipe: Recipe,
    store: Store,
    scorer: Callable[[], Scorer] | None = None,
    *,
    direction: str,
    layer: int,
    position: int,
    component: str = RESIDUAL,
    number: int = 10,
) -> pd.DataFrame:
    """The likeliest tokens after the receiver, without (patched: False) and with the patch of one cell.

    Columns: patched, rank, token (as displayed), probability. InputError for a position that is not in the map.
    """
    check_component(component)
    read = _Read(question, recipe)
    donor = DIRECTIONS.index(direction)
    patch = read.patch(donor, component, (layer, position))
    if not patch.pairs:
        raise InputError(f"position {position} has no counterpart in the other beginning: nothing can be put there")
    plain = read.forms[1 - donor][:1]
    both = scores_now([*plain, *put(plain, patch)], read.recipe, store, Extras(boundary=True, top=number), scorer)
    rows = [
        (is_patched, rank, read.cutter.named(token), measures.probability(logprob))
        for is_patched, scores in zip((False, True), both, strict=True)
        for rank, (token, logprob) in enumerate((scores.tops or ((),))[0], start=1)
    ]
    return pd.DataFrame(rows, columns=["patched", "rank", "token", "probability"])


class _Read:
    """A question as the model reads it: the requests for its forms, by beginning, and tokens."""

    def __init__(self, question: Question, recipe: Recipe) -> None:
        patching = patched(recipe)
        self.cutter = Cutter(patching)
        whole = self.cutter.whole_words
        self.forms = [
            [patching.request(Request(text, following(text, form, always=whole))) for form in question.forms]
            for text in map(str.rstrip, question.beginnings)
        ]
        ids = [self.cutter.ids(requests[0].context) for requests in self.forms]
        self.shown = self.cutter.shown(ids[0]), self.cutter.shown(ids[1])
        self.alignment = aligned(*ids)
        # Texts are prepared already, and what is put into them is no text.
        self.recipe = replace(patching, policy=patching.policy.but(text="as-typed", detokenise=""))

    def pairs(self, donor: int) -> list[tuple[int, int]]:
        """Positions of the receiver and of the donor, which is the first or the second beginning."""
        return [pair if donor else pair[::-1] for pair in self.alignment.pairs]

    def patch(
        self, donor: int, component: str, cell: tuple[int, int] | None = None, *, random: bool = False
    ) -> Patch:
        """The patch of all cells, or of that in this layer and at this position of the receiver."""
        pairs = tuple(pair for pair in self.pairs(donor) if cell is None or pair[0] == cell[1])
        return Patch(component, self.forms[donor][0].context, pairs, cell[:1] if cell else (), random)


def _cells(read: _Read, donor: int, margins: tuple[float, float], values: Reals, by_chance: Reals) -> pd.DataFrame:
    """The map of one direction, its layers counted from 0."""
    receiver = margins[1 - donor]
    difference = margins[donor] - receiver
    to, of = (np.array([pair[side] for pair in read.pairs(donor)]) for side in (0, 1))
    layers = len(values) // len(to)
    return pd.DataFrame(
        {
            "direction": DIRECTIONS[donor],
            "layer": np.repeat(np.arange(layers), len(to)),
            "position": np.tile(to, layers),
            "token": [read.shown[1 - donor][place] for place in to] * layers,
            "donor_position": np.tile(of, layers),
            "donor_token": [read.shown[donor][place] for place in of] * layers,
            "share": share(values - receiver, difference),
            "bits": values - receiver,
            "random": share(by_chance - receiver, difference),
        }
    )


def _margins(
    requests: Sequence[Sequence[Request]], recipe: Recipe, store: Store, scorer: Callable[[], Scorer] | None
) -> list[Reals]:
    """The lead of the first form over the second in each cell, in bits."""
    flat = [*chain(*requests)]
    scores, symbol = scores_now(flat, recipe, store, Extras(boundary=True), scorer), unknown_token(recipe.model)
    for request, one in zip(flat, scores, strict=True):
        if symbol and symbol in one.tokens:
            raise InputError(f"'{request.continuation.strip()}' is not in the model's vocabulary")
    totals = iter(values(one, request, recipe.policy) for one, request in zip(scores, flat, strict=True))
    return [measures.bits(next(totals) - next(totals)) for _ in requests]
