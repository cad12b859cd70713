"""Each token given those before it: the context of the first token, and the rows of a text."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pairlens.errors import InputError, PolicyError
from pairlens.models import Loaded
from pairlens.policies import Policy
from pairlens.scorers import _windows
from pairlens.scorers._batching import Row
from pairlens.scorers._encoding import Encoded, start_symbol
from pairlens.scorers._measuring import NO_TARGET, joined
from pairlens.scorers._network import NetworkScorer
from pairlens.text.words import word_positions
from pairlens.types import AT_ENDS, UNSCORED, Expected, Extras, TokenScores


class LeftToRightScorer(NetworkScorer):
    def __init__(self, network: Loaded, policy: Policy) -> None:
        self.start = start_symbol(network.tokenizer, policy.first_token, network.name)
        self._first_token = policy.first_token
        # A network trained on texts in a frame has seen no row without it, so that each window needs its symbol.
        self._head = self._symbol if network.tokenizer.before else ()
        self._window = size = _windows.size(network, policy)
        self._windows = policy.windows
        if policy.windows == "stride" and policy.stride >= size - len(self._head):
            raise PolicyError(
                f"A stride of {policy.stride} leaves the first token of each window with nothing before it: "
                f"'{network.name}' sees {size} tokens. Take a smaller stride."
            )
        super().__init__(network, size - len(self._symbol), _windows.step(size, policy.stride))

    def expect(self, rows: Sequence[tuple[int, ...]], top: int, lengths: Sequence[int] = ()) -> Expected:
        extras = Extras(boundary=True, entropy=True, top=top)
        lasts = (self._last(*row) for row in zip(rows, lengths or [0] * len(rows), strict=True))
        readings = joined(list(self._batches.read(([row] for row in lasts), extras)))
        each = {name: tuple(readings[name].tolist()) for name in ("entropies", *AT_ENDS)}
        return Expected(np.asarray(readings["top_ids"]), np.asarray(readings["top_logprobs"]), **each)

    @property
    def _symbol(self) -> tuple[int, ...]:
        return () if self._first_token == "separate" or self.start is None else (self.start,)

    def _text(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        """What is cut into windows: a text's tokens after the start symbol that only the first window has."""
        return self._symbol[len(self._head) :] + ids

    def _last(self, ids: tuple[int, ...], length: int) -> Row:
        if ids:
            text, room = self._text(ids), self._window - len(self._head)
            total = len(text) - len(ids) + length
            seen = self._head + text[_windows.begins(len(text), total, room, self.stride, self._windows) :]
            return Row(seen, ((len(seen) - 1, NO_TARGET),))
        if self.start is None:
            raise InputError(
                "Under this first-token policy nothing stands before a text, so nothing says how it begins: type a "
                "word, or let texts follow the start symbol."
            )
        return Row((self.start,), ((0, NO_TARGET),))

    def _rows(self, text: Encoded, boundary: bool) -> Iterator[Row]:
        separate = self._first_token == "separate"
        if separate and text.first == 0 and self.start is not None:
            yield Row((self.start,), ((0, text.ids[0]),))
        ids, head = self._text(text.ids), self._head
        first = max(1 - len(head), text.first + len(ids) - len(text.ids))
        # A lone token that nothing predicts still needs a row: the output after it predicts no token.
        to_the_end = boundary or (first == len(ids) and not separate)
        room = self._window - len(head)
        for begin, end, new in _windows.strided(len(ids), room, self.stride, self._windows):
            before = len(head) - 1 - begin
            reads = [(before + place, ids[place]) for place in range(max(new, first), end)]
            if to_the_end and end == len(ids):
                reads.append((before + end, NO_TARGET))
            if reads:
                row = head + ids[begin:end]
                yield Row(row[: reads[-1][0] + 1], tuple(reads))

    def _unread(self, text: Encoded) -> int:
        return int(text.first == 0 and self.start is None)

    def _finished(self, text: Encoded, scores: TokenScores) -> TokenScores:
        if self._first_token != "bos-unscored":
            return scores
        words = word_positions(text.spans, text.request.text, "previous", characters=True)[text.first :]

        def without(values: tuple[float, ...]) -> tuple[float, ...]:
            return tuple(UNSCORED if word == 0 else value for word, value in zip(words, values, strict=True))

        tempered = scores.tempered and {value: without(column) for value, column in scores.tempered.items()}
        return replace(scores, logprobs=without(scores.logprobs), tempered=tempered)
