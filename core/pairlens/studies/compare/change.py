"""One word of a typed pair exchanged for another: in both sentences where they share it, else in its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from pairlens.studies.compare.typed import SentencePair

_MARKS = ".,;:!?…\"'“”‘’«»()[]"


@dataclass(frozen=True, slots=True)
class Word:
    """A word without the marks around it, and its place among the words of each sentence; None where it is not."""

    text: str
    place_a: int | None
    place_b: int | None


def words_of(pair: SentencePair) -> list[Word]:
    """The words of a pair, between spaces, in reading order: those of A, then those of B, where they differ."""
    a, b = (sentence.split() for sentence in pair)
    start = _shared(a, b)
    end = _shared(a[start:][::-1], b[start:][::-1])
    before = [Word(_bare(a[n]), n, n) for n in range(start)]
    own = [Word(_bare(a[n]), n, None) for n in range(start, len(a) - end)]
    others = [Word(_bare(b[n]), None, n) for n in range(start, len(b) - end)]
    after = [Word(_bare(a[len(a) - n]), len(a) - n, len(b) - n) for n in range(end, 0, -1)]
    return [word for word in (*before, *own, *others, *after) if word.text]


def changed(pair: SentencePair, word: Word, text: str) -> SentencePair:
    """The pair with `text` in place of a word; marks around the word stay."""
    a, b = (
        _exchanged(sentence, place, text) for sentence, place in zip(pair, (word.place_a, word.place_b), strict=True)
    )
    return a, b


def _exchanged(sentence: str, place: int | None, text: str) -> str:
    if place is None:
        return sentence
    words = sentence.split()
    bare = _bare(words[place])
    words[place] = words[place].replace(bare, text.strip(), 1)
    return " ".join(word for word in words if word)


def _shared(a: Sequence[str], b: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(a, b, strict=False)))


def _bare(word: str) -> str:
    return word.strip(_MARKS)
