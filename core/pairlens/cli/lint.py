"""`data lint`: problems in a data set or an experiment that may spoil a result."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pairlens.cli import console
from pairlens.errors import InputError
from pairlens.evaluation.readers import readers
from pairlens.files.datasets import catalogue, located
from pairlens.files.row_mistakes import collected
from pairlens.files.tables import existing, guesses, read_table, write_table
from pairlens.models import find
from pairlens.studies.lesson import read as read_lesson
from pairlens.tasks import TASKS

if TYPE_CHECKING:
    import pandas as pd

    from pairlens.studies.experiment.design import Design
    from pairlens.studies.lint.running import LintReport

EXPERIMENT, LESSON = "experiment", "lesson"
_UNREADABLE = "unreadable"
_READER = "Reader: a task, `experiment` or `lesson`; by default the data set's own, else the first that fits, named."
_TOKENS = "Also check with the tokens of this model; its weights are not loaded."
_LISTED, _MISTAKES = 5, 50
"""The most findings of a check printed, and the most rows that cannot be read; the file has more."""


def lint(
    data: Annotated[Path, typer.Argument(metavar="PATH|NAME", help="A file or folder, or a data set that is here.")],
    task: Annotated[str, typer.Option("--task", help=_READER, autocompletion=console.task_names)] = "",
    model: Annotated[str, typer.Option("--model", "-m", help=_TOKENS, autocompletion=console.model_names)] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The findings: .csv, .tsv, .xlsx, ...")
    ] = None,
    encoding: console.EncodingOption = "",  # noqa: ARG001 (set by its callback)
    quoting: console.QuotingOption = "",  # noqa: ARG001 (set by its callback)
    sheet: console.SheetOption = "",  # noqa: ARG001 (set by its callback)
    strict: Annotated[bool, typer.Option("--strict", help="Exit status 1 if there are errors.")] = False,
) -> None:
    """Look for problems in data: identical pairs, duplicates, unequal lengths, label variants, ...

    The exit status is 0 whatever is found, unless --strict is given.
    """
    from pairlens.studies.lint.running import rows_in_words

    console.check_outputs([data], output)
    path, known = located(data), catalogue().get(str(data))
    name = task or (known.task if known else "") or _reader(path)
    for guess in _guesses(path, name) if name != LESSON else ():
        console.say(guess)
    report, confidential = _report(path, name, model)
    findings = report.findings.drop(columns=["what", "texts"] if confidential else [])
    if output:
        write_table(findings, output)
    _show(report, findings)
    if findings["row"].notna().any():
        console.say(rows_in_words(path))
    if strict and report.n_errors:
        raise typer.Exit(1)


def _guesses(path: Path, name: str) -> list[str]:
    """What is guessed where the file is read, as sentences; of one that cannot be read the findings say why."""
    any_table = name == EXPERIMENT or TASKS[name].any_table
    with suppress(InputError), collected():
        return guesses(path, read_table(path) if any_table and path.is_file() else None)
    return []


def _report(path: Path, name: str, model: str) -> tuple[LintReport, bool]:
    """The findings, and whether the texts are confidential."""
    from pairlens.studies.lesson.checking import check
    from pairlens.studies.lint.running import lint_reading, read_experiment, read_items

    lesson = read_lesson(existing(path)) if name == LESSON else None
    named = model or (lesson.model if lesson else "")
    if lesson and named:
        console.say(f"Checked with the tokens of {named}.")
    elif not named:
        advice = "the lesson has no model" if lesson else "name a model with --model"
        console.say(f"Tokens are not counted: {advice}.")
    counted_by = find(named) if named else None
    if lesson:
        return check(lesson, counted_by), False
    if name == EXPERIMENT:
        return lint_reading(read_experiment(lambda: _design(path)), path, counted_by), False
    reader = TASKS[name]
    return lint_reading(read_items(reader.read, path), path, counted_by), reader.confidential


def _design(path: Path) -> Design:
    from pairlens.studies.experiment.columns import guess_columns
    from pairlens.studies.experiment.design import read_design

    table = read_table(path)
    return read_design(table, guess_columns(table), path.name)


def _reader(path: Path) -> str:
    """The task most likely to read a file, which is said; `experiment` for sentences that only `pairs` can read."""
    from pairlens.studies.experiment.columns import guess_columns

    if path.suffix.lower() == ".toml":
        return LESSON
    fitting = readers(path)
    if not fitting or (fitting[0] == "pairs" and path.is_file()):
        with collected():
            table = read_table(existing(path))
        if guess_columns(table).sentence:
            fitting = [EXPERIMENT, *fitting]
    if not fitting:
        raise InputError("no task can read this: name one with --task.", path.name)
    others = f" ({', '.join(fitting[1:])} would fit too)" if fitting[1:] else ""
    console.say(f"Read as --task {fitting[0]}, as no task was named{others}.")
    return fitting[0]


def _show(report: LintReport, findings: pd.DataFrame) -> None:
    """Print, for each check with findings, a sentence, what it means, and the first findings."""
    summary = report.summary
    hits = summary[summary["n"] > 0]
    if hits.empty:
        typer.echo(f"Nothing was found by {len(summary)} checks.")
    for row, sentence in zip(hits.to_dict("records"), report.in_words(), strict=True):
        typer.echo(f"{row['severity']}: {sentence}\n  {row['meaning']}")
        listed = _MISTAKES if row["check"] == _UNREADABLE else _LISTED
        shown = findings[findings["check"] == row["check"]].drop(columns=["check", "severity"]).head(listed)
        console.print_table(shown)
        if row["check"] == _UNREADABLE and row["n"] > listed:
            typer.echo(f"and {row['n'] - listed:,} more")
