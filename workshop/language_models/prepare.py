"""From raw corpora to training text: tidy, filter, exclude evaluation data, write, count."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pairlens.training.packing import open_lines, paragraphs
from workshop.language_models.languages import ENGLISH, Language

SPACE_BEFORE_MARK = re.compile(r" +([,.;:!?])")
Forbids = Callable[[str], bool]
Rewrite = Callable[[str], str]


@dataclass(frozen=True)
class Prepared:
    """One prepared file: where it is, how much it holds, and the SHA-256 of its plain text."""

    path: Path
    sentences: int
    words: int
    forbidden: int
    sha256: str


def tidy(sentence: str) -> str:
    """One space between words, none before a mark, and no quotation mark without its partner."""
    text = " ".join(sentence.split()).replace("--", " - ")
    text = SPACE_BEFORE_MARK.sub(r"\1", " ".join(text.split()))
    return text.replace('"', "").strip() if text.count('"') % 2 else text


def wanted_paragraphs(
    lines: Iterable[str], language: Language, forbids: Forbids, tally: Counter[str], rewrite: Rewrite = str
) -> Iterator[list[str]]:
    """Paragraphs of the sentences that pass; `tally` counts sentences, words and forbidden.

    `rewrite` puts a sentence into today's spelling; the result is empty if it cannot.
    """
    for paragraph in paragraphs(lines):
        kept = []
        for sentence in map(tidy, paragraph):
            if not language.wants(sentence) or not (sentence := rewrite(sentence)):
                continue
            if forbids(sentence):
                tally["forbidden"] += 1
            else:
                tally["words"] += sentence.count(" ") + 1
                kept.append(sentence)
        if kept:
            tally["sentences"] += len(kept)
            yield kept


def prepare_lines(
    lines: Iterable[str], target: Path, forbids: Forbids, language: Language = ENGLISH, rewrite: Rewrite = str
) -> Prepared:
    """Write the wanted sentences of a corpus as `.txt.gz` in the same format."""
    tally: Counter[str] = Counter()
    return _write(wanted_paragraphs(lines, language, forbids, tally, rewrite), target, tally)


def pick(sources: Iterable[Path], target: Path, pattern: re.Pattern[str]) -> Prepared:
    """Write the sentences of prepared files that the pattern finds, each a paragraph of its own."""
    tally: Counter[str] = Counter()

    def found() -> Iterator[list[str]]:
        for line in (line for path in sources for line in open_lines(path)):
            if pattern.search(line):
                tally.update(sentences=1, words=line.count(" ") + 1)
                yield [line]

    return _write(found(), target, tally)


def _write(groups: Iterable[list[str]], target: Path, tally: Counter[str]) -> Prepared:
    """Paragraphs as `.gz`; `tally` is complete once they have all been taken."""
    digest = hashlib.sha256()
    part = target.with_name(target.name + ".part")
    target.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(part, "wb", compresslevel=1) as out:
        for kept in groups:
            block = ("\n".join(kept) + "\n\n").encode()
            digest.update(block)
            out.write(block)
    part.replace(target)
    return Prepared(target, tally["sentences"], tally["words"], tally["forbidden"], digest.hexdigest())
