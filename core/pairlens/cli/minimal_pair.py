"""`minimal-pair`: train, evaluate and analyze an experiment, given by flags or by an NLPScholar configuration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairlens.cli import console
from pairlens.cli.options import Execution, RunOptions, ScorerOption, given
from pairlens.cli.spread import spread
from pairlens.cli.train import drawing
from pairlens.cli.training_options import ConfigOption
from pairlens.results.text import text
from pairlens.scoring.recipe import recipe_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pairlens.results.result import Result
    from pairlens.scoring.into_store import Progress
    from pairlens.scoring.recipe import Recipe
    from pairlens.store.jobs import JobReport
    from pairlens.studies.experiment.running import Chosen, Experiment, ExperimentRun


_LISTED = 20
"""The most exclusions printed; the file of results has those of all sentences and pairs."""
Text = str | None


def _option(spelling: str, holds: str, metavar: str | None = None) -> Any:
    return typer.Option(spelling, metavar=metavar, help=holds)


_column = partial(_option, metavar="COLUMN")


_SAVE = (
    "by_word, by_pair, by_cond, separated by commas; mixed: a table for a mixed model and the programs in R and "
    "Python that fit it."
)
_MODES = "train, evaluate, analyze, separated by commas; by default what the files allow."
_INTERACTION = "Two or three conditions, or the comparison: the difference of differences."
_CONTRAST = "Arithmetic over cells: (a.x - a.y) - (b.x - b.y)."
_PREDICTIONS = "The per-token table: written by evaluate, read by analyze."
_RESULTS = "x.tsv makes x.tsv, x_bypair.tsv and x_byword.tsv."
_DATA = "The table of sentences: .tsv .csv .jsonl .xlsx ..."
_ROI = "Positions of words (the first is 0), separated by commas; or a word."
_MODEL = console.model_option("--model", "-m")


@dataclass(frozen=True, slots=True)
class Options:
    """Sentences, models, steps and their files; then fields of `Analysis`, of `Columns`, and what is compared."""

    data: Annotated[Path | None, _option("--data", _DATA, "FILE")] = None
    encoding: console.EncodingOption = ""
    quoting: console.QuotingOption = ""
    sheet: console.SheetOption = ""
    model: Annotated[list[str] | None, _MODEL] = None
    scorer: ScorerOption = ""
    modes: Annotated[Text, _option("--mode", _MODES)] = None
    predictions: Annotated[Path | None, _option("--predictions", _PREDICTIONS, "FILE")] = None
    results: Annotated[Path | None, _option("--results", _RESULTS, "PATH")] = None
    save: Annotated[Text, _option("--save", _SAVE)] = None
    measure: Annotated[Text, _option("--measure", "surp | prob | perplexity")] = None
    word_summary: Annotated[Text, _option("--word-summary", "A word is the sum | mean of its tokens.")] = None
    region_summary: Annotated[Text, _option("--region-summary", "A region is the mean | sum of its words.")] = None
    punctuation: Annotated[Text, _option("--punctuation", console.choices("punctuation"))] = None
    spill: Annotated[int | None, typer.Option("--spill", min=0, help="Also this many words after the region.")] = None
    conditions: Annotated[Text, _option("--conditions", "Columns, separated by commas.")] = None
    sentence: Annotated[Text, _column("--sentence", "The sentences.")] = None
    sentid: Annotated[Text, _column("--sentid", "Identifies a sentence.")] = None
    pairid: Annotated[Text, _column("--pairid", "Identifies a pair.")] = None
    comparison: Annotated[Text, _column("--comparison", "Which of the two sentences it is.")] = None
    roi: Annotated[Text, _column("--roi", _ROI)] = None
    item: Annotated[Text, _column("--item", "Identifies an item across conditions.")] = None
    chunks: Annotated[Text, _option("--chunks", "What joins words into chunks, which are regions: _", "MARK")] = None
    expected: Annotated[Text, _option("--expected", "Value that marks the expected sentence.", "LABEL")] = None
    unexpected: Annotated[Text, _option("--unexpected", "The other one.", "LABEL")] = None
    interaction: Annotated[Text, _option("--interaction", _INTERACTION, "A,B")] = None
    contrast: Annotated[Text, _option("--contrast", _CONTRAST, "EXPRESSION")] = None

    def over(self, experiment: Experiment, **others: Any) -> Experiment:
        from pairlens.studies.experiment.running import Chosen

        choices, of_reading = given(self), ("encoding", "quoting", "sheet")  # these are set by their callbacks
        scorer = choices.pop("scorer")
        if models := choices.pop("model", None):
            choices["models"] = tuple(Chosen(name, scorer) for name in models)
        chosen = {name: value for name, value in (choices | others).items() if name not in of_reading}
        return experiment.over(**{name: value for name, value in chosen.items() if value is not None})


@dataclass(frozen=True, slots=True)
class PolicyChoices(RunOptions):
    """By default the preset of the configuration."""

    preset: console.PresetOption = ""


@spread
def minimal_pair(
    *,
    config: ConfigOption = None,
    options: Options,
    choices: PolicyChoices,
    execution: Execution,
    job: console.JobOption = None,
) -> None:
    """Run an experiment on pairs of sentences: accuracy and differences by word, by pair and by condition.

    --as nlpscholar reproduces NLPScholar's numbers and files, flaws included. Training needs a --config; there, a
    samplePercent of 1 or more is per cent (1 is 1 %), below 1 a fraction (0.5 is one half), of the training and
    validation text. After training, the trained model is evaluated.
    """
    from pairlens.store import Store
    from pairlens.store.jobs import reporting
    from pairlens.studies.experiment.config import read_config
    from pairlens.studies.experiment.running import Experiment, ExperimentRun

    with reporting(job) as report:
        configured, remarks = read_config(config, choices.preset) if config else (Experiment(), [])
        for remark in remarks:
            console.say(remark)
        machine = {"batch_size": execution.batch_size or None, "device": execution.device or None}
        experiment = options.over(configured, **machine, preset=choices.preset or None)
        flags = {name: value for name, value in given(choices).items() if name not in ("preset", "others")}
        chosen = [f"{field}={value}" for field, value in {**experiment.scoring, **flags}.items()]
        policy = console.policy(experiment.preset, [*chosen, *(choices.others or ())])
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
            if step == "train":
                with drawing(report) as see:
                    perplexity = run.train(see)
                typer.echo(f"Perplexity on evaluation data: {perplexity:.2f}")
                if experiment.training:
                    typer.echo(f"model: {experiment.training.output}")
            elif step == "evaluate":
                _evaluate(run, experiment, report)
            else:
                result = run.analyze()
                _show_left_out(result)
                paired = any(table.name == "by_cond" for table in result.tables)
                typer.echo(text(result, "by_cond" if paired else "means").rstrip())
                for name, path in run.files.items():
                    typer.echo(f"{name}: {path}")
                report.result(files={name: str(path) for name, path in run.files.items()})


def _show_left_out(result: Result) -> None:
    rows = result.table("excluded").frame
    for row in rows.head(_LISTED).to_dict("records"):
        *names, reason = (f"{name} {value}" for name, value in row.items() if value)
        console.say(f"left out: {', '.join(names)}: {reason.removeprefix('reason ')}")
    if (more := len(rows) - _LISTED) > 0:
        console.say(f"left out: and {more:,} more")


def _evaluate(run: ExperimentRun, experiment: Experiment, report: JobReport) -> None:
    recipes = run.evaluate()
    texts = run.design.sentences["sentence"].head(1_000).tolist()
    console.advise(texts, experiment.policy, [recipe.model for recipe in recipes])
    for recipe in recipes:
        typer.echo(f"{recipe.model.name}: {len(run.design.sentences):,} sentences scored")
    if experiment.predictions:
        typer.echo(f"predictions: {experiment.predictions}")
    report.result(fingerprints=[recipe.fingerprint for recipe in recipes], refused=run.refused)
