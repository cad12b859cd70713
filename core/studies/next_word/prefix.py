"""The beginning of a text: as typed, as the model reads it, and how a word joins it."""

from __future__ import annotations

from collections.abc import Callable

from core.errors import InputError, ModelError
from core.scoring.model_cache import rough_length
from core.scoring.recipe import Recipe
from core.settings import program, settings
from core.types import Predictor, Request, Scorer


def predictor(recipe: Recipe, scorer: Callable[[], Scorer] | None = None) -> Predictor:
    """The recipe's model, opened to predict what comes next; ModelError if it does not read from left to right."""
    refuse(recipe)
    opened = (scorer or recipe.open)()
    if not isinstance(opened, Predictor):
        raise ModelError(f"The scorer '{recipe.kind.name}' cannot be asked what comes next.")
    return opened


def refuse(recipe: Recipe) -> None:
    """Raise ModelError, with the reason, for a model that does not predict what comes next."""
    if recipe.kind.name == "causal":
        return
    reasons = {
        "masked": "it guesses a hidden word from both sides",
        "seq2seq": "it writes one text from another",
        "unigram": "it knows how frequent words are, and nothing of what stands before them",
    }
    why = reasons.get(recipe.model.kind, "it does not read from left to right")
    raise ModelError(
        f"'{recipe.model.name}' is a {recipe.model.kind} model: {why}, so it cannot say what comes next. "
        "Choose a causal model."
    )


def refuse_long(typed: str) -> None:
    """Raise InputError for a text that is too long for a page."""
    most, tokens = settings().interactive_tokens, rough_length(typed)
    if tokens > most:
        raise InputError(
            f"This text has about {tokens:,} tokens; this page reads {most:,} at once. Use "
            f"`{program()} next-word` on the command line."
        )


def read_prefix(typed: str, recipe: Recipe) -> str:
    """A prefix as the model reads it: the text policy applied, without trailing white space.

    Pieces carry the space before a word: in training text no word follows a separate space.
    """
    return recipe.request(Request("", typed)).text.rstrip()
