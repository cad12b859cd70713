"""An account of a model in plain sentences from its card, for pages, which do not read cards as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.training import card as cards


def account(card: Mapping[str, Any]) -> dict[str, str]:
    """Sentences by topic, as far as the card has them: making, uses, misuses, missed targets, licence."""
    if not card:
        return {}
    use, no_use = cards.uses(card)
    missed = " ".join(f"{name}: {reason}" for name, reason in card.get("missed", {}).items())
    sentences = {
        "How it was made": _making(card),
        "For": f"{use}: demonstrations, lessons, tests, and a first look at a test set.",
        "Not for": no_use,
        "Targets missed": missed,
        "Licence": str(card.get("licence", "")),
    }
    return {name: text.replace("`", "") for name, text in sentences.items() if text}


def words_read(card: Mapping[str, Any]) -> int:
    """Words of the text a model was trained on; of a head, in its own pairs. 0 if the card does not tell."""
    if sources := card.get("sources"):
        return sum(int(source["words"]) for source in sources)
    return int(card.get("training", {}).get("words", card.get("tokens", 0)))


def _making(card: Mapping[str, Any]) -> str:
    known = {"description": card.get("description", ""), **card.get("recipe", {}), **card.get("training", {}), **card}
    parts = [template.format_map(known) for needed, template in _MAKING if all(known.get(name) for name in needed)]
    return " ".join(parts) or str(known["description"])


_MAKING = (
    (("base", "rank"), "A head over {base}, whose weights it needs, with deltas of rank {rank}."),
    (("layers", "width", "vocabulary"), "{layers} layers of width {width}, a vocabulary of {vocabulary:,} tokens."),
    (("start_from",), "Started from the weights of {start_from}."),
    (("steps", "pairs"), "{steps:,} steps over {pairs:,} pairs."),
    (("layers", "steps", "tokens_seen", "epochs"), "{steps:,} steps, {tokens_seen:,} tokens, {epochs} epochs."),
    (("steps", "minutes"), "Training time: {minutes} minutes."),
    (("layers", "validation_loss"), "Validation loss: {validation_loss} nats per predicted token."),
    (("tokens", "types"), "{tokens:,} words were counted, {types:,} different ones."),
)
"""Facts that a card must have, and the sentence about them."""
