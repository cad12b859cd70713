"""Plain text: how it is encoded, and its lines.

What is not UTF-8 is read only if there is no doubt about its encoding (`_encodings`), and the reader is told.
"""

import codecs
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path

from pairlens.errors import InputError
from pairlens.files.tables._encodings import NAMES, Reading, readings
from pairlens.files.tables._source import byte_lines, chunks, existing, in_line, label, lines, refuse_binary, shown
from pairlens.messages import Message, joined, one_or_more
from pairlens.settings import settings

_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_SAMPLE = 20_000
"""So many bytes, of lines that are not ASCII, say what a file's encoding is."""
_SHOWN = 3
WHERE = Message("PAIRLENS_ENCODING, or --encoding of verbs that have it; on a page under Read as")
"""Where an encoding is named."""


@dataclass(frozen=True, slots=True)
class Guess:
    encoding: str
    lines: tuple[str, ...]


def read_lines(path: Path) -> list[str]:
    """One text per line, verbatim but for its end (LF or CRLF); InputError for a file that is empty or no text."""
    texts = [text.removesuffix("\n").removesuffix("\r") for _, text in lines(path, encoding_of(path))]
    if not texts:
        raise InputError(Message("the file is empty. Expected one text per line."), label(path))
    return texts


def first_line(path: Path) -> str:
    return next(lines(path, encoding_of(path)), (1, ""))[1].rstrip("\r\n")


def encoding_of(path: Path, encoding: str = "") -> str:
    """How a text file is encoded: `utf-8-sig` or `utf-16` by its byte-order mark, `utf-8`, else as given or guessed.

    `encoding`, else the setting `encoding`, is for files that are not UTF-8. InputError if a guess is in doubt.
    """
    encoding, certain = _given(path, encoding), _certain(path)
    if encoding.startswith(("utf-16", "utf-32")) and any(b"\0" in piece for piece in chunks(path)):
        return (
            certain if encoding.startswith(certain or " ") else encoding
        )  # without its mark it may be ASCII with NULs
    if certain:
        return certain
    if encoding:
        _foreign_lines(path)
        return encoding
    return _guess(path, *state(path)).encoding


def guess_of(path: Path, encoding: str = "") -> Guess | None:
    return None if _given(path, encoding) or _certain(path) else _guess(path, *state(path))


def said_of(path: Path) -> str:
    """A sentence on what was guessed about a text file, with lines as they are read; empty if nothing was."""
    if (guess := guess_of(path)) is None:
        return ""
    return Message(
        "{file} is not UTF-8; it is read as {encoding}, which is a guess: {lines}. If letters look wrong, name its "
        "encoding ({where}), or save it as UTF-8.",
        file=label(path), encoding=NAMES[guess.encoding], lines=" · ".join(guess.lines), where=WHERE,
    )  # fmt: skip


def _given(path: Path, encoding: str) -> str:
    """The encoding of this file if it is not UTF-8, as given or as set for all; empty if it is to be guessed."""
    return known(encoding, label(path)) or ("" if settings().encoding == "auto" else known(settings().encoding))


def known(encoding: str, where: str = "") -> str:
    """Python's name of a text encoding, empty for an empty one; InputError if there is no such encoding."""
    try:
        "".encode(encoding or "utf-8")  # refuses codecs that are no text encoding, such as hex
        return encoding and codecs.lookup(encoding).name
    except (LookupError, ValueError):
        raise InputError(f"there is no encoding called {shown(encoding)}.", where) from None


def _certain(path: Path) -> str:
    """The encoding that a byte-order mark states, or UTF-8 if the file is; empty if it is neither."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    pieces = chunks(existing(path))
    first = next(pieces, b"")
    for mark, encoding in _MARKS.items():
        if first.startswith(mark):
            return encoding
    try:
        decoder.decode(first)
        for piece in pieces:
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return ""
    return "utf-8"


def state(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=64)
def _guess(path: Path, *state: int) -> Guess:  # noqa: ARG001 (a changed file is guessed again)
    candidates = readings(_foreign_lines(path))
    if len(candidates) != 1 or not candidates[0].fits:
        raise InputError(_doubt(candidates), label(path))
    read = [shown(line.strip(), 60) for line in candidates[0].text.split("\n") if not line.isascii()]
    return Guess(candidates[0].encoding, tuple(read[:_SHOWN]))


def _foreign_lines(path: Path) -> bytes:
    """The first lines that are not ASCII. InputError if the file is UTF-8 but for a few bytes, or no text."""
    taken = good = n_bad = 0
    first = 0, 0, 0
    foreign: list[bytes] = []
    for number, line in byte_lines(chunks(path), path):
        refuse_binary(line.decode("latin-1"), number, path)
        if line.isascii():
            continue
        if taken < _SAMPLE:
            foreign.append(line)
            taken += len(line)
        text = line.decode("utf-8", "surrogateescape")
        wrong = [place for place, sign in enumerate(text) if "\udc80" <= sign <= "\udcff"]
        good += sum(not sign.isascii() for sign in text) - len(wrong)
        n_bad += len(wrong)
        if wrong and not first[0]:
            at = len(text[: wrong[0]].encode())
            first = number, at + 1, line[at]
    if good >= n_bad:
        number, place, byte = first
        message = Message(
            "byte 0x{byte:02X} at position {place} is not UTF-8, as the rest of the file is ({more}, {good:,} "
            "characters are right), so it is not read in another encoding. Correct that place, or save the file as "
            "UTF-8 again.",
            byte=byte, place=place, good=good,
            more=one_or_more("{n} byte is wrong", "{n:,} bytes are wrong", n=n_bad),
        )  # fmt: skip
        raise InputError(message, in_line(number, path))
    return b"".join(foreign)


def _doubt(readings: list[Reading]) -> Message:
    if not readings:
        return Message(
            "not UTF-8, and no encoding is known in which it is readable text. Save it as UTF-8, or name its "
            "encoding ({where}).",
            where=WHERE,
        )
    places = [
        Message("{name}: {line} ({encoding})", name=NAMES[one.encoding], line=line, encoding=one.encoding)
        for one, line in zip(readings[:3], _telling([reading.text for reading in readings[:3]]), strict=True)
    ]
    return Message(
        "not UTF-8, and its encoding is in doubt. {readings}. Name the right one ({where}), or save the file as "
        "UTF-8.",
        readings=joined(places, "; "), where=WHERE,
    )  # fmt: skip


def _telling(texts: list[str]) -> list[str]:
    """From the first line in which readings differ, what each has around that place."""
    rows = [*zip_longest(*(text.split("\n") for text in texts), fillvalue="")]
    row = next((row for row in rows if len(set(row)) > 1), rows[0])
    same = next((place for place, signs in enumerate(zip(*row, strict=False)) if len(set(signs)) > 1), 0)
    return [shown(line[max(0, same - 15) :].strip()) for line in row]
