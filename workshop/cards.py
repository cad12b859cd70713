"""The description of a model that ships, for people: its card as `README.md` beside `card.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pairlens.models.cards import CARD
from pairlens.training.card import uses, write_json


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
