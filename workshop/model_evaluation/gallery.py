"""English language models on the worked examples that have a better sentence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pairlens.policies import Policy
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies import gallery
from pairlens.types import Model
from workshop.gallery.scoring import measure
from workshop.model_evaluation.figures import Figures, Measurement, languages, percent, signature


def worked_examples(model: Model) -> Iterator[Measurement]:
    """The one measurement, for causal and masked models."""
    if "en" in languages(model) and model.kind in ("causal", "masked"):
        recipe = Recipe(model, SCORERS[default_for(model.kind)], Policy())
        yield Measurement("gallery", None, partial(_figures, recipe))


def _figures(recipe: Recipe, store: Store) -> Figures:
    """The share as expected; `wrong` names the others, `margins` holds the lead of A in bits."""
    examples = [one for one in gallery.examples() if one.expected != "none" and one.language == "en"]
    found = dict(zip([one.id for one in examples], measure(examples, recipe, store), strict=True))
    right = [name for name, one in found.items() if one.right]
    return {
        "macro": percent(len(right) / len(found)),
        "pairs": len(found),
        "right": len(right),
        "wrong": [name for name in found if name not in right],
        "margins": {name: [round(margin, 2) for margin in one.margins] for name, one in found.items()},
        "policy": f"{recipe.kind.name}: {recipe.policy.phrase()}",
        "signature": signature("gallery", [text for one in examples for pair in one.pairs for text in pair], recipe),
    }
