"""Models that were trained on this machine: their folders, names, cards and histories."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pairlens.errors import InputError
from pairlens.models.cards import CARD, bundled_models
from pairlens.settings import settings
from pairlens.training.card import CHARACTER_COUNT, OBJECTIVES, characters, parameters, write_json
from pairlens.training.checkpoint import work_folder
from pairlens.training.corpus import Corpus
from pairlens.training.recipe import Progress, TrainingRecipe

FILE = "history.jsonl"
PAIRS = "pairs.json"
"""The pairs whose margins are in the history, as lists of group, better and worse sentence."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One line. Losses are in nats per predicted token; `margins`, at some moments, in bits, in pair order."""

    step: int
    tokens: int
    fraction: float
    seconds: float
    loss: float | None = None
    validation_loss: float | None = None
    tokens_per_second: float = 0.0
    margins: tuple[float, ...] | None = None
    sample: str = ""


class History:
    """The history of the model in `folder`; the lines of a resumed training replace those it repeats."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def begin(self, pairs: Sequence[tuple[str, str, str]]) -> None:
        (self._folder / PAIRS).write_text(json.dumps(list(pairs), ensure_ascii=False), "utf-8")

    def add(self, moment: Moment) -> None:
        with (self._folder / FILE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(moment), ensure_ascii=False) + "\n")

    def pairs(self) -> list[tuple[str, str, str]]:
        path = self._folder / PAIRS
        return [tuple(pair) for pair in json.loads(path.read_text("utf-8"))] if path.is_file() else []

    def moments(self) -> list[Moment]:
        """All lines in order of their steps, without one that a kill has cut off."""
        listed: list[Moment] = []
        path = self._folder / FILE
        for line in path.read_text("utf-8").splitlines() if path.is_file() else []:
            try:
                values = json.loads(line)
            except json.JSONDecodeError:
                continue
            margins = values.pop("margins")
            moment = Moment(**values, margins=None if margins is None else tuple(margins))
            while listed and listed[-1].step > moment.step:
                listed.pop()
            listed.append(moment)
        return listed


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def place_of(name: str) -> Path:
    """The folder of a new model in the catalogue; InputError for a name that cannot be used or is taken."""
    if not _NAME.fullmatch(name) or name.endswith(".training"):
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


def trained_models() -> list[str]:
    cards = [path.parent / CARD for path in settings().models.glob(f"*/{FILE}") if (path.parent / CARD).is_file()]
    return [card.parent.name for card in sorted(cards, key=lambda card: card.stat().st_mtime, reverse=True)]


def history_folder(name: str) -> Path:
    """The folder of a model's history: beside its weights, or the work folder while it learns."""
    folder = settings().models / name
    return folder if (folder / FILE).is_file() else work_folder(folder)


def free_name(wanted: str) -> str:
    """The name, or if a model has it or is being trained under it, the first free one with a number appended."""
    models, number, name = settings().models, 2, wanted
    while (models / name).exists() or work_folder(models / name).exists():
        name, number = f"{wanted}-{number}", number + 1
    return name
