"""Any file of pairs into a corpus; the format is recognised from the file.

ASSIN's XML is in `core.files.nli.assin`. Here are tables: with columns of any name, as SNLI's and MultiNLI's JSON
lines (Bowman et al. 2015, EMNLP; Williams, Nangia & Bowman 2018, NAACL), and SICK and SICK-BR, tab-separated and
annotated in both directions (Marelli et al. 2014, LREC; Real et al. 2018, PROPOR). SICK's published label is
ENTAILMENT if A entails B, CONTRADICTION if each direction contradicts, else NEUTRAL. 611 of the 9,840 pairs
contradict in one direction only, which is impossible; `GOLD` has the ways to read them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from core.errors import InputError, PolicyError, unknown
from core.files.labels import SYSTEMS, spellings, system_of, unknown_label
from core.files.nli.assin import read_assin
from core.files.nli.columns import chosen, in_row, no_column, numbers, texts
from core.files.nli.pairs import Corpus, Pair, read_with, told_apart
from core.files.tables import PLAIN, Layout, ending, existing, first_line, guesses, read_laid_out, read_table
from core.messages import Message, joined, one_or_more
from core.text.faults import Faults

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
GOLD: Mapping[str, str] = MappingProxyType(
    {
        "label": Message("the published label; for swapped pairs what was annotated in that direction"),
        "directions": Message("what was annotated in each direction"),
        "symmetric": Message(
            "the published label; for swapped pairs a contradiction only if both directions contradict"
        ),
    }
)
_UNDECIDED = ("-", "-1")
"""SNLI's mark for pairs without an agreed label, and that of its copies with numbers."""
_BLIND = ("", "unknown", "hidden")
_PAIR = ("id", "premise", "hypothesis", "gold", "reverse_gold", "relatedness", "split")
"""The fields of a pair, in their order."""
_DELIMITED = (".tsv", ".tab", ".csv", *PLAIN)
_SICK: Mapping[str, str] = MappingProxyType(
    {
        "id": "pair_ID",
        "premise": "sentence_A",
        "hypothesis": "sentence_B",
        "gold": "entailment_label",
        "relatedness": "relatedness_score",
        "split": "SemEval_set",
    }
)
"""What SICK calls the column of each role; the last two may lack."""
_DIRECTIONS = ("entailment_AB", "entailment_BA")
"""Columns by which SICK is recognised."""
_VERBS = {"entails": "entailment", "contradicts": "contradiction", "neutral": "neutral"}
_NO_COLUMN = {
    "premise": Message("no column with the premise (as {usual}). Found {found}. Say which column it is."),
    "hypothesis": Message("no column with the hypothesis (as {usual}). Found {found}. Say which column it is."),
}
_NO_TEXT = {"premise": Message("there is no premise."), "hypothesis": Message("there is no hypothesis.")}


def read_corpus(
    path: Path,
    system: str = "",
    columns: Mapping[str, str] = MappingProxyType({}),
    layout: Layout = Layout(),  # noqa: B008 (frozen)
    *,
    sick_gold: str = "label",
    leave_out_one_way: bool = False,
) -> Corpus:
    """The pairs of a file with the labels of `system`, by default inferred from the labels.

    `.xml` is ASSIN's format; a table with `entailment_AB` and `entailment_BA` is SICK's (`sick_gold` is one of
    `GOLD`, `leave_out_one_way` is about contradictions in one direction only); any other table is read by its columns
    (`COLUMNS`), which `columns` can name by role, and as `layout` says. Pairs without an agreed label (`-`) are left
    out and counted in a note. Numbers are read as labels in the order of public copies of the system's data, with a
    note. Pairs without ids are numbered from 1. Raises PolicyError for an unknown system, InputError for what is
    missing or wrong.
    """
    system = system_of(system).name if system else ""
    if ending(existing(path)) == ".xml":
        corpus, guessed = read_assin(path, system), list[str]()
    else:
        sick = is_sick(path, columns)
        corpus = (
            _of_sick(path, system, sick_gold, leave_out_one_way) if sick else _of_table(path, system, columns, layout)
        )
        guessed = guesses(path)
    faults = Faults()  # what data lint calls an error in its texts
    for pair in corpus:
        for text in (pair.premise, pair.hypothesis):
            faults.look(text, pair.id)
    return replace(corpus, notes=[*corpus.notes, *guessed, *filter(None, [faults.in_words("pair")])])


def is_sick(path: Path, columns: Mapping[str, str] = MappingProxyType({})) -> bool:
    """Whether the first line of a text file names SICK's columns, and `columns` (by role) none but its own."""
    own = {role: name.lower() for role, name in _SICK.items()}
    if ending(path) not in _DELIMITED or any(own.get(role) != name.lower() for role, name in columns.items()):
        return False
    return {name.lower() for name in _DIRECTIONS} <= {name.strip().lower() for name in first_line(path).split("\t")}


def _of_sick(path: Path, system: str, gold: str, leave_out_one_way: bool) -> Corpus:
    if system and system_of(system).labels != system_of("sick").labels:
        title = system_of(system).title
        raise InputError(
            Message("this is SICK's format, whose labels are not those of {system}.", system=title), path.name
        )
    if gold not in GOLD:
        raise PolicyError(unknown("reading of SICK's labels", gold, GOLD))
    written, where = read_table(path, delimiter="\t", quoting="none"), path.name
    named = {name.lower(): name for name in (*_SICK.values(), *_DIRECTIONS)}
    table = written.rename(columns=lambda name: named.get(str(name).lower(), name))
    if missing := [name for name in (*[*_SICK.values()][:4], *_DIRECTIONS) if name not in table]:
        raise no_column(", ".join(missing), written, where)
    _refuse_empty(table, where)
    published = _annotated(table, "entailment_label", {label: label for label in _VERBS.values()}, where)
    forward, backward = (
        _annotated(table, f"entailment_{a}{b}", {f"{a}_{verb}_{b}".lower(): _VERBS[verb] for verb in _VERBS}, where)
        for a, b in ("AB", "BA")
    )
    one_way = [(a == "contradiction") != (b == "contradiction") for a, b in zip(forward, backward, strict=True)]
    if gold == "symmetric":
        turned = zip(one_way, backward, strict=True)
        backward = ["neutral" if only and label == "contradiction" else label for only, label in turned]
    no_text = {role: Message("column {column!r} has no text.", column=_SICK[role]) for role in _NO_TEXT}
    cells = _cells(table, {role: name for role, name in _SICK.items() if name in table}, no_text, where)
    cells |= {"gold": forward if gold == "directions" else published, "reverse_gold": backward}
    notes: list[str] = []
    if any(one_way):
        labels = Message("gold labels: {labels}", labels=GOLD[gold])
        notes.append(
            one_or_more(
                "{n} pair is annotated as a contradiction in one direction only, which cannot be; {read}.",
                "{n:,} pairs are annotated as a contradiction in one direction only, which cannot be; {read}.",
                n=sum(one_way), read=Message("they are left out") if leave_out_one_way else labels,
            )
        )  # fmt: skip
    cells["id"], why = told_apart(cells["id"], notes), Message("a contradiction in one direction only")
    return _corpus(where, system or "sick", cells, [leave_out_one_way and only for only in one_way], why, notes)


def _annotated(table: pd.DataFrame, column: str, labels: Mapping[str, str], where: str) -> list[str]:
    def wrong(text: str) -> Message:
        return Message(
            "column {column!r} has {value!r}; expected {labels}, in any case.",
            column=column, value=text, labels=", ".join(labels),
        )  # fmt: skip

    return _mapped(texts(table[column]), labels, wrong, where)


def _of_table(path: Path, system: str, columns: Mapping[str, str], layout: Layout) -> Corpus:
    table, where = read_laid_out(path, layout), path.name
    _refuse_empty(table, where)
    names = chosen(table, COLUMNS, columns, where)
    for needed, template in _NO_COLUMN.items():
        if needed not in names:
            usual, there = ", ".join(COLUMNS[needed][:3]), ", ".join(map(str, table.columns))
            raise InputError(Message(template, usual=usual, found=there), where)
    notes: list[str] = []
    written = texts(table[names["gold"]]) if "gold" in names else [""] * len(table)
    system = system or _system(written, path, notes)
    gold = _labels(written, system, where, notes)
    identifiers = texts(table[names["id"]]) if "id" in names else []
    if any(identifiers) and "" in identifiers:
        wrong = Message("there is no id, though other rows have one.")
        raise InputError(wrong, in_row(identifiers.index("") + 1, where))
    if not any(identifiers):
        identifiers = [str(number) for number in range(1, len(table) + 1)]
    identifiers = told_apart(identifiers, notes)
    cells = _cells(table, names, _NO_TEXT, where)
    cells |= {"id": identifiers, "gold": gold, "reverse_gold": _labels(cells["reverse_gold"], system, where, [])}
    undecided = [text in _UNDECIDED for text in written]
    if n := sum(undecided):
        notes.append(
            one_or_more(
                "{n} pair is left out because no label was agreed on (-).",
                "{n:,} pairs are left out because no label was agreed on (-).",
                n=n,
            )
        )
    return _corpus(where, system_of(system).name, cells, undecided, Message("no label was agreed on (-)"), notes)


def _system(written: Sequence[str], path: Path, notes: list[str]) -> str:
    """The system with just the labels that occur; InputError if there is none.

    Of systems with the same labels, the one in the name of the file or its folder.
    """
    where, named = path.name, f"{path.parent.name} {path.name}".lower()
    labels = {text.lower() for text in written} - {*_UNDECIDED, *_BLIND}
    if all(text.isdecimal() for text in labels):
        raise InputError(Message("say which label system it has: {systems}.", systems=", ".join(SYSTEMS)), where)
    fitting = {name: labels <= set(spellings(name)) for name in SYSTEMS}
    exact = [n for n in SYSTEMS if fitting[n] and {spellings(n)[text] for text in labels} == set(SYSTEMS[n].labels)]
    if not exact:
        arguments = {"labels": ", ".join(sorted(labels)[:6])[:80], "systems": ", ".join(SYSTEMS)}
        several = Message("its labels ({labels}) fit several systems. Say which: {systems}.", **arguments)
        none = Message("its labels ({labels}) are those of no known system. Say which: {systems}.", **arguments)
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
    cells = {text.lower() for text in written}
    if cells & set(numbered):
        labels |= numbered
        order = joined((joined((number, Message(label))) for number, label in numbered.items()), ", ")
        notes.append(
            Message(
                "Labels that are numbers were read as in public copies of {system}: {order}.",
                system=chosen.title,
                order=order,
            )
        )
    return _mapped(written, labels, lambda text: unknown_label(text, system).message, where)


def _refuse_empty(table: pd.DataFrame, where: str) -> None:
    if table.empty:
        raise InputError(Message("there is no pair below the column names."), where)


def _mapped(written: Sequence[str], labels: Mapping[str, str], wrong: Callable[[str], str], where: str) -> list[str]:
    """The label of each cell, whatever its case; InputError, with the row, for one that is none of `labels`."""
    for row, text in enumerate(written, start=1):
        if text.lower() not in labels:
            raise InputError(wrong(text[:40]), in_row(row, where))
    return [labels[text.lower()] for text in written]


def _cells(
    table: pd.DataFrame, names: Mapping[str, str], no_text: Mapping[str, Message], where: str
) -> dict[str, list[Any]]:
    """The cells of each role of `COLUMNS`, empty where there is no column; InputError for a sentence that lacks."""
    cells: dict[str, list[Any]] = {
        role: texts(table[names[role]]) if role in names else [""] * len(table)
        for role in COLUMNS
        if role != "relatedness"
    }
    for role, empty in no_text.items():
        if "" in cells[role]:
            raise InputError(empty, in_row(cells[role].index("") + 1, where))
    related = numbers(table[names["relatedness"]], where) if "relatedness" in names else [math.nan] * len(table)
    return cells | {"relatedness": related}


def _corpus(
    name: str, system: str, cells: Mapping[str, list[Any]], dropped: Sequence[bool], why: Message, notes: list[str]
) -> Corpus:
    """The pairs with these cells; those that are `dropped` are listed with the reason."""
    groups = [{"genre": genre} if genre else {} for genre in cells["genre"]]
    pairs = [Pair(*values) for values in zip(*(cells[role] for role in _PAIR), groups, strict=True)]
    left_out = [(Message("pair {id}", id=pair.id), why) for pair in compress(pairs, dropped)]
    used = [pair for pair, out in zip(pairs, dropped, strict=True) if not out]
    return Corpus(name, system, used, left_out, notes)
