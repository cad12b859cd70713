"""Which files of an agreement set belong together: the sentences, and the table that says more about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.files.tables import PACKED, ending, existing, files

TEXTS = (".txt", ".text")
TABLE, RAW, DECISIONS = ".tab", ".raw-pred", ".pred"
_SENTENCES = (*TEXTS, RAW, TABLE)
"""Kinds of file that items can be made of, the first to be preferred."""
_COMPANIONS = (TABLE, RAW, DECISIONS)
"""Kinds of file that can say more about the items of another one."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file of items, the file of the same name that says more about them (None if there is none), and the name."""

    file: Path
    companion: Path | None
    name: str


def sources(path: Path, table: Path | None = None) -> list[Source]:
    """The sets of a folder in the order of their names, or the one that a file belongs to.

    `table` is the companion where it has another name. Raises InputError for a file of another kind, for one that
    alone does not make items, and for a table given with several sets.
    """
    if path.is_dir():
        here = [_source(name, kinds) for name, kinds in by_name(path, (*_SENTENCES, DECISIONS)).items()]
    else:
        here = [_source(stem(existing(path)), beside(path, _COMPANIONS), ending(path))]
    if table is None:
        return here
    if len(here) > 1:
        raise InputError(f"the folder holds {len(here)} sets: give the file that the table belongs to", path.name)
    return [Source(here[0].file, existing(table), here[0].name)]


def by_name(path: Path, kinds: Sequence[str]) -> dict[str, dict[str, Path]]:
    """The files of these kinds in a folder, by their names without the ending and by kind."""
    named: dict[str, dict[str, Path]] = {}
    for file in files(path, tuple(kinds)):
        named.setdefault(stem(file), {})[ending(file)] = file
    return named


def stem(file: Path) -> str:
    """The name without the ending: `a` of `a.raw-pred` and of `a.tab.gz`."""
    name = file.name.removesuffix(file.suffix) if file.suffix.lower() in PACKED else file.name
    return name[: len(name) - len(ending(file))]


def beside(file: Path, kinds: Sequence[str]) -> dict[str, Path]:
    """The file itself and, by kind, those of these kinds that have the same name."""
    names = [(kind, file.with_name(f"{stem(file)}{kind}{packed}")) for kind in kinds for packed in (*PACKED, "")]
    return {kind: path for kind, path in names if path.is_file()} | {ending(file): file}


def _source(name: str, kinds: Mapping[str, Path], chosen: str | None = None) -> Source:
    """The files of a name, by kind: the chosen one, or the best to make items of, and its companion."""
    kind = next((kind for kind in _SENTENCES if kind in kinds), DECISIONS) if chosen is None else chosen
    if kind not in _SENTENCES:
        found = f"a {kind} file has one form per item" if kind == DECISIONS else "cannot read a file of this kind"
        raise InputError(f"{found}. Expected {', '.join(_SENTENCES)}; also as .gz or .xz.", kinds[kind].name)
    companion = None
    if kind != TABLE:
        companion = next((kinds[other] for other in _COMPANIONS if other in kinds and other != kind), None)
    return Source(kinds[kind], companion, name)
