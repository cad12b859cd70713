"""The beginning of a text: as typed, as the model reads it; and examples, with forms to choose between."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

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


class Beginning(NamedTuple):
    """A prefix, forms after it, what it shows, a note for teachers, and the language."""

    title: str
    prefix: str
    forms: str
    note: str
    language: str = "en"


EXAMPLES = (
    Beginning(
        "A word must end", "When the little boy hears the story, he", "laugh, laughs",
        "To the model laughs is laugh and s: if the end of the word is not counted, laugh takes in laughs and wins.",
    ),
    Beginning(
        "Agreement past another noun", "The keys to the cabinet", "is, are",
        "The verb agrees with keys; cabinet stands nearer.",
    ),
    Beginning(
        "The nearest noun wins", "The man who had seen the ships", "is, are",
        "A small model may follow the nearest noun instead of the subject.",
    ),
    Beginning("Nearly certain", "At the same", "time, moment", "A fixed phrase leaves little to choose: few bits."),
    Beginning("Wide open", "It was a", "good, bad", "Almost any adjective fits: many bits."),
    Beginning("One letter before", "I saw an", "apple, pear", "The article tells how the next word begins."),
    Beginning(
        "Un mot doit finir", "Les lettres que mon oncle a", "écrite, écrites",
        "The participle agrees with les lettres, before it. One form is the beginning of the other.", "fr",
    ),
    Beginning(
        "L'accord à distance", "Les clés de la vieille maison", "est, sont",
        "The verb agrees with clés; maison stands nearer.", "fr",
    ),
    Beginning("Presque certain", "Tout le monde se mit à", "rire, chanter", "A fixed phrase: few bits.", "fr"),
    Beginning("Tout est possible", "C'était un", "homme, jardin", "Almost any noun fits: many bits.", "fr"),
    Beginning(
        "Concordância a distância", "As chaves da velha casa", "estão, está",
        "The verb agrees with chaves; casa stands nearer.", "pt",
    ),
    Beginning(
        "O modo do verbo", "Quero que você", "venha, vem",
        "After wanting the verb is in the subjunctive. Type Sei que você and the other form wins.", "pt",
    ),
    Beginning(
        "O gênero do adjetivo", "A porta do quarto estava", "aberta, aberto",
        "The adjective agrees with porta; quarto stands nearer.", "pt",
    ),
    Beginning("Quase certo", "De vez em", "quando, onde", "A fixed phrase: few bits.", "pt"),
    Beginning("Tudo é possível", "Era uma", "mulher, casa", "Almost any noun fits: many bits.", "pt"),
)  # fmt: skip


def in_language(languages: str) -> tuple[Beginning, ...]:
    """The examples in the first of these languages (codes with spaces between them) that has any, else English."""
    found = (tuple(one for one in EXAMPLES if one.language == code) for code in (*languages.split(), "en"))
    return next(filter(None, found))
