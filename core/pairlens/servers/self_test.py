"""Whether a server's numbers are log-probabilities of the tokens that were asked about: found out in a second.

Every answer is checked in itself (`Dialect`). Here answers are compared with each other: a
server that ignores what it does not know, moves values by a place or tempers them gives plausible ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from pairlens.errors import ModelError
from pairlens.servers.dialect import Dialect, Ids, Prompt, Question

SENTENCES = (
    "The keys to the cabinet are on the table.",
    "Les enfants jouent dans le jardin avec leur chien.",
    "A menina comeu uma maçã no jardim da casa.",
)
"""Ordinary ones in three languages, since nothing says which the model has read."""
_DRIFT = 0.15
"""Nats by which one token may differ between requests: 16-bit servers move by up to 0.07 with what is beside it."""
_TEMPERATURE = 2.0


def self_test(dialect: Dialect, texts: Sequence[Ids]) -> float:
    """Ask about these texts (tokens, start symbol included; in some language ordinary ones) in several ways.

    Returns the largest difference (nats) of a token between requests that should agree, which is kept with the
    scores. ModelError in one sentence that names the server's fault.
    """
    name, questions = dialect.served.software, [Question(ids) for ids in texts if len(ids) > 3]
    singles = [dialect.answers([question])[0] for question in questions]
    drift = _difference(singles, [dialect.answers([question])[0] for question in questions])
    _refuse(drift > _DRIFT, name, f"answers the same request with values {drift:.2f} nats apart")
    together = dialect.answers(questions) if dialect.rows > 1 else singles
    drift = max(drift, _difference(singles, together))
    _refuse(drift > _DRIFT, name, f"gives a text other values beside others than alone, {drift:.2f} nats apart")
    warm = _difference(singles, dialect.answers(questions, temperature=_TEMPERATURE))
    _refuse(warm > _DRIFT, name, "changes its values with the temperature: switch off what it does to them")
    _see_places(dialect, questions, singles, name)
    scrambled = [dialect.answers([Question((*ids[:1], *reversed(ids[1:])))])[0] for ids in texts if len(ids) > 3]
    likelier = [_total(plain) > _total(other) for plain, other in zip(singles, scrambled, strict=True)]
    _refuse(
        not any(likelier), name,
        "finds no sentence (English, French, Portuguese) likelier than its words backwards: the tokens are another "
        "model's, or the values not those of the text. Name the tokenizer (?tokenizer=MODEL)",
    )  # fmt: skip
    return drift


def _see_places(dialect: Dialect, questions: Sequence[Question], singles: Sequence[Prompt], name: str) -> None:
    """Another last token changes the last value only: displaced values change one place earlier or not at all."""
    for question, single in zip(questions, singles, strict=True):
        other = Question((*question.ids[:-1], question.ids[1]))
        changed = dialect.answers([other])[0]
        before = max(abs(a - b) for a, b in zip(single.logprobs[1:-1], changed.logprobs[1:-1], strict=True))
        last = abs(single.logprobs[-1] - changed.logprobs[-1])
        _refuse(before > _DRIFT, name, "lets a token change the value of one before it: its values are displaced")
        if question.ids[-1] != question.ids[1] and last > _DRIFT:
            return
    _refuse(True, name, "gives a token the value that another one has in its place: its values are displaced")


def _refuse(fault: bool, name: str, problem: str) -> None:
    if fault:
        raise ModelError(f"{name} {problem}. None of its numbers was used.")


def _difference(first: Sequence[Prompt], second: Sequence[Prompt]) -> float:
    pairs = zip(first, second, strict=True)
    return max(
        (abs(a - b) for one, other in pairs for a, b in zip(one.logprobs[1:], other.logprobs[1:], strict=True)),
        default=0.0,
    )


def _total(prompt: Prompt) -> float:
    return math.fsum(prompt.logprobs[1:])
