"""Tags and a note on a run, in a small file beside the manifest."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from pairlens.errors import InputError
from pairlens.store import visitors
from pairlens.store.files import DAMAGED, if_readable, read_json, read_or_set_aside, write_json
from pairlens.store.runs import manifest_path
from pairlens.store.store import Store, changing_runs

FILE = "remarks.json"
LOST = "Its tags and note were damaged and are gone."
_LONGEST_TAG, _MOST_TAGS, _LONGEST_NOTE = 40, 20, 2_000


@dataclass(frozen=True, slots=True)
class Annotations:
    """Tags, in alphabetical order, and a note; `damaged`: earlier ones are gone since their file was damaged."""

    tags: tuple[str, ...] = ()
    note: str = ""
    damaged: bool = False


def annotations_of(store: Store, run_id: str) -> Annotations:
    """The annotations of a run; empty if there is no such file. A damaged one is set aside."""
    path = manifest_path(store.folder / "runs", run_id).with_name(FILE)
    document = if_readable(read_or_set_aside, path)
    lost = document is None and path.with_suffix(DAMAGED).exists()
    return replace(read_annotations(document or {}), damaged=lost)


def write_annotations(path: Path, annotations: Annotations) -> None:
    """Write the annotations of a run into this file, which ends the notice that earlier ones were damaged."""
    write_json(path, {"tags": annotations.tags, "note": annotations.note})
    path.with_suffix(DAMAGED).unlink(missing_ok=True)


def read_annotations(document: dict[str, object]) -> Annotations:
    """Annotations from a JSON object of any origin; invalid parts are left out."""
    tags, note = document.get("tags"), document.get("note")
    listed = [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
    shown = sorted({tag for one in listed if (tag := " ".join(one.split())[:_LONGEST_TAG].rstrip())})
    return Annotations(tuple(shown[:_MOST_TAGS]), note[:_LONGEST_NOTE] if isinstance(note, str) else "")


def tag(store: Store, run_id: str, add: Iterable[str] = (), remove: Iterable[str] = ()) -> Annotations:
    """Add tags to a run and remove others; InputError for an empty or overlong one, StoreError if it is gone."""
    added, removed = ({" ".join(name.split()) for name in names} for names in (add, remove))
    for name in added | removed:
        if not name or len(name) > _LONGEST_TAG or "," in name:
            form = f"1 to {_LONGEST_TAG} characters without a comma (`paper`, `seed 2`)"
            raise InputError(f"{name[:60]!r} is no tag: take {form}")

    def change(stored: Annotations) -> Annotations:
        tags = (set(stored.tags) | added) - removed
        if len(tags) > _MOST_TAGS:
            raise InputError(f"a run takes {_MOST_TAGS} tags, not {len(tags)}: take some off", run_id)
        return replace(stored, tags=tuple(sorted(tags)))

    return _change(store, run_id, change)


def write_note(store: Store, run_id: str, note: str) -> Annotations:
    """Replace a run's note (empty: none); InputError if it is too long, StoreError if the run is gone."""
    if len(note) > _LONGEST_NOTE:
        raise InputError(f"a note takes {_LONGEST_NOTE:,} characters, not {len(note):,}: shorten it", run_id)
    return _change(store, run_id, lambda stored: replace(stored, note=note.strip()))


def _change(store: Store, run_id: str, change: Callable[[Annotations], Annotations]) -> Annotations:
    with changing_runs(store):
        store.manifest(run_id)
        visitors.demand("runs", run_id)
        path = manifest_path(store.folder / "runs", run_id).with_name(FILE)
        read_json(path)  # what cannot be read now must not be replaced
        changed = change(annotations_of(store, run_id))
        write_annotations(path, changed)
    return replace(changed, damaged=False)
