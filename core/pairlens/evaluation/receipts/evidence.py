"""The stored scores behind requests, and the parts that hold them: the rows that the store itself reads for a run."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pairlens.evaluation.receipts.numbers import StoredRun
from pairlens.evaluation.receipts.scored_by import number, token_values
from pairlens.statistics.candidates import group_columns, sentence_values
from pairlens.store import Store
from pairlens.store.parts import Part, Provenance, read_requests, sources
from pairlens.store.scores import on_the_parts_of_now, rows_by_request, token_scores

_SUMS = ("n_tokens", "n_scored", "n_straddling")
_NOTHING = dict.fromkeys(("part", "logprob", *_SUMS, "tokens", "end"))
_MASSES = {"white_space": "boundary_logprobs", "text_end": "eos_logprobs", "mark": "punctuation_logprobs"}


@on_the_parts_of_now
def evidence(store: Store, fingerprint: str, keys: Collection[str]) -> dict[str, dict[str, Any]]:
    """By key, the stored scores of these requests at temperature 1, in nats; requests without scores are left out.

    Where several parts hold a request the first one counts, as in `Store.scores`. `tokens` are None where only sums
    are kept; `end`, the log masses of what may end a word after the last token, is of the first part that has them.
    """
    by_key: dict[str, dict[str, Any]] = {}
    for part, path in store.verified(fingerprint, "scores", keys):
        held = read_requests(path, keys).filter(pc.field("temperature") == 1.0).to_pylist()
        for row in held:
            sums = {"part": part.name, "logprob": number(row["logprob"]), **{name: row[name] for name in _SUMS}}
            by_key.setdefault(row["request_key"], _NOTHING | sums)
        if held and (tokens := part.verified("tokens")):
            straddling = {row["request_key"]: row["n_straddling"] for row in held}
            for key, rows in rows_by_request(tokens, sorted(straddling)):
                known, scores = by_key[key], token_scores(rows, straddling[key])
                if known["part"] == part.name:
                    known["tokens"] = token_values(scores)
                masses = {name: getattr(scores, field) for name, field in _MASSES.items()}
                if known["end"] is None and all(masses.values()):
                    known["end"] = {name: number(each[-1]) for name, each in masses.items()} | {"part": part.name}
    return by_key


@on_the_parts_of_now
def parts_used(
    store: Store, fingerprint: str, keys: Collection[str], *, ends: bool
) -> tuple[list[dict[str, Any]], set[str]]:
    """The parts that the store reads for these requests and their `ends`, one per source; and the keys in no part."""
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
    stored: dict[str, dict[str, Any]] = {}
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
    run: StoredRun, place: int, terms: list[dict[Any, Any]], values: dict[Any, Any], stored: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """Its requests are one per term of the rule; null for what is not stored."""
    texts = {} if run.task.confidential else {name: _text(values[name]) for name in ("context", "text")}
    requests = []
    for row in terms:
        key = row["request_key"]
        own = {"request_key": key, "weight": row["weight"], **stored.get(key, _NOTHING)}
        hidden = {"tokens": run.task.confidential, "end": not run.rule.ends}
        requests.append(own | {name: None for name, is_hidden in hidden.items() if is_hidden})
    return {
        "candidate": place,
        "label": values["label"],
        **texts,
        "requests": requests,
        "logprob": number(values["logprob"]),
        **{name: None if pd.isna(values.get(name)) else int(values[name]) for name in _SUMS},
        "value": number(values["value"]),
    }


def _text(value: Any) -> str | None:
    return None if pd.isna(value) else str(value)
