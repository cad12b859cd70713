"""Plain text files, their paragraphs, and tidied sentences.

The input format is one sentence per line with a blank line between paragraphs, in
`.txt`, `.txt.gz` or `.txt.xz`, UTF-8.
"""

from __future__ import annotations

import gzip
import lzma
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from core.errors import InputError

SPACE_BEFORE_MARK = re.compile(r" +([,.;:!?])")


def _opened(path: Path) -> TextIO:
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
        with _opened(path) as lines:
            for line in lines:
                yield line.rstrip("\r\n")
    except (UnicodeDecodeError, lzma.LZMAError, zlib.error, EOFError, OSError) as error:
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
