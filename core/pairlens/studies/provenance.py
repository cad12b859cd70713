"""How answers were made: signatures and receipts, and all of it where they are scores and nothing else."""

from collections.abc import Iterable, Sequence
from typing import Any

from pairlens import __version__, identity
from pairlens.evaluation.receipts import sentences
from pairlens.evaluation.receipts.bibtex import bibtex, keys_of_scores
from pairlens.evaluation.receipts.scored_by import by_recipe, made_with, recipe_values
from pairlens.results.result import Provenance
from pairlens.scoring.recipe import Recipe
from pairlens.studies.study import Fields, Study, call_of, command_of, controls


def signature_of(name: str, data: Iterable[object], recipe: Recipe) -> str:
    """One line, as in sacreBLEU, for data that are JSON values."""
    hashed = identity.dataset_hash(map(identity.canonical, data))
    return identity.signature(name, 1, "", hashed, recipe.kind, recipe.model, recipe.policy, __version__)


def receipt_of(name: str, data: Iterable[object], recipe: Recipe, **values: Any) -> dict[str, Any]:
    """The computation of one model as plain JSON values; unscored is None."""
    receipt = {"made_with": made_with(recipe)}
    return {"signature": signature_of(name, data, recipe), **recipe_values(recipe), **values, **receipt}


def provenance_of(study: Study[Fields, Any], question: Fields, recipes: Sequence[Recipe]) -> Provenance:
    """Signature, Methods sentences and citations for all models; the receipt has the fields of the question."""
    texts = [[request.context, request.text] for request in study.requests(question)]
    signatures = [signature_of(study.name, texts, recipe) for recipe in recipes]
    made_by = [by_recipe(recipe) for recipe in recipes]
    models = {recipe.model.name: recipe_values(recipe) for recipe in recipes}
    values = {name: getattr(question, name) for name in controls(study.fields)}
    return Provenance(
        {"signature": " · ".join(signatures), "study": study.name, "fields": values, "models": models},
        " ".join(sentences.sentence(sentences.computed(by)) for by in made_by),
        bibtex([key for by in made_by for key in keys_of_scores(by)], *(recipe.model for recipe in recipes)),
        command=command_of(study, question, recipes),
        call=call_of(study, question, recipes),
    )
