"""Answers that contradict each other or the data; nothing of it changes a score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pairlens.messages import Message

if TYPE_CHECKING:
    import pandas as pd

SYMMETRIC = ("paraphrase", "contradiction")
"""Labels that hold of (b, a) if they hold of (a, b)."""


class Contradiction(NamedTuple):
    """A sentence that says how often, and the pairs (`ids`), with `what` they are an example of."""

    sentence: Message
    what: str = ""
    ids: tuple[str, ...] = ()


def contradictions(answers: pd.DataFrame, by_guess: int) -> Iterator[Contradiction]:
    """Of `Evaluation.answers`; `by_guess` are right only because the data's labels were taken for ASSIN 2's."""
    if n := by_guess:
        accuracy = answers["correct"].mean()
        yield Contradiction(
            Message(
                "No pair of the data is a paraphrase, so that their labels were taken for ASSIN 2's, where "
                "paraphrases are entailments. By the labels of ASSIN (gold system assin) {n:,} more answers are "
                "wrong: accuracy is {accuracy:.2%} instead of {now:.2%}.",
                n=n, accuracy=accuracy - n / len(answers), now=accuracy,
            )
        )  # fmt: skip
    yield from _one_way(answers)
    yield from _of_swapped(answers[(answers["forward"] != "") & (answers["reverse"] != "")])


def _one_way(answers: pd.DataFrame) -> Iterator[Contradiction]:
    """Paraphrases where the gold label of the swapped pair says that there is none: for an entailment accepted."""
    known = answers["reverse_gold"] != ""
    one_way = known & ~answers["reverse_gold"].isin(("entailment", "paraphrase"))
    paraphrases = known & (answers["forward"] == "paraphrase")
    possible = one_way & (answers["gold"] == "entailment")
    accepted = paraphrases & possible & answers["correct"]
    if not paraphrases.any():
        return
    n, n_right = int(accepted.sum()), int(answers["correct"].sum())
    yield Contradiction(
        Message(
            "{n:,} of {possible:,} one-way entailments were answered with paraphrase and accepted, though their "
            "swapped pair is no entailment; with these counted as wrong the accuracy is {accuracy:.2%} instead of "
            "{now:.2%}.",
            n=n, possible=int(possible.sum()), accuracy=(n_right - n) / len(answers), now=n_right / len(answers),
        ),
        Message("paraphrase of a one-way entailment, accepted"),
        tuple(answers["id"][accepted]),
    )  # fmt: skip
    yield Contradiction(
        Message(
            "{n:,} of {all:,} paraphrase answers in all are for pairs whose swapped pair is no entailment.",
            n=int((paraphrases & one_way).sum()), all=int(paraphrases.sum()),
        ),
        Message("paraphrase, though the swapped pair is no entailment"),
        tuple(answers["id"][paraphrases & one_way & ~accepted]),
    )  # fmt: skip


def _of_swapped(answers: pd.DataFrame) -> Iterator[Contradiction]:
    """Answers in both directions: reverse entailments, and labels that hold both ways or not at all."""
    allowed = (answers["reverse"] == "entailment") & answers["gold"].isin(("none", "neutral"))
    if n := int(allowed.sum()):
        sentence = Message("reverse entailment, allowed: {n:,}", n=n)
        yield Contradiction(sentence, Message("reverse entailment, allowed"), tuple(answers["id"][allowed]))
    for label in SYMMETRIC:
        forward, reverse = answers["forward"] == label, answers["reverse"] == label
        if n := int((forward != reverse).sum()):
            sentence = Message(
                "{n:,} of {all:,} pairs with {label} have it in one direction only.",
                n=n, all=int((forward | reverse).sum()), label=Message(label),
            )  # fmt: skip
            what = Message("{label} in one direction only", label=Message(label))
            yield Contradiction(sentence, what, tuple(answers["id"][forward != reverse]))
