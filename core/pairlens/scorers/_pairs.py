"""Two texts at once, and what a network with a head for pairs says about them: a label, or whether one is next."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pairlens.errors import InputError, unknown
from pairlens.messages import Message
from pairlens.models import Loaded
from pairlens.models.heads import NEXT_LABELS
from pairlens.scorers._batching import Row
from pairlens.scorers._encoding import SHOWN, Encoded, encode, no_tokens
from pairlens.scorers._network import NetworkScorer
from pairlens.types import Request

Pair = tuple[str, str]
"""The first text and the second one."""


@dataclass(frozen=True, slots=True)
class Answer(Encoded):
    """A class as the only token of a continuation, and the tokens of the pair that a network reads for it."""

    ids_of_pair: tuple[int, ...] = ()
    types: tuple[int, ...] = ()


class PairScorer(NetworkScorer):
    """A network that reads two texts, framed as its tokenizer does, and chooses one of its classes.

    The class is the one token of a request's continuation. `labels` names the classes in the order of the outputs:
    entropies and tops are over them, and equal pairs run once. Ends of words are undefined: NaN.
    """

    ends_words = False
    sees_after = True

    def __init__(self, network: Loaded, labels: Sequence[str]) -> None:
        super().__init__(network, network.window)
        self._labels = tuple(labels)

    @abstractmethod
    def _question(self, request: Request) -> tuple[Pair, int]:
        """The texts, and the place of the class that the continuation stands for; InputError if there is none."""

    def _encoded(self, requests: Sequence[Request]) -> list[Encoded]:
        questions = [self._question(request) for request in requests]
        texts = list(dict.fromkeys(text for pair, _ in questions for text in pair))
        cut = dict(zip(texts, encode(self.tokenizer, [Request("", text) for text in texts]), strict=True))
        framed = {pair: self._framed(pair, cut[pair[0]].ids, cut[pair[1]].ids) for pair in dict(questions)}
        answers: list[Encoded] = []
        for request, (pair, place) in zip(requests, questions, strict=True):
            start = len(request.context) + len(request.continuation) - len(request.continuation.lstrip())
            span = (start, len(request.text.rstrip()))
            answers.append(Answer(request, (place,), (self._labels[place],), (span,), 0, 0, 0, (), *framed[pair]))
        return answers

    def _framed(self, pair: Pair, *texts: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        ids, types = self.tokenizer.pair.row(*texts)
        if len(ids) > self.window:
            message = Message(
                "a pair of {n} tokens is longer than the {window} that the model can see; give it shorter texts",
                n=len(ids), window=self.window,
            )  # fmt: skip
            raise InputError(message, f'"{pair[0][:SHOWN]}…"')
        return ids, types

    def _rows(self, text: Encoded, boundary: bool) -> Iterator[Row]:  # noqa: ARG002 - see `ends_words`
        assert isinstance(text, Answer)
        yield Row(text.ids_of_pair, ((0, text.ids[0]),), types=text.types)

    def _name(self, id: int) -> str:
        return self._labels[id]


class LabellingScorer(PairScorer):
    """Premise and hypothesis are the two lines of a request's context, its continuation is a label in any case."""

    def __init__(self, network: Loaded, labels: Sequence[str]) -> None:
        super().__init__(network, labels)
        self._places = {label.casefold(): place for place, label in enumerate(labels)}
        self._places |= {label: place for place, label in enumerate(labels)}

    def _question(self, request: Request) -> tuple[Pair, int]:
        premise, _, hypothesis = request.context.strip("\n").partition("\n")
        if not premise.strip() or not hypothesis.strip() or "\n" in hypothesis:
            raise InputError(
                f"expected a premise and a hypothesis, a line each, before a label; found {request.context[:SHOWN]!r}"
            )
        label = request.continuation.strip()
        if not label:
            raise no_tokens(request.continuation)
        place = self._places.get(label, self._places.get(label.casefold()))
        if place is None:
            raise InputError(unknown("label of this model", label[:SHOWN], self._labels))
        return (premise, hypothesis), place


class FollowingScorer(PairScorer):
    """A network with two outputs, the first of which says that the second text is next."""

    def __init__(self, network: Loaded) -> None:
        super().__init__(network, NEXT_LABELS)

    def _question(self, request: Request) -> tuple[Pair, int]:
        if not request.continuation.strip():
            raise no_tokens(request.continuation)
        if not request.context.strip():
            raise InputError(f"there is no text before {request.continuation[:SHOWN]!r}: what it follows is unknown")
        return (request.context, request.continuation.removeprefix(" ")), 0
