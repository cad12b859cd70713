"""The options of `train`, in groups: text and model, a model from scratch, training by epochs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from pairlens.cli import console
from pairlens.cli.console import both_spellings
from pairlens.cli.spread import option
from pairlens.training.options import SEPARATORS, STRATEGIES, Options
from pairlens.training.recipe import SIZES, USUAL_MINUTES, TrainingRecipe

_SHAPE, _USUAL = TrainingRecipe(steps=1), Options()

TextsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--input",
        help="Plain text (.txt), one sequence per line, a blank line between paragraphs if there are any; or a table "
        "with the column text; text also as .gz or .xz. May be given several times; a file given twice counts twice.",
    ),
]
NameOption = Annotated[str | None, typer.Option("--name", help="Instead of --output: its name in the catalogue.")]
ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="A YAML file with NLPScholar's keys; options override it."),
]
PresetOption = Annotated[
    Literal["pairlens", "nlpscholar"] | None,
    typer.Option("--as", help="nlpscholar: by epochs, with that program's pieces of text, loss and checkpoints."),
]
CaseOption = Annotated[
    bool | None,
    typer.Option("--lower-case/--cased", help="Lower-case all text; by default for a model from scratch only."),
]
ResumeOption = Annotated[bool, typer.Option("--resume/--no-resume", help="Continue an interrupted training.")]


@dataclass(frozen=True, slots=True)
class Training:
    """Text, model and output; a configuration may give them too (`pairlens.studies.experiment.config`)."""

    output: Annotated[Path | None, typer.Option(help="Folder of the new model; must not hold files.")] = None
    column: str | None = option("The column of texts (text).", "--column", "--textLabel")
    validation: Annotated[Path | None, typer.Option(help="Text to measure loss on; else part of the input.")] = None
    keep: Annotated[str | None, typer.Option(metavar="REGEX", help="Only sequences that match.")] = None
    drop: Annotated[str | None, typer.Option(metavar="REGEX", help="No sequences that match.")] = None
    watch: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Pairs (columns good, bad, group) scored at 20 moments (masked: 8); left out of the text.",
        ),
    ] = None
    size: str | None = option("; ".join(f"{name}: {size.about}" for name, size in SIZES.items()), "--size")
    source: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="MODEL", help="Train this model further, by epochs.", autocompletion=console.model_names
        ),
    ] = None
    seed: int | None = option("Fixes the order of the text and random weights.", "--seed")
    learning_rate: float | None = option(
        f"{_USUAL.learning_rate:g} by epochs, else {_SHAPE.matrix_rate:g}, of matrices, 0.15 of it of vectors.",
        *both_spellings("--learning-rate"),
    )


@dataclass(frozen=True, slots=True)
class FromScratch:
    kind: Literal["causal", "masked"] | None = option(
        "causal predicts the next token, masked a hidden one.", "--kind"
    )
    vocabulary: int | None = option(f"Entries of the tokenizer ({_SHAPE.vocabulary}).", "--vocabulary")
    width: int | None = option("Numbers per token in the network.", "--width")
    layers: int | None = option("Layers of the network.", "--layers")
    heads: int | None = option("Attention heads of a layer.", "--heads")
    context: int | None = option("Longest text, in tokens.", "--context")
    minutes: float | None = option(f"Train for this long ({USUAL_MINUTES:.0f} by default).", "--minutes")
    steps: int | None = option("Train for this many steps, instead of --minutes.", "--steps")


@dataclass(frozen=True, slots=True)
class ByEpochs:
    """Fields of the options of a training by epochs."""

    epochs: float | None = option(f"How often the text is read ({_USUAL.epochs:g}).", "--epochs")
    weight_decay: float | None = option(
        f"Of all weights ({_USUAL.weight_decay:g}).", *both_spellings("--weight-decay")
    )
    batch_size: int | None = option("Pieces per step.", "--batch-size", "--batchSize")
    max_length: int | None = option("Tokens of a piece of text.", "--max-length", "--maxTrainSequenceLength")
    mask_probability: float | None = option("Of masked models.", "--mask-probability", "--maskProbability")
    sample_percent: float | None = option(
        "From 1 on per cent, below 1 a fraction.", "--sample-percent", "--samplePercent"
    )
    separator: str | None = option(f"Between sequences: {' | '.join(SEPARATORS)}.", "--separator")
    eval_strategy: str | None = option(
        f"When to measure: {' | '.join(STRATEGIES)}.", *both_spellings("--eval-strategy")
    )
    eval_steps: int | None = option(f"Between two of them ({_USUAL.eval_steps}).", *both_spellings("--eval-steps"))
    save_strategy: str | None = option(
        f"When to keep a checkpoint: {' | '.join(STRATEGIES)}.", *both_spellings("--save-strategy")
    )
    save_steps: int | None = option(f"Between two of them ({_USUAL.save_steps}).", *both_spellings("--save-steps"))
    load_best_model_at_end: bool | None = option(
        "Which state becomes the model.",
        "--load-best-model-at-end/--load-last-model-at-end",
        "--load_best_model_at_end/--load_last_model_at_end",
    )
