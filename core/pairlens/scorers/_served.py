"""Rows of tokens as questions to a server, several requests at a time; the self-test before the first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import islice
from typing import Any, cast

import numpy as np

from pairlens import servers
from pairlens.errors import PolicyError
from pairlens.models import Loaded, served
from pairlens.models.loading import load_tokenizer
from pairlens.models.pieces import Pieces
from pairlens.models.resolve import tokenizer_of
from pairlens.models.tokenizer import PairFrame, Tokenizer
from pairlens.scorers import tell
from pairlens.scorers._batching import Batches, Row
from pairlens.scorers._left_to_right import LeftToRightScorer
from pairlens.scorers._measuring import NO_TARGET, Readings
from pairlens.servers import Prompt, Question
from pairlens.servers.self_test import SENTENCES, self_test
from pairlens.types import UNSCORED, Extras, Model

_BLOCK = 512
"""Texts whose answers are held at once."""
_IN_FLIGHT = 4


def network_at(address: servers.Address, model: Model) -> Loaded:
    """The server in the place of a network: its tokenizer and window, and where to ask."""
    dialect = served.dialect_of(address)
    tokenizer = load_tokenizer(tokenizer_of(address.tokenizer)) if address.tokenizer else _own(dialect)
    return Loaded(model.name, "causal", cast(Any, address), tokenizer, cast(Any, "server"), dialect.served.window)


def _own(dialect: servers.Dialect) -> Tokenizer:
    """The server's own way to cut texts, of which only the start symbol is known."""
    start = dialect.start()
    before = () if start is None else (start,)
    return Tokenizer(
        backend=cast(Any, Pieces(dialect)), start=start, end=None, mask=None, unknown=None, bos=start, cls=None,
        sep=None, pad=0, before=before, after=(), pair=PairFrame(before, (), (), ()), reserved=frozenset(before),
        size=0,
    )  # fmt: skip


class Questions:
    """In the place of `Batches`. The self-test is repeated where somebody else may have begun to answer."""

    def __init__(self, network: Loaded, start: tuple[int, ...]) -> None:
        address = cast(servers.Address, network.module)
        self._dialect, self._connection = served.dialect_of(address), served.connection_to(address)
        encoded = network.tokenizer.backend.encode_batch(list(SENTENCES), add_special_tokens=False)
        self._texts = [(*start, *encoding.ids)[: network.window] for encoding in encoded]

    @property
    def about(self) -> Mapping[str, object]:
        server = self._dialect.served
        return {
            "device": server.software, "server_model": server.model, **server.facts,
            "self_test": self._connection.passed, "drift": round(self._connection.drift, 6),
        }  # fmt: skip

    def read(self, texts: Iterable[Sequence[Row]], extras: Extras, total: int = 0) -> Iterator[Readings]:
        """As `Batches.read`; PolicyError for what a server does not tell."""
        if extras.temperatures:
            raise PolicyError("A server tells log-probabilities at temperature 1 only: leave out --temperature.")
        done, rest = 0, iter(texts)
        while block := [*islice(rest, _BLOCK)]:
            questions = {_question(row): row for rows in block for row in rows if _asks(row)}
            answers = self._answers([*questions], min(extras.top, self._dialect.most_top))
            done += sum(len(row.reads) for rows in block for row in rows)
            if total:
                tell(done, total)
            for rows in block:
                yield _joined([_readings(row, answers.get(_question(row)), extras) for row in rows])

    def _answers(self, questions: Sequence[Question], top: int) -> Mapping[Question, Prompt]:
        self._test()
        size = self._dialect.rows
        parts = [questions[place : place + size] for place in range(0, len(questions), size)]
        with ThreadPoolExecutor(_IN_FLIGHT) as pool:
            answers = [*pool.map(lambda part: self._dialect.answers(part, top), parts)]
        if not self._connection.passed:  # perhaps they are by another server at the same address
            self._test()
            answers = [self._dialect.answers(part, top) for part in parts]
        return dict(zip(questions, (prompt for part in answers for prompt in part), strict=True))

    def _test(self) -> None:
        """Unless it has passed and the connection was not interrupted since."""
        if not self._connection.passed:
            self._connection.drift = self_test(self._dialect, self._texts)
            self._connection.passed = datetime.now(UTC).isoformat(timespec="seconds")


class ServedScorer(LeftToRightScorer):
    ends_words = False

    def _batches_of(self, network: Loaded) -> Batches:
        start = () if self.start is None else (self.start,)
        return cast(Batches, Questions(network, start))


def _asks(row: Row) -> bool:
    return any(target != NO_TARGET for _, target in row.reads)


def _question(row: Row) -> Question:
    """The row with the token that its last output predicts; the values from the first token that is read on."""
    place, target = row.reads[-1]
    last = () if target == NO_TARGET or place < len(row.ids) - 1 else (target,)
    return Question(row.ids + last, row.reads[0][0] + 1)


def _readings(row: Row, prompt: Prompt | None, extras: Extras) -> Readings:
    """A reading per output position; NaN where no token follows, and for entropies, which no server tells."""
    n = len(row.reads)
    values = [
        UNSCORED if target == NO_TARGET or prompt is None else prompt.logprobs[place + 1]
        for place, target in row.reads
    ]
    readings: Readings = {"logprobs": np.array(values, dtype=np.float64)}
    if extras.entropy:
        readings["entropies"] = np.full(n, np.nan)
    if extras.top:
        tops = prompt.tops if prompt else ()
        first = row.reads[0][0]
        rows = [tops[place - first] if place - first < len(tops) else {} for place, _ in row.reads]
        width = min((len(known) for known in rows), default=0)
        readings["top_ids"] = np.array([[*known][:width] for known in rows], dtype=np.int64).reshape(n, width)
        readings["top_logprobs"] = np.array([[*known.values()][:width] for known in rows]).reshape(n, width)
    return readings


def _joined(parts: Sequence[Readings]) -> Readings:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
