"""The rules by which a model with one label system is judged on data with another, as symbols and as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.files.labels.systems import System, code, codes, system_of
from core.messages import either, joined


@dataclass(frozen=True, slots=True)
class Rule:
    """The answers stand for `label` if m(a,b) is in `forward` and, unless that is empty, m(b,a) in `reverse`."""

    label: str
    forward: tuple[str, ...]
    reverse: tuple[str, ...] = ()

    def matches(self, forward: str, reverse: str) -> bool:
        """Whether these two answers stand for the label."""
        return forward in self.forward and (not self.reverse or reverse in self.reverse)


@dataclass(frozen=True, slots=True)
class Cell:
    """How a model with the labels of `model` is judged on data with the labels of `data`.

    `gold` is the class of each gold label. `rules` give the class of a model's answers; if two match, that of the
    gold label counts. `reason` says why the data's own labels cannot be evaluated, or is empty.
    """

    data: str
    model: str
    mode: str
    gold: Mapping[str, str]
    rules: tuple[Rule, ...]
    reason: str = ""

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes that are evaluated, in the order of the data's labels."""
        return tuple(dict.fromkeys(self.gold.values()))

    @property
    def collapses(self) -> bool:
        """Whether several gold labels count as one."""
        return len(self.classes) < len(self.gold)

    @property
    def needs_reverse(self) -> bool:
        """Whether answers for premise and hypothesis swapped are needed."""
        return any(rule.reverse for rule in self.rules)

    @property
    def possible(self) -> bool:
        """Whether there is anything to evaluate: two classes or more."""
        return len(self.classes) > 1

    @property
    def gold_rule(self) -> str:
        """How gold labels are translated, as symbols: `C, N → ∅`."""
        if self.gold == {label: label for label in self.gold}:
            return "unchanged"
        sources = {name: [label for label in self.gold if self.gold[label] == name] for name in self.classes}
        merged = {name: labels for name, labels in sources.items() if labels != [name]}
        return joined((joined((codes(labels), "→", code(name))) for name, labels in merged.items()), " · ")

    @property
    def prediction_rule(self) -> str:
        """The class of the model's answers, as symbols: `E(a,b) ∧ E(b,a) → P`; `E or P` means either counts."""
        if not self.needs_reverse:
            if all(rule.forward == (rule.label,) for rule in self.rules):
                return "unchanged"
            said = (joined((_letters(rule.forward), "→", code(rule.label))) for rule in self.rules)
            return joined(said, " · ")
        return joined((_symbols(rule, system_of(self.model)) for rule in self.rules), " · ")

    @property
    def words(self) -> str:
        """Both rules as sentences."""
        return " ".join((_gold_words(self), *(_rule_words(rule) for rule in self.rules)))


def _symbols(rule: Rule, model: System) -> str:
    forward, meant = (_letters(rule.forward), "(a,b)"), (" → ", code(rule.label))
    if not rule.reverse:
        return joined((*forward, *meant), "")
    others = tuple(label for label in model.labels if label not in rule.reverse)
    shorter = len(others) < len(rule.reverse)
    reverse = ("¬", _letters(others)) if shorter else (_letters(rule.reverse),)
    return joined((*forward, " ∧ ", *reverse, "(b,a)", *meant), "")


def _letters(labels: Iterable[str]) -> str:
    """The letters of labels of which either is meant."""
    return either(map(code, labels))


def _gold_words(cell: Cell) -> str:
    changed = [label for label in cell.gold if cell.gold[label] != label]
    if not changed:
        return "The gold labels stay as they are."
    merged = {cell.gold[label] for label in changed}
    return " ".join(
        f"Gold {' and '.join(label for label in cell.gold if cell.gold[label] == name)} count as {name}."
        for name in cell.classes
        if name in merged
    )


def _rule_words(rule: Rule) -> str:
    answer = f"The answer {' or '.join(rule.forward)} for (a, b)"
    if rule.reverse:
        answer += f" with {' or '.join(rule.reverse)} for (b, a)"
    return f"{answer} counts as {rule.label}."
