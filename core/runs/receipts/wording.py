"""The arithmetic of a receipt as text, with its numbers, from the metric down to a token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core import measures
from core.analysis.summary import written
from core.messages import counted
from core.metrics import METRICS
from core.policies import CHOICES
from core.runs.receipts.recompute import end_of
from core.runs.receipts.scored_by import kind_named
from core.runs.receipts.sentences import left_out, of_means, value_of_text

_MOST_TERMS = 12


def of_number(receipt: Mapping[str, Any]) -> list[str]:
    """The definition of a metric, the items that count, and how their values become the number."""
    number, items, policy = receipt["number"], receipt["items"], receipt["policy"]
    noun = receipt["data"]["noun"]
    sentences = [f"{number['title']}: {receipt['definition']['formula']}."]
    if METRICS[number["metric"]].averages:
        value = value_of_text(
            kind_named(receipt["scorer"]["name"]), policy["sentence_value"], receipt["rule"]["about"]
        )
        sentences.append(f"The value of a text: {value}; {CHOICES['ties'][policy['ties']]}.")
    if receipt["missing"] and number["value"] is not None:
        stored = written(number["value"], number["scale"])
        return [*sentences, f"The stored number is {stored}; not all that it was made from is here."]
    ties = f", {items['ties']:,} of them ties" if items["ties"] else ""
    sentences.append(f"{items['n']:,} of {counted(items['n_all'], noun)} count{ties}{left_out(items['reasons'])}.")
    if number["value"] is not None and METRICS[number["metric"]].averages:
        sentences.append(_mean(receipt))
    elif number["value"] is not None:
        sentences.append(f"Together: {written(number['value'], number['scale'])}.")
    return sentences


def of_item(receipt: Mapping[str, Any]) -> list[str]:
    """The values of an item's candidates, and the value of the item."""
    (item,) = receipt["worked"]
    (listed,) = receipt["items"]["listed"]
    lines = [f"{one['label']}: {_nats(one['value'])}" for one in item["candidates"]]
    if listed["left_out"]:
        return [*lines, f"This {receipt['data']['noun']} does not count: {listed['left_out']}."]
    values = listed["values"]
    if (margin := values.get("margin")) is not None and len(item["candidates"]) == 2:
        first, second = sorted(item["candidates"], key=lambda one: one["label"] != item["gold"])
        lines.append(f"Difference: {_nats(first['value'])} − ({_nats(second['value'])}) = {_nats(margin)}")
    elif margin is not None:
        lines.append(f"The margin is {_nats(margin)}.")
    return [*lines, _counts(receipt, listed)]


def of_candidate(candidate: Mapping[str, Any], rule: Mapping[str, Any]) -> list[str]:
    """How tokens add up to the log-probability of a candidate, and how that becomes its value."""
    lines = [line for request in candidate["requests"] for line in _of_request(request, rule)]
    if sum(request["weight"] != 0 for request in candidate["requests"]) > 1:
        lines.append(f"Together: {_nats(candidate['logprob'])}")
    if rule["shared"]:
        lines.append(
            f"Only what both texts share counts: {counted(candidate['n_scored'], 'token')}, "
            f"{_nats(candidate['logprob'])}."
        )
    if candidate["value"] != candidate["logprob"] and candidate["value"] is not None:
        n = candidate["logprob"] / candidate["value"] if candidate["value"] else 0
        lines.append(f"Per token: {_nats(candidate['logprob'])} / {n:.0f} = {_nats(candidate['value'])}")
    return lines


def _of_request(request: Mapping[str, Any], rule: Mapping[str, Any]) -> list[str]:
    if request["logprob"] is None:
        return ["Nothing is stored of this text."]
    lines = [f"{_sum(request)}{_weighted(request)}"]
    if rule["ends"] and request["end"]:
        lines.append(f"The end of the word after it: {_nats(end_of(request['end']))}")
    return lines


def _sum(request: Mapping[str, Any]) -> str:
    """The tokens' log-probabilities and their sum."""
    total = f"{_nats(request['logprob'])} ({measures.surprisal(request['logprob']):.4f} bits)"
    scored = [one["logprob"] for one in request["tokens"] or () if one["logprob"] is not None]
    unscored = f"; {n} not scored" if (n := len(request["tokens"] or scored) - len(scored)) else ""
    if not scored:
        return f"{counted(request['n_scored'], 'token')}, together {total}"
    if len(scored) > _MOST_TERMS:
        return f"{len(scored)} tokens add up to {total}{unscored}"
    terms = " + ".join(f"{value:.4f}".replace("-", "−") for value in scored)
    return f"{f'{terms} = ' if len(scored) > 1 else ''}{total}{unscored}"


def _weighted(request: Mapping[str, Any]) -> str:
    by_weight = {1: "", 0: ", which does not count", -1: ", which is taken away"}
    return by_weight.get(request["weight"], f", which counts {request['weight']:g} times")


def _counts(receipt: Mapping[str, Any], listed: Mapping[str, Any]) -> str:
    name, *others = METRICS[receipt["number"]["metric"]].values
    value, tie = listed["values"].get(name), " It is a tie." if listed["tie"] else ""
    if name == "stereotype":
        return (
            f"So this {receipt['data']['noun']} counts {value:g} for SS and {listed['values'][others[0]]:g} for LMS."
        )
    if name == "correct":
        return f"So this {receipt['data']['noun']} counts {value:g}.{tie}"
    unit = {"surprisal": " bits" if METRICS[receipt["number"]["metric"]].scale == "bits" else " nats",
            "difference": " nats"}.get(name, "")  # fmt: skip
    return f"Its {name.replace('_', ' ')} is {value:.4f}{unit}."


def _mean(receipt: Mapping[str, Any]) -> str:
    """A mean, or a mean of means, written out if it is short enough."""
    number, items = receipt["number"], receipt["items"]
    value = written(number["value"], number["scale"])
    means: Sequence[Mapping[str, Any]] = number["means"] or ()
    if len(number["mean_of_means_over"]) > 1:
        means_of = of_means(number["mean_of_means_over"])
        return f"{means_of[:1].upper()}{means_of[1:]}: {value}."
    if len(means) > _MOST_TERMS:
        return f"The mean of {len(means):,} means, one for each {number['mean_of_means_over'][0]}: {value}."
    if len(means) > 1:
        terms = " + ".join(written(one["value"], number["scale"]) for one in means)
        return f"({terms}) / {len(means)} = {value}, one mean for each {number['mean_of_means_over'][0]}."
    if items["listed"] is None:
        return f"Their mean: {value}."
    total = sum(one["values"]["correct"] or 0 for one in items["listed"])
    return f"{total:.10g} / {items['n']:,} = {value}."


def _nats(value: float | None) -> str:
    return "no value" if value is None else f"{value:.4f} nats".replace("-", "−")
