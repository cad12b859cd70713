"""The content of a file of scores: a table of texts, and each text's tokens and log-probabilities."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pairlens.errors import InputError
from pairlens.files.tables import read_records
from pairlens.types import UNSCORED, Item, Span, TokenScores

_ROUNDING = 1e-4
"""Nats by which a log-probability may exceed 0: sums in single precision."""
FORMAT = 1
_MARK = "pairlens_scores"
_ABOUT = ("device", "versions", "written", "input", "input_sha256")
_DIGEST = re.compile(r"([0-9a-f]{64})?")
_POLICY = {"causal": {"first_token": ("bos", "none")}, "masked": {"pll": ("within_word_l2r", "original")}}
_LABELS = ("good", "bad", "sentence")
Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Stated:
    """A file's texts, their scores, the model's name, its kind (causal, masked or empty), and the policy.

    `table` has one row per pair (`good`, `bad`) or per sentence (`sentence`), and any other columns of the file.
    `scores`, and reasons where there are none (`refused`), are by text, or by context and text. `about` is other
    provenance: device, versions, time. With `items` these are what is stored, as a run of the task of that name.
    """

    table: pd.DataFrame
    scores: Mapping[Any, TokenScores]
    model: str
    kind: str = ""
    revision: str = ""
    weights: str = ""
    policy: Mapping[str, object] = field(default_factory=dict)
    refused: Mapping[Any, str] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    items: tuple[Item, ...] = ()
    task: str = "pairs"


def token_scores(
    text: str,
    tokens: Sequence[str],
    ids: Sequence[int],
    spans: Sequence[Span],
    logprobs: Iterable[float | None],
    where: str,
) -> TokenScores:
    """These columns as scores; InputError, with the place, if they cannot be the tokens of this text."""
    values = tuple(UNSCORED if value is None else float(value) for value in logprobs)
    if not tokens or not len(tokens) == len(ids) == len(spans) == len(values):
        raise InputError("its lists of tokens are empty, or of different lengths", where)
    for (start, end), (begins, _) in zip(spans, [(0, 0), *spans[:-1]], strict=True):
        if not begins <= start <= end <= len(text):
            raise InputError(f"a token at characters {start} to {end} is not in the text, or out of order", where)
    for value in values:
        if math.isinf(value) or value > _ROUNDING:
            raise InputError(f"{value} is no log-probability (0 or less, not infinite; missing if not scored)", where)
    return TokenScores(tuple(tokens), tuple(ids), values, tuple(spans))


def add(scores: dict[str, TokenScores], text: str, text_scores: TokenScores, where: str) -> None:
    """Add a text's scores; InputError if the file has other scores for it, of another model or policy."""
    known = scores.setdefault(text, text_scores)
    both = known.logprobs, text_scores.logprobs
    if known.tokens != text_scores.tokens or not np.allclose(*both, rtol=0, atol=_ROUNDING, equal_nan=True):
        fault = "this text stands in the file with other scores too: they must be of one model and policy"
        raise InputError(fault, where)


def is_own(source: Path) -> bool:
    """Whether a JSON lines file has this format, by its first line; InputError if it cannot be read."""
    return any(_MARK in first for _, first in islice(read_records(source), 1))


def read_own(source: Path) -> Stated:
    """The file's texts; InputError with the line for a malformed record, or if it ends too early."""
    records = read_records(source)
    _, header = next(records)
    kind, policy = _check(header, source.name)
    rows: dict[int, dict[str, str]] = {}
    scores: dict[str, TokenScores] = {}
    refused: dict[str, str] = {}
    for number, record in records:
        where = f"{source.name}, line {number}"
        if _MARK in record:
            raise InputError("another file begins here: import the scores of each model on their own", where)
        row, label, text = _place(record, where, rows)
        groups = record.get("groups")
        others = {str(name): str(value) for name, value in groups.items()} if isinstance(groups, dict) else {}
        rows[row] = {**others, **rows.get(row, {}), label: text}
        if isinstance(reason := record.get("refused"), str):
            refused[text] = reason
        else:
            add(scores, text, _scores(text, record, where), where)
    if (n := sum(label in row for row in rows.values() for label in _LABELS)) != header.get("texts"):
        rest = "it was cut off, or scoring it is not finished"
        raise InputError(f"holds {n:,} of {header.get('texts')} texts: {rest}", source.name)
    if not rows:
        raise InputError("holds no text", source.name)
    if alone := [row for row, texts in rows.items() if ("good" in texts) != ("bad" in texts)]:
        raise InputError(f"row {alone[0]} has a 'good' or a 'bad' text, but not both", source.name)
    table = pd.DataFrame([rows[row] for row in sorted(rows)], dtype="str")
    about = {name: header[name] for name in _ABOUT if name in header}
    revision, weights = (str(header.get(name) or "") for name in ("revision", "weights"))
    return Stated(table, scores, str(header["model"]), kind, revision, weights, policy, refused, about)


def _check(header: Record, name: str) -> tuple[str, dict[str, object]]:
    version, kind, policy, model = (header.get(field) for field in (_MARK, "kind", "policy", "model"))
    if isinstance(version, int) and version > FORMAT:
        newer = f"is of a newer score_anywhere.py (format {version}, here {FORMAT} is read): update Pairlens"
        raise InputError(newer, name)
    known = _POLICY.get(str(kind), {})
    chosen = {field: policy.get(field) for field in known} if isinstance(policy, dict) else {}
    sound = version == FORMAT and known and isinstance(model, str) and model.strip()
    sound = sound and _DIGEST.fullmatch(str(header.get("weights") or ""))
    if not sound or not all(chosen.get(field) in choices for field, choices in known.items()):
        raise InputError("line 1 does not say which model, kind of model and policy the scores are of", name)
    return str(kind), chosen


def _place(record: Record, where: str, rows: Mapping[int, Mapping[str, str]]) -> tuple[int, str, str]:
    row, label, text = (record.get(name) for name in ("row", "label", "text"))
    if type(row) is not int or label not in _LABELS or not isinstance(text, str):
        raise InputError("no row number, label (good, bad or sentence) and text", where)
    if label in rows.get(row, {}) and isinstance(record.get("groups"), dict) and label not in record["groups"]:
        raise InputError(f"row {row} has its '{label}' text twice", where)
    return row, str(label), text


def _scores(text: str, record: Record, where: str) -> TokenScores:
    """The scores in a line; InputError for a value of the wrong type."""
    fits: Mapping[str, Callable[[Any], bool]] = {
        "tokens": lambda one: isinstance(one, str),
        "ids": lambda one: type(one) is int and 0 <= one < 1 << 31,
        "spans": lambda one: isinstance(one, list) and len(one) == 2 and all(type(end) is int for end in one),
        "logprobs": lambda one: one is None or type(one) in (int, float),
    }
    for name, fit in fits.items():
        if not isinstance(record.get(name), list) or not all(map(fit, record[name])):
            raise InputError(f"'{name}' is not the list that it should be", where)
    spans: list[Span] = [(start, end) for start, end in record["spans"]]
    return token_scores(text, record["tokens"], record["ids"], spans, record["logprobs"], where)
