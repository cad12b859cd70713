"""All checks over a set of stimuli."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from core.discovery import Registry
from core.errors import InputError
from core.studies.experiment.design import Design
from core.studies.experiment.pairing import broken_pairs
from core.studies.lint._check import SEVERITIES, Check
from core.studies.lint._report import LintReport
from core.studies.lint._stimuli import Stimuli
from core.types import Candidate, Item

Looked = Callable[[int, int], object]
"""Told before each check how many of how many are done; what it raises ends the looking."""
CHECKS: Registry[Check] = Registry("core.studies.lint", [str(Path(__file__).parent)], "CHECK")


def lint(
    items: Iterable[Item],
    *,
    tokenizer: Callable[[str], int] | None = None,
    window: int | None = None,
    source: Path | None = None,
    looked: Looked | None = None,
) -> LintReport:
    """Look at the items of any task.

    `tokenizer` gives the number of tokens of a text and `window` the most that a model can see
    (`token_counter`); without them tokens are not looked at. `source` is where the items were read from: labels
    that the task reads as one are found there. `looked` is told how far it is. Raises InputError if there is no item.
    """
    return _report(Stimuli(tuple(items), _once(tokenizer), window, source=source), looked)


def lint_design(
    design: Design,
    *,
    tokenizer: Callable[[str], int] | None = None,
    window: int | None = None,
    looked: Looked | None = None,
) -> LintReport:
    """Look at an experiment: its pairs, the sentences that are in none, its regions and its conditions."""
    alone = design.sentences[_unpaired(design)]
    conditions = design.columns.conditions
    single = [
        Item(row["sentid"], (Candidate(row["sentence"], "sentence"),), None, {name: row[name] for name in conditions})
        for row in alone.to_dict("records")
    ]
    return _report(Stimuli((*design.items(), *single), _once(tokenizer), window, design), looked)


def _unpaired(design: Design) -> list[bool]:
    sentences = design.sentences
    if not {"pairid", "comparison"} <= set(sentences):
        return [True] * len(sentences)
    return [reason != "" for reason in broken_pairs(sentences, design.columns.conditions)]


def _once(tokenizer: Callable[[str], int] | None) -> Callable[[str], int] | None:
    """Several checks ask about the same texts."""
    return cache(tokenizer) if tokenizer else None


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
