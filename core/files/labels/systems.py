"""What the labels of each system mean: the situations of two sentences in which each is right."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.errors import InputError, PolicyError, unknown
from core.messages import Message, either, joined

ENTAILMENT, PARAPHRASE, NONE, CONTRADICTION, NEUTRAL = LABELS = (
    "entailment", "paraphrase", "none", "contradiction", "neutral",
)  # fmt: skip
"""Every label of every system, as it is written in code and files."""
CODES: Mapping[str, str] = MappingProxyType(dict(zip(LABELS, "EP∅CN", strict=True)))
PORTUGUESE: Mapping[str, str] = MappingProxyType(
    dict(zip(LABELS, ("acarretamento", "paráfrase", "nenhuma", "contradição", "neutro"), strict=True))
)
"""What Portuguese files call them."""
_ALSO: Mapping[str, tuple[str, ...]] = {
    ENTAILMENT: ("implicação", "inferência"), NONE: ("nenhum",), NEUTRAL: ("neutra",),
}  # fmt: skip
"""Other words that Portuguese files have. English ones stay unknown, as they are to ASSIN's scorer."""
ONE_WAY, BOTH_WAYS, BACKWARD, EXCLUDED, UNRELATED = (
    "a entails b, b does not entail a",
    "each entails the other",
    "b entails a, a does not entail b",
    "not both can be true",
    "nothing follows",
)


def turned(situation: str) -> str:
    """The same situation, described for (b, a)."""
    return {ONE_WAY: BACKWARD, BACKWARD: ONE_WAY}.get(situation, situation)


@dataclass(frozen=True, slots=True)
class System:
    """A set of labels. `situations` has, for each label, the situations in which it is right, the usual one first.

    `numbered` is the order in which public copies of its data number the labels from 0.
    """

    name: str
    title: str
    situations: Mapping[str, tuple[str, ...]]
    numbered: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """Its labels, in the order in which they are always listed."""
        return tuple(self.situations)


_ONE_WAY = {ENTAILMENT: (ONE_WAY,), PARAPHRASE: (BOTH_WAYS,), NONE: (UNRELATED, BACKWARD, EXCLUDED)}
_TWO_CLASSES = {ENTAILMENT: (ONE_WAY, BOTH_WAYS), NONE: (UNRELATED, BACKWARD, EXCLUDED)}
_THREE_CLASSES = {
    ENTAILMENT: (ONE_WAY, BOTH_WAYS),
    CONTRADICTION: (EXCLUDED,),
    NEUTRAL: (UNRELATED, BACKWARD),
}

SYSTEMS: dict[str, System] = {
    system.name: system
    for system in (
        System("assin", "ASSIN", _ONE_WAY, (NONE, ENTAILMENT, PARAPHRASE)),
        System("assin2", "ASSIN 2", _TWO_CLASSES, (NONE, ENTAILMENT)),
        System("sick", "SICK", _THREE_CLASSES, (ENTAILMENT, NEUTRAL, CONTRADICTION)),
        System("snli", "SNLI", _THREE_CLASSES, (ENTAILMENT, NEUTRAL, CONTRADICTION)),
        System("mnli", "MultiNLI", _THREE_CLASSES, (ENTAILMENT, NEUTRAL, CONTRADICTION)),
    )
}
"""The known systems by name."""


def system_of(name: str) -> System:
    """The system of that name, whatever its case; PolicyError, with the nearest, if there is none."""
    if name.lower() not in SYSTEMS:
        raise PolicyError(unknown(Message("label system"), name, SYSTEMS))
    return SYSTEMS[name.lower()]


def code(name: str) -> str:
    """The letter of a label, or of several that count as one."""
    return either(CODES.get(part, part) for part in name.split(" or "))


def in_words(name: str) -> str:
    """A label, or several that count as one (`entailment or paraphrase`)."""
    return either(map(Message, name.split(" or ")))


def codes(labels: Iterable[str], between: str = ", ") -> str:
    """The letters of several labels."""
    return joined(map(code, labels), between)


def spellings(system: str) -> Mapping[str, str]:
    """How files spell a system's labels, in small letters: names, codes, other words; also without accents."""
    words = {label: (label, CODES[label], PORTUGUESE[label], *_ALSO.get(label, ())) for label in LABELS}
    return {
        form.lower(): label
        for label in system_of(system).labels
        for written in words[label]
        for form in (written, *_without_accents(written))
    }


def _without_accents(word: str) -> tuple[str, ...]:
    """As it is typed on a keyboard that has none; nothing for what is only a sign."""
    plain = "".join(letter for letter in unicodedata.normalize("NFD", word) if letter.isascii())
    return (plain,) if plain else ()


def unknown_label(text: str, system: str) -> InputError:
    """The error for a label that is not the system's: names the nearest, and all."""
    chosen = system_of(system)
    return InputError(unknown(Message("{system} label", system=chosen.title), text, chosen.labels))
