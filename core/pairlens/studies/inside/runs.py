"""Tables of beginnings as stored runs: resumable, each patched form computed once, looked up from then on.

A run is one of the task `inside`: its items are beginnings, its candidates the forms after them. Beside the form as
it is, a candidate has three terms of weight 0, which hold the form in all cells of the map when these are put there:
the states of the other beginning (`donor`), those of another item's with the same right form (`unrelated`), and the
receiver's own, moved in a random direction as far as the donor's are from them (`random`).

The share of a cell of the map is the mean of what moved over the mean of the difference, both over items:

    share = mean(m(patched) - m(receiver)) / mean(m(donor) - m(receiver))

which counts an item as much as its beginnings differ: a mean of shares would be ruled by items that hardly differ.
Intervals are over items (jackknife, `pairlens.statistics.jackknife`). The controls are divided by the same
difference: so much a map would show for any disturbance.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, product
from pathlib import Path

import numpy as np
import pandas as pd

from pairlens import identity, measures
from pairlens.errors import InputError, StoreError
from pairlens.evaluation import evaluate
from pairlens.evaluation.requests import Plan
from pairlens.evaluation.requests import plan as plan_of
from pairlens.evaluation.samples import SAMPLE
from pairlens.policies import Policy
from pairlens.scorers._patch import RESIDUAL, Patch
from pairlens.scoring.recipe import Recipe
from pairlens.statistics.jackknife import left_out, symmetrical
from pairlens.store import Store
from pairlens.store.runs import ItemRow
from pairlens.studies.inside.question import (
    DIRECTIONS,
    SMALLEST,
    START,
    Cutter,
    Named,
    Reals,
    check_component,
    patched,
    places,
    regions,
    values,
)
from pairlens.studies.inside.table import Table, read
from pairlens.tasks import TASKS
from pairlens.tasks._beginnings import SIDES, Beginnings, items
from pairlens.types import Request

_NEAR = 64
"""Items among which an unrelated beginning is looked for."""
MOVED = ("share", "unrelated", "random")
"""The columns of a mean map, in the order of the terms of weight 0, the first of which is term 1: of what is put."""


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
        return self.item.forms[self.item.right[side]]


def ask(table: Table, recipe: Recipe, component: str = RESIDUAL) -> MapRequest:
    """What is asked of these items; reads no scores and loads no weights.

    InputError for an unknown component, and where no item can be asked; ModelError for a model that is not causal.
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
    grouped = [replace(item, groups={**item.groups, **groups}) for item in items(one.item for one in placed)]
    plain = plan_of(TASKS["inside"], grouped, recipe, "form" if recipe.policy.word_value == "sum" else "word")
    rows: list[ItemRow] = []
    requests: dict[str, Request] = {}
    by_id = {one.item.id: number for number, one in enumerate(placed)}
    for row in plain.rows:
        rows.append(row)
        request = requests[row.request_key] = plain.requests[row.request_key]
        number, receiver = by_id[row.groups["contrast"]], SIDES.index(row.groups["side"])
        for term, patch in enumerate(_patches(placed, number, receiver, component), start=1):
            if patch:
                put = replace(request, after=patch.written())
                key = identity.request_key(plain.recipe.fingerprint, put)
                requests[key] = put
                rows.append(replace(row, term=term, weight=0.0, request_key=key))
    data = identity.dataset_hash([plain.data, *(identity.canonical(one.item.regions) for one in placed)])
    return MapRequest(replace(plain, rows=rows, requests=requests, data=data), left_out)


def request_of(path: Path, recipe: Recipe, component: str = RESIDUAL, factor: str = "") -> MapRequest:
    """The same of a file, with proposals in the model's language; errors also as in `table.read`."""
    return ask(read(path, str(recipe.model.card.get("language", "")), factor), recipe, component)


def name_of(path: Path) -> str:
    """The name of a run's data (`pairlens.evaluation.evaluate.data_name`); of our own samples, which of them."""
    name = evaluate.data_name(path)
    return f"{name} ({path.stem})" if name == SAMPLE else name


def _place(one: Beginnings, named: Named, recipe: Recipe, cutter: Cutter) -> _Placed:
    texts = [recipe.request(Request("", text)).text for text in one.texts]
    if [*map(len, texts)] != [*map(len, one.texts)]:
        raise InputError(
            "the text policy changes its length, so that its regions are lost: type it as the model reads it"
        )
    pairs = places(named, (texts[0], texts[1]), cutter)
    if cutter.ids(texts[0]) == cutter.ids(texts[1]):
        raise InputError("both beginnings are the same for this model")
    return _Placed(one, (texts[0], texts[1]), pairs)


def _patches(placed: Sequence[_Placed], number: int, receiver: int, component: str) -> Iterator[Patch | None]:
    """What is put into a receiver, in the order of `MOVED`; None where there is no other item.

    Unrelated is a beginning of the next item after which the receiver's own form is right, else one of its side.
    """
    own = placed[number]

    def patch(donor: _Placed, side: int) -> Patch:
        pairs = ((to[receiver], of[side]) for to, of in zip(own.places, donor.places, strict=True))
        return Patch(component, donor.texts[side], tuple(pairs))

    following = islice(chain(placed[number + 1 : number + 1 + _NEAR], placed[:number]), _NEAR)
    sides = product(following, (receiver, 1 - receiver))
    others = [(other, side) for other, side in sides if other.texts[side] not in own.texts]
    alike = (pair for pair in others if pair[0].right(pair[1]) == own.right(receiver))
    chosen = next(chain(alike, (pair for pair in others if pair[1] == receiver)), None)
    yield patch(own, 1 - receiver)
    yield patch(*chosen) if chosen else None
    yield replace(patch(own, 1 - receiver), random=True)


_FEWEST = 2
"""Items without which there is no interval."""
_PATCHED = "patched"
_AT_ONCE = 4_096
"""Requests whose tokens are held at once."""
Margins = dict[tuple[str, str, int], Reals]
"""By item, side and term: the lead of the first form over the second in each cell, in bits."""


@dataclass(frozen=True, eq=False)
class MeanMap:
    """The map of a run of `n` items.

    `cells`: component, direction, layer, region; share, unrelated and random, each with _low and _high (95 %); bits,
    the mean of what the donor's states move. `differences` are the means of m(donor) - m(receiver) by direction, in
    bits. A share, bound or control that there is not is NaN.
    """

    run_id: str
    signature: str
    component: str
    regions: list[str]
    cells: pd.DataFrame
    differences: dict[str, float]
    n: int


def mean_map(store: Store, run_id: str) -> MeanMap:
    """The map of a finished run of the task `inside`; StoreError for any other. No model is needed."""
    manifest, items = store.manifest(run_id), store.items(run_id)
    if manifest["task"] != "inside" or manifest["state"] != "done":
        what = manifest["state"] if manifest["task"] == "inside" else f"one of the task {manifest['task']}"
        raise StoreError(f"Run '{run_id}' is {what}: there is no map of it.")
    items = items[~items["contrast"].isin(items.loc[items["item_id"].isin(manifest["refused"]), "contrast"])]
    if items.empty:
        raise InputError(f"No item of run '{run_id}' could be scored: {next(iter(manifest['refused'].values()))}")
    component, regions = items["component"].iloc[0], json.loads(items["regions"].iloc[0])
    margins = _margins(store, manifest["fingerprint"], items, Policy(**manifest["policy"]))
    names = list(dict.fromkeys(items["contrast"]))
    cells, differences = [], {}
    for donor, direction in enumerate(DIRECTIONS):
        moved, difference = _moved(margins, names, donor)
        differences[direction] = float(difference.mean())
        cells.append(_cells(moved, difference, regions, component))
        cells[-1].insert(0, "direction", direction)
    table = pd.concat(cells, ignore_index=True)
    table.insert(0, "component", component)
    return MeanMap(run_id, manifest["signature"], component, regions, table, differences, len(names))


def _margins(store: Store, fingerprint: str, items: pd.DataFrame, policy: Policy) -> Margins:
    margins: Margins = {}
    columns = ["contrast", "side", "term", "candidate", "context", "text", "request_key"]
    rows = list(items[columns].itertuples(index=False, name=None))
    for start in range(0, len(rows), _AT_ONCE):
        batch = rows[start : start + _AT_ONCE]
        scores = store.token_scores(fingerprint, {row[-1] for row in batch})
        for contrast, side, term, candidate, context, text, key in batch:
            value = measures.bits(values(scores[key], Request(context, text, _PATCHED if term else ""), policy))
            place = contrast, side, term
            margins[place] = margins.get(place, 0.0) + (-value if candidate else value)
    return margins


def _moved(margins: Margins, names: list[str], donor: int) -> tuple[dict[str, Reals], Reals]:
    """By column, what each item's cells moved (items, cells), NaN where nothing was put; and the differences."""
    giving, receiving = (
        np.array([margins[name, side, 0][0] for name in names]) for side in (SIDES[donor], SIDES[1 - donor])
    )
    nothing = np.full_like(margins[names[0], SIDES[1 - donor], 1], np.nan)
    moved = {
        column: np.array([margins.get((name, SIDES[1 - donor], term), nothing) for name in names])
        - receiving[:, None]
        for term, column in enumerate(MOVED, start=1)
    }
    return moved, giving - receiving


def _cells(moved: dict[str, Reals], difference: Reals, regions: list[str], component: str) -> pd.DataFrame:
    bits = moved["share"].mean(axis=0)
    layers = np.arange(len(bits) // len(regions)) + int(component != RESIDUAL)
    table: dict[str, object] = {"layer": np.repeat(layers, len(regions)), "region": regions * len(layers)}
    for name, own in moved.items():
        table |= dict(zip((name, f"{name}_low", f"{name}_high"), _shares(own, difference), strict=True))
    return pd.DataFrame({**table, "bits": bits})


def _shares(moved: Reals, difference: Reals) -> tuple[Reals, Reals, Reals]:
    """By cell the mean of what moved over the mean of the difference, and its bounds."""
    known = ~np.isnan(moved).any(axis=1)
    moved, difference = moved[known], difference[known]
    absent = np.full(moved.shape[1], np.nan)
    if not len(moved) or abs(difference.mean()) < SMALLEST:
        return absent, absent, absent
    share = moved.mean(axis=0) / difference.mean()
    codes, n = left_out(pd.Series(range(len(moved))))
    if n < _FEWEST:
        return share, absent, absent
    parts, wholes = np.zeros((codes.max() + 1, moved.shape[1])), np.zeros(codes.max() + 1)
    np.add.at(parts, codes, moved)
    np.add.at(wholes, codes, difference)
    without = (moved.sum(axis=0) - parts) / (difference.sum() - wholes)[:, None]
    low, high = np.array([*map(symmetrical, share.tolist(), without.T)]).T
    return share, low, high
