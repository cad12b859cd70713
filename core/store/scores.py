"""Scores on disk: looking them up by request, and adding new ones. Only the parts of a request are read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.errors import StoreError
from core.store.keys import as_array, marks_in, marks_of, read_requests, share
from core.store.parts import SCORES, Part, Scored, all_parts, in_use, write_part
from core.store.scored_rows import has_boundary, part_name, scores_table, temperatures_of, token_scores, tokens_table
from core.store.token_rows import ends_by_request, rows_by_request
from core.types import TokenScores

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
