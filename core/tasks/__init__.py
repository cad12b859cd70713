"""Benchmarks, one file each: `core.tasks.TASKS[name]` reads a published format into items."""

from __future__ import annotations

from core.discovery import Registry
from core.types import Task

TASKS: Registry[Task] = Registry(__name__, list(__path__), "TASK")
