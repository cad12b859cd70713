"""Items worked out as plain values: every candidate with its requests, every request with its tokens."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import pandas as pd

from core.runs.receipts.evidence import Evidence, evidence
from core.runs.receipts.scored_by import number, token_values
from core.runs.receipts.stored_run import StoredRun
from core.statistics.candidates import group_columns, sentence_values
from core.store import Store


def worked(run: StoredRun, store: Store, items: Collection[str]) -> list[dict[str, Any]]:
    """These items of a run, in the run's order. Confidential tasks give only sums."""
    requests = run.requests[run.requests["item_id"].isin(items)]
    found: dict[str, Evidence] = {}
    for fingerprint, rows in requests.groupby("fingerprint"):
        found |= evidence(store, str(fingerprint), set(rows["request_key"]))
    values = run.candidates[run.candidates["item"].isin(items)]
    groups = run.task.groups if run.task.confidential else group_columns(values)
    values = values.assign(value=sentence_values(values, run.policy))
    by_candidate = {(row["item"], row["candidate"]): row for row in values.to_dict("records")}
    by_item: dict[str, dict[int, list[dict[Any, Any]]]] = {}
    for row in requests.to_dict("records"):
        by_item.setdefault(row["item_id"], {}).setdefault(row["candidate"], []).append(row)
    return [
        {
            "item": item,
            "gold": _text(by_candidate[item, 0]["gold"]),
            "refused": run.refused.get(item),
            "groups": {name: _text(by_candidate[item, 0][name]) for name in groups},
            "candidates": [
                _candidate(run, place, terms, by_candidate[item, place], found) for place, terms in places.items()
            ],
        }
        for item, places in by_item.items()
    ]


def _candidate(
    run: StoredRun, place: int, terms: list[dict[Any, Any]], values: dict[Any, Any], found: dict[str, Evidence]
) -> dict[str, Any]:
    counts = {name: _count(values.get(name)) for name in ("n_tokens", "n_scored", "n_straddling")}
    texts = {} if run.task.confidential else {name: _text(values[name]) for name in ("context", "text")}
    return {
        "candidate": place,
        "label": values["label"],
        **texts,
        "requests": [*_requests(run, terms, found)],
        "logprob": number(values["logprob"]),
        **counts,
        "value": number(values["value"]),
    }


def _requests(run: StoredRun, terms: list[dict[Any, Any]], found: dict[str, Evidence]) -> Iterator[dict[str, Any]]:
    """One per term of the rule; null for what is not stored."""
    for row in terms:
        stored = found.get(row["request_key"])
        scores = stored.scores if stored and not run.task.confidential else None
        yield {
            "request_key": row["request_key"],
            "weight": row["weight"],
            "part": stored.part if stored else None,
            "logprob": number(stored.logprob) if stored else None,
            "n_tokens": stored.n_tokens if stored else None,
            "n_scored": stored.n_scored if stored else None,
            "n_straddling": stored.n_straddling if stored else None,
            "tokens": token_values(scores) if scores else None,
            "end": _end(stored) if run.rule.ends else None,
        }


def _end(stored: Evidence | None) -> dict[str, Any] | None:
    """The log masses of what ends the word after the last token."""
    if stored is None or stored.end is None:
        return None
    white_space, text_end, mark = map(number, stored.end)
    return {"white_space": white_space, "text_end": text_end, "mark": mark, "part": stored.end_part}


def _text(value: Any) -> str | None:
    return None if pd.isna(value) else str(value)


def _count(value: Any) -> int | None:
    return None if pd.isna(value) else int(value)
