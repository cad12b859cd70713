"""A model's answers about pairs, by the ids of the pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Answers as written in a file, in its order; all sequences are aligned with `ids`.

    `reverse` are the answers for premise and hypothesis swapped, empty where there is none; `relatedness` is NaN
    where there is none. `probabilities` are the columns `p_<label>`, by label.
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
        """The answers with new names for some labels, whatever their case."""
        new = {written.lower(): name for written, name in labels.items()}
        forward, reverse = (
            [new.get(label.lower(), label) for label in answers] for answers in (self.labels, self.reverse)
        )
        return replace(self, labels=forward, reverse=reverse)
