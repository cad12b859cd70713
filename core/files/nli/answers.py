"""A model's answers about pairs, under the ids of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Answers as a file writes them, in its order; all sequences are aligned with `ids`.

    `reverse` are the answers for premise and hypothesis swapped, an empty text where there is none; `relatedness` is
    NaN where there is none. `probabilities` holds, by label, those of the columns `p_<label>`.
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
        """The answers with other names for their labels, whatever their case; those not named stay as they are."""
        new = {written.lower(): name for written, name in labels.items()}
        forward, reverse = (
            [new.get(label.lower(), label) for label in answers] for answers in (self.labels, self.reverse)
        )
        return replace(self, labels=forward, reverse=reverse)
