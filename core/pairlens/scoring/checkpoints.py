"""A model at several points of its training: revisions of a hub model, or the folders in a folder.

The amount is inferred from a checkpoint's name (`chck_10M`: ten million words, `checkpoint-500`: 500 steps).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType

from pairlens.errors import ModelError
from pairlens.models import adapters, cards, hub
from pairlens.models.resolve import hub_id, is_folder, is_open, refuse_closed

ALL = "all"
FINAL = re.compile(
    r"(?:final|last)(?:[-_](?:model|checkpoint))?|(?:model|checkpoint)[-_](?:final|last)", re.IGNORECASE
)
"""The checkpoint at the end of training, whose name does not say how much that was."""
MAIN = "main"
"""The hub's main branch, and the name of a model found directly in a folder of checkpoints."""

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
"""Units and the patterns of their numbers in names; the first that matches counts."""
_WORD = re.compile(
    r"(?:^|[^a-z])(?:steps?|iter[a-z]*|chck|ckpt|checkpoints?|tokens?|words?|epochs?)(?![a-z])", re.IGNORECASE
)
_FACTORS = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9}
_COMMIT = re.compile(r"[0-9a-f]{40}")
_NAMED = 12
_DEEPEST = 3
"""So many folders down checkpoints are looked for."""
_NOTHING: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model at one point of its training.

    `source` is an argument for `pairlens.models.find`. `words` is the amount of training, counted in `unit` (words,
    tokens or steps); None if it is unknown, as for `main`. Of a `final` one it is that of the last whose name says
    it, and `assumed`.
    """

    name: str
    source: str
    words: int | None = None
    unit: str = "words"
    assumed: bool = False


def checkpoints(
    model: str, revisions: Sequence[str] = (), words: Mapping[str, int] = _NOTHING, *, any_name: bool = False
) -> list[Checkpoint]:
    """The checkpoints of a model that `revisions` name, in the order of training, unknown ones last.

    `model` is a hub id, whose checkpoints are its branches, tags and commits, or a folder with a folder per
    checkpoint, or one somewhere above that. A revision is a name, several names separated by commas, a pattern
    (`chck_*`) or `all`. Without revisions it is the model itself, or all checkpoints of a folder that is not a model.
    `words` corrects or adds the amounts of training. ModelError, with the names that exist, for an unknown revision;
    with `any_name` a model in a plain folder has every one, as transformers does not look at it there.
    """
    refuse_closed(model)
    wanted = [name.strip() for text in revisions for name in text.split(",") if name.strip()]
    folder = Path(model).expanduser()
    holds_checkpoints_only = is_folder(model) and folder.is_dir() and not _is_model(folder)
    if not wanted and not holds_checkpoints_only:
        for name in words:
            _matching(name, {MAIN: model}, model)
        return [Checkpoint(MAIN, model, words.get(MAIN))]
    there = _there(model, wanted)
    if any_name and [*there] == [MAIN]:
        there |= {name: model for name in wanted if name not in (ALL, MAIN) and not set("*?[") & set(name)}
    names = [name for pattern in wanted or [ALL] for name in _matching(pattern, there, model)]
    for name in words:
        _matching(name, there, model)
    listed = [
        Checkpoint(name, there[name], words[name]) if name in words else Checkpoint(name, there[name], *seen(name))
        for name in dict.fromkeys(names)
    ]
    dated = [one for one in listed if one.words is not None]
    by_unit = {one.unit: one for one in dated}
    if len(by_unit) > 1:
        one, other, *_ = by_unit.values()
        raise ModelError(
            f"'{one.name}' counts {one.unit} and '{other.name}' {other.unit}, which share no axis: "
            "say how many words each had seen."
        )
    if dated:  # what is FINAL had seen as much as the last one
        last = max(dated, key=lambda one: one.words or 0)
        listed = [
            replace(one, words=last.words, unit=last.unit, assumed=True)
            if one.words is None and FINAL.fullmatch(one.name)
            else one
            for one in listed
        ]
    return sorted(listed, key=lambda one: (one.words is None, one.words or 0, one.assumed, one.name))


def holds_checkpoints(model: str) -> bool:
    if not (is_folder(model) and is_open(model)):
        return False
    folder = Path(model).expanduser()
    return folder.is_dir() and not _is_model(folder) and bool(_parents(folder))


def is_training(model: str) -> bool:
    """Whether the names in such a folder say that they are of one training, not of models beside each other."""
    names = [config.parent.name for one in _parents(Path(model).expanduser()) for config in one.glob("*/config.json")]
    telling = [name for name in names if says_training(name)]
    return bool(telling) and len({*telling, *filter(FINAL.fullmatch, names)}) > 1


def says_training(name: str) -> bool:
    """Whether a name is that of a checkpoint; a bare size (`pythia-70m`) may be that of a model."""
    return bool(_WORD.search(name))


def seen(name: str) -> tuple[int | None, str]:
    """The amount of training of a checkpoint with this name, and its unit: `chck_10M` is (10000000, "words")."""
    for unit, pattern in _NAMES:
        if match := pattern.search(name):
            return round(float(match[1]) * _FACTORS[match[2].upper()]), unit
    return None, "words"


def _is_model(folder: Path) -> bool:
    return any((folder / name).is_file() for name in ("config.json", adapters.CONFIG, cards.CARD, cards.COUNTS))


def _there(model: str, wanted: Sequence[str]) -> dict[str, str]:
    if is_folder(model):
        folder = Path(model).expanduser().resolve()
        if len(parents := _parents(folder)) > 1:
            names = ", ".join(str(parent.relative_to(folder)) for parent in parents[:_NAMED])
            raise ModelError(f"'{model}' holds the checkpoints of several models: name one of {names}.")
        configs = [config for parent in parents for config in sorted(parent.glob("*/config.json"))]
        folders = {config.parent.name: str(config.parent) for config in configs}
        if _is_model(folder):
            folders[MAIN] = str(folder)
        if not folders:
            raise ModelError(
                f"'{model}' is no model, having neither config.json nor {cards.CARD}, and holds no checkpoints: "
                "expected is a folder per checkpoint, each with a config.json."
            )
        return folders
    if model in cards.folders():
        raise ModelError(f"'{model}' is here in one version only: leave the revision out.")
    repo, revision = hub_id(model)
    if revision:
        raise ModelError(f"'{model}' names a revision already: write {repo} and give all revisions together.")
    commits = [name for name in wanted if _COMMIT.fullmatch(name)]
    refs = hub.revisions(repo) if len(commits) < len(wanted) else ()
    return {name: f"{repo}@{name}" for name in (*refs, *commits)}


def _parents(folder: Path) -> list[Path]:
    for depth in range(_DEEPEST):
        below = sorted({config.parents[1] for config in folder.glob("*/" * (depth + 1) + "config.json")})
        if below:
            return below
    return []


def _matching(pattern: str, there: Mapping[str, str], model: str) -> list[str]:
    names = [name for name in there if pattern in (name, ALL) or fnmatchcase(name, pattern)]
    if not names:
        more = f" and {len(there) - _NAMED} more" if len(there) > _NAMED else ""
        raise ModelError(f"'{model}' has no revision '{pattern}'. It has {', '.join(list(there)[:_NAMED])}{more}.")
    return names
