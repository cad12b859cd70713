"""Tables of beginnings and forms, from every format that has them.

first, second, form_first, form_second     as they stand (`pairlens.tasks.inside`); base, src, base_label, src_label
                                           too
an experiment with pairs and a factor      of `generate` or your own: both levels of the factor are the beginnings
sentences that differ in a form            agreement sets and minimal pairs: what precedes the form is the first
                                           beginning, and the second is proposed (`proposal`)
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from pairlens.analysis.experiment import EXPECTED, UNEXPECTED
from pairlens.errors import InputError, unknown
from pairlens.files.tables import ending, read_json, read_table
from pairlens.studies.experiment.columns import guess_columns
from pairlens.studies.experiment.design import Design, read_design
from pairlens.studies.inside.proposal import proposals
from pairlens.tasks import TASKS
from pairlens.tasks._agreement_pairs import RAW, TABLE, TEXTS
from pairlens.tasks._beginnings import BAR, Beginnings, Spans, beginnings
from pairlens.tasks.inside import COLUMNS, rows
from pairlens.text import n_shared
from pairlens.text.words import is_mark

_HEAD = 2
"""Words at the beginning of which one must be exchanged: what comes later may be anything but the head."""
_NO_PROPOSAL = "none of its first two words has another number or gender, or no licensor, in the lexicon"
_AGREEMENT = (TABLE, RAW, *TEXTS)


@dataclass(frozen=True, slots=True)
class Table:
    """What can be looked into, and why the other items of a file cannot, by id."""

    asked: list[Beginnings] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)

    def take(self, id: str, make: Callable[[], Beginnings]) -> None:
        """One more item, or the reason why it cannot be made."""
        try:
            self.asked.append(make())
        except InputError as error:
            self.left_out[id] = str(error.message)


def read(path: Path, language: str = "", factor: str = "") -> Table:
    """The beginnings of a file; InputError for one in none of the formats, and if nothing in it can be asked.

    `language` is that of proposals, `factor` the column whose two levels are compared, or the template.
    """
    if ending(path) == ".json" and (templates := _templates(path)):
        readable = Table(_drawn(templates, factor, path.name))
    elif path.is_dir() or ending(path) in _AGREEMENT:
        readable = _with_proposals(_agreement(path), language)
    else:
        table = read_table(path)
        names = {str(name).lower() for name in table.columns}
        if all(names & {*known} for known in COLUMNS):
            readable = Table([*rows(path)])
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
    shared = n_shared(*words)
    right, wrong = ("".join(own[shared : shared + 1]) for own in words)
    text = " ".join(words[0][:shared])
    within = tuple((start, min(end, len(text))) for start, end in regions if start < len(text))
    return _Choice(id, text, (_bare(right), _bare(wrong)), within)


def _bare(word: str) -> str:
    return word.rstrip("".join(filter(is_mark, word)))


def _with_proposals(choices: Iterable[_Choice], language: str) -> Table:
    table = Table()
    for choice in choices:
        second = next((proposal.text for proposal in proposals(choice.text, language)), "") if choice.text else ""
        if not second or choice.text.split()[:_HEAD] == second.split()[:_HEAD]:
            table.left_out[choice.id] = _NO_PROPOSAL
        else:
            table.take(choice.id, partial(beginnings, choice.id, choice.text, second, choice.forms, choice.id))
    return table


def _of_design(design: Design, factor: str, language: str) -> Table:
    if "comparison" not in design.sentences:
        raise InputError("its sentences are in no pairs of expected and unexpected ones: forms cannot be compared")
    levels = {name: list(dict.fromkeys(design.sentences[name])) for name in design.columns.conditions}
    if factor and factor not in levels:
        raise InputError(f"there is no factor '{factor}': it has {', '.join(levels) or 'none'}")
    if not levels:
        return _with_proposals((choice for _, choice in _cells(design)), language)
    two = [factor] if factor else [name for name, values in levels.items() if len(values) == 2]
    if len(two) != 1:
        raise InputError(f"which factor's levels are compared? Name it (--factor): {', '.join(levels)}")
    first, second = levels.pop(two[0])[:2]
    cells: dict[str, dict[str, _Choice]] = {}
    for row, choice in _cells(design):
        name = " ".join([str(row.get("item", row["pairid"])), *(str(row[name]) for name in levels)])
        cells.setdefault(name, {})[str(row[two[0]])] = choice
    table = Table()
    for name, by_level in cells.items():
        table.take(name, partial(_of_two, name, by_level.get(first), by_level.get(second)))
    return table


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


def _templates(path: Path) -> Mapping[str, Any]:
    """CausalGym's templates in a file, by name; none if it holds something else."""
    with suppress(InputError):
        content = read_json(path, _EXPECTED)
        listed = content.values() if isinstance(content, dict) else ()
        if any(isinstance(one, dict) and one.keys() >= _FIELDS for one in listed):
            return dict(content)
    return {}


def _drawn(known: Mapping[str, Any], name: str, where: str) -> list[Beginnings]:
    """Up to `NUMBER` different items of the template of that name, always the same ones.

    InputError for an unknown name, for none where there are several, and for a template that lacks something.
    """
    if not name and len(known) > 1:
        raise InputError(f"which of its templates? Name it (--factor): {', '.join(known)}", where)
    name = name or next(iter(known))
    if name not in known:
        raise InputError(unknown("template", name, known), where)
    chance = random.Random(name)
    pairs: dict[tuple[str, str], tuple[str, str]] = {}
    try:
        for _ in range(NUMBER * 20):
            if len(pairs) == NUMBER:
                break
            texts, forms = _pair(known[name], chance)
            pairs.setdefault(texts, forms)
    except (LookupError, TypeError, ValueError, AttributeError):
        raise InputError(f"the template {name} is not complete. Expected {_EXPECTED}", where) from None
    return [
        beginnings(f"{name}-{number}", first, second, forms, f"{where}, {name}")
        for number, ((first, second), forms) in enumerate(pairs.items(), start=1)
    ]


def _pair(template: Mapping[str, Any], chance: random.Random) -> tuple[tuple[str, str], tuple[str, str]]:
    """Two texts with bars between their regions, and the forms of both types."""
    differing = [template["label"]] if isinstance(template["label"], str) else template["label"]
    types, variables = list(template["labels"])[:2], template["variables"]
    places: dict[str, int] = {}
    texts, open_parts = ["", ""], ["", ""]
    for part in filter(None, _PARTS.split(chance.choice(template["templates"]))):
        name = next(iter(_VARIABLE.findall(part)), "")
        words = ["", ""]
        if name in differing:
            words = [chance.choice(variables[name][kind]) for kind in types]
        elif name:
            head = name.partition(".")[0] if "." in name else ""
            place = places.get(head, chance.randrange(len(variables[name])))
            places |= {head: place} if head else {}
            words = [variables[name][place]] * 2
        open_parts = [old + part.replace(f"{{{name}}}", word) for old, word in zip(open_parts, words, strict=True)]
        if all(map(str.strip, open_parts)):
            texts = [BAR.join(filter(None, [text, new])) for text, new in zip(texts, open_parts, strict=True)]
            open_parts = ["", ""]
    forms = [template["labels"][kind] for kind in types]
    place = chance.randrange(min(map(len, forms)))
    return (texts[0] + open_parts[0], texts[1] + open_parts[1]), (forms[0][place], forms[1][place])
