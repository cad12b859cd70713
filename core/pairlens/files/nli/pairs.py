"""Premise and hypothesis with their gold label, and corpora of such pairs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any

from pairlens.errors import InputError, unknown
from pairlens.files.labels import system_of
from pairlens.messages import Message, counted, one_or_more

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Answers as written in a file, in its order; all sequences are aligned with `ids`.

    `reverse` are the answers for premise and hypothesis swapped, empty where there is none; `relatedness` is NaN
    where there is none. `probabilities`, by label, are those of a model that was asked here.
    """

    name: str
    ids: Sequence[str]
    labels: Sequence[str]
    reverse: Sequence[str] = ()
    relatedness: Sequence[float] = ()
    probabilities: Mapping[str, Sequence[float]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ids)

    def renamed(self, labels: Mapping[str, str]) -> Predictions:
        new = {written.lower(): name for written, name in labels.items()}
        forward, reverse = (
            [new.get(label.lower(), label) for label in answers] for answers in (self.labels, self.reverse)
        )
        return replace(self, labels=forward, reverse=reverse)

    def frame(self) -> pd.DataFrame:
        """A row per answer: `id`, `label`, `reverse_label` and `relatedness` if there are any, the probabilities."""
        import pandas as pd

        columns: dict[str, Any] = {"id": self.ids, "label": self.labels}
        if any(self.reverse):
            columns["reverse_label"] = self.reverse
        if any(map(math.isfinite, self.relatedness)):
            columns["relatedness"] = self.relatedness
        return pd.DataFrame(columns | {f"p_{label}": values for label, values in self.probabilities.items()})


TWICE = "Each pair is there twice, as (a, b) and as (b, a), with the gold label of each direction."
"""The note on pairs in both directions."""


@dataclass(frozen=True, slots=True)
class Pair:
    """`gold` is a label of the corpus's system, empty if unknown; `reverse_gold` that of the swapped pair.

    `relatedness` is on the scale of the data (1 to 5), NaN if there is none.
    """

    id: str
    premise: str
    hypothesis: str
    gold: str = ""
    reverse_gold: str = ""
    relatedness: float = math.nan
    split: str = ""

    @property
    def turned(self) -> Pair:
        premise, hypothesis = self.hypothesis, self.premise
        return replace(self, premise=premise, hypothesis=hypothesis, gold=self.reverse_gold, reverse_gold=self.gold)


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Pairs whose gold labels are those of `system` (`pairlens.files.labels.SYSTEMS`); their ids are unique.

    `left_out` are the places of records that were not used, with the reason, `notes` sentences about the file.
    """

    name: str
    system: str
    pairs: Sequence[Pair]
    left_out: Sequence[tuple[str, str]] = ()
    notes: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)

    @property
    def gold(self) -> list[str]:
        """The gold label of each pair, empty in blind test files."""
        return [pair.gold for pair in self.pairs]

    @property
    def splits(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(pair.split for pair in self.pairs if pair.split))

    def in_both_directions(self) -> Corpus:
        """Each pair twice: (a, b), and after it (b, a) with the gold label of that direction.

        Ids of the latter end in `-rev`, as in ASSIN 2. Raises InputError where there is no label for (b, a).
        """
        if missing := [pair.id for pair in self.pairs if pair.gold and not pair.reverse_gold]:
            raise no_reverse(missing, self.name)
        both = [direction for pair in self.pairs for direction in (pair, replace(pair.turned, id=f"{pair.id}-rev"))]
        notes: list[str] = [TWICE]
        ids = told_apart([pair.id for pair in both], notes)
        return self.only([replace(pair, id=name) for pair, name in zip(both, ids, strict=True)], *notes)

    def part(self, split: str) -> Corpus:
        """The pairs of a split, whatever the case of its name; of none all. InputError for an unknown one."""
        if not split:
            return self
        pairs = [pair for pair in self.pairs if pair.split.lower() == split.lower()]
        if not pairs:
            raise InputError(unknown(Message("part"), split, self.splits), self.name)
        return self.only(pairs, Message("Only the pairs of {part} are used.", part=split))

    def only(self, pairs: Sequence[Pair], *notes: str) -> Corpus:
        return replace(self, pairs=pairs, notes=(*self.notes, *notes))

    def frame(self) -> pd.DataFrame:
        """A row per pair: `id`, `premise`, `hypothesis`, `gold`, and what else any pair has."""
        import pandas as pd

        names = ["id", "premise", "hypothesis", "gold", "reverse_gold", "relatedness", "split"]
        table = pd.DataFrame([[getattr(pair, name) for name in names] for pair in self.pairs], columns=names)
        return table.drop(columns=[name for name in names[4:] if table[name].isin(["", None, math.nan]).all()])


def no_reverse(places: Sequence[str], name: str) -> InputError:
    """The error for pairs, at these places, that have no label of the swapped pair."""
    wrong = (
        f"{counted(len(places), 'pair')} without a label for the swapped pair ({places[0][:40]}, ...). "
        "SICK has both, and so has a table with a column reverse_gold."
    )
    return InputError(wrong, name)


def told_apart(ids: Sequence[str], notes: list[str]) -> list[str]:
    """The ids, of which those of several pairs get a number: `7 (1)`, `7 (2)`; then there is a note."""
    repeated = [identifier for identifier, n in Counter(ids).items() if n > 1]
    if not repeated:
        return list(ids)
    taken, named = set(ids), list[str]()
    numbers = {identifier: count(1) for identifier in repeated}
    for identifier in ids:
        names = (f"{identifier} ({number})" for number in numbers.get(identifier, ()))
        named.append(next((name for name in names if name not in taken), identifier))
        taken.add(named[-1])
    notes.append(
        one_or_more(
            "{n} id is that of several pairs, which are told apart by numbers ({example}): answers without these "
            "numbers can be matched by position.",
            "{n:,} ids are those of several pairs, which are told apart by numbers ({example}, ...): answers without "
            "these numbers can be matched by position.",
            n=len(repeated), example=f"{repeated[0][:40]} (2)",
        )
    )  # fmt: skip
    return named


def read_with(system: str) -> Message:
    return Message(
        "Read with the labels of {system}, by the labels that are in the file.", system=system_of(system).title
    )
