"""Regions of a sentence: how a table marks them, and the one that is analysed as chosen by hand.

A table has bars between regions, or a column of their positions or words.
"""

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from core.text.words import is_mark, word_spans
from core.types import Span

COLUMN, BARS, WORDS, WHOLE = "column", "bars", "words", "sentence"
BAR = "|"
_POSITION = r"\d{1,6}(\.0)?"
"""Also 3.0, as programs write whole numbers in a column with gaps."""
_POSITIONS = re.compile(rf"{_POSITION}(\s*,\s*{_POSITION})*")
_CHUNK = re.compile(r"[^\W_]_[^\W_]")

Positions = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """The region of each sentence that is analysed.

    `by` is `column` (as in the design), `bars` (`expected` and `unexpected` count regions between bars), `words`
    (they count words) or `sentence` (all of it). Both count from 0. `expected` also applies to unpaired sentences.
    """

    by: str = COLUMN
    expected: Positions = ()
    unexpected: Positions = ()


def parts(sentence: Mapping[Hashable, object], punctuation: str) -> list[Span]:
    """The spans that the positions of a sentence's region count: between its bars, else its words."""
    bars = sentence.get("bars")
    return list(bars) if isinstance(bars, tuple) else word_spans(str(sentence["sentence"]), punctuation)


def shares(sentences: pd.DataFrame, spill: int = 0) -> pd.DataFrame:
    """The share of sentences (0 to 1) whose region has each position: position, region (`ROI`, `ROI+1`), share."""
    given = [roi for roi in sentences.get("roi", ()) if isinstance(roi, tuple) and roi]
    counted = [(place, "ROI") for roi in given for place in set(roi)]
    counted += [(max(roi) + after, f"ROI+{after}") for roi in given for after in range(1, spill + 1)]
    counts = pd.DataFrame(counted, columns=["position", "region"]).value_counts(sort=False).reset_index()
    return counts.assign(share=counts["count"] / max(len(sentences), 1)).drop(columns="count")


def has_chunks(sentence: str) -> bool:
    """Whether words are joined by `_`, as Ibex joins those that are shown together."""
    return bool(_CHUNK.search(sentence))


def with_bars(sentence: str, joint: str) -> str:
    """A sentence whose words are joined into chunks, with bars between these.

    >>> with_bars("The_key is_here now.", "_")
    'The key | is here | now.'
    """
    return f" {BAR} ".join(chunk.replace(joint, " ") for chunk in sentence.split())


def part_at_bars(sentence: str) -> tuple[str, tuple[Span, ...]]:
    """The sentence without its bars, and the span of each region between them.

    White space on either side of a bar becomes one space; without any, the regions are joined. A region may be empty:
    it still counts, so that the regions of two sentences have the same numbers.

    >>> part_at_bars("The key |to the cabinets| is here.")
    ('The key to the cabinets is here.', ((0, 7), (8, 23), (24, 32)))
    """
    text, spans, spaced = "", [], False
    for part in sentence.split(BAR):
        region = part.strip()
        if region and text and (spaced or part[0].isspace()):
            text += " "
        spans.append((len(text), len(text) + len(region)))
        text += region
        spaced = part[-1:].isspace() or (spaced and not region)
    return text, tuple(spans)


def positions(cell: str) -> tuple[int, ...] | None:
    """The distinct positions in a cell such as `3,4`, in order; None if it holds anything else.

    >>> positions("4, 3"), positions("three")
    ((3, 4), None)
    """
    cell = cell.strip().removeprefix("[").removesuffix("]").strip()
    return tuple(sorted({int(float(one)) for one in cell.split(",")})) if _POSITIONS.fullmatch(cell) else None


def places_of(cell: str, words: Sequence[str]) -> tuple[int, ...]:
    """The places of the words that a cell names, if they occur once, else none; neither capitals nor marks around
    words matter.

    >>> places_of("was", ["The", "key", "was,", "rusty."]), places_of("the", ["The", "key", "to", "the", "door"])
    ((2,), ())
    """
    hits = list(_hits(_bare(cell), [_bare(word) for word in words]))
    return hits[0] if len(hits) == 1 else ()


def _hits(wanted: str, words: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """The runs of words whose letters are those that are wanted."""
    for first, word in enumerate(words):
        text, last = word, first
        while word and len(text) < len(wanted) and last + 1 < len(words):
            last += 1
            text += words[last]
        if wanted and text == wanted:
            yield tuple(range(first, last + 1))


def _bare(text: str) -> str:
    """In lower case, without white space and the marks around each word."""
    marks = "".join(filter(is_mark, set(text)))
    return "".join(word.strip(marks) for word in text.casefold().split())
