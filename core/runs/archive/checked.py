"""An exported run as untrusted bytes: names, sizes, hashes and tables are checked before use."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa
import pyarrow.parquet as pq

from core.errors import InputError
from core.files.parquet import batches, n_bytes, plain
from core.runs.archive.packing import FORMAT
from core.settings import settings

_NAME = re.compile(
    r"(manifest|remarks)\.json|(items|metrics)\.parquet|scores/\d{4,}\.(json|(scores|tokens)\.parquet)"
)
_MOST_FILES = 100_000
_LARGEST_JSON = 16 << 20
_MB = 1 << 20
_UNREADABLE = (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError)
"""What `zipfile` raises where bytes of its table of contents were changed (a version, an offset, a name)."""


class Archive:
    """The files of an export by name; each has been read once and has the sha256 stated in the export.

    Nothing is ever unpacked to a path named in the file. InputError, in one sentence, for anything wrong.
    """

    def __init__(self, whole: zipfile.ZipFile, label: str) -> None:
        self._whole, self._label = whole, label
        self.about = self._read_about()
        for name in self.digests:
            self.content(name)

    @property
    def digests(self) -> dict[str, str]:
        """The sha256 of every file but `export.json`."""
        return dict(self.about["sha256"])

    def content(self, name: str) -> bytes:
        """A file's bytes."""
        content = self._bytes(name)
        if hashlib.sha256(content).hexdigest() != self.digests.get(name):
            self.refuse(f"'{name}' inside is not what was exported: the file was damaged or changed on its way")
        return content

    def json(self, name: str) -> dict[str, Any]:
        """The JSON object in a file."""
        return self._object(name, self.content(name))

    def table(self, name: str, columns: pa.Schema | None = None) -> pa.Table:
        """The rows of a Parquet file, with exactly these columns, or with its own if none are given."""
        try:
            read = pq.ParquetFile(io.BytesIO(self.content(name)))
            if read.metadata.num_rows > settings().max_rows * 10 or read.metadata.num_columns > 64:
                self.refuse(f"'{name}' inside holds {read.metadata.num_rows:,} rows, more than any run")
            table = pa.Table.from_batches(self._batches(read, name), schema=plain(read.schema_arrow))
            return table if columns is None else table.select(columns.names).cast(columns)
        except (pa.ArrowException, OSError, KeyError, ValueError) as error:
            reason = str(error).splitlines()[0][:120]
            self.refuse(f"'{name}' inside is not the table that it should be ({reason})")

    def refuse(self, fault: str) -> NoReturn:
        """InputError about this file."""
        raise InputError(fault, self._label) from None

    def _batches(self, read: pq.ParquetFile, name: str) -> Iterator[pa.RecordBatch]:
        """Rows in batches: repeated texts are tiny in a Parquet file and huge in memory."""
        left = settings().max_unpacked_mb * _MB
        for batch in batches(read):
            left -= n_bytes(batch)
            if left < 0:
                self.refuse(f"'{name}' inside unpacks to more than {settings().max_unpacked_mb:,} MB")
            yield batch

    def _read_about(self) -> dict[str, Any]:
        entries = self._whole.infolist()
        names = [entry.filename for entry in entries]
        if "export.json" not in names:
            self.refuse("is no run that was exported by Pairlens: it holds no export.json")
        about = self._object("export.json", self._bytes("export.json"))
        if isinstance(version := about.get("format"), int) and version > FORMAT:
            self.refuse(
                f"was written by a newer Pairlens (format {version}, this one reads {FORMAT}): update Pairlens"
            )
        if version != FORMAT or not isinstance(about.get("sha256"), dict):
            self.refuse("is no run that was exported by Pairlens: export.json says something else")
        if strange := [name for name in names if name != "export.json" and not _NAME.fullmatch(name)]:
            self.refuse(f"holds {strange[0][:80]!r}, which no exported run has")
        if len(set(names)) < len(names) or {*names} != {"export.json", *about["sha256"]}:
            self.refuse("does not hold exactly the files that it lists: it was damaged or changed on its way")
        limit = settings().max_unpacked_mb
        if len(entries) > _MOST_FILES or sum(entry.file_size for entry in entries) > limit * _MB:
            self.refuse(f"unpacks to more than {limit:,} MB (PAIRLENS_MAX_UNPACKED_MB)")
        return about

    def _bytes(self, name: str) -> bytes:
        limit = _LARGEST_JSON if name.endswith(".json") else settings().max_unpacked_mb * _MB
        try:
            with self._whole.open(name) as stream:
                content = stream.read(limit + 1)
        except (*_UNREADABLE, OSError, RuntimeError, KeyError, zlib.error):
            self.refuse(f"'{name}' inside cannot be unpacked: the file is damaged or cut off")
        if len(content) > limit:
            self.refuse(f"'{name}' inside is larger than {limit // _MB:,} MB")
        return content

    def _object(self, name: str, content: bytes) -> dict[str, Any]:
        try:
            value = json.loads(content, parse_constant=_no_number)
        except (ValueError, RecursionError):
            self.refuse(f"'{name}' inside is not JSON")
        if not isinstance(value, dict):
            self.refuse(f"'{name}' inside is not one JSON object")
        return value


@contextmanager
def opened(source: Path) -> Iterator[Archive]:
    """The file as a checked archive."""
    try:
        whole = zipfile.ZipFile(source)
    except _UNREADABLE:
        raise InputError(
            "is no run that was exported by Pairlens, or was cut off on its way: export it again", source.name
        ) from None
    with whole:
        yield Archive(whole, source.name)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON number")
