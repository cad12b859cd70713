"""The rules of a cell, derived from what the labels of its two systems mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from core.errors import PolicyError, unknown
from core.files.labels.cells import Cell, Rule
from core.files.labels.systems import System, codes, system_of, turned

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
    reason = "" if len(set(gold.values())) == len(gold) else _reason(data, model, gold, mode)
    return Cell(data.name, model.name, mode, MappingProxyType(gold), tuple(rules), reason)


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


def _reason(data: System, model: System, gold: Mapping[str, str], mode: str) -> str:
    merged = [[label for label in gold if gold[label] == name] for name in dict.fromkeys(gold.values())]
    confused = "; ".join(codes(labels, " from ") for labels in merged if len(labels) > 1)
    more = mode == "forward" and len(_derived(data, model, "strict").classes) > len(merged)
    direction = " when it is asked in one direction only" if more else ""
    return f"A model with the labels {codes(model.labels)} cannot tell {confused}{direction}."
