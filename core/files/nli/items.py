"""Pairs as items to be scored: one candidate per label, in one direction or in both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from core.files.labels import cell, system_of
from core.files.nli.label_map import LabelMap
from core.files.nli.pairs import Corpus, Pair
from core.files.nli.related import related
from core.types import Candidate, Item

FORWARD, REVERSE, CONTENT_FREE = "forward", "reverse", "content-free"
"""Values of the group `direction`: as in the data, premise and hypothesis swapped, a prompt without content."""
_UNKNOWN = "unknown"


class Asks(Protocol):
    """A way to present two texts to a model: one candidate per label, all with the same context."""

    def candidates(self, premise: str, hypothesis: str) -> tuple[Candidate, ...]: ...


@dataclass(frozen=True, slots=True)
class Labels:
    """The form for classifiers: the context is both texts, a line each; each label is a candidate."""

    names: tuple[str, ...]

    def candidates(self, premise: str, hypothesis: str) -> tuple[Candidate, ...]:
        """One per label, in the order of the model's outputs."""
        context = f"{premise}\n{hypothesis}\n"
        return tuple(Candidate(name, name, context) for name in self.names)


def items(corpus: Corpus, asks: Asks, reading: LabelMap, *, reverse: bool = False) -> Iterator[Item]:
    """An item per pair, and with `reverse` one for the swapped pair after it.

    Groups: `gold_label`, `direction`, `split`; `pair`, the pair's id; and `contrast`, its related set of sentences
    (`core.files.nli.related`). The right candidate is named where the data and the model have the same labels;
    elsewhere it takes the rules of `core.files.labels`.
    """
    right = _right(corpus.system, reading)
    for pair, number in zip(corpus, related(corpus.pairs), strict=True):
        yield _item(pair, pair.id, FORWARD, asks, right.get(pair.gold), number)
        if reverse:
            turned = pair.turned
            yield _item(turned, f"{pair.id} reversed", REVERSE, asks, right.get(turned.gold), number)


def content_free(asks: Asks, text: str) -> Item:
    """The item that shows which label a prompt without content gets."""
    groups = dict.fromkeys(("gold_label", "split", "pair", "contrast"), _UNKNOWN) | {"direction": CONTENT_FREE}
    return Item(CONTENT_FREE, asks.candidates(text, text), None, groups)


def _item(pair: Pair, name: str, direction: str, asks: Asks, right: str | None, related_set: int) -> Item:
    groups = {
        "gold_label": pair.gold or _UNKNOWN,
        "direction": direction,
        "split": pair.split or _UNKNOWN,
        "pair": pair.id,
        "contrast": f"{related_set}",
    }
    return Item(name, asks.candidates(on_one_line(pair.premise), on_one_line(pair.hypothesis)), right, groups)


def _right(data: str, reading: LabelMap) -> dict[str, str]:
    """The model's name for each gold label, where the two mean the same."""
    rules = cell(data, reading.system)
    alike = not rules.collapses and all(rule.forward == (rule.label,) and not rule.reverse for rule in rules.rules)
    return {label: name for name, label in reading.labels.items()} if alike else {}


def on_one_line(text: str) -> str:
    """A text without line breaks and doubled spaces."""
    return " ".join(text.split())


def of_corpora(corpora: Iterable[Corpus]) -> Iterator[Item]:
    """The pairs of several corpora, with the labels of their data; ids begin with the corpus's name."""
    for corpus in corpora:
        names = system_of(corpus.system).labels
        own = LabelMap(corpus.system, {name: name for name in names})
        for item in items(corpus, Labels(names), own):
            groups = {**item.groups, "contrast": f"{corpus.name}: {item.groups['contrast']}"}
            yield Item(f"{corpus.name}: {item.id}", item.candidates, item.gold, groups)
