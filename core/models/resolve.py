"""What a user calls a model, resolved: a catalogue name, an explicit folder, or a hub id with revision.

`org/name` is always the hub's and `./org/name` the folder's: a folder that merely bears a hub id's name is never
taken for it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from core.errors import ModelError, unknown
from core.models import cards, checkpoint, hub
from core.types import Model

_HUB_ID = re.compile(r"(?P<repo>[A-Za-z0-9][\w.-]*/[A-Za-z0-9_][\w.-]*)(?:@(?P<revision>[\w.][\w./-]*))?")
_FOLDER_STARTS = ("/", "./", "../", "~")


def find(source: str | Path, *, kind: str = "", allow_code: str = "") -> Model:
    """The model that `source` names; nothing is loaded and torch is not imported.

    `kind` asks for one of several heads (`next-sentence` of a BERT). `allow_code`, `REPO@COMMIT`, lets a hub model
    run its own Python code at exactly that commit. Bundled models, folders and cached hub models never touch the
    network. ModelError says in one sentence what is missing.
    """
    name = os.fspath(source).strip()
    if isinstance(source, Path) or is_folder(name):
        return _from_folder(name, kind)
    folders = cards.folders()
    if name in folders:
        return cards.described(name, folders[name], kind)
    if match := _HUB_ID.fullmatch(name):
        return _from_hub(name, match["repo"], match["revision"] or "", kind, allow_code)
    raise ModelError(f"{unknown('model', name, folders)} A model of the hub is written ORG/NAME, a folder ./FOLDER.")


def is_folder(name: str) -> bool:
    """Whether a source names a folder explicitly: absolute, `./`, `../`, `~`, or a path that is no hub id."""
    if name in (".", "..") or name.startswith(_FOLDER_STARTS) or Path(name).is_absolute():
        return True
    separated = "/" in name or os.sep in name
    return separated and not _HUB_ID.fullmatch(name)


def hub_id(name: str) -> tuple[str, str]:
    """Repository and revision of `org/name[@revision]`; ModelError, with the names that are known, if it is none."""
    if match := _HUB_ID.fullmatch(name):
        return match["repo"], match["revision"] or ""
    known = unknown("model", name, cards.folders())
    raise ModelError(f"{known} A model of the hub is written ORG/NAME, a folder ./FOLDER.")


def _from_folder(name: str, kind: str) -> Model:
    folder = Path(name).expanduser().resolve()
    if (folder / cards.CARD).is_file():
        return cards.described(name, folder, kind)
    return cards.from_folder(name, folder, kind=kind)


def _from_hub(name: str, repo: str, revision: str, kind: str, allow_code: str) -> Model:
    folder = hub.snapshot(repo, revision, with_code=bool(allow_code))
    commit = folder.name
    code = ""
    if allow_code and checkpoint.code_of(folder, name):
        if allow_code != f"{repo}@{commit}":
            raise ModelError(f"'{name}' is at {repo}@{commit}, but --allow-code allows {allow_code}.")
        code = allow_code
    return cards.from_folder(repo, folder, kind=kind, revision=commit, code=code)
