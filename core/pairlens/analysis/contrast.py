"""Where two sentences diverge, and where the decision between them falls: the words of a pair side by side.

A difference is positive where it favours A, whose word is then the less surprising. For a causal model, the words
before the first difference are shared, because their contexts are the same. After it, even equal words differ in
value, since their contexts do. A masked model sees both sides of every word, so that nothing is shared and a running
difference has no meaning.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

import numpy as np
import pandas as pd

from pairlens import measures
from pairlens.messages import Message
from pairlens.text.words import Word

_Block = tuple[str, int, int, int, int]
"""Whether a stretch is equal, and its start and end in A and in B (as difflib's opcodes)."""
_COLUMNS = ["word_a", "word_b", "index_a", "index_b", "surprisal_a_bits", "surprisal_b_bits", "difference_bits"]


class Place(NamedTuple):
    """A position of the aligned words; a word is empty where only the other sentence has one."""

    position: int
    word_a: str
    word_b: str

    def __str__(self) -> str:
        if self.word_a == self.word_b:
            return self.word_a
        return f"{self.word_a or 'nothing'} | {self.word_b or 'nothing'}"


@dataclass(frozen=True)
class Contrast:
    """The words of A and B side by side.

    `frame` has one row per aligned position:

        position                              int    from 0
        word_a, word_b                        str    empty where only the other sentence has a word
        index_a, index_b                      int    the word's position in A or B, -1 if empty
        surprisal_a_bits, surprisal_b_bits    float  missing if empty or unscored
        difference_bits                       float  surprisal of B minus that of A (an empty one is 0): > 0 favours A
        shared                                bool   the same word after the same words (left to right only)
        running_bits                          float  sum of the differences so far, without unscored ones; missing
                                                     unless the words add up to the compared value

    `first` is the first place where the words differ, `settled` the place from which on the running difference keeps
    the sign of the decision. `minimal`: the sentences differ in one place only, are equally long and share a word.
    The notes are sentences, or empty.
    """

    frame: pd.DataFrame
    first: Place | None
    settled: Place | None
    minimal: bool
    prefix_note: str
    unscored_note: str
    additive: bool

    @property
    def where(self) -> str:
        """Where the sentences diverge and, if known, where the decision falls; empty if all words are equal."""
        if self.first is None:
            return ""
        first, settled = str(self.first), str(self.settled)
        if not self.additive:
            return Message("They differ at {place}.", place=first.removesuffix("."))
        if self.settled is None:
            return Message("First differs at {place}.", place=first.removesuffix("."))
        if self.settled == self.first:
            return Message("First differs at {place}; settled there.", place=first)
        return Message("First differs at {place}; settled at {later}.", place=first, later=settled.removesuffix("."))


def contrast(
    a: Sequence[Word], b: Sequence[Word], *, left_to_right: bool = True, margin: float = math.nan
) -> Contrast:
    """Align the words of two sentences.

    `margin` is the value of sentence A minus that of B, in nats, if it is a sum to which the words add up (but for
    the end term of `pairlens.text.words.values`): summed log-probabilities of a causal model. Without it there is no
    running difference.
    """
    additive = left_to_right and not math.isnan(margin)
    blocks = _blocks([word.text for word in a], [word.text for word in b])
    frame = pd.DataFrame([_row(a, b, i, j) for i, j in _aligned(blocks)], columns=_COLUMNS)
    frame.insert(0, "position", range(len(frame)))
    differs = frame["word_a"].ne(frame["word_b"])
    frame["shared"] = left_to_right & ~differs.cummax()
    steps = frame["difference_bits"].fillna(0.0)
    frame["running_bits"] = steps.cumsum() if additive else np.nan
    first = _place(frame, int(differs.argmax())) if differs.any() else None
    unscored = ", ".join(dict.fromkeys(word.text for word in (*a, *b) if math.isnan(word.value)))
    changed = [block for block in blocks if block[0] != "equal"]
    return Contrast(
        frame=frame,
        first=first,
        settled=_settled(frame, first, margin) if additive and first else None,
        minimal=len(changed) <= 1 and len(a) == len(b) and len(changed) < len(blocks),
        prefix_note=_prefix_note(a, b, frame, first) if left_to_right and first else "",
        unscored_note=Message("Not scored under these choices: {words}.", words=unscored) if unscored else "",
        additive=additive,
    )


def _blocks(a: Sequence[str], b: Sequence[str]) -> list[_Block]:
    """Stretches of words that are equal or not: the common beginning first, then what difflib finds."""
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    rest = SequenceMatcher(None, a[start:], b[start:], autojunk=False).get_opcodes()
    shifted = [(tag, i + start, k + start, j + start, m + start) for tag, i, k, j, m in rest]
    return [("equal", 0, start, 0, start), *shifted] if start else [*shifted]


def _aligned(blocks: Sequence[_Block]) -> Iterator[tuple[int, int]]:
    """Pairs of word indices, -1 for an empty one; the words of a replaced stretch are paired in order."""
    for _, a_start, a_end, b_start, b_end in blocks:
        for step in range(max(a_end - a_start, b_end - b_start)):
            i, j = a_start + step, b_start + step
            yield (i if i < a_end else -1), (j if j < b_end else -1)


def _row(a: Sequence[Word], b: Sequence[Word], i: int, j: int) -> tuple[str, str, int, int, float, float, float]:
    words = [words[place] if place >= 0 else None for words, place in ((a, i), (b, j))]
    costs = [measures.surprisal(word.value) if word else math.nan for word in words]
    of_a, of_b = (cost if word else 0.0 for word, cost in zip(words, costs, strict=True))
    text_a, text_b = (word.text if word else "" for word in words)
    return text_a, text_b, i, j, costs[0], costs[1], of_b - of_a


def _place(frame: pd.DataFrame, position: int) -> Place:
    row = frame.iloc[position]
    return Place(position, str(row["word_a"]), str(row["word_b"]))


def _settled(frame: pd.DataFrame, first: Place, margin: float) -> Place | None:
    """The place from which on the running difference has the sign of the margin; None if there is none."""
    running = frame["running_bits"].to_numpy()
    signs = np.where(np.abs(running) > measures.bits(measures.PRECISION), np.sign(running), 0.0)
    other = np.flatnonzero(signs != np.sign(margin))
    position = max(first.position, int(other[-1]) + 1 if len(other) else 0)
    return _place(frame, position) if margin != 0 and position < len(frame) else None


def _prefix_note(a: Sequence[Word], b: Sequence[Word], frame: pd.DataFrame, first: Place) -> str:
    """A note if one of the first differing words is a prefix of the other and the end of the word is not counted."""
    short, long = sorted((first.word_a, first.word_b), key=len)
    if not short or not long.startswith(short):
        return ""
    row = frame.iloc[first.position]
    word = a[int(row["index_a"])] if short == first.word_a else b[int(row["index_b"])]
    if word.variant != "sum" and not word.variant.endswith("start only"):
        return ""
    return Message("{word} here means {word}…: the end of the word is not counted.", word=short)
