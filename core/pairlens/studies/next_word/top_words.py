"""What is expected at a position of a prefix: pieces, uncertainty, and the likeliest whole words, found exactly.

A word may have many pieces, and the likeliest piece need not begin the likeliest word. The search visits the
beginnings of words, the likeliest first. A beginning's log-probability bounds that of every word it begins, since
each further piece and the end of the word have a probability of at most 1:

    log p(word | prefix) = sum over its pieces + D(after its last piece) - D(after the prefix)

with D as in `pairlens.text.words.values`: the log mass of what ends a word. The search stops when no remaining
beginning is likelier than the last word of the answer, which is then proved. Beyond a limit of beginnings it gives
up, and the answer is marked as not proved.

A word counts as the tokenizer cuts it: pieces whose text it would cut otherwise make no word. Words follow one space,
or what `pairlens.text.joining.joint` returns. Where marks are words, they may also touch the prefix and are complete
by themselves, while a word with a mark inside (`3.5`) is not found. The end of the text is one of the answers.
"""

import heapq
import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens import measures
from pairlens.errors import ModelError, PolicyError
from pairlens.policies import Policy
from pairlens.studies.next_word.pieces import cut, pieces_of, stretches
from pairlens.text.joining import joint
from pairlens.text.words import parts_marks, unspaced_letter, word_positions
from pairlens.types import Expected, Extras, Predictor, Request, TokenScores

LIMIT = 512
"""The most beginnings of words visited for one prefix."""
_TOP = 1024
"""Pieces considered after each beginning; the last of them bounds all others."""
_AT_ONCE = 4
_SEARCHES = 32
"""Beginnings of one search, and searches, that share a forward pass."""
NOTHING = TokenScores((), (), (), (), tops=(), entropies=())
"""The scores of the beginning of a text."""


@dataclass(frozen=True, slots=True)
class TopWord:
    """A whole word, or the end of the text. `logprob` is in nats, `before` what joins the word to the prefix."""

    text: str
    logprob: float
    before: str
    pieces: tuple[str, ...]
    ends_text: bool = False


@dataclass(frozen=True, slots=True)
class TopWords:
    """Likeliest first. `proved`: no other word is likelier; `looked_at`: beginnings of words that were continued."""

    words: tuple[TopWord, ...]
    proved: bool
    looked_at: int


def top_words(
    predictor: Predictor,
    prefixes: Sequence[str],
    number: int,
    policy: Policy,
    limit: int = LIMIT,
    lengths: Sequence[int] = (),
) -> list[TopWords]:
    """The `number` likeliest whole words after each prefix (as the model reads it), in order.

    `lengths` gives the number of tokens of the text that a prefix begins, where that text is longer than the model's
    window: the prefix is then read in the windows in which the text is scored. Raises ModelError where the vocabulary
    does not show where words begin, PolicyError where word ends do not count.
    """
    places = list(zip(prefixes, lengths or [0] * len(prefixes), strict=True))
    distinct = list(dict.fromkeys(places))
    answers: dict[tuple[str, int], TopWords] = {}
    for start in range(0, len(distinct), _SEARCHES):
        batch = distinct[start : start + _SEARCHES]
        searches = [_Search(predictor, *place, number, policy, limit) for place in batch]
        while pending := [(search, path) for search in searches for path in search.wanted()]:
            rows = [search.ids + path.ids for search, path in pending]
            expected = predictor.expect(rows, _TOP, [search.length for search, _ in pending])
            for row, (search, path) in enumerate(pending):
                search.take(path, expected.row(row))
        answers |= {place: search.answer() for place, search in zip(batch, searches, strict=True)}
    return [answers[place] for place in places]


@dataclass(frozen=True, slots=True)
class _Path:
    """The pieces of a word's beginning, and the log-probability that bounds the words it begins."""

    ids: tuple[int, ...]
    bound: float


class _Search:
    """The search after one prefix: names beginnings of words and takes what follows them, in turns."""

    def __init__(
        self, predictor: Predictor, prefix: str, length: int, number: int, policy: Policy, limit: int
    ) -> None:
        self._tokenizer = predictor.tokenizer
        self._pieces = pieces_of(self._tokenizer)
        self.ids, self.length = cut(self._tokenizer, prefix), length
        self._last = stretches(self._tokenizer, prefix)[-1] if prefix else ""
        self._last_ids = cut(self._tokenizer, self._last)
        self._prefix, self._joint = prefix, joint(prefix, always=self._pieces.whole)
        self._number, self._policy, self._limit = number, policy, limit
        self._frontier: list[tuple[float, tuple[int, ...], _Path, Iterator[_Path]]] = []
        self._words: dict[str, TopWord] = {}
        self._worst = self._hidden = -math.inf
        self._parted = False
        self._looked_at = 0

    def wanted(self) -> list[_Path]:
        """The beginnings whose continuations are needed next; none when the search is over."""
        if not self._looked_at:
            return [_Path((), 0.0)]
        paths: list[_Path] = []
        most = min(max(_AT_ONCE, self._number), self._limit - self._looked_at)
        while self._frontier and len(paths) < most and self._frontier[0][2].bound > self._worst:
            _, _, path, siblings = heapq.heappop(self._frontier)
            self._push(siblings)
            # It needs no further prediction: it is a token, or a mark of its own.
            if self._pieces.whole or (self._parted and bool(self._pieces.only_marks[path.ids[0]])):
                self._keep(path, 0.0)
            else:
                paths.append(path)
        return paths

    def take(self, path: _Path, expected: Expected) -> None:
        """Take what follows a beginning: its word may end there, and longer beginnings may follow."""
        self._looked_at += 1
        end = self._pieces.word_end(expected, self._policy)
        if path.ids:
            self._keep(path, end)
            bound, allowed = path.bound, self._pieces.other | (self._pieces.marks & (not self._parted))
        else:
            self._parted = parts_marks(expected, self._policy)
            bound, allowed = -end if self._joint else 0.0, self._beginnings()
            self._keep_end(bound + expected.eos_logprobs[0])
        ids, logprobs = expected.ids[0], expected.logprobs[0]
        if len(ids) < self._tokenizer.size:
            self._hidden = max(self._hidden, bound + float(logprobs[-1]))
        fitting = np.zeros(len(ids), dtype=bool)
        named = ids < len(allowed)  # some networks have more outputs than their vocabulary has entries
        fitting[named] = allowed[ids[named]]
        longer = zip(ids[fitting].tolist(), (bound + logprobs[fitting]).tolist(), strict=True)
        self._push(_Path((*path.ids, id), bound) for id, bound in longer)

    def answer(self) -> TopWords:
        left = max([self._hidden, *(path.bound for _, _, path, _ in self._frontier)])
        return TopWords(tuple(self._best()), left <= self._worst, self._looked_at)

    def _push(self, siblings: Iterator[_Path]) -> None:
        if (path := next(siblings, None)) is not None:
            heapq.heappush(self._frontier, (-path.bound, path.ids, path, siblings))

    def _beginnings(self) -> NDArray[np.bool_]:
        """Pieces that may follow the prefix and begin a word."""
        pieces = self._pieces
        if self._joint:
            return pieces.spaced | (pieces.marks & self._parted)
        return pieces.other | pieces.marks | (pieces.spaced & (not self._prefix))

    def _keep(self, path: _Path, end: float) -> None:
        """Keep the word of these pieces, if they make one; `end` is the log-probability that it ends after them."""
        if path.bound <= self._worst:
            return
        before = " " if self._pieces.spaced[path.ids[0]] and self._prefix else ""
        text = str(self._tokenizer.backend.decode(list(path.ids), skip_special_tokens=False)).strip()
        whole = self._last + before + text
        if text and self._is_word(path, whole):
            value = path.bound + (0.0 if unspaced_letter(whole, len(whole) - 1, -1) else end)
            shown = tuple(self._pieces.shown[id] for id in path.ids)
            self._add(TopWord(text, value, before, shown))

    def _keep_end(self, value: float) -> None:
        """Keep the end of the text, where the model has a symbol for it."""
        if self._tokenizer.end is not None and not math.isnan(value):
            symbol = self._pieces.shown[self._tokenizer.end]
            self._add(TopWord(symbol, value, "", (symbol,), ends_text=True))

    def _add(self, word: TopWord) -> None:
        known = self._words.get(word.text)
        if known is None or known.logprob < word.logprob:
            self._words[word.text] = word
            best = self._best()
            self._worst = best[-1].logprob if len(best) == self._number else -math.inf

    def _best(self) -> list[TopWord]:
        return sorted(self._words.values(), key=lambda word: (-word.logprob, word.text))[: self._number]

    def _is_word(self, path: _Path, whole: str) -> bool:
        """Whether the tokenizer cuts prefix (its last words do) and word into these pieces, and it is one word."""
        encoding = self._tokenizer.backend.encode(whole, add_special_tokens=False)
        if tuple(encoding.ids) != self._last_ids + path.ids:
            return False
        if self._pieces.whole:
            return True
        owners = word_positions(encoding.offsets, whole, self._policy.punctuation)
        before, own = owners[: len(self._last_ids)], set(owners[len(self._last_ids) :])
        touches = not self._joint  # after an elision the word is part of the one before it
        return len(own) == 1 and -1 not in own and (touches or own.isdisjoint(before))


TOP_K = 10
GOES_ON = 0.05
"""A piece is shown with … after it if its word continues at least this often."""
_TOKENS = 40_000
"""Most tokens read in the search for whole words: after long prefixes it visits fewer beginnings of words."""


@dataclass(frozen=True, slots=True, eq=False)
class NextTokens:
    """What is expected after `text`, a prefix up to one of its positions.

    `pieces`: rank, piece (a leading space is written ·, … follows where the word may well continue), adds (the text
    that it adds, empty if it cannot be added), probability, goes_on (the probability that the word continues, NaN
    where the vocabulary does not say). `words` are whole words; without any, `no_words` gives the reason. `entropy`
    is in bits, over tokens.
    """

    text: str
    pieces: pd.DataFrame
    words: TopWords | None
    no_words: str
    entropy: float


def places(prefix: str, predictor: Predictor) -> pd.DataFrame:
    """The uncertainty at each position of a prefix (as the model reads it), from the start symbol on, if it has one.

    Columns: position (the number of pieces before it), label (the last of them), text (up to there), entropy (bits).
    """
    shown = pieces_of(predictor.tokenizer).shown
    rows = [] if predictor.start is None else [(0, shown[predictor.start], "")]
    (scores,) = predictor.score([Request("", prefix)], Extras(entropy=True)) if prefix else (NOTHING,)
    cuts = zip(scores.ids, scores.spans, strict=True)
    rows += [(place, shown[id], prefix[:end]) for place, (id, (_, end)) in enumerate(cuts, start=1)]
    entropies = [value for value in scores.entropies or () if not math.isnan(value)]
    entropies.append(predictor.expect([scores.ids], 1).entropies[0])
    frame = pd.DataFrame(rows, columns=["position", "label", "text"])
    return frame.assign(entropy=measures.bits(np.asarray(entropies)))


def next_tokens(prefix: str, position: int, predictor: Predictor, policy: Policy) -> NextTokens:
    """What is expected after the first `position` pieces of a prefix (as the model reads it)."""
    encoding = predictor.tokenizer.backend.encode(prefix, add_special_tokens=False)
    ids = tuple(encoding.ids[:position])
    text = prefix[: encoding.offsets[position - 1][1]] if position else ""
    expected = predictor.expect([ids], TOP_K)
    words, no_words = None, ""
    try:
        limit = min(LIMIT, max(2 * TOP_K, _TOKENS // (len(ids) + 1)))
        (words,) = top_words(predictor, [text], TOP_K, policy, limit)
    except (ModelError, PolicyError) as error:
        no_words = str(error)
    pieces = _top_pieces(ids, expected, predictor, policy)
    return NextTokens(text, pieces, words, no_words, measures.bits(expected.entropies[0]))


def _top_pieces(ids: tuple[int, ...], expected: Expected, predictor: Predictor, policy: Policy) -> pd.DataFrame:
    pieces = pieces_of(predictor.tokenizer)
    top: list[int] = expected.ids[0].tolist()
    after = predictor.expect([(*ids, id) for id in top], 1)
    rows = []
    for rank, (id, logprob) in enumerate(zip(top, expected.logprobs[0].tolist(), strict=True), start=1):
        adds = "" if pieces.texts is None or id in predictor.tokenizer.reserved else pieces.texts[id]
        goes_on = math.nan
        if adds:
            with suppress(ModelError, PolicyError):  # the vocabulary or the policy does not say
                goes_on = max(0.0, 1.0 - measures.probability(pieces.word_end(after.row(rank - 1), policy)))
        shown = pieces.shown[id] + ("…" if goes_on >= GOES_ON else "")
        rows.append((rank, shown, "" if "\ufffd" in adds else adds, measures.probability(logprob), goes_on))
    return pd.DataFrame(rows, columns=["rank", "piece", "adds", "probability", "goes_on"])
