"""Benchmarks: `pairlens.tasks.TASKS[name]` reads a published format into items.

One file each; sets of pairs in a table are entries of `data/mappings.toml` instead.
"""

from pairlens.discovery import Registry
from pairlens.tasks._mapped import mapped
from pairlens.types import Task

TASKS: Registry[Task] = Registry(__name__, list(__path__), "TASK", mapped())
