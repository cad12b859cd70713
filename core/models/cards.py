"""The catalogue: models that lie in folders with a card.json, bundled ones first."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import ModelError
from core.models import checkpoint, digests, heads
from core.settings import ROOT, settings
from core.types import Model

CARD = "card.json"
COUNTS = "counts.tsv.gz"
KINDS = frozenset({"causal", "masked", "seq2seq", "next-sentence", "classifier", "unigram"})


def bundled_models() -> Path:
    """The folder of the models that ship with Pairlens."""
    return ROOT / "data" / "models"


def folders() -> dict[str, Path]:
    """Name to folder for every model with a card; a bundled model wins over a local one of the same name."""
    found: dict[str, Path] = {}
    for home in (bundled_models(), settings().models):
        for card in sorted(home.glob(f"*/{CARD}")):
            found.setdefault(card.parent.name, card.parent)
    return found


def catalogue() -> list[Model]:
    """Every model with a card that can be used; one that cannot is left out with a warning in the log."""
    models = []
    for name, folder in folders().items():
        try:
            models.append(described(name, folder))
        except ModelError as error:
            logging.getLogger(__name__).warning("left out of the catalogue: %s", error)
    return models


def described(name: str, folder: Path, kind: str = "") -> Model:
    """The model with a card in this folder. `kind` asks for another of its heads than the card names."""
    card = checkpoint.read_json(folder / CARD, name)
    if card.get("kind") not in KINDS:
        raise ModelError(f"'{name}': {folder / CARD} should name its kind, one of {', '.join(sorted(KINDS))}.")
    bundled = folder.parent == bundled_models()
    if card["kind"] == "unigram":
        return _unigram(name, folder, card, bundled)
    return from_folder(name, folder, kind=kind or str(card["kind"]), bundled=bundled, card=card)


def from_folder(
    name: str,
    folder: Path,
    *,
    kind: str = "",
    revision: str = "",
    code: str = "",
    bundled: bool = False,
    card: Mapping[str, Any] | None = None,
) -> Model:
    """The model whose checkpoint lies in this folder. Without `kind`, the config's head says what it is."""
    if (folder / COUNTS).is_file() and card is None:
        raise ModelError(f"'{name}' holds word counts without their {CARD}, which has their totals: copy it too.")
    if heads.is_head(folder):
        return heads.described(name, folder, bundled=bundled, card=card or {})
    files = checkpoint.read(folder, name)
    return Model(
        name=name,
        kind=kind_of(name, files.config, kind=kind, revision=revision, code=code),
        folder=folder,
        weights=digests.of_files(files.weights),
        tokenizer=digests.of_files(files.tokenizer),
        config=digests.of_settings(files.config),
        revision=revision,
        bundled=bundled,
        code=code,
        card=card or {},
    )


def kind_of(name: str, config: Mapping[str, Any], *, kind: str = "", revision: str = "", code: str = "") -> str:
    """What the model of this config is, `kind` if one is asked for; ModelError if it cannot be used (so)."""
    if checkpoint.needs_own_code(config) and not code:
        raise ModelError(
            f"'{name}' needs Python code of its own, which is not run unless {_permission(name, revision)}."
        )
    offered = checkpoint.kinds(config)
    if not offered:
        named = ", ".join(config.get("architectures") or ()) or "none"
        raise ModelError(f"'{name}' has no head that scores or classifies texts (its config names: {named}).")
    if kind and kind not in offered:
        raise ModelError(f"'{name}' is a {offered[0]} model, not a {kind} one.")
    return kind or offered[0]


def _permission(name: str, revision: str) -> str:
    if revision:
        return f"you have read it and give --allow-code {name}@{revision} on the command line"
    return "the model is named by its hub id and allowed with --allow-code REPO@COMMIT"


def _unigram(name: str, folder: Path, card: Mapping[str, Any], bundled: bool) -> Model:
    if not (folder / COUNTS).is_file():
        raise ModelError(f"'{name}' has no {COUNTS} in {folder}.")
    counts = digests.of_files([folder / COUNTS])
    totals = digests.of_settings({name: card.get(name) for name in ("tokens", "types")})
    return Model(name, "unigram", folder, counts, tokenizer="", config=totals, bundled=bundled, card=card)
