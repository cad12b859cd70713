"""Items excluded although their texts were scored, because the scores cannot be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.models import unknown_token
from core.rules import Rule
from core.scoring.recipe import Recipe
from core.store import Store
from core.store.runs import ItemRow
from core.types import Request

_COUNTS = ["n_tokens", "n_scored", "n_straddling"]


def exclusions(
    rule: Rule, rows: Sequence[ItemRow], requests: Mapping[str, Request], recipe: Recipe, store: Store
) -> dict[str, str]:
    """By item, why the scores of a plan (`core.runs.requests.Plan`) are not what its rule compares."""
    if rule.forms:
        return _unknown_forms(rows, requests, recipe, store)
    return _unlike_parts(rows, recipe.fingerprint, store) if rule.subtracts else {}


def _unknown_forms(
    rows: Sequence[ItemRow], requests: Mapping[str, Request], recipe: Recipe, store: Store
) -> dict[str, str]:
    """Forms outside the model's vocabulary: all of them score alike."""
    unknown = unknown_token(recipe.model)
    if not unknown:
        return {}
    strange = store.requests_with(recipe.fingerprint, unknown, requests)
    return {
        row.item_id: f"'{requests[row.request_key].continuation.strip()}' is not in the model's vocabulary"
        for row in rows
        if row.request_key in strange
    }


def _unlike_parts(rows: Sequence[ItemRow], fingerprint: str, store: Store) -> dict[str, str]:
    """Texts whose scored tokens differ with and without their context, as far as counts show."""
    with_context, without = (pd.Series([row.request_key for row in rows if row.term == term]) for term in (0, 1))
    keys = {*with_context, *without}
    counts = store.scores(fingerprint, 1.0, keys).set_index("request_key").reindex(columns=_COUNTS)
    there, here = (counts.reindex(part).to_numpy(np.float64) for part in (with_context, without))
    known = ~np.isnan(there + here).any(axis=1)
    found = [
        ("it has no context that could be taken away", (with_context == without).to_numpy()),
        ("without its context not all of it is scored", here[:, 0] != here[:, 1]),
        ("without its context it is cut into other tokens", (there != here).any(axis=1)),
    ]
    reasons = np.select([holds for _, holds in found], [why for why, _ in found], "")
    items = [row.item_id for row in rows if row.term == 0]
    return {item: why for item, why, is_known in zip(items, reasons.tolist(), known, strict=True) if why and is_known}
