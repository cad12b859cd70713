"""ASSIN's XML: pairs with `t` (premise) and `h` (hypothesis), a label and a similarity from 1 to 5.

Fonseca et al. 2016 (ASSIN); Real, Fonseca & Gonçalo Oliveira 2020 (ASSIN 2), PROPOR.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from core.errors import InputError
from core.files.labels import spellings, system_of, unknown_label
from core.files.nli.pairs import Corpus, Pair, read_with, told_apart
from core.files.tables import read_xml
from core.messages import Message

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

BLIND = ("", "unknown")
"""The label of pairs in blind test files."""
_EXPECTED = Message("ASSIN's <entailment-corpus> of <pair id=... entailment=...> with <t> and <h>")


def read_elements(path: Path) -> list[Pair]:
    """The pairs of the file with their labels as written; `relatedness` is NaN in blind files, which have -1.

    Raises InputError for other XML, and for a pair without id or with an invalid number.
    """
    root = read_xml(path, _EXPECTED)
    if root.tag != "entailment-corpus":
        wrong = Message("expected {expected}, found <{element}>.", expected=_EXPECTED, element=root.tag[:40])
        raise InputError(wrong, path.name)
    pairs = [_element(child, _place(path, number)) for number, child in enumerate(_pairs(root), start=1)]
    if not pairs:
        raise InputError(Message("there is no pair. Expected {expected}.", expected=_EXPECTED), path.name)
    return pairs


def _place(path: Path, number: int) -> Message:
    return Message("{file}, pair {pair}", file=path.name, pair=number)


def _pairs(root: Element) -> Iterator[Element]:
    """The elements of pairs at any depth, in the order of the file; `iter` would call itself at each depth."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        if element.tag == "pair":
            yield element
        waiting += reversed(element)


def _element(pair: Element, where: Message) -> Pair:
    identifier, label, similarity = ((pair.get(name) or "").strip() for name in ("id", "entailment", "similarity"))
    if not identifier:
        raise InputError(Message("it has no id."), where)
    try:
        number = float(similarity.replace(",", ".")) if similarity else math.nan
    except ValueError:
        wrong = Message("the similarity {value!r} is not a number.", value=similarity[:40])
        raise InputError(wrong, where) from None
    relatedness = number if math.isfinite(number) and number >= 0 else math.nan
    return Pair(identifier, _text(pair, "t", where), _text(pair, "h", where), label, relatedness=relatedness)


def _text(pair: Element, name: str, where: Message) -> str:
    element = pair.find(name)
    if element is not None and len(element):
        wrong = Message(
            "expected text only in <{element}>, found <{found}>.", element=name, found=element[0].tag[:40]
        )
        raise InputError(wrong, where)
    return " ".join((element.text or "").split()) if element is not None else ""


def read_assin(path: Path, system: str = "") -> Corpus:
    """A corpus in ASSIN's XML. Without `system` it is `assin` if a pair is a paraphrase, else `assin2`.

    Labels may be in any case; `Unknown` stands for none. Files whose ids repeat, as the published one of ASSIN 2's
    training and development pairs, get unique ids and a note. Raises InputError for an unknown label and an empty
    sentence.
    """
    pairs = read_elements(path)
    notes: list[str] = []
    if not system:
        system = "assin" if any(pair.gold.lower().startswith("paraphrase") for pair in pairs) else "assin2"
        notes.append(read_with(system))
    labels = {**dict.fromkeys(BLIND, ""), **spellings(system)}
    written = [pair.id for pair in pairs]
    identifiers = of_parts(written, notes) or told_apart(written, notes)
    for number, pair in enumerate(pairs, start=1):
        if pair.gold.lower() not in labels:
            raise InputError(unknown_label(pair.gold, system).message, _place(path, number))
        if not (pair.premise and pair.hypothesis):
            empty = Message("there is no text in <{element}>.", element="h" if pair.premise else "t")
            raise InputError(empty, _place(path, number))
    read = [
        replace(pair, id=name, gold=labels[pair.gold.lower()]) for pair, name in zip(pairs, identifiers, strict=True)
    ]
    return Corpus(path.name, system_of(system).name, read, notes=notes)


def of_parts(identifiers: Sequence[str], notes: list[str]) -> list[str]:
    """The ids of a file that was joined from parts which each count from the beginning, prefixed with the part.

    A part begins with the file's first id or a smaller one. Such a file gets a note; of any other, no ids.
    """
    n_twice = sum(n > 1 for n in Counter(identifiers).values())
    if not n_twice or not all(identifier.isdecimal() for identifier in identifiers):
        return []
    numbers, named, part = [*map(int, identifiers)], [], 1
    for place, number in enumerate(numbers):
        follows = place + 1 < len(numbers) and numbers[place + 1] > number
        part += place > 0 and number <= numbers[0] and number < numbers[place - 1] and follows
        named.append(f"{part}:{identifiers[place]}" if part > 1 else identifiers[place])
    if len({*named}) < len(named):
        return []
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
_UNKNOWN = "Unknown"
"""What ASSIN writes where there is no label."""


def assin_xml(corpus: Corpus, labels: Mapping[str, str] | None = None) -> str:
    """The pairs as ASSIN writes them, with gold labels and similarities, or with answers: `labels` by id.

    Answers are written without a similarity: that of the data is none of the model's. Raises InputError for a text
    with characters that XML cannot hold.
    """
    root = ElementTree.Element("entailment-corpus")
    for pair in corpus:
        label = pair.gold if labels is None else labels.get(pair.id, "")
        attributes = {"entailment": label.capitalize() or _UNKNOWN, "id": pair.id}
        if labels is None and math.isfinite(pair.relatedness):
            attributes["similarity"] = f"{pair.relatedness:g}"
        element = ElementTree.SubElement(root, "pair", attributes)
        for name, text in (("t", pair.premise), ("h", pair.hypothesis)):
            if unfit := _UNFIT.search(text):
                raise InputError(f"character {unfit[0]!r} cannot be written as XML.", f"pair {pair.id}")
            ElementTree.SubElement(element, name).text = text
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"
