"""The mean map of a stored run, with intervals over its items and both controls.

The share of a cell is the mean of what moved over the mean of the difference, both over items:

    share = mean(m(patched) - m(receiver)) / mean(m(donor) - m(receiver))

which counts an item as much as its beginnings differ: a mean of shares would be ruled by items that hardly differ.
Intervals are over items (jackknife, `core.statistics.jackknife`). The controls are divided by the same difference:
what states of an unrelated beginning with the receiver's own right form move, and the receiver's own states, moved in
a random direction as far as the donor's are from them. So much a map would show for any disturbance.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core import measures
from core.errors import InputError, StoreError
from core.policies import Policy
from core.scorers._patch import RESIDUAL
from core.statistics.jackknife import left_out, symmetrical
from core.store import Store
from core.studies.inside.question import DIRECTIONS, SMALLEST, Reals, values
from core.studies.inside.runs import TERMS
from core.tasks._beginnings import SIDES
from core.types import Request

_FEWEST = 2
"""Items without which there is no interval."""
_PATCHED = "patched"
_AT_ONCE = 4_096
"""Requests whose tokens are held at once."""
COLUMNS = {"donor": "share", "unrelated": "unrelated", "random": "random"}
"""The column of the mean map for what is put into the receiver."""
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
    items = items[~items["contrast"].isin(items.loc[items["item_id"].isin(manifest["refused"].keys()), "contrast"])]
    if items.empty:
        raise InputError(f"No item of run '{run_id}' could be scored: {next(iter(manifest['refused'].values()))}")
    component, regions = items["component"].iloc[0], json.loads(items["regions"].iloc[0])
    found = _margins(store, manifest["fingerprint"], items, Policy(**manifest["policy"]))
    names = list(dict.fromkeys(items["contrast"]))
    cells, differences = [], {}
    for donor, direction in enumerate(DIRECTIONS):
        moved, difference = _moved(found, names, donor)
        differences[direction] = float(difference.mean())
        cells.append(_cells(moved, difference, regions, component).assign(direction=direction))
    table = pd.concat(cells, ignore_index=True).assign(component=component)
    front = ["component", "direction", "layer", "region"]
    return MeanMap(
        run_id=run_id,
        signature=manifest["signature"],
        component=component,
        regions=regions,
        cells=table[[*front, *table.columns.difference(front, sort=False)]],
        differences=differences,
        n=len(names),
    )


def _margins(store: Store, fingerprint: str, items: pd.DataFrame, policy: Policy) -> Margins:
    found: Margins = {}
    columns = ["contrast", "side", "term", "candidate", "context", "text", "request_key"]
    rows = list(items[columns].itertuples(index=False, name=None))
    for start in range(0, len(rows), _AT_ONCE):
        some = rows[start : start + _AT_ONCE]
        scores = store.token_scores(fingerprint, {row[-1] for row in some})
        for contrast, side, term, candidate, context, text, key in some:
            value = measures.bits(values(scores[key], Request(context, text, _PATCHED if term else ""), policy))
            place = contrast, side, term
            found[place] = found.get(place, 0.0) + (-value if candidate else value)
    return found


def _moved(found: Margins, names: list[str], donor: int) -> tuple[dict[str, Reals], Reals]:
    """By what is put, what each item's cells moved (items, cells), NaN where nothing was put; and the differences."""
    giving, receiving = SIDES[donor], SIDES[1 - donor]
    difference = np.array([found[name, giving, 0][0] - found[name, receiving, 0][0] for name in names])
    moved = {}
    for term, source in enumerate(TERMS, start=1):
        known = [(found.get((name, receiving, term)), found[name, receiving, 0][0]) for name in names]
        nothing = np.full_like(found[names[0], receiving, 1], np.nan)
        moved[source] = np.array([nothing if cells is None else cells - plain for cells, plain in known])
    return moved, difference


def _cells(moved: dict[str, Reals], difference: Reals, regions: list[str], component: str) -> pd.DataFrame:
    """The table of one direction."""
    count = moved[TERMS[0]].shape[1]
    layers = np.arange(count // len(regions)) + int(component != RESIDUAL)
    table: dict[str, object] = {"layer": np.repeat(layers, len(regions)), "region": regions * len(layers)}
    for source, name in COLUMNS.items():
        table |= dict(zip((name, f"{name}_low", f"{name}_high"), _shares(moved[source], difference), strict=True))
    return pd.DataFrame({**table, "bits": moved[TERMS[0]].mean(axis=0)})


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
    bounds = [symmetrical(value, column) for value, column in zip(share.tolist(), without.T, strict=True)]
    low, high = np.array(bounds).T
    return share, low, high
