"""A number again, from its receipt alone: from the log-probabilities of tokens to the metric."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.analysis.summary import mean_of_means
from core.errors import InputError
from core.metrics import METRICS
from core.policies import Policy
from core.store.shared import Tokens, shared_scores
from core.store.token_rows import ended

METRIC, ITEM, CANDIDATE, TOKEN = "metric", "item", "candidate", "token"
"""Kinds of numbers of a run."""


def recomputed(receipt: Mapping[str, Any]) -> float:
    """The receipt's number, in the unit that it has there; NaN if there is none.

    InputError for a receipt that does not work out all the items that its number is about, or that lacks scores.
    """
    told = receipt["number"]
    if told["kind"] == TOKEN:
        return _real(_request(receipt)["tokens"][told["token"]]["logprob"])
    if not receipt["complete"]:
        why = " ".join(receipt["missing"]) or _bounded(receipt)
        raise InputError(f"this receipt does not hold everything: {why}")
    table = candidates(receipt)
    if told["kind"] == CANDIDATE:
        return float(table.loc[table["candidate"] == told["candidate"], "logprob"].iloc[0])
    metric = METRICS[told["metric"]]
    statistics = metric.statistics(table, Policy(**receipt["policy"]))
    if told["kind"] == ITEM:
        return float(statistics[metric.values[0]].iloc[0])
    counted = statistics[statistics["excluded"].isna()]
    if metric.averages:
        return mean_of_means(counted, told["mean_of_means_over"])
    return metric.value(counted)


def candidates(receipt: Mapping[str, Any]) -> pd.DataFrame:
    """The candidate table (`core.metrics`) of the items that the receipt works out, from their tokens."""
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
    """The log-probability of a request and of the end after it, if that counts: a sum over its tokens, in nats.

    Where no tokens are kept it is the stored sum.
    """
    if request["tokens"] is None:
        value = _real(request["logprob"])
    else:
        scored = [token["logprob"] for token in request["tokens"] if token["logprob"] is not None]
        value = math.fsum(scored) if scored else math.nan
    return value + (end_of(request["end"]) if request["end"] else 0.0)


def end_of(end: Mapping[str, Any]) -> float:
    """The log mass of everything that ends a word there, in nats (`core.store.token_rows.ended`)."""
    masses = [_real(end[name]) for name in ("white_space", "text_end", "mark")]
    return float(ended(np.array([masses]))[0])


def _row(item: Mapping[str, Any], candidate: Mapping[str, Any]) -> dict[str, Any]:
    first, *_ = candidate["requests"]
    parts = [one["weight"] * total(one) for one in candidate["requests"] if one["weight"]]
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
    """What the texts of each item share, by item and candidate."""
    asked = [
        (item["item"], candidate["candidate"], candidate["requests"][0])
        for item in receipt["worked"]
        for candidate in item["candidates"]
    ]
    items = pd.DataFrame(
        {"item_id": [item for item, _, _ in asked], "request_key": [one["request_key"] for _, _, one in asked]}
    )
    scored = {one["request_key"]: _tokens(one["tokens"]) for _, _, one in asked if one["tokens"] is not None}
    rows = shared_scores(items, scored).to_dict("records")
    return {
        (item, place): {str(name): value for name, value in row.items()}
        for (item, place, _), row in zip(asked, rows, strict=True)
    }


def _tokens(tokens: Sequence[Mapping[str, Any]]) -> Tokens:
    ids = np.array([token["id"] for token in tokens], np.int64)
    return Tokens(ids, np.array([_real(token["logprob"]) for token in tokens], np.float64))


def _request(receipt: Mapping[str, Any]) -> Mapping[str, Any]:
    """The only request of a receipt of a token."""
    return next(_requests(receipt))


def _requests(receipt: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for item in receipt["worked"]:
        for candidate in item["candidates"]:
            yield from candidate["requests"]


def _bounded(receipt: Mapping[str, Any]) -> str:
    n, worked = receipt["items"]["n_all"], len(receipt["worked"])
    return f"it works out {worked:,} of {n:,} items; make it with all items."


def _real(value: float | None) -> float:
    return math.nan if value is None else float(value)
