"""SICK and SICK-BR: tab-separated pairs, annotated in both directions.

Marelli et al. 2014, LREC; Real et al. 2018, PROPOR. The published label is ENTAILMENT if A entails B, CONTRADICTION
if each direction contradicts, else NEUTRAL. 611 of the 9,840 pairs contradict in one direction only, which is
impossible; `GOLD` has the ways to read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from core.errors import InputError, PolicyError, unknown
from core.files.nli.columns import in_row, no_column, numbers, texts
from core.files.nli.pairs import Corpus, Pair, told_apart
from core.files.tables import read_table
from core.messages import Message, one_or_more

if TYPE_CHECKING:
    import pandas as pd

GOLD: Mapping[str, str] = MappingProxyType(
    {
        "label": Message("the published label; for swapped pairs what was annotated in that direction"),
        "directions": Message("what was annotated in each direction"),
        "symmetric": Message(
            "the published label; for swapped pairs a contradiction only if both directions contradict"
        ),
    }
)
MARKS = ("entailment_ab", "entailment_ba")
"""Columns, in small letters, by which the format is recognised."""
OWN: Mapping[str, str] = MappingProxyType(
    {
        "id": "pair_id",
        "premise": "sentence_a",
        "hypothesis": "sentence_b",
        "gold": "entailment_label",
        "relatedness": "relatedness_score",
        "split": "semeval_set",
    }
)
"""What the format calls the columns of each role, in small letters."""
_COLUMNS = ("pair_ID", "sentence_A", "sentence_B", "entailment_label", "entailment_AB", "entailment_BA")
_VERBS = {"entails": "entailment", "contradicts": "contradiction", "neutral": "neutral"}


def read_sick(path: Path, system: str = "sick", *, gold: str = "label", leave_out_one_way: bool = False) -> Corpus:
    """The pairs with the gold labels of both directions; `gold` is one of `GOLD`.

    A note counts the contradictions in one direction only; `leave_out_one_way` leaves these pairs out and lists
    them. Raises InputError for a missing column and an unknown label.
    """
    if gold not in GOLD:
        raise PolicyError(unknown("reading of SICK's labels", gold, GOLD))
    table = read_table(path, delimiter="\t", quoting="none")
    written = {str(name).lower(): name for name in table.columns}
    if missing := [name for name in _COLUMNS if name.lower() not in written]:
        raise no_column(", ".join(missing), table, path.name)
    if table.empty:
        raise InputError(Message("there is no pair below the column names."), path.name)
    table = table.rename(columns={written[name.lower()]: name for name in _COLUMNS})
    frame = _labelled(table, path.name, gold)
    one_way = frame["one_way"].to_numpy(bool)
    notes = _notes(int(one_way.sum()), gold, leave_out_one_way)
    frame["id"] = told_apart(frame["id"].tolist(), notes)
    left_out = []
    if leave_out_one_way:
        why = Message("a contradiction in one direction only")
        left_out = [(Message("pair {id}", id=name), why) for name in frame["id"][one_way]]
        frame = frame[~one_way]
    columns = ("id", "premise", "hypothesis", "gold", "reverse_gold", "relatedness", "split")
    pairs = [Pair(*values) for values in zip(*(frame[name].tolist() for name in columns), strict=True)]
    return Corpus(path.name, system, pairs, left_out, notes)


def _notes(n_one_way: int, gold: str, left_out: bool) -> list[str]:
    if not n_one_way:
        return []
    read = Message("they are left out") if left_out else Message("gold labels: {labels}", labels=GOLD[gold])
    return [
        one_or_more(
            "{n} pair is annotated as a contradiction in one direction only, which cannot be; {read}.",
            "{n:,} pairs are annotated as a contradiction in one direction only, which cannot be; {read}.",
            n=n_one_way, read=read,
        )
    ]  # fmt: skip


def _labelled(table: pd.DataFrame, where: str, gold: str) -> pd.DataFrame:
    """The columns of pairs, with `one_way`: whether exactly one direction contradicts."""
    import pandas as pd

    published = _mapped(table, "entailment_label", {label: label for label in _VERBS.values()}, where)
    forward, reverse = (
        _mapped(table, f"entailment_{a}{b}", {f"{a}_{verb}_{b}".lower(): _VERBS[verb] for verb in _VERBS}, where)
        for a, b in ("AB", "BA")
    )
    one_way = (forward == "contradiction") != (reverse == "contradiction")
    if gold == "symmetric":
        reverse = reverse.mask(one_way & (reverse == "contradiction"), "neutral")
    relatedness = next((name for name in table.columns if str(name).lower() == "relatedness_score"), None)
    split = next((name for name in table.columns if str(name).lower() == "semeval_set"), None)
    return pd.DataFrame(
        {
            "id": texts(table["pair_ID"]),
            "premise": _sentences(table, "sentence_A", where),
            "hypothesis": _sentences(table, "sentence_B", where),
            "gold": forward if gold == "directions" else published,
            "reverse_gold": reverse,
            "relatedness": numbers(table[relatedness], where) if relatedness else float("nan"),
            "split": texts(table[split]) if split else "",
            "one_way": one_way,
        }
    )


def _sentences(table: pd.DataFrame, column: str, where: str) -> list[str]:
    sentences = texts(table[column])
    if "" in sentences:
        said = Message("column {column!r} has no text.", column=column)
        raise InputError(said, in_row(sentences.index("") + 1, where))
    return sentences


def _mapped(table: pd.DataFrame, column: str, labels: Mapping[str, str], where: str) -> pd.Series:
    written = table[column].str.strip()
    mapped = written.str.lower().map(labels)
    if mapped.isna().any():
        row = int(mapped.isna().to_numpy().argmax())
        said = Message(
            "column {column!r} has {value!r}; expected {labels}, in any case.",
            column=column, value=written.iloc[row][:40], labels=", ".join(labels),
        )  # fmt: skip
        raise InputError(said, in_row(row + 1, where))
    return mapped
