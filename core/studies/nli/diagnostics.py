"""Answers that cannot all be right: against the gold labels of the other direction, and against each other.

None of it changes a score. Paraphrase and contradiction are the same in both directions; entailment is not, so that
a model which says it of the swapped pair where the data say that nothing follows has made no mistake.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.files.labels import Cell, system_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from core.files.nli.pairs import Pair

SYMMETRIC = ("paraphrase", "contradiction")
"""Labels that hold of (b, a) if they hold of (a, b)."""


@dataclass(frozen=True, slots=True)
class OneWay:
    """Paraphrases in the answers, where the gold labels of both directions say whether they can be.

    `ids` are those whose swapped pair is not an entailment; `accepted` those of them that count as right because the
    gold label of the pair is entailment, and `accuracy` is what is left with these counted as wrong. `n_paraphrases`
    is how many were answered for pairs whose swapped pair has a gold label; `n_possible` gold entailments that hold
    in one direction only, the most there could be in `accepted`.
    """

    n_paraphrases: int
    n_possible: int
    ids: tuple[str, ...]
    accepted: tuple[str, ...]
    accuracy: float


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """`by_guess` counts answers that are right only because the labels of the data were taken for ASSIN 2's.

    `paraphrases` is None where the model has no such label, or the data no gold labels for swapped pairs.

    The rest needs answers for swapped pairs (`asked`). `reverse_entailment`: ids of pairs whose gold label is none or
    neutral and whose swapped pair the model calls an entailment, which is allowed. `asymmetric`: by label, the ids of
    pairs for which it was said in one direction only; `n_symmetric` counts those that have it in one or both.
    """

    asked: bool
    by_guess: int
    paraphrases: OneWay | None
    reverse_entailment: tuple[str, ...]
    asymmetric: dict[str, tuple[str, ...]]
    n_symmetric: dict[str, int]

    def as_dict(self) -> dict[str, Any]:
        """Counts and ids, for JSON."""
        found: dict[str, Any] = {"reverse_answers": self.asked}
        if self.by_guess:
            found["right_by_guess_of_labels"] = self.by_guess
        if self.paraphrases:
            found["paraphrase_though_one_way"] = {
                "n": len(self.paraphrases.ids),
                "of_paraphrase_answers": self.paraphrases.n_paraphrases,
                "gold_one_way_entailments": self.paraphrases.n_possible,
                "ids": list(self.paraphrases.ids),
                "accepted": len(self.paraphrases.accepted),
                "accepted_ids": list(self.paraphrases.accepted),
                "accuracy_with_accepted_wrong": self.paraphrases.accuracy,
            }
        if self.asked:
            ids = list(self.reverse_entailment)
            found["reverse_entailment_allowed"] = {"n": len(ids), "ids": ids}
            for label, names in self.asymmetric.items():
                found[f"{label}_in_one_direction_only"] = {
                    "n": len(names),
                    "of_pairs_with_it": self.n_symmetric[label],
                    "ids": list(names),
                }
        return found


def diagnose(pairs: Sequence[Pair], answers: pd.DataFrame, rules: Cell, asked: bool, by_guess: int) -> Diagnostics:
    """What the answers say in both directions. `answers` has the columns of `Evaluation.answers`."""
    complete = answers[(answers["forward"] != "") & ((answers["reverse"] != "") | (not asked))]
    said = {name: complete[name].to_numpy(object) for name in ("id", "gold", "forward", "reverse")}
    allowed = (said["reverse"] == "entailment") & ((said["gold"] == "none") | (said["gold"] == "neutral"))
    symmetric = [label for label in SYMMETRIC if asked and label in system_of(rules.model).labels]
    there = {label: (said["forward"] == label, said["reverse"] == label) for label in symmetric}
    return Diagnostics(
        asked,
        by_guess,
        _one_way(pairs, answers, rules),
        _named(said["id"], allowed) if asked else (),
        {label: _named(said["id"], forward != reverse) for label, (forward, reverse) in there.items()},
        {label: int((forward | reverse).sum()) for label, (forward, reverse) in there.items()},
    )


def _one_way(pairs: Sequence[Pair], answers: pd.DataFrame, rules: Cell) -> OneWay | None:
    """It takes answers in one direction only, so `answers` are all that are evaluated."""
    reverse = {pair.id: pair.reverse_gold for pair in pairs if pair.reverse_gold}
    if "paraphrase" not in system_of(rules.model).labels or not reverse:
        return None
    backward = answers["id"].map(reverse).fillna("")
    known = (backward != "").to_numpy()
    entails = backward.isin(("entailment", "paraphrase")).to_numpy()
    paraphrases = (answers["forward"] == "paraphrase").to_numpy() & known
    possible = (answers["gold"] == "entailment").to_numpy() & known & ~entails
    right, ids = answers["correct"].to_numpy(bool), answers["id"].to_numpy(object)
    accepted = paraphrases & possible & right
    return OneWay(
        int(paraphrases.sum()),
        int(possible.sum()),
        _named(ids, paraphrases & ~entails),
        _named(ids, accepted),
        (right.sum() - accepted.sum()) / len(answers) if len(answers) else math.nan,
    )


def _named(ids: NDArray[np.object_], chosen: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(map(str, ids[chosen]))
