"""Scores on disk: looking them up by request (only its parts are read), adding new ones, and what two texts share."""

import math
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pairlens.errors import StoreError
from pairlens.identity import dataset_hash
from pairlens.store import parts
from pairlens.store.parts import MASSES, SCORES, TOKENS, Part, Scored
from pairlens.types import TokenScores

_START, _END = -1, -2
"""In place of the special tokens around a text, which take part in the alignment."""


class Tokens(NamedTuple):
    """The tokens of a text: their ids, and their log-probabilities in nats, NaN where the policy scores none."""

    ids: NDArray[np.int64]
    logprobs: NDArray[np.float64]


def shared_scores(items: pd.DataFrame, scored: Mapping[str, Tokens]) -> pd.DataFrame:
    """For every row of `items` (`pairlens.store.runs.ITEMS`, two per item), the tokens shared with the other text.

    The score of CrowS-Pairs (Nangia et al. 2020, `metric.py`): both lists of token ids, special tokens included, are
    aligned with `difflib.SequenceMatcher`, and the tokens of its `equal` blocks masked one at a time, but for the
    special ones at both ends. With one mask at a time a log-probability does not depend on which others are counted
    (policy `pll=original`), so the sum can be taken after scoring. The original lets difflib ignore tokens that are
    frequent in a list of 200 or more (`autojunk`); no sentence of CrowS-Pairs is that long.

    Columns, aligned with `items` and alike for both texts but for `logprob`, the sum over the shared tokens that are
    scored in both (nats; NaN if there is none): `n_tokens` shared, and `n_scored`.
    """
    sums = np.full((len(items), 3), np.nan)
    places = pd.Series(range(len(items))).groupby(items["item_id"].to_numpy(), sort=False)
    keys = items["request_key"].to_numpy()
    for _, rows in places:
        texts = [scored.get(keys[row]) for row in rows]
        if len(texts) == 2 and texts[0] is not None and texts[1] is not None:
            both = (texts[0], texts[1])
            aligned_at = aligned(*(text.ids.tolist() for text in both))
            values = np.array([text.logprobs[place] for text, place in zip(both, aligned_at, strict=True)])
            counted = values[:, ~np.isnan(values).any(axis=0)]
            totals = counted.sum(axis=1) if counted.size else np.full(2, np.nan)
            sums[rows.to_numpy()] = np.column_stack([totals, [values.shape[1]] * 2, [counted.shape[1]] * 2])
    return pd.DataFrame(sums, items.index, ["logprob", "n_tokens", "n_scored"])


def aligned(first: Sequence[int], second: Sequence[int]) -> tuple[list[int], list[int]]:
    """The places of shared tokens in the first and in the second text, given their ids."""
    framed = [[_START, *ids, _END] for ids in (first, second)]
    blocks = SequenceMatcher(None, framed[0], framed[1], autojunk=False).get_matching_blocks()
    pairs = [(a + n - 1, b + n - 1) for a, b, size in blocks for n in range(size)]
    inside = [(a, b) for a, b in pairs if 0 <= a < len(first) and 0 <= b < len(second)]
    return [a for a, _ in inside], [b for _, b in inside]


def rows_by_request(path: Path, keys: Sequence[str]) -> Iterator[tuple[str, dict[str, list[Any]]]]:
    """The token rows of each of these requests, in order of position."""
    frame = parts.read_requests(path, keys).sort_by([("request_key", "ascending"), ("position", "ascending")])
    names = frame["request_key"].to_pylist()
    start = 0
    for end in range(1, len(names) + 1):
        if end == len(names) or names[end] != names[start]:
            yield names[start], frame.slice(start, end - start).to_pydict()
            start = end


def tokens_by_request(paths: Sequence[Path], keys: Collection[str]) -> dict[str, Tokens]:
    """By request key, the tokens of these requests that are in these files."""
    columns = ["request_key", "position", "token_id", "logprob"]
    tables = [parts.read_requests(path, keys, [*columns, "token"]).to_pandas() for path in paths]
    frame = pd.concat(tables) if tables else pd.DataFrame(columns=[*columns, "token"])
    place = ["request_key", "position"]
    frame = frame[frame["token"].notna()].drop_duplicates(place).sort_values(place)
    names = frame["request_key"].to_numpy()
    starts = np.flatnonzero(np.concatenate([[True], names[1:] != names[:-1]])[: len(names)])
    ids = np.split(frame["token_id"].to_numpy(np.int64), starts)[1:]
    logprobs = np.split(frame["logprob"].to_numpy(np.float64), starts)[1:]
    return {str(name): Tokens(*both) for name, *both in zip(names[starts], ids, logprobs, strict=True)}


def ended(masses: NDArray[np.float64]) -> NDArray[np.float64]:
    """The total of each row of log masses: of white space, the end of the text and punctuation, NaN where unknown. 0
    where that of white space is unknown: such tokens do not show where words end.
    """
    total = np.logaddexp.reduce(np.where(np.isnan(masses), -np.inf, masses), axis=1)
    return np.where(np.isnan(masses[:, 0]), 0.0, total)


def token_sums(paths: Sequence[Path], values: NDArray[np.float64]) -> pd.Series:
    """By request key, the sum of `values` (by token id) over tokens with a log-probability; NaN for an unknown id."""
    by_id = np.append(values, np.nan)
    columns = ["request_key", "token_id", "logprob"]
    if not paths:
        return pd.Series(dtype=np.float64)
    tables = []
    for path in paths:
        scored = pq.read_table(path, columns=columns).drop_null().combine_chunks()
        keys = scored["request_key"].combine_chunks()
        numbers = by_id[np.minimum(scored["token_id"].to_numpy(), len(by_id) - 1)]
        requests, n_requests = keys.indices.to_numpy(), len(keys.dictionary)
        totals = np.bincount(requests, weights=numbers, minlength=n_requests)
        counted = np.bincount(requests, minlength=n_requests) > 0
        tables.append(pd.Series(totals[counted], keys.dictionary.to_pandas().astype("str")[counted]))
    sums: pd.Series = pd.concat(tables)
    return sums[~sums.index.duplicated()]


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
        folders = [layer / "scores" / fingerprint for layer in self._layers]
        return [part for folder in folders for part in parts.in_use(parts.all_parts(folder))]

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
            wanted = parts.as_array(keys)
            known = wanted.filter(pc.is_in(wanted, value_set=known))
        return set(known.to_pylist())

    @on_the_parts_of_now
    def token_scores(self, fingerprint: str, keys: Collection[str]) -> dict[str, TokenScores]:
        """The stored scores of these requests, by key, preferably with the masses at word ends."""
        by_key: dict[str, TokenScores] = {}
        held = sorted(self.verified(fingerprint, "scores", keys), key=lambda pair: not pair[0].about["boundary"])
        for part, path in held:
            sums = parts.read_requests(path, keys, ["request_key", "n_straddling"])
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
        answers = {"boundary": _has_boundary(scored), "temperatures": _temperatures(scored)}
        about = {"requests": len(scored), **answers, "provenance": dict(provenance)}
        return parts.write_part(folder / f"{part_name(scored, folder if rescored else None)}.json", tables, about)

    def verified(self, fingerprint: str, table: str, keys: Collection[str] | None = None) -> list[tuple[Part, Path]]:
        """The parts whose file of this table is intact; with `keys`, those with one of these requests.
        FileNotFoundError if a part was deleted since it was listed.
        """
        wanted = None if keys is None else parts.marks_of(keys)
        intact = []
        for part in self.parts(fingerprint):
            if part.scores_with(wanted) and (path := part.verified(table)):
                intact.append((part, path))
            elif not part.side.exists():
                raise FileNotFoundError(part.side)
        return intact


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
