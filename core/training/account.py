"""How a model came about, in plain words from its card: for pages, where nothing of a card is read as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.training import card as cards


def account(card: Mapping[str, Any]) -> dict[str, str]:
    """Sentences by what they are about, those that a card has: how it was made, what it is for and not for, licence,
    what was aimed at and missed.
    """
    if not card:
        return {}
    use, no_use = cards.uses(card)
    missed = " ".join(f"{name}: {told}" for name, told in card.get("missed", {}).items())
    found = {
        "How it was made": _making(card),
        "For": f"{use}: demonstrations, lessons, tests, and a first look at a test set.",
        "Not for": no_use,
        "Not reached": missed,
        "Licence": str(card.get("licence", "")),
    }
    return {name: told.replace("`", "") for name, told in found.items() if told}


def words_read(card: Mapping[str, Any]) -> int:
    """How many words the text had that a model was trained on; of a head, its own pairs. 0 if the card is silent."""
    if sources := card.get("sources"):
        return sum(int(source["words"]) for source in sources)
    return int(card.get("training", {}).get("words", card.get("tokens", 0)))


def _making(card: Mapping[str, Any]) -> str:
    known = {"description": card.get("description", ""), **card.get("recipe", {}), **card.get("training", {}), **card}
    told = [template.format_map(known) for needed, template in _TOLD if all(known.get(name) for name in needed)]
    return " ".join(told) or str(known["description"])


_TOLD = (
    (("base", "rank"), "A head over {base}, whose weights it needs, with deltas of rank {rank}."),
    (("layers", "width", "vocabulary"), "{layers} layers of width {width}, a vocabulary of {vocabulary:,} pieces."),
    (("start_from",), "Started from the weights of {start_from}."),
    (("steps", "pairs"), "{steps:,} steps over {pairs:,} pairs."),
    (("layers", "steps", "tokens_seen", "epochs"), "{steps:,} steps, {tokens_seen:,} tokens: {epochs} of its text."),
    (("steps", "minutes"), "That took {minutes} minutes."),
    (("layers", "validation_loss"), "Validation loss: {validation_loss} nats per predicted token."),
    (("tokens", "types"), "{tokens:,} words were counted, {types:,} different ones."),
)
"""What must be known of a model, and what is then said of it."""
