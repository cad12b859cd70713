"""`plan`: many models on many tasks, from one file."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pairlens.cli import console
from pairlens.errors import InputError, unknown
from pairlens.messages import counted

if TYPE_CHECKING:
    from pairlens.plans.running import CellState

app = typer.Typer(help="Run many models on many tasks, from one file (docs/plans.md).", no_args_is_help=True)

ENGINES = ("local", "ray")
FileArgument = Annotated[Path, typer.Argument(help="The plan: 'models:' and 'tasks:', each a list.")]
_WORKERS = "Processes, each with the model in memory; 0: one per two processors, or as many as Ray has room for."
_PRICE = "Of a machine like this; prints what the plan costs."
_ADDRESS = "Of a Ray cluster (auto: the one of this machine); by default a new one."
_PARTS = "Where workers leave scores: a shared folder, or s3://bucket/folder."


@app.command()
def show(file: FileArgument, price_per_hour: Annotated[float, typer.Option(min=0.0, help=_PRICE)] = 0.0) -> None:
    """Print what a plan asks, what is stored already, and the time and memory that the rest needs. Runs nothing."""
    from pairlens.evaluation.estimate import duration_in_words
    from pairlens.evaluation.evaluate import data_name
    from pairlens.plans.cells import expand, needs, read
    from pairlens.store import Store

    cells = expand(read(file))
    models = needs(cells, Store())
    typer.echo("model\ttask\tdata\ttexts\tstored\tto score")
    for cell in (cell for model in models for cell in model.cells):
        numbers = f"{cell.texts}\t{cell.texts - cell.missing}\t{cell.missing}"
        last = f"cannot be run: {cell.refused}" if cell.refused else numbers
        typer.echo(f"{cell.model}\t{cell.task.name}\t{data_name(cell.data)}\t{last}")
    for model in models:
        how = "as measured here" if model.measured else "a guess: this model has not been timed here"
        time = f"about {duration_in_words(model.seconds)}, {how}" if model.missing else "nothing to score"
        typer.echo(f"{model.model}: {model.missing:,} texts, {model.megabytes:,.0f} MB per worker, {time}")
    seconds, texts = sum(model.seconds for model in models), sum(model.missing for model in models)
    work = f"{counted(len(cells), 'run')}, {counted(texts, 'text')} to score"
    typer.echo(f"{work}: about {duration_in_words(seconds)} on this machine")
    if price_per_hour:
        typer.echo(f"price: {seconds / 3600 * price_per_hour:,.2f}")


@app.command()
def run(
    file: FileArgument,
    workers: Annotated[int, typer.Option(min=0, help=_WORKERS)] = 0,
    device: console.DeviceOption = "",
    engine: Annotated[str, typer.Option(help=f"What runs the workers: {' or '.join(ENGINES)}.")] = "local",
    address: Annotated[str, typer.Option(help=_ADDRESS)] = "",
    cpus: Annotated[float, typer.Option(min=0.0, help="Processors that Ray keeps for each worker.")] = 1.0,
    gpus: Annotated[float, typer.Option(min=0.0, help="GPUs that Ray keeps for each worker.")] = 0.0,
    parts: Annotated[str, typer.Option(help=_PARTS)] = "",
) -> None:
    """Run a plan: only what is missing. Interrupted or killed, it continues when it is run again.

    Exit status 1 if a cell failed; the others are done.
    """
    from pairlens.plans.cells import expand, memory, read
    from pairlens.plans.running import FAILED, run
    from pairlens.plans.workers import Resources, run_on_ray
    from pairlens.plans.workers import run as run_here
    from pairlens.store import Store

    console.apply_limits(batch_size=0, device=device)
    if engine not in ENGINES:
        raise InputError(unknown("engine", engine, ENGINES))
    cells = expand(read(file))
    chosen = partial(run_here, workers=workers or max(1, (os.cpu_count() or 1) // 2))
    if engine == "ray":
        needed = Resources(cpus, gpus, memory(cells))
        chosen = partial(run_on_ray, workers=workers, address=address, resources=needed)
    states: Sequence[CellState] = ()
    with ExitStack() as stack, console.progress_bar() as bar:
        # SIGTERM, as of `plan cancel`, ends the workers in order, as Ctrl-C does
        usual = signal.signal(signal.SIGTERM, signal.default_int_handler)
        stack.callback(signal.signal, signal.SIGTERM, usual)
        line = bar.add_task("runs", total=len(cells))
        for states in run(file, cells, Store(), chosen, parts):
            bar.update(line, completed=sum(cell.state not in ("waiting", "running") for cell in states))
    _print(states)
    if any(cell.state == FAILED for cell in states):
        raise typer.Exit(1)


@app.command()
def status(file: FileArgument) -> None:
    """Print how far a plan is, each cell in a row."""
    from pairlens.plans.running import record_of

    record = record_of(file)
    if record is None:
        typer.echo("This plan has not been run here.")
        return
    _print(record.cells)
    failed = sum(cell.state == "failed" for cell in record.cells)
    runs = counted(len(record.cells), "run")
    typer.echo(f"{record.state} after {record.seconds:,.0f} s; {failed:,} of {runs} failed")


@app.command()
def cancel(file: FileArgument) -> None:
    """End a running plan. Its scores stay; `plan run` continues from there."""
    from pairlens.plans.running import cancel as end

    typer.echo(end(file).state)


def _print(states: Sequence[CellState]) -> None:
    typer.echo("model\ttask\tdata\tstate\tdone\ttexts\treused\trun\treason")
    columns = attrgetter("model", "task", "data", "state", "done", "total", "reused", "run_id", "reason")
    for state in states:
        typer.echo("\t".join(map(str, columns(state))))
