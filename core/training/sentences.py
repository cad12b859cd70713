"""Plain text in: files, paragraphs and the sentences worth training on.

The input format is one sentence per line with a blank line between paragraphs, in
`.txt`, `.txt.gz` or `.txt.xz`, UTF-8.
"""

from __future__ import annotations

import gzip
import lzma
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from core.errors import InputError

SHORTEST, LONGEST = 4, 40
"""Words (split at white space) of a sentence that is kept, both ends included."""

ARCHAIC = re.compile(
    r"\b(thou|thee|thy|thine|thyself|ye|hath|doth|hast|dost|didst|hadst|wast|wert|shalt|wilt|canst"
    r"|mayst|wouldst|shouldst|couldst|saith|cometh|goeth|maketh|giveth|quoth|'tis|'twas|whilst"
    r"|methinks|forsooth|prithee)\b",
    re.IGNORECASE,
)
ALLOWED = re.compile(r"""[A-Za-z0-9 .,;:!?'"()$%&£éèêàâçôûîïöüæœÉÀÇÆ/-]+""")
STARTS = re.compile(r"""["'(]{0,2}[A-Z0-9É]""")
ENDS = re.compile(r"""[A-Za-z0-9é%)'][.!?]{1,3}["')]{0,2}$""")
SPACE_BEFORE_MARK = re.compile(r" +([,.;:!?])")


def opened(path: Path) -> TextIO:
    """A text stream, whatever the compression."""
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    if path.suffix == ".xz":
        return lzma.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def open_lines(path: Path) -> Iterator[str]:
    """The lines of a plain, gzip or xz text file, without line ends."""
    if not path.is_file():
        raise InputError(f"There is no text file {path}.")
    try:
        with opened(path) as lines:
            for line in lines:
                yield line.rstrip("\r\n")
    except (UnicodeDecodeError, lzma.LZMAError, EOFError, OSError) as error:
        raise InputError(f"{path} is not readable as UTF-8 text: {error}.") from error


def paragraphs(lines: Iterable[str]) -> Iterator[list[str]]:
    """Groups of non-empty lines; a blank line ends a group."""
    group: list[str] = []
    for line in lines:
        if line.strip():
            group.append(line.strip())
        elif group:
            yield group
            group = []
    if group:
        yield group


def tidy(sentence: str) -> str:
    """One space between words, none before a mark, and no quotation mark without its partner."""
    text = " ".join(sentence.split()).replace("--", " - ")
    text = SPACE_BEFORE_MARK.sub(r"\1", " ".join(text.split()))
    return text.replace('"', "").strip() if text.count('"') % 2 else text


def is_wanted(sentence: str) -> bool:
    """True for a complete modern sentence of `SHORTEST` to `LONGEST` words."""
    return (
        SHORTEST <= sentence.count(" ") + 1 <= LONGEST
        and ALLOWED.fullmatch(sentence) is not None
        and STARTS.match(sentence) is not None
        and ENDS.search(sentence) is not None
        and ARCHAIC.search(sentence) is None
    )
