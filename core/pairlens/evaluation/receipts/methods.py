"""How runs were made, for people: the Methods sentence of a number, from its receipt, and what to cite."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from pairlens import measures
from pairlens.analysis.summary import generalises_over, written
from pairlens.evaluation.receipts import sentences
from pairlens.evaluation.receipts.bibtex import OF_VERSION, bibtex, keys_of, model_of
from pairlens.evaluation.receipts.numbers import number_of, stored_run
from pairlens.evaluation.receipts.recompute import METRIC, end_of
from pairlens.evaluation.receipts.run import FEW, receipt, summary
from pairlens.evaluation.receipts.scored_by import ScoredBy, by_receipt, kind_named
from pairlens.evaluation.receipts.sentences import left_out, of_means, value_of_text, windows_in_words
from pairlens.messages import counted
from pairlens.metrics import METRICS
from pairlens.policies import CHOICES
from pairlens.results.result import Provenance
from pairlens.store import Store
from pairlens.tasks import TASKS


def provenance(store: Store, run_id: str, metric: str = "", group: str = "", *, worked: bool = True) -> Provenance:
    """How a number of a run was made, by default its headline, with a few items `worked` out; errors as `receipt`."""
    if worked:
        values = receipt(store, run_id, metric, group, most=FEW)
    else:
        run = stored_run(store, run_id)
        values = summary(run, number_of(run, metric, group))
    return Provenance(values, methods(values), bibtex(keys_of(values), model_of(values)), (run_id,))


def provenance_of_runs(store: Store, run_ids: Sequence[str], *, worked: bool = True) -> Provenance:
    """The same of the headlines of several runs: one after the other, receipts by run."""
    each = [provenance(store, run_id, worked=worked) for run_id in run_ids]
    if len(each) == 1:
        return each[0]
    receipts = {own.run_ids[0]: own.receipt for own in each}
    cited = bibtex(
        [key for receipt in receipts.values() for key in keys_of(receipt)], *map(model_of, receipts.values())
    )
    signatures = " · ".join(own.signature for own in each)
    texts = " ".join(own.methods for own in each)
    return Provenance({"signature": signatures, "runs": receipts}, texts, cited, tuple(run_ids))


def methods(receipt: Mapping[str, Any]) -> str:
    """One sentence for a paper, and the signature."""
    by, items = by_receipt(receipt), receipt["items"]
    sentence = sentences.sentence(
        sentences.computed(by),
        _data(receipt),
        _valued(receipt, by),
        windows_in_words(receipt.get("in_windows")),
        sentences.of_items(items["n"], items["n_all"], receipt["data"]["noun"], items["reasons"]),
        *_number(receipt),
        *_interval(receipt),
        "" if receipt["run"]["state"] == "done" else f"the run is {receipt['run']['state']}",
    )
    return f"{sentence} {receipt['signature'] or ''}".strip()


def _data(receipt: Mapping[str, Any]) -> str:
    data = receipt["data"]
    authors = re.match(r".*?\b\d{4}\b", data["paper"])  # and year, which precede the title
    source = f"{data['title']} ({authors[0]})" if authors else data["title"]
    digest = (data["sha256"] or "")[: sentences.SHORT]
    return f"{data['noun']}s in the format of {source} ({data['name']}, sha256 {digest})"


def _valued(receipt: Mapping[str, Any], by: ScoredBy) -> str:
    """The value of each text; metrics of surprisals compare nothing."""
    about, metric = receipt["rule"]["about"], receipt["number"].get("metric")
    if metric and "surprisal" in METRICS[metric].values:
        return str(about)
    return f"compared: {sentences.value_of_text(by.kind, by.policy.sentence_value, about)}"


def _number(receipt: Mapping[str, Any]) -> list[str]:
    number, items = receipt["number"], receipt["items"]
    if number["kind"] != METRIC:
        return []
    title = number["title"][:1].lower() + number["title"][1:]
    of_group = number["group_by"] != "overall" and number["group"]
    group = f" for {number['group_by']} {number['group']}" if of_group else ""
    value = "no number" if number["value"] is None else written(number["value"], number["scale"])
    over = number["mean_of_means_over"]
    n_means = len(number["means"]) if number["means"] is not None else "more than 1,000"
    means = f"a mean of {n_means} means over {over[0]}" if len(over) == 1 else sentences.of_means(over)
    mean = f", {means}" if over and n_means != 1 else ""
    decides = METRICS[number["metric"]].averages or items["ties"]
    ties = [sentences.of_ties(items["ties"], receipt["policy"]["ties"])] if decides else []
    return [f"{title}{group} {value} ({receipt['definition']['formula']}{mean})", *ties]


def _interval(receipt: Mapping[str, Any]) -> list[str]:
    """The interval over items, with what is fixed and the number of independent clusters."""
    intervals = [one for one in receipt["number"].get("intervals", ()) if one["method"] and one["over"] == "items"]
    if not intervals:
        return []
    one, scale = intervals[0], receipt["number"]["scale"]
    means, levels = receipt["number"]["means"] or (), receipt["number"]["mean_of_means_over"]
    task = TASKS[receipt["data"]["task"]]
    fixed = f" in {len(means)} fixed paradigms" if len(means) > 1 and {*levels} - {task.clusters} else ""
    bounds = f"{written(one['low'], scale, 1)} to {written(one['high'], scale, 1)}"
    row = pd.Series({"n_clusters": one["n_clusters"], "n": receipt["items"]["n"]})
    of_today = not one["method"].startswith(OF_VERSION)
    over = f"{generalises_over(row, task.clusters) if of_today else 'items'}{fixed}"
    return [f"{sentences.of_interval(one['method'], over)}: {bounds}"]


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
    lines = [f"{candidate['label']}: {_nats(candidate['value'])}" for candidate in item["candidates"]]
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
