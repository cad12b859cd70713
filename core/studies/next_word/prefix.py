"""The beginning of a text: as typed, as the model reads it, and how a word joins it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from core.errors import InputError, ModelError
from core.scoring.recipe import Recipe
from core.scoring.waiting import rough_length
from core.settings import program, settings
from core.text.words import unspaced_letter
from core.types import Predictor, Request, Scorer

_ELIDED = re.compile(r"(?:^|[\s(«“\"'’-])(?:[cdjlmnstç]|\w*qu|entr)['’]$", re.IGNORECASE)
"""French words whose last letter an apostrophe stands for: what follows touches it."""


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


def joint(prefix: str, always: bool = False) -> str:
    """What joins a word to the prefix: a space, or nothing.

    Nothing at the beginning of a text. Unless words are `always` spaced, nothing either in scripts without spaces,
    after an opening bracket or quotation mark, after a dash that touches a word, and after a French elision (`l'`).
    """
    if always or not prefix:
        return " " if prefix else ""
    last, touching = prefix[-1], bool(prefix[-2:-1].strip())
    kind = unicodedata.category(last)
    opens = kind in ("Ps", "Pi") or (last in "\"'" and not touching) or (kind == "Pd" and touching)
    return "" if opens or unspaced_letter(prefix, len(prefix) - 1, -1) or _ELIDED.search(prefix) else " "
