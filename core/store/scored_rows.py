"""A part's name and two tables from TokenScores, and TokenScores from token rows."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from core.identity import dataset_hash
from core.store.parts import SCORES, TOKENS, Scored
from core.types import Span, TokenScores

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
