"""Files as numbered lines of text: unpacked up to a limit, decoded, each line bounded."""

from __future__ import annotations

import codecs
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError
from core.messages import Message
from core.settings import settings

MB = 1 << 20
PACKED = (".gz", ".xz")
LAST_ROW = 1_048_576
"""Of any spreadsheet, by its format; rows with higher numbers are a trick."""

_CHUNK = 1 << 18
_XZ_MEMORY = 128 * MB
"""The strongest preset of xz needs 65 MB; a file that asks for more than this is not opened."""
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_BINARY = {"cp1252": re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")}
_NUL = re.compile("\0")
"""Characters that show that a file is not text: NUL, and all control characters where the encoding is a guess."""


def shown(text: str, limit: int = 40) -> str:
    """A piece of a user's file for a message: one short line, quoted."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def ending(path: Path) -> str:
    """`.csv` of `a.csv` and of `A.CSV.gz`."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def label(path: Path) -> str:
    """The file's name for a message."""
    return path.name if path.name.isprintable() else shown(path.name)


def in_line(number: int, path: Path) -> Message:
    """The place of a line in messages."""
    return Message("{file}, line {line}", file=label(path), line=number)


def existing(path: Path) -> Path:
    """The path, if it is a file; InputError if it is missing or a folder."""
    if path.is_dir():
        raise InputError(Message("{path} is a folder; expected a file.", path=label(path) or path))
    if not path.is_file():
        raise InputError(Message("There is no file {path}.", path=shown(str(path), 200)))
    return path


def files(path: Path, endings: tuple[str, ...]) -> list[Path]:
    """The files of a folder with one of the endings, sorted by name; or `path` itself if it is a file.

    `.jsonl` matches `x.jsonl.gz` and `x.jsonl.xz` too. Hidden files are left out. Raises InputError if there is none,
    or if a file is there both plain and packed.
    """
    if not path.is_dir():
        return [existing(path)]
    found = [
        file for file in sorted(path.iterdir(), key=lambda file: file.name)
        if ending(file) in endings and file.is_file() and not file.name.startswith(".")
    ]  # fmt: skip
    if not found:
        raise InputError(
            f"no file that ends in {' or '.join(endings)} (or these as .gz, .xz)", f"Folder {label(path)}"
        )
    tables: dict[str, Path] = {}
    for file in found:
        plain = file.name.removesuffix(file.suffix) if file.suffix.lower() in PACKED else file.name
        if plain in tables:
            raise InputError(
                f"{label(tables[plain])} and {label(file)} hold the same table; keep one", f"Folder {label(path)}"
            )
        tables[plain] = file
    return found


def chunks(path: Path) -> Iterator[bytes]:
    """The unpacked bytes of a file, piece by piece; InputError if they are damaged or too many."""
    limit = settings().max_unpacked_mb
    total = 0
    try:
        with path.open("rb") as file:
            for chunk in _unpacked(path, file):
                total += len(chunk)
                if total > limit * MB:
                    raise InputError(f"unpacks to more than {limit:,} MB, the limit (max_unpacked_mb).", label(path))
                yield chunk
    except (gzip.BadGzipFile, zlib.error, lzma.LZMAError, EOFError) as error:
        raise InputError(f"cannot be unpacked ({error}); is it damaged or misnamed?", label(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}.", label(path)) from None


def _unpacked(path: Path, file: io.BufferedReader) -> Iterator[bytes]:
    match path.suffix.lower():
        case ".gz":
            with gzip.open(file) as unpacked:
                yield from iter(lambda: unpacked.read(_CHUNK), b"")
        case ".xz":
            yield from _unpacked_xz(file)
        case _:
            yield from iter(lambda: file.read(_CHUNK), b"")


def _unpacked_xz(file: io.BufferedReader) -> Iterator[bytes]:
    """As lzma.open, with a bound on the memory that the file's header asks for."""
    packed = file.read(_CHUNK)
    while packed:
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
        while not stream.eof:
            if stream.needs_input and not packed:
                raise EOFError("it ends too early")
            if chunk := stream.decompress(packed, _CHUNK):
                yield chunk
            packed = file.read(_CHUNK) if stream.needs_input else b""
        packed = (stream.unused_data + packed).lstrip(b"\0") or file.read(_CHUNK).lstrip(b"\0")


def read_lines(path: Path) -> list[str]:
    """One text per line, verbatim but for the line end (LF or CRLF); an empty line is an empty text.

    Raises InputError for an empty file or one that is not text. It is decoded as `encoding_of` says.
    """
    texts = [text.removesuffix("\n").removesuffix("\r") for _, text in lines(path, encoding_of(path))]
    if not texts:
        raise InputError(Message("the file is empty. Expected one text per line."), label(path))
    return texts


def first_line(path: Path) -> str:
    """The first line of a text file, without its end."""
    return next(lines(path, encoding_of(path)), (1, ""))[1].rstrip("\r\n")


def encoding_of(path: Path) -> str:
    """How a text file is encoded: `utf-8-sig` or `utf-16` by its byte-order mark, else `utf-8`, else `cp1252`.

    Windows-1252 is the last resort, because nearly any bytes are valid in it: tell the user.
    """
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
        return "cp1252"
    return "utf-8"


def lines(path: Path, encoding: str) -> Iterator[tuple[int, str]]:
    """Numbered lines, from 1, with their line ends; only LF ends a line.

    Raises InputError for a line over the limit, for bytes that are not text in this encoding, and for NUL.
    """
    limit = settings().max_line_mb
    binary = _BINARY.get(encoding, _NUL)
    inner = "utf-8" if encoding in ("utf-8-sig", "utf-16") else encoding
    title = {"cp1252": "UTF-8 or Windows-1252", "utf-8-sig": "UTF-8"}.get(encoding, encoding.upper())
    with io.BufferedReader(_Chunks(_as_utf8(path, encoding)), _CHUNK) as stream:
        for number, line in enumerate(iter(lambda: stream.readline(limit * MB + 1), b""), start=1):
            where = in_line(number, path)
            if len(line) > limit * MB:
                raise InputError(f"longer than {limit} MB, the limit for one line (max_line_mb).", where)
            try:
                text = line.decode(inner)
            except UnicodeDecodeError as error:
                raise InputError(
                    f"byte 0x{line[error.start]:02X} at position {error.start + 1} is not {title} text. "
                    "Save the file as UTF-8.",
                    where,
                ) from None
            if found := binary.search(text):
                raise InputError(
                    f"character {found[0]!r} at position {found.start() + 1}: this is not a text file, or it is "
                    "UTF-16 without a byte-order mark. Save it as UTF-8.",
                    where,
                )
            yield number, text


def _as_utf8(path: Path, encoding: str) -> Iterator[bytes]:
    """The file's bytes without byte-order mark; UTF-16 re-encoded, because its line ends are not single bytes."""
    pieces = chunks(path)
    if encoding == "utf-16":
        decoder = codecs.getincrementaldecoder("utf-16")()
        try:
            for piece in pieces:
                yield decoder.decode(piece).encode()
            decoder.decode(b"", final=True)
        except UnicodeError:
            raise InputError("not UTF-16 text, though its byte-order mark says so.", label(path)) from None
    else:
        yield next(pieces, b"").removeprefix(codecs.BOM_UTF8 if encoding.startswith("utf-8") else b"")
        yield from pieces


class _Chunks(io.RawIOBase):
    """Byte pieces as a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size
