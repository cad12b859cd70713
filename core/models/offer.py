"""What a name stands for: its kind of model and what would be fetched; and fetching it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.models import cards, checkpoint, hub, hub_cache, resolve
from core.models.inventory import Entry, in_millions, of_cached, of_model
from core.types import Model

_EVERY_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be used, once `files` (name to bytes) are fetched; there are none if it is here.

    `commit` is empty for folders, `parameters` is 0 if unknown, `licence` is empty if the hub states none.
    """

    name: str
    kind: str
    architecture: str
    parameters: int
    commit: str
    files: Mapping[str, int]
    folder: Path | None
    licence: str = ""

    @property
    def megabytes(self) -> float:
        """The size of what is to be fetched."""
        return sum(self.files.values()) / 1e6


def offer(source: str) -> Offer:
    """The model that `source` names (catalogue name, folder or hub id), without loading or keeping anything.

    A hub model that is not here is looked up on the hub. ModelError, in one sentence, if it cannot be used.
    """
    name = source.strip()
    resolve.refuse_closed(name)
    if resolve.is_folder(name) or name in cards.folders():
        return _of_entry(of_model(resolve.find(name)), "")
    repo, revision = resolve.hub_id(name)
    if folder := hub_cache.model_folder(repo, revision):
        return _of_entry(of_cached(name, folder), folder.name)
    found = hub.listing(repo, revision)
    kind = resolve.kind_of(name, found.config, revision=found.commit)
    return Offer(
        name, kind, _architecture(found.config), found.parameters, found.commit, found.sizes, None, found.licence
    )


def offer_in_words(found: Offer) -> str:
    """One line: `gpt2: causal model, 124.4 M parameters; 548.1 MB to fetch in 6 files, licence: mit`."""
    parameters = f"{in_millions(found.parameters)} parameters" if found.parameters else ""
    about = ", ".join(filter(None, (f"{found.kind} model", found.architecture, parameters)))
    state = "it is here"
    if found.folder is None:
        size, files = max(found.megabytes, 0.1), len(found.files)
        state = f"{size:,.1f} MB to fetch in {files} files, licence: {found.licence or 'see source'}"
    return f"{found.name}: {about}; {state}"


def fetch(source: str, advance: Callable[[int, int], object]) -> Model:
    """The model that `source` names, with missing files fetched; ModelError in one sentence.

    `advance` receives twice a second, in a thread of its own, the bytes that are here and their total.
    """
    found = offer(source)
    if found.folder is not None:
        return resolve.find(source)
    repo, total, ended = resolve.hub_id(source.strip())[0], sum(found.files.values()), threading.Event()
    before = hub_cache.size(repo)

    def watch() -> None:
        while not ended.wait(_EVERY_SECONDS):
            advance(min(hub_cache.size(repo) - before, total), total)

    threading.Thread(target=watch, daemon=True).start()
    try:
        return resolve.find(source)
    finally:
        ended.set()


def _of_entry(entry: Entry, commit: str) -> Offer:
    config = entry.folder / "config.json"
    architecture = _architecture(checkpoint.read_json(config, entry.name)) if config.is_file() else ""
    return Offer(entry.name, entry.kind, architecture, entry.parameters, commit, {}, entry.folder)


def _architecture(config: Mapping[str, Any]) -> str:
    return ", ".join(checkpoint.architectures(config))
