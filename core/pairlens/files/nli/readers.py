"""Any file of pairs into a corpus; the format is recognised from the file.

Each format is a table first: ASSIN's XML (`pairlens.files.nli.assin`); tables with columns of any name, as SNLI's and
MultiNLI's JSON lines (Bowman et al. 2015, EMNLP; Williams, Nangia & Bowman 2018, NAACL); SICK and SICK-BR,
tab-separated and annotated in both directions (Marelli et al. 2014, LREC; Real et al. 2018, PROPOR). SICK's published
label is ENTAILMENT if A entails B, CONTRADICTION if each direction contradicts, else NEUTRAL. 611 of the 9,840 pairs
contradict in one direction only, which is impossible; `GOLD` has the ways to read them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import compress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pairlens.errors import InputError, PolicyError, unknown
from pairlens.files.labels import SYSTEMS, spellings, system_of, unknown_label
from pairlens.files.nli.assin import in_pair, read_assin
from pairlens.files.nli.columns import chosen, in_row, no_column, numbers, refuse_missing, texts
from pairlens.files.nli.pairs import Corpus, Pair, read_with, told_apart
from pairlens.files.tables import PLAIN, Layout, ending, existing, first_line, guesses, read_laid_out
from pairlens.messages import Message, joined, one_or_more
from pairlens.text.faults import Faults

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
_DELIMITED = (".tsv", ".tab", ".csv", *PLAIN)
_DIRECTIONS = ("entailment_AB", "entailment_BA")
"""Columns by which SICK is recognised."""
_SICK = ("pair_ID", "sentence_A", "sentence_B", "entailment_label", *_DIRECTIONS)
"""Columns that SICK cannot lack."""
_VERBS = {"entails": "entailment", "contradicts": "contradiction", "neutral": "neutral"}
_NO_TEXT = {"premise": Message("there is no premise."), "hypothesis": Message("there is no hypothesis.")}
Place = Callable[[int], Message]


def read_corpus(
    path: Path,
    system: str = "",
    columns: Mapping[str, str] = MappingProxyType({}),
    layout: Layout = Layout(),  # noqa: B008 (frozen)
    split: str = "",
    *,
    sick_gold: str = "label",
) -> Corpus:
    """The pairs of a file, or of one `split`, with the labels of `system`, by default inferred from the labels.

    `.xml` is ASSIN's format; a table with `entailment_AB` and `entailment_BA` is SICK's (`sick_gold` is one of
    `GOLD`); any other table is read by its columns (`COLUMNS`), which `columns` can name by role, as `layout` says.
    Pairs without an agreed label (`-`) are left out and counted in a note. Numbers are read as labels in the order of
    public copies of the system's data, with a note. Pairs without ids are numbered from 1. Raises PolicyError for an
    unknown system, InputError for what is missing or wrong.
    """
    name, notes = path.name, list[str]()
    place: Place = partial(in_pair if ending(existing(path)) == ".xml" else in_row, name)
    system = system_of(system).name if system else ""
    if ending(path) == ".xml":
        table = read_assin(path, notes)
    elif is_sick(path, columns):
        system = system or "sick"
        table = _read_sick(path, system, sick_gold, notes)
    else:
        table = read_laid_out(path, layout)
    if table.empty:
        raise InputError(Message("there is no pair below the column names."), name)
    names = chosen(table, COLUMNS, columns, name)
    refuse_missing(_NO_TEXT, names, COLUMNS, table, name)
    cells = cells_of(table, names, place)
    for role, empty in _NO_TEXT.items():
        if "" in cells[role]:
            raise InputError(empty, place(cells[role].index("") + 1))
    system = system or _system(cells["gold"], path, notes)
    undecided = [text in _UNDECIDED for text in cells["gold"]]
    cells["gold"] = _labels(cells["gold"], system, place, notes)
    cells["reverse_gold"] = _labels(cells["reverse_gold"], system, place, [])
    cells["id"] = told_apart(_numbered(cells["id"], place), notes)
    if any(undecided):
        notes.append(
            one_or_more(
                "{n} pair is left out because no label was agreed on (-).",
                "{n:,} pairs are left out because no label was agreed on (-).",
                n=sum(undecided),
            )
        )
    pairs = [Pair(**dict(zip(cells, values, strict=True))) for values in zip(*cells.values(), strict=True)]
    why = Message("no label was agreed on (-)")
    left_out = [(Message("pair {id}", id=pair.id), why) for pair in compress(pairs, undecided)]
    pairs = [pair for pair, out in zip(pairs, undecided, strict=True) if not out]
    faults = Faults()  # what data lint calls an error in its texts
    for pair in pairs:
        faults.look(pair.premise, pair.id)
        faults.look(pair.hypothesis, pair.id)
    notes += [*guesses(path), *filter(None, [faults.in_words("pair")])]
    return Corpus(name, system, pairs, left_out, notes).part(split)


def is_sick(path: Path, columns: Mapping[str, str] = MappingProxyType({})) -> bool:
    """Whether the first line of a text file names SICK's columns, and `columns` (by role) none but usual ones."""
    own = all(name.lower() in COLUMNS.get(role, ()) for role, name in columns.items())
    if not own or ending(path) not in _DELIMITED:
        return False
    return {*map(str.lower, _DIRECTIONS)} <= {name.strip().lower() for name in first_line(path).split("\t")}


def _read_sick(path: Path, system: str, gold: str, notes: list[str]) -> pd.DataFrame:
    """The table with a column `reverse_gold`; a note on contradictions in one direction only."""
    if system_of(system).labels != system_of("sick").labels:
        title = system_of(system).title
        wrong = Message("this is SICK's format, whose labels are not those of {system}.", system=title)
        raise InputError(wrong, path.name)
    if gold not in GOLD:
        raise PolicyError(unknown("reading of SICK's labels", gold, GOLD))
    table = read_laid_out(path, Layout("\t", quoting="none"))
    columns = {str(name).lower(): name for name in table.columns}
    if missing := [name for name in _SICK if name.lower() not in columns]:
        raise no_column(", ".join(missing), table, path.name)
    forward, backward = (_annotated(table[columns[name.lower()]], name[-2:], path) for name in _DIRECTIONS)
    contradicts = [[label == "contradiction" for label in labels] for labels in (forward, backward)]
    one_way = [row for row, (a, b) in enumerate(zip(*contradicts, strict=True)) if a != b]
    if gold == "directions":
        table[columns["entailment_label"]] = forward
    for row in one_way if gold == "symmetric" else ():
        backward[row] = "neutral"
    if one_way:
        notes.append(
            one_or_more(
                "{n} pair is annotated as a contradiction in one direction only, which cannot be; {read}.",
                "{n:,} pairs are annotated as a contradiction in one direction only, which cannot be; {read}.",
                n=len(one_way), read=Message("gold labels: {labels}", labels=GOLD[gold]),
            )
        )  # fmt: skip
    return table.assign(reverse_gold=backward)


def _annotated(column: pd.Series, way: str, path: Path) -> list[str]:
    """The labels of one direction, `AB` or `BA`, as `A_entails_B`."""
    labels = {f"{way[0]}_{verb}_{way[1]}".lower(): label for verb, label in _VERBS.items()}

    def wrong(text: str) -> Message:
        return Message(
            "column {column!r} has {value!r}; expected {labels}, in any case.",
            column=column.name, value=text, labels=", ".join(labels),
        )  # fmt: skip

    return _mapped(texts(column), labels, wrong, partial(in_row, path.name))


def cells_of(table: pd.DataFrame, names: Mapping[str, str], place: Place) -> dict[str, list[Any]]:
    """The cells of each role of `COLUMNS`, empty where there is no column."""
    cells: dict[str, list[Any]] = {
        role: texts(table[names[role]]) if role in names else [""] * len(table) for role in COLUMNS
    }
    related = names.get("relatedness")
    cells["relatedness"] = numbers(table[related], place) if related else [math.nan] * len(table)
    return cells


def _system(written: Sequence[str], path: Path, notes: list[str]) -> str:
    """The system with just the labels that occur; InputError if there is none.

    Of systems with the same labels, the one in the name of the file or its folder; of ASSIN's two the one without
    paraphrases where none occurs.
    """
    where, named = path.name, f"{path.parent.name} {path.name}".lower()
    labels = {text.lower() for text in written} - {*_UNDECIDED, *_BLIND}
    fitting = {name: labels <= set(spellings(name)) for name in SYSTEMS}
    exact = [n for n in SYSTEMS if fitting[n] and {spellings(n)[text] for text in labels} == set(SYSTEMS[n].labels)]
    if ending(path) == ".xml":
        exact = ["assin" if any(text.startswith("paraphrase") for text in labels) else "assin2"]
    if not exact and all(text.isdecimal() for text in labels):
        raise InputError(Message("say which label system it has: {systems}.", systems=", ".join(SYSTEMS)), where)
    if not exact:
        arguments = {"labels": ", ".join(sorted(labels)[:6])[:80], "systems": ", ".join(SYSTEMS)}
        several = Message("its labels ({labels}) fit several systems. Say which: {systems}.", **arguments)
        none = Message("its labels ({labels}) are those of no known system. Say which: {systems}.", **arguments)
        raise InputError(several if any(fitting.values()) else none, where)
    usual = "snli" if "snli" in exact else exact[0]
    name = next((name for name in exact if name in named), usual)
    notes.append(read_with(name))
    return name


def _labels(written: Sequence[str], system: str, place: Place, notes: list[str]) -> list[str]:
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
    return _mapped(written, labels, lambda text: unknown_label(text, system).message, place)


def _mapped(
    written: Sequence[str], labels: Mapping[str, str], wrong: Callable[[str], str], place: Place
) -> list[str]:
    """The label of each cell, whatever its case; InputError, with the row, for one that is none of `labels`."""
    for row, text in enumerate(written, start=1):
        if text.lower() not in labels:
            raise InputError(wrong(text[:40]), place(row))
    return [labels[text.lower()] for text in written]


def _numbered(identifiers: list[str], place: Place) -> list[str]:
    """The ids, or numbers from 1 where there is none at all; InputError, with the row, where only some lack."""
    if not any(identifiers):
        return [str(number) for number in range(1, len(identifiers) + 1)]
    if "" in identifiers:
        raise InputError(Message("there is no id, though other rows have one."), place(identifiers.index("") + 1))
    return identifiers
