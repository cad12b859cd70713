"""A model that is nowhere, for what is planned and never scored."""

from pathlib import Path

from pairlens import identity
from pairlens.policies import Policy
from pairlens.scoring.recipe import Recipe
from pairlens.types import Model, ScorerKind


def recipe(name):
    digests = (identity.digest(f"{name} {what}") for what in ("weights", "tokenizer", "config"))
    kind = ScorerKind("causal", 1, "Nowhere", frozenset({"causal"}), (), lambda model, _: None)
    return Recipe(Model(name, "causal", Path(name), *digests), kind, Policy())
