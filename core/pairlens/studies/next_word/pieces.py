"""A model's vocabulary: its pieces, where words begin and end; the beginning of a text, and examples of it."""

import json
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairlens.errors import ModelError, PolicyError
from pairlens.models.tokenizer import byte_level_bytes
from pairlens.places import bundled
from pairlens.policies import Policy
from pairlens.scoring.recipe import Recipe
from pairlens.text.words import Ends, end_masses, is_mark, separates, word_value
from pairlens.types import Predictor, Request, Scorer, Tokenizer

_PART = "\ufffd"
"""The decoding of a part of a character."""
_SIGNS = str.maketrans({"\n": "↵", "\r": "↵", "\t": "⇥"})


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Properties of each token of a vocabulary, by id; special tokens are in none of the sets.

    `texts` are what they stand for, white space included, None where the vocabulary does not say. `shown` is for
    display: a leading space is written ·, a part of a character as its bytes. `spaced` begin with a space, `marks`
    with a punctuation mark that ends the word before it, `other` with anything else, including parts of characters;
    `only_marks` consist of marks. `whole`: each token is a word (word-level vocabularies).
    """

    texts: list[str] | None
    shown: list[str]
    spaced: NDArray[np.bool_]
    marks: NDArray[np.bool_]
    other: NDArray[np.bool_]
    only_marks: NDArray[np.bool_]
    whole: bool

    def word_end(self, ends: Ends, policy: Policy) -> float:
        """The log mass of what ends a word at the last position of `ends`, in nats; 0 where each token is a word.

        Raises ModelError where the vocabulary does not mark word ends, PolicyError where the policy ignores them.
        """
        if self.whole:
            return 0.0
        if policy.word_value == "sum":
            raise PolicyError("Whole words need their ends: take another word value than 'sum'.")
        if word_value(ends, policy) == "sum":
            raise ModelError(
                "The tokens of this model do not show where words begin, so whole words cannot be told apart: "
                "look at tokens instead."
            )
        return end_masses(ends, policy)[-1]


@lru_cache(maxsize=8)
def pieces_of(tokenizer: Tokenizer) -> Pieces:
    names = [""] * tokenizer.size
    for name, id in tokenizer.backend.get_vocab().items():
        names[id] = name
    marked = tokenizer.texts()
    whole = json.loads(tokenizer.backend.to_str())["model"]["type"] == "WordLevel"
    reserved = tokenizer.reserved
    # In a word-level vocabulary each token has a space before it; the unknown token is a word too.
    words = (f" {name}" if whole and name and id not in reserved else "" for id, name in enumerate(names))
    texts, special = marked or [*words], reserved | {tokenizer.unknown}
    parts = {id for id, text in enumerate(texts) if marked and names[id] and not text and id not in special}
    return Pieces(
        texts=texts if marked or whole else None,
        shown=names if whole else [_shown(text, name) for text, name in zip(texts, names, strict=True)],
        spaced=_set(text[:1] == " " for text in texts),
        marks=_set(separates(text) for text in texts),
        other=_set(
            id in parts or (bool(text) and not text[0].isspace() and not separates(text))
            for id, text in enumerate(texts)
        ),
        only_marks=_set(bool(text.strip()) and all(map(is_mark, text.strip())) for text in texts),
        whole=whole,
    )


def visible(text: str) -> str:
    """A piece with visible white space: leading spaces as ·, line breaks and tabs as signs."""
    shown = text.translate(_SIGNS)
    return "·" * (len(shown) - len(shown.lstrip(" "))) + shown.lstrip(" ")


def _shown(text: str, name: str) -> str:
    """A piece for display; one that stands for no text by its name."""
    if _PART in text:
        return "".join(f"<0x{byte:02X}>" for byte in byte_level_bytes(name))
    return visible(text) or name


def _set(members: object) -> NDArray[np.bool_]:
    return np.fromiter(members, dtype=np.bool_)  # type: ignore[call-overload,no-any-return]


_STRETCH = re.compile(r".{128,}?(?<=[^\W\d_])(?= [^\W\d_])|.+", re.DOTALL)
"""Up to a space between two letters, where neither side affects how the other is cut."""


def stretches(tokenizer: Tokenizer, text: str) -> list[str]:
    """A text in parts whose tokens concatenate to the text's; one part where the tokenizer ignores spaces."""
    return _STRETCH.findall(text) if _apart(tokenizer) else [text]


def cut(tokenizer: Tokenizer, text: str) -> tuple[int, ...]:
    return tuple(chain.from_iterable(_ids(tokenizer, stretch) for stretch in stretches(tokenizer, text)))


@lru_cache(maxsize=4096)
def _ids(tokenizer: Tokenizer, text: str) -> tuple[int, ...]:
    return tuple(tokenizer.backend.encode(text, add_special_tokens=False).ids)


@lru_cache(maxsize=8)
def _apart(tokenizer: Tokenizer) -> bool:
    """Whether a space and the letters after it are cut independently of what comes before."""
    before = tokenizer.backend.pre_tokenizer
    return (
        before is not None
        and len(before.pre_tokenize_str("a b")) > 1
        and _ids(tokenizer, "a b a") == _ids(tokenizer, "a") + _ids(tokenizer, " b") + _ids(tokenizer, " a")
    )


def predictor(recipe: Recipe, scorer: Callable[[], Scorer] | None = None) -> Predictor:
    refuse(recipe)
    opened = (scorer or recipe.open)()
    if not isinstance(opened, Predictor):
        raise ModelError(f"The scorer '{recipe.kind.name}' cannot be asked what comes next.")
    return opened


def refuse(recipe: Recipe) -> None:
    """Raise ModelError, with the reason, for a model that does not predict what comes next."""
    reasons = {
        "masked": "it guesses a hidden word from both sides",
        "seq2seq": "it writes one text from another",
        "unigram": "it knows how frequent words are, and nothing of what stands before them",
    }
    if recipe.kind.name != "causal":
        why = reasons.get(recipe.model.kind, "it does not read from left to right")
        raise ModelError(
            f"'{recipe.model.name}' is a {recipe.model.kind} model: {why}, so it cannot say what comes next. "
            "Choose a causal model."
        )


def read_prefix(typed: str, recipe: Recipe) -> str:
    """A prefix as the model reads it, without white space at its end, which belongs to the piece that follows."""
    return recipe.request(Request("", typed)).text.rstrip()


class Beginning(NamedTuple):
    """A prefix, forms after it, what it shows, a note for teachers, and the language."""

    title: str
    prefix: str
    forms: str
    note: str
    language: str = "en"


@cache
def examples() -> Sequence[Beginning]:
    path = bundled("gallery", "beginnings.toml")
    return [Beginning(**entry) for entry in tomllib.loads(path.read_text("utf-8"))["beginning"]]


def in_language(languages: str) -> Sequence[Beginning]:
    """The examples in the first of these languages (codes with spaces between them) that has any, else English."""
    by_language = (
        [example for example in examples() if example.language == code] for code in (*languages.split(), "en")
    )
    return next(filter(None, by_language))
