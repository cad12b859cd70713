"""How a number of a stored run was made, down to the tokens, as values for JSON (`schema.json`).

Unscored is null; log-probabilities are in nats. Receipts of confidential tasks have no texts or tokens, only sums.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from difflib import get_close_matches
from typing import Any

import pandas as pd

from pairlens.errors import InputError, PolicyError
from pairlens.evaluation.receipts.bibtex import OF_VERSION
from pairlens.evaluation.receipts.evidence import parts_used, worked
from pairlens.evaluation.receipts.numbers import Number, StoredRun, number_of, reasons, stored_run
from pairlens.evaluation.receipts.recompute import FORMAT, ITEM, METRIC, SCHEMA
from pairlens.evaluation.receipts.scored_by import by_manifest, manifest_values, number
from pairlens.evaluation.receipts.sentences import in_windows
from pairlens.statistics.intervals import LEVEL
from pairlens.store import Store
from pairlens.store.files import file_sha256

MOST_WORKED = 100
"""A number about more items has `FEW` of them worked out, unless all are requested."""
FEW = 10
_MOST_LISTED = 1_000
_NAMED = 5


def receipt(
    store: Store, run_id: str, metric: str = "", group: str = "", item: str = "", *, most: int | None = MOST_WORKED
) -> dict[str, Any]:
    """The receipt of a run's metric (the headline's) for a group of its items (all), or of one item's value.

    All items are worked out if there are at most `most` (None: no limit), else a few informative ones, which the
    receipt notes. Errors as in `stored_run` and `number_of`; InputError, with the nearest ids, for an unknown item.
    """
    if item and group:
        raise PolicyError("A receipt is about a group or about an item: leave --group or --item out.")
    run = stored_run(store, run_id)
    chosen = _of_item(run, item, number_of(run, metric)) if item else number_of(run, metric, group)
    ids = chosen.statistics["item"].tolist()
    shown = ids if most is None or len(ids) <= most else _telling(chosen)
    return summary(run, chosen) | _evidence(run, store, chosen, shown)


def _of_item(run: StoredRun, item: str, whole: Number) -> Number:
    ids = run.candidates["item"].unique().tolist()
    if item not in ids:
        near = get_close_matches(item, ids, _NAMED) or ids[:_NAMED]
        raise InputError(f"run '{run.manifest['run_id']}' has no item '{item}'; it has {', '.join(near)}, ...")
    own = whole.statistics[whole.statistics["item"] == item]
    return replace(whole, group_by=ITEM, group=item, statistics=own)


def summary(run: StoredRun, chosen: Number) -> dict[str, Any]:
    """A receipt without the tokens: number, definition, choices, data, items."""
    manifest = run.manifest
    own = run.candidates[run.candidates["item"].isin(chosen.statistics["item"])]
    long = in_windows(manifest, own)
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "signature": manifest.get("signature"),
        "number": _number(chosen, manifest),
        "definition": {"formula": chosen.metric.formula, "papers": list(chosen.metric.cites)},
        **manifest_values(manifest),
        "rule": {"name": run.rule.name, "about": run.rule.about, "ends": run.rule.ends, "shared": run.rule.shared},
        "data": {"name": manifest.get("data"), "sha256": manifest.get("data_hash"), "task": run.task.name,
                 "task_version": manifest.get("task_version"), "title": run.task.title, "paper": run.task.paper,
                 "noun": run.task.noun, "confidential": run.task.confidential, "n_items": manifest.get("n")},
        "run": {name: manifest.get(name) for name in ("run_id", "title", "state", "created", "finished")},
        "made_with": {"pairlens": by_manifest(manifest).release},
        "items": _items(run, chosen),
        "in_windows": None if long is None else asdict(long),
    }  # fmt: skip


def as_json(receipt: Mapping[str, Any]) -> str:
    """A receipt as indented JSON, with unscored numbers as null and a final line end."""
    return json.dumps(receipt, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _telling(chosen: Number) -> list[str]:
    """`FEW` items that show what decides: the clearest on both sides and the closest; the first if none decides."""
    counted = chosen.counted
    if "margin" not in counted:
        return [str(item) for item in counted["item"].head(FEW)]
    by_margin = counted.sort_values("margin", kind="stable")["item"]
    closest = counted.iloc[counted["margin"].abs().argsort(kind="stable")]["item"]
    third = FEW // 3
    picked = [*closest.head(FEW - 2 * third), *by_margin.head(third), *by_margin.tail(third)]
    return [str(item) for item in dict.fromkeys(picked)]


def _number(chosen: Number, manifest: Mapping[str, Any]) -> dict[str, Any]:
    metric = chosen.metric
    if chosen.group_by == ITEM:
        value = number(float(chosen.statistics[metric.values[0]].iloc[0]))
        return {"kind": ITEM, "metric": metric.name, "title": metric.title, "item": chosen.group, "value": value}
    first = chosen.rows.iloc[0] if len(chosen.rows) else None
    means = [
        {"of": [str(row[level]) for level in chosen.levels], "value": number(row["value"]), "n": int(row["n"])}
        for row in chosen.means.to_dict("records")
    ]
    return {
        "kind": METRIC,
        "metric": metric.name,
        "title": metric.title,
        "scale": metric.scale,
        "group_by": chosen.group_by,
        "group": chosen.group or None,
        "value": None if first is None else number(first["value"]),
        "chance": None if first is None else number(first["chance"]),
        "by_length_alone": None if first is None else number(first["length_only"]),
        "intervals": [_interval(row, chosen, manifest) for _, row in chosen.rows.iterrows()],
        "mean_of_means_over": list(chosen.levels),
        "means": means if len(means) <= _MOST_LISTED else None,
    }


def _interval(row: pd.Series, chosen: Number, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """An interval; its method is named only where there are bounds, and as of the metric's version that made them."""
    method = chosen.interval_method(row)
    made_by = manifest.get("metric_versions", {}).get(chosen.metric.name, 1)
    if made_by != chosen.metric.version:
        method = f"{OF_VERSION} {made_by} of {chosen.metric.name}"
    return {
        "level": LEVEL,
        "method": None if pd.isna(row["low"]) else method,
        "low": number(row["low"]),
        "high": number(row["high"]),
        "over": row["over"],
        "n_clusters": int(row["n_clusters"]),
    }


def _items(run: StoredRun, chosen: Number) -> dict[str, Any]:
    statistics, counted = chosen.statistics, chosen.counted
    why = reasons(run, statistics)
    return {
        "n_all": len(statistics),
        "n": len(counted),
        "ties": int(counted["tie"].sum()),
        "undecided": int(counted["undecided"].sum()),
        "left_out": len(why),
        "reasons": {str(reason): int(n) for reason, n in why.value_counts().items()},
        "listed": _listed(chosen, why) if len(statistics) <= _MOST_LISTED else None,
    }


def _listed(chosen: Number, why: pd.Series) -> list[dict[str, Any]]:
    names = [name for name in chosen.metric.values if name in chosen.statistics]
    weights = chosen.weights
    known = chosen.statistics.assign(_weight=float("nan") if weights is None else weights)
    return [
        {
            "item": str(row["item"]),
            "weight": number(row["_weight"]),
            "values": {name: number(float(row[name])) for name in names},
            "tie": bool(row["tie"]),
            "undecided": bool(row["undecided"]),
            "left_out": why.get(row["item"]),
        }
        for row in known.to_dict("records")
    ]


def _evidence(run: StoredRun, store: Store, chosen: Number, shown: Collection[str]) -> dict[str, Any]:
    """The evidence in the store: items worked out, the parts that were read, and what is missing."""
    requests = run.requests[run.requests["item_id"].isin(chosen.statistics["item"])]
    counting = requests[(requests["weight"] != 0) & ~requests["item_id"].isin(list(run.refused))]
    parts: list[dict[str, Any]] = []
    gone: set[str] = set()
    for fingerprint, rows in counting.groupby("fingerprint"):
        used, without = parts_used(store, str(fingerprint), set(rows["request_key"]), ends=run.rule.ends)
        parts += used
        gone |= without
    missing = _missing(run, len(gone), counting["request_key"].nunique())
    items = worked(run, store, set(shown))
    return {
        "table": {"name": "items", "run_id": run.manifest["run_id"],
                  "sha256": file_sha256(store.folder / "runs" / run.manifest["run_id"] / "items.parquet")},
        "worked": items,
        "parts": parts,
        "complete": not missing and len(items) == len(chosen.statistics),
        "missing": missing,
        "notes": _notes(run, items, len(chosen.statistics)),
    }  # fmt: skip


def _missing(run: StoredRun, n_gone: int, n_requests: int) -> list[str]:
    sentences = []
    if not run.finished:
        state, error = run.manifest["state"], run.manifest.get("error") or ""
        sentences.append(f"The run is {state}, so that there is no number yet. {error}".rstrip())
    if n_gone:
        why = "they were damaged or deleted; the same command scores them again" if run.finished else "not scored yet"
        sentences.append(f"{n_gone:,} of {n_requests:,} texts have no stored scores: {why}.")
    return sentences


def _notes(run: StoredRun, items: Sequence[dict[str, Any]], n_items: int) -> list[str]:
    sentences = []
    if len(items) < n_items:
        n = len(items)
        sentences.append(f"{n:,} of {n_items:,} items are worked out here; the run's table of items has all.")
    if run.task.confidential:
        sentences.append("The texts of this task are confidential: only sums over their tokens are given.")
        return sentences
    requests = (request for item in items for candidate in item["candidates"] for request in candidate["requests"])
    if bare := sum(request["tokens"] is None and request["logprob"] is not None for request in requests):
        only = f"Of {bare:,} of the texts shown only the sums over their tokens are stored"
        sentences.append(f"{only}; --rescore on the command line stores the tokens too.")
    return sentences
