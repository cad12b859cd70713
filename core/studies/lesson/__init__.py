"""A lesson: steps with a pair of sentences, or a beginning to continue, for a class that predicts before it looks.

lesson      `Lesson` and `Step`
reading     from a TOML file or a table, and back to TOML
answering   what a model says to each step
shipped     the lessons in `data/lessons`, and what was measured on them by `workshop.gallery`
wording     answers as sentences, the table at the end
checking    what would distort a lesson, found by the checks of `core.studies.lint`
"""

from __future__ import annotations

from core.studies.lesson.lesson import Lesson, Step
from core.studies.lesson.reading import read, written
from core.studies.lesson.shipped import file_of, shipped

__all__ = ["Lesson", "Step", "file_of", "read", "shipped", "written"]
