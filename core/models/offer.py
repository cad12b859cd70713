"""What a name would bring: what kind of model it is, what would be fetched for it; then fetching it."""

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
    """A model that can be used, once `files` (name to bytes) are fetched; none are if it is here.

    `commit` is empty for folders, `parameters` is 0 where nobody says how many there are.
    """

    name: str
    kind: str
    architecture: str
    parameters: int
    commit: str
    files: Mapping[str, int]
    folder: Path | None

    @property
    def megabytes(self) -> float:
        """How much is to be fetched."""
        return sum(self.files.values()) / 1e6


def offer(source: str) -> Offer:
    """What `source` names, a catalogue name, a folder or a hub id; nothing of it is loaded and nothing is kept.

    ModelError says in one sentence why it cannot be used. A hub model that is not here is looked up on the hub.
    """
    name = source.strip()
    if resolve.is_folder(name) or name in cards.folders():
        return _of_entry(of_model(resolve.find(name)), "")
    repo, revision = resolve.hub_id(name)
    if folder := hub_cache.model_folder(repo, revision):
        return _of_entry(of_cached(name, folder), folder.name)
    found = hub.listing(repo, revision)
    kind = resolve.kind_of(name, found.config, revision=found.commit)
    return Offer(name, kind, _architecture(found.config), found.parameters, found.commit, found.sizes, None)


def offer_in_words(found: Offer) -> str:
    """One line: `gpt2: causal model, GPT2LMHeadModel, 124.4 M parameters; 548.1 MB are fetched in 6 files`."""
    about = [f"{found.kind} model", found.architecture]
    about += [f"{in_millions(found.parameters)} parameters"] if found.parameters else []
    state = "it is here"
    if found.folder is None:
        state = f"{max(found.megabytes, 0.1):,.1f} MB are fetched in {len(found.files)} files"
    return f"{found.name}: {', '.join(part for part in about if part)}; {state}"


def fetch(source: str, advance: Callable[[int, int], object]) -> Model:
    """The model that `source` names, its files fetched where they are not here; ModelError in one sentence.

    `advance` is told twice a second, in a thread of its own, how many bytes of how many are here.
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
    return ", ".join(map(str, config.get("architectures") or ()))
