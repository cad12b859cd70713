"""Benchmarks: `core.tasks.TASKS[name]` reads a published format into items.

One file each; sets of pairs in a table are entries of `data/mappings.toml` instead.
"""

from __future__ import annotations

import tomllib

from core.discovery import Registry
from core.settings import ROOT
from core.types import Task

MAPPINGS = ROOT / "data" / "mappings.toml"


def _mapped(name: str) -> Task:
    from core.tasks._mapped import mapped

    return mapped()[name]


TASKS: Registry[Task] = Registry(
    __name__, list(__path__), "TASK", tomllib.loads(MAPPINGS.read_text(encoding="utf-8")), _mapped
)
