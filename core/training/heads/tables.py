"""Labelled pairs of texts: from a table, and of adjacent sentences and others from running text."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError
from core.files.labels import spellings
from core.files.nli.columns import texts
from core.files.nli.pairs import TWICE, Corpus, no_reverse
from core.files.nli.readers import is_sick, read_corpus
from core.files.tables import guesses, read_table
from core.training.heads.pairs import LabelledPair

if TYPE_CHECKING:
    import pandas as pd

ROLES: Mapping[str, tuple[str, ...]] = {
    "premise": ("premise", "sentence1", "sentence_a"),
    "hypothesis": ("hypothesis", "sentence2", "sentence_b"),
    "label": ("label", "gold_label", "gold", "entailment_judgment", "entailment_label"),
}
"""The names of columns, ignoring case."""
_FEWEST = 10
"""The fewest pairs that a training needs."""


@dataclass(frozen=True)
class Labelled:
    """Examples, their labels by index, the number of rows left out for an empty cell, and notes on the files."""

    examples: list[LabelledPair]
    labels: tuple[str, ...]
    left_out: int = 0
    notes: Sequence[str] = ()


def read_labelled(
    paths: Sequence[Path],
    columns: Mapping[str, str],
    labels: Sequence[str] = (),
    *,
    both: bool = False,
    sick_gold: str = "",
) -> Labelled:
    """Pairs of tables whose labels are words; `columns` gives, by role, names that are not in `ROLES`.

    `labels` gives the order of the labels, which is alphabetical by default. With `both`, pairs are there in both
    directions: of SICK, read as `sick_gold` says (`core.files.nli.readers.GOLD`), and of tables with a
    column `reverse_gold`. Raises InputError for a missing column, a label that is not among those given, fewer than
    two labels, fewer than ten pairs, a pair without a label for the other direction, a file that has both directions
    already, and `sick_gold` where no file is SICK's.
    """
    if sick_gold and not any(is_sick(path, _roles(columns)) for path in paths):
        raise InputError("this is not SICK's file, the only one that --sick-gold is about.", paths[0].name)
    notes: list[str] = []
    rows = [
        row
        for path in paths
        for row in (_both_ways(path, columns, labels, sick_gold, notes) if both else _rows(path, columns, notes))
    ]
    complete = [row for row in rows if all(row)]
    used = {label for _, _, *both_labels in complete for label in both_labels}
    found = tuple(labels) or tuple(sorted(used))
    if unlisted := sorted(used - set(found)):
        raise InputError(f"the label '{unlisted[0][:40]}' is not one of {', '.join(found)}.", paths[0].name)
    if len(complete) < _FEWEST:
        raise InputError(f"{len(complete)} pairs with a label are too few; {_FEWEST} are the least.", paths[0].name)
    if len(found) < 2:
        raise InputError(f"there is one label, '{found[0][:40]}': a classifier chooses between two or more.")
    if len(set(found)) < len(found):
        raise InputError(f"a label is named twice in {', '.join(found)}.")
    place = {label: number for number, label in enumerate(found)}
    examples = [LabelledPair(a, b, *(place[label] for label in said)) for a, b, *said in complete]
    return Labelled(examples, found, len(rows) - len(complete), notes)


def _roles(columns: Mapping[str, str]) -> dict[str, str]:
    """The named columns by what `core.files.nli` calls their roles."""
    return {"gold" if role == "label" else role: column for role, column in columns.items()}


def _both_ways(
    path: Path, columns: Mapping[str, str], labels: Sequence[str], sick_gold: str, notes: list[str]
) -> list[tuple[str, ...]]:
    """Texts, label, label of the swapped texts; what is to be said about the file is added to `notes`."""
    if is_sick(path, _roles(columns)):
        rows, parts = _of_sick(read_corpus(path, sick_gold=sick_gold or "label"), labels, notes)
    else:
        rows, parts = _with_reverse(path, columns, notes)
    there = {(first, second) for first, second, *_ in rows}
    if 2 * sum((second, first) in there for first, second, *_ in rows) > len(rows):
        raise InputError("its pairs are there in both directions already: leave out --both-directions.", path.name)
    notes.append(TWICE)
    if len(parts) > 1:
        named = ", ".join(parts)
        notes.append(f"All parts of {path.name} are trained on: {named}. `nli translate --split` writes one.")
    return rows


def _of_sick(corpus: Corpus, labels: Sequence[str], notes: list[str]) -> tuple[list[tuple[str, ...]], Sequence[str]]:
    """Its pairs, and the names of its parts; its labels are written as `labels` write them."""
    known = spellings(corpus.system)
    wanted = {known[label.lower()]: label for label in labels if label.lower() in known}
    notes += corpus.notes
    rows = [
        (pair.premise, pair.hypothesis, *(wanted.get(label, label) for label in (pair.gold, pair.reverse_gold)))
        for pair in corpus
    ]
    return rows, corpus.splits


def _with_reverse(
    path: Path, columns: Mapping[str, str], notes: list[str]
) -> tuple[list[tuple[str, ...]], Sequence[str]]:
    """The pairs of a table with a column `reverse_gold`, and the names of its parts."""
    table = read_table(path)
    known = {str(name).lower(): name for name in table.columns}
    back, split = (
        _texts(table[known[name]]) if name in known else [""] * len(table) for name in ("reverse_gold", "split")
    )
    notes += guesses(path)
    rows = [(*row, label) for row, label in zip(_cells(table, columns, path.name), back, strict=True)]
    if missing := [f"row {n}" for n, (*pair, label) in enumerate(rows, start=1) if all(pair) and not label]:
        raise no_reverse(missing, path.name)
    return rows, [part for part in dict.fromkeys(split) if part]


def _rows(path: Path, columns: Mapping[str, str], notes: list[str]) -> list[tuple[str, ...]]:
    notes += guesses(path)
    return _cells(read_table(path), columns, path.name)


def _cells(table: pd.DataFrame, columns: Mapping[str, str], where: str) -> list[tuple[str, ...]]:
    first, second, label = (_texts(table[_column(table, role, columns, where)]) for role in ROLES)
    return list(zip(first, second, label, strict=True))


def _column(table: pd.DataFrame, role: str, columns: Mapping[str, str], where: str) -> str:
    """The column for a role: the named one, else the first with a usual name."""
    known = {str(name).lower(): str(name) for name in table.columns}
    wanted = (columns[role].lower(),) if role in columns else ROLES[role]
    if found := next((known[name] for name in wanted if name in known), ""):
        return found
    raise InputError(
        f"no column with the {role} (as {', '.join(wanted)}). Found {', '.join(map(str, table.columns))}. "
        f"Say which column it is, with --{role}.",
        where,
    )


def _texts(column: pd.Series) -> list[str]:
    """Cells as texts on one line."""
    return [" ".join(text.split()) for text in texts(column)]


NEXT, OTHER = 0, 1
"""Indices of the two labels, in BERT's order."""
_NEAR = 5
"""The farthest paragraph, either way, that a hard negative is from."""
_FEWEST_ADJACENT = 10


def following(
    paragraphs: Sequence[Sequence[str]], number: int, seed: int, *, hard: float = 0.0
) -> list[LabelledPair]:
    """At most `number` pairs, half of adjacent sentences in a paragraph, half with a sentence of another paragraph.

    A share `hard` of the latter is from a paragraph near by, the rest from anywhere in the text. No sentence
    is the first of two pairs. Raises InputError for text without enough paragraphs of two sentences.
    """
    chance = random.Random(seed)
    firsts = [(place, at) for place, sentences in enumerate(paragraphs) for at in range(len(sentences) - 1)]
    if len(paragraphs) < 2 or len(firsts) < _FEWEST_ADJACENT:
        raise InputError(
            "a next-sentence head needs text in paragraphs: a sentence per line, a blank line after each paragraph; "
            f"found {len(paragraphs):,} with {len(firsts):,} adjacent sentences."
        )
    chance.shuffle(firsts)
    return [
        LabelledPair(paragraphs[place][at], paragraphs[place][at + 1], NEXT)
        if turn % 2
        else _apart(paragraphs, place, at, chance, hard)
        for turn, (place, at) in enumerate(firsts[:number])
    ]


def _apart(
    paragraphs: Sequence[Sequence[str]], place: int, at: int, chance: random.Random, hard: float
) -> LabelledPair:
    reach = _NEAR if chance.random() < hard else len(paragraphs)
    first, last = max(0, place - reach), min(len(paragraphs) - 1, place + reach)
    other = place
    while other == place:
        other = chance.randint(first, last)
    return LabelledPair(paragraphs[place][at], chance.choice(paragraphs[other]), OTHER)
