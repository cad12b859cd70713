"""The regions by which the maps of many items are laid over each other, and their tokens.

Regions are what stands between bars, if all items have equally many; else words, if all beginnings have equally many;
else, as far as all items have them, the last word before the place of difference, that place, the first word after it
and the last word. The start symbol is one of its own. A region is represented by its last token, as in CausalGym
(Arora, Jurafsky & Potts 2024, "CausalGym: Benchmarking causal interpretability methods on linguistic tasks").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from core.errors import InputError
from core.studies.inside.tokens import Cutter
from core.tasks._beginnings import Beginnings, Spans
from core.types import Span

START, BEFORE, DIFFERENCE, AFTER, END = ("start", "before", "difference", "after", "end")
_MOST_WORDS = 24
Named = dict[str, tuple[Span, Span]]
"""By name, the characters of a region in the first and in the second beginning."""


def regions(of: Sequence[Beginnings]) -> list[Named]:
    """For each item its regions, under the same names in all; InputError where they have none in common."""
    barred = {len(spans) for one in of for spans in one.regions}
    words = [(_words(one.texts[0]), _words(one.texts[1])) for one in of]
    counts = {len(spans) for pair in words for spans in pair}
    if len(barred) == 1 and 0 not in barred:
        return _in_order([one.regions for one in of], of, "region")
    if len(counts) == 1 and counts.pop() <= _MOST_WORDS:
        return _in_order(words, of, "word")
    found = [_around(*pair, one) for pair, one in zip(words, of, strict=True)]
    shared = [name for name in found[0] if all(name in one for one in found)]
    return [{name: one[name] for name in shared} for one in found]


def places(named: Named, texts: tuple[str, str], cutter: Cutter) -> list[tuple[int, int]]:
    """The last token of each region in both texts, after the start symbol if there is one.

    InputError where a region has no last token of its own in one of them.
    """
    cut = cutter.spans(texts[0]), cutter.spans(texts[1])
    found = [(0, 0)] if cutter.has_symbol else []
    for name, (first, second) in named.items():
        pair = _ending(cut[0], first[1]), _ending(cut[1], second[1])
        if -1 in pair:
            raise InputError(f"the region '{name}' ends inside a token")
        found.append(pair)
    return found


def _ending(spans: Sequence[Span], end: int) -> int:
    """The last token that ends there; -1 if none does."""
    return max((place for place, (start, stop) in enumerate(spans) if start < stop == end), default=-1)


def _words(text: str) -> Spans:
    return tuple(match.span() for match in re.finditer(r"\S+", text))


def _in_order(spans: Sequence[tuple[Spans, Spans]], of: Sequence[Beginnings], kind: str) -> list[Named]:
    """Regions one by one, named by what stands there in all items or that it is the place of difference."""
    names: list[str] = []
    for place in range(len(spans[0][0])):
        written = [
            (one.texts[0][slice(*first[place])], one.texts[1][slice(*second[place])])
            for one, (first, second) in zip(of, spans, strict=True)
        ]
        texts = {text for pair in written for text in pair}
        name = texts.pop() if len(texts) == 1 else f"{kind} {place + 1}"
        name = DIFFERENCE if all(first != second for first, second in written) else name
        names.append(name if name not in names else f"{name} ({place + 1})")
    return [{name: (first[place], second[place]) for place, name in enumerate(names)} for first, second in spans]


def _around(first: Spans, second: Spans, one: Beginnings) -> Named:
    """The regions around the place of difference, by words."""
    words = [[text[slice(*span)] for span in spans] for text, spans in zip(one.texts, (first, second), strict=True)]
    start = _shared(*words)
    end = min(_shared(words[0][::-1], words[1][::-1]), len(first) - start, len(second) - start)
    stops = len(first) - end, len(second) - end
    found: Named = {BEFORE: (first[start - 1], second[start - 1])} if start else {}
    if min(stops) > start:
        found[DIFFERENCE] = (first[start][0], first[stops[0] - 1][1]), (second[start][0], second[stops[1] - 1][1])
    if end > 1:
        found[AFTER] = first[stops[0]], second[stops[1]]
    if end:
        found[END] = first[-1], second[-1]
    return found


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
