"""Suites in the JSON format of SyntaxGym: items of several conditions, cut into regions, and predictions about them.

Gauthier et al. 2020, SyntaxGym: An Online Platform for Targeted Evaluation of Language Models, ACL.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pairlens.errors import InputError, unknown
from pairlens.files.formulas import SENTENCE, Operation, Region, formula_of, regions_of
from pairlens.files.tables import kind, read_json

_CLOSING = frozenset(",.;:!?…)")
_EXPECTED = "Expected a suite of SyntaxGym: 'meta', 'predictions' and 'items' of conditions and their regions."
_KINDS = {str: "a text", int: "a whole number", list: "a list", dict: "an object"}


@dataclass(frozen=True, slots=True)
class SuiteItem:
    """`conditions`: by name, the contents of the regions by number, as in the file."""

    number: int
    conditions: Mapping[str, Mapping[int, str]]


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite by the name that results give it; `predictions` are formulas (`pairlens.files.formulas`) as written."""

    name: str
    predictions: tuple[str, ...]
    items: tuple[SuiteItem, ...]

    @property
    def formulas(self) -> tuple[Operation, ...]:
        return tuple(map(formula_of, self.predictions))


@dataclass(frozen=True, slots=True)
class Placed:
    """A region in its sentence: `text` follows `context` directly and is empty if the region is."""

    context: str
    text: str


def placed(regions: Mapping[int, str]) -> dict[str, Placed]:
    """The regions of a sentence in the order of their numbers, and `*`, the whole sentence.

    A space separates two regions and is part of the second. There is none before a closing mark (`,`, `.`) and
    around empty regions; white space at the ends of the contents does not count.

    >>> placed({1: "When he ate", 2: ",", 3: "", 4: "the dog barked"})["4"]
    Placed(context='When he ate,', text=' the dog barked')
    """
    spans, sentence = {}, ""
    for number in sorted(regions):
        content = regions[number].strip()
        space = " " if sentence and content and content[0] not in _CLOSING else ""
        spans[str(number)] = Placed(sentence, space + content)
        sentence += space + content
    return spans | {SENTENCE: Placed("", sentence)}


def read_suite(path: Path) -> Suite:
    """The suite in a .json file, also as .gz or .xz; InputError with file and item or prediction."""
    document = read_json(path, "a suite of SyntaxGym")
    where = path.name
    meta = _given(document, "meta", dict, where)
    name = _given(meta, "name", str, where)
    if not name.strip():
        raise InputError("the suite has no name in 'meta'.", where)
    if (metric := meta.get("metric", "sum")) != "sum":
        raise InputError(f'its metric is {json.dumps(metric)}. Regions are summed here: set it to "sum".', where)
    if "region_meta" in document:
        _given(document, "region_meta", dict, where)
    predictions = []
    for number, entry in enumerate(_filled(document, "predictions", where), start=1):
        place = f"{where}, prediction {number}"
        if (stated := _given(entry, "type", str, place)) != "formula":
            raise InputError(f"'type' must be 'formula', found '{stated}'.", place)
        predictions.append(str(_given(entry, "formula", str, place)))
    items = tuple(_item(entry, n, where) for n, entry in enumerate(_filled(document, "items", where), start=1))
    suite = Suite(name, tuple(predictions), items)
    _check(suite, where)
    return suite


def _item(entry: object, place: int, where: str) -> SuiteItem:
    number = _given(entry, "item_number", int, f"{where}, item in place {place}")
    where = f"{where}, item {number}"
    conditions: dict[str, dict[int, str]] = {}
    for condition in _filled(entry, "conditions", where):
        name = _given(condition, "condition_name", str, where)
        if name in conditions:
            raise InputError(f"condition '{name}' is given twice.", where)
        conditions[name] = _regions(condition, f"{where}, condition '{name}'")
    return SuiteItem(number, conditions)


def _regions(condition: object, where: str) -> dict[int, str]:
    regions: dict[int, str] = {}
    for entry in _filled(condition, "regions", where):
        number = _given(entry, "region_number", int, where)
        if number in regions:
            raise InputError(f"region {number} is given twice.", where)
        regions[number] = _given(entry, "content", str, where)
    return regions


def _check(suite: Suite, where: str) -> None:
    needed: dict[Region, int] = {}
    for place, prediction in enumerate(suite.predictions, start=1):
        try:
            for region in regions_of(formula_of(prediction)):
                needed.setdefault(region, place)
        except InputError as error:
            raise InputError(str(error), f"{where}, prediction {place}") from None
    numbers: set[int] = set()
    for item in suite.items:
        if item.number in numbers:
            raise InputError(f"item {item.number} is given twice.", where)
        numbers.add(item.number)
        for region, place in needed.items():
            needed_in = f"{where}, item {item.number} (prediction {place} needs {region})"
            if region.condition not in item.conditions:
                raise InputError(unknown("condition", region.condition, item.conditions), needed_in)
            known = [*map(str, item.conditions[region.condition]), SENTENCE]
            if region.number not in known:
                raise InputError(unknown("region", region.number, known), needed_in)


def _filled(record: object, name: str, where: str) -> list[object]:
    values: list[object] = _given(record, name, list, where)
    if not values:
        raise InputError(f"'{name}' is empty.", where)
    return values


def _given(record: object, name: str, of: type, where: str) -> Any:
    """A field of this kind; InputError if the record is no object, or the field is missing or of another kind."""
    if not isinstance(record, dict):
        raise InputError(f"expected an object with '{name}', found {kind(record)}. {_EXPECTED}", where)
    if name not in record:
        raise InputError(f"there is no '{name}'. {_EXPECTED}", where)
    value = record[name]
    if not isinstance(value, of) or isinstance(value, bool):
        raise InputError(f"'{name}' must be {_KINDS[of]}, found {kind(value)}.", where)
    return value
