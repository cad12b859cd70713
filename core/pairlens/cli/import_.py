"""`import`: runs from another machine, and the scores or verdicts of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pairlens.cli import console
from pairlens.errors import InputError

if TYPE_CHECKING:
    from pairlens.evaluation.imported_scores.sources import Brought

_COLUMNS = "sentid, sentence, token, logprob, surprisal, prob, model"
_ROLES = "good, bad, label, item, group, correct"


def import_(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE ...",
            help="Logs of lm-eval or inspect-ai, predictions with their data, tables of scores or verdicts, exported "
            "runs; or folders of them.",
        ),
    ],
    name: Annotated[str, typer.Option(help="What to call the run.")] = "",
    model: Annotated[
        str, typer.Option("--model", "-m", help="The model, where no file names it, or which of several.")
    ] = "",
    kind: Annotated[str, typer.Option(help="Tables: causal | masked, as the model is.")] = "",
    unit: Annotated[str, typer.Option(help="Tables: nats | bits, where it cannot be recognised.")] = "",
    columns: Annotated[
        list[str] | None,
        typer.Option("--column", metavar="ROLE=NAME", help=f"Tables: what a column holds: {_COLUMNS}; {_ROLES}."),
    ] = None,
    choices: console.SetOption = None,
    job: console.JobOption = None,
) -> None:
    """Import runs, or make runs of what other programs scored or judged (as their files state it).

    Figures that a program printed are computed anew from its samples and compared.
    """
    from pairlens.evaluation.imported_scores.sources import Options, bring
    from pairlens.store import Store
    from pairlens.store.jobs import reporting

    with reporting(job) as report:
        named, policy = console.named("--column", columns), console.named("--set", choices)
        options = Options.of(named, unit=unit, title=name, model=model, kind=kind, policy=policy)
        brought = [*bring(sources, Store(), options)]
        runs = [run for source in brought for run in source.runs]
        report.result(run_id=runs[0] if runs else "", runs=runs)
        for source in brought:
            if source.runs:
                console.say(f"{source.names}: {source.about}.")
            for note in source.notes:
                console.say(note)
            for run in source.runs:
                typer.echo(f"run: {run}")
        if problems := [source for source in brought if source.problem]:
            raise InputError("; ".join(map(_in_words, problems)))


def _in_words(source: Brought) -> str:
    """What is wrong, with the file's name, which many sentences begin with."""
    return source.problem if source.names in source.problem else f"{source.names}: {source.problem}"
