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

from pairlens import identity
from pairlens.errors import PairlensError, StoreError, unknown
from pairlens.evaluation.archive.packing import Archive, opened, without_scores, without_texts
from pairlens.evaluation.evaluate import recompute
from pairlens.metrics import METRICS
from pairlens.policies import Policy
from pairlens.scoring.recipe import now
from pairlens.store import Store, visitors
from pairlens.store.elsewhere import add_imported
from pairlens.store.files import read_json
from pairlens.store.parts import COLUMNS
from pairlens.store.run_annotations import FILE as REMARKS
from pairlens.store.run_annotations import Annotations, read_annotations, write_annotations
from pairlens.store.runs import ITEMS, manifest_path
from pairlens.store.scores import Scores
from pairlens.store.store import changing_runs
from pairlens.tasks import TASKS

_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "run_id": str, "title": str, "task": str, "task_version": int, "rule": str, "groups": list, "data": str,
    "data_hash": str, "fingerprint": str, "model": str, "revision": str, "weights": str, "scorer": str,
    "preset": str, "policy": dict, "state": str, "signature": str, "n": int, "n_requests": int, "created": str,
    "finished": str,
    "value": (int, float, type(None)), "low": (int, float, type(None)), "high": (int, float, type(None)),
}  # fmt: skip
_OPTIONAL: Mapping[str, type] = {
    "ends": bool, "shared": bool, "stated": dict, "refused": dict, "tokenizer": str, "config": str,
    "model_kind": str, "scorer_version": int, "scored": int, "reused": int, "metric_versions": dict, "faults": str,
}  # fmt: skip
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
"""Columns that every table of numbers has (`pairlens.analysis.summary`)."""
_RUN_ID = re.compile(r"[A-Za-z0-9_]+(-[A-Za-z0-9_]+)*")


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The run of an import, whether it is `new`, and how many texts' scores it has and were here, which count."""

    run_id: str
    title: str
    new: bool
    scores: int = 0
    here: int = 0


def unpack(store: Store, source: Path) -> Unpacked:
    """Import an exported run; InputError for a file that is damaged, newer or no export. Reading a crafted Parquet
    file can crash a process: a server imports in one of its own.
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
        strange = [str(name) for name in metrics["name"].unique() if name not in METRICS]
        if strange or metrics.empty:
            archive.refuse(f"its numbers are not known here: {', '.join(strange) or 'none'}")
        annotations = read_annotations(archive.json(REMARKS)) if REMARKS in archive.digests else Annotations()
        came = {key for _, scores, _ in _parts(archive, items) for key in scores["request_key"].to_pylist()}
        if gone := without_scores(items, manifest, came):
            archive.refuse(f"lacks {gone:,} of the scores that its run names")
        own, fingerprints = Scores(store.folder), pc.unique(items["fingerprint"]).to_pylist()
        # what only ships with Pairlens counts after what arrives
        here = len({key for name in fingerprints for key in own.known(name, keys=[*came])})
        for order, (about, scores, tokens) in enumerate(_parts(archive, items)):
            add_imported(store, about.pop("fingerprint"), scores, tokens, about, order)
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
    for name in [name for name in ("created", "finished") if name not in wrong]:
        try:
            datetime.fromisoformat(manifest[name])
        except ValueError:
            wrong.append(name)
    if wrong or not _RUN_ID.fullmatch(manifest["run_id"]):
        archive.refuse(f"holds no finished run: its manifest has no usable '{(wrong or ['run_id'])[0]}'")
    if manifest["state"] != "done":
        archive.refuse(f"holds no finished run: it is {manifest['state'][:40]!r}, only finished ones are imported")
    refused, versions = (manifest.get(name, {}).values() for name in ("refused", "metric_versions"))
    listed = {"groups": manifest["groups"] or [None], "refused": refused, "metric_versions": versions}
    for name, values in listed.items():
        if not all(isinstance(value, int if name == "metric_versions" else str) for value in values):
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


def _parts(archive: Archive, items: pa.Table) -> Iterator[tuple[dict[str, Any], pa.Table, pa.Table]]:
    """What each part says of itself, and its rows that the items name."""
    named, fingerprints = pc.unique(items["request_key"]), pc.unique(items["fingerprint"]).to_pylist()
    confidential = items["text"].null_count == items.num_rows
    for side in sorted(name for name in archive.digests if _SIDE.fullmatch(name)):
        about = _about_part(archive, side, fingerprints)
        tables = []
        for table, columns in COLUMNS.items():
            name = side.replace(".json", f".{table}.parquet")
            rows = archive.table(name, columns)
            values = rows["logprob"].drop_null()
            if len(values) and not pc.all(pc.is_finite(values)).as_py():
                archive.refuse(f"'{name}' inside holds a log-probability that is no number")
            tables.append(rows.filter(pc.is_in(rows["request_key"].cast(pa.string()), named)))
        scores, tokens = tables
        yield about, scores, tokens.slice(0, 0) if confidential else tokens


def _about_part(archive: Archive, side: str, fingerprints: Sequence[str]) -> dict[str, Any]:
    about = archive.json(side)
    kinds = {"boundary": bool, "provenance": dict, "temperatures": list}
    sound = about.get("fingerprint") in fingerprints
    sound = sound and all(isinstance(about.get(name), kind) for name, kind in kinds.items())
    if not sound or not all(
        isinstance(temperature, float) and temperature > 0 for temperature in about["temperatures"]
    ):
        archive.refuse(f"'{side}' inside does not say what the scores are of")
    return {name: about[name] for name in ("fingerprint", *kinds)}


def _write(
    store: Store, manifest: Mapping[str, Any], items: pa.Table, metrics: pd.DataFrame, annotations: Annotations
) -> None:
    place = manifest_path(store.folder / "runs", manifest["run_id"])
    with changing_runs(store):
        if read_json(place) is not None and not store.finished(manifest["run_id"]):  # a damaged one is restored
            unfinished = f"An unfinished run '{manifest['run_id']}' of the same question is here"
            raise StoreError(f"{unfinished}: finish or delete it first.")
        if not store.finished(manifest["run_id"]):
            if not place.with_name(REMARKS).exists():  # those of the damaged run stay
                write_annotations(place.with_name(REMARKS), annotations)
            visitors.claim("runs", manifest["run_id"], new=True)
        store.update(manifest, metrics, items)
