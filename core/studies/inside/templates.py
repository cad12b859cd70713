"""Beginnings drawn from templates in CausalGym's JSON (Arora, Jurafsky & Potts 2024).

A file has templates by name, each with `templates` (texts with {variables}), `label` (the variables that differ),
`labels` (forms by type) and `variables` (words, by type for those that differ). The first type is the first
beginning. What stands between two variables is a region, and so is each variable; one that is empty in one of both
beginnings belongs to what follows it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import InputError, unknown
from core.files.tables import read_json
from core.tasks._beginnings import BAR, Beginnings, beginnings

NUMBER = 50
"""Items drawn from a template, if it has so many."""
_EXPECTED = (
    'templates as CausalGym has them: {"name": {"templates": [...], "label": ..., "labels": ..., "variables": ...}}'
)
_FIELDS = {"templates", "label", "labels", "variables"}
_PARTS = re.compile(r"(?<=\})|(?= \{)|(?<! )(?=\{)")
_VARIABLE = re.compile(r"\{(.+?)\}")


def is_template_file(path: Path) -> bool:
    """Whether a file holds such templates."""
    try:
        found = read_json(path, _EXPECTED)
    except InputError:
        return False
    return isinstance(found, dict) and any(isinstance(one, dict) and one.keys() >= _FIELDS for one in found.values())


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
