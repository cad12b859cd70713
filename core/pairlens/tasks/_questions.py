"""Questions of another program's log as items."""

import math
from collections.abc import Iterable, Iterator

from pairlens.files.logs import Question
from pairlens.statistics.verdicts import VERDICT
from pairlens.types import TAKEN, Candidate, Item


def items(questions: Iterable[Question], **verdicts: str) -> Iterator[Item]:
    """Questions as items, their choices numbered; a group whose name is taken gets a `given_` before it."""
    for question in questions:
        labels = [f"choice {number}" for number in range(1, len(question.options) + 1)]
        candidates = zip(question.options, labels, strict=True)
        groups = {f"given_{name}" if name in TAKEN else name: value for name, value in question.groups.items()}
        yield Item(
            question.id,
            tuple(Candidate(text, label, context) for (context, text), label in candidates),
            None if question.gold is None else labels[question.gold],
            {**groups, **verdicts},
        )


def judged(questions: Iterable[Question]) -> Iterator[Item]:
    """The questions that have a verdict, as items that hold it."""
    for question in questions:
        if not math.isnan(question.verdict):
            yield from items([question], **{VERDICT: f"{question.verdict:.10g}"})
