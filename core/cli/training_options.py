"""The options of `train`, in groups: text, model from nothing, training by epochs, what is watched."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from core.training.options import SEPARATORS, STRATEGIES, Options
from core.training.recipe import Recipe
from core.training.sizes import SIZES, USUAL_MINUTES

_SHAPE, _USUAL = Recipe(steps=1), Options()
_EPOCHS = "Training by epochs"
_NOTHING = "A model from nothing"

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="A YAML file with NLPScholar's keys; flags win over it."),
]
TextsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--input",
        help="Plain text (.txt), one sequence per line, a blank line between paragraphs if there are any; or a table "
        "with the column text; text also as .gz or .xz. May be given several times; a file given twice counts twice.",
    ),
]
ColumnOption = Annotated[str | None, typer.Option("--column", "--textLabel", help="The column of texts (text).")]
ValidationOption = Annotated[
    Path | None, typer.Option("--validation", help="Text to measure the loss on; else a part of the input.")
]
OutputOption = Annotated[Path | None, typer.Option("--output", help="Folder of the new model; must not hold files.")]
NameOption = Annotated[str | None, typer.Option("--name", help="Instead of --output: its name in the catalogue.")]
KeepOption = Annotated[str | None, typer.Option("--keep", metavar="REGEX", help="Only sequences that match.")]
DropOption = Annotated[str | None, typer.Option("--drop", metavar="REGEX", help="No sequences that match.")]
WatchOption = Annotated[
    Path | None,
    typer.Option(
        "--watch",
        metavar="FILE",
        help="Pairs (columns good, bad, group) scored at 20 moments (masked: 8); left out of the text.",
    ),
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Fixes the order of the text and random weights.")]
RateOption = Annotated[
    float | None,
    typer.Option(
        "--learning-rate", "--learning_rate",
        help=f"{_USUAL.learning_rate:g} by epochs, else {_SHAPE.matrix_rate:g}, of matrices, 0.15 of it of vectors.",
    ),
]  # fmt: skip
KindOption = Annotated[
    Literal["causal", "masked"] | None,
    typer.Option(help="causal predicts the next token, masked a hidden one.", rich_help_panel=_NOTHING),
]
SizeOption = Annotated[
    str | None,
    typer.Option(help="; ".join(f"{name}: {size.about}" for name, size in SIZES.items()), rich_help_panel=_NOTHING),
]
MinutesOption = Annotated[
    float | None,
    typer.Option(help=f"Train for so long ({USUAL_MINUTES:.0f} if nothing is said).", rich_help_panel=_NOTHING),
]
StepsOption = Annotated[
    int | None, typer.Option(help="Train for so many steps, instead of --minutes.", rich_help_panel=_NOTHING)
]
VocabularyOption = Annotated[
    int | None, typer.Option(help=f"Entries of the tokenizer ({_SHAPE.vocabulary}).", rich_help_panel=_NOTHING)
]
WidthOption = Annotated[int | None, typer.Option(help="Numbers per token in the network.", rich_help_panel=_NOTHING)]
LayersOption = Annotated[int | None, typer.Option(help="Layers of the network.", rich_help_panel=_NOTHING)]
HeadsOption = Annotated[int | None, typer.Option(help="Attention heads of a layer.", rich_help_panel=_NOTHING)]
ContextOption = Annotated[int | None, typer.Option(help="Longest text, in tokens.", rich_help_panel=_NOTHING)]
SnapshotsOption = Annotated[
    int | None,
    typer.Option(
        min=0, help="Keep weights at so many moments, in OUTPUT.snapshots (for core.film).", rich_help_panel=_NOTHING
    ),
]
CaseOption = Annotated[bool, typer.Option("--lower-case/--cased", help="Read capital letters as small ones.")]
SourceOption = Annotated[
    str, typer.Option("--from", metavar="MODEL", help="Go on from this model, by epochs.", rich_help_panel=_EPOCHS)
]
EpochsOption = Annotated[
    float | None, typer.Option(help=f"How often the text is read ({_USUAL.epochs:g}).", rich_help_panel=_EPOCHS)
]
DecayOption = Annotated[
    float | None,
    typer.Option(
        "--weight-decay", "--weight_decay", help=f"Of all weights ({_USUAL.weight_decay:g}).", rich_help_panel=_EPOCHS
    ),
]
BatchOption = Annotated[
    int | None, typer.Option("--batch-size", "--batchSize", help="Pieces per step.", rich_help_panel=_EPOCHS)
]
LengthOption = Annotated[
    int | None,
    typer.Option(
        "--max-length", "--maxTrainSequenceLength", help="Tokens of a piece of text.", rich_help_panel=_EPOCHS
    ),
]
MaskOption = Annotated[
    float | None,
    typer.Option("--mask-probability", "--maskProbability", help="Of masked models.", rich_help_panel=_EPOCHS),
]
SampleOption = Annotated[
    float | None,
    typer.Option(
        "--sample-percent", "--samplePercent", help="From 1 on per cent, below 1 a fraction.", rich_help_panel=_EPOCHS
    ),
]
SeparatorOption = Annotated[
    str | None, typer.Option(help=f"Between sequences: {' | '.join(SEPARATORS)}.", rich_help_panel=_EPOCHS)
]
EvalOption = Annotated[
    str | None,
    typer.Option(
        "--eval-strategy", "--eval_strategy", help=f"When to measure: {' | '.join(STRATEGIES)}.",
        rich_help_panel=_EPOCHS,
    ),
]  # fmt: skip
EvalStepsOption = Annotated[
    int | None,
    typer.Option(
        "--eval-steps", "--eval_steps", help=f"Between two of them ({_USUAL.eval_steps}).", rich_help_panel=_EPOCHS
    ),
]
SaveOption = Annotated[
    str | None,
    typer.Option(
        "--save-strategy", "--save_strategy", help=f"When to keep a checkpoint: {' | '.join(STRATEGIES)}.",
        rich_help_panel=_EPOCHS,
    ),
]  # fmt: skip
SaveStepsOption = Annotated[
    int | None,
    typer.Option(
        "--save-steps", "--save_steps", help=f"Between two of them ({_USUAL.save_steps}).", rich_help_panel=_EPOCHS
    ),
]
BestOption = Annotated[
    bool | None,
    typer.Option(
        "--load-best-model-at-end/--load-last-model-at-end",
        "--load_best_model_at_end/--load_last_model_at_end",
        help="Which state becomes the model.", rich_help_panel=_EPOCHS,
    ),
]  # fmt: skip
ResumeOption = Annotated[bool, typer.Option("--resume/--no-resume", help="Go on with an interrupted training.")]
