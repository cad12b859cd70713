"""BLiMP and everything in its format, such as the BabyLM supplement: one good and one bad sentence per item."""

from collections.abc import Iterator
from pathlib import Path

from pairlens.files.row_mistakes import row
from pairlens.tasks._base import Numbering, PublishedTask, Record, pair, records
from pairlens.types import Item

SUPPLEMENT = "supplement"
"""Field and linguistics term of items that name none, as in BabyLM."""
_EXPECTED = "sentence_good and sentence_bad, and in BLiMP also field, linguistics_term, UID and pairID"


def read(path: Path) -> Iterator[Item]:
    """A folder of .jsonl files, or one of them, also as .gz or .xz; files are read in the order of their names.

    An item's id is its paradigm (UID) and its running number there, as in BabyLM's predictions. Beside the three
    groups of the format an item has `contrast`, the words in which its sentences differ, and `pairID`, its number in
    BLiMP. `s-selection` stays a term of its own, as in the files; the paper counts it as argument structure.
    """
    number = Numbering()
    for record in records(path, _EXPECTED):
        with row(record.line):
            yield _item(record, number)


def _item(record: Record, number: Numbering) -> Item:
    good, bad = record.text("sentence_good"), record.text("sentence_bad")
    fields = record.fields
    uid = record.text_or("UID", record.stem)
    groups = {
        "UID": uid,
        "linguistics_term": record.text_or("linguistics_term", SUPPLEMENT),
        "field": record.text_or("field", SUPPLEMENT).replace("syntax_semantics", "syntax/semantics"),
        "contrast": "",  # its place among the groups
        "pairID": str(fields.get("pairID", fields.get("pair_id", ""))),
    }
    return pair(number(uid), good, bad, groups)


TASK = PublishedTask(
    name="blimp",
    title="BLiMP",
    about="Is the grammatical sentence of a minimal pair more probable than the ungrammatical one?",
    paper="Warstadt et al. 2020, BLiMP: The Benchmark of Linguistic Minimal Pairs for English, TACL 8",
    cites=("warstadt2020blimp",),
    topic="Grammar",
    language="en",
    rules=("joint",),
    groups=("UID", "linguistics_term", "field"),
    averaged=("UID",),
    reader=read,
)
