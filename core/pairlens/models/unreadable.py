"""Texts that a model cannot judge: in another language than those of its training text, or in other characters.

What is typed does not say its language. The rule compares bits: what the tokens of a text cost if each is drawn by
its frequency in a training text (`token_counts`), less what as many characters cost there on average. A text of the
same language costs about as much; one of another language falls apart into rare short tokens. The counts of the
bundled models name the language where one of them fits. Only tokenizers are read, each once.

Measured on pairs of one sentence and its rival: english-small is warned of in 98 to 100 of 100 French and Portuguese
pairs and 96 of 100 German ones, french-small in 99 of 100 English, German and Portuguese ones, bilingual-masked in 96
to 98 of 100 French and 91 German ones. False alarms: 0.4 % of BLiMP for english-small, 0.1 % for bilingual-masked,
0.1 % of QFrBLiMP for french-small. BLiMP's pairs up to 1.75 bits per character above the average are answered as well
as all others, so that rare words alone are no reason to withhold an answer.

`coverage` says how well a tokenizer covers texts, which explains much of a model's accuracy in a language.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pairlens import measures
from pairlens.errors import ModelError
from pairlens.messages import Message
from pairlens.models import cards, resolve, token_counts
from pairlens.models.tokenizer import refuse_growth
from pairlens.policies import Policy
from pairlens.text import prepare, unread
from pairlens.text.languages import english_name
from pairlens.text.words import word_spans
from pairlens.types import Model

if TYPE_CHECKING:
    import tokenizers

_BETTER, _ABOVE = 0.75, 1.2
"""Bits per character: so many fewer under another language's counts and so many above a model's average are that
language, ..."""
_TOO_MANY = 2.0
"""... so many above the average are one that nobody here has read, ..."""
_EVIDENCE = 16.0
"""... where they come to so many bits: a strange name is no language."""
_SHARE = 0.25
"""Of the letters: so many that a model has never read make a text unreadable."""
_RARE, _SHORT = 4.0, 3
"""Bits per character above the average of a word that was hardly read, and the letters of words that do not tell."""
_NAMED_WORDS, _NAMED_SIGNS = 3, 12
_FEWEST_TOKENS = 1000
"""Tokenizers with fewer cut everything into characters or bytes."""
_NUMBER = re.compile(r"\s*\d[\d.,]*")
_NAMES = Message("English"), Message("French"), Message("Portuguese")
"""For the catalogue, which finds them here."""
_MARKS = ".,;:!?\"'()«»"


@dataclass(frozen=True, slots=True, eq=False)
class _Counted:
    """A tokenizer and the bits of each of its tokens; `usual` is their mean per character of the training text."""

    tokenizer: tokenizers.Tokenizer
    bits: NDArray[np.float64]
    usual: float

    def excess(self, texts: Sequence[str]) -> float:
        ids = [id for text in texts for id in self.tokenizer.encode(text, add_special_tokens=False).ids]
        return float(self.bits[ids].sum()) - self.usual * sum(map(len, texts))


def why_unreadable(texts: Sequence[str], policy: Policy, model: Model, language: str = "") -> str:
    """Why nothing can be said about texts, in this `language` if known; empty where the model reads them."""
    scored, name = given_texts(texts, policy, model), model.name
    languages = str(model.card.get("language", "")).split()
    if strange := _strange(scored, policy, model):
        return Message(
            "{name} has never read {strange}: what it prefers here says nothing.", name=name, strange=strange
        )
    counted = _counted(resolve.base_of(model))
    excess = counted.excess(scored) if counted else None
    guess = language or ("" if excess is not None and excess < _evidence(scored, _ABOVE) else language_of(scored))
    if scored and guess and languages and guess not in languages:
        language = Message(english_name(guess))
        return Message(
            "{name} has read no {language}: what it prefers here says nothing.", name=name, language=language
        )
    if language or counted is None or excess is None or excess < _evidence(scored, _TOO_MANY):
        return ""
    words = ", ".join(_words(scored, counted)[:_NAMED_WORDS])
    return Message(
        "{name} has hardly read such words ({words}): what it prefers here says little.", name=name, words=words
    )


def language_of(texts: Sequence[str]) -> str:
    """The language of texts, as a code, if it is certainly one that a bundled model has read; else empty."""
    evidence_by_language = {}
    for language, model in _speakers().items():
        if counted := _counted(model):
            evidence_by_language[language] = counted.excess(
                [text.lower() for text in texts] if model.card["lower_case"] else texts
            )
    for language, own in sorted(evidence_by_language.items(), key=lambda one: one[1]):
        rivals = [
            bits
            for other, bits in evidence_by_language.items()
            if other != language and language not in str(_speakers()[other].card["language"]).split()
        ]
        if rivals and own < _evidence(texts, _TOO_MANY) and min(rivals) - own > _evidence(texts, _BETTER):
            return language
    return ""


def hardly_read(texts: Sequence[str], policy: Policy, model: Model) -> list[str]:
    counted = _counted(resolve.base_of(model))
    if counted is None:
        return []
    words = _words(given_texts(texts, policy, model), counted)
    return [word for word in words if len(word) > _SHORT and counted.excess([f" {word}"]) > _RARE * (len(word) + 1)]


def given_texts(texts: Sequence[str], policy: Policy, model: Model) -> list[str]:
    """The distinct texts that have letters as the model reads them, without numbers: languages write these alike."""
    read = [prepare(text, policy, model.card.get("characters")).text for text in dict.fromkeys(texts)]
    return [text for text in (_NUMBER.sub("", one) for one in read) if any(map(str.isalpha, text))]


def _evidence(texts: Sequence[str], per_character: float) -> float:
    return max(_EVIDENCE, per_character * sum(map(len, texts)))


def _words(texts: Sequence[str], counted: _Counted) -> list[str]:
    """The words of texts, those first that cost most beyond what is usual."""
    words = {text[start:end].strip(_MARKS) for text in texts for start, end in word_spans(text)} - {""}
    return sorted(words, key=lambda word: (-counted.excess([f" {word}"]), word))


def _strange(texts: Sequence[str], policy: Policy, model: Model) -> str:
    """The characters that the model has never read, if they are too many of the letters; else empty."""
    letters, never = letters_of(texts, policy, model)
    if not letters or sum(sign in never for sign in letters) < _SHARE * len(letters):
        return ""
    named = sorted(never & set(letters))[:_NAMED_SIGNS]
    return f"\u2068{' '.join(named)}\u2069"  # apart from what follows, whichever way they run


def letters_of(texts: Sequence[str], policy: Policy, model: Model) -> tuple[list[str], set[str]]:
    """The letters of texts, one by one, and the characters among them that the model has never read."""
    letters = [sign for text in texts for sign in text if unicodedata.category(sign)[0] == "L"]
    never = set(unread(texts, policy, model.card)) if "characters" in model.card else _unrepresented(texts, model)
    return letters, never


def _unrepresented(texts: Sequence[str], model: Model) -> set[str]:
    """The characters that a tokenizer takes for unknown; what it cuts into bytes may well have been read."""
    opened = tokenizer_of(model)
    if opened is None or opened.get_vocab_size() < _FEWEST_TOKENS:
        return set()
    unknown, characters = opened.token_to_id(str(getattr(opened.model, "unk_token", None))), set[str]()
    for text in texts:
        encoding = opened.encode(text, add_special_tokens=False)
        for id, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
            if id == unknown:
                characters |= set(text[start:end])
    return characters


@lru_cache(maxsize=1)
def _speakers() -> dict[str, Model]:
    """For each language the bundled model with token counts that has read the fewest others."""
    bundled = [
        resolve.described(name, folder)
        for name, folder in cards.folders().items()
        if folder.parent == cards.bundled_models() and (folder / token_counts.TOKEN_COUNTS).is_file()
    ]
    speakers: dict[str, Model] = {}
    for model in sorted(bundled, key=lambda model: len(str(model.card["language"]).split())):
        for language in str(model.card["language"]).split():
            speakers.setdefault(language, model)
    return speakers


_COUNTED: dict[tuple[Path, str], _Counted | None] = {}
"""By folder and digest of the tokenizer."""


def _counted(model: Model) -> _Counted | None:
    place = (model.folder, model.tokenizer)
    if place not in _COUNTED:
        _COUNTED[place] = _read(model)
    return _COUNTED[place]


def _read(model: Model) -> _Counted | None:
    try:
        counts, opened = token_counts.read(model), tokenizer_of(model)
    except ModelError:  # who computes SLOR with them says so
        return None
    if counts is None or opened is None or len(counts) < _FEWEST_TOKENS:
        return None
    bits = measures.bits(-token_counts.logprobs(counts))
    lengths = np.array([len((opened.id_to_token(id) or "").removeprefix("##")) for id in range(len(counts))])
    return _Counted(opened, bits, float((counts * bits).sum() / max(1, (counts * lengths).sum())))


def tokenizer_of(model: Model) -> tokenizers.Tokenizer | None:
    return _tokenizer_in(model.folder / "tokenizer.json", model.tokenizer)


@lru_cache(maxsize=16)
def _tokenizer_in(path: Path, digest: str) -> tokenizers.Tokenizer | None:  # noqa: ARG001
    import tokenizers

    try:
        opened = tokenizers.Tokenizer.from_file(str(path))
        refuse_growth(opened, path.parent.name)
    except Exception:  # tokenizers raises nothing narrower; who loads the model says what is wrong
        return None
    opened.no_padding()
    opened.no_truncation()
    return opened


@dataclass(frozen=True, slots=True)
class Coverage:
    """Tokens per word, the share of letters that the model has never read, and why it cannot read the texts.

    A word is what word values are made for (`pairlens.text.words`): a character of Chinese and Japanese, which have
    no spaces. `tokens` is NaN without a tokenizer's file, `unread` is empty where nothing speaks against the model.
    """

    tokens: float
    unknown: float
    unread: str


def coverage(texts: Sequence[str], policy: Policy, model: Model) -> Coverage:
    base = resolve.base_of(model)
    scored = given_texts(texts, policy, base)
    letters, never = letters_of(scored, policy, base)
    opened = tokenizer_of(base)
    words = sum(len(word_spans(text)) for text in scored)
    tokens = math.nan
    if opened and words:
        tokens = sum(len(opened.encode(text, add_special_tokens=False).ids) for text in scored) / words
    unknown = sum(sign in never for sign in letters) / len(letters) if letters else math.nan
    return Coverage(tokens, unknown, str(why_unreadable(texts, policy, model)))
