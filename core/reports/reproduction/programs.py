"""The programs that travel with a run. They hold nothing of it: what differs between runs is in the tables they read,
so that no text of a user's ever becomes a line of a program."""

from __future__ import annotations

from core.settings import ROOT

_FOLDER = ROOT / "data" / "programs"


def program(name: str) -> str:
    """The source of a program, by its file name."""
    return (_FOLDER / name).read_text("utf-8")
