"""A lesson: steps with a pair of sentences, or a beginning to continue, for a class that predicts before it looks.

lesson      `Lesson` and `Step`: from a TOML file or a table, and back to TOML; those in `data/lessons`, and what
            `workshop.gallery` measured on them
answering   what a model says to each step: as numbers, as sentences, as the table at the end
checking    what would distort a lesson, found by the checks of `pairlens.studies.lint`
"""

from pairlens.studies.lesson.lesson import Lesson, Step, file_of, read, shipped, written

__all__ = ["Lesson", "Step", "file_of", "read", "shipped", "written"]
