"""`data lint`: problems in a data set or an experiment that may spoil a result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import console
from core.errors import InputError
from core.files.datasets import catalogue, located
from core.files.tables import existing, read_table, write_table
from core.models import find
from core.runs.readers import readers
from core.tasks import TASKS

if TYPE_CHECKING:
    import pandas as pd

    from core.studies.lint import LintReport

EXPERIMENT = "experiment"
_LISTED = 5
"""The most findings of a check printed; the file has all."""


def lint(
    data: Annotated[
        Path, typer.Argument(metavar="PATH|NAME", help="A file or folder, or the name of a data set that is here.")
    ],
    task: Annotated[
        str,
        typer.Option(
            "--task",
            help="Reader: a task or `experiment`; by default the data set's own, else the first that fits.",
            autocompletion=console.task_names,
        ),
    ] = "",
    model: Annotated[
        str,
        typer.Option(
            "--model",
            "-m",
            help="Count the tokens of this model too; its weights are not loaded.",
            autocompletion=console.model_names,
        ),
    ] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The findings as a table: .csv, .tsv, .xlsx, .parquet, ...")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit status 1 if there are errors.")] = False,
) -> None:
    """Look for what may spoil a result: identical pairs, duplicates, unequal lengths, label variants, ...

    The exit status is 0 whatever is found, unless --strict is given.
    """
    console.check_outputs([data], output)
    report, confidential = _report(data, task, model)
    findings = report.findings.drop(columns=["what", "texts"] if confidential else [])
    if output:
        write_table(findings, output)
    _show(report, findings)
    if strict and report.n_errors:
        raise typer.Exit(1)


def _report(data: Path, task: str, model: str) -> tuple[LintReport, bool]:
    """The findings, and whether the texts are confidential."""
    from core.studies.lint import lint, lint_design, token_counter

    path, known = located(data), catalogue().get(str(data))
    name = task or (known.task if known else "") or _reader(path)
    tokens, window = token_counter(find(model)) if model else (None, None)
    if not model:
        console.say("Tokens are not counted: name a model with --model.")
    if name == EXPERIMENT:
        from core.studies.experiment.columns import guess_columns
        from core.studies.experiment.design import read_design

        table = read_table(path)
        design = read_design(table, guess_columns(table), path.name)
        return lint_design(design, tokenizer=tokens, window=window), False
    reader = TASKS[name]
    return lint(reader.read(path), tokenizer=tokens, window=window, source=path), reader.confidential


def _reader(path: Path) -> str:
    """The task most likely to read a file; `experiment` for a table of sentences that no special task can read."""
    from core.studies.experiment.columns import guess_columns

    found = readers(path)
    if not found or (found[0] == "pairs" and path.is_file()):
        table = read_table(existing(path))
        if guess_columns(table).sentence:
            return EXPERIMENT
    if not found:
        raise InputError("no task can read this: name one with --task.", path.name)
    return found[0]


def _show(report: LintReport, findings: pd.DataFrame) -> None:
    """Print, for each check with findings, a sentence, what it means, and the first findings."""
    summary = report.summary
    hits = summary[summary["n"] > 0]
    if hits.empty:
        typer.echo(f"Nothing was found by {len(summary)} checks.")
    for row, sentence in zip(hits.to_dict("records"), report.in_words(), strict=True):
        typer.echo(f"{row['severity']}: {sentence}\n  {row['meaning']}")
        shown = findings[findings["check"] == row["check"]].drop(columns=["check", "severity"]).head(_LISTED)
        console.print_table(shown)
