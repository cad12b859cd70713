"""Forms after patched beginnings: a row per cell, as many rows in a forward pass as the token budget allows.

All rows of a request have the same tokens, so that nothing is padded. See `_patch` for what is asked and returned.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from pairlens.errors import InputError, ModelError
from pairlens.identity import canonical, digest
from pairlens.models import Loaded, spreading
from pairlens.models.layers import RESIDUAL, Layers, Put, Site
from pairlens.policies import Policy
from pairlens.scorers import tell
from pairlens.scorers._encoding import SHOWN
from pairlens.scorers._left_to_right import LeftToRightScorer
from pairlens.scorers._measuring import NO_TARGET, Readings, picked
from pairlens.scorers._network import token_scores
from pairlens.scorers._patch import LADDER, Patch, together
from pairlens.scorers._trie import Ids, Input
from pairlens.types import PLAIN, Extras, Request, TokenScores

_REMEMBERED = 8
"""Texts whose states are kept: the forms and the directions of a pair follow each other."""


class _Cell(NamedTuple):
    site: Site
    positions: Sequence[int]
    states: Tensor


class PatchedScorer(LeftToRightScorer):
    def __init__(self, network: Loaded, policy: Policy) -> None:
        if spreading.is_divided(network.module):
            raise ModelError(
                f"'{network.name}' is spread over devices and cannot be patched: set PAIRLENS_DEVICE=cpu."
            )
        super().__init__(network, policy.but(window=0, stride=0, windows="full"))
        self._network, self._layers = network, Layers(network)
        self._states = lru_cache(_REMEMBERED)(self._read_states)

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        """Patched requests have the ends of words in any case."""
        plain = iter(super().score([request for request in requests if not request.after], extras))
        scores: list[TokenScores] = []
        for request in requests:
            if request.after:
                tell(len(scores), len(requests))
            scores.append(self._patched(request, extras) if request.after else next(plain))
        return scores

    def _patched(self, request: Request, extras: Extras) -> TokenScores:
        patch, extras = Patch.read(request.after), replace(extras, boundary=True)
        (text,) = self._encoded([Request(request.context, request.continuation)])
        ids, receiver = self._seen(text.ids), self._beginning(request.context)
        if text.n_straddling or ids[: len(receiver)] != receiver:
            raise InputError(
                f"{request.continuation.strip()[:SHOWN]!r} shares a token with what stands before it, so no state "
                "stands between them: let the beginning end where a token ends"
            )
        if patch.component == LADDER:  # each layer's states as the last one's
            states, sites = self._states(ids, RESIDUAL), self._layers.sites(RESIDUAL)
            cells: list[_Cell | None] = [_Cell(sites[-1], range(len(ids)), states[site]) for site in sites]
        else:
            cells = [*self._cells(receiver, patch)]
        wanted = [cell for cell in cells if cell] + [None] * (None in cells)
        results = [*self._read(ids, len(ids) - len(receiver), wanted, extras)]
        in_turn = iter(results)
        readings = [results[-1] if cell is None else next(in_turn) for cell in cells]
        return together([token_scores(text, reading, self._name, extras) for reading in readings])

    def _beginning(self, text: str) -> Ids:
        return self._seen(self._encoded([Request("", text)])[0].ids)

    def _seen(self, ids: Ids) -> Ids:
        seen = self._symbol + ids
        if len(seen) > self._window:
            raise InputError(f"a text of {len(seen)} tokens is longer than the {self._window} that the model can see")
        return seen

    def _cells(self, receiver: Ids, patch: Patch) -> Iterator[_Cell | None]:
        donor = self._beginning(patch.donor)
        own, donated = (self._states(ids, patch.component) for ids in (receiver, donor))
        to, of = ([pair[side] for pair in patch.pairs] for side in (0, 1))
        for site in self._layers.sites(patch.component):
            if patch.layers and site[1] not in patch.layers:
                continue
            states = donated[site][of]
            if patch.random:
                states = _moved(own[site][to], states, canonical([receiver, donor, *site]))
            for place, pair in enumerate(patch.pairs):
                same = pair[0] == pair[1] and receiver[: pair[0] + 1] == donor[: pair[0] + 1]
                yield None if same else _Cell(site, [pair[0]], states[place : place + 1])

    def _read_states(self, ids: Ids, component: str) -> dict[Site, Tensor]:
        with self._layers.reading(component) as states:
            self._batches.at_once([Input(ids)], [(0, 0)], [NO_TARGET], PLAIN)
        return {site: state[0] for site, state in states.items()}

    def _read(self, ids: Ids, n: int, cells: Sequence[_Cell | None], extras: Extras) -> Iterator[Readings]:
        """The readings of the last `n` tokens and of what follows them, with each cell's states in place."""
        at_once = max(1, self._batches.budget // len(ids))
        for start in range(0, len(cells), at_once):
            yield from self._run(ids, n, cells[start : start + at_once], extras)

    def _run(self, ids: Ids, n: int, cells: Sequence[_Cell | None], extras: Extras) -> Iterator[Readings]:
        places = range(len(ids) - n - 1, len(ids))
        targets = [*ids[len(ids) - n :], NO_TARGET]
        reads = [(row, place) for row in range(len(cells)) for place in places]
        try:
            with self._layers.putting(_put(cells)):
                readings = self._batches.at_once([Input(ids)] * len(cells), reads, targets * len(cells), extras)
        except torch.OutOfMemoryError:
            if len(cells) == 1:
                raise ModelError(f"'{self._network.name}' does not fit into memory with {len(ids)} tokens.") from None
            readings = {}  # what holds memory is let go before the next attempt
        if readings:
            yield from (picked(readings, range(row * (n + 1), (row + 1) * (n + 1))) for row in range(len(cells)))
        else:
            self._batches.budget = max(1, self._batches.budget // 2)
            yield from self._run(ids, n, cells[: len(cells) // 2], extras)
            yield from self._run(ids, n, cells[len(cells) // 2 :], extras)


def _put(cells: Sequence[_Cell | None]) -> dict[Site, Put]:
    by_site: dict[Site, list[tuple[int, _Cell]]] = defaultdict(list)
    for row, cell in enumerate(cells):
        if cell:
            by_site[cell.site].append((row, cell))
    return {
        site: Put(
            torch.tensor([row for row, cell in own for _ in cell.positions]),
            torch.tensor([position for _, cell in own for position in cell.positions]),
            torch.cat([cell.states for _, cell in own]),
        )
        for site, own in by_site.items()
    }


def _moved(states: Tensor, others: Tensor, seed: str) -> Tensor:
    """States (n, D), each moved in a random direction as far as the other is from it."""
    generator = torch.Generator().manual_seed(int(digest(seed)[:15], 16))
    drawn = torch.randn(states.shape, generator=generator).to(states)
    unit: Tensor = drawn / drawn.norm(dim=-1, keepdim=True)
    size: Tensor = (others - states).norm(dim=-1, keepdim=True)
    return states + unit * size
