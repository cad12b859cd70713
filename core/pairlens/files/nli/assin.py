"""ASSIN's XML: pairs with `t` (premise) and `h` (hypothesis), a label and a similarity from 1 to 5.

Fonseca et al. 2016 (ASSIN); Real, Fonseca & Gonçalo Oliveira 2020 (ASSIN 2), PROPOR.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from pairlens.errors import InputError
from pairlens.files.nli.pairs import Corpus
from pairlens.files.tables import read_xml
from pairlens.messages import Message

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    import pandas as pd

_EXPECTED = Message("ASSIN's <entailment-corpus> of <pair id=... entailment=...> with <t> and <h>")


def read_assin(path: Path, notes: list[str]) -> pd.DataFrame:
    """The file as a table with the columns `id`, `t`, `h`, `entailment` and `similarity`, empty where there is none.

    Blind files have -1 for the similarity. Of files whose ids begin anew, as the published one of ASSIN 2's training
    and development pairs, the parts are told apart, with a note. InputError for other XML and for a pair without id.
    """
    import pandas as pd

    root = read_xml(path, _EXPECTED)
    if root.tag != "entailment-corpus":
        wrong = Message("expected {expected}, found <{element}>.", expected=_EXPECTED, element=root.tag[:40])
        raise InputError(wrong, path.name)
    rows = [_row(child, in_pair(path.name, number)) for number, child in enumerate(_pairs(root), start=1)]
    if not rows:
        raise InputError(Message("there is no pair. Expected {expected}.", expected=_EXPECTED), path.name)
    table = pd.DataFrame(rows, dtype="str")
    return table.assign(id=_of_parts(table["id"].tolist(), notes))


def in_pair(where: str, number: int) -> Message:
    return Message("{file}, pair {pair}", file=where, pair=number)


def _pairs(root: Element) -> Iterator[Element]:
    """The elements of pairs at any depth, in the order of the file; `iter` would call itself at each depth."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        if element.tag == "pair":
            yield element
        waiting += reversed(element)


def _row(pair: Element, where: Message) -> dict[str, str]:
    row = {name: pair.get(name, "").strip() for name in ("id", "entailment", "similarity")}
    if not row["id"]:
        raise InputError(Message("it has no id."), where)
    if row["similarity"].startswith("-"):
        row["similarity"] = ""
    for name in ("t", "h"):
        element = pair.find(name)
        for child in () if element is None else element:
            wrong = Message("expected text only in <{element}>, found <{found}>.", element=name, found=child.tag[:40])
            raise InputError(wrong, where)
        row[name] = " ".join(pair.findtext(name, "").split())
    return row


def _of_parts(identifiers: list[str], notes: list[str]) -> list[str]:
    """The ids of a file that was joined from parts which each count from the beginning, prefixed with the part.

    A part begins with the file's first id or a smaller one. Such a file gets a note; any other keeps its ids.
    """
    n_twice = sum(n > 1 for n in Counter(identifiers).values())
    if not n_twice or not all(identifier.isdecimal() for identifier in identifiers):
        return identifiers
    numbers, named, part = [*map(int, identifiers)], list[str](), 1
    for place, number in enumerate(numbers):
        follows = place + 1 < len(numbers) and numbers[place + 1] > number
        part += place > 0 and number <= numbers[0] and number < numbers[place - 1] and follows
        named.append(f"{part}:{identifiers[place]}" if part > 1 else identifiers[place])
    if len({*named}) < len(named):
        return identifiers
    notes.append(
        Message(
            "{n:,} ids come twice: the file is joined from {parts} parts that count anew. Ids of later parts begin "
            "with the number of the part, as {example}.",
            n=n_twice, parts=part, example=named[-1],
        )
    )  # fmt: skip
    return named


_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold, not even escaped."""


def assin_xml(corpus: Corpus, labels: Mapping[str, str] | None = None) -> str:
    """The pairs as ASSIN writes them, with gold labels and similarities, or with answers: `labels` by id.

    Answers are written without a similarity: that of the data is none of the model's. Raises InputError for a text
    with characters that XML cannot hold.
    """
    root = ElementTree.Element("entailment-corpus")
    for pair in corpus:
        label = pair.gold if labels is None else labels.get(pair.id, "")
        attributes = {"entailment": label.capitalize() or "Unknown", "id": pair.id}
        if labels is None and math.isfinite(pair.relatedness):
            attributes["similarity"] = f"{pair.relatedness:g}"
        element = ElementTree.SubElement(root, "pair", attributes)
        for name, text in (("t", pair.premise), ("h", pair.hypothesis)):
            if unfit := _UNFIT.search(text):
                raise InputError(f"character {unfit[0]!r} cannot be written as XML.", f"pair {pair.id}")
            ElementTree.SubElement(element, name).text = text
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"
