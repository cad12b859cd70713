"""Any file of pairs into a corpus; the format is recognised from the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from core.errors import InputError
from core.files.labels import system_of
from core.files.nli.assin import read_assin
from core.files.nli.pairs import Corpus
from core.files.nli.sick import MARKS, OWN, read_sick
from core.files.nli.table import read_pairs
from core.files.tables import PLAIN, ending, existing, first_line, guesses
from core.messages import Message
from core.text.faults import Faults

_DELIMITED = (".tsv", ".tab", ".csv", *PLAIN)


def read_corpus(
    path: Path,
    system: str = "",
    columns: Mapping[str, str] = MappingProxyType({}),
    *,
    sick_gold: str = "label",
    leave_out_one_way: bool = False,
) -> Corpus:
    """The pairs of a file with the labels of `system`, by default inferred from the labels.

    `.xml` is ASSIN's format; a table with `entailment_AB` and `entailment_BA` is SICK's (`sick_gold` and
    `leave_out_one_way` as in `read_sick`); any other table is read by its columns (`core.files.nli.table.COLUMNS`),
    which `columns` can name. Raises PolicyError for an unknown system, InputError for a file that cannot be read.
    """
    system = system_of(system).name if system else ""
    if ending(existing(path)) == ".xml":
        corpus, guessed = read_assin(path, system), list[str]()
    else:
        corpus, guessed = _read_table(path, system, columns, sick_gold, leave_out_one_way), guesses(path)
    return replace(corpus, notes=[*corpus.notes, *guessed, *_faults(corpus)])


def _faults(corpus: Corpus) -> Iterator[str]:
    """A note on what data lint calls an error in its texts; none where there is nothing."""
    faults = Faults()
    for pair in corpus:
        faults.look(pair.premise, pair.id)
        faults.look(pair.hypothesis, pair.id)
    if note := faults.in_words("pair"):
        yield note


def _read_table(
    path: Path, system: str, columns: Mapping[str, str], sick_gold: str, leave_out_one_way: bool
) -> Corpus:
    if is_sick(path, columns):
        if system and system_of(system).labels != system_of("sick").labels:
            raise InputError(
                Message(
                    "this is SICK's format, whose labels are not those of {system}.", system=system_of(system).title
                ),
                path.name,
            )
        return read_sick(path, system or "sick", gold=sick_gold, leave_out_one_way=leave_out_one_way)
    return read_pairs(path, system, columns)


def is_sick(path: Path, columns: Mapping[str, str] = MappingProxyType({})) -> bool:
    """Whether the first line of a text file names SICK's columns, and `columns` (by role) none but its own."""
    if ending(path) not in _DELIMITED or any(OWN.get(role) != name.lower() for role, name in columns.items()):
        return False
    return set(MARKS) <= {name.strip().lower() for name in first_line(path).split("\t")}
