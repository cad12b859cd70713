"""How the answers of a study were made, where they are scores of its requests and nothing else."""

from collections.abc import Sequence
from typing import Any

from core import __version__, identity
from core.results.result import Provenance
from core.runs.receipts import sentences
from core.runs.receipts.bibtex import bibtex, keys_of_scores
from core.runs.receipts.scored_by import by_recipe, recipe_values
from core.scoring.recipe import Recipe
from core.studies.study import Fields, Study, call_of, command_of, controls


def provenance_of(study: Study[Fields, Any], question: Fields, recipes: Sequence[Recipe]) -> Provenance:
    """Signature, Methods sentences and citations for all models; the receipt has the fields of the question."""
    data = identity.dataset_hash(identity.canonical([one.context, one.text]) for one in study.requests(question))
    signatures = [
        identity.signature(study.name, 1, "", data, recipe.kind, recipe.model, recipe.policy, __version__)
        for recipe in recipes
    ]
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
