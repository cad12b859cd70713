"""Pairs from any table: SNLI's and MultiNLI's JSON lines, and tables with columns named by the user.

Bowman et al. 2015, EMNLP (SNLI); Williams, Nangia & Bowman 2018, NAACL (MultiNLI).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError
from core.files.labels import SYSTEMS, spellings, system_of, unknown_label
from core.files.nli.columns import chosen, in_row, numbers, texts
from core.files.nli.pairs import Corpus, Pair, read_with, told_apart
from core.files.tables import read_table
from core.messages import Message, joined, one_or_more

if TYPE_CHECKING:
    import pandas as pd

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "pairid", "pair_id", "sentence_pair_id", "uid"),
    "premise": ("premise", "sentence1", "sentence_a", "t", "premissa", "prémisse", "context"),
    "hypothesis": ("hypothesis", "sentence2", "sentence_b", "h", "hipótese", "hipotese", "hypothèse"),
    "gold": ("gold", "gold_label", "label", "entailment", "entailment_judgment", "entailment_label"),
    "reverse_gold": ("reverse_gold",),
    "relatedness": ("relatedness", "relatedness_score", "similarity"),
    "split": ("split", "semeval_set"),
    "genre": ("genre",),
}
"""The names of each column, the usual one first; case is ignored."""
_UNDECIDED = ("-", "-1")
"""SNLI's mark for pairs without an agreed label, and that of its copies with numbers."""
_BLIND = ("", "unknown", "hidden")


def read_pairs(path: Path, system: str = "", columns: Mapping[str, str] | None = None) -> Corpus:
    """Pairs of a table; `columns` names those with other names than in `COLUMNS`, by role.

    `system` is inferred from the labels unless given. Pairs without an agreed label (`-`) are left out and counted in
    a note. Numbers are read as labels in the order of public copies of the system's data, with a note. Pairs without
    ids are numbered from 1. Raises InputError, with the row, for what is missing or wrong.
    """
    table = read_table(path)
    if table.empty:
        raise InputError(Message("there is no pair below the column names."), path.name)
    names = chosen(table, COLUMNS, columns or {}, path.name)
    for needed, said in (
        ("premise", Message("no column with the premise (as {usual}). Found {found}. Say which column it is.")),
        ("hypothesis", Message("no column with the hypothesis (as {usual}). Found {found}. Say which column it is.")),
    ):
        if needed not in names:
            usual, found = ", ".join(COLUMNS[needed][:3]), ", ".join(map(str, table.columns))
            raise InputError(Message(said, usual=usual, found=found), path.name)
    notes: list[str] = []
    written = texts(table[names["gold"]]) if "gold" in names else [""] * len(table)
    system = system or _system(written, path, notes)
    gold = _labels(written, system, path.name, notes)
    frame = _frame(table, names, system, path.name, notes).assign(gold=gold)
    return _corpus(frame, [text in _UNDECIDED for text in written], system, path.name, notes)


def _corpus(frame: pd.DataFrame, undecided: Sequence[bool], system: str, name: str, notes: list[str]) -> Corpus:
    import numpy as np

    dropped = np.asarray(undecided)
    why = Message("no label was agreed on (-)")
    left_out = [(Message("pair {id}", id=identifier), why) for identifier in frame["id"][dropped]]
    if left_out:
        notes.append(
            one_or_more(
                "{n} pair is left out because no label was agreed on (-).",
                "{n:,} pairs are left out because no label was agreed on (-).",
                n=len(left_out),
            )
        )
    frame = frame[~dropped]
    columns = ("id", "premise", "hypothesis", "gold", "reverse_gold", "relatedness", "split")
    groups = [{"genre": genre} if genre else {} for genre in frame["genre"].tolist()]
    pairs = [Pair(*values) for values in zip(*(frame[column].tolist() for column in columns), groups, strict=True)]
    return Corpus(name, system_of(system).name, pairs, left_out, notes)


def _frame(table: pd.DataFrame, names: Mapping[str, str], system: str, where: str, notes: list[str]) -> pd.DataFrame:
    """The columns of pairs but for the gold labels."""
    import pandas as pd

    def column(role: str) -> list[str]:
        return texts(table[names[role]]) if role in names else [""] * len(table)

    return pd.DataFrame(
        {
            "id": told_apart(_identifiers(column("id"), where), notes),
            "premise": _sentences(column("premise"), Message("there is no premise."), where),
            "hypothesis": _sentences(column("hypothesis"), Message("there is no hypothesis."), where),
            "reverse_gold": _labels(column("reverse_gold"), system, where, []),
            "relatedness": numbers(table[names["relatedness"]], where) if "relatedness" in names else math.nan,
            "split": column("split"),
            "genre": column("genre"),
        }
    )


def _identifiers(written: list[str], where: str) -> list[str]:
    if not any(written):
        return [str(number) for number in range(1, len(written) + 1)]
    if "" in written:
        said = Message("there is no id, though other rows have one.")
        raise InputError(said, in_row(written.index("") + 1, where))
    return written


def _sentences(written: list[str], none: Message, where: str) -> list[str]:
    if "" in written:
        raise InputError(none, in_row(written.index("") + 1, where))
    return written


def _system(written: Sequence[str], path: Path, notes: list[str]) -> str:
    """The system with just the labels that occur; InputError if there is none.

    Of systems with the same labels, the one in the name of the file or its folder.
    """
    where, named = path.name, f"{path.parent.name} {path.name}".lower()
    found = {text.lower() for text in written} - {*_UNDECIDED, *_BLIND}
    if all(text.isdecimal() for text in found):
        raise InputError(Message("say which label system it has: {systems}.", systems=", ".join(SYSTEMS)), where)
    fitting = {name: found <= set(spellings(name)) for name in SYSTEMS}
    exact = [n for n in SYSTEMS if fitting[n] and {spellings(n)[text] for text in found} == set(SYSTEMS[n].labels)]
    if not exact:
        said = {"labels": ", ".join(sorted(found)[:6])[:80], "systems": ", ".join(SYSTEMS)}
        several = Message("its labels ({labels}) fit several systems. Say which: {systems}.", **said)
        none = Message("its labels ({labels}) are those of no known system. Say which: {systems}.", **said)
        raise InputError(several if any(fitting.values()) else none, where)
    usual = "snli" if "snli" in exact else exact[0]
    name = next((name for name in exact if name in named), usual)
    notes.append(read_with(name))
    return name


def _labels(written: Sequence[str], system: str, where: str, notes: list[str]) -> list[str]:
    """Labels of the system, empty where the table has none."""
    chosen = system_of(system)
    labels = {**dict.fromkeys((*_BLIND, *_UNDECIDED), ""), **spellings(system)}
    numbered = {str(number): label for number, label in enumerate(chosen.numbered)}
    found = {text.lower() for text in written}
    if found & set(numbered):
        labels |= numbered
        order = joined((joined((number, Message(label))) for number, label in numbered.items()), ", ")
        notes.append(
            Message(
                "Labels that are numbers were read as in public copies of {system}: {order}.",
                system=chosen.title,
                order=order,
            )
        )
    for row, text in enumerate(written, start=1):
        if text.lower() not in labels:
            raise InputError(unknown_label(text[:40], system).message, in_row(row, where))
    return [labels[text.lower()] for text in written]
