"""What a server is asked and answers, and the checks that every answer passes."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pairlens.errors import ModelError
from pairlens.servers.connection import Connection
from pairlens.types import UNSCORED

Ids = tuple[int, ...]

_ROUNDING = 1e-3
"""By so much probabilities of 16 bits may add up to more than 1, and a log-probability may be above 0."""


@dataclass(frozen=True, slots=True)
class Question:
    """A text's tokens, start symbol included; the log-probabilities from token `first` on (1 or more) are wanted."""

    ids: Ids
    first: int = 1


@dataclass(frozen=True, slots=True)
class Prompt:
    """A log-probability (nats) per token, NaN for those that nobody asked about; per token the likeliest, by id."""

    logprobs: tuple[float, ...]
    tops: tuple[Mapping[int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Served:
    """What a server says of itself: the software with its version, the model's name there, the most tokens that it
    sees at once; `facts` are what else identifies its numbers (precision, quantisation, sizes)."""

    software: str
    model: str
    window: int
    facts: Mapping[str, object] = field(default_factory=dict)


class Dialect(ABC):
    """A kind of server at an address: `rows` questions in one request, at most `most_top` likeliest tokens.

    A kind overrides `_prompts`, and what it tells of its tokens.
    """

    rows = 64
    most_top = 20

    def __init__(self, connection: Connection, served: Served) -> None:
        self._connection, self.served = connection, served

    def answers(self, questions: Sequence[Question], top: int = 0, temperature: float = 0.0) -> list[Prompt]:
        """One per question, checked; ModelError for an answer that is none, or of a form that is not known."""
        try:
            return self._prompts(questions, top, temperature)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            form = f"of a form that is not known ({type(error).__name__}: {error})"
            raise ModelError(f"{self.served.software} gives an answer {form}.") from error

    def pieces(self, text: str) -> list[tuple[int, str | bytes]] | None:  # noqa: ARG002 - not every kind tells
        """The tokens that the server makes of a text, by id, each by its name or what it stands for; None if it does
        not tell."""
        return None

    def start(self) -> int | None:
        """The token that the server itself puts before a text; None if there is none, or it does not tell."""
        return None

    @abstractmethod
    def _prompts(self, questions: Sequence[Question], top: int, temperature: float) -> list[Prompt]:
        """One per question, as the server answers it."""

    def _prompt(
        self, question: Question, ids: Sequence[int | None], logprobs: Sequence[float | None],
        tops: Iterable[Mapping[int, float]] = (), top: int = 0,
    ) -> Prompt:  # fmt: skip
        """The answer, with the `top` likeliest of `tops`, if it is about exactly these tokens; ModelError otherwise.

        `ids` are those that the server says it scored, None where it does not say. What stands before the question's
        first token is not looked at, but that the very first has no value.
        """
        likeliest = [dict(sorted(place.items(), key=lambda pair: -pair[1])[:top]) for place in tops if top]
        if fault := next(_faults(question, ids, logprobs, likeliest), None):
            raise ModelError(f"{self.served.software} {fault}")
        values = [min(value, 0.0) for value in logprobs[question.first :] if value is not None]
        return Prompt((*[UNSCORED] * question.first, *values), tuple(likeliest))


def _faults(
    question: Question, ids: Sequence[int | None], logprobs: Sequence[float | None],
    likeliest: Sequence[Mapping[int, float]],
) -> Iterator[str]:  # fmt: skip
    """What is wrong with an answer; after the first fault the others mean nothing."""
    n = len(question.ids)
    if len(logprobs) != n:
        yield (
            f"gives {len(logprobs)} values for {n} tokens: it has cut the text, or scores no given text. "
            "Raise its context size; llama.cpp's /v1/completions, Ollama and chats cannot do it."
        )
    if logprobs[0] is not None and question.first == 1:
        yield "gives the first token a value, which nothing precedes: its values are displaced."
    for place in range(question.first, n):
        if ids[place] not in (None, question.ids[place]):
            yield (
                f"scored token {ids[place]} in the place of {question.ids[place]}: it cuts the text anew instead of "
                "taking the tokens. Serve the model with vLLM, SGLang or llama.cpp."
            )
    values = [value for value in logprobs[question.first :] if value is not None and math.isfinite(value)]
    if missing := n - question.first - len(values):
        yield (
            f"gives {missing} of {n - question.first} tokens no value: it tells only the likeliest. "
            "vLLM adds the token itself: take that, or as many log-probabilities as the vocabulary has."
        )
    if (highest := max(values, default=0.0)) > _ROUNDING:
        yield f"gives a log-probability of {highest:.3g}, which is above 0: these are no such."
    if len(values) > 1 and not any(values):
        yield "gives 0 for every token, as if each were certain: it does not score text that is given."
    if any(math.fsum(map(math.exp, place.values())) > 1 + _ROUNDING for place in likeliest):
        yield "gives probabilities that add up to more than 1: these are no probabilities."
