"""Labelled pairs of texts: from a table, and of adjacent sentences and others from running text."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pairlens.errors import InputError
from pairlens.files.labels import spellings
from pairlens.files.nli.columns import chosen, in_row, refuse_missing
from pairlens.files.nli.pairs import TWICE, Corpus, no_reverse
from pairlens.files.nli.readers import COLUMNS, cells_of, is_sick, read_corpus
from pairlens.files.tables import guesses, read_table
from pairlens.training.heads.pairs import LabelledPair

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
    paths: Sequence[Path], columns: Mapping[str, str], labels: Sequence[str] = (), *, both: bool = False
) -> Labelled:
    """Pairs of tables whose labels are words; `columns` gives, by role, names that are not usual (`COLUMNS`).

    `labels` gives the order of the labels, which is alphabetical by default. With `both`, pairs are there in both
    directions: of SICK, and of tables with a column `reverse_gold`. Raises InputError for a missing column, a label
    that is not among those given, fewer than two labels, fewer than ten pairs, a pair without a label for the other
    direction, and a file that has both directions already.
    """
    roles = {"gold" if role == "label" else role: column for role, column in columns.items()}
    notes, rows = list[str](), list[tuple[str, ...]]()
    for path in paths:
        if both and is_sick(path, roles):
            rows += _of_sick(read_corpus(path), labels, notes)
        else:
            rows += _of_table(path, roles, notes, both=both)
    complete = [row for row in rows if all(row)]
    used = {label for _, _, *both_labels in complete for label in both_labels}
    order = tuple(labels) or tuple(sorted(used))
    if unlisted := sorted(used - set(order)):
        raise InputError(f"the label '{unlisted[0][:40]}' is not one of {', '.join(order)}.", paths[0].name)
    if len(complete) < _FEWEST:
        raise InputError(f"{len(complete)} pairs with a label are too few; {_FEWEST} are the least.", paths[0].name)
    if len(order) < 2:
        raise InputError(f"there is one label, '{order[0][:40]}': a classifier chooses between two or more.")
    if len(set(order)) < len(order):
        raise InputError(f"a label is named twice in {', '.join(order)}.")
    examples = [LabelledPair(a, b, *map(order.index, of_pair)) for a, b, *of_pair in complete]
    return Labelled(examples, order, len(rows) - len(complete), notes)


def _of_sick(corpus: Corpus, labels: Sequence[str], notes: list[str]) -> list[tuple[str, ...]]:
    """Texts, label, label of the swapped texts; its labels are written as `labels` write them."""
    known = spellings(corpus.system)
    wanted = {known[label.lower()]: label for label in labels if label.lower() in known}
    notes += corpus.notes
    rows = [
        (pair.premise, pair.hypothesis, *(wanted.get(label, label) for label in (pair.gold, pair.reverse_gold)))
        for pair in corpus
    ]
    return _both_ways(rows, corpus.splits, corpus.name, notes)


def _of_table(path: Path, columns: Mapping[str, str], notes: list[str], *, both: bool) -> list[tuple[str, ...]]:
    """Texts and label, with `both` also the label of the swapped texts: the column `reverse_gold`."""
    table = read_table(path)
    notes += guesses(path)
    names = chosen(table, COLUMNS, columns, path.name)
    roles = ("premise", "hypothesis", "gold", "reverse_gold")[: 4 if both else 3]
    refuse_missing(roles[:3], names, COLUMNS, table, path.name)
    names = {role: names[role] for role in (*roles, "split") if role in names}
    cells = cells_of(table, names, partial(in_row, path.name))
    rows = [
        tuple(" ".join(cell.split()) for cell in row) for row in zip(*(cells[role] for role in roles), strict=True)
    ]
    if missing := [f"row {n}" for n, row in enumerate(rows, start=1) if both and all(row[:3]) and not row[3]]:
        raise no_reverse(missing, path.name)
    return _both_ways(rows, [*filter(None, dict.fromkeys(cells["split"]))], path.name, notes) if both else rows


def _both_ways(
    rows: list[tuple[str, ...]], parts: Sequence[str], where: str, notes: list[str]
) -> list[tuple[str, ...]]:
    """These rows, which are not in both directions already; what is to be said about them is added to `notes`."""
    there = {row[:2] for row in rows}
    if 2 * sum((second, first) in there for first, second, *_ in rows) > len(rows):
        raise InputError("its pairs are there in both directions already: leave out --both-directions.", where)
    notes.append(TWICE)
    if len(parts) > 1:
        named = ", ".join(parts)
        notes.append(f"All parts of {where} are trained on: {named}. `nli translate --split` writes one.")
    return rows


NEXT, OTHER = 0, 1
"""Indices of the two labels, in BERT's order."""
_FEWEST_ADJACENT = 10


def following(paragraphs: Sequence[Sequence[str]], number: int, seed: int) -> list[LabelledPair]:
    """At most `number` pairs, half of adjacent sentences in a paragraph, half with a sentence of another paragraph.

    No sentence is the first of two pairs. Raises InputError for text without enough paragraphs of two sentences.
    """
    chance = random.Random(seed)
    firsts = [(place, at) for place, sentences in enumerate(paragraphs) for at in range(len(sentences) - 1)]
    if len(paragraphs) < 2 or len(firsts) < _FEWEST_ADJACENT:
        raise InputError(
            "a next-sentence head needs text in paragraphs: a sentence per line, a blank line after each paragraph; "
            f"found {len(paragraphs):,} with {len(firsts):,} adjacent sentences."
        )
    chance.shuffle(firsts)
    pairs = []
    for turn, (place, at) in enumerate(firsts[:number]):
        first, second, label = paragraphs[place][at], paragraphs[place][at + 1], NEXT
        if turn % 2 == 0:
            chance.random()  # so that the pairs are those that the bundled head was trained on
            other = place
            while other == place:
                other = chance.randint(0, len(paragraphs) - 1)
            second, label = chance.choice(paragraphs[other]), OTHER
        pairs.append(LabelledPair(first, second, label))
    return pairs
