"""What a server is asked and answers, and the checks that every answer passes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol

from pairlens.errors import ModelError
from pairlens.types import UNSCORED

Ids = tuple[int, ...]
_P = ParamSpec("_P")

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


class Dialect(Protocol):
    """A kind of server at an address: `rows` questions in one request, at most `most_top` likeliest tokens."""

    rows: int
    most_top: int

    @property
    def served(self) -> Served: ...

    def answers(self, questions: Sequence[Question], top: int = 0, temperature: float = 0.0) -> list[Prompt]:
        """One per question, checked; ModelError for an answer that is none (`checked`)."""

    def pieces(self, text: str) -> list[tuple[int, str | bytes]] | None:
        """The tokens that the server makes of a text, by id, each by its name or what it stands for; None if it does
        not tell."""

    def start(self) -> int | None:
        """The token that the server itself puts before a text; None if there is none, or it does not tell."""


_Answers = Callable[Concatenate[Any, _P], list[Prompt]]


def in_known_form(answers: _Answers[_P]) -> _Answers[_P]:
    """The method of a dialect, whose answers of another form are a ModelError."""

    @wraps(answers)
    def read(self: Any, /, *args: _P.args, **kwargs: _P.kwargs) -> list[Prompt]:
        try:
            return answers(self, *args, **kwargs)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            form = f"of a form that is not known ({type(error).__name__}: {error})"
            raise ModelError(f"{self.served.software} gives an answer {form}.") from error

    return read


def checked(
    question: Question, ids: Sequence[int | None], logprobs: Sequence[float | None],
    tops: Sequence[Mapping[int, float]], server: str,
) -> Prompt:  # fmt: skip
    """The answer, if it is about exactly these tokens; ModelError that names the server's fault otherwise.

    `ids` are those that the server says it scored, None where it does not say. What stands before the question's
    first token is not looked at, but that the very first has no value.
    """
    n = len(question.ids)
    if len(logprobs) != n:
        raise ModelError(
            f"{server} gives {len(logprobs)} values for {n} tokens: it has cut the text, or scores no given text. "
            "Raise its context size; llama.cpp's /v1/completions, Ollama and chats cannot do it."
        )
    if logprobs[0] is not None and question.first == 1:
        raise ModelError(f"{server} gives the first token a value, which nothing precedes: its values are displaced.")
    wanted = range(question.first, n)
    for place in wanted:
        if ids[place] not in (None, question.ids[place]):
            raise ModelError(
                f"{server} scored token {ids[place]} in the place of {question.ids[place]}: it cuts the text anew "
                "instead of taking the tokens. Serve the model with vLLM, SGLang or llama.cpp."
            )
    values = [logprobs[place] for place in wanted]
    if missing := sum(value is None or not math.isfinite(value) for value in values):
        raise ModelError(
            f"{server} gives {missing} of {len(values)} tokens no value: it tells only the likeliest. "
            "vLLM adds the token itself: take that, or as many log-probabilities as the vocabulary has."
        )
    if above := [value for value in values if value is not None and value > _ROUNDING]:
        raise ModelError(f"{server} gives a log-probability of {above[0]:.3g}, which is above 0: these are no such.")
    if len(values) > 1 and not any(values):
        raise ModelError(
            f"{server} gives 0 for every token, as if each were certain: it does not score text that is given."
        )
    for likeliest in tops:
        if math.fsum(map(math.exp, likeliest.values())) > 1 + _ROUNDING:
            raise ModelError(f"{server} gives probabilities that add up to more than 1: these are no probabilities.")
    before = (UNSCORED,) * question.first
    return Prompt((*before, *(min(float(value), 0.0) for value in values if value is not None)), tuple(tops))
