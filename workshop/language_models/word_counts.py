"""Counts of words in a text, kept as a model without context."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pairlens.models.cards import COUNTS
from pairlens.scorers.unigram import split_words

SMALLEST_COUNT = 3


def count_words(lines: Iterable[str]) -> Counter[str]:
    """How often each token of `split_words` occurs."""
    return Counter(word for line in lines for word in split_words(line))


def save_counts(counts: Counter[str], folder: Path) -> dict[str, Any]:
    """Write `counts.tsv.gz` (word, tab, count; most frequent first); returns facts for the card."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = sorted(
        ((word, count) for word, count in counts.items() if count >= SMALLEST_COUNT),
        key=lambda pair: (-pair[1], pair[0]),
    )
    text = "".join(f"{word}\t{count}\n" for word, count in kept)
    part = folder / f"{COUNTS}.part"
    part.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))
    part.replace(folder / COUNTS)
    return {
        "tokens": sum(counts.values()),
        "types": len(counts),
        "types_kept": len(kept),
        "tokens_kept": sum(count for _, count in kept),
        "smallest_count": SMALLEST_COUNT,
    }
