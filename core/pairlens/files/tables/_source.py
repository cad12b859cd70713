"""Files as numbered lines of text, unpacked up to a limit, decoded, each line bounded; what is said of a layout."""

from __future__ import annotations

import codecs
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pairlens.errors import InputError
from pairlens.messages import Message
from pairlens.settings import settings

if TYPE_CHECKING:
    import pandas as pd


MB = 1 << 20
PACKED = (".gz", ".xz")
READ_APART = (".xlsx", ".parquet")
"""Endings of files that are read in a process of its own, whoever names them."""
LAST_ROW = 1_048_576
"""Of any spreadsheet, by its format; rows with higher numbers are a trick."""

AUTO, NONE, DOUBLE = "auto", "none", "double"
QUOTING = (AUTO, NONE, DOUBLE)
"""Guessed; marks are text; a cell between double quotation marks is quoted as in RFC 4180."""

_CHUNK = 1 << 18
_LARGE_BYTES, _LARGE_LINES = 2_000_000, 20_000
_LINES_PER_ROW = 2
"""So many lines of a text file are read for each row that a table may have: cells hold line ends, lines are blank."""
_XZ_MEMORY = 128 * MB
"""The strongest preset of xz needs 65 MB; a file that asks for more than this is not opened."""
_BINARY = {
    b"%PDF-": "a PDF document", b"\x89PNG": "a PNG image", b"\xff\xd8\xff": "a JPEG image", b"GIF8": "a GIF image",
    b"RIFF": "an image or a recording", b"PK\3\4": "a ZIP archive, such as files of Excel (.xlsx) and Word are",
    b"\xd0\xcf\x11\xe0": "a file of an old Excel or Word", b"\x1f\x8b": "packed (.gz)", b"PAR1": "a Parquet file",
}  # fmt: skip
"""How files begin that may be misnamed as text."""
_NUL = re.compile("\0")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
"""Characters that show that a file is not text: NUL, and where its encoding is a guess all control characters."""


def shown(text: str, limit: int = 40) -> str:
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def ending(path: Path) -> str:
    """`.csv` of `a.csv` and of `A.CSV.gz`."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def label(path: Path) -> str:
    return path.name if path.name.isprintable() else shown(path.name)


@contextmanager
def explained(path: Path, unusable: Callable[[Exception], Message]) -> Iterator[None]:
    """InputError for a damaged file, of which a library can raise anything."""
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as error:
        raise InputError(unusable(error), label(path)) from None


def in_line(number: int, path: Path) -> Message:
    return Message("{file}, line {line}", file=label(path), line=number)


def existing(path: Path) -> Path:
    if path.is_dir():
        raise InputError(Message("{path} is a folder; expected a file.", path=label(path) or path))
    if not path.is_file():
        raise InputError(Message("There is no file {path}.", path=shown(str(path), 200)))
    return path


def files(path: Path, endings: tuple[str, ...]) -> list[Path]:
    """The files of a folder with one of the endings, packed ones too, sorted by name; or `path` itself if it is a
    file.

    Hidden files are left out. InputError if there is none, or if a file is there both plain and packed.
    """
    if not path.is_dir():
        return [existing(path)]
    members = [
        file for file in sorted(path.iterdir(), key=lambda file: file.name)
        if ending(file) in endings and file.is_file() and not file.name.startswith(".")
    ]  # fmt: skip
    if not members:
        raise InputError(
            f"no file that ends in {' or '.join(endings)} (or these as .gz, .xz)", f"Folder {label(path)}"
        )
    tables: dict[str, Path] = {}
    for file in members:
        plain = file.name.removesuffix(file.suffix) if file.suffix.lower() in PACKED else file.name
        if plain in tables:
            raise InputError(
                f"{label(tables[plain])} and {label(file)} hold the same table; keep one", f"Folder {label(path)}"
            )
        tables[plain] = file
    return members


def chunks(path: Path) -> Iterator[bytes]:
    """The unpacked bytes of a file, piece by piece; InputError if they are damaged, too many, or too many lines."""
    limit, most = settings().max_unpacked_mb, _LINES_PER_ROW * settings().max_rows
    total = n_lines = 0
    try:
        with path.open("rb") as file:
            for chunk in _unpacked(path, file):
                if not total and (
                    kind := next((kind for start, kind in _BINARY.items() if chunk.startswith(start)), "")
                ):
                    raise InputError(f"{kind}, not a text file.", label(path))
                total += len(chunk)
                if total > limit * MB:
                    raise InputError(f"unpacks to more than {limit:,} MB, the limit (max_unpacked_mb).", label(path))
                n_lines += chunk.count(b"\n")
                if n_lines > most:
                    raise InputError(
                        f"more than {most:,} lines, blank ones included, the limit (twice max_rows).", label(path)
                    )
                yield chunk
    except (gzip.BadGzipFile, zlib.error, lzma.LZMAError, EOFError) as error:
        raise InputError(f"cannot be unpacked ({error}); is it damaged or misnamed?", label(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}.", label(path)) from None


def large(path: Path) -> bool:
    """Whether reading what is at a path may take a second or more; only as much is looked at as it takes to know."""
    n_bytes = n_lines = 0
    for file in sorted(path.iterdir()) if path.is_dir() else [path]:
        if file.is_file():
            more_bytes, more_lines = unpacked_size(file, _LARGE_BYTES, _LARGE_LINES)
            n_bytes, n_lines = n_bytes + more_bytes, n_lines + more_lines
        if n_bytes > _LARGE_BYTES or n_lines > _LARGE_LINES:
            return True
    return False


def unpacked_size(path: Path, n_bytes: int, n_lines: int) -> tuple[int, int]:
    """How many bytes and lines a file unpacks to; counted until there are more of either. (0, 0) if it cannot be.

    What a Parquet file or workbook holds only who reads it knows: it counts as too many.
    """
    bytes_, lines_ = path.stat().st_size, 0
    if bytes_ > n_bytes:
        return bytes_, lines_
    if ending(path) in READ_APART:
        return n_bytes + 1, 0
    bytes_ = 0
    with suppress(InputError):
        for chunk in chunks(path):
            bytes_, lines_ = bytes_ + len(chunk), lines_ + chunk.count(b"\n")
            if bytes_ > n_bytes or lines_ > n_lines:
                break
    return bytes_, lines_


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


def lines(path: Path, encoding: str) -> Iterator[tuple[int, str]]:
    """Numbered lines, from 1, with their ends (LF only); InputError for one too long or in no such encoding."""
    unicode = encoding.startswith("utf")
    binary = _NUL if unicode else CONTROL
    inner = "utf-8" if unicode else encoding
    title = "UTF-8" if encoding == "utf-8-sig" else encoding.upper()
    for number, line in byte_lines(_as_utf8(path, encoding), path):
        if line == b"\n":
            yield number, "\n"
            continue
        try:
            text = line.decode(inner)
        except UnicodeDecodeError as error:
            raise InputError(
                f"byte 0x{line[error.start]:02X} at position {error.start + 1} is not {title} text. "
                "Save the file as UTF-8.",
                in_line(number, path),
            ) from None
        refuse_binary(text, number, path, binary)
        yield number, text


def refuse_binary(text: str, number: int, path: Path, binary: re.Pattern[str] = CONTROL) -> None:
    if control := binary.search(text):
        raise InputError(
            f"character {control[0]!r} at position {control.start() + 1}: this is not a text file, or it is UTF-16 "
            "without a byte-order mark. Save it as UTF-8.",
            in_line(number, path),
        )


def byte_lines(pieces: Iterable[bytes], path: Path) -> Iterator[tuple[int, bytes]]:
    """Numbered lines, from 1, of bytes in an encoding whose line ends are LF; InputError for one over the limit."""
    limit = settings().max_line_mb

    def split() -> Iterator[bytes]:
        rest = b""
        for piece in pieces:
            *whole, rest = (rest + piece).split(b"\n")
            yield from (line + b"\n" for line in whole)
            if len(rest) > limit * MB:
                break
        if rest:
            yield rest

    for number, line in enumerate(split(), start=1):
        if len(line) > limit * MB:
            raise InputError(f"longer than {limit} MB, the limit for one line (max_line_mb).", in_line(number, path))
        yield number, line


def _as_utf8(path: Path, encoding: str) -> Iterator[bytes]:
    """The file's bytes without byte-order mark; UTF-16 re-encoded, because its line ends are not single bytes."""
    pieces = chunks(path)
    if encoding.startswith(("utf-16", "utf-32")):
        decoder = codecs.getincrementaldecoder(encoding)()
        try:
            for piece in pieces:
                yield decoder.decode(piece).encode()
            decoder.decode(b"", final=True)
        except UnicodeError:
            raise InputError(
                f"not {encoding.upper()} text, though its byte-order mark or the encoding that was named says so. "
                "Without such a mark, UTF-16 is named utf-16-le or utf-16-be.",
                label(path),
            ) from None
    else:
        yield next(pieces, b"").removeprefix(codecs.BOM_UTF8 if encoding.startswith("utf-8") else b"")
        yield from pieces


_SHEETS = 12
_WHERE = Message("choose with --sheet, or on a page under Read as")


@dataclass(frozen=True, slots=True)
class Layout:
    """The arguments of `read_table`; what is empty is guessed, or as in the settings."""

    delimiter: str = ""
    encoding: str = ""
    quoting: str = ""
    sheet: str = ""


def place_of(file: Path, sheets: Sequence[str]) -> Message | str:
    """A workbook, the first of these sheets, which is read, and the others; empty if there is one only."""
    if len(sheets) < 2:
        return ""
    others = ", ".join(map(shown, sheets[1 : _SHEETS + 1])) + (" …" if len(sheets) > _SHEETS + 1 else "")
    return Message(
        "{file}, sheet {name} (there are also {others}: {where})",
        file=label(file), name=shown(sheets[0]), others=others, where=_WHERE,
    )  # fmt: skip


NUMBERING = "rows"
"""In `attrs` of a table: the number of its first row, and those between that and the last row that are no rows."""


def row_numbers(table: pd.DataFrame) -> Sequence[int]:
    """The number of each row in its file, as a spreadsheet counts: the column names are row 1, blank rows count.

    Records of JSON lines have the number of their line; those of an array and rows from no file are numbered from 1.
    """
    first, gaps = table.attrs.get(NUMBERING, (1, ()))
    numbers, missing = range(first, first + len(table) + len(gaps)), frozenset(gaps)
    return [number for number in numbers if number not in missing] if missing else numbers
