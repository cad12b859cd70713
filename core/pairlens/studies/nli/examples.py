"""Worked examples: pairs of our own whose relation is known, so that every label system's labels for them are."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from pairlens.files.labels import Cell, decode, system_of, translate, turned
from pairlens.files.nli.pairs import Corpus, Pair
from pairlens.places import bundled

_FILE = bundled("gallery", "entailment.toml")


@dataclass(frozen=True, slots=True)
class NliExample:
    """A premise, a hypothesis, and how they stand to each other; `note` says what they show, by language."""

    id: str
    language: str
    title: str
    premise: str
    hypothesis: str
    situation: str
    reference: str
    note: Mapping[str, str]

    def label(self, system: str, *, reverse: bool = False) -> str:
        """What a system says of the pair, or with `reverse` of the swapped one."""
        situation = turned(self.situation) if reverse else self.situation
        situations = system_of(system).situations
        return next(label for label, cases in situations.items() if situation in cases)


@dataclass(frozen=True, slots=True)
class Worked:
    """An example under the rules of a cell; `answer` is what `forward` and `reverse` of a right model count as."""

    example: NliExample
    gold: str
    gold_class: str
    forward: str
    reverse: str
    answer: str


@cache
def examples(first: str = "") -> tuple[NliExample, ...]:
    """All of them, those in the language `first` (a code) before the others."""
    every = (NliExample(**entry) for entry in tomllib.loads(_FILE.read_text("utf-8"))["example"])
    return tuple(sorted(every, key=lambda example: example.language != first))


def corpus() -> Corpus:
    """All of them with SICK's labels, as data that a model can be asked about."""
    pairs = [
        Pair(
            example.id,
            example.premise,
            example.hypothesis,
            example.label("sick"),
            example.label("sick", reverse=True),
        )
        for example in examples()
    ]
    return Corpus("examples", "sick", pairs)


def worked(rules: Cell, number: int = 3, language: str = "") -> list[Worked]:
    """The first examples in a language, with the labels of the data and the answers of a model that is right."""
    shown = []
    for example in examples(language)[:number]:
        gold, forward = example.label(rules.data), example.label(rules.model)
        reverse = example.label(rules.model, reverse=True) if rules.needs_reverse else ""
        (gold_class,) = translate([gold], rules.data, rules.model, rules.mode)
        backward = [reverse] if reverse else None
        (answer,) = decode([forward], backward, rules.data, rules.model, rules.mode, [gold_class])
        shown.append(Worked(example, gold, gold_class, forward, reverse, answer))
    return shown
