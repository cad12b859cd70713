"""The base of tasks is the noun itself, whose fields have defaults where most tasks leave them as they are."""

from core.types import Task as BaseTask

__all__ = ["BaseTask"]
