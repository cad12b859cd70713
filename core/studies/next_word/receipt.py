"""How predictions were computed: everything needed to reproduce them, and the sentence for a Methods section."""

from __future__ import annotations

from typing import Any

from core import __version__, identity
from core.runs.receipts import sentences
from core.runs.receipts.bibtex import keys_of_scores
from core.runs.receipts.scored_by import by_recipe, made_with, number, recipe_values
from core.scoring.recipe import Recipe
from core.studies.next_word.forms import FormComparison


def receipt(typed: str, prefix: str, choice: FormComparison | None, recipe: Recipe) -> dict[str, Any]:
    """The model, the choices and the numbers as plain JSON values. `prefix` is as the model reads it."""
    forms = choice.forms if choice else ()
    data = identity.dataset_hash([identity.canonical([typed, *(form.text for form in forms)])])
    return {
        "signature": identity.signature(
            "next-word", 1, "", data, recipe.kind, recipe.model, recipe.policy, __version__
        ),
        **recipe_values(recipe),
        "prefix": {"typed": typed, "read": prefix},
        "forms": [
            {"form": form.text, "pieces": form.pieces, "whole_word_nats": number(form.whole),
             "form_only_nats": number(form.only)}
            for form in forms
        ],
        "made_with": made_with(recipe),
    }  # fmt: skip


def methods(recipe: Recipe) -> str:
    """A sentence that a paper can print."""
    return sentences.sentence(
        sentences.computed(by_recipe(recipe), "of what comes next"),
        "a form's probability is that of its tokens and of the end of its word (white space, a mark or the end of "
        "the text), given that the word before it has ended",
        "entropy is over tokens, in bits",
    )


def keys(recipe: Recipe) -> list[str]:
    """What to cite (`core.runs.receipts.bibtex`)."""
    return keys_of_scores(by_recipe(recipe), "bow_eos")
