"""Scores on disk: looking them up by request, and adding new ones. Only the parts of a request are read."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.errors import StoreError
from core.identity import dataset_hash
from core.store.parts import (
    SCORES,
    TOKENS,
    Part,
    Scored,
    all_parts,
    as_array,
    in_use,
    marks_in,
    marks_of,
    read_requests,
    share,
    write_part,
)
from core.store.token_rows import ends_by_request, rows_by_request
from core.types import Span, TokenScores

_P = ParamSpec("_P")
_T = TypeVar("_T")
_ATTEMPTS = 5


def on_the_parts_of_now(read: Callable[_P, _T]) -> Callable[_P, _T]:
    """Retry if a part was replaced and deleted between being listed and being read."""

    @wraps(read)
    def again(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        for _ in range(_ATTEMPTS):
            try:
                return read(*args, **kwargs)
            except FileNotFoundError as gone:
                missing = gone
        raise StoreError(f"The store changes faster than it can be read: {missing}.")

    return again


class Scores:
    """The scores in some folders; the first one is written to and counts first."""

    def __init__(self, *layers: Path) -> None:
        self.folder = layers[0]
        self._layers = layers

    def parts(self, fingerprint: str) -> list[Part]:
        """All complete parts of a fingerprint that are not replaced: the store's own first, then shipped ones."""
        return [part for layer in self._layers for part in in_use(all_parts(layer / "scores" / fingerprint))]

    def fingerprints(self) -> list[str]:
        """Every fingerprint with scores in the store's own folder."""
        folders = (self.folder / "scores").glob("[!.]*/")
        return sorted(folder.name for folder in folders if not folder.is_symlink())

    @on_the_parts_of_now
    def scores(
        self, fingerprint: str, temperature: float | None = None, keys: Collection[str] | None = None
    ) -> pd.DataFrame:
        """One row per stored request and temperature, or those at one temperature only.

        Columns: request_key, temperature, logprob (nats), n_tokens, n_scored, n_straddling. If two parts hold a
        request, the one whose name sorts first counts. With `keys`, only parts with one of these requests are read;
        their other requests are among the rows.
        """
        rows = None if temperature is None else pc.field("temperature") == temperature
        tables = [pq.read_table(path, filters=rows) for _, path in self.verified(fingerprint, "scores", keys)]
        frame: pd.DataFrame = pa.concat_tables([SCORES.empty_table(), *tables]).to_pandas()
        return frame.drop_duplicates(["request_key", "temperature"], keep="first", ignore_index=True)

    @on_the_parts_of_now
    def known(
        self,
        fingerprint: str,
        *,
        boundary: bool = False,
        temperatures: Collection[float] = (),
        by_token: bool = False,
        keys: Collection[str] | None = None,
    ) -> set[str]:
        """The stored request keys, or those among `keys`, with all that is required.

        `boundary`: the masses at word ends; `temperatures`: scores at all of these; `by_token`: token rows.
        """
        at_one: list[pa.ChunkedArray] = []
        tables: list[pa.Table] = []
        for part, path in self.verified(fingerprint, "scores", keys):
            tokens = part.verified("tokens")
            if not tokens or (by_token and not pq.read_metadata(tokens).num_rows):
                continue
            table = pq.read_table(path, columns=["request_key", "temperature"])
            if part.about["boundary"] or not boundary:
                at_one.append(table["request_key"].filter(pc.equal(table["temperature"], 1.0)))
            tables.append(table)
        keys_known = pa.chunked_array([chunk for one in at_one for chunk in one.chunks], pa.string())
        if temperatures and tables:
            keys_known = _among(keys_known, _at_all(tables, temperatures))
        return set((keys_known if keys is None else _among(as_array(keys), keys_known)).to_pylist())

    @on_the_parts_of_now
    def token_scores(self, fingerprint: str, keys: Collection[str]) -> dict[str, TokenScores]:
        """The stored scores of these requests, by key, without missing ones.

        Scores with the masses at word ends are preferred.
        """
        by_key: dict[str, TokenScores] = {}
        parts = sorted(self.verified(fingerprint, "scores", keys), key=lambda pair: not pair[0].about["boundary"])
        for part, path in parts:
            sums = read_requests(path, keys, ["request_key", "n_straddling"])
            straddling = dict(zip(sums["request_key"].to_pylist(), sums["n_straddling"].to_pylist(), strict=True))
            missing = [key for key in straddling if key not in by_key]
            if missing and (tokens := part.verified("tokens")):
                for key, rows in rows_by_request(tokens, missing):
                    by_key[key] = token_scores(rows, straddling[key])
        return by_key

    @on_the_parts_of_now
    def ends(self, fingerprint: str, keys: Collection[str] | None = None) -> pd.Series:
        """By request key, the log mass of all tokens that end the word after the request's last token, in nats.

        They begin with white space or punctuation, which ends a form even where it counts as part of words, or are
        the end of the text. 0 if the model's tokens do not show where words end. Requests stored without the masses
        are left out. `keys` as in `scores`.
        """
        parts = [path for part, path in self.verified(fingerprint, "tokens", keys) if part.about["boundary"]]
        return ends_by_request(parts)

    @on_the_parts_of_now
    def requests_with(self, fingerprint: str, token: str, keys: Collection[str] | None = None) -> set[str]:
        """The stored requests with this token in their continuation; `keys` as in `scores`."""
        with_token: set[str] = set()
        for _, path in self.verified(fingerprint, "tokens", keys):
            table = pq.read_table(path, columns=["request_key"], filters=pc.field("token") == token)
            with_token.update(table["request_key"].cast(pa.string()).to_pylist())
        return with_token

    def add(
        self,
        fingerprint: str,
        scored: Sequence[Scored],
        provenance: Mapping[str, Any],
        *,
        tokens: bool = True,
        rescored: bool = False,
    ) -> Part:
        """Store scores as one part. `tokens=False` keeps sums only; `rescored` ones count before older ones."""
        folder = self.folder / "scores" / fingerprint
        tables = {"scores": scores_table(scored), "tokens": tokens_table(scored if tokens else ())}
        about = {
            "requests": len(scored),
            "boundary": has_boundary(scored),
            "temperatures": temperatures_of(scored),
            "provenance": dict(provenance),
        }
        return write_part(folder / f"{part_name(scored, folder if rescored else None)}.json", tables, about)

    def verified(self, fingerprint: str, table: str, keys: Collection[str] | None = None) -> list[tuple[Part, Path]]:
        """The parts whose file of this table is intact; with `keys`, those with one of these requests.

        Raises FileNotFoundError if a part was deleted since it was listed.
        """
        wanted = None if keys is None else marks_of(keys)
        parts = []
        for part in self.parts(fingerprint):
            scores = part.verified("scores")
            if scores and (wanted is None or share(marks_in(scores), wanted)) and (path := part.verified(table)):
                parts.append((part, path))
            elif not part.side.exists():
                raise FileNotFoundError(part.side)
        return parts


def _among(keys: pa.Array | pa.ChunkedArray, others: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Those of these keys that are among the others."""
    return keys.filter(pc.is_in(keys, value_set=others))


def _at_all(tables: Sequence[pa.Table], temperatures: Collection[float]) -> pa.ChunkedArray:
    """The request keys that are in these tables at every one of the temperatures."""
    wanted = pc.field("temperature").isin([*temperatures])
    rows = pa.concat_tables(tables).filter(wanted).group_by("request_key")
    counts = rows.aggregate([("temperature", "count_distinct")])
    whole = pc.equal(counts["temperature_count_distinct"], len(set(temperatures)))
    return counts["request_key"].filter(whole)


_DISTANT_FUTURE = 1 << 36
_MASSES = {
    "boundary_logprob": "boundary_logprobs",
    "eos_logprob": "eos_logprobs",
    "punctuation_logprob": "punctuation_logprobs",
}


def part_name(scored: Sequence[Scored], rescored: Path | None = None) -> str:
    """The name of a part with these scores. `rescored`: the folder in which they count before all others."""
    boundary, temperatures = has_boundary(scored), temperatures_of(scored)
    name = dataset_hash([f"{boundary} {temperatures}", *sorted(one.key for one in scored)])[:20]
    return f"{_first_in(rescored)}-{name}" if rescored else name


def _first_in(folder: Path) -> str:
    """The beginning of a name that sorts before all others in this folder, even if the clock has been set back."""
    taken = [int(side.name[2:11], 16) for side in folder.glob(f"0-{'[0-9a-f]' * 9}-*")]
    return f"0-{min([_DISTANT_FUTURE - int(time.time()), *(number - 1 for number in taken)]):09x}"


def has_boundary(scored: Sequence[Scored]) -> bool:
    """Whether all of them have the masses at word ends."""
    return all(one.scores.boundary_logprobs is not None for one in scored)


def temperatures_of(scored: Sequence[Scored]) -> list[float]:
    """The temperatures at which any of them is scored, sorted."""
    return sorted({1.0}.union(*(one.scores.tempered or () for one in scored)))


def scores_table(scored: Sequence[Scored]) -> pa.Table:
    """One row per request and temperature (SCORES)."""
    rows = [(one, temperature) for one in scored for temperature in (1.0, *(one.scores.tempered or ()))]
    columns = {
        "request_key": [one.key for one, _ in rows],
        "temperature": [temperature for _, temperature in rows],
        "logprob": _floats([one.scores.total_at(temperature) for one, temperature in rows]),
        "n_tokens": [len(one.scores.tokens) for one, _ in rows],
        "n_scored": [one.scores.n_scored for one, _ in rows],
        "n_straddling": [one.scores.n_straddling for one, _ in rows],
    }
    return pa.table(columns, schema=SCORES)


def tokens_table(scored: Sequence[Scored]) -> pa.Table:
    """One row per token (TOKENS) and, where there are masses, one for the place after the last token."""
    columns: dict[str, list[Any]] = {name: [] for name in TOKENS.names}
    rows = [_add_rows(columns, one) for one in scored]
    columns["request_key"] = _repeated([one.key for one in scored], rows)
    columns["token"] = _texts(columns["token"])
    for name in ("logprob", *_MASSES):
        columns[name] = _floats(columns[name])
    return pa.table(columns, schema=TOKENS)


def _add_rows(columns: dict[str, list[Any]], one: Scored) -> int:
    """Append a request's rows, without the key; returns their number."""
    scores = one.scores
    n = len(scores.tokens)
    blank: list[None] = [] if scores.boundary_logprobs is None else [None]
    rows = n + len(blank)
    columns["position"] += range(rows)
    columns["token"] += [*scores.tokens, *blank]
    columns["token_id"] += [*scores.ids, *blank]
    columns["start"] += [*(start for start, _ in scores.spans), *blank]
    columns["end"] += [*(end for _, end in scores.spans), *blank]
    columns["word_position"] += [*one.words, *blank]
    columns["logprob"] += [*scores.logprobs, *(math.nan for _ in blank)]
    for column, field in _MASSES.items():
        values = getattr(scores, field)
        columns[column] += [math.nan] * rows if values is None else values
    return rows


def _repeated(keys: Sequence[str], times: Sequence[int]) -> pa.DictionaryArray:
    numbers = np.repeat(np.arange(len(keys), dtype=np.int32), times)
    return pa.DictionaryArray.from_arrays(pa.array(numbers), pa.array(keys, pa.string()))


def _floats(values: Sequence[float]) -> pa.Array:
    """Numbers with null for NaN, which Parquet distinguishes."""
    return pa.array(np.array(values, np.float64), from_pandas=True)


def _texts(tokens: Sequence[str | None]) -> pa.Array:
    """Vocabulary strings without lone surrogates, which Parquet's UTF-8 cannot represent."""
    try:
        return pa.array(tokens, pa.string())
    except UnicodeEncodeError:
        return pa.array([token and token.encode("utf-8", "replace").decode("utf-8") for token in tokens], pa.string())


def token_scores(rows: Mapping[str, Sequence[Any]], n_straddling: int) -> TokenScores:
    """The stored token rows of one request, in order of position, as TokenScores."""
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
