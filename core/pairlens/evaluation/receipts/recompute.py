"""A number recomputed from its receipt alone: from the log-probabilities of tokens to the metric."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pairlens.analysis.summary import mean_of_means
from pairlens.errors import InputError, PairlensError
from pairlens.files.tables import read_json
from pairlens.metrics import METRICS
from pairlens.policies import Policy
from pairlens.store.scores import Tokens, ended, shared_scores

FORMAT = "pairlens receipt"
SCHEMA = 1
"""Version of a receipt's form (`schema.json`)."""
METRIC, ITEM = "metric", "item"
"""Kinds of numbers of a run."""


def recomputed_file(path: Path) -> tuple[float, float]:
    """A JSON receipt's number, recomputed and as stated there (NaN: none); InputError also if it is no receipt."""
    receipt = read_json(path, "a receipt, as `receipt RUN --output FILE` writes it")
    if not isinstance(receipt, dict) or (receipt.get("format"), receipt.get("schema")) != (FORMAT, SCHEMA):
        raise InputError(f"is not a receipt of version {SCHEMA}, as `receipt RUN --output FILE` writes it", path.name)
    try:
        if receipt["number"]["kind"] not in (METRIC, ITEM):
            raise ValueError
        return recomputed(receipt), _real(receipt["number"]["value"])
    except PairlensError as wrong:
        raise InputError(wrong.message, path.name) from None
    except (LookupError, TypeError, ValueError, AttributeError):
        raise InputError("this receipt is damaged or was edited: its parts do not fit together", path.name) from None


def recomputed(receipt: Mapping[str, Any]) -> float:
    """The receipt's number, in its own unit, NaN if there is none; InputError if it lacks items or scores."""
    number = receipt["number"]
    if not receipt["complete"]:
        n, worked = receipt["items"]["n_all"], len(receipt["worked"])
        why = " ".join(receipt["missing"]) or f"it works out {worked:,} of {n:,} items; make it with all items."
        raise InputError(f"this receipt does not hold everything: {why}")
    table = candidates(receipt)
    metric = METRICS[number["metric"]]
    statistics = metric.statistics(table, Policy(**receipt["policy"]))
    if number["kind"] == ITEM:
        return float(statistics[metric.values[0]].iloc[0])
    counted = statistics[statistics["excluded"].isna()]
    if metric.averages:
        return mean_of_means(counted, number["mean_of_means_over"])
    return metric.value(counted)


def candidates(receipt: Mapping[str, Any]) -> pd.DataFrame:
    """The candidate table (`pairlens.metrics`) of the items that the receipt works out, from their tokens."""
    shared = _shared(receipt) if receipt["rule"]["shared"] else {}
    rows = [
        _row(item, candidate) | shared.get((item["item"], candidate["candidate"]), {}) | item["groups"]
        for item in receipt["worked"]
        for candidate in item["candidates"]
    ]
    table = pd.DataFrame(rows)
    refused = [item["item"] for item in receipt["worked"] if item["refused"]]
    return table.assign(logprob=table["logprob"].mask(table["item"].isin(refused)))


def total(request: Mapping[str, Any]) -> float:
    """The log-probability of a request in nats, with the end after it if that counts: by its tokens, or as stored."""
    if request["tokens"] is None:
        value = _real(request["logprob"])
    else:
        scored = [token["logprob"] for token in request["tokens"] if token["logprob"] is not None]
        value = math.fsum(scored) if scored else math.nan
    return value + (end_of(request["end"]) if request["end"] else 0.0)


def end_of(end: Mapping[str, Any]) -> float:
    """The log mass of everything that ends a word there, in nats (`pairlens.store.scores.ended`)."""
    masses = [_real(end[name]) for name in ("white_space", "text_end", "mark")]
    return float(ended(np.array([masses]))[0])


def _row(item: Mapping[str, Any], candidate: Mapping[str, Any]) -> dict[str, Any]:
    first, *_ = candidate["requests"]
    parts = [request["weight"] * total(request) for request in candidate["requests"] if request["weight"]]
    return {
        "item": item["item"],
        "candidate": candidate["candidate"],
        "label": candidate["label"],
        "gold": item["gold"],
        "context": candidate.get("context"),
        "text": candidate.get("text"),
        "logprob": parts[0] if len(parts) == 1 else math.fsum(parts),
        **{name: _real(first[name]) for name in ("n_tokens", "n_scored", "n_straddling")},
    }


def _shared(receipt: Mapping[str, Any]) -> dict[tuple[str, int], dict[str, Any]]:
    """The scores of the tokens that the texts of each item share, by item and candidate."""
    requests = [
        (item["item"], candidate["candidate"], candidate["requests"][0])
        for item in receipt["worked"]
        for candidate in item["candidates"]
    ]
    items = pd.DataFrame(
        {"item_id": [item for item, _, _ in requests], "request_key": [one["request_key"] for _, _, one in requests]}
    )
    scored = {one["request_key"]: _tokens(one["tokens"]) for _, _, one in requests if one["tokens"] is not None}
    rows = shared_scores(items, scored).to_dict("records")
    return {
        (item, place): {str(name): value for name, value in row.items()}
        for (item, place, _), row in zip(requests, rows, strict=True)
    }


def _tokens(tokens: Sequence[Mapping[str, Any]]) -> Tokens:
    ids = np.array([token["id"] for token in tokens], np.int64)
    return Tokens(ids, np.array([_real(token["logprob"]) for token in tokens], np.float64))


def _real(value: float | None) -> float:
    return math.nan if value is None else float(value)
