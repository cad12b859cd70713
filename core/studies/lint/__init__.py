"""Problems in a set of stimuli that may spoil a result: one check per file, `core.studies.lint.CHECKS[name]`.

    lint(items)            the items of any task
    lint_design(design)    an experiment: the same, and its rows, regions and conditions
    read_items(read, path), read_experiment(read)
                           what these look at, with the mistakes of all rows that cannot be read
    lint_reading(reading, path, model)
                           either, of what was read
    token_counter(model)   an option of the first two: a model's number of tokens of a text, and its window

All return a `LintReport`. A check takes `Stimuli` (`core.studies.lint._stimuli`) and returns what it found
(`core.studies.lint._check`), None where it does not apply: without a tokenizer no tokens are counted.
"""

from __future__ import annotations

from core.studies.lint._check import Check
from core.studies.lint._reading import Reading, read_experiment, read_items, rows_in_words
from core.studies.lint._report import LintReport
from core.studies.lint._running import CHECKS, lint, lint_design, lint_reading
from core.studies.lint._tokens import TokenCounter, token_counter

__all__ = [
    "CHECKS", "Check", "LintReport", "Reading", "TokenCounter", "lint", "lint_design", "lint_reading",
    "read_experiment", "read_items", "rows_in_words", "token_counter",
]  # fmt: skip
