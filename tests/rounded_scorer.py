"""What the page of `take-home` should say: Python's own scorer, with the weights that the page has."""

from __future__ import annotations

from pairlens.models import load
from pairlens.models.rounded import rounded
from pairlens.scorers._left_to_right import LeftToRightScorer
from pairlens.scoring.recipe import Recipe


def rounded_scorer(recipe: Recipe) -> LeftToRightScorer:
    """A scorer of the recipe's model with rounded weights. Its scores belong in a store of their own."""
    import torch

    network, parts = load(recipe.model, "causal"), rounded(recipe.model)
    assert parts is not None
    own = network.module.state_dict()
    for name, part in parts.matrices.items():
        own[name if name in own else f"body.{name}"].copy_(torch.from_numpy(part.weights()))
    return LeftToRightScorer(network, recipe.policy)
