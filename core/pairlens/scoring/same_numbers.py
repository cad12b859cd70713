"""The same texts scored in two ways: by a device, a precision, a file or a server, and in float32 on this processor.

People publish .4069 on one device and .5391 on another; what differs is seen on a few texts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from pairlens import servers
from pairlens.errors import ModelError
from pairlens.messages import counted
from pairlens.models import gguf, spreading
from pairlens.models.loading import on_this_processor
from pairlens.models.resolve import tokenizer_of
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.model_cache import memory_megabytes
from pairlens.scoring.recipe import Recipe
from pairlens.types import Model, Request, Scorer, TokenScores

_SAME = 1e-3
"""Nats per token within which float32 numbers of different programs lie."""
_TEXTS = 8
_MOST_MB = 2_000.0
"""A larger model is not loaded a second time beside a run."""
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Flip:
    """A pair whose preferred text is another one; margins (first minus second text) in nats."""

    pair: Pair
    margin: float
    margin_reference: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """`largest` and `median` difference of a token's log-probability, in nats; pairs that are decided otherwise."""

    n_pairs: int
    n_tokens: int
    largest: float
    median: float
    flips: tuple[Flip, ...]

    @property
    def verdict(self) -> str:
        if self.flips:
            widest = max(abs(flip.margin_reference) for flip in self.flips)
            return (
                f"Not the same: {len(self.flips)} of {counted(self.n_pairs, 'decision')} differ, by margins up to "
                f"{widest:.2g} nats in float32. Report the numbers of one of the two only."
            )
        if self.largest <= _SAME:
            return "The same numbers."
        return "The same decisions by other values: differences between models smaller than these are none."


def compare(recipe: Recipe, reference: Recipe, pairs: Sequence[Pair]) -> Comparison:
    """Score each text of the pairs both ways; ModelError where the two models cut texts differently."""
    texts = [text for pair in pairs for text in pair]
    with on_this_processor():
        known = _scores(reference.open(), reference, texts)
    scored = _scores(recipe.open(), recipe, texts)
    differences = _differences(scored, known, recipe.model.name, reference.model.name)
    margins = [
        (own[0].total - own[1].total, other[0].total - other[1].total)
        for own, other in zip(_twos(scored), _twos(known), strict=True)
    ]
    flips = [
        Flip(pair, own, other) for pair, (own, other) in zip(pairs, margins, strict=True) if (own > 0) != (other > 0)
    ]
    return Comparison(len(pairs), len(differences), max(differences), median(differences), tuple(flips))


def in_short(recipe: Recipe, scorer: Scorer, requests: Sequence[Request]) -> Mapping[str, object]:
    """For the provenance of a run in 16 bits, on a device, by a file or a server: some of its texts in float32 too.

    Nothing where it is scored so anyway, or where the original's weights are not here, too large beside the run's,
    or spread.
    """
    plain = in_float32(recipe)
    there = plain and scorer.about.get("device", "cpu") == "cpu" and plain.fingerprint == recipe.fingerprint
    if plain is None or there or spreading.is_wanted() or memory_megabytes(plain) > _MOST_MB:
        return {}
    shortest = sorted(requests, key=lambda request: len(request.text))[:_TEXTS]
    with on_this_processor():
        known = plain.open().score(shortest)
    differences = _differences(scorer.score(shortest), known, recipe.model.name, "float32")
    checked = {"texts": len(shortest), "largest": max(differences), "median": median(differences)}
    return {"against_float32": checked}


def in_float32(recipe: Recipe) -> Recipe | None:
    """The model itself in float32, or the original of a GGUF file or of what a server holds, as far as its name says.

    None where it does not, where that has a tokenizer only, and for scorers that compute nothing.
    """
    model, kind = original_of(recipe.model), recipe.kind
    if model is None or not model.weights:
        return None
    if model is not recipe.model:
        kind = SCORERS[default_for(model.kind)]
    if "dtype" not in kind.reads:
        return None
    return Recipe(model, kind, recipe.policy.but(dtype="float32"))


def original_of(model: Model) -> Model | None:
    if model.kind != "served" and not gguf.is_file(model.folder):
        return model
    named = servers.parsed(model.name).tokenizer if model.kind == "served" else gguf.named(model.name)[1]
    return tokenizer_of(named) if named else None


def _scores(scorer: Scorer, recipe: Recipe, texts: Sequence[str]) -> list[TokenScores]:
    return scorer.score([recipe.request(Request("", text)) for text in texts])


def _differences(scored: Sequence[TokenScores], known: Sequence[TokenScores], name: str, other: str) -> list[float]:
    if [one.spans for one in scored] != [one.spans for one in known]:
        raise ModelError(f"'{name}' and '{other}' cut these texts into other tokens: they are not one model.")
    rows = zip(scored, known, strict=True)
    both = [values for one, two in rows for values in zip(one.logprobs, two.logprobs, strict=True)]
    return [abs(a - b) for a, b in both if a == a and b == b] or [0.0]


def _twos(scores: Sequence[TokenScores]) -> list[tuple[TokenScores, TokenScores]]:
    return list(zip(scores[::2], scores[1::2], strict=True))
