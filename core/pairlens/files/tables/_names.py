"""Tables whose first row names no columns but is a row like the others."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

_WORDS = 3
"""So many words may be a sentence without a mark at its end: names of columns usually have fewer."""
_IN_NAMES = re.compile(r"(?i)\b(good|bad|sentences?|texts?|(in)?correct|(un)?acceptable|(un)?grammatical)\b")
"""What longer names of columns say: *The good sentence*."""
_CLOSING = "\"'”’»)"
_JUDGEMENTS = re.compile(r"|[-+]?\d+([.,]\d+)?|[*?#%]+")
"""Numbers, and the marks of judgements in linguistics; an empty cell too."""
LOOKED_AT = 50


def named(rows: Iterator[Any]) -> tuple[Iterator[Any], bool]:
    """Rows that end in their cells, with a row of names first, and whether it had to be made.

    It is if the first row has a sentence and its other cells are sentences, numbers, marks, or values that come again
    below. Two columns of sentences are called `good` and `bad`, in the usual order of minimal pairs; others are
    numbered.
    """
    first = [*islice(rows, LOOKED_AT)]
    everything = chain(first, rows)
    cells = [cell.strip() for cell in first[0][-1]] if first else []
    below = [[row[-1][place].strip() for row in first[1:] if place < len(row[-1])] for place in range(len(cells))]
    sentences = [*map(_is_sentence, cells, below)]
    if len(cells) < 2 or not any(sentences):
        return everything, False
    for place, cell in enumerate(cells):
        if not (sentences[place] or _JUDGEMENTS.fullmatch(cell) or cell in below[place]):
            return everything, False
    names = ["good", "bad"] if sentences == [True, True] else [f"column {n}" for n in range(1, len(cells) + 1)]
    return chain([(*first[0][:-1], names)], everything), True


def without_titles(rows: Iterator[Any]) -> Iterator[Any]:
    """Rows without the titles above the column names: alone in the first cell, above two names or more."""
    first = [*islice(rows, LOOKED_AT)]
    titles = 0
    while titles < len(first) and [place for place, cell in enumerate(first[titles][-1]) if cell.strip()] == [0]:
        titles += 1
    cells = [cell.strip() for cell in first[titles][-1] if cell.strip()] if titles < len(first) else []
    are_names = len(cells) > 1 and not any(_JUDGEMENTS.fullmatch(cell) or ends(cell) for cell in cells)
    return chain(first[titles:] if are_names else first, rows)


def _is_sentence(cell: str, below: Sequence[str]) -> bool:
    """Whether it ends as sentences do, or is like most of what is below: no such end, a word of it."""
    if ends(cell):
        return True
    words = cell.casefold().split()
    if len(words) < _WORDS or _IN_NAMES.search(cell):
        return False
    alike = [other for other in below if len(other.split()) >= _WORDS and not ends(other)]
    return 2 * len(alike) > len(below) and any(not {*words}.isdisjoint(other.casefold().split()) for other in alike)


def ends(cell: str) -> bool:
    """Whether it ends as sentences do: with a mark, before which there is a space in scripts that have spaces."""
    bare = cell.rstrip(_CLOSING)
    return bare.endswith(("。", "？", "！")) or (bare.endswith((".", "?", "!", "…")) and len(bare.split(None, 1)) > 1)
