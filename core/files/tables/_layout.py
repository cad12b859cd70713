"""How a table is laid out in its file, as far as somebody says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.files.tables._source import label, shown
from core.messages import Message

_SHEETS = 12
_WHERE = Message("choose with --sheet, or on a page under Read as")


@dataclass(frozen=True, slots=True)
class Layout:
    """The arguments of `read_table`; what is empty is guessed, or as in the settings."""

    delimiter: str = ""
    encoding: str = ""
    quoting: str = ""
    sheet: str = ""


def place_of(file: Path, sheets: Sequence[str]) -> Message | str:
    """A workbook, the first of these sheets, which is read, and the others; empty if there is one only."""
    if len(sheets) < 2:
        return ""
    others = ", ".join(map(shown, sheets[1 : _SHEETS + 1])) + (" …" if len(sheets) > _SHEETS + 1 else "")
    return Message(
        "{file}, sheet {name} (there are also {others}: {where})",
        file=label(file), name=shown(sheets[0]), others=others, where=_WHERE,
    )  # fmt: skip
