"""How runs were made, for people: the Methods sentence of a number, from its receipt, and what to cite."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from core.analysis.summary import generalises_over, written
from core.metrics import METRICS
from core.results.result import Provenance
from core.runs.receipts import sentences
from core.runs.receipts.bibtex import OF_VERSION, bibtex, keys_of, model_of
from core.runs.receipts.in_windows import windows_in_words
from core.runs.receipts.numbers import number_of, stored_run
from core.runs.receipts.recompute import METRIC
from core.runs.receipts.run import FEW, receipt, summary
from core.runs.receipts.scored_by import ScoredBy, by_receipt
from core.store import Store
from core.tasks import TASKS


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
    cited = bibtex([key for one in receipts.values() for key in keys_of(one)], *map(model_of, receipts.values()))
    signatures = " · ".join(own.signature for own in each)
    texts = " ".join(own.methods for own in each)
    return Provenance({"signature": signatures, "runs": receipts}, texts, cited, tuple(run_ids))


def methods(receipt: Mapping[str, Any], *tests: str) -> str:
    """One sentence for a paper, and the signature. `tests` are clauses (`sentences.of_test`)."""
    by = by_receipt(receipt)
    sentence = sentences.sentence(
        sentences.computed(by),
        _data(receipt),
        _valued(receipt, by),
        windows_in_words(receipt.get("in_windows")),
        _items(receipt),
        *_number(receipt),
        *_interval(receipt),
        *tests,
        "" if receipt["run"]["state"] == "done" else f"the run is {receipt['run']['state']}",
    )
    return f"{sentence} {receipt['signature'] or ''}".strip()


def _data(receipt: Mapping[str, Any]) -> str:
    data = receipt["data"]
    source = f"{data['title']}{f' ({paper})' if (paper := _short(data['paper'])) else ''}"
    digest = (data["sha256"] or "")[: sentences.SHORT]
    return f"{data['noun']}s in the format of {source} ({data['name']}, sha256 {digest})"


def _valued(receipt: Mapping[str, Any], by: ScoredBy) -> str:
    """The value of each text; metrics of surprisals compare nothing."""
    about, metric = receipt["rule"]["about"], receipt["number"].get("metric")
    if metric and "surprisal" in METRICS[metric].values:
        return str(about)
    return f"compared: {sentences.value_of_text(by.kind, by.policy.sentence_value, about)}"


def _items(receipt: Mapping[str, Any]) -> str:
    items = receipt["items"]
    return sentences.of_items(items["n"], items["n_all"], receipt["data"]["noun"], items["reasons"])


def _number(receipt: Mapping[str, Any]) -> list[str]:
    number, items = receipt["number"], receipt["items"]
    if number["kind"] != METRIC:
        return []
    title = number["title"][:1].lower() + number["title"][1:]
    group = (
        f" for {number['group_by']} {number['group']}" if number["group_by"] != "overall" and number["group"] else ""
    )
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


def _short(paper: str) -> str:
    """Authors and year of a paper, which precede its title."""
    match = re.match(r".*?\b\d{4}\b", paper)
    return match[0] if match else ""
