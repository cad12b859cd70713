"""The rules by which a model with one label system is judged on data with another, as symbols and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from types import MappingProxyType

from core.errors import PolicyError, unknown
from core.files.labels.systems import (
    SYSTEMS,
    System,
    code,
    codes,
    in_words,
    spellings,
    system_of,
    turned,
    unknown_label,
)
from core.messages import Message, both, either, joined


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
    def merged(self) -> dict[str, list[str]]:
        """The gold labels of each class that is not just the label of its name."""
        sources = {name: [label for label in self.gold if self.gold[label] == name] for name in self.classes}
        return {name: labels for name, labels in sources.items() if labels != [name]}

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
        if not self.merged:
            return Message("unchanged")
        return joined((joined((codes(labels), "→", code(name))) for name, labels in self.merged.items()), " · ")

    @property
    def gold_words(self) -> Message:
        """The same as sentences."""
        if not self.merged:
            return Message("The gold labels stay as they are.")
        return joined(
            Message("Gold {labels} count as {name}.", labels=both(map(Message, labels)), name=in_words(name))
            for name, labels in self.merged.items()
        )

    @property
    def prediction_rule(self) -> str:
        """The class of the model's answers, as symbols: `E(a,b) ∧ E(b,a) → P`; `E or P` means either counts."""
        if not self.needs_reverse:
            if all(rule.forward == (rule.label,) for rule in self.rules):
                return Message("unchanged")
            arrows = (joined((_letters(rule.forward), "→", code(rule.label))) for rule in self.rules)
            return joined(arrows, " · ")
        return joined((_symbols(rule, system_of(self.model)) for rule in self.rules), " · ")

    @property
    def words(self) -> str:
        """Both rules as sentences."""
        return " ".join((self.gold_words, *(_rule_words(rule) for rule in self.rules)))


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


def _rule_words(rule: Rule) -> str:
    answer = f"The answer {' or '.join(rule.forward)} for (a, b)"
    if rule.reverse:
        answer += f" with {' or '.join(rule.reverse)} for (b, a)"
    return f"{answer} counts as {rule.label}."


def label_of(text: str, system: str) -> str:
    """The label with this name, code or Portuguese name, whatever its case; InputError names the nearest."""
    written, known = text.strip(), spellings(system)
    if written.lower() not in known:
        raise unknown_label(written, system)
    return known[written.lower()]


def translate(gold: Sequence[str], data: str, model: str, mode: str = "strict") -> list[str]:
    """The class that each gold label counts as for such a model; InputError for an unknown label."""
    classes = cell(data, model, mode).gold
    wrong = next((label for label in gold if label not in classes), None)
    if wrong is not None:
        raise unknown_label(wrong, data)
    return [classes[label] for label in gold]


def decode(
    forward: Sequence[str],
    reverse: Sequence[str] | None,
    data: str,
    model: str,
    mode: str = "strict",
    gold: Sequence[str] = (),
) -> list[str]:
    """The class that a model's answers stand for: `forward` for (a, b), `reverse` for (b, a), labels of `model`.

    Only `lenient` needs `gold`, the translated gold labels: where an answer stands for two classes, the gold one
    counts. Raises PolicyError if answers for (b, a) or gold labels are needed and missing, InputError for an unknown
    label.
    """
    rules = cell(data, model, mode)
    if rules.needs_reverse and reverse is None:
        raise PolicyError(
            Message(
                "{data} labels from a model with {model} labels need its answers for premise and hypothesis swapped "
                "(reverse predictions). Give them, or choose the mode forward.",
                data=system_of(data).title, model=system_of(model).title,
            )
        )  # fmt: skip
    if mode == "lenient" and rules.needs_reverse and len(gold) != len(forward):
        raise PolicyError("the mode lenient needs a gold label for each answer")
    backward = reverse if reverse is not None and rules.needs_reverse else [""] * len(forward)
    wanted = gold if len(gold) else [""] * len(forward)
    known = cache(partial(_decoded, rules))
    return [known(*answers) for answers in zip(forward, backward, wanted, strict=True)]


def _decoded(rules: Cell, forward: str, reverse: str, gold: str) -> str:
    labels = SYSTEMS[rules.model].labels
    for label in (forward, reverse) if rules.needs_reverse else (forward,):
        if label not in labels:
            raise unknown_label(label, rules.model)
    classes = [rule.label for rule in rules.rules if rule.matches(forward, reverse)]
    return gold if gold in classes else classes[0]


MODES: Mapping[str, str] = MappingProxyType(
    {
        "strict": "entailment is one-way: a model that entails both ways has said paraphrase",
        "lenient": "a model that entails both ways is right on entailment and on paraphrase",
        "forward": "one direction only: entailment and paraphrase count as one class",
    }
)

Answers = tuple[str, str]
"""A model's answers for (a, b) and (b, a); the second is empty if it is not needed."""


def cell(data: str, model: str, mode: str = "strict") -> Cell:
    """The rules for data with the labels of system `data` and a model with those of `model`.

    Raises PolicyError for an unknown system or mode.
    """
    if mode not in MODES:
        raise PolicyError(unknown("mode", mode, MODES))
    return _derived(system_of(data), system_of(model), mode)


def _derived(data: System, model: System, mode: str) -> Cell:
    meanings = {answers: _meaning(model, answers) for answers in _answers(data, model, mode)}
    touched = {answers: _touched(data, meaning) for answers, meaning in meanings.items()}
    gold = _classes(data, model, touched.values())
    rules = _rules(dict.fromkeys(gold.values()), {answers: gold[labels[0]] for answers, labels in touched.items()})
    if mode == "lenient":
        rules = _widened(data, model, gold, rules)
    rules_of = Cell(data.name, model.name, mode, MappingProxyType(gold), tuple(rules))
    return replace(rules_of, reason=_reason(rules_of, data, model)) if rules_of.collapses else rules_of


def _answers(data: System, model: System, mode: str) -> Iterable[Answers]:
    """The possible answers; (b, a) is needed where the answer for (a, b) fits several labels of the data."""
    for label, situations in model.situations.items():
        both_ways = mode != "forward" and len(_touched(data, situations)) > 1
        yield from ((label, reverse) for reverse in (model.labels if both_ways else ("",)))


def _meaning(model: System, answers: Answers) -> tuple[str, ...]:
    """The situations in which both answers are right; if there is none, the usual one of the answer for (a, b)."""
    forward, reverse = answers
    situations = model.situations[forward]
    if not reverse:
        return situations
    both = tuple(s for s in situations if turned(s) in model.situations[reverse])
    return both or situations[:1]


def _touched(data: System, situations: Iterable[str]) -> list[str]:
    """The labels of the data that are right in one of the situations."""
    wanted = set(situations)
    return [label for label in data.labels if wanted.intersection(data.situations[label])]


def _classes(data: System, model: System, alike: Iterable[list[str]]) -> dict[str, str]:
    """The class of each gold label: labels that one answer may stand for count as one."""
    groups = [{label} for label in data.labels]
    for labels in alike:
        joined = set().union(*(group for group in groups if group.intersection(labels)))
        groups = [group for group in groups if not group & joined] + [joined]
    names = {label: _name(data, model, group) for group in groups for label in group}
    return {label: names[label] for label in data.labels}


def _name(data: System, model: System, group: set[str]) -> str:
    """The name of labels that count as one: the model's label for all of them, or all their names."""
    labels = [label for label in data.labels if label in group]
    situations = {situation for label in labels for situation in data.situations[label]}
    same = (label for label in model.labels if set(model.situations[label]) == situations)
    return labels[0] if len(labels) == 1 else next(same, " or ".join(labels))


def _rules(classes: Iterable[str], means: Mapping[Answers, str]) -> list[Rule]:
    """For each class the answers that stand for it, alone or together with one for (b, a)."""
    reverses: dict[tuple[str, str], list[str]] = {}
    for (forward, reverse), name in means.items():
        reverses.setdefault((name, forward), []).append(reverse)
    n_meanings = Counter(forward for _, forward in reverses)
    rules = []
    for name in classes:
        alone = tuple(forward for named, forward in reverses if named == name and n_meanings[forward] == 1)
        rules += [
            Rule(name, (forward,), tuple(found))
            for (named, forward), found in reverses.items()
            if named == name and n_meanings[forward] > 1
        ]
        rules += [Rule(name, alone)] if alone else []
    return rules


def _widened(data: System, model: System, gold: Mapping[str, str], rules: list[Rule]) -> list[Rule]:
    """Let an answer stand for its usual class whatever the one for (b, a); such rules come last."""
    usual = {(label, gold[_touched(data, cases[:1])[0]]) for label, cases in model.situations.items()}
    wider = [replace(rule, reverse=()) if (rule.forward[0], rule.label) in usual else rule for rule in rules]
    return sorted(wider, key=lambda rule: not rule.reverse)


def _reason(cell: Cell, data: System, model: System) -> str:
    confused = "; ".join(codes(labels, " from ") for labels in cell.merged.values() if len(labels) > 1)
    more = cell.mode == "forward" and len(_derived(data, model, "strict").classes) > len(cell.classes)
    direction = " when it is asked in one direction only" if more else ""
    return f"A model with the labels {codes(model.labels)} cannot tell {confused}{direction}."
