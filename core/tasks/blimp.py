"""BLiMP and everything in its format, such as the BabyLM supplement: one good and one bad sentence per item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.tables import files, read_records
from core.tasks._contrast import contrast
from core.types import Candidate, Item

ENDINGS = (".jsonl",)
SUPPLEMENT = "supplement"
"""Field and linguistics term of items that name none, as in BabyLM."""
_EXPECTED = "Expected sentence_good and sentence_bad, and in BLiMP also field, linguistics_term, UID and pairID"


@dataclass(frozen=True, slots=True)
class Blimp:
    """A folder of .jsonl files, or one of them, also as .gz or .xz; files are read in the order of their names.

    An item's id is its paradigm (UID) and its running number there, as in BabyLM's predictions. Beside the three
    groups of the format an item has `contrast`, the words in which its sentences differ, and `pairID`, its number in
    BLiMP. `s-selection` stays a term of its own, as in the files; the paper counts it as argument structure.
    """

    name: str = "blimp"
    version: int = 1
    title: str = "BLiMP"
    about: str = "Is the grammatical sentence of a minimal pair more probable than the ungrammatical one?"
    paper: str = "Warstadt et al. 2020, BLiMP: The Benchmark of Linguistic Minimal Pairs for English, TACL 8"
    rule: str = "joint"
    groups: tuple[str, ...] = ("UID", "linguistics_term", "field")
    metrics: tuple[str, ...] = ("accuracy",)
    confidential: bool = False

    def read(self, path: Path) -> Iterator[Item]:
        """The items; InputError with file and line where a record is not in the format."""
        running: Counter[str] = Counter()
        for file in files(path, ENDINGS):
            stem = file.name.split(".jsonl")[0]
            for line, record in read_records(file):
                yield _item(record, stem, running, f"{file.name}, line {line}")


def _item(record: Mapping[str, object], stem: str, running: Counter[str], where: str) -> Item:
    good, bad = _sentence(record, "sentence_good", where), _sentence(record, "sentence_bad", where)
    uid = str(record.get("UID", stem))
    number = running[uid]
    running[uid] += 1
    groups = {
        "UID": uid,
        "linguistics_term": str(record.get("linguistics_term", SUPPLEMENT)),
        "field": str(record.get("field", SUPPLEMENT)).replace("syntax_semantics", "syntax/semantics"),
        "contrast": contrast(good, bad),
        "pairID": str(record.get("pairID", record.get("pair_id", ""))),
    }
    return Item(f"{uid}_{number}", (Candidate(good, "good"), Candidate(bad, "bad")), "good", groups)


def _sentence(record: Mapping[str, object], field: str, where: str) -> str:
    if field not in record:
        raise InputError(f"no field '{field}'. {_EXPECTED}; found {', '.join(record) or 'no field'}.", where)
    text = record[field]
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"field '{field}' must be a sentence, found {str(text)[:40]!r}.", where)
    return text


TASK = Blimp()
