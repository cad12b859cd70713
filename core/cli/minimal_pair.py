"""`minimal-pair`: train, evaluate and analyze an experiment, asked for by flags or by an NLPScholar configuration."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli import console

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from core.experiment.asked import Chosen, Experiment
    from core.experiment.running import Run
    from core.jobs import Report
    from core.recipe import Recipe
    from core.scoring import Progress

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="A YAML file with NLPScholar's keys; flags win over it."),
]
DataOption = Annotated[
    Path | None, typer.Option("--data", metavar="FILE", help="The table of sentences: .tsv .csv .jsonl .xlsx ...")
]
ModelsOption = Annotated[
    list[str] | None,
    typer.Option("--model", "-m", help="A name from `models`, a folder (./folder), or a hub id; several times."),
]
ScorerOption = Annotated[str, typer.Option("--scorer", help="causal | masked | mntp | unigram; else the model's.")]
ModeOption = Annotated[
    str | None, typer.Option("--mode", help="train, evaluate, analyze, with commas; by default what the files allow.")
]
PredictionsOption = Annotated[
    Path | None,
    typer.Option("--predictions", metavar="FILE", help="The per-token table: written by evaluate, read by analyze."),
]
ResultsOption = Annotated[
    Path | None, typer.Option("--results", metavar="PATH", help="x.tsv makes x.tsv, x_bypair.tsv and x_byword.tsv.")
]
SaveOption = Annotated[str | None, typer.Option("--save", help="by_word, by_pair, by_cond; with commas.")]
MeasureOption = Annotated[str | None, typer.Option("--measure", help="surp | prob | perplexity")]
WordOption = Annotated[str | None, typer.Option("--word-summary", help="A word is the sum | mean of its tokens.")]
RegionOption = Annotated[
    str | None, typer.Option("--region-summary", help="A region is the mean | sum of its words.")
]
PunctuationOption = Annotated[str | None, typer.Option("--punctuation", help=console.choices("punctuation"))]
SpillOption = Annotated[int | None, typer.Option("--spill", min=0, help="So many words after the region, too.")]
ConditionsOption = Annotated[str | None, typer.Option("--conditions", help="Columns, with commas between them.")]
SentenceOption = Annotated[str | None, typer.Option("--sentence", metavar="COLUMN", help="The sentences.")]
SentidOption = Annotated[str | None, typer.Option("--sentid", metavar="COLUMN", help="What names a sentence.")]
PairidOption = Annotated[str | None, typer.Option("--pairid", metavar="COLUMN", help="What names a pair.")]
ComparisonOption = Annotated[str | None, typer.Option("--comparison", metavar="COLUMN", help="Which of the two.")]
RoiOption = Annotated[
    str | None, typer.Option("--roi", metavar="COLUMN", help="Positions of words, from 0, with commas.")
]
ItemOption = Annotated[str | None, typer.Option("--item", metavar="COLUMN", help="What repeats over conditions.")]
ExpectedOption = Annotated[str | None, typer.Option("--expected", metavar="LABEL", help="The one that should win.")]
UnexpectedOption = Annotated[str | None, typer.Option("--unexpected", metavar="LABEL", help="The other one.")]
InteractionOption = Annotated[
    str | None, typer.Option("--interaction", metavar="A,B", help="Two conditions: the difference of differences.")
]
ContrastOption = Annotated[
    str | None,
    typer.Option("--contrast", metavar="EXPRESSION", help="Arithmetic over cells: (a.x - a.y) - (b.x - b.y)."),
]


def minimal_pair(
    config: ConfigOption = None,
    data: DataOption = None,
    model: ModelsOption = None,
    scorer: ScorerOption = "",
    mode: ModeOption = None,
    predictions: PredictionsOption = None,
    results: ResultsOption = None,
    save: SaveOption = None,
    measure: MeasureOption = None,
    word_summary: WordOption = None,
    region_summary: RegionOption = None,
    punctuation: PunctuationOption = None,
    spill: SpillOption = None,
    conditions: ConditionsOption = None,
    sentence: SentenceOption = None,
    sentid: SentidOption = None,
    pairid: PairidOption = None,
    comparison: ComparisonOption = None,
    roi: RoiOption = None,
    item: ItemOption = None,
    expected: ExpectedOption = None,
    unexpected: UnexpectedOption = None,
    interaction: InteractionOption = None,
    contrast: ContrastOption = None,
    preset: console.PresetOption = "",
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
    """Run an experiment on pairs of sentences: accuracy and differences by word, by pair and by condition.

    --as nlpscholar gives NLPScholar's numbers and files, with what is doubtful in them. Training needs a --config;
    there a samplePercent of 1 or more is per cent (1 is 1 %), below 1 a fraction (0.5 is one half), of the training
    and of the validation text. What is evaluated after training is the trained model.
    """
    from core.api import recipe as recipe_of
    from core.experiment.asked import Chosen, Experiment
    from core.experiment.config import read_config
    from core.experiment.running import Run
    from core.jobs import reporting
    from core.store import Store

    given = {
        "data": data, "predictions": predictions, "results": results, "save": _names(save), "contrast": contrast,
        "models": tuple(Chosen(name, scorer) for name in model) if model else None, "preset": preset or None,
        "interaction": _names(interaction), "modes": _names(mode), "device": device or None,
        "batch_size": batch_size or None,
    }  # fmt: skip
    roles = {
        "conditions": _names(conditions), "sentence": sentence, "sentid": sentid, "pairid": pairid,
        "comparison": comparison, "roi": roi, "item": item, "expected": expected, "unexpected": unexpected,
    }  # fmt: skip
    counting = {
        "measure": measure, "word_summary": word_summary, "region_summary": region_summary,
        "punctuation": punctuation, "spill": spill,
    }  # fmt: skip
    scoring = {"first_token": first_token, "pll": pll, "text": text, "dtype": dtype}
    with reporting(job) as report:
        asked, remarks = read_config(config) if config else (Experiment(), [])
        for remark in remarks:
            console.say(remark)
        asked = _with_flags(asked, _given(given), _given(roles), _given(counting))
        pairs = [f"{field}={value}" for field, value in {**asked.scoring, **_given(scoring)}.items()]
        policy = console.policy(asked.preset, [*pairs, *(choices or ())])
        asked = replace(asked, scoring=policy.changes()).check()
        console.apply_limits(batch_size=asked.batch_size, device=asked.device)

        def recipe(one: Chosen) -> Recipe:
            return recipe_of(one.name, one.scorer, policy, allow_code=allow_code)

        def watch(steps: Iterable[Progress]) -> None:
            last = console.watch(steps, report)
            console.say(f"scored {last.scored:,}, reused {last.reused:,}")

        run = Run(asked, recipe, Store(), watch, console.say, rescore=rescore)
        run.check()
        for step in asked.modes:
            _STEPS[step](run, asked, report)


def _with_flags(
    asked: Experiment, given: dict[str, Any], roles: dict[str, Any], counting: dict[str, Any]
) -> Experiment:
    """The experiment with what flags say; without a mode it is what there are models or only predictions for."""
    asked = replace(asked, **given, roles={**asked.roles, **roles}, counting={**asked.counting, **counting})
    usual = ("evaluate", "analyze") if asked.models else ("analyze",)
    return asked if asked.modes else replace(asked, modes=usual)


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _names(text: str | None) -> tuple[str, ...] | None:
    """Names with commas between them; None if the option was not given."""
    return None if text is None else tuple(name for part in text.split(",") if (name := part.strip()))


def _train(run: Run, asked: Experiment, report: Report) -> None:
    from core.cli.training_progress import drawing
    from core.training.recipe import Progress as Step

    with drawing() as see:

        def show(step: Step) -> None:
            see(step)
            report.progress(step.step, round(step.step / step.fraction) if step.fraction else 0, step.seconds_left)

        perplexity = run.train(show)
    typer.echo(f"Perplexity on evaluation data: {perplexity:.2f}")
    if asked.training:
        typer.echo(f"model: {asked.training.output}")


def _evaluate(run: Run, asked: Experiment, report: Report) -> None:
    recipes = run.evaluate()
    console.advise(run.design.sentences["sentence"].head(1_000).tolist(), asked.policy)
    for recipe in recipes:
        typer.echo(f"{recipe.model.name}: {len(run.design.sentences):,} sentences scored")
    if asked.predictions:
        typer.echo(f"predictions: {asked.predictions}")
    report.result(fingerprints=[recipe.fingerprint for recipe in recipes], refused=run.refused)


def _analyze(run: Run, _: Experiment, report: Report) -> None:
    from core.cli.findings import show

    result = run.analyze()
    show(result)
    report.result(files={name: str(path) for name, path in result.files.items()})


_STEPS: dict[str, Callable[[Run, Experiment, Report], None]] = {
    "train": _train,
    "evaluate": _evaluate,
    "analyze": _analyze,
}
