"""Answers that contradict each other or the data; nothing of it changes a score."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.files.labels import Cell, system_of
from core.messages import Message

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray


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


def diagnose(answers: pd.DataFrame, rules: Cell, asked: bool, by_guess: int) -> Diagnostics:
    """What the answers say in both directions. `answers` has the columns of `Evaluation.answers`."""
    complete = answers[(answers["forward"] != "") & ((answers["reverse"] != "") | (not asked))]
    answered = {name: complete[name].to_numpy(object) for name in ("id", "gold", "forward", "reverse")}
    allowed = (answered["reverse"] == "entailment") & ((answered["gold"] == "none") | (answered["gold"] == "neutral"))
    symmetric = [label for label in SYMMETRIC if asked and label in system_of(rules.model).labels]
    there = {label: (answered["forward"] == label, answered["reverse"] == label) for label in symmetric}
    return Diagnostics(
        asked,
        by_guess,
        _one_way(answers, rules),
        _named(answered["id"], allowed) if asked else (),
        {label: _named(answered["id"], forward != reverse) for label, (forward, reverse) in there.items()},
        {label: int((forward | reverse).sum()) for label, (forward, reverse) in there.items()},
    )


def _one_way(answers: pd.DataFrame, rules: Cell) -> OneWay | None:
    """It takes answers in one direction only, so `answers` are all that are evaluated."""
    backward = answers["reverse_gold"]
    known = (backward != "").to_numpy()
    if "paraphrase" not in system_of(rules.model).labels or not known.any():
        return None
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


def contradictions(diagnosed: Diagnostics, accuracy: float, n_pairs: int) -> Iterator[str]:
    """The same in sentences, with the accuracy over so many pairs."""
    if n := diagnosed.by_guess:
        yield Message(
            "No pair of the data is a paraphrase, so that their labels were taken for ASSIN 2's, where paraphrases "
            "are entailments. By the labels of ASSIN (gold system assin) {n:,} more answers are wrong: accuracy is "
            "{accuracy:.2%} instead of {now:.2%}.",
            n=n, accuracy=accuracy - n / n_pairs, now=accuracy,
        )  # fmt: skip
    if (paraphrases := diagnosed.paraphrases) and paraphrases.n_paraphrases:
        yield Message(
            "{n:,} of {possible:,} one-way entailments were answered with paraphrase and accepted, though their "
            "swapped pair is no entailment; with these counted as wrong the accuracy is {accuracy:.2%} instead of "
            "{now:.2%}.",
            n=len(paraphrases.accepted), possible=paraphrases.n_possible, accuracy=paraphrases.accuracy,
            now=accuracy,
        )  # fmt: skip
        yield Message(
            "{n:,} of {all:,} paraphrase answers in all are for pairs whose swapped pair is no entailment.",
            n=len(paraphrases.ids), all=paraphrases.n_paraphrases,
        )  # fmt: skip
    if diagnosed.reverse_entailment:
        yield Message("reverse entailment, allowed: {n:,}", n=len(diagnosed.reverse_entailment))
    for label, ids in diagnosed.asymmetric.items():
        if ids:
            yield Message(
                "{n:,} of {all:,} pairs with {label} have it in one direction only.",
                n=len(ids), all=diagnosed.n_symmetric[label], label=Message(label),
            )  # fmt: skip
