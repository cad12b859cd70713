"""Resolve the name of a model: a catalogue name, an explicit folder, or a hub id with revision.

`org/name` is always on the hub and `./org/name` a folder: a folder that merely has a hub id's name is never taken for
it. The hub's oldest models have short names too (`gpt2`, `pairlens.models.cards`); a catalogue name comes first.
"""

import logging
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pairlens import servers, sharing
from pairlens.errors import InputError, ModelError, unknown
from pairlens.identity import digest
from pairlens.messages import Message, joined
from pairlens.models import adapters, cards, checkpoint, digests, gguf, heads, hub, served
from pairlens.models.cards import full_name
from pairlens.types import Model

_HUB_ID = re.compile(r"(?P<repo>[A-Za-z0-9][\w.-]*/[A-Za-z0-9_][\w.-]*)(?:@(?P<revision>[\w.][\w./-]*))?")
_FOLDER_STARTS = ("/", "./", "../", "~")
_NO_CARD: Mapping[str, Any] = MappingProxyType({})


def find(source: str | Path, *, kind: str = "", allow_code: str = "") -> Model:
    """The model that `source` names; nothing is loaded and torch is not imported.

    `kind` asks for one of several heads (`next-sentence` of a BERT). `allow_code`, `REPO@COMMIT`, lets a hub model
    run its own Python code at exactly that commit. Bundled models, folders and cached hub models never touch the
    network. ModelError says in one sentence what is missing.
    """
    name = os.fspath(source).strip()
    refuse_closed(name)
    if servers.is_address(name):
        address = servers.parsed(name)
        return served.described(address, name, tokenizer_of(address.tokenizer).tokenizer if address.tokenizer else "")
    return _find(source, name, kind, allow_code)


def tokenizer_of(name: str) -> Model:
    """The model whose tokenizer the name of a server or of a GGUF file names.

    Of a folder that has nothing else, and of the hub, it has no weights: these are then neither needed nor fetched.
    """
    refuse_closed(name)
    folder = sharing.rights().path(name).resolve() if is_folder(name) else Path()
    if name in cards.folders() or (is_folder(name) and (folder / "config.json").is_file()):
        return find(name)
    if not is_folder(name):
        folder = hub.snapshot(*hub_id(name), weights=checkpoint.TOKENIZER_FILES)
    files = [folder / file for file in checkpoint.TOKENIZER_FILES if (folder / file).is_file()]
    if not files:
        raise ModelError(f"'{name}' has no tokenizer files: name a folder with tokenizer.json.")
    return Model(name, "causal", folder, "", digests.of_files(files), "")


def refuse_closed(name: str) -> None:
    """ModelError in one sentence for a model that visitors of this dashboard may not name (`pairlens.sharing`)."""
    rights = sharing.rights()
    if rights.everything or name in cards.folders():
        return
    if servers.is_address(name):
        _refuse_server(servers.parsed(name), rights)
        return
    file, tokenizer = gguf.named(name)
    if tokenizer:
        refuse_closed(tokenizer)
    if is_folder(name):
        try:
            rights.path(file)
        except InputError as closed:
            raise ModelError(closed.message) from None
    elif not (match := _HUB_ID.fullmatch(full_name(name))):
        raise _unknown(name, cards.folders())
    elif not rights.may_name(match["repo"], match["revision"] or ""):
        raise ModelError(sharing.why_not("hub"))


def _refuse_server(address: servers.Address, rights: sharing.Rights) -> None:
    if address.file:
        refuse_closed(address.file if is_folder(address.file) else f"./{address.file}")
    elif not rights.may_ask(address.base):
        raise ModelError(sharing.NO_SERVER)
    if address.tokenizer:
        refuse_closed(address.tokenizer)


def is_open(name: str) -> bool:
    try:
        refuse_closed(name)
    except ModelError:
        return False
    return True


def _find(source: str | Path, name: str, kind: str, allow_code: str) -> Model:
    if isinstance(source, Path) or is_folder(name):
        folder = Path(gguf.named(name)[0]).expanduser().resolve()
        has_card = (folder / cards.CARD).is_file()
        return described(name, folder, kind) if has_card else from_folder(name, folder, kind=kind)
    if with_card := cards.folders().get(name):
        return described(name, with_card, kind)
    repo, revision = hub_id(name)
    if "/" not in name and hub.cached_folder(short := name.partition("@")[0], revision):
        repo = short  # fetched by another program under its old name
    folder = hub.snapshot(repo, revision, with_code=bool(allow_code))
    commit, code = folder.name, ""
    if allow_code and checkpoint.code_of(folder, name):
        if allow_code != f"{repo}@{commit}":
            raise ModelError(f"'{name}' is at {repo}@{commit}, but --allow-code allows {allow_code}.")
        code = allow_code
    return from_folder(repo, folder, kind=kind, revision=commit, code=code)


def catalogue() -> list[Model]:
    """Every usable model with a card; the log has a warning for each of the others."""
    models = []
    for name, folder in cards.folders().items():
        try:
            models.append(described(name, folder))
        except ModelError as error:
            logging.getLogger(__name__).warning("left out of the catalogue: %s", error)
    return models


def is_folder(name: str) -> bool:
    """Whether a source names a folder explicitly: absolute, `./`, `../`, `~`, or a path that is no hub id."""
    if name in (".", "..") or name.startswith(_FOLDER_STARTS) or Path(name).is_absolute():
        return True
    separated = "/" in name or os.sep in name
    return separated and not _HUB_ID.fullmatch(name)


def hub_id(name: str) -> tuple[str, str]:
    """Repository and revision of `org/name[@revision]`; ModelError, with the nearest known name, otherwise."""
    if Path(name).is_file():
        raise ModelError(checkpoint.only_a_file(name))
    if match := _HUB_ID.fullmatch(full_name(name)):
        return match["repo"], match["revision"] or ""
    if Path(name).is_dir():
        raise ModelError(f"'{name}' is not in the catalogue; the folder of this name is written ./{name}.")
    raise _unknown(name, cards.folders())


def _unknown(name: str, folders: Iterable[str]) -> ModelError:
    hint = Message("A model of the hub is written ORG/NAME, a folder ./FOLDER.")
    return ModelError(joined((unknown(Message("model"), name, folders), hint)))


def described(name: str, folder: Path, kind: str = "") -> Model:
    """The model with a card in this folder. `kind` asks for another of its heads than that on the card."""
    card = checkpoint.read_json(folder / cards.CARD, name)
    if card.get("kind") not in cards.KINDS:
        raise ModelError(
            f"'{name}': {folder / cards.CARD} should name its kind, one of {', '.join(sorted(cards.KINDS))}."
        )
    if card["kind"] == "unigram":
        return _unigram(name, folder, card)
    return from_folder(name, folder, card, kind=kind or str(card["kind"]))


def from_folder(
    name: str, folder: Path, card: Mapping[str, Any] = _NO_CARD, *, kind: str = "", revision: str = "", code: str = ""
) -> Model:
    """The model whose checkpoint is in this folder. Without `kind`, its config decides."""
    if (folder / cards.COUNTS).is_file() and not card:
        raise ModelError(
            f"'{name}' holds word counts without their {cards.CARD}, which has their totals: copy it too."
        )
    bundled = folder.parent == cards.bundled_models()
    if heads.is_head(folder):
        return _head(name, folder, bundled, card)
    if adapters.is_adapter(folder):
        return _adapter(name, folder, kind, bundled, card)
    if gguf.is_file(folder):
        return _gguf(name, folder, kind)
    files = checkpoint.read(folder, name)
    kind = kind_of(name, files.config, kind=kind, revision=revision, code=code)
    weights, tokenizer = digests.of_files(files.weights), digests.of_files(files.tokenizer)
    return Model(
        name, kind, folder, weights, tokenizer, digests.of_settings(files.config), revision, bundled, code, card
    )


def kind_of(name: str, config: Mapping[str, Any], *, kind: str = "", revision: str = "", code: str = "") -> str:
    """The kind of the model with this config, or `kind` if it can be that; ModelError if it cannot be used."""
    checkpoint.refuse_diffusion(config, name)
    if checkpoint.needs_own_code(config) and not code:
        permission = (
            f"you have read it and give --allow-code {name}@{revision} on the command line"
            if revision
            else "the model is named by its hub id and allowed with --allow-code REPO@COMMIT"
        )
        raise ModelError(f"'{name}' needs Python code of its own, which is not run unless {permission}.")
    offered = checkpoint.kinds(config)
    if not offered:
        named = ", ".join(checkpoint.architectures(config)) or "none"
        raise ModelError(f"'{name}' has no head that scores or classifies texts (its config names: {named}).")
    if kind and kind not in offered:
        raise ModelError(f"'{name}' is a {offered[0]} model, not a {kind} one.")
    return kind or offered[0]


def check_unchanged(model: Model) -> None:
    """ModelError if a model's files are no longer those by which it was identified; bits can rot without a trace."""
    with digests.read_again():
        now = from_folder(
            model.name, model.folder, model.card, kind=model.kind, revision=model.revision, code=model.code
        )
    if (now.weights, now.tokenizer, now.config) != (model.weights, model.tokenizer, model.config):
        raise ModelError(
            f"'{model.name}': its files have changed since they were identified. If nobody replaced them they are "
            "damaged: get them again. If somebody did, start again: scores will have another signature."
        )


def _unigram(name: str, folder: Path, card: Mapping[str, Any]) -> Model:
    if not (folder / cards.COUNTS).is_file():
        raise ModelError(f"'{name}' has no {cards.COUNTS} in {folder}.")
    counts, bundled = digests.of_files([folder / cards.COUNTS]), folder.parent == cards.bundled_models()
    totals = digests.of_settings({name: card.get(name) for name in ("tokens", "types")})
    return Model(name, "unigram", folder, counts, tokenizer="", config=totals, bundled=bundled, card=card)


def _gguf(name: str, path: Path, kind: str) -> Model:
    header, tokenizer = gguf.header(path, name), tokenizer_named(name)
    kind = kind_of(name, {"architectures": ["ForCausalLM"]}, kind=kind)
    cut_by = {key: value for key, value in header.metadata.items() if key.startswith("tokenizer.")}
    others = {key: value for key, value in header.metadata.items() if key not in cut_by}
    architecture = f"{header.architecture} in {header.quantisation}"
    card = {
        "description": f"{architecture} (GGUF), {header.parameters * 4e-6:,.1f} MB in memory.",
        "architecture": architecture,
        "quantisation": header.quantisation,
        "parameters": header.parameters,
        "context": header.context,
    }
    tokens = tokenizer.tokenizer if tokenizer else digests.of_settings(cut_by)
    return Model(name, kind, path, digests.of_file(path), tokens, digests.of_settings(others), card=card)


def tokenizer_named(name: str) -> Model | None:
    """The model that the name of a GGUF file names for its tokenizer, if any."""
    named = gguf.named(name)[1]
    return tokenizer_of(named) if named else None


def base_of(model: Model) -> Model:
    """The model that a head stands on, or that an adapter changes; any other model is its own base."""
    if adapters.is_adapter(model.folder):
        return _base_of_adapter(model.name, model.folder, model.kind)
    return _base(model.name, heads.config_of(model.name, model.folder)) if heads.is_head(model.folder) else model


def tokenizer_folder(model: Model) -> Path:
    """Where a model's tokenizer is: an adapter's own folder, or that of its base or of a head's."""
    own = not heads.is_head(model.folder) and checkpoint.tokenizer_files(model.folder, model.name)
    return model.folder if own else base_of(model).folder


def _head(name: str, folder: Path, bundled: bool, card: Mapping[str, Any]) -> Model:
    """A head and its base, whose digests cover both; ModelError for a base with other weights than it had then."""
    config = heads.config_of(name, folder)
    base = _base(name, config)
    weights = digest(f"{base.weights}\n{digests.of_file(folder / heads.WEIGHTS)}")
    settings = digests.of_settings({**config, "base": "", "base_config": base.config})
    return Model(
        name, config["task"], folder, weights, base.tokenizer, settings, "", bundled, code=base.code, card=card
    )


def _base(name: str, config: Mapping[str, Any]) -> Model:
    try:
        base = _find(str(config["base"]), str(config["base"]).strip(), "", "")  # whoever may name it may use it whole
    except ModelError as error:
        raise ModelError(f"'{name}' is a head over '{config['base']}', which is missing: {error}") from error
    if base.weights != config["base_weights"]:
        raise ModelError(
            f"'{name}' was trained over '{config['base']}' with other weights than that model has now: train it anew."
        )
    return base


def _adapter(name: str, folder: Path, kind: str, bundled: bool, card: Mapping[str, Any]) -> Model:
    """An adapter and its base, whose digests cover both."""
    base = _base_of_adapter(name, folder, kind)
    weights = digest(f"{base.weights}\n{digests.of_file(folder / adapters.WEIGHTS)}")
    own = checkpoint.tokenizer_files(folder, name)
    tokenizer = digests.of_files(own) if own else base.tokenizer
    settings = digests.of_settings({**adapters.settings_of(name, folder), "base_config": base.config})
    return Model(name, base.kind, folder, weights, tokenizer, settings, "", bundled, card=card)


def _base_of_adapter(name: str, folder: Path, kind: str) -> Model:
    """The base that an adapter names, a folder from where the adapter is; ModelError if it cannot be used.

    A head names its base with a digest, an adapter does not: a visitor's own could otherwise open any folder.
    """
    source, revision, stated = adapters.base_named(adapters.config_of(name, folder))
    place = cards.folders().get(source)
    try:
        if is_folder(source):
            place = (folder / Path(source).expanduser()).resolve()
            source = str(place)
            if name not in cards.folders():
                refuse_closed(source)
        if place and (adapters.is_adapter(place) or heads.is_head(place)):
            raise ModelError(f"'{source}' has no weights of its own that an adapter could change.")
        source = f"{source}@{revision}" if revision and not place else source
        base = _find(source, source, stated or kind, "")  # whoever may name the adapter may use its base whole
        if base.kind not in adapters.KINDS:
            raise ModelError(f"'{source}' is a {base.kind} model.")
    except (ModelError, RuntimeError) as error:  # of a home folder that nobody has
        raise ModelError(f"'{name}' is an adapter whose base cannot be used: {error}") from error
    return base
