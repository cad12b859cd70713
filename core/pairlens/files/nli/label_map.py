"""A model's class names as the labels of a system: inferred from the names unless given."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from types import MappingProxyType

from pairlens.errors import PolicyError
from pairlens.files.labels import ENTAILMENT, LABELS, NEUTRAL, NONE, SYSTEMS, System, label_of, system_of
from pairlens.files.nli.pairs import Predictions

_NAMES: Mapping[str, str] = MappingProxyType(
    {
        name: label
        for label, names in zip(
            LABELS,
            (
                "entailment entails entail entailed e acarretamento acarreta implicacao implica",
                "paraphrase paraphrases p parafrase equivalence equivalent equivalencia equivalente",
                "none nenhuma nenhum ∅ not-entailment no-entailment non-entailment no-relation nao-acarretamento",
                "contradiction contradicts contradictory c contradicao contradiz contraditorio",
                "neutral n neutro neutra neutrality neutralidade",
            ),
            strict=True,
        )
        for name in names.split()
    }
)
"""Usual class names, without capitals, accents and punctuation."""


@dataclass(frozen=True, slots=True)
class LabelMap:
    """`labels`: what each of the model's names, in the order of its outputs, means in `system`."""

    system: str
    labels: Mapping[str, str]

    def __str__(self) -> str:
        return ", ".join(f"{name} = {label}" for name, label in self.labels.items())


def meaning(name: str) -> str:
    """The label that a class's name stands for, in English or Portuguese, whatever its case; empty if unknown."""
    letters = unicodedata.normalize("NFD", name.strip().casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _NAMES.get(re.sub(r"[\s_-]+", "-", plain), "")


def named(names: Sequence[str]) -> LabelMap | None:
    """The reading of all class names of a model; None if they have no meaning (`LABEL_0`) or fit no system.

    If a model has just `entailment` and `neutral`, the latter stands for everything else.
    """
    labels = [meaning(name) for name in names]
    if sorted(labels) == sorted((ENTAILMENT, NEUTRAL)):
        labels = [NONE if label == NEUTRAL else label for label in labels]
    return next((_map(system, names, labels) for system in SYSTEMS.values() if _has_just(system, labels)), None)


def fitting(names: Sequence[str]) -> LabelMap | None:
    """The same for answers, which need not use every class: the smallest system with all of these labels."""
    labels = [meaning(name) for name in names]
    return next((_map(system, names, labels) for system in _by_size() if {*labels} <= {*system.labels}), None)


def possible(names: Sequence[str], *, partly: bool = False) -> Iterator[LabelMap]:
    """Every way to read names as labels, each set of labels once; with `partly` there may be more than names."""
    different = {frozenset(system.labels): system for system in reversed(_by_size())}
    for system in reversed(different.values()):
        if len(system.labels) == len(names) or (partly and len(system.labels) > len(names)):
            yield from (_map(system, names, labels) for labels in permutations(system.labels, len(names)))


def given(names: Sequence[str], labels: Mapping[str, str], system: str = "") -> LabelMap:
    """A chosen reading: `labels` by class name, in any spelling; the others are inferred from the names.

    `system` is needed only to tell systems with the same labels apart. Raises PolicyError for a name that the model
    does not have, a class without a label, and labels that fit no system.
    """
    for name in labels:
        if name not in names:
            raise PolicyError(f"The model has no class '{name}'. It has: {', '.join(names)}.")
    known = []
    for name in names:
        text = labels.get(name, name)
        known.append(label_of(text, system) if system and name in labels else meaning(text))
        if name in labels and not known[-1]:
            raise PolicyError(f"'{text}' is no label. There are: {', '.join(LABELS)}.")
    if silent := [name for name, label in zip(names, known, strict=True) if not label]:
        raise PolicyError(f"Say what {', '.join(silent)} mean, e.g. {silent[0]}=entailment.")
    candidates = [system_of(system)] if system else SYSTEMS.values()
    for candidate in candidates:
        if _has_just(candidate, known):
            return _map(candidate, names, known)
    systems = "; ".join(f"{listed.title}: {', '.join(listed.labels)}" for listed in SYSTEMS.values())
    raise PolicyError(f"No label system has just {', '.join(known)}. There are: {systems}.")


def reading(names: Sequence[str], labels: Mapping[str, str], system: str = "", data: str = "") -> LabelMap:
    """The reading of a model's class names: the given one, else the inferred one.

    Raises PolicyError, with an example of what to give, if there is neither: with the labels of `data`, the system of
    the data at hand, or if it has more or fewer, with those of every system that has as many, in the order in which
    public copies of its data number them.
    """
    if labels or system:
        return given(names, labels, system)
    if inferred := named(names):
        return inferred
    as_many = {frozenset(one.labels): one for one in reversed(_by_size()) if len(one.labels) == len(names)}
    if not as_many:
        raise PolicyError(f"The model has {len(names)} classes ({', '.join(names)}); no label system has as many.")
    if data and len((own := system_of(data)).labels) == len(names):
        as_many = {frozenset(own.labels): own}
    examples = (
        f"--labels {','.join(map('='.join, zip(names, one.numbered, strict=True)))} ({one.title})"
        for one in as_many.values()
    )
    raise PolicyError(
        f"The model calls its classes {', '.join(names)}: say what each means, e.g. {' or '.join(examples)}."
    )


def _map(system: System, names: Sequence[str], labels: Sequence[str]) -> LabelMap:
    return LabelMap(system.name, MappingProxyType(dict(zip(names, labels, strict=True))))


def _by_size() -> list[System]:
    return sorted(SYSTEMS.values(), key=lambda system: len(system.labels))


def _has_just(system: System, labels: Sequence[str]) -> bool:
    return sorted(system.labels) == sorted(labels)


def names_in(written: Predictions) -> tuple[str, ...]:
    return tuple(sorted({*written.labels, *written.reverse} - {""}))
