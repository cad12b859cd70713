"""Sets of minimal pairs that are described as data: `data/mappings.toml` says which column plays which role."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pairlens.errors import InputError
from pairlens.files.row_mistakes import row
from pairlens.files.tables import ending, files, read_table
from pairlens.places import bundled
from pairlens.tasks._base import Numbering, pair
from pairlens.tasks._pair_columns import Roles, pairs_in
from pairlens.types import Item, Task

MAPPINGS = bundled("mappings.toml")
_ENDINGS = (".csv", ".tsv", ".jsonl", ".json", ".parquet", ".xlsx")
_UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class MappedPairs(Task):
    """A table with a good and a bad text in each row, a folder of such tables, or a folder of such folders.

    Groups of an item: `UID`, its paradigm (without one its phenomenon, or the file's name), `phenomenon`, `language`,
    and `contrast`. What no column says is found in the names of folder and file (`named`).
    """

    good: str
    bad: str
    paradigm: str = ""
    phenomenon: str = ""
    named: str = ""

    def read(self, path: Path) -> Iterator[Item]:
        number = Numbering()
        for file in _tables(path):
            by_name, pairs = _said(self.named, file), self._pairs(file)
            if self.language and self.named and not by_name:
                raise InputError(
                    f"the names of {self.title}'s files say phenomenon and paradigm, and this one does not", file.name
                )
            for place, good, bad, group_values in pairs:
                groups = self._groups(group_values, by_name, file)
                uid = groups["UID"] if self.language else f"{groups['language']}_{groups['UID']}"
                with row(place):
                    yield pair(number(uid), good, bad, groups)

    def _pairs(self, file: Path) -> Iterator[tuple[int, str, str, dict[str, str]]]:
        table = read_table(file)
        expected = [name for name in (self.good, self.bad, self.paradigm, self.phenomenon) if name]
        if lacking := [name for name in expected if name not in table.columns]:
            headings = ", ".join(map(str, table.columns))
            raise InputError(f"no column {', '.join(lacking)}, which {self.title} has. Found {headings}", file.name)
        if table.empty:
            raise InputError("no pair below the column names", file.name)
        grouping = [name for name in dict.fromkeys((*expected, "language")) if name in table.columns]
        return pairs_in(table[grouping], Roles(good=self.good, bad=self.bad), file.name)

    def _groups(self, groups: Mapping[str, str], by_name: Mapping[str, str], file: Path) -> dict[str, str]:
        phenomenon = groups.get(self.phenomenon) or by_name.get("phenomenon", "")
        paradigm = groups.get(self.paradigm) or by_name.get("paradigm", "") or phenomenon or file.name.split(".")[0]
        language = self.language or groups.get("language") or by_name.get("language", _UNKNOWN)
        return {"UID": paradigm, "phenomenon": phenomenon or paradigm, "language": language}


def _tables(path: Path) -> Iterator[Path]:
    """The tables of a folder, or of each of its folders where it holds none itself; or the file."""
    folders = [path]
    if path.is_dir() and not _has_tables(path):
        folders = sorted(one for one in path.iterdir() if one.is_dir() and _has_tables(one)) or [path]
    for folder in folders:
        yield from files(folder, _ENDINGS)


def _has_tables(folder: Path) -> bool:
    return any(ending(one) in _ENDINGS for one in folder.iterdir())


def _said(named: str, file: Path) -> dict[str, str]:
    """What the names of a table's folder and file say, by group of the pattern."""
    whole = file.resolve()
    match = re.search(named, f"{whole.parent.name}/{whole.name.split('.')[0]}") if named else None
    return {name: value for name, value in (match.groupdict() if match else {}).items() if value}


def mapped() -> Mapping[str, Task]:
    """The tasks of `data/mappings.toml` by name."""
    entries = tomllib.loads(MAPPINGS.read_text(encoding="utf-8"))
    return MappingProxyType({name: _task(name, entry) for name, entry in entries.items()})


def _task(name: str, entry: dict[str, Any]) -> Task:
    mean, space = entry.pop("mean"), entry.pop("lm_eval_space")
    return MappedPairs(
        name=name, noun="pair", rules=("joint",), metrics=("accuracy",), averaged=(mean,),
        groups=(mean, "phenomenon"), cites=tuple(entry.pop("cites", ())), topic=entry.pop("topic", "Grammar"),
        sets={"lm-eval": {"leading_space": space}}, **entry,
    )  # fmt: skip
