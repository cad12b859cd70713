"""Pairs to watch during a training: a better and a worse sentence, and their group."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pairlens.errors import InputError
from pairlens.files.tables import read_table
from pairlens.places import bundled

SAMPLE = bundled("samples", "train", "pairs.tsv")
GALLERY = "gallery"
TYPED = "typed"
MOST = 500
"""Most pairs that are watched: each is scored at every moment."""

_GOOD, _BAD = ("good", "sentence_good", "expected"), ("bad", "sentence_bad", "unexpected")
_GROUP = ("group", "UID", "phenomenon", "paradigm", "condition")


@dataclass(frozen=True, slots=True)
class WatchedPair:
    good: str
    bad: str
    group: str = TYPED


def read_pairs(path: Path) -> list[WatchedPair]:
    """The pairs of a table with the columns good and bad (or sentence_good and sentence_bad) and perhaps group."""
    table = read_table(path)
    columns = [next((name for name in names if name in table.columns), "") for names in (_GOOD, _BAD, _GROUP)]
    if not all(columns[:2]):
        headings = ", ".join(map(str, table.columns))
        raise InputError(f"expected the columns good and bad, one pair per row; found {headings}.", path.name)
    good, bad, group = columns
    groups = table[group].astype(str) if group else [path.name.partition(".")[0]] * len(table)
    rows = zip(table[good].fillna("").astype(str), table[bad].fillna("").astype(str), groups, strict=True)
    return checked([WatchedPair(a.strip(), b.strip(), name) for a, b, name in rows], path.name)


def typed_pairs(text: str) -> list[WatchedPair]:
    """One pair per line, the better sentence first, a bar between: `The cat sleeps. | The cat sleep.`"""
    pairs = []
    for number, line in enumerate(text.splitlines(), start=1):
        good, bar, bad = (part.strip() for part in line.partition("|"))
        if not line.strip():
            continue
        if not bar:
            raise InputError("a bar is missing between the two sentences: better one | worse one.", f"Line {number}")
        pairs.append(WatchedPair(good, bad))
    return checked(pairs, "Pairs")


def as_table(pairs: Sequence[WatchedPair]) -> str:
    import pandas as pd

    table = pd.DataFrame([(pair.group, pair.good, pair.bad) for pair in pairs], columns=["group", "good", "bad"])
    return str(table.to_csv(sep="\t", index=False, lineterminator="\n"))


def checked(pairs: Sequence[WatchedPair], where: str) -> list[WatchedPair]:
    for number, pair in enumerate(pairs, start=1):
        if not pair.good or not pair.bad:
            raise InputError("one of the two sentences is missing.", f"{where}, pair {number}")
        if pair.good == pair.bad:
            raise InputError("the two sentences are the same.", f"{where}, pair {number}")
    if not pairs:
        raise InputError("there are no pairs to test.", where)
    if len(pairs) > MOST:
        raise InputError(f"{len(pairs):,} pairs, more than the {MOST} that can be tested during training.", where)
    return list(pairs)
