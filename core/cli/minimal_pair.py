"""`minimal-pair`: train, evaluate and analyze an experiment, given by flags or by an NLPScholar configuration."""

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

    --as nlpscholar reproduces NLPScholar's numbers and files, flaws included. Training needs a --config; there, a
    samplePercent of 1 or more is per cent (1 is 1 %), below 1 a fraction (0.5 is one half), of the training and
    validation text. After training, the trained model is evaluated.
    """
    from core.store import Store
    from core.store.jobs import reporting
    from core.studies.experiment.config import read_config
    from core.studies.experiment.running import ExperimentRun
    from core.studies.experiment.specification import Experiment

    with reporting(job) as report:
        configured, remarks = read_config(config, choices.preset) if config else (Experiment(), [])
        for remark in remarks:
            console.say(remark)
        machine = {"batch_size": execution.batch_size or None, "device": execution.device or None}
        flags = {**steps.fields(), **cells.fields(), **machine, "preset": choices.preset or None}
        experiment = _with_flags(configured, flags, roles.given(), given(counting))
        policy = _policy(experiment, choices)
        experiment = replace(experiment, scoring=policy.changes()).check()
        console.apply_limits(batch_size=experiment.batch_size, device=experiment.device)

        def recipe(one: Chosen) -> Recipe:
            return recipe_of(one.name, one.scorer, policy, allow_code=execution.allow_code)

        def watch(progress: Iterable[Progress]) -> None:
            last = console.watch(progress, report)
            console.say(f"scored {last.scored:,}, reused {last.reused:,}")

        run = ExperimentRun(experiment, recipe, Store(), watch, console.say, rescore=execution.rescore)
        run.check()
        for step in experiment.modes:
            _STEPS[step](run, experiment, report)


def _with_flags(
    configured: Experiment, flags: dict[str, Any], roles: dict[str, Any], counting: dict[str, Any]
) -> Experiment:
    """A configured experiment with flags over it; without a mode, evaluated if there are models, and analyzed."""
    changes = {name: value for name, value in flags.items() if value is not None}
    roles, counting = {**configured.roles, **roles}, {**configured.counting, **counting}
    experiment = replace(configured, **changes, roles=roles, counting=counting)
    usual = ("evaluate", "analyze") if experiment.models else ("analyze",)
    return experiment if experiment.modes else replace(experiment, modes=usual)


def _policy(experiment: Experiment, choices: of.MinimalPairOptions) -> Policy:
    """The policy of the configuration with flags over it."""
    flags = {name: value for name, value in given(choices).items() if name not in ("preset", "others")}
    pairs = [f"{field}={value}" for field, value in {**experiment.scoring, **flags}.items()]
    return console.policy(experiment.preset, [*pairs, *(choices.others or ())])


def _train(run: ExperimentRun, experiment: Experiment, report: JobReport) -> None:
    with drawing(report) as see:
        perplexity = run.train(see)
    typer.echo(f"Perplexity on evaluation data: {perplexity:.2f}")
    if experiment.training:
        typer.echo(f"model: {experiment.training.output}")


def _evaluate(run: ExperimentRun, experiment: Experiment, report: JobReport) -> None:
    recipes = run.evaluate()
    texts = run.design.sentences["sentence"].head(1_000).tolist()
    console.advise(texts, experiment.policy, [recipe.model for recipe in recipes])
    for recipe in recipes:
        typer.echo(f"{recipe.model.name}: {len(run.design.sentences):,} sentences scored")
    if experiment.predictions:
        typer.echo(f"predictions: {experiment.predictions}")
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
