"""Wug tests (Berko 1958): two forms of a novel word, and how many people chose the first."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from pairlens.files.row_mistakes import row
from pairlens.tasks._base import Numbering, PublishedTask, Record, records
from pairlens.types import Candidate, Item

LABELS = ("first", "second")


def read(path: Path) -> Iterator[Item]:
    """A folder of .jsonl files, or one of them, also as .gz or .xz: `sentences` and `ratio`.

    `sentences` are two with a TAB between them, one per form. `ratio` is the share of people who chose the first,
    0 to 1, and a column of the item. The right form is the one that most people chose; at exactly one half there is
    none. The file is the paradigm.
    """
    number = Numbering()
    for record in records(path, "sentences (two, with a TAB between them) and ratio"):
        with row(record.line):
            candidates = tuple(Candidate(text, label) for text, label in zip(_forms(record), LABELS, strict=True))
            ratio = record.number("ratio")
            if not 0 <= ratio <= 1:
                record.refuse(f"field 'ratio' must be a share of people, 0 to 1, found {ratio}")
            gold = None if ratio == 0.5 else LABELS[ratio < 0.5]
            yield Item(number(record.stem), candidates, gold, {"UID": record.stem, "ratio": repr(ratio)})


def _forms(record: Record) -> list[str]:
    forms = record.text("sentences").split("\t")
    if len(forms) != len(LABELS):
        record.refuse(f"field 'sentences' must be two texts with a TAB between them, found {len(forms) - 1} TABs")
    return [
        record.checked_text(form, f"the {label} of 'sentences'") for form, label in zip(forms, LABELS, strict=True)
    ]


WugTest = partial(
    PublishedTask,
    noun="item",
    topic="Human data",
    language="en",
    rules=("joint",),
    groups=("UID",),
    averaged=("UID",),
    metrics=("human_correlation", "majority", "first_form"),
    reader=read,
)
