"""Models in folders with a card.json, bundled ones first."""

from __future__ import annotations

from pathlib import Path

from core.settings import ROOT, settings

CARD = "card.json"
COUNTS = "counts.tsv.gz"
KINDS = frozenset({"causal", "masked", "seq2seq", "next-sentence", "classifier", "unigram"})


def bundled_models() -> Path:
    """The folder of the models that ship with Pairlens."""
    return ROOT / "data" / "models"


def folders() -> dict[str, Path]:
    """Folder by name for every model with a card; a bundled model takes precedence over a local one."""
    found: dict[str, Path] = {}
    for home in (bundled_models(), settings().models):
        for card in sorted(home.glob(f"[!.]*/{CARD}")):
            found.setdefault(card.parent.name, card.parent)
    return found
