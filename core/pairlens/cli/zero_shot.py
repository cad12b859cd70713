"""`zero-shot`: run a benchmark on a model or its checkpoints, store the runs, write the BabyLM pipeline's folders."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pairlens.cli import console
from pairlens.cli import zero_shot_options as of
from pairlens.cli.options import RunOptions
from pairlens.cli.spread import spread
from pairlens.errors import InputError, PolicyError
from pairlens.files.datasets import located
from pairlens.files.tables import guesses
from pairlens.scorers import backends
from pairlens.scoring.recipe import recipe_of
from pairlens.tasks.pairs import Pairs
from pairlens.types import Task


@spread
def zero_shot(
    *,
    data_path: of.DataOption = None,
    task: of.TaskOption = "blimp",
    model: of.ModelOption = "english-small",
    backend: of.BackendOption = "",
    output_dir: of.OutputOption = Path("results"),
    revision: of.RevisionOption = None,
    words: of.WordsOption = None,
    question: of.Question,
    temperatures: of.Temperatures,
    from_predictions: of.PredictionsOption = None,
    children: of.ChildrenOption = None,
    columns: of.PairColumns,
    both: of.BothOption = False,
    compatible: of.CompatibleOption = False,
    choices: RunOptions,
    execution: of.Execution,
    save_predictions: of.SavedOption = True,  # noqa: ARG001 (published commands have it; they are always saved)
    write_confidential: of.ConfidentialOption = False,
    images: of.ImagesOption = "",
    job: console.JobOption = None,
) -> None:
    """Run a benchmark. Stored scores are reused; an interrupted run continues.

    Predictions are saved, except those of confidential tasks (see --write-confidential) and where no text is
    preferred (syntaxgym, aoa). Each of several checkpoints is a run of its own, in the order of training.
    """
    from pairlens.cli.running import recompute, run_benchmark, run_by_both_rules
    from pairlens.evaluation.zero_shot import Benchmark, sample, task_named
    from pairlens.store.jobs import reporting

    with reporting(job) as report:
        execution.apply(backend)
        chosen = columns.read_by(task_named(task))
        _refuse(chosen, images, write_confidential=write_confidential, from_predictions=from_predictions)
        scorer = console.one_of("backend", backend, backends())
        data = located(data_path) if data_path else sample(chosen)
        if data_path:
            for guess in [chosen.in_words(data)] if isinstance(chosen, Pairs) else guesses(data):
                console.say(guess)
        if from_predictions:
            recompute(chosen, data, from_predictions, output_dir, model, backend, ",".join(revision or []))
            return
        published = replace(choices, preset=of.PUBLISHED)
        ours = published if compatible else choices
        as_published = ours.preset.startswith(of.PUBLISHED)
        policy = ours.policy(chosen.sets)
        grid = temperatures.grid(published=as_published)
        rule = question.chosen(chosen, published=as_published)
        # a job's page makes the same choices for models of several kinds
        fields = () if job else tuple(pair.partition("=")[0] for pair in choices.others or ())
        benchmark = Benchmark(chosen, data, rule, grid, write_confidential, chosen_fields=fields)
        steps = of.checkpoints_of(model, revision, words, published=as_published)
        recipe, rescore = partial(recipe_of, scorer=scorer, allow_code=execution.allow_code), execution.rescore
        if not both:
            how: dict[str, Any] = {"rescore": rescore, "children": children}
            run_benchmark(benchmark, steps, partial(recipe, policy=policy), model, output_dir, report, **how)
            return
        if len(steps) > 1:
            raise InputError("--both takes one model or checkpoint at a time")
        by_ours = recipe(steps[0].source, policy=policy)
        by_theirs = recipe(steps[0].source, policy=published.policy(chosen.sets))
        theirs = replace(benchmark, rule=question.chosen(chosen, published=True))
        both_ways = ((benchmark, by_ours), (theirs, by_theirs))
        run_by_both_rules(both_ways, output_dir, report, rescore=rescore)


def _refuse(chosen: Task, images: str, *, write_confidential: bool, from_predictions: Path | None) -> None:
    """Raise InputError or PolicyError for options that are not covered, or would do nothing."""
    if images:
        raise InputError("images are not covered by Pairlens: leave out --images_path and the options with it")
    if write_confidential and not chosen.confidential:
        raise PolicyError(f"--write-confidential: {chosen.title} is not confidential, leave it out.")
    if write_confidential and from_predictions:
        raise InputError("--write-confidential: --from_predictions writes no predictions, leave it out.")
