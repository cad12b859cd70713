"""Benchmarks run from the command line: progress while they run, then their numbers and folders."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import typer

from pairlens.analysis import acquisition
from pairlens.analysis.acquisition import read_children, write_surprisals
from pairlens.analysis.summary import headlines, summary_in_words, written
from pairlens.cli import console
from pairlens.errors import InputError, ModelError
from pairlens.evaluation.reading_differences import HEADING, differences
from pairlens.evaluation.receipts.sentences import in_windows, note
from pairlens.evaluation.sweep import Step, sweep
from pairlens.evaluation.zero_shot import Benchmark, Written, backend_of, write_results
from pairlens.evaluation.zero_shot import recompute as recompute_predictions
from pairlens.files.tables import check_folder, write_table
from pairlens.metrics import METRICS
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.scoring.checkpoints import Checkpoint
from pairlens.scoring.into_store import Progress
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.types import Task

if TYPE_CHECKING:
    from pairlens.store.jobs import JobReport

_SHOWN = 1_000
BOTH = "both.csv"


def run_benchmark(
    benchmark: Benchmark,
    steps: Sequence[Checkpoint],
    recipe_of: Callable[[str], Recipe],
    model: str,
    output_dir: Path,
    report: JobReport,
    *,
    rescore: bool = False,
    children: Path | None = None,
) -> None:
    """Run a benchmark on a model, or on its checkpoints in turn, and print each run's numbers and folder.

    `recipe_of` takes a checkpoint's source, `children` is the table that ages of acquisition are compared with. A
    ModelError at the end, when all others are done, names checkpoints that cannot be used.
    """
    check_folder(output_dir)
    store, ages = Store(), None
    if children:  # read before anything is scored
        if benchmark.task.prediction != "checkpoints" or len(steps) < 2:
            needed = "--task aoa and several checkpoints: leave it out, or give --revision_name"
            raise InputError(f"--children needs {needed}")
        ages = read_children(children)
    if len(steps) == 1:
        recipe = recipe_of(steps[0].source)
        last = console.watch(benchmark.run(recipe, store, rescore=rescore), report)
        _advise(last.run_id, store, recipe)
        named = recipe.model.name if steps[0].source == model else model
        result = _show(last.run_id, benchmark, store, output_dir, named, steps[0].name)
        report.result(run_id=last.run_id, report=str(result.folder))
        typer.echo(f"scored {last.scored}, reused {last.reused}")
        return

    def run(recipe: Recipe) -> Progress:
        return console.watch(benchmark.run(recipe, store, rescore=rescore), report)

    ended: list[Step] = []
    for step in sweep(benchmark.task, benchmark.data, steps, recipe_of, store, model=model, run=run):
        ended.append(step)
        checkpoint = step.checkpoint
        typer.echo(f"{checkpoint.name} ({checkpoint.words or 'an unknown number of'} {checkpoint.unit})")
        if step.refused:
            typer.echo(f"left out: {step.refused}")
        elif step.same_as:
            typer.echo(f"{checkpoint.name} has the same weights as {step.same_as}: both are one point.")
            write_results(step.run_id, benchmark, store, output_dir, model, checkpoint.name)
        else:
            _show(step.run_id, benchmark, store, output_dir, model, checkpoint.name)
    if done := [step for step in ended if not step.refused]:
        _advise(done[-1].run_id, store, recipe_of(done[-1].checkpoint.source))
        report.result(run_id=done[-1].run_id, sweep=done[-1].sweep_id)
        typer.echo(f"sweep: {done[-1].sweep_id}")
        if benchmark.task.prediction == "checkpoints":
            _show_acquisition(done, store, output_dir / Path(model).resolve().name, ages)
    if left_out := [step for step in ended if step.refused]:
        named = "; ".join(f"{step.checkpoint.name} ({step.refused.rstrip('.')})" for step in left_out)
        rest = "the others are done" if len(left_out) < len(ended) else "nothing was scored"
        raise ModelError(f"{len(left_out)} of {len(ended)} checkpoints left out, {rest}: {named}.")


def run_by_both_rules(
    benchmarks: Sequence[tuple[Benchmark, Recipe]], output_dir: Path, report: JobReport, *, rescore: bool = False
) -> None:
    """Run a benchmark under two policies, ours first, and show every number beside the published rules'."""
    check_folder(output_dir)
    store, tables = Store(), []
    for benchmark, recipe in benchmarks:
        last = console.watch(benchmark.run(recipe, store, rescore=rescore), report)
        _advise(last.run_id, store, recipe)
        result = _show(last.run_id, benchmark, store, output_dir / recipe.policy.name, recipe.model.name)
        tables.append(store.metrics(last.run_id))
    keys = ["name", "group_by", "group", "over"]
    table = tables[0].merge(tables[1][[*keys, "value"]], on=keys, suffixes=("", "_published"))
    write_table(table, result.folder / BOTH)
    report.result(run_id=last.run_id, report=str(result.folder))
    for _, row in table[table["over"] == "items"].dropna(subset=["value", "value_published"], how="all").iterrows():
        scale = METRICS[row["name"]].scale
        values = "\t".join(written(row[column], scale) for column in ("value", "value_published"))
        typer.echo(f"{row['name']}\t{row['group_by']}\t{row['group']}\t{values}")
    typer.echo(f"both: {result.folder / BOTH}")


def recompute(task: Task, data: Path, file: Path, output_dir: Path, model: str, backend: str, revision: str) -> None:
    """Print the numbers of another program's predictions, and write the report."""
    summary, folder = recompute_predictions(task, data, file, output_dir, model, backend or "causal", revision)
    for _, row in headlines(summary).iterrows():
        typer.echo(summary_in_words(row, task.clusters))
        if METRICS[row["name"]].scale == "ratio":  # published with more digits than its interval allows for
            typer.echo(f"{row['name']}\t{row['value']:.6f}")
    typer.echo(f"report: {folder}")


def _advise(run_id: str, store: Store, recipe: Recipe) -> None:
    console.advise(store.candidates(run_id)["text"].dropna().head(_SHOWN).tolist(), recipe.policy, [recipe.model])


def _show(
    run_id: str, benchmark: Benchmark, store: Store, output_dir: Path, model: str, revision: str = ""
) -> Written:
    """Write a run's folder and print its numbers at temperature 1, the curve over temperatures, and the paths."""
    result = write_results(run_id, benchmark, store, output_dir, model, revision)
    manifest = store.manifest(run_id)
    for _, row in headlines(store.metrics(run_id)).iterrows():
        typer.echo(summary_in_words(row, benchmark.task.clusters))
    if faults := manifest.get("faults"):
        console.say(faults)
    if long := note(in_windows(manifest, store.candidates(run_id))):
        console.say(long)
    lines: list[str] = []
    if benchmark.task.prediction == "surprisal":
        different = differences(SCORERS[manifest["scorer"]], Policy(**manifest["policy"]))
        lines += [HEADING, *(f"- {sentence}" for sentence in different)] if different else []
    for _, row in result.curve.iterrows() if result.curve is not None else ():
        value = written(row["value"], METRICS[row["name"]].scale)
        lines.append(f"{row['temperature']:.2f}\t{value}\t{row['name']}")
    if len(benchmark.temperatures) > 1:
        lines.append(f"highest at temperature {result.chosen:.2f}, chosen on the evaluation data itself")
    lines += [manifest["signature"], f"run: {run_id}", f"report: {result.folder}", *result.notes]
    typer.echo("\n".join(lines))
    return result


def _show_acquisition(steps: Sequence[Step], store: Store, folder: Path, children: pd.DataFrame | None) -> None:
    """Write every word's surprisals, and print how the ages of acquisition agree with those of children."""
    known = [step for step in steps if step.checkpoint.words]
    if not known:
        raise InputError("no checkpoint says how many words it had seen: give --words CHECKPOINT=WORDS")
    table = acquisition.surprisal_table
    surprisals = pd.concat(
        table(step.checkpoint.name, step.checkpoint.words or 0, store.candidates(step.run_id)) for step in known
    )
    backend = backend_of(store.manifest(known[-1].run_id)["scorer"])
    path = folder / "main" / "zero_shot" / backend / "AoA_word" / "surprisal.json"
    write_surprisals(path, surprisals, folder.name)
    typer.echo(f"surprisals: {path}")
    if children is None:
        typer.echo("ages of acquisition need --children FILE")
        return
    for name, published in (("ages of acquisition", False), ("by the pipeline's arithmetic", True)):
        ages = acquisition.model_ages(surprisals, published=published)
        fit = acquisition.compare(ages, acquisition.child_ages(children))
        interval = f"r {fit.r:.3f} (95 % interval {fit.low:.3f} to {fit.high:.3f})"
        typer.echo(f"{name}: {'no number' if math.isnan(fit.r) else interval}, {fit.n} words")
