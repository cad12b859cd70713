"""A model folder's description of itself, `card.json`: its facts, and sentences on it for pages."""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pairlens.models import checkpoint
from pairlens.models.cards import KINDS

CHARACTER_COUNT = 100
"""A card lists the characters that the training text holds at least this often."""

OBJECTIVES = {"causal": ["causal"], "masked": ["mlm", "mntp"], "seq2seq": ["continuation", "gaps"]}


def characters(lines: Iterable[str], *, lower_case: bool, least: int = CHARACTER_COUNT) -> str:
    """The distinct characters of the text as its tokenizer normalizes it, those seen `least` times, sorted."""
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(line)
    seen: Counter[str] = Counter()
    for character, count in counts.items():
        form = unicodedata.normalize("NFC", character)
        for part in form.lower() if lower_case else form:
            seen[part] += count
    return "".join(sorted(part for part, count in seen.items() if count >= least))


def parameters(folder: Path) -> int:
    return checkpoint.parameters([folder / "model.safetensors"])


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(values, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def uses(card: Mapping[str, Any]) -> tuple[str, str]:
    use = {
        "causal": "next-token probabilities (`causal`)",
        "masked": "probabilities of masked tokens, read at the mask (`masked`) or one token earlier (`mntp`)",
        "seq2seq": "continuations (`seq2seq`) and gaps (`seq2seq_mask`)",
        "classifier": f"the labels of pairs of sentences (`entailment`): {', '.join(card.get('labels', ()))}",
        "next-sentence": "whether a sentence follows another one (`next_sentence`)",
        "unigram": "the `unigram` baseline",
    }[str(card["kind"])]
    if "sources" not in card:
        return use, "conclusions about language models in general, nor for texts unlike those that it has read."
    text = "its base's text" if "base" in card else "its text"
    about = str(card.get("caution", "")).format(text=text)
    return use, f"conclusions about language models in general, nor for text in other languages. {about}".rstrip()


def account(card: Mapping[str, Any]) -> dict[str, str]:
    """Sentences by topic, as far as the card has them: making, uses, misuses, missed targets, licence.

    None of a file or a server, whose description is all that is known.
    """
    if card.get("kind") not in KINDS:
        return {}
    use, no_use = uses(card)
    known = {"description": card.get("description", ""), **card.get("recipe", {}), **card.get("training", {}), **card}
    clauses = [template.format_map(known) for needed, template in _MAKING if all(known.get(name) for name in needed)]
    missed = " ".join(f"{name}: {reason}" for name, reason in card.get("missed", {}).items())
    sentences = {
        "How it was made": " ".join(clauses) or str(known["description"]),
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
