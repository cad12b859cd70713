"""Any table with a row per token or text: NLPScholar's, one saved from minicons, our own `score`, or named columns.

The texts are taken from the table, or assembled from its tokens; the unit of the numbers from probabilities beside
them or the column's name. A text's score counts as that of one token. Pairs may have both texts and scores in a row
(`good`, `bad`, `good_logprob`, `bad_logprob`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens.errors import InputError, unknown
from pairlens.evaluation.imported_scores.texts import Stated, add, token_scores
from pairlens.files.tables import read_table, row_numbers
from pairlens.models.tokenizer import byte_level_bytes
from pairlens.tasks._pair_columns import texts_of
from pairlens.types import Span, TokenScores

USUAL: Mapping[str, tuple[str, ...]] = {
    "sentid": ("sentid", "sent_id", "sentence_id", "text_id", "item"),
    "sentence": ("sentence", "text"),
    "token": ("token", "tokens", "piece", "word"),
    "logprob": ("logprob", "log_prob", "logp", "log_probability"),
    "surprisal": ("surprisal_bits", "surp", "surprisal"),
    "prob": ("prob", "probability"),
    "model": ("model", "model_name"),
}
"""Common names for the column of each role, the most common first."""
_NEEDED = {
    "the tokens (token) or texts (sentence)": ("token", "sentence"),
    "which sentence a token is of (sentid)": ("sentid", "sentence"),
    "log-probabilities or surprisals (logprob, surprisal)": ("logprob", "surprisal"),
}
UNITS = {"nats": 1.0, "bits": float(np.log(2))}
_SPECIAL = frozenset(("[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<bos>", "<eos>", "<pad>", "<|endoftext|>"))
_MISSING = ("", "NA", "nan", "NaN", "None", "null")
_AGREES = 1e-3
"""Relative tolerance between a surprisal and the probability beside it: tables are rounded."""
_UNKNOWN = frozenset(("[UNK]", "<unk>", "<|unk|>"))
_CONTINUES = "##"


@dataclass(frozen=True, slots=True)
class Columns:
    """The column of each role; an empty one is inferred. `unit` is nats or bits."""

    sentid: str = ""
    sentence: str = ""
    token: str = ""
    logprob: str = ""
    surprisal: str = ""
    prob: str = ""
    model: str = ""
    unit: str = ""


def read_token_table(source: Path, chosen: Columns, *, model: str = "", kind: str = "") -> Stated:
    """The table's texts with their scores; `model` chooses one of those in the table, or names it."""
    table = read_table(source)
    table, only_model = _tidied(table.set_axis(pd.Index(row_numbers(table))))
    columns = _completed(table, chosen, source.name)
    table, name = _of_one_model(table, columns, model or only_model, source.name)
    logprobs, unit = _logprobs(table, columns, source.name)
    pieces, values = (
        np.array(texts_of(table[columns.token or columns.sentence]), object),
        logprobs.to_numpy(np.float64),
    )
    column = _sentence_of(table, columns)
    sentences = np.array(texts_of(column), object)
    for row, sentence in zip(column.index, sentences, strict=True):
        if not sentence.strip():
            fault = f"column '{column.name}' does not say which sentence this token is of."
            raise InputError(fault, f"{source.name}, row {row}")
    ordinary = ~np.isin(pieces.astype(str), list(_SPECIAL))
    if not ordinary.any():
        raise InputError("no token but special ones (`[CLS]`, `<s>`).", source.name)
    scores: dict[str, TokenScores] = {}
    texts: dict[str, str] = {}
    for sentid, places in pd.Series(np.flatnonzero(ordinary)).groupby(sentences[ordinary], sort=False):
        rows, where = places.to_numpy(), f"{source.name}, sentence {str(sentid)[:60]}"
        tokens = pieces[rows].tolist()
        text, spans = _text(table[columns.sentence].iloc[rows] if columns.sentence else None, tokens, where)
        row_values = [None if np.isnan(value) else float(value) for value in values[rows]]
        if columns.token:
            row_values[0] = row_values[0] or None  # a first token may be unscored; some programs write 0 for that
        add(scores, text, token_scores(text, tokens, [-1] * len(tokens), spans, row_values, where), where)
        texts[str(sentid)] = text
    first = any(np.isfinite(one.logprobs[0]) for one in scores.values())
    policy = {"first_token": "bos" if first else "none"} if kind != "masked" and columns.token else {}
    about = {"columns": {field.name: getattr(columns, field.name) for field in fields(columns)}, "unit": unit}
    return Stated(_sentences(table, columns, sentences, texts), scores, name, kind, policy=policy, about=about)


_PAIRED = ("logprob", "surprisal")
_SIDES = ("good", "bad")
_OF_MODEL = "_surprisal"


def is_scored(columns: Sequence[str]) -> bool:
    """Whether a table with these columns has scores of tokens or texts, by their names."""
    names = {name.casefold() for name in columns}
    scored = any(name.removesuffix("_bits").endswith(("surprisal", "logprob", "log_prob")) for name in names)
    return scored or bool(names & {*USUAL["logprob"], *USUAL["surprisal"], *USUAL["token"]} - {"word"})


def _tidied(table: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """With a row per text where pairs have both in one; with plain names for columns that name their model."""
    names = {str(name).casefold(): str(name) for name in table.columns}
    for score in _PAIRED:
        if all(f"{side}_{score}" in names for side in _SIDES) and set(_SIDES) <= names.keys():
            own = [names[name] for side in _SIDES for name in (side, f"{side}_{score}")]
            plain = table.drop(columns=own).assign(pair=range(1, len(table) + 1))
            halves = [
                plain.assign(comparison=side, sentence=table[text]).join(table[values].rename(score))
                for side, text, values in zip(_SIDES, own[::2], own[1::2], strict=True)
            ]
            return pd.concat(halves).sort_values("pair", kind="stable"), ""
    of_model = [name for name in names if name.endswith(_OF_MODEL)]
    if len(of_model) == 1 and "surprisal" not in names:
        column = names[of_model[0]]
        alone = {} if names.keys() & {*USUAL["sentid"], *USUAL["sentence"]} else {"sentid": "text"}
        return table.rename(columns={column: "surprisal"}).assign(**alone), column[: -len(_OF_MODEL)]
    return table, ""


def _sentence_of(table: pd.DataFrame, columns: Columns) -> pd.Series:
    """By row, which sentence a token is of; a row is a text if it has no token."""
    if columns.token:
        return table[columns.sentid or columns.sentence]
    second = table.index.duplicated()  # of a pair in one row
    names = [
        f"row {row}, second text" if again else f"row {row}" for row, again in zip(table.index, second, strict=True)
    ]
    return pd.Series(names, table.index, name=columns.sentence)


def _completed(table: pd.DataFrame, chosen: Columns, where: str) -> Columns:
    if table.empty:
        raise InputError("no token below the column names.", where)
    names = {str(name).casefold(): str(name) for name in reversed(table.columns)}
    by_role = {}
    for role, usual in USUAL.items():
        if (column := getattr(chosen, role)) and column not in table.columns:
            raise InputError(unknown("column", column, map(str, table.columns)), where)
        by_role[role] = column or next((names[name] for name in usual if name in names), "")
    if chosen.surprisal and not chosen.logprob:
        by_role["logprob"] = ""
    if chosen.unit and chosen.unit not in UNITS:
        raise InputError(unknown("unit", chosen.unit, UNITS))
    for what, roles in _NEEDED.items():
        if not any(by_role[role] for role in roles):
            raise InputError(f"no column says {what}: name it. Found {', '.join(map(str, table.columns))}.", where)
    return replace(chosen, **by_role)


def _of_one_model(table: pd.DataFrame, columns: Columns, model: str, where: str) -> tuple[pd.DataFrame, str]:
    if not columns.model:
        if not model:
            raise InputError("the table does not say which model its scores are of: name it (--model).", where)
        return table, model
    models = sorted(set(texts_of(table[columns.model])))
    if model and model in models:
        return table[table[columns.model] == model], model
    if len(models) > 1:
        names = ", ".join(models[:8])
        raise InputError(f"holds scores of {len(models)} models, choose one (--model): {names}", where)
    return table, model or models[0]


def _logprobs(table: pd.DataFrame, columns: Columns, where: str) -> tuple[pd.Series, str]:
    """Log-probabilities in nats, NaN where missing, and the unit of the table."""
    name = columns.logprob or columns.surprisal
    numbers = _numbers(table, name, where)
    logs = numbers if columns.logprob else -numbers
    unit = columns.unit or _unit(name, logs, _numbers(table, columns.prob, where) if columns.prob else None)
    if not unit:
        raise InputError(f"say which unit column '{name}' has: --unit bits or --unit nats.", where)
    return logs * UNITS[unit], unit


def _unit(name: str, logs: pd.Series, probabilities: pd.Series | None) -> str:
    """The unit given by the probabilities beside a column, or by its name; empty if neither shows it."""
    if probabilities is not None:
        with np.errstate(divide="ignore"):
            true = np.log(probabilities.to_numpy(np.float64))
        for unit, factor in UNITS.items():
            in_nats = logs.to_numpy(np.float64) * factor
            both = np.isfinite(in_nats) & np.isfinite(true)
            if np.allclose(in_nats[both], true[both], rtol=_AGREES, atol=_AGREES):
                return unit
    named = name.casefold()
    return next((unit for unit in UNITS if unit in named), "nats" if named in USUAL["logprob"] else "")


def _numbers(table: pd.DataFrame, name: str, where: str) -> pd.Series:
    written = pd.Series(texts_of(table[name]), table.index).str.strip()
    if table[name].dtype.kind in "fi":  # JSON keeps numbers as they are
        return table[name].astype("float64")
    has_points = written.str.contains(".", regex=False).any()  # beside them, a comma may separate thousands
    pointed = written if has_points else written.str.replace(",", ".", regex=False)
    numbers = pd.to_numeric(pointed.where(~written.isin(_MISSING)), errors="coerce").astype("float64")
    wrong = numbers.isna() & ~written.isin(_MISSING)
    if wrong.any():
        row = int(wrong.to_numpy().argmax())
        problem = f"column '{name}': {written.iloc[row][:40]!r} is no number."
        raise InputError(problem, f"{where}, row {table.index[row]}")
    return numbers


def _text(column: pd.Series | None, tokens: list[str], where: str) -> tuple[str, list[Span]]:
    """A sentence and the span of each of its tokens; where there is a `column`, its rows have the text or nothing."""
    if column is None:
        return put_together(tokens)
    texts = column[column.notna() & (column != "")].unique()
    if not len(texts):
        raise InputError(f"column '{column.name}' has no text.", where)
    if len(texts) > 1:
        raise InputError(f"it has {len(texts)} different texts in column '{column.name}'.", where)
    return str(texts[0]), aligned(tokens, str(texts[0]), where)


def _sentences(
    table: pd.DataFrame, columns: Columns, sentences: NDArray[np.object_], texts: Mapping[str, str]
) -> pd.DataFrame:
    """One row per sentence: its text, and the other columns that never differ within a sentence."""
    taken = {getattr(columns, field.name) for field in fields(columns)} - {columns.sentid}
    others = table[[name for name in table.columns if name not in taken]]
    by_sentence = others.groupby(sentences, sort=False)
    constant = others.columns[(by_sentence.nunique(dropna=False) <= 1).all()]
    rows = by_sentence[[*constant]].first().reindex([*texts])
    return rows.assign(sentence=[*texts.values()]).reset_index(drop=True)


def aligned(tokens: Sequence[str], text: str, where: str) -> list[Span]:
    """The span of each token in its text, ignoring case, empty for part of a character. InputError if
    it is not next.
    """
    shown = text.casefold() if len(text.casefold()) == len(text) else text
    spans: list[Span] = []
    place, lost = 0, False
    for token, piece in zip(tokens, _pieces(tokens), strict=True):
        wanted = piece.strip().casefold() if shown is not text or shown == text.casefold() else piece.strip()
        begin = place + len(shown[place:]) - len(shown[place:].lstrip())
        if not wanted or token in _UNKNOWN:
            spans.append((place, place))
            lost = True
            continue
        start = shown.find(wanted, place) if lost else (begin if shown.startswith(wanted, begin) else -1)
        if start < 0:
            raise InputError(f"token {token[:40]!r} is not what comes next in the text, {text[place:][:40]!r}", where)
        place, lost = start + len(wanted), False
        spans.append((start, place))
    return spans


def put_together(tokens: Sequence[str]) -> tuple[str, list[Span]]:
    """A text made from its tokens, and their spans; every token is a word if the vocabulary marks none."""
    text = ""
    spans: list[Span] = []
    for number, piece in enumerate(_pieces(tokens)):
        text += "" if number == 0 else piece[: len(piece) - len(piece.lstrip())]
        start = len(text)
        text += piece.strip()
        spans.append((start, len(text)))
    return text, spans


def _pieces(tokens: Sequence[str]) -> list[str]:
    """The characters of each token, with the space before it."""
    if any(token.startswith("Ġ") for token in tokens):
        return [byte_level_bytes(token).decode("utf-8", "ignore") for token in tokens]
    if any(token.startswith("▁") for token in tokens):
        return [token.replace("▁", " ") for token in tokens]
    if any(token[:1].isspace() for token in tokens):
        return list(tokens)
    return [token.removeprefix(_CONTINUES) if token.startswith(_CONTINUES) else f" {token}" for token in tokens]
