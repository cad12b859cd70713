"""How a comparison's number was made: everything needed to get it again, and the sentence for a Methods section."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from core import __version__, identity, measures
from core.comparison.pair import Comparison
from core.policies import CHOICES
from core.recipe import provenance_of
from core.types import TokenScores


def receipt(comparison: Comparison) -> dict[str, Any]:
    """The whole arithmetic as plain values that JSON can hold: unscored is None."""
    recipe = comparison.recipe
    model = recipe.model
    kept = ("pairlens", "python", "versions", "device")
    return {
        "signature": signature(comparison),
        "model": {"name": model.name, "revision": model.revision, "kind": model.kind, "weights_sha256": model.weights,
                  "tokenizer_sha256": model.tokenizer, "config_sha256": model.config},
        "scorer": {"name": recipe.kind.name, "version": recipe.kind.version},
        "policy": asdict(recipe.policy),
        "fingerprint": recipe.fingerprint,
        "sentences": {
            member: _sentence(typed, text, scores)
            for member, typed, text, scores in zip(
                "AB", comparison.pair, comparison.texts, comparison.scores, strict=True
            )
        },
        "arithmetic": {
            "compared": CHOICES["sentence_value"][recipe.policy.sentence_value] + ", natural logarithm",
            "A": _number(comparison.values[0]),
            "B": _number(comparison.values[1]),
            "margin_nats": _number(comparison.margin),
            "margin_bits": _number(measures.bits(comparison.margin)),
            "preferred": comparison.preferred,
        },
        "made_with": {name: value for name, value in provenance_of(recipe).items() if name in kept},
    }  # fmt: skip


def signature(comparison: Comparison) -> str:
    """One line in the manner of sacreBLEU; the data are the two sentences."""
    recipe = comparison.recipe
    data = identity.dataset_hash([identity.canonical(list(comparison.pair))])
    return identity.signature("typed", 1, "", data, recipe.kind, recipe.model, recipe.policy, __version__)


def methods(comparison: Comparison) -> str:
    """A sentence that a paper can print."""
    recipe = comparison.recipe
    policy, model = recipe.policy, recipe.model
    name = (
        f"{model.name}@{model.revision}" if model.revision else f"{model.name} (weights sha256 {model.weights[:12]})"
    )
    fields = [name for name in ("first_token", "pll") if name in recipe.kind.reads]
    scored = "".join(f"; {CHOICES[name][getattr(policy, name)]}" for name in fields)
    kind = "Log-probabilities" if comparison.left_to_right else "Pseudo-log-likelihoods"
    variants = sorted({word.variant for words in comparison.words for word in words if word.n_tokens})
    return (
        f"{kind} were computed with {name} ({policy.dtype}) in Pairlens {__version__}{scored}; sentences are "
        f"compared by {CHOICES['sentence_value'][policy.sentence_value]}; words are cut at white space, "
        f"{CHOICES['punctuation'][policy.punctuation]}, with word value {', '.join(variants)}; "
        f"surprisal in {policy.unit}."
    )


def _sentence(typed: str, text: str, scores: TokenScores) -> dict[str, Any]:
    tokens = zip(scores.tokens, scores.ids, scores.spans, scores.logprobs, strict=True)
    return {
        "typed": typed,
        "scored": text,
        "logprob_sum": _number(scores.total),
        "n_tokens": len(scores.tokens),
        "n_scored": scores.n_scored,
        "tokens": [
            {"token": token, "id": number, "start": start, "end": end, "logprob": _number(value)}
            for token, number, (start, end), value in tokens
        ],
        "word_end_logprobs": _numbers(scores.boundary_logprobs),
        "text_end_logprobs": _numbers(scores.eos_logprobs),
    }


def _numbers(values: tuple[float, ...] | None) -> list[float | None] | None:
    return None if values is None else [_number(value) for value in values]


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
