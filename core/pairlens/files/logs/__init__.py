"""Results of other evaluation programs, question by question, with the figures that they printed of them.

lm_eval     lm-evaluation-harness: samples (`--log_samples`), and the results that lie beside them
inspect_ai  inspect-ai's logs, `.eval` and `.json`
verdicts    any table with a row per item that says whether the answer was right
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Question:
    """An item as the other program asked it.

    `options` are pairs of context and text, `gold` the place of the right one (None: the log does not say),
    `logprobs` their log-probabilities (nats; empty where there are none). `verdict`: how much of the answer was
    right, 0 to 1, as the program judged; NaN where it did not.
    """

    id: str
    options: tuple[tuple[str, str], ...]
    gold: int | None = None
    logprobs: tuple[float, ...] = ()
    verdict: float = math.nan
    groups: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that the program printed, and the same computed from its samples; None where that is not done here."""

    name: str
    printed: float
    computed: float | None = None
    note: str = ""

    @property
    def same(self) -> bool | None:
        """Whether both agree to the last digit that differences in the order of summing leave."""
        return (
            None if self.computed is None else math.isclose(self.printed, self.computed, rel_tol=1e-12, abs_tol=1e-15)
        )

    def in_words(self) -> str:
        if self.computed is None:
            return f"{self.name} {self.printed:.6g}: not recomputed ({self.note})"
        if self.same:
            return f"{self.name} {self.printed:.6g}: the same"
        return f"{self.name} {self.printed:.6g}, computed anew {self.computed:.6g}" + f" ({self.note})" * bool(
            self.note
        )


@dataclass(frozen=True, slots=True)
class Log:
    """What one program recorded of one model; empty where it does not say."""

    program: str
    model: str
    questions: Sequence[Question]
    figures: Sequence[Figure] = ()
    notes: Sequence[str] = ()
    about: Mapping[str, object] = field(default_factory=dict)


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def standard_error(values: Sequence[float]) -> float:
    """Of the mean of independent values, as both programs have it: the sample's deviation over the root of n."""
    if len(values) < 2:
        return math.nan
    center = mean(values)
    return math.sqrt(sum((value - center) ** 2 for value in values) / (len(values) - 1)) / math.sqrt(len(values))


_LONGEST, _MOST_WORDS = 40, 3
"""Characters and words of a field that is no text, but says where a question belongs."""


def labels_of(fields: object) -> tuple[str, ...]:
    """The fields of a program's first document that say where it belongs: those of all are taken."""
    known = fields.items() if isinstance(fields, dict) else ()
    return tuple(
        str(name)
        for name, value in known
        if isinstance(value, str) and len(value) <= _LONGEST and len(value.split()) <= _MOST_WORDS
    )


def groups_in(fields: object, labels: Sequence[str], task: str) -> dict[str, str]:
    """The task as `UID`, and these fields of a document."""
    known = fields if isinstance(fields, dict) else {}
    return {**{name: str(known.get(name, "")) for name in labels}, "UID": task}
