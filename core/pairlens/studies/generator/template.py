"""Templates: those that come with Pairlens, in `data/templates`, and typed ones; their items as an experiment."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from pairlens.analysis.experiment import EXPECTED
from pairlens.errors import InputError, unknown
from pairlens.places import bundled
from pairlens.studies.generator.drawing import Cell, Draw, Drawn, Turns, candidates, cells, positions, sentence, turns
from pairlens.studies.generator.syntax import COMPARISON, REGION, parse, refuse
from pairlens.text.lexicon import lexicon

if TYPE_CHECKING:
    import pandas as pd


FOLDER = bundled("templates")


@dataclass(frozen=True, slots=True)
class Template:
    """A text in the notation of docs/commands.md, and its language; bundled ones say what they test."""

    text: str
    language: str = "en"
    name: str = ""
    title: str = ""
    about: str = ""


@cache
def templates() -> Mapping[str, Template]:
    files = (tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml")))
    return {
        entry["name"]: Template(**entry, language=content["language"])
        for content in files
        for entry in content["template"]
    }


def find(text: str, language: str = "en") -> Template:
    """The template of that name, else the text as a template; raises InputError for an unknown name."""
    if text in templates():
        return templates()[text]
    if not {*text} & {*"{}[]"}:
        known = unknown("template", text, templates())
        raise InputError(f"{known} A template that you write yourself has slots, as in 'The {{noun:sg}} ...'.")
    return Template(text, language)


MOST_SENTENCES = 100_000


def generate(template: Template | str, number: int, seed: int, language: str = "en") -> pd.DataFrame:
    """`number` items of a template, given as such, by the name of a bundled one, or as a text in `language`.

    One row per sentence: `sentid` and `pairid` (numbers from 1), `item` (from 1), `comparison`, one column per
    factor, `sentence`, `ROI` (word positions from 0, separated by commas). Without a contrast between expected and
    unexpected there is no `pairid` and no `comparison`, without a region either no `ROI`. The same seed gives the
    same items, and a larger number of them begins with the smaller. Raises InputError for a template that cannot be
    read, and if it has fewer items.
    """
    import pandas as pd

    chosen = template if isinstance(template, Template) else find(template, language)
    conditions = cells(parse(chosen.text))
    most = MOST_SENTENCES // len(conditions)
    if not 1 <= number <= most:
        raise InputError(f"Between 1 and {most:,} items of this template can be made at once, not {number:,}.")
    rows = [
        {"item": item, **cell.levels, "sentence": text, "ROI": ",".join(map(str, roi))}
        for item, marked in enumerate(_items(conditions, chosen.language, number, seed), start=1)
        for cell, (text, roi) in zip(conditions, map(positions, marked), strict=True)
    ]
    table = pd.DataFrame(rows)
    if not table["ROI"].any():
        table = table.drop(columns="ROI")
    table.insert(0, "sentid", range(1, len(table) + 1))
    if COMPARISON in table:
        table.insert(1, "pairid", (table["sentid"] + 1) // 2)
        table.insert(3, COMPARISON, table.pop(COMPARISON))
    return table


def as_pairs(table: pd.DataFrame, paradigm: str = "generated") -> pd.DataFrame:
    """One row per pair, as in BLiMP: `sentence_good`, `sentence_bad`, `UID` (the paradigm), item and factors.

    Raises InputError if the sentences form no pairs, and for a factor named like one of these columns.
    """
    if COMPARISON not in table:
        raise InputError(
            "These sentences are no pairs: the template has no contrast between expected and unexpected."
        )
    others = [name for name in table.columns if name not in ("sentid", "pairid", COMPARISON, "sentence", "ROI")]
    good, bad = (table[side].reset_index() for side in (table[COMPARISON] == EXPECTED, table[COMPARISON] != EXPECTED))
    columns: dict[str, Any] = {"sentence_good": good["sentence"], "sentence_bad": bad["sentence"], "UID": paradigm}
    for taken in columns.keys() & {*others}:
        refuse(f"a factor cannot be called '{taken}': the table of pairs has a column of that name.")
    return good[others].assign(**columns)[[*columns, *others]]


def _items(conditions: Sequence[Cell], language: str, number: int, seed: int) -> list[list[str]]:
    """For each item the sentences of its cells, which all differ.

    No two items share a sentence up to the end of its region: scored from left to right, one would count twice.
    """
    draw = Draw(candidates(conditions, lexicon(language)), seed)
    seen: set[str] = set()
    items: list[list[str]] = []
    while len(items) < number:
        features = turns(conditions, len(items))

        def make(words: Drawn, features: Turns = features) -> list[str] | None:
            texts = [sentence(cell, words, features, language) for cell in conditions]
            return texts if len({*texts}) == len(texts) and seen.isdisjoint(map(_beginning, texts)) else None

        if (item := draw.find(make, kind=tuple(features.values()))) is None:
            only = f"{number:,} different items were asked for, but with these words the template makes only "
            raise InputError(
                f"{only}{len(items):,}."
                if items
                else "No item can be made: the sentences of every item come out alike, or the lexicon has too few "
                "words for that many different ones in a sentence."
            )
        items.append(item)
        seen.update(map(_beginning, item))
    return items


def _beginning(marked: str) -> str:
    """A sentence up to the end of its region, all of it if it has none."""
    before, mark, rest = marked.rpartition(REGION)
    return before if mark else rest
