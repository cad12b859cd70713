"""Tables of beginnings and forms, from every format that has them.

first, second, form_first, form_second     as they stand (`core.tasks.inside`); base, src, base_label, src_label too
an experiment with pairs and a factor      of `generate` or your own: both levels of the factor are the beginnings
sentences that differ in a form            agreement sets and minimal pairs: what precedes the form is the first
                                           beginning, and the second is proposed (`proposal`)
"""

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

import pandas as pd

from core.analysis.experiment import EXPECTED, UNEXPECTED
from core.errors import InputError, unknown
from core.files.tables import ending, read_json, read_table
from core.studies.experiment.columns import guess_columns
from core.studies.experiment.design import Design, read_design
from core.studies.inside.proposal import proposals
from core.tasks import TASKS
from core.tasks._agreement_pairs import RAW, TABLE, TEXTS
from core.tasks._beginnings import BAR, Beginnings, Spans, beginnings
from core.tasks.inside import COLUMNS, rows
from core.text.words import is_mark

_HEAD = 2
"""Words at the beginning of which one must be exchanged: what comes later may be anything but the head."""
_NO_PROPOSAL = "none of its first two words has another number or gender, or no licensor, in the lexicon"
_AGREEMENT = (TABLE, RAW, *TEXTS)


@dataclass(frozen=True, slots=True)
class Table:
    """What can be looked into, and why the other items of a file cannot, by id."""

    asked: list[Beginnings]
    left_out: dict[str, str]


def read(path: Path, language: str = "", factor: str = "") -> Table:
    """The beginnings of a file. `language` is that of proposals, `factor` the column whose two levels are compared,
    or the template.

    InputError for a file in none of the formats, and if nothing in it can be asked.
    """
    if ending(path) == ".json" and is_template_file(path):
        readable = Table(drawn(path, factor), {})
    elif path.is_dir() or ending(path) in _AGREEMENT:
        readable = _with_proposals(_agreement(path), language)
    else:
        table = read_table(path)
        names = {str(name).lower() for name in table.columns}
        if all(names & {*known} for known in COLUMNS):
            readable = Table(list(rows(path)), {})
        elif (columns := guess_columns(table)).sentence and columns.comparison:
            readable = _of_design(read_design(table, columns, path.name), factor, language)
        else:
            readable = _with_proposals(_pairs(path), language)
    if not readable.asked:
        why = next(iter(readable.left_out.values()), "there are no items")
        raise InputError(f"nothing in it can be asked: {why}", path.name)
    return readable


@dataclass(frozen=True, slots=True)
class _Choice:
    """Two forms after one beginning, the right one first."""

    id: str
    text: str
    forms: tuple[str, str]
    regions: Spans = ()


def _agreement(path: Path) -> Iterator[_Choice]:
    for item in TASKS["agreement"].read(path):
        right, wrong = sorted(item.candidates, key=lambda candidate: candidate.label != item.gold)
        forms = tuple(one.text[slice(*one.regions["form"])] for one in (right, wrong))
        yield _Choice(item.id, right.context, (forms[0], forms[1]))


def _pairs(path: Path) -> Iterator[_Choice]:
    for item in TASKS["pairs"].read(path):
        good, bad = (candidate.context + candidate.text for candidate in item.candidates)
        yield _choice(item.id, good, bad)


def _choice(id: str, good: str, bad: str, regions: Spans = ()) -> _Choice:
    """The words before the first that differs, and that word in both; forms are empty where nothing differs."""
    words = good.split(), bad.split()
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*words, strict=False)))
    forms = tuple("".join(one[shared : shared + 1]) for one in words)
    text = " ".join(words[0][:shared])
    within = tuple((start, min(end, len(text))) for start, end in regions if start < len(text))
    return _Choice(id, text, (_bare(forms[0]), _bare(forms[1])), within)


def _bare(word: str) -> str:
    while word and is_mark(word[-1]):
        word = word[:-1]
    return word


def _with_proposals(choices: Iterable[_Choice], language: str) -> Table:
    asked, left_out = [], {}
    for one in choices:
        second = next(iter(proposals(one.text, language)), None) if one.text else None
        if second is None or one.text.split()[:_HEAD] == second.text.split()[:_HEAD]:
            left_out[one.id] = _NO_PROPOSAL
            continue
        try:
            both = beginnings(one.id, one.text, second.text, one.forms, one.id)
        except InputError as error:
            left_out[one.id] = str(error.message)
            continue
        asked.append(both)
    return Table(asked, left_out)


def _of_design(design: Design, factor: str, language: str) -> Table:
    """Both levels of a factor in each item; where there is no factor, each pair with a proposal."""
    if "comparison" not in design.sentences:
        raise InputError("its sentences are in no pairs of expected and unexpected ones: forms cannot be compared")
    levels = {name: list(dict.fromkeys(design.sentences[name])) for name in design.columns.conditions}
    if factor and factor not in levels:
        raise InputError(f"there is no factor '{factor}': it has {', '.join(levels) or 'none'}")
    two = [name for name, values in levels.items() if len(values) == 2]
    if not levels:
        return _with_proposals((one for _, one in _cells(design)), language)
    if not factor and len(two) != 1:
        raise InputError(f"which factor's levels are compared? Name it (--factor): {', '.join(levels)}")
    return _crossed(design, factor or two[0], levels)


def _crossed(design: Design, factor: str, levels: Mapping[str, Sequence[str]]) -> Table:
    one, other = levels[factor][:2]
    others = [name for name in levels if name != factor]
    cells: dict[tuple[str, ...], dict[str, _Choice]] = {}
    for row, choice in _cells(design):
        key = (str(row.get("item", row["pairid"])), *(str(row[name]) for name in others))
        cells.setdefault(key, {})[str(row[factor])] = choice
    asked, left_out = [], {}
    for key, by_level in cells.items():
        name = " ".join(key)
        try:
            asked.append(_of_two(name, by_level.get(one), by_level.get(other)))
        except InputError as error:
            left_out[name] = str(error.message)
    return Table(asked, left_out)


def _of_two(name: str, first: _Choice | None, second: _Choice | None) -> Beginnings:
    if first is None or second is None:
        raise InputError("it lacks a level of the factor", name)
    if {*first.forms} != {*second.forms}:
        raise InputError(f"its levels have other forms: {'/'.join(first.forms)} and {'/'.join(second.forms)}", name)
    if len(first.regions) != len(second.regions):
        raise InputError("its levels have not equally many regions before the form", name)
    both = beginnings(name, first.text, second.text, first.forms, name)
    regions = first.regions, second.regions
    return replace(both, right=(0, first.forms.index(second.forms[0])), regions=regions)


def _cells(design: Design) -> Iterator[tuple[pd.Series, _Choice]]:
    """A row of each complete pair, and its choice."""
    for pairid, rows_of in design.sentences.groupby("pairid", sort=False):
        sides = {side: own.iloc[0] for side, own in rows_of.groupby("comparison")}
        if {EXPECTED, UNEXPECTED} <= sides.keys():
            row = sides[EXPECTED]
            regions = tuple(row["bars"]) if "bars" in row else ()
            yield row, _choice(str(pairid), row["sentence"], sides[UNEXPECTED]["sentence"], regions)


NUMBER = 50
"""Items drawn from a template, if it has so many."""
_EXPECTED = (
    'templates as CausalGym has them: {"name": {"templates": [...], "label": ..., "labels": ..., "variables": ...}}'
)
_FIELDS = {"templates", "label", "labels", "variables"}
_PARTS = re.compile(r"(?<=\})|(?= \{)|(?<! )(?=\{)")
_VARIABLE = re.compile(r"\{(.+?)\}")


def is_template_file(path: Path) -> bool:
    try:
        content = read_json(path, _EXPECTED)
    except InputError:
        return False
    return isinstance(content, dict) and any(
        isinstance(one, dict) and one.keys() >= _FIELDS for one in content.values()
    )


def drawn(path: Path, name: str = "") -> list[Beginnings]:
    """Up to `NUMBER` different items of the template of that name, always the same ones.

    InputError for an unknown name, for none where there are several, and for a template that lacks something.
    """
    known = read_json(path, _EXPECTED)
    if not name and len(known) > 1:
        raise InputError(f"which of its templates? Name it (--factor): {', '.join(known)}", path.name)
    name = name or next(iter(known))
    if name not in known:
        raise InputError(unknown("template", name, known), path.name)
    chance = random.Random(name)
    found: dict[tuple[str, str], tuple[str, str]] = {}
    try:
        for _ in range(NUMBER * 20):
            if len(found) == NUMBER:
                break
            texts, forms = _pair(known[name], chance)
            found.setdefault(texts, forms)
    except (LookupError, TypeError, ValueError, AttributeError):
        raise InputError(f"the template {name} is not complete. Expected {_EXPECTED}", path.name) from None
    return [
        beginnings(f"{name}-{number}", first, second, forms, f"{path.name}, {name}")
        for number, ((first, second), forms) in enumerate(found.items(), start=1)
    ]


def _pair(template: Mapping[str, Any], chance: random.Random) -> tuple[tuple[str, str], tuple[str, str]]:
    """Two texts with bars between their regions, and the forms of both types."""
    differing = [template["label"]] if isinstance(template["label"], str) else template["label"]
    types, variables = list(template["labels"])[:2], template["variables"]
    places: dict[str, int] = {}
    parts: list[list[str]] = [[], []]
    before = ["", ""]
    for part in filter(None, _PARTS.split(chance.choice(template["templates"]))):
        names = _VARIABLE.findall(part)
        words = ["", ""]
        if names and names[0] in differing:
            words = [chance.choice(variables[names[0]][one]) for one in types]
        elif names:
            choices = variables[names[0]]
            head = names[0].partition(".")[0] if "." in names[0] else ""
            place = places.get(head, chance.randrange(len(choices)))
            places |= {head: place} if head else {}
            words = [choices[place]] * 2
        written = [part.replace(f"{{{names[0]}}}", word) if names else part for word in words]
        now = [old + new for old, new in zip(before, written, strict=True)]
        before = ["", ""]
        if all(one.strip() for one in now):
            parts = [[*own, one] for own, one in zip(parts, now, strict=True)]
        else:
            before = now
    forms = [template["labels"][one] for one in types]
    place = chance.randrange(min(map(len, forms)))
    texts = BAR.join(parts[0]) + before[0], BAR.join(parts[1]) + before[1]
    return texts, (forms[0][place], forms[1][place])
