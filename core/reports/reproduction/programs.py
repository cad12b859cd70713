"""The programs in a download. They are the same for every run: whatever differs is in the tables that they read, so
that no user's text ever becomes part of a program."""

from __future__ import annotations

from core.settings import ROOT

_FOLDER = ROOT / "data" / "programs"


def program(name: str) -> str:
    """The source of a program, by its file name."""
    return (_FOLDER / name).read_text("utf-8")
