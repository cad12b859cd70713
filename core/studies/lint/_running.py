"""All checks over a set of stimuli."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from core.discovery import Registry
from core.errors import InputError
from core.files.apart import tell
from core.files.row_mistakes import RowMistakes
from core.studies.experiment.design import Design
from core.studies.experiment.pairing import broken_pairs
from core.studies.experiment.wording import has_pairs
from core.studies.lint._check import SEVERITIES, Check
from core.studies.lint._reading import Reading
from core.studies.lint._report import LintReport
from core.studies.lint._stimuli import Stimuli
from core.studies.lint._tokens import token_counter
from core.types import Candidate, Item, Model

_UNREADABLE = "unreadable"
CHECKS: Registry[Check] = Registry("core.studies.lint", [str(Path(__file__).parent)], "CHECK")


def lint(
    items: Iterable[Item],
    *,
    tokenizer: Callable[[str], int] | None = None,
    window: int | None = None,
    whole_words: bool = False,
    source: Path | None = None,
    rows: Sequence[int | None] | None = None,
    mistakes: RowMistakes | None = None,
) -> LintReport:
    """Check the items of any task.

    `tokenizer`, `window` and `whole_words` are those of `token_counter`; without them tokens are not checked.
    `source` is the file or folder of the items, for spellings of labels that the task merges; `rows` and `mistakes`
    are those of `read_items`. Raises InputError if there is neither item nor mistake.
    """
    counted = tokenizer and cache(tokenizer)
    return _report(
        Stimuli(tuple(items), counted, window, source=source, rows=rows, mistakes=mistakes, whole_words=whole_words)
    )


def lint_design(
    design: Design,
    *,
    tokenizer: Callable[[str], int] | None = None,
    window: int | None = None,
    whole_words: bool = False,
    mistakes: RowMistakes | None = None,
) -> LintReport:
    """Check an experiment: its pairs, its unpaired sentences, its regions and its conditions."""
    sentences, conditions = design.sentences, design.columns.conditions
    if has_pairs(design):
        sentences = sentences[broken_pairs(sentences, conditions) != ""]
    single = [
        Item(row["sentid"], (Candidate(row["sentence"], "sentence"),), None, {name: row[name] for name in conditions})
        for row in sentences.to_dict("records")
    ]
    items, counted = (*design.items(), *single), tokenizer and cache(tokenizer)
    return _report(Stimuli(items, counted, window, design, mistakes=mistakes, whole_words=whole_words))


def lint_reading(reading: Reading, source: Path, model: Model | None = None) -> LintReport:
    """Check what was read of a file or folder; with the tokens of a model, if one is named."""
    known: dict[str, Any] = {"mistakes": reading.mistakes}
    if model:
        counter = token_counter(model)
        known |= {"tokenizer": counter.tokens, "window": counter.window, "whole_words": counter.whole_words}
    if reading.design:
        return lint_design(reading.design, **known)
    return lint(reading.items, source=source, rows=reading.rows, **known)


def _report(stimuli: Stimuli) -> LintReport:
    checks = sorted(CHECKS.values(), key=lambda check: (SEVERITIES.index(check.severity), check.name != _UNREADABLE))
    if not stimuli.items:
        if not (stimuli.mistakes and stimuli.mistakes.n):
            raise InputError("There are no items to check.")
        checks = [CHECKS[_UNREADABLE]]
    found = []
    for done, check in enumerate(checks):
        tell(done=done, of=len(checks))
        if (one := check.find(stimuli)) is not None:
            found.append((check, one))
    return LintReport(tuple(found), stimuli.several_files)
