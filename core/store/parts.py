"""Immutable Parquet parts of scores: the only truth of the store.

A part is three files that share a name: scores, tokens, and a side file with their sha256. The side file is written
last, so a part without one does not exist. Its name is a hash of what it holds: request keys, temperatures, and
whether the masses at word ends: writing a part twice changes nothing. A part whose files do not match their sha256 is
set aside and named, never read.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from core.errors import StoreError
from core.identity import dataset_hash
from core.store.files import file_sha256, read_json, replacing, sha256, write_json
from core.types import Span, TokenScores

FORMAT = 1
"""Version of the store's layout. A store of a newer format is refused, never guessed at."""

_DISTANT_FUTURE = 1 << 36

log = logging.getLogger(__name__)

SCORES = pa.schema(
    [
        ("request_key", pa.string()),
        ("temperature", pa.float64()),
        ("logprob", pa.float64()),
        ("n_tokens", pa.int32()),
        ("n_scored", pa.int32()),
        ("n_straddling", pa.int32()),
    ]
)
TOKENS = pa.schema(
    [
        ("request_key", pa.dictionary(pa.int32(), pa.string())),
        ("position", pa.int32()),
        ("token", pa.string()),
        ("token_id", pa.int32()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("word_position", pa.int32()),
        ("logprob", pa.float64()),
        ("boundary_logprob", pa.float64()),
        ("eos_logprob", pa.float64()),
        ("punctuation_logprob", pa.float64()),
    ]
)


@dataclass(frozen=True, slots=True)
class Scored:
    """One request's scores on their way into a part. `words` is the word position of each token."""

    key: str
    scores: TokenScores
    words: Sequence[int]


@dataclass(frozen=True, slots=True)
class Part:
    """A part on disk: the path of its side file and what the side file says."""

    side: Path
    about: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The part's name, without endings."""
        return self.side.name.removesuffix(".json")

    def file(self, table: str) -> Path:
        """The Parquet file of `scores` or `tokens`."""
        return self.side.with_name(f"{self.name}.{table}.parquet")

    def verified(self, table: str) -> Path | None:
        """That file if it is what was written; None, and the part set aside, if it is damaged or gone."""
        path = self.file(table)
        try:
            if file_sha256(path) == self.about["sha256"][table]:
                return path
            reason = "its bytes are not those that were written"
        except OSError as error:
            reason = error.strerror or str(error)
        log.warning("%s is damaged (%s): set aside, its texts will be scored again.", path, reason)
        self.set_aside()
        return None

    def set_aside(self) -> None:
        """Rename the side file: the part no longer exists, its files stay for inspection."""
        with suppress(FileNotFoundError):  # another process was first
            self.side.replace(self.side.with_suffix(".damaged"))


def write_part(
    folder: Path, scored: Sequence[Scored], provenance: Mapping[str, Any], *, tokens: bool, rescored: bool
) -> Part:
    """Write one part into a fingerprint's folder. `tokens=False` keeps sums only (confidential tasks).

    Where two parts hold a request, the one whose name sorts first counts: the newest `rescored` one, if any.
    """
    boundary = all(one.scores.boundary_logprobs is not None for one in scored)
    temperatures = sorted({1.0}.union(*(one.scores.tempered or () for one in scored)))
    name = dataset_hash([f"{boundary} {temperatures}", *sorted(one.key for one in scored)])[:20]
    if rescored:
        name = f"0-{_DISTANT_FUTURE - int(time.time()):09x}-{name}"
    part = Part(folder / f"{name}.json", {})
    digests = {}
    tables = {"scores": _scores_table(scored), "tokens": _tokens_table(scored if tokens else ())}
    for table, rows in tables.items():
        with replacing(part.file(table)) as temporary:
            pq.write_table(rows, temporary, compression="zstd")
            digests[table] = sha256(temporary)
    about = {
        "format": FORMAT,
        "requests": len(scored),
        "boundary": boundary,
        "temperatures": temperatures,
        "sha256": digests,
        "provenance": dict(provenance),
    }
    write_json(part.side, about)
    return Part(part.side, about)


def read_parts(folder: Path) -> list[Part]:
    """The whole parts in a fingerprint's folder, by name. Raises StoreError for a newer format."""
    found = []
    for side in sorted(folder.glob("[!.]*.json")):
        about = read_json(side)
        if about is None or "sha256" not in about:
            log.warning("%s is damaged: set aside, its texts will be scored again.", side)
            Part(side, {}).set_aside()
        elif about.get("format") != FORMAT:
            raise StoreError(
                f"{side} has format {about.get('format')}, this version of Pairlens reads {FORMAT}: "
                "update Pairlens, or set PAIRLENS_HOME to another folder."
            )
        else:
            found.append(Part(side, about))
    return found


def _scores_table(scored: Iterable[Scored]) -> pa.Table:
    rows = [
        {
            "request_key": one.key,
            "temperature": temperature,
            "logprob": _missing(one.scores.total_at(temperature)),
            "n_tokens": len(one.scores.tokens),
            "n_scored": one.scores.n_scored,
            "n_straddling": one.scores.n_straddling,
        }
        for one in scored
        for temperature in (1.0, *(one.scores.tempered or ()))
    ]
    return pa.Table.from_pylist(rows, schema=SCORES)


def _tokens_table(scored: Iterable[Scored]) -> pa.Table:
    columns: dict[str, list[Any]] = {name: [] for name in TOKENS.names}
    for one in scored:
        _add_token_rows(columns, one)
    return pa.table(columns, schema=TOKENS)


def _add_token_rows(columns: dict[str, list[Any]], one: Scored) -> None:
    """Append one row per token and, where boundary masses were asked for, one for the place after the last."""
    scores = one.scores
    n = len(scores.tokens)
    after = 1 if scores.boundary_logprobs is not None else 0
    blank: list[None] = [None] * after
    columns["request_key"] += [one.key] * (n + after)
    columns["position"] += range(n + after)
    columns["token"] += [*map(_storable, scores.tokens), *blank]
    columns["token_id"] += [*scores.ids, *blank]
    columns["start"] += [*(start for start, _ in scores.spans), *blank]
    columns["end"] += [*(end for _, end in scores.spans), *blank]
    columns["word_position"] += [*one.words, *blank]
    columns["logprob"] += [*map(_missing, scores.logprobs), *blank]
    for column, values in (
        ("boundary_logprob", scores.boundary_logprobs),
        ("eos_logprob", scores.eos_logprobs),
        ("punctuation_logprob", scores.punctuation_logprobs),
    ):
        columns[column] += [None] * (n + after) if values is None else map(_missing, values)


def _missing(value: float) -> float | None:
    return None if math.isnan(value) else value


def _storable(token: str) -> str:
    """Vocabulary strings may hold lone surrogates, which Parquet's UTF-8 cannot."""
    return token.encode("utf-8", "replace").decode("utf-8")


def token_scores(rows: Mapping[str, Sequence[Any]], n_straddling: int) -> TokenScores:
    """Stored token rows of one request, in order of position, as the object that was stored."""
    has_end = bool(rows["token"]) and rows["token"][-1] is None
    n = len(rows["token"]) - has_end

    def floats(column: str, length: int) -> tuple[float, ...]:
        return tuple(math.nan if value is None else value for value in rows[column][:length])

    def at_boundaries(column: str) -> tuple[float, ...] | None:
        return floats(column, n + 1) if has_end else None

    spans: tuple[Span, ...] = tuple(zip(rows["start"][:n], rows["end"][:n], strict=True))
    return TokenScores(
        tokens=tuple(rows["token"][:n]),
        ids=tuple(rows["token_id"][:n]),
        logprobs=floats("logprob", n),
        spans=spans,
        n_straddling=n_straddling,
        boundary_logprobs=at_boundaries("boundary_logprob"),
        eos_logprobs=at_boundaries("eos_logprob"),
        punctuation_logprobs=at_boundaries("punctuation_logprob"),
    )
