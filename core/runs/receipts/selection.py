"""The receipt of a metric, a group, an item, or one of an item's candidates or tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.errors import InputError, PolicyError
from core.runs.receipts.recompute import CANDIDATE, TOKEN
from core.runs.receipts.run import MOST_WORKED, receipt, receipt_of_item
from core.store import Store


def selected_receipt(
    store: Store,
    run_id: str,
    metric: str = "",
    group: str = "",
    item: str = "",
    candidate: int = -1,
    token: int = -1,
    *,
    all_items: bool = False,
) -> dict[str, Any]:
    """A receipt (`core.runs.receipts.run`); candidates and tokens count from 0, -1 stands for none.

    PolicyError for choices that do not go together; else errors as there.
    """
    if item and group:
        raise PolicyError("A receipt is about a group or about an item: leave --group or --item out.")
    if (candidate >= 0 and not item) or (token >= 0 and candidate < 0):
        raise PolicyError("--candidate needs --item, and --token needs --candidate.")
    if not item:
        return receipt(store, run_id, metric, group, most=None if all_items else MOST_WORKED)
    made = receipt_of_item(store, run_id, item, metric)
    if token >= 0:
        return of_token(made, candidate, token)
    return of_candidate(made, candidate) if candidate >= 0 else made


def of_candidate(receipt: Mapping[str, Any], candidate: int) -> dict[str, Any]:
    """The receipt of an item, narrowed to the log-probability (nats) of a candidate, counted from 0."""
    (item,) = receipt["worked"]
    n = len(item["candidates"])
    if not 0 <= candidate < n:
        raise InputError(f"item '{item['item']}' has {n} candidates, counted from 0: there is no {candidate}")
    chosen = item["candidates"][candidate]
    value = {"label": chosen["label"], "value": chosen["logprob"]}
    return {**receipt, "number": {"kind": CANDIDATE, "item": item["item"], "candidate": candidate, **value}}


def of_token(receipt: Mapping[str, Any], candidate: int, token: int) -> dict[str, Any]:
    """The receipt of an item, narrowed to the log-probability (nats) of a token of a candidate's first request.

    Tokens count from 0. InputError where there is no such token, or where the tokens are not kept.
    """
    narrowed = of_candidate(receipt, candidate)
    (item,) = receipt["worked"]
    chosen = item["candidates"][candidate]
    request = chosen["requests"][0]
    tokens = request["tokens"]
    if tokens is None:
        why = "are confidential" if receipt["data"]["confidential"] else "are not kept"
        raise InputError(f"the tokens of item '{item['item']}', candidate {candidate}, {why}")
    if not 0 <= token < len(tokens):
        raise InputError(f"this text has {len(tokens)} tokens, counted from 0: there is no {token}")
    value = {"candidate": candidate, "token": token, "value": tokens[token]["logprob"]}
    only = {**item, "candidates": [{**chosen, "requests": [request]}]}
    return {**narrowed, "number": {"kind": TOKEN, "item": item["item"], **value}, "worked": [only]}
