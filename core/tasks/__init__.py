"""Benchmarks: `core.tasks.TASKS[name]` reads a published format into items.

One file each; sets of pairs in a table are entries of `data/mappings.toml` instead.
"""

from core.discovery import Registry
from core.tasks._mapped import mapped
from core.types import Task

TASKS: Registry[Task] = Registry(__name__, list(__path__), "TASK", mapped())
