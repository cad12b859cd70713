"""Immutable Parquet parts of scores, the store's source of truth.

A part is three files: scores, tokens, and a side file with their sha256, written last, so that a part without one
does not exist. The name hashes the contents, so that writing a part twice changes nothing. A part whose files do not
match their sha256 is set aside with a warning, and never read.
"""

import logging
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pairlens.errors import StoreError
from pairlens.store import files
from pairlens.types import TokenScores

_FIELDS = {"requests", "boundary", "temperatures", "provenance", "sha256"}

TABLES = ("scores", "tokens")
_ROWS_AT_ONCE = 65_536
"""Rows of a row group: a reader that looks for a few keys in a large, sorted part decodes no more."""

log = logging.getLogger(__name__)

_INT, _FLOAT, _TEXT = pa.int32(), pa.float64(), pa.string()
SCORES = pa.schema(
    {"request_key": _TEXT, "temperature": _FLOAT, "logprob": _FLOAT}
    | dict.fromkeys(("n_tokens", "n_scored", "n_straddling"), _INT)
)
MASSES = ("boundary_logprob", "eos_logprob", "punctuation_logprob")
"""The columns with what else may come at a token's place."""
TOKENS = pa.schema(
    {"request_key": pa.dictionary(_INT, _TEXT), "position": _INT, "token": _TEXT}
    | dict.fromkeys(("token_id", "start", "end", "word_position"), _INT)
    | dict.fromkeys(("logprob", *MASSES), _FLOAT)
)

COLUMNS = {"scores": SCORES, "tokens": TOKENS}
Provenance = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Scored:
    """One request's scores, ready to be stored. `words` is the word position of each token."""

    key: str
    scores: TokenScores
    words: Sequence[int]


_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Part:
    """A part on disk: the path of its side file, and its contents."""

    side: Path
    about: Mapping[str, Any]

    @property
    def name(self) -> str:
        return self.side.name.removesuffix(".json")

    @property
    def content(self) -> str:
        """The start of its files' sha256, to tell it from another part with the same name."""
        return "".join(str(self.about["sha256"][table])[:10] for table in TABLES)

    def file(self, table: str) -> Path:
        return self.side.with_name(f"{self.name}.{table}.parquet")

    def verified(self, table: str) -> Path | None:
        """That file if it is intact, else None, and the part is set aside. StoreError if it cannot be read."""
        path = self.file(table)
        try:
            if files.file_sha256(path) == self.about["sha256"][table]:
                return path
            reason = "its bytes are not those that were written"
        except FileNotFoundError as error:
            if not self.side.exists():  # it has been replaced or removed since it was listed
                return None
            reason = str(error.strerror)
        except OSError as error:
            raise StoreError(f"{path} cannot be read: {error.strerror or error}.") from error
        log.warning("%s is damaged (%s): set aside, its texts will be scored again.", path, reason)
        files.set_aside(self.side)
        return None

    def scores_with(self, wanted: NDArray[np.uint64] | None) -> Path | None:
        """Its file of scores, if it is intact and has one of these sorted marks (None: whatever it has)."""
        path = self.verified("scores")
        return path if path and (wanted is None or share(marks_in(path), wanted)) else None

    def whole(self) -> bool:
        return all([self.verified(table) for table in TABLES])

    def files(self) -> list[Path]:
        """Its existing files, the side file first."""
        return [path for path in (self.side, *map(self.file, TABLES)) if path.exists()]

    def remove(self) -> int:
        """Delete it, the side file first, so that no reader finds an incomplete part. Returns the bytes freed."""
        sizes = []
        for path in self.files():
            with suppress(FileNotFoundError):  # another process was first
                size = path.stat().st_size
                path.unlink()
                sizes.append(size)
        return sum(sizes)


def write_part(side: Path, tables: Mapping[str, pa.Table], about: Mapping[str, Any]) -> Part:
    """Write a part's tables (SCORES, TOKENS) and then its side file, with `about`."""
    digests: dict[str, str] = {}
    part = Part(side, {"format": files.FORMAT, **about, "sha256": digests})
    for name in TABLES:
        table = tables[name]
        with files.replacing(part.file(name)) as temporary:
            with pq.ParquetWriter(temporary, table.schema, compression="zstd") as writer:
                for start in range(0, max(len(table), 1), _ROWS_AT_ONCE):
                    rows = table.slice(start, _ROWS_AT_ONCE)
                    if len(rows) < len(table) and name == "tokens":  # a group has a dictionary of its own keys only
                        keys = rows["request_key"].cast(_TEXT).combine_chunks().dictionary_encode()
                        rows = rows.set_column(0, "request_key", keys)
                    writer.write_table(rows)
            digests[name] = files.file_sha256(temporary)
    files.write_json(side, part.about)
    return part


def in_use(parts: Sequence[Part]) -> list[Part]:
    """Those of all parts in a folder that are not replaced by others; StoreError for another format."""
    replaced = replaced_in(parts)
    current = [part for part in parts if part.name not in replaced]
    for part in current:
        files.check_format(part.side, part.about)
    return current


def all_parts(folder: Path) -> list[Part]:
    """All parts in a fingerprint's folder, by name, replaced ones too. StoreError for a newer format.

    Listed anew if one was removed meanwhile: what had replaced it may be newer than the list.
    """
    for _ in range(_ATTEMPTS):
        with suppress(FileNotFoundError):
            return _listed(folder)
    raise StoreError(f"The store changes faster than it can be read: {folder}.")


def _listed(folder: Path) -> list[Part]:
    parts = []
    for side in sorted(folder.glob("[!.]*.json")):
        about = files.known_json(side)
        if about is None or not is_part(about):
            files.check_format(side, about or {})
            log.warning("%s is damaged: set aside, its texts will be scored again.", side)
            files.set_aside(side)
        else:
            parts.append(Part(side, about))
    return parts


def is_part(about: Mapping[str, Any]) -> bool:
    return about.keys() >= _FIELDS and isinstance(about["sha256"], dict) and about["sha256"].keys() >= set(TABLES)


def replaced_in(parts: Sequence[Part]) -> set[str]:
    """The names of the parts that others replace: while all parts in `with` are there, and for the same content."""
    there = {part.name: part.content for part in parts}
    claims = [part.about["replaces"] for part in parts if "replaces" in part.about]
    in_effect = [claim["parts"] for claim in claims if there.keys() >= set(claim["with"])]
    return {name for claimed in in_effect for name, content in claimed.items() if there.get(name) == content}


def sources(part: Part) -> list[tuple[int, Provenance]]:
    """The sources of its scores, in their order, each with its number of requests; `joined` is the inverse."""
    common = {name: value for name, value in part.about["provenance"].items() if name != "sources"}
    several = part.about["provenance"].get("sources")
    if several is None:
        return [(part.about["requests"], common)]
    return [(one["requests"], {**common, **{k: v for k, v in one.items() if k != "requests"}}) for one in several]


def windows(parts: Iterable[Part]) -> dict[str, int]:
    """`window` and `stride` of the scorers of these parts, all of one fingerprint; empty if not recorded."""
    for part in parts:
        for _, one in sources(part):
            recorded = {name: one[name] for name in ("window", "stride") if isinstance(one.get(name), int)}
            if len(recorded) == 2:
                return recorded
    return {}


def joined(origins: Sequence[tuple[int, Provenance]]) -> dict[str, Any]:
    """Several sources as one provenance: what all share and, under `sources`, what differs, in their order."""
    first = origins[0][1]
    if len(origins) == 1:
        return dict(first)
    shared = {k: v for k, v in first.items() if all(k in one and one[k] == v for _, one in origins)}
    apart = [{"requests": n, **{k: v for k, v in one.items() if k not in shared}} for n, one in origins]
    return {**shared, "sources": apart}


_READ = 16
"""Characters of a key that count: 64 bits of its hash. Keys that share them only cost a needless read."""
_ODD = np.uint64(0x9E3779B97F4A7C15)


def marks(keys: pa.Array | pa.ChunkedArray) -> NDArray[np.uint64]:
    """A number for each key, in order: equal for equal keys, and different for others but for rare collisions."""
    whole = pa.concat_arrays(keys.chunks) if isinstance(keys, pa.ChunkedArray) else keys
    if not len(whole):
        return np.empty(0, np.uint64)
    padded = pc.ascii_rpad(whole.cast(pa.large_string()), _READ).cast(pa.large_binary())
    starts = pc.binary_slice(padded, 0, _READ)
    halves = np.frombuffer(starts.buffers()[2], np.uint64, 2 * len(starts)).reshape(-1, 2)
    with np.errstate(over="ignore"):
        mixed: NDArray[np.uint64] = halves[:, 0] * _ODD + halves[:, 1]
    return mixed


def as_array(keys: Iterable[str]) -> pa.Array:
    return pa.array(keys if isinstance(keys, pd.Series) else list(keys), pa.string())


def marks_of(keys: Iterable[str]) -> NDArray[np.uint64]:
    return np.sort(marks(as_array(keys)))


@files.memoised_by_file
def marks_in(scores: Path) -> NDArray[np.uint64]:
    return np.sort(marks(pq.read_table(scores, columns=["request_key"])["request_key"]))


def share(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> bool:
    few, many = sorted((first, second), key=len)
    if not len(few):
        return False
    places = np.searchsorted(many, few)
    return bool((many[np.minimum(places, len(many) - 1)] == few).any())


def read_requests(path: Path, keys: Collection[str], columns: Sequence[str] | None = None) -> pa.Table:
    """The rows of these requests in a part's file, in its order; `request_key`, always there, as plain strings."""
    wanted = sorted(keys)
    with pq.ParquetFile(path) as file:
        groups = []
        for number in range(file.metadata.num_row_groups):
            known = file.metadata.row_group(number).column(0).statistics
            ranged = known is not None and known.has_min_max
            if not ranged or bisect_left(wanted, known.min) < bisect_right(wanted, known.max):
                groups.append(number)
        rows = file.read_row_groups(groups, columns=columns)
    names = rows["request_key"].cast(pa.string())
    place = rows.column_names.index("request_key")
    among = pc.is_in(names, value_set=pa.array(wanted, pa.string()))
    return rows.set_column(place, "request_key", names).filter(among)
