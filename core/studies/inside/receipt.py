"""How a map was computed: everything needed to reproduce it, and the sentence for a Methods section."""

from __future__ import annotations

from typing import Any

import pandas as pd

from core import __version__, identity
from core.policies import CHOICES
from core.runs.receipts import sentences
from core.runs.receipts.scored_by import by_recipe, made_with, number, recipe_values
from core.studies.inside import wording
from core.studies.inside.average import MeanMap
from core.studies.inside.pair import Inside
from core.studies.inside.question import patched


def receipt(found: Inside) -> dict[str, Any]:
    """The full computation as plain JSON values; a share that there is not is None."""
    recipe = patched(found.recipe)
    return {
        "signature": signature(found),
        **recipe_values(recipe),
        "first": found.question.first,
        "second": found.question.second,
        "forms": list(found.question.forms),
        "margins_bits": {"first": number(found.margins[0]), "second": number(found.margins[1])},
        "cells": _rows(found.cells),
        "ladder": _rows(found.ladder),
        "settled": {"first": found.settled[0], "second": found.settled[1]},
        "tokens": {"first": found.tokens[0], "second": found.tokens[1]},
        "remarks": [*filter(None, (wording.unaligned(found), wording.no_share(found)))],
        "evidence": wording.EVIDENCE,
        "made_with": made_with(recipe),
    }


def mean_receipt(found: MeanMap) -> dict[str, Any]:
    """The mean map of a run as plain JSON values; what there is not is None. The run has its own receipt."""
    return {
        "run": found.run_id,
        "signature": found.signature,
        "component": found.component,
        "regions": found.regions,
        "items": found.n,
        "differences_bits": {name: number(value) for name, value in found.differences.items()},
        "cells": _rows(found.cells),
        "evidence": wording.EVIDENCE,
    }


def signature(found: Inside) -> str:
    """One line, as in sacreBLEU; the data are the beginnings and the forms."""
    asked, recipe = found.question, patched(found.recipe)
    data = identity.dataset_hash([identity.canonical([*asked.beginnings, *asked.forms, found.component])])
    return identity.signature("inside", 1, "", data, recipe.kind, recipe.model, recipe.policy, __version__)


def methods(found: Inside) -> str:
    """A sentence that a paper can print."""
    policy = found.recipe.policy
    return sentences.sentence(
        sentences.computed(by_recipe(patched(found.recipe))),
        f"states of the {found.component} were exchanged one layer and one position at a time, in both directions",
        "shares are of the difference between the margins of the two beginnings",
        CHOICES["word_value"][policy.word_value],
    )


def _rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {str(name): number(value) if isinstance(value, float) else value for name, value in row.items()}
        for row in table.to_dict("records")
    ]
