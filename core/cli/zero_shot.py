"""`zero-shot`: run a benchmark on a model, store the run, and write the report of the BabyLM pipeline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import console

if TYPE_CHECKING:
    from core.recipe import Recipe
    from core.store import Store

BACKENDS = {"causal": "causal", "mlm": "masked", "mntp": "mntp", "unigram": "unigram"}
"""Names of the BabyLM pipeline's backends, and the scorers behind them."""

_SHOWN = 1_000
"""So many texts show whether a file was cut into tokens."""


def zero_shot(
    data_path: Annotated[Path, typer.Option("--data_path", "--data-path", help="A file, or a folder of files.")],
    task: Annotated[str, typer.Option("--task", help="The benchmark: blimp, pairs, ...")] = "blimp",
    model: Annotated[
        str,
        typer.Option(
            "--model_path_or_name",
            "--model-path-or-name",
            "--model",
            help="A name from `models`, a folder (./folder), or a hub id (org/name@revision).",
        ),
    ] = "english-small",
    backend: Annotated[
        str, typer.Option("--backend", help=f"{' | '.join(BACKENDS)}; by default that of the model's kind.")
    ] = "",
    output_dir: Annotated[
        Path, typer.Option("--output_dir", "--output-dir", help="Where the report folder is written.")
    ] = Path("results"),
    revision: Annotated[
        str, typer.Option("--revision_name", "--revision-name", help="A branch, tag or commit of a hub model.")
    ] = "",
    preset: console.PresetOption = "pairlens",
    first_token: console.FirstTokenOption = None,
    pll: console.PllOption = None,
    text: console.TextOption = None,
    dtype: console.DtypeOption = None,
    choices: console.SetOption = None,
    batch_size: console.BatchOption = 0,
    device: console.DeviceOption = "",
    rescore: console.RescoreOption = False,
    allow_code: console.CodeOption = "",
    job: console.JobOption = None,
) -> None:
    """Run a benchmark. What is already scored is reused; a run that was stopped goes on where it was."""
    from core.api import recipe as recipe_of
    from core.errors import InputError, unknown
    from core.evaluate import evaluate
    from core.jobs import reporting
    from core.store import Store
    from core.tasks import TASKS

    with reporting(job) as report:
        console.apply_limits(batch_size=batch_size, device=device)
        chosen = TASKS[task]
        if backend and backend not in BACKENDS:
            raise InputError(unknown("backend", backend, BACKENDS))
        policy = console.policy(preset, choices, first_token=first_token, pll=pll, text=text, dtype=dtype)
        source = f"{model}@{revision}" if revision else model
        recipe = recipe_of(source, BACKENDS.get(backend, ""), policy, allow_code=allow_code)
        store = Store()
        last = console.watch(evaluate(chosen, data_path, recipe, store, rescore=rescore), report)
        folder = _write_report(last.run_id, store, recipe, task, data_path, output_dir, revision)
        report.result(run_id=last.run_id, report=str(folder))
        typer.echo(f"report: {folder}")
        typer.echo(f"scored {last.scored}, reused {last.reused}")


def _write_report(
    run_id: str, store: Store, recipe: Recipe, task: str, data: Path, output: Path, revision: str
) -> Path:
    """The BabyLM pipeline's folder for a finished run; prints the headline and the signature."""
    from core.analysis.summary import sentence
    from core.reports import write_babylm

    metrics, candidates = store.metrics(run_id), store.candidates(run_id)
    console.advise(candidates["text"].dropna().head(_SHOWN).tolist(), recipe.policy)
    typer.echo(sentence(metrics))
    typer.echo(store.manifest(run_id)["signature"])
    backend = next(name for name, scorer in BACKENDS.items() if scorer == recipe.kind.name)
    return write_babylm(output, recipe.model.name, revision, backend, task, data, candidates, metrics, recipe.policy)
