"""The words of a text, and the word each token belongs to.

A text is first cut into segments: at white space; into single characters where the script is written without spaces
(Han, Hiragana, Katakana; Thai, Lao, Khmer and Burmese have no spaces either, but cutting them takes a dictionary, so
what stands between two spaces is one word there); and between words and punctuation marks. Where the author put
spaces between such characters (`小男孩 游 了 泳。`), what stands between them is the word: see `is_segmented`.

A mark is any character of Unicode's categories P. Apostrophes, hyphens and the like between two letters or digits
(`don't`, `est-ce`, `3.5`) are part of the word; a row of the same mark (`...`, `--`) is one segment.

The punctuation policy then assigns the marks:

    previous   part of the word before them; an opening mark (one that touches a word on its right only, or an opening
               bracket or quotation mark) is part of the word it opens; so is any mark before the first word
    next       part of the word after them, whatever stands between; at the very end of the last word
    separate   words of their own
    ignore     left out

so that under `previous`, the default, a word stands between white spaces, except for spaced marks (`oui !`) and inner
dashes.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pairlens.types import Span

_CHUNK = re.compile(r"\S+")
_UNSPACED = re.compile(
    "[々〇\u3041-\u309f\u30a0-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U000323af]"
)
_GAP = re.compile(rf"(?<={_UNSPACED.pattern})(?:[^\w\u3099\u309a]|_)+(?={_UNSPACED.pattern})")
"""What stands between two characters of such scripts (U+3099 and U+309A are part of the one before them)."""
_APOSTROPHES_AND_HYPHENS = frozenset("'’ʼ＇-‐‑")
_REPEATED = 40
"""Longer stretches without white space, a whole text in Chinese, are hardly met twice: they are not remembered."""
_JOINERS = _APOSTROPHES_AND_HYPHENS | frozenset(".,:/_&@·・")


class Segment(NamedTuple):
    """A stretch of the text without white space; `mark` if it consists of punctuation."""

    start: int
    end: int
    mark: bool


@lru_cache(maxsize=4096)
def is_mark(character: str) -> bool:
    """Whether a character is punctuation in Unicode's sense (categories Pc, Pd, Pe, Pf, Pi, Po, Ps)."""
    return unicodedata.category(character)[0] == "P"


@lru_cache(maxsize=4096)
def is_unspaced(character: str) -> bool:
    """Whether a character is a word of its own: Han, Hiragana or Katakana."""
    return bool(_UNSPACED.match(character)) and not is_mark(character)


def is_segmented(text: str) -> bool:
    """Whether the author cut a text of a script without spaces into words: at least as many of the characters that do
    not touch are parted by spaces as by marks or line ends. A stray space in running text does not count.
    """
    gaps: list[str] = [] if text.isascii() else _GAP.findall(text)
    spaces = sum(gap.isspace() and "\n" not in gap for gap in gaps)
    return 0 < spaces >= len(gaps) - spaces


def separates(text: str) -> bool:
    """Whether a token with this text, following a word directly, ends that word where marks are separate words.

    It does if it begins with a mark; apostrophes and hyphens do not count: mostly the word continues after them.
    """
    return bool(text) and is_mark(text[0]) and text[0] not in _APOSTROPHES_AND_HYPHENS


def _joins(chunk: str, place: int, characters: bool) -> bool:
    if chunk[place] not in _JOINERS or place == 0 or place + 1 == len(chunk):
        return False
    sides = chunk[place - 1], chunk[place + 1]
    return not any(is_mark(side) or (characters and is_unspaced(side)) for side in sides)


def segments(text: str, characters: bool) -> list[Segment]:
    """The text cut at white space and around marks; with `characters` around those of scripts without spaces too."""
    return [
        Segment(match.start() + start, match.start() + end, mark)
        for match in _CHUNK.finditer(text)
        for start, end, mark in (_cut if len(match[0]) <= _REPEATED else _cut.__wrapped__)(match[0], characters)
    ]


@lru_cache(maxsize=16_384)
def _cut(chunk: str, characters: bool) -> tuple[Segment, ...]:
    if chunk.isascii() and chunk.isalnum():
        return (Segment(0, len(chunk), False),)
    cuts = [0, *(place for place in range(1, len(chunk)) if _cut_before(chunk, place, characters)), len(chunk)]
    return tuple(Segment(start, end, is_mark(chunk[start])) for start, end in pairwise(cuts))


def _cut_before(chunk: str, place: int, characters: bool) -> bool:
    """Whether a segment ends before this place of a chunk without white space."""
    left, right = chunk[place - 1], chunk[place]
    if unicodedata.category(right)[0] == "M":  # accents and variation selectors belong to what they modify
        return False
    if characters and (is_unspaced(left) or is_unspaced(right)):
        return True
    left_mark = is_mark(left) and not _joins(chunk, place - 1, characters)
    right_mark = is_mark(right) and not _joins(chunk, place, characters)
    if left_mark and right_mark:
        return left != right
    return left_mark != right_mark


class Words(NamedTuple):
    """The words of a text: the span of each, and for each segment of the text the index of its word, -1 if none."""

    spans: list[Span]
    segments: list[Segment]
    owners: list[int]


@lru_cache(maxsize=4)
def find_words(text: str, punctuation: str, characters: bool = False) -> Words:
    """Cut a text into segments and assign each to a word, by one of the punctuation policies.

    With `characters`, those of scripts without spaces are words even in a text that its author segmented.
    """
    characters = characters or not is_segmented(text)
    if punctuation != "previous":
        return _assigned(text, punctuation, characters)
    whole = Words([], [], [])
    for match in _CHUNK.finditer(text):
        own = (_own_words if len(match[0]) <= _REPEATED else _own_words.__wrapped__)(match[0], characters)
        if own is None:
            return _assigned(text, punctuation, characters)
        start, count = match.start(), len(whole.spans)
        whole.spans.extend((start + a, start + b) for a, b in own.spans)
        whole.segments.extend(Segment(start + a, start + b, mark) for a, b, mark in own.segments)
        whole.owners.extend(count + owner for owner in own.owners)
    return whole


@lru_cache(maxsize=16_384)
def _own_words(chunk: str, characters: bool) -> Words | None:
    """The words of a stretch without white space under `previous`, whatever stands around it; None if it has none.

    A mark that touches a word never belongs to one beyond a space, so that such stretches can be remembered.
    """
    spans = _assigned(chunk, "previous", characters)
    return None if all(segment.mark for segment in spans.segments) else spans


def _assigned(text: str, punctuation: str, characters: bool) -> Words:
    """As `find_words`, for all segments together."""
    own = segments(text, characters)
    heads = _heads(text, own, punctuation)
    index = {head: word for word, head in enumerate(sorted(set(heads) - {-1}))}
    owners = [index.get(head, -1) for head in heads]
    spans: list[Span] = [(len(text), 0)] * len(index)
    for segment, owner in zip(own, owners, strict=True):
        if owner >= 0:
            start, end = spans[owner]
            spans[owner] = (min(start, segment.start), max(end, segment.end))
    return Words(spans, own, owners)


def _heads(text: str, parts: Sequence[Segment], punctuation: str) -> list[int]:
    """For each segment the one that heads its word: itself, for a folded mark its neighbour, -1 if left out."""
    if punctuation == "separate":
        return list(range(len(parts)))
    if punctuation == "ignore":
        return [-1 if segment.mark else i for i, segment in enumerate(parts)]
    if all(segment.mark for segment in parts):  # no word to fold into: the marks are one
        return [0] * len(parts)
    before = _nearest_words(parts, range(len(parts)))
    after = _nearest_words(parts, range(len(parts) - 1, -1, -1))
    heads = list(range(len(parts)))
    for i, segment in enumerate(parts):
        if segment.mark:
            (left, touches_left), (right, touches_right) = before[i], after[i]
            opens = unicodedata.category(text[segment.start]) in ("Ps", "Pi")
            opening = touches_right and opens if touches_left else touches_right or opens
            follows = i > 0 and parts[i - 1].mark and heads[i - 1] == right  # marks do not cross one another
            forward = punctuation == "next" or opening or follows
            heads[i] = right if right >= 0 and (forward or left < 0) else left
    return heads


def _nearest_words(parts: Sequence[Segment], order: range) -> list[tuple[int, bool]]:
    """For each segment the last word met in this order, and whether only marks and no space lie between."""
    nearest = [(-1, False)] * len(parts)
    word, touching = -1, False
    for i in order:
        if i != order.start:
            last = i - order.step
            touching = touching and parts[min(i, last)].end == parts[max(i, last)].start
        nearest[i] = (word, touching)
        if not parts[i].mark:
            word, touching = i, True
    return nearest


def word_spans(text: str, punctuation: str = "previous") -> list[Span]:
    """The words of a text, in order, as spans of characters (a word folded with a distant mark spans the space)."""
    return list(find_words(text, punctuation).spans)


def first_character(span: Span, text: str) -> int:
    """The place of the first character of a token that is not white space, in a text that has one.

    A token of white space alone (or of no characters, before a letter) introduces what follows it; at the end of the
    text, and with no characters before a space (the later bytes of an emoji), it continues what precedes it.
    """
    start, end = span
    if start < len(text) and not text[start].isspace():
        return start
    chunks = _chunks(text)
    after = bisect_right(chunks, (start, start))
    if after < len(chunks) and start < end:
        return chunks[after][0]
    if after:
        return chunks[after - 1][1] - 1
    return chunks[after][0] if chunks else len(text)


@lru_cache(maxsize=4)
def _chunks(text: str) -> list[Span]:
    """The stretches without white space: a long run of it is searched once, not for each of its tokens."""
    return [match.span() for match in _CHUNK.finditer(text)]


def positions_in(stretches: Sequence[Span], spans: Sequence[Span], text: str) -> list[int]:
    """For each token the index of the sorted, disjoint stretch that holds its first character, -1 if none does."""
    if not text.strip():
        return [-1] * len(spans)
    starts = [start for start, _ in stretches]
    firsts = [first_character(span, text) for span in spans]
    positions = [bisect_right(starts, first) - 1 for first in firsts]
    return [i if i >= 0 and first < stretches[i][1] else -1 for i, first in zip(positions, firsts, strict=True)]


def word_positions(
    spans: Sequence[Span], text: str, punctuation: str = "separate", *, characters: bool = False
) -> list[int]:
    """The position of each token's word among the words of the text, from 0; -1 for a mark that is left out.

    `spans` are the tokens' characters in `text`. A token over several words belongs to the one that holds its first
    character that is not white space; white space alone belongs to the word it introduces, at the end of the text to
    the last. Positions count the words of the whole text, also those without a token.

    The default is what masking within words needs (Kauf & Ivanova 2023): a mark is no later piece of the word it
    follows. Tables use the policy's own punctuation. `characters` as in `find_words`: log-probabilities of tokens do
    not depend on whether a text looks segmented.
    """
    in_words = find_words(text, punctuation, characters)
    at = positions_in([segment[:2] for segment in in_words.segments], spans, text)
    return [in_words.owners[i] if i >= 0 else -1 for i in at]
