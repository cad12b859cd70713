"""The models on this machine, and what a name stands for before anything is fetched."""

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pairlens import servers
from pairlens.errors import ModelError
from pairlens.models import cards, checkpoint, folder_list, gguf, hub, resolve
from pairlens.models.resolve import kind_of
from pairlens.types import Model

_FEW = 100_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A model. `origin` is bundled, own (made on this machine), hub or folder; `card` may be empty.

    `parameters` counts the numbers in its own weight files: of a head, without its base; 0 for word counts.
    """

    name: str
    kind: str
    folder: Path
    origin: str
    card: Mapping[str, Any]
    parameters: int

    @property
    def megabytes(self) -> float:
        files = [self.folder] if gguf.is_file(self.folder) else self.folder.glob("*")
        return sum(path.stat().st_size for path in files if path.is_file()) / 1e6


def inventory(listed: Iterable[Model]) -> list[Entry]:
    """The models `listed`, folders that were added, the hub's cache; the log has a warning for an unusable one."""
    entries = []
    cached = (partial(of_cached, *model) for model in hub.cached_models())
    folders = (partial(_of_folder, path) for path in folder_list.folders())
    for describe in (*(partial(of_model, model) for model in listed), *folders, *cached):
        try:
            entries.append(describe())
        except ModelError as error:
            logging.getLogger(__name__).warning("left out of the list of models: %s", error)
    return entries


def in_millions(number: int) -> str:
    """`4.6 M`, `54,016` below a hundred thousand; empty for 0, which stands for unknown."""
    if number < _FEW:
        return f"{number:,}" if number else ""
    return f"{number / 1e6:,.1f} M"


def of_model(model: Model) -> Entry:
    states = {
        "server": model.kind == "served", "bundled": model.bundled, "hub": model.revision,
        "folder": gguf.is_file(model.folder), "own": model.card,
    }  # fmt: skip
    origin = next((origin for origin, holds in states.items() if holds), "folder")
    weights = checkpoint.weight_files(model.folder)
    return Entry(model.name, model.kind, model.folder, origin, model.card, checkpoint.parameters(weights))


def _of_folder(path: str) -> Entry:
    return of_model(resolve.find(path))


def of_cached(name: str, folder: Path) -> Entry:
    files = checkpoint.read(folder, name)
    kind = kind_of(name, files.config, revision=folder.name)
    return Entry(name, kind, folder, "hub", {}, checkpoint.parameters(files.weights))


_EVERY_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be used once `files` (name to bytes) are here; 0 parameters and no licence: not known."""

    name: str
    kind: str
    architecture: str
    parameters: int
    files: Mapping[str, int]
    folder: Path | None
    licence: str = ""

    @property
    def megabytes(self) -> float:
        return sum(self.files.values()) / 1e6


def offer(source: str) -> Offer:
    """The model that `source` names (catalogue name, folder or hub id), without loading or keeping anything.

    A hub model that is not here is looked up on the hub. ModelError, in one sentence, if it cannot be used.
    """
    name = source.strip()
    resolve.refuse_closed(name)
    if resolve.is_folder(name) or name in cards.folders() or servers.is_address(name):
        return _of_entry(of_model(resolve.find(name)))
    repo, revision = resolve.hub_id(name)
    if folder := hub.cached_folder(repo, revision):
        return _of_entry(of_cached(name, folder))
    info, config, sizes = hub.listing(repo, revision)
    kind = resolve.kind_of(name, config, revision=str(info.sha))
    parameters = info.safetensors.total if info.safetensors else 0
    licence = next((tag.partition(":")[2] for tag in info.tags or () if tag.startswith("license:")), "")
    return Offer(name, kind, _architecture(config), parameters, sizes, None, licence)


def offer_in_words(offered: Offer) -> str:
    """One line: `gpt2: causal model, 124.4 M parameters; 548.1 MB to fetch in 6 files, licence: mit`."""
    parameters = f"{in_millions(offered.parameters)} parameters" if offered.parameters else ""
    about = ", ".join(filter(None, (f"{offered.kind} model", offered.architecture, parameters)))
    state = "it answers" if offered.kind == "served" else "it is here"
    if offered.folder is None:
        size, files = max(offered.megabytes, 0.1), len(offered.files)
        state = f"{size:,.1f} MB to fetch in {files} files, licence: {offered.licence or 'see source'}"
    return f"{offered.name}: {about}; {state}"


def fetch(source: str, advance: Callable[[int, int], object]) -> Model:
    """The model that `source` names, with missing files fetched; ModelError in one sentence.

    `advance` receives twice a second, in a thread of its own, the bytes that are here and their total.
    """
    offered = offer(source)
    if offered.folder is not None:
        return resolve.find(source)
    repo, total, ended = resolve.hub_id(source.strip())[0], sum(offered.files.values()), threading.Event()
    before = hub.cached_size(repo)

    def watch() -> None:
        while not ended.wait(_EVERY_SECONDS):
            advance(min(hub.cached_size(repo) - before, total), total)

    threading.Thread(target=watch, daemon=True).start()
    try:
        return resolve.find(source)
    finally:
        ended.set()


def _of_entry(entry: Entry) -> Offer:
    config = entry.folder / "config.json"
    stated = str(entry.card.get("architecture") or entry.card.get("server", ""))
    architecture = _architecture(checkpoint.read_json(config, entry.name)) if config.is_file() else stated
    return Offer(entry.name, entry.kind, architecture, entry.parameters, {}, entry.folder)


def _architecture(config: Mapping[str, Any]) -> str:
    return ", ".join(checkpoint.architectures(config))
