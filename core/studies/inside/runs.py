"""Tables of beginnings as stored runs: resumable, each patched form computed once, looked up from then on.

A run is one of the task `inside`: its items are beginnings, its candidates the forms after them. Beside the form as
it is, a candidate has three terms of weight 0, which hold the form in all cells of the map when these are put there:
the states of the other beginning (`donor`), those of another item's with the same right form (`unrelated`), and the
receiver's own, moved in a random direction as far as the donor's are from them (`random`). The map is computed from
what is stored (`average`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path

from core import identity
from core.errors import InputError
from core.runs import evaluate
from core.runs.requests import Plan
from core.runs.requests import plan as plan_of
from core.runs.samples import SAMPLE
from core.scorers._patch import RESIDUAL, Patch
from core.scoring.into_store import Progress
from core.scoring.recipe import Recipe
from core.store import Store
from core.store.runs import ItemRow
from core.studies.inside.question import check_component, patched
from core.studies.inside.table import Table
from core.studies.inside.tokens import START, Cutter, Named, places, regions
from core.tasks import TASKS
from core.tasks._beginnings import SIDES, Beginnings, items
from core.types import Request, Scorer

_NEAR = 64
"""Items among which an unrelated beginning is looked for."""
TERMS = ("donor", "unrelated", "random")
"""What is put into the receiver, in the order of the terms of weight 0, the first of which is term 1."""


@dataclass(frozen=True)
class MapRequest:
    """A planned run, and why items of its file are not in it, by id."""

    planned: Plan
    left_out: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Placed:
    """An item, its texts as the model reads them, and the positions of the regions' tokens in both."""

    item: Beginnings
    texts: tuple[str, str]
    places: Sequence[tuple[int, int]]

    def right(self, side: int) -> str:
        """The form that is right after one of its texts."""
        return self.item.forms[self.item.right[side]]


def ask(table: Table, recipe: Recipe, component: str = RESIDUAL) -> MapRequest:
    """What is asked of these items. Reads no scores and loads no weights.

    InputError for a component that there is not, and where no item can be asked; ModelError for a model that is not
    causal.
    """
    check_component(component)
    recipe = patched(recipe)
    cutter, named, left_out = Cutter(recipe), regions(table.asked), {**table.left_out}
    placed = []
    for one, own in zip(table.asked, named, strict=True):
        try:
            placed.append(_place(one, own, recipe, cutter))
        except InputError as error:
            left_out[one.id] = str(error.message)
    if not placed:
        raise InputError(f"no item can be asked: {next(iter(left_out.values()))}")
    names = ([START] if cutter.has_symbol else []) + [*named[0]]
    groups = {"component": component, "regions": json.dumps(names, ensure_ascii=False)}
    found = [replace(item, groups={**item.groups, **groups}) for item in items(one.item for one in placed)]
    plain = plan_of(TASKS["inside"], found, recipe, "form" if recipe.policy.word_value == "sum" else "word")
    return MapRequest(_with_patches(plain, placed, component), left_out)


def name_of(path: Path) -> str:
    """The name of a run's data (`core.runs.evaluate.data_name`); of our own samples, which of them."""
    name = evaluate.data_name(path)
    return f"{name} ({path.stem})" if name == SAMPLE else name


def run(
    asked: MapRequest,
    store: Store,
    *,
    data: str = "",
    scorer: Callable[[], Scorer] | None = None,
    rescore: bool = False,
) -> Iterator[Progress]:
    """Compute what is not stored yet; the last Progress names the run."""
    yield from evaluate.run(asked.planned, evaluate.Context(store, data=data, scorer=scorer, rescore=rescore))


def _place(one: Beginnings, named: Named, recipe: Recipe, cutter: Cutter) -> _Placed:
    texts = [recipe.request(Request("", text)).text for text in one.texts]
    if [*map(len, texts)] != [*map(len, one.texts)]:
        raise InputError(
            "the text policy changes its length, so that its regions are lost: type it as the model reads it"
        )
    both = texts[0], texts[1]
    found = places(named, both, cutter)
    if cutter.ids(both[0]) == cutter.ids(both[1]):
        raise InputError("both beginnings are the same for this model")
    return _Placed(one, both, found)


def _with_patches(plain: Plan, placed: Sequence[_Placed], component: str) -> Plan:
    """The plan with the three patched requests of each candidate after its plain one."""
    rows: list[ItemRow] = []
    requests: dict[str, Request] = {}
    by_id = {one.item.id: number for number, one in enumerate(placed)}
    for row in plain.rows:
        rows.append(row)
        request = requests[row.request_key] = plain.requests[row.request_key]
        number, receiver = by_id[row.groups["contrast"]], SIDES.index(row.groups["side"])
        for term, patch in enumerate(_patches(placed, number, receiver, component), start=1):
            if patch is None:
                continue
            put = replace(request, after=patch.written())
            key = identity.request_key(plain.recipe.fingerprint, put)
            requests[key] = put
            rows.append(replace(row, term=term, weight=0.0, request_key=key))
    data = identity.dataset_hash([plain.data, *(identity.canonical(one.item.regions) for one in placed)])
    return replace(plain, rows=rows, requests=requests, data=data)


def _patches(placed: Sequence[_Placed], number: int, receiver: int, component: str) -> Iterator[Patch | None]:
    """What is put into a receiver, in the order of `TERMS`; None where there is no other item."""
    own, donor = placed[number], 1 - receiver
    patch = Patch(component, own.texts[donor], _pairs(own, receiver, own, donor))
    yield patch
    yield _unrelated(placed, number, receiver, component)
    yield replace(patch, random=True)


def _unrelated(placed: Sequence[_Placed], number: int, receiver: int, component: str) -> Patch | None:
    """A beginning of the next item after which the receiver's own form is right, else one of the receiver's side."""
    own = placed[number]
    following = islice(chain(placed[number + 1 : number + 1 + _NEAR], placed[:number]), _NEAR)
    others = [
        (one, side) for one in following for side in (receiver, 1 - receiver) if one.texts[side] not in own.texts
    ]
    alike = (pair for pair in others if pair[0].right(pair[1]) == own.right(receiver))
    chosen = next(alike, None) or next((pair for pair in others if pair[1] == receiver), None)
    if chosen is None:
        return None
    one, side = chosen
    return Patch(component, one.texts[side], _pairs(own, receiver, one, side))


def _pairs(one: _Placed, side: int, other: _Placed, of: int) -> tuple[tuple[int, int], ...]:
    """Positions in a receiver, one side of an item, and in a donor."""
    both = zip(one.places, other.places, strict=True)
    return tuple((to[side], from_[of]) for to, from_ in both)
