"""The options of `train`, in groups: text and model, a model from scratch, training by epochs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from core.cli import console
from core.cli.console import both_spellings
from core.training.options import SEPARATORS, STRATEGIES, Options
from core.training.recipe import SIZES, USUAL_MINUTES, TrainingRecipe

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
    """Text, model and output; a configuration may give them too (`core.studies.experiment.config`)."""

    output: Annotated[Path | None, typer.Option("--output", help="Folder of the new model; must not hold files.")] = (
        None
    )
    column: Annotated[str | None, typer.Option("--column", "--textLabel", help="The column of texts (text).")] = None
    validation: Annotated[
        Path | None, typer.Option("--validation", help="Text to measure the loss on; else part of the input.")
    ] = None
    keep: Annotated[str | None, typer.Option("--keep", metavar="REGEX", help="Only sequences that match.")] = None
    drop: Annotated[str | None, typer.Option("--drop", metavar="REGEX", help="No sequences that match.")] = None
    watch: Annotated[
        Path | None,
        typer.Option(
            "--watch",
            metavar="FILE",
            help="Pairs (columns good, bad, group) scored at 20 moments (masked: 8); left out of the text.",
        ),
    ] = None
    size: Annotated[
        str | None, typer.Option(help="; ".join(f"{name}: {size.about}" for name, size in SIZES.items()))
    ] = None
    source: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="MODEL", help="Train this model further, by epochs.", autocompletion=console.model_names
        ),
    ] = None
    seed: Annotated[int | None, typer.Option("--seed", help="Fixes the order of the text and random weights.")] = None
    learning_rate: Annotated[
        float | None,
        typer.Option(
            *both_spellings("--learning-rate"),
            help=f"{_USUAL.learning_rate:g} by epochs, else {_SHAPE.matrix_rate:g}, of matrices, 0.15 of it of "
            "vectors.",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class FromScratch:
    """Fields of the recipe of a model from scratch."""

    kind: Annotated[
        Literal["causal", "masked"] | None, typer.Option(help="causal predicts the next token, masked a hidden one.")
    ] = None
    vocabulary: Annotated[int | None, typer.Option(help=f"Entries of the tokenizer ({_SHAPE.vocabulary}).")] = None
    width: Annotated[int | None, typer.Option(help="Numbers per token in the network.")] = None
    layers: Annotated[int | None, typer.Option(help="Layers of the network.")] = None
    heads: Annotated[int | None, typer.Option(help="Attention heads of a layer.")] = None
    context: Annotated[int | None, typer.Option(help="Longest text, in tokens.")] = None
    minutes: Annotated[float | None, typer.Option(help=f"Train for this long ({USUAL_MINUTES:.0f} by default).")] = (
        None
    )
    steps: Annotated[int | None, typer.Option(help="Train for this many steps, instead of --minutes.")] = None
    snapshots: Annotated[
        int | None,
        typer.Option(
            min=0, help="Keep weights at this many moments, in OUTPUT.snapshots (for `workshop.learning_curves`)."
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class ByEpochs:
    """Fields of the options of a training by epochs."""

    epochs: Annotated[float | None, typer.Option(help=f"How often the text is read ({_USUAL.epochs:g}).")] = None
    weight_decay: Annotated[
        float | None,
        typer.Option(*both_spellings("--weight-decay"), help=f"Of all weights ({_USUAL.weight_decay:g})."),
    ] = None
    batch_size: Annotated[int | None, typer.Option("--batch-size", "--batchSize", help="Pieces per step.")] = None
    max_length: Annotated[
        int | None, typer.Option("--max-length", "--maxTrainSequenceLength", help="Tokens of a piece of text.")
    ] = None
    mask_probability: Annotated[
        float | None, typer.Option("--mask-probability", "--maskProbability", help="Of masked models.")
    ] = None
    sample_percent: Annotated[
        float | None,
        typer.Option("--sample-percent", "--samplePercent", help="From 1 on per cent, below 1 a fraction."),
    ] = None
    separator: Annotated[str | None, typer.Option(help=f"Between sequences: {' | '.join(SEPARATORS)}.")] = None
    eval_strategy: Annotated[
        str | None,
        typer.Option(*both_spellings("--eval-strategy"), help=f"When to measure: {' | '.join(STRATEGIES)}."),
    ] = None
    eval_steps: Annotated[
        int | None, typer.Option(*both_spellings("--eval-steps"), help=f"Between two of them ({_USUAL.eval_steps}).")
    ] = None
    save_strategy: Annotated[
        str | None,
        typer.Option(
            *both_spellings("--save-strategy"), help=f"When to keep a checkpoint: {' | '.join(STRATEGIES)}."
        ),
    ] = None
    save_steps: Annotated[
        int | None, typer.Option(*both_spellings("--save-steps"), help=f"Between two of them ({_USUAL.save_steps}).")
    ] = None
    load_best_model_at_end: Annotated[
        bool | None,
        typer.Option(
            "--load-best-model-at-end/--load-last-model-at-end",
            "--load_best_model_at_end/--load_last_model_at_end",
            help="Which state becomes the model.",
        ),
    ] = None
