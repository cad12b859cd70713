"""Which label each of a model's answers may stand for: the accuracy under every assignment.

Classifiers whose labels are called LABEL_0, LABEL_1, ... do not say what they mean, and a wrong guess gives plausible
numbers. The table is for looking at; nothing is ever assigned by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from core.errors import InputError
from core.files.labels import decode, system_of, translate
from core.messages import Message, joined
from core.studies.nli.evaluated import read_labels
from core.studies.nli.matched import UNNAMED

if TYPE_CHECKING:
    from core.studies.nli.matched import Matched

FAR_BETTER = 0.1
"""By so much the accuracy under another assignment must be higher to be worth a warning."""
_FEWEST = 4
"""So many more pairs must then be right: of fewer, some other assignment is often right by chance."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """What each answer stands for, and the share of pairs that are then right."""

    labels: Mapping[str, str]
    accuracy: float


def assignments(gold: Sequence[str], answers: Sequence[str], data: str, model: str) -> list[Assignment]:
    """Every way in which the different answers can stand for different labels of `model`, the best first.

    `gold` are labels of `data`. Answers are judged in one direction (mode `forward`). Raises InputError if there are
    more different answers than labels.
    """
    labels = system_of(model).labels
    written = sorted(set(answers))
    if len(written) > len(labels):
        raise InputError(
            f"the answers have {len(written)} different labels ({', '.join(written[:6])}); {system_of(model).title} "
            f"has {len(labels)} ({', '.join(labels)})."
        )
    classes = translate(gold, data, model, "forward")
    tried = []
    for chosen in permutations(labels, len(written)):
        meaning = dict(zip(written, chosen, strict=True))
        decoded = decode([meaning[answer] for answer in answers], None, data, model, "forward")
        right = sum(label == answer_class for label, answer_class in zip(classes, decoded, strict=True))
        tried.append(Assignment(meaning, right / len(gold)))
    return sorted(tried, key=lambda assignment: -assignment.accuracy)


def doubted(matched: Matched, model: str, *, missing_wrong: bool = False) -> str:
    """A warning if the answers would be far more often right with their labels exchanged; else an empty text.

    With `missing_wrong`, answers that are no label of the model are passed over, as in `evaluate`. Raises InputError,
    which gives the accuracies under every assignment, if the answers are numbers.
    """
    matched = matched.with_labels_of(model) if missing_wrong else matched
    gold, answers, data = [pair.gold for pair in matched.pairs], matched.forward, matched.corpus.system
    if not answers:
        return ""
    if all(map(UNNAMED.fullmatch, answers)):
        tried = "; ".join(
            f"{_meaning(one)}: {100 * one.accuracy:.0f} %" for one in assignments(gold, answers, data, model)
        )
        raise InputError(
            f"the answers are numbers: say what each stands for (--labels 0=...,1=...). Right are, in one direction: "
            f"{tried}.",
            matched.names[0],
        )
    labels = read_labels(answers, [pair.id for pair in matched.pairs], model, matched.names[0])
    return doubt(gold, labels, data, model)


def doubt(gold: Sequence[str], answers: Sequence[str], data: str, model: str) -> str:
    """A warning if answers, labels of `model`, would do far better with these exchanged, else an empty text.

    A model that always answers the same is not doubted: any label would then be a guess at the commonest class.
    """
    if len(set(answers)) < 2:
        return ""
    tried = assignments(gold, answers, data, model)
    now = next(one for one in tried if all(answer == label for answer, label in one.labels.items()))
    best = tried[0]
    if best.accuracy - now.accuracy < max(FAR_BETTER, _FEWEST / len(gold)):
        return ""
    return Message(
        "Another assignment would give {best:.0f} % instead of {now:.0f} %: check the mapping ({meaning}).",
        best=100 * best.accuracy, now=100 * now.accuracy, meaning=_meaning(best),
    )  # fmt: skip


def _meaning(assignment: Assignment) -> Message:
    meanings = (joined((Message(answer), "=", Message(label))) for answer, label in assignment.labels.items())
    return joined(meanings, ", ")
