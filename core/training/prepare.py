"""Turn raw corpora into training text: tidy, filter, keep evaluation data out, write, count."""

from __future__ import annotations

import gzip
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.training.exclusion import Exclusion
from core.training.sentences import is_wanted, open_lines, paragraphs, tidy


@dataclass(frozen=True)
class Prepared:
    """One prepared file: where it is, how much it holds, and the SHA-256 of its plain text."""

    path: Path
    sentences: int
    words: int
    forbidden: int
    sha256: str


def wanted_paragraphs(lines: Iterable[str], forbidden: Exclusion, tally: Counter[str]) -> Iterator[list[str]]:
    """Paragraphs of the sentences that pass; `tally` counts sentences, words and forbidden."""
    for paragraph in paragraphs(lines):
        kept = []
        for sentence in map(tidy, paragraph):
            if not is_wanted(sentence):
                continue
            if forbidden.forbids(sentence):
                tally["forbidden"] += 1
                continue
            kept.append(sentence)
            tally["words"] += sentence.count(" ") + 1
        if kept:
            tally["sentences"] += len(kept)
            yield kept


def prepare_file(source: Path, target: Path, forbidden: Exclusion) -> Prepared:
    """Write the wanted sentences of one corpus file as `.txt.gz` in the same format."""
    tally: Counter[str] = Counter()
    digest = hashlib.sha256()
    part = target.with_name(target.name + ".part")
    target.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(part, "wb", compresslevel=1) as out:
        for kept in wanted_paragraphs(open_lines(source), forbidden, tally):
            block = ("\n".join(kept) + "\n\n").encode()
            digest.update(block)
            out.write(block)
    part.replace(target)
    return Prepared(target, tally["sentences"], tally["words"], tally["forbidden"], digest.hexdigest())
