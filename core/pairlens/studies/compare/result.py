"""What comparisons come to: headlines, notices, tables, figures, provenance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pairlens import measures
from pairlens.evaluation.receipts import sentences
from pairlens.evaluation.receipts.bibtex import bibtex, keys_of_scores
from pairlens.evaluation.receipts.scored_by import by_recipe, number, token_values
from pairlens.messages import counted
from pairlens.policies import CHOICES
from pairlens.results.result import Figure, Headline, Notice, Provenance, Result
from pairlens.studies.compare import wording
from pairlens.studies.compare.pair import Comparison, in_unit
from pairlens.studies.compare.tables import described
from pairlens.studies.compare.typed import Fields
from pairlens.studies.provenance import receipt_of, signature_of
from pairlens.studies.study import Study, call_of, command_of, unread_notices

if TYPE_CHECKING:
    import pandas as pd

    from pairlens.charts.drawing import Chart


def result(study: Study[Fields, Any], question: Fields, answers: Sequence[Sequence[Comparison]]) -> Result:
    """Of one list of comparisons per model; figures are of a single pair, and begin with the first model."""
    single = [own[0] for own in answers] if len(answers[0]) == 1 else []
    notices = [notice for own in answers for notice in (_notices(own[0]) if single else _unread(own))]
    unjudged = {notice.model for notice in notices if notice.severity == "instead"}
    if len({own[0].left_to_right for own in answers}) > 1:
        notices.append(Notice("scales", "note", wording.SCALES))
    cautions = (wording.caution(one) for one in single if one.recipe.model.name not in unjudged)
    notices += [Notice("not_minimal", "note", text) for text in dict.fromkeys(filter(None, cautions))]
    return Result(
        study=study.name,
        question=study.question,
        title=" / ".join(single[0].pair) if single else counted(len(answers[0]), "pair"),
        file="comparison",
        headlines=[line for one in single for line in _of_pair(one)] or [*map(_of_pairs, answers)],
        tables=described(answers),
        figures=[*_figures(single)] if single else [],
        notices=notices,
        trace=partial(provenance, study, question, answers),
    )


def _of_pair(comparison: Comparison) -> list[Headline]:
    """The margin, and where the sentences differ first: the position of a word."""
    policy, name, contrast = comparison.recipe.policy, comparison.recipe.model.name, comparison.contrast
    unit = f"{policy.unit} per token" if policy.sentence_value == "mean" else policy.unit
    more: dict[str, float | str] = {"preferred": comparison.preferred, "bits": measures.bits(comparison.margin)}
    place = contrast.first.position + 1 if contrast.first else float("nan")
    margin = in_unit(comparison.margin, policy.unit)
    return [
        Headline("margin", name, margin, unit, wording.preference(comparison), 1, "pair", more=more),
        Headline("first_difference", name, place, "word", contrast.where, 1, "pair"),
    ]


def _of_pairs(comparisons: Sequence[Comparison]) -> Headline:
    n_a = sum(comparison.preferred == "A" for comparison in comparisons)
    name = comparisons[0].recipe.model.name
    return Headline("prefers_a", name, n_a, "pairs", wording.tally(comparisons), len(comparisons), "pairs")


def _unread(comparisons: Sequence[Comparison]) -> list[Notice]:
    """What a model has not read of these pairs; sentences that are the same are not judged anyway."""
    texts = [
        text for comparison in comparisons if comparison.texts[0] != comparison.texts[1] for text in comparison.pair
    ]
    return [*unread_notices(texts, comparisons[0].recipe)] if texts else []


def _notices(comparison: Comparison) -> list[Notice]:
    """Those about one model and one pair; if it has no verdict, only why not."""
    name, contrast = comparison.recipe.model.name, comparison.contrast
    unread = _unread([comparison])
    if unread and unread[0].severity == "instead":
        return unread
    if same := wording.same(comparison):
        return [Notice("same", "instead", same, name)]
    remarks = {
        "masked": "" if comparison.left_to_right else wording.MASKED,
        "ends": wording.ends(comparison),
        "prefix": contrast.prefix_note,
        "unscored": contrast.unscored_note,
        "windowed": wording.windowed(comparison),
    }
    return unread + [Notice(kind, "remark", text, name) for kind, text in remarks.items() if text]


def _figures(comparisons: Sequence[Comparison]) -> Iterator[Figure]:
    """The first model's words, and the differences: running, of all models whose words add up, if its own do."""
    first = comparisons[0]
    if first.contrast.frame.empty:
        return
    finding = wording.preference(first)
    yield Figure("surprisal", "words", partial(_surprisal, first, finding), finding, beside=True)
    where = first.contrast.where or finding
    if first.contrast.additive:
        additive = [comparison.recipe.model.name for comparison in comparisons if comparison.contrast.additive]
        yield Figure("running", "steps", partial(_running, first, where, additive), where)
    else:
        yield Figure("difference", "steps", partial(_difference, first, where), where)


def _surprisal(first: Comparison, finding: str, words: pd.DataFrame) -> Chart:
    from pairlens.charts.sentence_pair import surprisal_by_word

    own = words[words["model"] == first.recipe.model.name] if "model" in words else words
    return surprisal_by_word(own, finding, first.recipe.policy.unit)


def _running(first: Comparison, finding: str, models: Sequence[str], steps: pd.DataFrame) -> Chart:
    from pairlens.charts.sentence_pair import running_difference

    additive = steps[steps["model"].isin(models)]
    places = {"first difference": first.contrast.first, "settled": first.contrast.settled}
    shown = set(additive["position"])
    marks = {name: place.position + 1 for name, place in places.items() if place and place.position + 1 in shown}
    return running_difference(additive, finding, first.recipe.policy.unit, marks)


def _difference(first: Comparison, finding: str, steps: pd.DataFrame) -> Chart:
    from pairlens.charts.sentence_pair import difference_by_word

    own = steps[steps["model"] == first.recipe.model.name].dropna(subset="difference")
    return difference_by_word(own, finding, first.recipe.policy.unit)


def receipt(comparison: Comparison) -> dict[str, Any]:
    members = zip("AB", comparison.pair, comparison.texts, comparison.scores, strict=True)
    by_member = {
        member: {
            "typed": typed,
            "scored": text,
            "logprob_sum": number(scores.total),
            "n_tokens": len(scores.tokens),
            "n_scored": scores.n_scored,
            "tokens": token_values(scores),
            "word_end_logprobs": scores.boundary_logprobs and [*map(number, scores.boundary_logprobs)],
            "text_end_logprobs": scores.eos_logprobs and [*map(number, scores.eos_logprobs)],
        }
        for member, typed, text, scores in members
    }
    arithmetic = {
        "compared": CHOICES["sentence_value"][comparison.recipe.policy.sentence_value] + ", natural logarithm",
        **dict(zip("AB", map(number, comparison.values), strict=True)),
        "margin_nats": number(comparison.margin),
        "margin_bits": number(measures.bits(comparison.margin)),
        "preferred": comparison.preferred,
    }
    return receipt_of("typed", [comparison.pair], comparison.recipe, sentences=by_member, arithmetic=arithmetic)


def provenance(study: Study[Fields, Any], question: Fields, answers: Sequence[Sequence[Comparison]]) -> Provenance:
    """How the comparisons of each model were made; the receipt is that of the one model, or all of them by name."""
    firsts = [comparisons[0] for comparisons in answers]
    recipes = [comparison.recipe for comparison in firsts]
    receipts: dict[str, dict[str, Any]] = {
        own[0].recipe.model.name: receipt(*own)
        if len(own) == 1
        else {
            "signature": signature_of("typed", (one.pair for one in own), own[0].recipe),
            "pairs": [*map(receipt, own)],
        }
        for own in answers
    }
    signatures = " · ".join(receipt["signature"] for receipt in receipts.values())
    return Provenance(
        {"signature": signatures, "models": receipts} if len(receipts) > 1 else receipts[recipes[0].model.name],
        " ".join(map(methods, firsts)),
        bibtex([key for comparison in firsts for key in keys(comparison)], *(recipe.model for recipe in recipes)),
        command=command_of(study, question, recipes),
        call=call_of(study, question, recipes),
    )


def methods(comparison: Comparison) -> str:
    policy = comparison.recipe.policy
    return sentences.sentence(
        sentences.computed(by_recipe(comparison.recipe)),
        f"sentences are compared by {CHOICES['sentence_value'][policy.sentence_value]}",
        sentences.words_cut(policy.punctuation, ", ".join(_word_values(comparison))),
        f"surprisal in {policy.unit}",
    )


def keys(comparison: Comparison) -> list[str]:
    return keys_of_scores(by_recipe(comparison.recipe), *_word_values(comparison))


def _word_values(comparison: Comparison) -> list[str]:
    return sorted({word.variant for words in comparison.words for word in words if word.n_tokens})
