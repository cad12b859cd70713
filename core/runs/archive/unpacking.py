"""A run from one file into the store: checked, recognised if it is already there, never written over another."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from core import identity
from core.errors import PairlensError, StoreError, unknown
from core.metrics import METRICS
from core.policies import Policy
from core.runs.archive.packing import Archive, opened, without_scores, without_texts
from core.runs.recomputed import recompute
from core.scoring.recipe import now
from core.store import Store, visitors
from core.store.elsewhere import add_imported
from core.store.files import read_json
from core.store.parts import SCORES, TOKENS
from core.store.run_annotations import FILE as REMARKS
from core.store.run_annotations import Annotations, read_annotations, write_annotations
from core.store.runs import ITEMS, manifest_path
from core.store.scores import Scores
from core.store.store import changing_runs
from core.tasks import TASKS

_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "run_id": str, "title": str, "task": str, "task_version": int, "rule": str, "groups": list, "data": str,
    "data_hash": str, "fingerprint": str, "model": str, "revision": str, "weights": str, "scorer": str,
    "preset": str, "policy": dict, "state": str, "signature": str, "n": int, "n_requests": int, "created": str,
    "finished": str,
    "value": (int, float, type(None)), "low": (int, float, type(None)), "high": (int, float, type(None)),
}  # fmt: skip
"""Required fields of a manifest and their types; others are allowed."""
_OPTIONAL: Mapping[str, type] = {
    "ends": bool, "shared": bool, "stated": dict, "refused": dict, "tokenizer": str, "config": str,
    "model_kind": str, "scorer_version": int, "scored": int, "reused": int, "metric_versions": dict, "faults": str,
}  # fmt: skip
"""Optional fields and their types."""
_OWN = ("pid", "began", "format", "sha256", "refused_messages")
"""Fields about the machine of origin, or made by its program and not checked here."""
_MOST = 1 << 31
_LONGEST_TITLE = 200
_LONG_ID = 32
"""Hexadecimal digits, more than ids have that are computed from a question: no file takes the place of its run."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SIDE = re.compile(r"scores/\d+\.json")
_NUMBERS = (
    "name", "group_by", "group", "value", "low", "high", "over", "n", "ties", "undecided", "excluded", "length_only",
    "chance", "n_clusters",
)  # fmt: skip
"""Columns that every table of numbers has (`core.analysis.summary`)."""
_RUN_ID = re.compile(r"[A-Za-z0-9_]+(-[A-Za-z0-9_]+)*")


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The result of an import: the run, whether it is `new`, and how many texts' scores it has and were here.

    Scores that were here already take precedence; if there were any, the run's numbers were recomputed.
    """

    run_id: str
    title: str
    new: bool
    scores: int = 0
    here: int = 0


def unpack(store: Store, source: Path) -> Unpacked:
    """Import an exported run. InputError for a file that is damaged, newer or no export.

    Reading a crafted Parquet file can crash a process: a server imports in a process of its own.
    """
    with opened(source) as archive:
        manifest = _manifest(archive)
        if visitors.current() != visitors.EVERYTHING:  # whatever id a file states, it names no run of others
            content = identity.digest(identity.canonical(archive.digests))
            manifest["run_id"] = f"{manifest['task']}-{content[:_LONG_ID]}"
        if store.has_finished(manifest["run_id"]):
            return Unpacked(manifest["run_id"], store.manifest(manifest["run_id"])["title"], new=False)
        items, metrics = _items(archive, manifest), archive.table("metrics.parquet").to_pandas()
        if missing := [name for name in _NUMBERS if name not in metrics.columns]:
            archive.refuse(f"its numbers have no column '{missing[0]}'")
        names = metrics["name"].unique()
        if not len(names) or (strange := [str(name) for name in names if name not in METRICS]):
            archive.refuse(f"its numbers are not known here: {', '.join(strange) if len(names) else 'none'}")
        annotations = read_annotations(archive.json(REMARKS)) if REMARKS in archive.digests else Annotations()
        came = {key for _, scores, _ in _parts(archive, items) for key in scores["request_key"].to_pylist()}
        if gone := without_scores(items, manifest, came):
            archive.refuse(f"lacks {gone:,} of the scores that its run names")
        here = _take_scores(store, archive, items, came)
        arrived = {"when": now(), **{name: archive.about.get(name) for name in ("exported", "pairlens")}}
        _write(store, {**manifest, "arrived": arrived}, items, metrics, annotations)
        if here:
            try:  # those that were here already take precedence
                recompute(store, manifest["run_id"])
            except (LookupError, TypeError, ValueError):  # items that no run of this task has
                store.delete(manifest["run_id"])
                visitors.forget("runs", manifest["run_id"])
                archive.refuse(f"its items are not those of {TASKS[manifest['task']].title}")
        return Unpacked(manifest["run_id"], manifest["title"], True, len(came), here)


def _manifest(archive: Archive) -> dict[str, Any]:
    """The manifest, with every field that other code relies on checked."""
    manifest = archive.json("manifest.json")
    wrong = [name for name, kind in _KINDS.items() if name not in manifest or not isinstance(manifest[name], kind)]
    wrong += [name for name, kind in _OPTIONAL.items() if name in manifest and not isinstance(manifest[name], kind)]
    wrong += [name for name in ("n", "n_requests") if name not in wrong and not 0 <= manifest[name] < _MOST]
    wrong += [name for name in ("created", "finished") if name not in wrong and not _is_time(manifest[name])]
    if wrong or not _RUN_ID.fullmatch(manifest["run_id"]):
        archive.refuse(f"holds no finished run: its manifest has no usable '{(wrong or ['run_id'])[0]}'")
    if manifest["state"] != "done":
        archive.refuse(f"holds no finished run: it is {manifest['state'][:40]!r}, only finished ones are imported")
    refused = manifest.get("refused", {})
    versions = manifest.get("metric_versions", {})
    for name, values, kind in (
        ("groups", manifest["groups"] or [None], str), ("refused", refused.values(), str),
        ("metric_versions", versions.values(), int),
    ):  # fmt: skip
        if not all(isinstance(value, kind) for value in values):
            archive.refuse(f"holds no finished run: its manifest has no usable '{name}'")
    if manifest["task"] not in TASKS:
        archive.refuse(f"{unknown('task', manifest['task'], TASKS)} A newer Pairlens may have it")
    if manifest["rule"] not in (rules := TASKS[manifest["task"]].rules):
        archive.refuse(unknown("rule", manifest["rule"], rules))
    names = {field.name for field in fields(Policy)}
    try:
        Policy(**{name: value for name, value in manifest["policy"].items() if name in names})
    except (PairlensError, TypeError) as error:
        archive.refuse(f"its scoring is not known here: {error}")
    if more := manifest["policy"].keys() - names:
        archive.refuse(f"its scoring has a choice '{min(more)}' that this Pairlens does not know: update Pairlens")
    title = " ".join(manifest["title"].split())[:_LONGEST_TITLE]
    return {**{name: value for name, value in manifest.items() if name not in _OWN}, "title": title}


def _is_time(written: str) -> bool:
    try:
        datetime.fromisoformat(written)
    except ValueError:
        return False
    return True


def _items(archive: Archive, manifest: Mapping[str, Any]) -> pa.Table:
    items = archive.table("items.parquet", ITEMS)
    if not items.num_rows or not all(map(_DIGEST.fullmatch, pc.unique(items["fingerprint"]).to_pylist())):
        archive.refuse("its items do not say which scores they have")
    if any(items[name].null_count for name in ("item_id", "candidate", "label", "weight", "request_key", "groups")):
        archive.refuse("some of its items are not whole")
    known = dict(items["groups"][0].as_py())
    if missing := [name for name in manifest["groups"] if name not in known]:
        archive.refuse(f"its items have no group '{missing[0][:40]}'")
    return without_texts(items) if TASKS[manifest["task"]].confidential else items


def _take_scores(store: Store, archive: Archive, items: pa.Table, came: set[str]) -> int:
    """Store the rows that the items name, of these requests; returns how many of them were here before."""
    own = Scores(store.folder)  # what only ships with Pairlens counts after what arrives
    fingerprints = pc.unique(items["fingerprint"]).to_pylist()
    before = set().union(*(own.known(fingerprint, keys=[*came]) for fingerprint in fingerprints))
    for order, (about, scores, tokens) in enumerate(_parts(archive, items)):
        add_imported(store, about.pop("fingerprint"), scores, tokens, about, order)
    return len(before & came)


def _parts(archive: Archive, items: pa.Table) -> Iterator[tuple[dict[str, Any], pa.Table, pa.Table]]:
    """What each part says of itself, and its rows that the items name."""
    named, fingerprints = pc.unique(items["request_key"]), pc.unique(items["fingerprint"]).to_pylist()
    confidential = items["text"].null_count == items.num_rows
    for side in sorted(name for name in archive.digests if _SIDE.fullmatch(name)):
        about = _about_part(archive, side, fingerprints)
        scores, tokens = (
            _named_rows(archive, side.replace(".json", f".{name}.parquet"), columns, named)
            for name, columns in (("scores", SCORES), ("tokens", TOKENS))
        )
        yield about, scores, tokens.slice(0, 0) if confidential else tokens


def _named_rows(archive: Archive, name: str, columns: pa.Schema, named: pa.Array) -> pa.Table:
    """The rows of a table of scores or tokens that belong to these requests."""
    table = archive.table(name, columns)
    values = table["logprob"].drop_null()
    if len(values) and not pc.all(pc.is_finite(values)).as_py():
        archive.refuse(f"'{name}' inside holds a log-probability that is no number")
    return table.filter(pc.is_in(table["request_key"].cast(pa.string()), named))


def _about_part(archive: Archive, side: str, fingerprints: Sequence[str]) -> dict[str, Any]:
    about = archive.json(side)
    temperatures = about.get("temperatures")
    sound = (
        about.get("fingerprint") in fingerprints
        and isinstance(about.get("boundary"), bool)
        and isinstance(about.get("provenance"), dict)
        and isinstance(temperatures, list)
        and all(isinstance(one, float) and one > 0 for one in temperatures)
    )
    if not sound:
        archive.refuse(f"'{side}' inside does not say what the scores are of")
    names = ("fingerprint", "boundary", "temperatures", "provenance")
    return {name: about[name] for name in names}


def _write(
    store: Store, manifest: Mapping[str, Any], items: pa.Table, metrics: pd.DataFrame, annotations: Annotations
) -> None:
    """The run's folder, its manifest last."""
    place = manifest_path(store.folder / "runs", manifest["run_id"])
    with changing_runs(store):
        if read_json(place) is not None and not store.finished(manifest["run_id"]):  # a damaged one is restored
            raise StoreError(
                f"An unfinished run '{manifest['run_id']}' of the same question is here: finish or delete it first."
            )
        if not store.finished(manifest["run_id"]):
            if not place.with_name(REMARKS).exists():  # those of the damaged run stay
                write_annotations(place.with_name(REMARKS), annotations)
            visitors.claim("runs", manifest["run_id"], new=True)
        store.update(manifest, metrics, items)
