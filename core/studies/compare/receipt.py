"""How a comparison was computed: everything needed to reproduce it, and the sentence for a Methods section."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core import __version__, identity, measures
from core.policies import CHOICES
from core.results.result import Provenance
from core.runs.receipts import sentences
from core.runs.receipts.bibtex import bibtex, keys_of_scores
from core.runs.receipts.scored_by import by_recipe, made_with, number, recipe_values, token_values
from core.studies.compare.pair import Comparison
from core.studies.compare.typed import Fields
from core.studies.study import Study, call_of, command_of
from core.types import TokenScores


def receipt(comparison: Comparison) -> dict[str, Any]:
    """The full computation as plain JSON values; unscored is None."""
    recipe = comparison.recipe
    return {
        "signature": signature(comparison),
        **recipe_values(recipe),
        "sentences": {
            member: _sentence(typed, text, scores)
            for member, typed, text, scores in zip(
                "AB", comparison.pair, comparison.texts, comparison.scores, strict=True
            )
        },
        "arithmetic": {
            "compared": CHOICES["sentence_value"][recipe.policy.sentence_value] + ", natural logarithm",
            "A": number(comparison.values[0]),
            "B": number(comparison.values[1]),
            "margin_nats": number(comparison.margin),
            "margin_bits": number(measures.bits(comparison.margin)),
            "preferred": comparison.preferred,
        },
        "made_with": made_with(recipe),
    }


def provenance(study: Study[Fields, Any], question: Fields, answers: Sequence[Sequence[Comparison]]) -> Provenance:
    """How the comparisons of each model were made; the receipt is that of the one model, or all of them by name."""
    firsts = [comparisons[0] for comparisons in answers]
    receipts = {own[0].recipe.model.name: _of_model(own) for own in answers}
    alone = next(iter(receipts.values()))
    signatures = " · ".join(one["signature"] for one in receipts.values())
    recipes = [comparison.recipe for comparison in firsts]
    cited = [key for comparison in firsts for key in keys(comparison)]
    return Provenance(
        alone if len(receipts) == 1 else {"signature": signatures, "models": receipts},
        " ".join(map(methods, firsts)),
        bibtex(cited, *(recipe.model for recipe in recipes)),
        command=command_of(study, question, recipes),
        call=call_of(study, question, recipes),
    )


def _of_model(comparisons: Sequence[Comparison]) -> dict[str, Any]:
    """The receipt of a pair, or of several with the signature of all of them."""
    if len(comparisons) == 1:
        return receipt(comparisons[0])
    return {"signature": signature(*comparisons), "pairs": [receipt(comparison) for comparison in comparisons]}


def signature(*comparisons: Comparison) -> str:
    """One line, as in sacreBLEU; the data are the sentences. Of one recipe."""
    recipe = comparisons[0].recipe
    data = identity.dataset_hash([identity.canonical(list(comparison.pair)) for comparison in comparisons])
    return identity.signature("typed", 1, "", data, recipe.kind, recipe.model, recipe.policy, __version__)


def methods(comparison: Comparison) -> str:
    """A sentence that a paper can print."""
    policy = comparison.recipe.policy
    return sentences.sentence(
        sentences.computed(by_recipe(comparison.recipe)),
        f"sentences are compared by {CHOICES['sentence_value'][policy.sentence_value]}",
        sentences.words_cut(policy.punctuation, ", ".join(_word_values(comparison))),
        f"surprisal in {policy.unit}",
    )


def keys(comparison: Comparison) -> list[str]:
    """What to cite (`core.runs.receipts.bibtex`)."""
    return keys_of_scores(by_recipe(comparison.recipe), *_word_values(comparison))


def _word_values(comparison: Comparison) -> list[str]:
    """The word values that were used, in alphabetical order."""
    return sorted({word.variant for words in comparison.words for word in words if word.n_tokens})


def _sentence(typed: str, text: str, scores: TokenScores) -> dict[str, Any]:
    return {
        "typed": typed,
        "scored": text,
        "logprob_sum": number(scores.total),
        "n_tokens": len(scores.tokens),
        "n_scored": scores.n_scored,
        "tokens": token_values(scores),
        "word_end_logprobs": _numbers(scores.boundary_logprobs),
        "text_end_logprobs": _numbers(scores.eos_logprobs),
    }


def _numbers(values: tuple[float, ...] | None) -> list[float | None] | None:
    return None if values is None else [number(value) for value in values]
