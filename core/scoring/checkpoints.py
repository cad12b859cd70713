"""A model at several moments of its training: branches of a hub model, or the folders in a folder.

How much a checkpoint had seen is read off its name (`chck_10M`: ten million words, `checkpoint-500`: 500 steps) and
can be corrected.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType

from core.errors import ModelError
from core.models import cards, hub
from core.models.resolve import hub_id, is_folder

ALL = "all"
MAIN = "main"
"""The hub's usual branch, and what a folder of checkpoints calls the model that lies in it directly."""

_NUMBER = r"(\d+(?:\.\d+)?)"
_NAMES = tuple(
    (unit, re.compile(pattern, re.IGNORECASE))
    for unit, pattern in (
        ("steps", rf"(?:step|iter)[a-z]*[-_]?{_NUMBER}([KMB]?)(?![a-z0-9.])"),
        ("tokens", rf"tokens?[-_]?{_NUMBER}([KMB]?)$"),
        ("words", rf"(?<![\d.]){_NUMBER}([KMB])(?:[-_]?w(?:ords)?)?$"),
        ("steps", r"checkpoint[-_]?(\d+)()$"),
        ("words", r"(?:chck|words?)[-_]?(\d+)()$"),
    )
)
"""Unit, and where its number stands in a name; the first that fits counts."""
_FACTORS = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9}
_COMMIT = re.compile(r"[0-9a-f]{40}")
_NAMED = 12
_NOTHING: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model at one moment of its training.

    `source` is what `core.models.find` takes. `words` is how much it had seen, counted in `unit` (words, tokens or
    steps, as its name says); None where the name does not say, as in `main`.
    """

    name: str
    source: str
    words: int | None = None
    unit: str = "words"


def checkpoints(model: str, revisions: Sequence[str] = (), words: Mapping[str, int] = _NOTHING) -> list[Checkpoint]:
    """The checkpoints of a model that `revisions` name, in the order of training; those of unknown age come last.

    `model` is a hub id, whose checkpoints are its branches, tags and commits, or a folder that holds a folder per
    checkpoint, each with its config.json. A revision is a name, several with commas between them, a pattern
    (`chck_*`) or `all`. Without revisions it is the model itself, or everything in a folder that is no model itself.
    `words` corrects or adds what is read off the names. ModelError, in one sentence that names what is there, if a
    revision is not.
    """
    wanted = [name.strip() for text in revisions for name in text.split(",") if name.strip()]
    if not wanted and not _holds_checkpoints_only(model):
        for name in words:
            _matching(name, {MAIN: model}, model)
        return [Checkpoint(MAIN, model, words.get(MAIN))]
    there = _there(model, wanted)
    names = [name for pattern in wanted or [ALL] for name in _matching(pattern, there, model)]
    for name in words:
        _matching(name, there, model)
    found = [_checkpoint(name, there[name], words) for name in dict.fromkeys(names)]
    _refuse_two_units(found)
    return sorted(found, key=lambda one: (one.words is None, one.words or 0, one.name))


def seen(name: str) -> tuple[int | None, str]:
    """How much a checkpoint of this name had seen, and in which unit: `chck_10M` is (10000000, "words")."""
    for unit, pattern in _NAMES:
        if match := pattern.search(name):
            return round(float(match[1]) * _FACTORS[match[2].upper()]), unit
    return None, "words"


def _checkpoint(name: str, source: str, words: Mapping[str, int]) -> Checkpoint:
    return Checkpoint(name, source, words[name]) if name in words else Checkpoint(name, source, *seen(name))


def _holds_checkpoints_only(model: str) -> bool:
    folder = Path(model).expanduser()
    return is_folder(model) and folder.is_dir() and not _is_model(folder)


def _is_model(folder: Path) -> bool:
    """Whether a folder is a model itself; one of the catalogue, such as word counts, may have a card alone."""
    return any((folder / name).is_file() for name in ("config.json", cards.CARD, cards.COUNTS))


def _there(model: str, wanted: Sequence[str]) -> dict[str, str]:
    """Every checkpoint of a model by name, with its source; commits that are asked for are taken to be there."""
    if is_folder(model):
        return _in_folder(model)
    if model in cards.folders():
        raise ModelError(f"'{model}' is here in one version only: leave the revision out.")
    repo, revision = hub_id(model)
    if revision:
        raise ModelError(f"'{model}' names a revision already: write {repo} and give all revisions together.")
    commits = [name for name in wanted if _COMMIT.fullmatch(name)]
    refs = hub.revisions(repo) if len(commits) < len(wanted) else ()
    return {name: f"{repo}@{name}" for name in (*refs, *commits)}


def _in_folder(model: str) -> dict[str, str]:
    folder = Path(model).expanduser().resolve()
    found = {config.parent.name: str(config.parent) for config in sorted(folder.glob("*/config.json"))}
    if _is_model(folder):
        found[MAIN] = str(folder)
    if not found:
        raise ModelError(
            f"'{model}' is no model, having neither config.json nor {cards.CARD}, and holds no checkpoints: "
            "expected is a folder per checkpoint, each with a config.json."
        )
    return found


def _matching(pattern: str, there: Mapping[str, str], model: str) -> list[str]:
    """The names that a revision stands for; ModelError if there is none."""
    names = [name for name in there if pattern in (name, ALL) or fnmatchcase(name, pattern)]
    if not names:
        more = f" and {len(there) - _NAMED} more" if len(there) > _NAMED else ""
        raise ModelError(f"'{model}' has no revision '{pattern}'. It has {', '.join(list(there)[:_NAMED])}{more}.")
    return names


def _refuse_two_units(found: Sequence[Checkpoint]) -> None:
    """ModelError if some of the checkpoints are counted in words and others in steps: they share no axis."""
    by_unit = {one.unit: one for one in found if one.words is not None}
    if len(by_unit) > 1:
        one, other, *_ = by_unit.values()
        raise ModelError(
            f"'{one.name}' counts {one.unit} and '{other.name}' {other.unit}, which share no axis: "
            "say how many words each had seen."
        )
