"""Scores on disk: looking them up by request, and adding new ones. Only the parts of a request are read."""

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
    MASSES,
    SCORES,
    TOKENS,
    Part,
    Scored,
    all_parts,
    as_array,
    in_use,
    marks_of,
    read_requests,
    write_part,
)
from core.store.token_rows import ended, rows_by_request
from core.types import TokenScores

_P = ParamSpec("_P")
_T = TypeVar("_T")
_ATTEMPTS = 5
_DISTANT_FUTURE = 1 << 36


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
        request, the one whose name sorts first counts. With `keys`, only parts with one of these are read, all of
        their rows.
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
        """The stored request keys, or those among `keys`, with all that is required: the masses at word ends
        (`boundary`), scores at all `temperatures`, token rows (`by_token`).
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
        known = pa.chunked_array([chunk for one in at_one for chunk in one.chunks], pa.string())
        if temperatures and tables:
            rows = pa.concat_tables(tables).filter(pc.field("temperature").isin([*temperatures]))
            counts = rows.group_by("request_key").aggregate([("temperature", "count_distinct")])
            at_all = pc.equal(counts["temperature_count_distinct"], len(set(temperatures)))
            known = known.filter(pc.is_in(known, value_set=counts["request_key"].filter(at_all)))
        if keys is not None:
            wanted = as_array(keys)
            known = wanted.filter(pc.is_in(wanted, value_set=known))
        return set(known.to_pylist())

    @on_the_parts_of_now
    def token_scores(self, fingerprint: str, keys: Collection[str]) -> dict[str, TokenScores]:
        """The stored scores of these requests, by key, preferably with the masses at word ends."""
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

        They begin with white space or punctuation, or are the end of the text. 0 if the model's tokens do not show
        where words end. Requests stored without the masses are left out. `keys` as in `scores`.
        """
        columns, after = ["request_key", *MASSES], pc.field("token").is_null()
        tables = [TOKENS.empty_table().select(columns)]
        for part, path in self.verified(fingerprint, "tokens", keys):
            if part.about["boundary"]:
                tables.append(pq.read_table(path, columns=columns, filters=after))
        frame = pd.concat(table.to_pandas().astype({"request_key": "str"}) for table in tables)
        frame = frame.drop_duplicates("request_key").set_index("request_key")
        return pd.Series(ended(frame.to_numpy(np.float64)), frame.index)

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
            "boundary": _has_boundary(scored),
            "temperatures": _temperatures(scored),
            "provenance": dict(provenance),
        }
        return write_part(folder / f"{part_name(scored, folder if rescored else None)}.json", tables, about)

    def verified(self, fingerprint: str, table: str, keys: Collection[str] | None = None) -> list[tuple[Part, Path]]:
        """The parts whose file of this table is intact; with `keys`, those with one of these requests.
        FileNotFoundError if a part was deleted since it was listed.
        """
        wanted = None if keys is None else marks_of(keys)
        parts = []
        for part in self.parts(fingerprint):
            if part.scores_with(wanted) and (path := part.verified(table)):
                parts.append((part, path))
            elif not part.side.exists():
                raise FileNotFoundError(part.side)
        return parts


def part_name(scored: Sequence[Scored], rescored: Path | None = None) -> str:
    """The name of a part; `rescored`: the folder in which it counts first, even if the clock has been set back."""
    name = dataset_hash([f"{_has_boundary(scored)} {_temperatures(scored)}", *sorted(one.key for one in scored)])[:20]
    if rescored is None:
        return name
    taken = [int(side.name[2:11], 16) for side in rescored.glob(f"0-{'[0-9a-f]' * 9}-*")]
    return f"0-{min([_DISTANT_FUTURE - int(time.time()), *(number - 1 for number in taken)]):09x}-{name}"


def _has_boundary(scored: Sequence[Scored]) -> bool:
    return all(one.scores.boundary_logprobs is not None for one in scored)


def _temperatures(scored: Sequence[Scored]) -> list[float]:
    return sorted({1.0}.union(*(one.scores.tempered or () for one in scored)))


def scores_table(scored: Sequence[Scored]) -> pa.Table:
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
    columns: dict[str, list[Any]] = {name: [] for name in TOKENS.names[1:]}
    rows = []
    for request in scored:
        scores = request.scores
        blank: list[None] = [] if scores.boundary_logprobs is None else [None]
        n = len(scores.tokens) + len(blank)
        rows.append(n)
        columns["position"] += range(n)
        columns["token"] += [*scores.tokens, *blank]
        columns["token_id"] += [*scores.ids, *blank]
        columns["start"] += [*(start for start, _ in scores.spans), *blank]
        columns["end"] += [*(end for _, end in scores.spans), *blank]
        columns["word_position"] += [*request.words, *blank]
        columns["logprob"] += [*scores.logprobs, *(math.nan for _ in blank)]
        for name in MASSES:
            columns[name] += getattr(scores, f"{name}s") or [math.nan] * n
    numbers = pa.array(np.repeat(np.arange(len(scored), dtype=np.int32), rows))
    keys = pa.DictionaryArray.from_arrays(numbers, pa.array([request.key for request in scored], pa.string()))
    floats = {name: _floats(columns[name]) for name in ("logprob", *MASSES)}
    try:
        tokens = pa.array(columns["token"], pa.string())
    except UnicodeEncodeError:  # Parquet's UTF-8 cannot represent the lone surrogates of some vocabularies
        texts = [token and token.encode("utf-8", "replace").decode("utf-8") for token in columns["token"]]
        tokens = pa.array(texts, pa.string())
    return pa.table({"request_key": keys, **columns, "token": tokens, **floats}, schema=TOKENS)


def _floats(values: Sequence[float]) -> pa.Array:
    """Numbers with null for NaN, which Parquet distinguishes."""
    return pa.array(np.array(values, np.float64), from_pandas=True)


def token_scores(rows: Mapping[str, Sequence[Any]], n_straddling: int) -> TokenScores:
    """The stored token rows of one request, in order of position, as TokenScores."""
    has_end = bool(rows["token"]) and rows["token"][-1] is None
    n = len(rows["token"]) - has_end
    values = {
        name: tuple(math.nan if value is None else value for value in rows[name]) for name in ("logprob", *MASSES)
    }
    masses: dict[str, Any] = {f"{name}s": values[name] if has_end else None for name in MASSES}
    spans, tokens, ids = zip(rows["start"][:n], rows["end"][:n], strict=True), rows["token"][:n], rows["token_id"][:n]
    return TokenScores(tuple(tokens), tuple(ids), values["logprob"][:n], tuple(spans), n_straddling, **masses)
