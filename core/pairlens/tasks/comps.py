"""COMPS: the same property said of a concept that has it and of one that has not."""

from collections.abc import Iterator
from pathlib import Path

from pairlens.files.row_mistakes import row
from pairlens.tasks._base import Numbering, PublishedTask, records
from pairlens.types import Candidate, Item

PARADIGMS = {
    "comps_base": "base",
    "comps_wugs": "wugs",
    "comps_wugs_dist-before": "wugs_dist_before",
    "comps_wugs_dist-in-between": "wugs_dist_in_between",
}
"""By file; another file keeps its name."""


def read(path: Path) -> Iterator[Item]:
    """A folder of .jsonl files, or one of them, also as .gz or .xz: `prefix_acceptable`, `prefix_unacceptable`,
    `property_phrase`.

    The two candidates are the same phrase after two prefixes, each with a space at its end; the file is the paradigm.
    Items with the same phrase share their `contrast`. There is no rule `pmi`: how likely the phrase is without its
    context is the same for both candidates and cancels.
    """
    number = Numbering()
    for record in records(path, "prefix_acceptable, prefix_unacceptable and property_phrase"):
        with row(record.line):
            phrase = record.text("property_phrase")
            candidates = tuple(
                Candidate(phrase, label, record.text(f"prefix_{label}") + " ")
                for label in ("acceptable", "unacceptable")
            )
            uid = PARADIGMS.get(record.stem, record.stem)
            yield Item(number(uid), candidates, "acceptable", {"UID": uid, "contrast": phrase.lower()})


TASK = PublishedTask(
    name="comps",
    title="COMPS",
    about="Is a property more probable of a concept that has it than of one that has not?",
    paper="Misra, Rayz & Ettinger 2023, COMPS: Conceptual Minimal Pair Sentences, EACL",
    cites=("misra2023comps",),
    topic="Meaning",
    language="en",
    rules=("conditional", "joint"),
    groups=("UID",),
    averaged=("UID",),
    sets={"babylm-2025": {"decoder": "bos-trimmed"}},
    prediction="sentence",
    same_text=True,
    reader=read,
)
