"""A lesson: steps with a pair of sentences, or a beginning to continue, for a class that predicts before it looks.

lesson      `Lesson` and `Step`
reading     from a TOML file or a table, and back to TOML
"""

from __future__ import annotations

from core.studies.lesson.lesson import Lesson, Step
from core.studies.lesson.reading import read, written

__all__ = ["Lesson", "Step", "read", "written"]
