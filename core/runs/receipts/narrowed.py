"""From the receipt of an item down to one of its candidates, and to one of that candidate's tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.errors import InputError
from core.runs.receipts.recompute import CANDIDATE, TOKEN


def of_candidate(receipt: Mapping[str, Any], candidate: int) -> dict[str, Any]:
    """The receipt of an item, about the log-probability (nats) of its candidate in this place, counted from 0."""
    (item,) = receipt["worked"]
    n = len(item["candidates"])
    if not 0 <= candidate < n:
        raise InputError(f"item '{item['item']}' has {n} candidates, counted from 0: there is no {candidate}")
    chosen = item["candidates"][candidate]
    number = {
        "kind": CANDIDATE,
        "item": item["item"],
        "candidate": candidate,
        "label": chosen["label"],
        "value": chosen["logprob"],
    }
    return {**receipt, "number": number}


def of_token(receipt: Mapping[str, Any], candidate: int, token: int, request: int = 0) -> dict[str, Any]:
    """The receipt of an item, about the log-probability (nats) of one token of a candidate's request, from 0.

    InputError where there is no such token, or where the tokens are not kept.
    """
    narrowed = of_candidate(receipt, candidate)
    (item,) = receipt["worked"]
    chosen = item["candidates"][candidate]
    requests = chosen["requests"]
    tokens = requests[request]["tokens"] if 0 <= request < len(requests) else None
    if tokens is None:
        why = "are confidential" if receipt["data"]["confidential"] else "are not kept"
        raise InputError(f"the tokens of item '{item['item']}', candidate {candidate}, {why}")
    if not 0 <= token < len(tokens):
        raise InputError(f"this text has {len(tokens)} tokens, counted from 0: there is no {token}")
    number = {
        "kind": TOKEN,
        "item": item["item"],
        "candidate": candidate,
        "token": token,
        "value": tokens[token]["logprob"],
    }
    only = {**item, "candidates": [{**chosen, "requests": [requests[request]]}]}
    return {**narrowed, "number": number, "worked": [only]}
