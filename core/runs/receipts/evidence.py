"""The stored scores behind requests, and the parts that hold them: the rows that the store itself reads for a run."""

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.runs.receipts.numbers import StoredRun
from core.runs.receipts.scored_by import number, token_values
from core.statistics.candidates import group_columns, sentence_values
from core.store import Store
from core.store.parts import Part, Provenance, read_requests, sources
from core.store.scores import on_the_parts_of_now, rows_by_request, token_scores
from core.types import TokenScores


@dataclass(frozen=True, slots=True)
class Evidence:
    """The stored scores of a request, in nats. `scores` are its tokens, None where only sums are kept.

    `end` has the log masses of white space, the end of the text and marks after its last token, None if they were not
    requested. `part` and `end_part` name the parts that hold them.
    """

    part: str
    logprob: float
    n_tokens: int
    n_scored: int
    n_straddling: int
    scores: TokenScores | None = None
    end: tuple[float, float, float] | None = None
    end_part: str = ""


@on_the_parts_of_now
def evidence(store: Store, fingerprint: str, keys: Collection[str]) -> dict[str, Evidence]:
    """By key, the stored scores of these requests at temperature 1; requests without scores are left out.

    Where several parts hold a request the first one counts, as in `Store.scores`.
    """
    by_key: dict[str, Evidence] = {}
    for part, path in store.verified(fingerprint, "scores", keys):
        held = read_requests(path, keys).filter(pc.field("temperature") == 1.0).to_pylist()
        for row in held:
            logprob = math.nan if row["logprob"] is None else row["logprob"]
            sums = Evidence(part.name, logprob, row["n_tokens"], row["n_scored"], row["n_straddling"])
            by_key.setdefault(row["request_key"], sums)
        if held and (tokens := part.verified("tokens")):
            straddling = {row["request_key"]: row["n_straddling"] for row in held}
            for key, rows in rows_by_request(tokens, sorted(straddling)):
                by_key[key] = _with_tokens(by_key[key], part, token_scores(rows, straddling[key]))
    return by_key


@on_the_parts_of_now
def parts_used(
    store: Store, fingerprint: str, keys: Collection[str], *, ends: bool
) -> tuple[list[dict[str, Any]], set[str]]:
    """The parts that the store reads for these requests, one for each source, and the keys that are in no part.

    With `ends` also the parts with the masses at word ends.
    """
    left, left_ends = set(keys), set(keys) if ends else set()
    values: list[dict[str, Any]] = []
    for part, path in store.verified(fingerprint, "scores", keys):
        held = set(read_requests(path, left | left_ends, ["request_key"])["request_key"].to_pylist())
        of_sums, of_ends = held & left, held & left_ends if part.about["boundary"] else set()
        values += [
            {
                "part": part.name,
                "shipped": not part.side.is_relative_to(store.folder),
                "requests_used": n_requests,
                "sha256": dict(part.about["sha256"]),
                "provenance": dict(provenance),
            }
            for provenance, n_requests in _by_source(part, path, of_sums | of_ends)
        ]
        left -= of_sums
        left_ends -= of_ends
    return values, left | left_ends


def _with_tokens(known: Evidence, part: Part, scores: TokenScores) -> Evidence:
    """The request with the tokens of its sum's part, and the masses at its end from the first part that has them."""
    if known.part == part.name:
        known = replace(known, scores=scores)
    if known.end is None and scores.boundary_logprobs and scores.eos_logprobs and scores.punctuation_logprobs:
        end = (scores.boundary_logprobs[-1], scores.eos_logprobs[-1], scores.punctuation_logprobs[-1])
        known = replace(known, end=end, end_part=part.name)
    return known


def _by_source(part: Part, path: Path, used: set[str]) -> Iterator[tuple[Provenance, int]]:
    """The sources of these requests, with their counts; only joined parts have several sources."""
    known = sources(part)
    if len(known) == 1 or not used:
        yield from [(known[0][1], len(used))] if used else []
        return
    keys = pc.unique(pq.read_table(path, columns=["request_key"])["request_key"])
    ours = pc.is_in(keys, value_set=pa.array(sorted(used), pa.string())).to_numpy(zero_copy_only=False)
    start = 0
    for n, provenance in known:
        if counted := int(ours[start : start + n].sum()):
            yield provenance, counted
        start += n


def worked(run: StoredRun, store: Store, items: Collection[str]) -> list[dict[str, Any]]:
    """These items of a run, in the run's order. Confidential tasks give only sums."""
    requests = run.requests[run.requests["item_id"].isin(items)]
    stored: dict[str, Evidence] = {}
    for fingerprint, rows in requests.groupby("fingerprint"):
        stored |= evidence(store, str(fingerprint), set(rows["request_key"]))
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
                _candidate(run, place, terms, by_candidate[item, place], stored) for place, terms in places.items()
            ],
        }
        for item, places in by_item.items()
    ]


def _candidate(
    run: StoredRun, place: int, terms: list[dict[Any, Any]], values: dict[Any, Any], stored: dict[str, Evidence]
) -> dict[str, Any]:
    counts = {name: _count(values.get(name)) for name in ("n_tokens", "n_scored", "n_straddling")}
    texts = {} if run.task.confidential else {name: _text(values[name]) for name in ("context", "text")}
    return {
        "candidate": place,
        "label": values["label"],
        **texts,
        "requests": [*_requests(run, terms, stored)],
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
