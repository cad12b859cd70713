"""`suite`: all benchmarks of a challenge, and the file to submit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pairlens.cli import console
from pairlens.cli import zero_shot_options as of
from pairlens.cli.console import both_spellings
from pairlens.cli.options import Execution
from pairlens.cli.spread import spread
from pairlens.errors import InputError, ModelError, PairlensError
from pairlens.files.suites import suite, suites
from pairlens.scorers import backends
from pairlens.scoring.recipe import recipe_of
from pairlens.tasks import TASKS

if TYPE_CHECKING:
    from pairlens.reports.submission import Piece
    from pairlens.scoring.checkpoints import Checkpoint
    from pairlens.scoring.recipe import Recipe

app = typer.Typer(help="Run all benchmarks of a challenge, and collate the submission.", no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(help="The suite: a name from `suite list`.")]
DataOption = Annotated[Path, typer.Option(*both_spellings("--data_path"), help="The folder of evaluation data.")]
_ABOUT_FAST = "The fast sets on every checkpoint; else the full sets on the last one."
_ABOUT_RESULTS = "The folder of the result folders."
_DATA, _RESULTS = Path("evaluation_data"), Path("results")


@app.command("list")
def list_suites() -> None:
    """List the suites with the benchmarks in each."""
    for name in suites():
        listed = suite(name)
        typer.echo(f"{name}\t{listed.title}\t{', '.join(entry.key for entry in listed.entries)}")


@app.command()
@spread
def run(
    *,
    name: NameArgument,
    data_path: DataOption = _DATA,
    model: of.ModelOption = "english-small",
    backend: of.BackendOption = "",
    fast: Annotated[bool, typer.Option("--fast", help=_ABOUT_FAST)] = False,
    output_dir: of.OutputOption = _RESULTS,
    revision: of.RevisionOption = None,
    words: of.WordsOption = None,
    preset: console.PresetOption = "",
    compatible: of.CompatibleOption = False,
    choices: console.SetOption = None,
    write_confidential: of.ConfidentialOption = False,
    execution: Execution,
    job: console.JobOption = None,
) -> None:
    """Run every benchmark of a suite whose data are here, and say what a submission still needs.

    Of several checkpoints, the last is run on the full sets, and all are on age of acquisition. Exit status 1 if a
    benchmark could not be run; the others are run all the same.
    """
    from pairlens.cli.running import run_benchmark
    from pairlens.evaluation.zero_shot import Benchmark
    from pairlens.reports.submission import gather, why_not_run
    from pairlens.store.jobs import reporting

    with reporting(job) as report:
        execution.apply()
        chosen = suite(name)
        parts = chosen.parts(data_path, fast)
        if not any(part.path for part in parts):
            raise InputError(f"none of the suite's data is here: expected {parts[0].expected}, ...", str(data_path))
        preset = of.PUBLISHED if compatible else preset or chosen.preset
        steps = of.checkpoints_of(model, revision, words, published=preset.startswith(of.PUBLISHED))
        scorer = console.one_of("backend", backend, backends())
        backend = _backend(steps, partial(recipe_of, scorer=scorer, allow_code=execution.allow_code))
        refused = []
        for part in parts:
            task = TASKS[part.entry.task]
            taken = steps if part.fast or task.prediction == "checkpoints" else steps[-1:]
            if (why := why_not_run(part, len(steps))) or part.path is None:
                typer.echo(f"{part.entry.key}: not run, {why}")
                continue
            typer.echo(f"{part.entry.key}: {part.path} on {', '.join(step.name for step in taken)}")
            policy = console.policy(preset, choices, task.sets)
            recipes = partial(recipe_of, scorer=scorer, policy=policy, allow_code=execution.allow_code)
            benchmark = Benchmark(task, part.path, write_confidential=write_confidential and task.confidential)
            try:
                run_benchmark(benchmark, taken, recipes, model, output_dir, report, rescore=execution.rescore)
            except PairlensError as error:
                refused.append(f"{part.entry.key}: {error}")
                console.fail(refused[-1])
        names = [step.name for step in steps]
        of_suite = partial(gather, checkpoints=names if fast else (), evaluation_data=data_path, begun=False)
        _show(of_suite(output_dir, model, backend, chosen, revision=names[-1]).pieces)
        if refused and job:
            raise InputError(" ".join(refused))
    if refused:
        raise typer.Exit(1)


@app.command()
def collate(
    name: NameArgument,
    model: of.ModelOption,
    backend: of.BackendOption,
    results_dir: Annotated[Path, typer.Option(*both_spellings("--results_dir"), help=_ABOUT_RESULTS)] = _RESULTS,
    revision: Annotated[
        str, typer.Option(*both_spellings("--revision_name"), help="The final model's revision.")
    ] = "main",
    fast: Annotated[bool, typer.Option("--fast", help="With the numbers of each checkpoint of the track.")] = False,
    track: Annotated[str, typer.Option(help="Whose checkpoints are expected: strict-small, strict, ...")] = "strict",
    data_path: DataOption = _DATA,
) -> None:
    """Write the file to submit, and say what a submission still needs."""
    from pairlens.reports.submission import collate as write
    from pairlens.reports.submission import gather

    console.one_of("backend", backend, backends())
    chosen = suite(name)
    checkpoints = chosen.checkpoints(track) if fast else ()
    of_suite = partial(gather, checkpoints=checkpoints, evaluation_data=data_path)
    submission = of_suite(results_dir, model, backend, chosen, revision=revision)
    typer.echo(f"collated: {write(submission, chosen, backend)}")
    _show(submission.pieces)


def _backend(steps: Sequence[Checkpoint], recipe: Callable[[str], Recipe]) -> str:
    """The backend of the last checkpoint that can be read; the ModelError of the last one if none can."""
    from pairlens.evaluation.zero_shot import backend_of

    refused: list[ModelError] = []
    for step in reversed(steps):
        try:
            return backend_of(recipe(step.source).kind.name)
        except ModelError as damaged:
            refused.append(damaged)
    raise refused[0]


def _show(pieces: Sequence[Piece]) -> None:
    from pairlens.reports.submission import what_is_missing

    typer.echo("What a submission still needs:")
    for row in what_is_missing(pieces).itertuples(index=False):
        typer.echo("\t".join(row).rstrip())
