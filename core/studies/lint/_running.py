"""All checks over a set of stimuli."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from core.discovery import Registry
from core.errors import InputError
from core.studies.experiment.design import Design
from core.studies.experiment.pairing import broken_pairs
from core.studies.experiment.wording import has_pairs
from core.studies.lint._check import SEVERITIES, Check
from core.studies.lint._report import LintReport
from core.studies.lint._stimuli import Stimuli
from core.types import Candidate, Item

Looked = Callable[[int, int], object]
"""Called before each check with the number done and the total; an exception that it raises ends the run."""
CHECKS: Registry[Check] = Registry("core.studies.lint", [str(Path(__file__).parent)], "CHECK")


def lint(
    items: Iterable[Item],
    *,
    tokenizer: Callable[[str], int] | None = None,
    window: int | None = None,
    source: Path | None = None,
    looked: Looked | None = None,
) -> LintReport:
    """Check the items of any task.

    `tokenizer` returns the number of tokens of a text and `window` is the most that a model sees at once
    (`token_counter`); without them tokens are not checked. `source` is the file or folder of the items, for spellings
    of labels that the task merges. `looked` is called with the progress. Raises InputError if there is no item.
    """
    return _report(Stimuli(tuple(items), tokenizer and cache(tokenizer), window, source=source), looked)


def lint_design(
    design: Design,
    *,
    tokenizer: Callable[[str], int] | None = None,
    window: int | None = None,
    looked: Looked | None = None,
) -> LintReport:
    """Check an experiment: its pairs, its unpaired sentences, its regions and its conditions."""
    sentences, conditions = design.sentences, design.columns.conditions
    if has_pairs(design):
        sentences = sentences[broken_pairs(sentences, conditions) != ""]
    single = [
        Item(row["sentid"], (Candidate(row["sentence"], "sentence"),), None, {name: row[name] for name in conditions})
        for row in sentences.to_dict("records")
    ]
    return _report(Stimuli((*design.items(), *single), tokenizer and cache(tokenizer), window, design), looked)


def _report(stimuli: Stimuli, looked: Looked | None) -> LintReport:
    if not stimuli.items:
        raise InputError("There is nothing to look at: no item.")
    checks = sorted(CHECKS.values(), key=lambda check: SEVERITIES.index(check.severity))
    found = []
    for done, check in enumerate(checks):
        if looked:
            looked(done, len(checks))
        if (one := check.find(stimuli)) is not None:
            found.append((check, one))
    return LintReport(tuple(found), stimuli.several_files)
