"""`minimal-pair`: train, evaluate and analyze an experiment, asked for by flags or by an NLPScholar configuration."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from core.cli import console
from core.cli import minimal_pair_options as of
from core.cli.options import Execution, given
from core.cli.spread import spread
from core.cli.training_progress import drawing
from core.scoring.recipe import recipe_of
from core.training.recipe import Progress as Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from core.policies import Policy
    from core.scoring.into_store import Progress
    from core.scoring.recipe import Recipe
    from core.store.jobs import JobReport
    from core.studies.experiment.running import ExperimentRun
    from core.studies.experiment.specification import Chosen, Experiment


@spread
def minimal_pair(
    *,
    config: of.ConfigOption = None,
    steps: of.Steps,
    counting: of.Counting,
    roles: of.Roles,
    cells: of.Cells,
    choices: of.MinimalPairOptions,
    execution: Execution,
    job: console.JobOption = None,
) -> None:
    """Run an experiment on pairs of sentences: accuracy and differences by word, by pair and by condition.

    --as nlpscholar gives NLPScholar's numbers and files, with what is doubtful in them. Training needs a --config;
    there a samplePercent of 1 or more is per cent (1 is 1 %), below 1 a fraction (0.5 is one half), of the training
    and of the validation text. What is evaluated after training is the trained model.
    """
    from core.store import Store
    from core.store.jobs import reporting
    from core.studies.experiment.config import read_config
    from core.studies.experiment.running import ExperimentRun
    from core.studies.experiment.specification import Experiment

    with reporting(job) as report:
        configured, remarks = read_config(config) if config else (Experiment(), [])
        for remark in remarks:
            console.say(remark)
        machine = {"batch_size": execution.batch_size or None, "device": execution.device or None}
        said = {**steps.said(), **cells.said(), **machine, "preset": choices.preset or None}
        asked = _with_flags(configured, said, roles.given(), given(counting))
        policy = _policy(asked, choices)
        asked = replace(asked, scoring=policy.changes()).check()
        console.apply_limits(batch_size=asked.batch_size, device=asked.device)

        def recipe(one: Chosen) -> Recipe:
            return recipe_of(one.name, one.scorer, policy, allow_code=execution.allow_code)

        def watch(progress: Iterable[Progress]) -> None:
            last = console.watch(progress, report)
            console.say(f"scored {last.scored:,}, reused {last.reused:,}")

        run = ExperimentRun(asked, recipe, Store(), watch, console.say, rescore=execution.rescore)
        run.check()
        for step in asked.modes:
            _STEPS[step](run, asked, report)


def _with_flags(
    asked: Experiment, said: dict[str, Any], roles: dict[str, Any], counting: dict[str, Any]
) -> Experiment:
    """The experiment with what flags say; without a mode it is what there are models or only predictions for."""
    told = {name: value for name, value in said.items() if value is not None}
    asked = replace(asked, **told, roles={**asked.roles, **roles}, counting={**asked.counting, **counting})
    usual = ("evaluate", "analyze") if asked.models else ("analyze",)
    return asked if asked.modes else replace(asked, modes=usual)


def _policy(asked: Experiment, choices: of.MinimalPairOptions) -> Policy:
    """The policy of the configuration with what flags say."""
    flags = {name: value for name, value in given(choices).items() if name not in ("preset", "others")}
    pairs = [f"{field}={value}" for field, value in {**asked.scoring, **flags}.items()]
    return console.policy(asked.preset, [*pairs, *(choices.others or ())])


def _train(run: ExperimentRun, asked: Experiment, report: JobReport) -> None:

    with drawing() as see:

        def show(step: Step) -> None:
            see(step)
            report.progress(step.step, round(step.step / step.fraction) if step.fraction else 0, step.seconds_left)

        perplexity = run.train(show)
    typer.echo(f"Perplexity on evaluation data: {perplexity:.2f}")
    if asked.training:
        typer.echo(f"model: {asked.training.output}")


def _evaluate(run: ExperimentRun, asked: Experiment, report: JobReport) -> None:
    recipes = run.evaluate()
    console.advise(run.design.sentences["sentence"].head(1_000).tolist(), asked.policy)
    for recipe in recipes:
        typer.echo(f"{recipe.model.name}: {len(run.design.sentences):,} sentences scored")
    if asked.predictions:
        typer.echo(f"predictions: {asked.predictions}")
    report.result(fingerprints=[recipe.fingerprint for recipe in recipes], refused=run.refused)


def _analyze(run: ExperimentRun, _: Experiment, report: JobReport) -> None:
    from core.cli.findings import show

    result = run.analyze()
    show(result)
    report.result(files={name: str(path) for name, path in result.files.items()})


_STEPS: dict[str, Callable[[ExperimentRun, Experiment, JobReport], None]] = {
    "train": _train,
    "evaluate": _evaluate,
    "analyze": _analyze,
}
