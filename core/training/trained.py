"""Models that were trained on this machine with a history: their names, and their histories."""

from __future__ import annotations

from pathlib import Path

from core.models.cards import CARD
from core.settings import settings
from core.training.checkpoint import work_folder
from core.training.history import FILE


def trained_models() -> list[str]:
    """The names of the complete ones, newest first."""
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
