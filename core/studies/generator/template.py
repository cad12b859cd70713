"""The templates that come with Pairlens, read from `data/templates`, and typed templates."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from core.errors import InputError, unknown
from core.settings import ROOT

FOLDER = ROOT / "data" / "templates"


@dataclass(frozen=True, slots=True)
class Template:
    """A text in the notation of `core.studies.generator`, and its language; bundled ones say what they test."""

    text: str
    language: str = "en"
    name: str = ""
    title: str = ""
    about: str = ""


@cache
def templates() -> Mapping[str, Template]:
    """The templates of `data/templates` by name, English first."""
    files = (tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml")))
    return {
        entry["name"]: Template(**entry, language=content["language"])
        for content in files
        for entry in content["template"]
    }


def find(given: str, language: str = "en") -> Template:
    """The template of that name, else the text as a template; raises InputError for an unknown name."""
    if given in templates():
        return templates()[given]
    if not set(given) & set("{}[]"):
        known = unknown("template", given, templates())
        raise InputError(f"{known} A template that you write yourself has slots, as in 'The {{noun:sg}} ...'.")
    return Template(given, language)
