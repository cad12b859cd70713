"""The card of a model that was trained on this machine, and the folder of such models."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.models.cards import CARD, bundled_models
from core.settings import settings
from core.training.card import CHARACTER_COUNT, OBJECTIVES, characters, parameters, write_json
from core.training.corpus import Corpus
from core.training.recipe import Progress, TrainingRecipe

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_TAKEN_ENDINGS = (".training", ".snapshots")


def place_of(name: str) -> Path:
    """The folder of a new model in the catalogue; InputError for a name that cannot be used or is taken."""
    if not _NAME.fullmatch(name) or name.endswith(_TAKEN_ENDINGS):
        raise InputError(f"'{name}' cannot be a model's name: take up to 64 letters, digits, dots, hyphens and _.")
    if (bundled_models() / name).exists():
        raise InputError(f"'{name}' is a bundled model: choose another name.")
    if (settings().models / name).exists():
        raise InputError(f"There is a model '{name}' already: choose another name, or delete it first.")
    return settings().models / name


def write_own_card(
    folder: Path, name: str, recipe: TrainingRecipe, corpus: Corpus, last: Progress, origin: str
) -> None:
    """Write the card into the folder of a complete model. `origin` describes the text."""
    sequences = corpus.sequences
    n, words = len(sequences), sum(sequence.count(" ") + 1 for sequence in sequences)
    minutes = last.tokens / last.tokens_per_second / 60 if last.tokens_per_second else 0.0
    card: dict[str, Any] = {
        "name": name,
        "title": name,
        "kind": recipe.kind,
        "description": f"Trained here on {n:,} sequences of {origin}",
        "lower_case": recipe.lower_case,
        "characters": characters(
            sequences, lower_case=recipe.lower_case, least=max(1, min(CHARACTER_COUNT, n // 1_000))
        ),
        "context": recipe.context,
        "objectives": OBJECTIVES[recipe.kind],
        "parameters": parameters(folder),
        "recipe": asdict(recipe),
        "training": {
            "tokens_seen": last.tokens,
            "words": words,
            "sentences": n,
            "left_out": {"filter": corpus.filtered, "watched": corpus.watched},
            "epochs": round(last.epochs, 3),
            "steps": last.step,
            "minutes": round(minutes, 1),
        },
        "validation_loss": None if last.validation_loss is None else round(last.validation_loss, 4),
    }
    write_json(folder / CARD, card)
