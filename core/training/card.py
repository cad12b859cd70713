"""A model folder's description of itself: `card.json` for programs, `README.md` for people, sentences for pages."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from core.models import checkpoint
from core.models.cards import CARD
from core.training import card as cards

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
    """Numbers in the saved weights; tied weights count once."""
    return checkpoint.parameters([folder / "model.safetensors"])


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    """Write a JSON object for people too: indented, UTF-8."""
    path.write_text(json.dumps(values, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_card(folder: Path, card: Mapping[str, Any]) -> None:
    """Write both files of the card into the model folder."""
    write_json(folder / CARD, card)
    (folder / "README.md").write_text(readme(card), encoding="utf-8")


def add_scores(folder: Path, scores: Mapping[str, Any]) -> None:
    """Add measured scores to the card of a model folder, and to its README."""
    card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    card["scores"] = {**card.get("scores", {}), **scores}
    write_card(folder, card)


def readme(card: Mapping[str, Any]) -> str:
    """The card as Markdown."""
    parts = [f"# {card['title']}", card["description"], purpose(card)]
    if "base" in card:
        parts.append(head_making(card))
    elif "training" in card:
        parts.append(making(card))
    else:
        parts.append(
            f"{card['tokens']:,} tokens, {card['types']:,} types, of which the"
            f" {card['types_kept']:,} seen {card['smallest_count']} times or more are listed."
        )
    parts += [scores_table(card.get("scores", {})), missed(card)]
    parts += [seeds_table(card["seeds"])] if "seeds" in card else []
    parts += [sources_table(card["sources"])] if "sources" in card else []
    parts += [sources_table(one["sources"], f"Sources of `{one['name']}`") for one in begun_from(card)]
    parts += [f"Licence of this folder: {card['licence']}."] if "licence" in card else []
    return "\n\n".join(part for part in parts if part) + "\n"


def purpose(card: Mapping[str, Any]) -> str:
    """What the model is for, and what it is not for."""
    use, no_use = uses(card)
    return (
        f"**For** {use}: demonstrations, lessons, tests, and a first look at a test set without a"
        f" download.\n\n**Not for** {no_use}"
    )


def uses(card: Mapping[str, Any]) -> tuple[str, str]:
    """What the model can score, and what its scores do not mean."""
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


def making(card: Mapping[str, Any]) -> str:
    """How the model was made, in numbers, and the command that makes it again."""
    training, recipe = card["training"], card["recipe"]
    start = recipe["start_from"]
    begun = f" It was started from the weights of `{start}`{_first(card.get('before', {}))}." if start else ""
    return (
        "## How it was made\n\n"
        f"{card['parameters']:,} parameters ({recipe['layers']} layers of width {recipe['width']},"
        f" vocabulary {recipe['vocabulary']:,}); {training['steps']:,} steps,"
        f" {training['tokens_seen']:,} tokens seen ({training['epochs']} of the text) in"
        f" {training['minutes']} minutes on {training['device']}.{begun} Validation loss"
        f" {card['validation_loss']} nats per predicted token. Sentences of 4 to 40 words in modern"
        " forms; those that also occur in benchmark data were left out. Make it again with\n\n"
        f"    python -m workshop.language_models {card['name']} --corpora PATH"
    )


def begun_from(card: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The model that this one started from, the one that that one started from, and so on."""
    while card := card.get("before", {}):
        yield card


def _first(before: Mapping[str, Any]) -> str:
    """How long the model was trained from which another one started."""
    if not before:
        return ""
    training = before["training"]
    return (
        f" ({training['steps']:,} steps, {training['tokens_seen']:,} tokens in"
        f" {training['minutes']} minutes on {training['device']}; made first, by the same command)"
    )


def head_making(card: Mapping[str, Any]) -> str:
    """The same for a head, which leaves its base's weights unchanged."""
    training, recipe = card["training"], card["recipe"]
    return (
        "## How it was made\n\n"
        f"A head over `{card['base']}`, whose weights it needs, and what it changes in them: {card['parameters']:,}"
        f" numbers, deltas of rank {recipe['rank']}. {training['pairs']:,} pairs, {training['steps']:,} steps of"
        f" {recipe['rows']} pairs in {training['minutes']} minutes; of {training['held_out_pairs']:,} pairs held out"
        f" {training['validation_accuracy']} % are right. {card.get('making', '')}".rstrip()
    )


def scores_table(scores: Mapping[str, Any]) -> str:
    """Benchmark scores in per cent beside those of simple rules, one line for each benchmark and policy."""
    if not scores:
        return ""
    rules = {name: _named(score.get("baselines", {})) for name, score in scores.items()}
    beside = ["simple rules"] if any(rules.values()) else []
    heads = ["benchmark", "macro accuracy (95 % interval)", *beside, "pairs", "policy"]
    lines = ["## Scores", "", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for name, score in scores.items():
        beside = [rules[name]] if any(rules.values()) else []
        cells = (_part(name, score), _with_interval(score), *beside, f"{score['pairs']:,}", score["policy"])
        lines.append(f"| {' | '.join(cells)} |")
    for name, score in scores.items():
        for field, values in score.items():
            if values and (field.startswith("by_") or field == "published"):
                lines += ["", f"{name}, {field.removeprefix('by_').replace('_', ' ')}: {_named(values)}."]
    return "\n".join(lines)


def _with_interval(score: Mapping[str, Any]) -> str:
    """A score, and the interval over items where the card has one."""
    bounds = [score.get(bound) for bound in ("low", "high")]
    return str(score["macro"]) if None in bounds else f"{score['macro']} ({bounds[0]} to {bounds[1]})"


def _part(name: str, score: Mapping[str, Any]) -> str:
    """A benchmark, and which part of it was scored where the card says it."""
    return f"{name}, {score['part']}" if "part" in score else name


def _named(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in values.items())


def missed(card: Mapping[str, Any]) -> str:
    """The targets that were missed, with what was tried."""
    lines = [f"- {name}: {reason}" for name, reason in card.get("missed", {}).items()]
    return "\n".join(["## Not reached", "", *lines]) if lines else ""


def seeds_table(seeds: Mapping[str, Any]) -> str:
    """How far figures differ between trainings that differ in nothing but chance."""
    shown = [
        f"- {key}: {', '.join(f'{value:.1f}' for value in values)} (spread {max(values) - min(values):.1f})"
        for key, values in seeds["scores"].items()
    ]
    heading = (
        f"Part of this text and the same shape at small scale ({seeds['steps']:,} steps,"
        f" {seeds['tokens_seen']:,} tokens) with {len(seeds['seeds'])} seeds, per cent. A difference of this size"
        " between two small models may be chance."
    )
    return "\n".join(["## Chance", "", heading, "", *shown])


def sources_table(sources: Iterable[Mapping[str, Any]], heading: str = "Sources") -> str:
    """The texts, with words after filtering."""
    lines = [f"## {heading}", "", "| text | licence | words | where |", "|---|---|---|---|"]
    for source in sources:
        where = ", ".join(f"{origin['repository']} @ {origin['commit'][:7]}" for origin in source["origins"])
        cells = (source["title"], source["licence"], f"{source['words']:,}", where)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


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
