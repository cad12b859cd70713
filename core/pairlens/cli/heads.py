"""`train-classifier` and `train-next-sentence`: small heads over an existing model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pairlens.cli import console
from pairlens.cli.options import given
from pairlens.cli.spread import option, spread
from pairlens.cli.train import drawing
from pairlens.errors import InputError
from pairlens.files.tables import check_folder
from pairlens.messages import counted
from pairlens.models import find
from pairlens.models.heads import NEXT_LABELS
from pairlens.training.checkpoint import alone
from pairlens.training.heads import FULL, LOW_RANK, HeadRecipe

if TYPE_CHECKING:
    from pairlens.store.jobs import JobReport
    from pairlens.training.heads.pairs import LabelledPair
    from pairlens.training.heads.trainer import Head

_BOTH = "A classifier head over {base}, trained on pairs in both directions."


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of the tables of pairs."""

    premise: str = option("Column of the premises, if named otherwise.", "--premise", default="")
    hypothesis: str = option("Column of the hypotheses, if named otherwise.", "--hypothesis", default="")
    label: str = option("Column of the labels, if named otherwise.", "--label", default="")


@dataclass(frozen=True, slots=True)
class Making:
    """The base, where the new model goes, fields of the head's recipe, and how the training runs in this process."""

    base: Annotated[
        str, typer.Option("--from", help="The base model: causal or masked.", autocompletion=console.model_names)
    ]
    name: str | None = option("Name of the new model in the catalogue.", "--name")
    output: Annotated[Path | None, typer.Option(help="Or the folder of the new model; must not hold files yet.")] = (
        None
    )
    epochs: float | None = option("Passes over the pairs (1).", "--epochs")
    rank: int | None = option("Rank of the deltas of the base; 0 trains all of it.", "--rank")
    core_rate: float | None = option("Learning rate of the base's deltas.", "--learning-rate")
    head_rate: float | None = option("Of the head.", "--head-learning-rate")
    rows: int | None = option("Pairs in a batch.", "--batch-size")
    longest: int | None = option("Longer pairs, in tokens, are left out.", "--max-length")
    seed: int | None = option("Fixes the held-out pairs, their order, the initial head.", "--seed")
    resume: bool = option("Continue an interrupted training.", "--resume/--no-resume", default=True)
    device: console.DeviceOption = ""
    job: console.JobOption = None

    def folder(self) -> Path:
        """The folder of the new model; InputError unless exactly one of name and output is given."""
        from pairlens.training.own_models import place_of

        if (self.name is None) == (self.output is None):
            raise InputError("say where the model goes: --output FOLDER, or --name NAME for the catalogue.")
        return place_of(self.name) if self.name else self.output or Path()

    def recipe(self) -> HeadRecipe:
        """The options given, over the defaults for low-rank deltas, or for training all weights (rank 0)."""
        changes = {name: value for name, value in given(self).items() if name in HeadRecipe.__dataclass_fields__}
        return replace(FULL if self.rank == 0 else LOW_RANK, **changes)


@spread
def train_classifier(
    *,
    tables: Annotated[
        list[Path], typer.Option("--input", help="Table with a premise, a hypothesis and a label in each row.")
    ],
    columns: Columns,
    encoding: console.EncodingOption = "",  # noqa: ARG001 (set by its callback)
    labels: Annotated[str, typer.Option(help="The labels, separated by commas, in the order of the outputs.")] = "",
    both: Annotated[
        bool,
        typer.Option(
            "--both-directions", help="Also train on each pair swapped, with its own label: SICK, or reverse_gold."
        ),
    ] = False,
    making: Making,
) -> None:
    """Train a classifier of pairs of texts, as for natural language inference, over an existing model.

    The base stays as it is; the new model is a small folder beside it. 5 % of the pairs are held out, and the state
    that does best on them is kept. An interrupted training continues when the same command is given again.
    """
    from pairlens.store.jobs import reporting
    from pairlens.training.heads.tables import read_labelled
    from pairlens.training.heads.trainer import Head

    with reporting(making.job) as report:
        order = [part.strip() for part in labels.split(",") if part.strip()]
        named = {role: column for role, column in asdict(columns).items() if column}
        read = read_labelled(tables, named, order, both=both)
        for note in read.notes:
            console.say(note)
        if read.left_out:
            console.say(f"Left out for an empty cell: {read.left_out:,} of the rows.")
        description = _BOTH.format(base=making.base) if both else ""
        _train(Head("classifier", read.labels, description=description), read.examples, making, report)


@spread
def train_next_sentence(
    *,
    texts: Annotated[
        list[Path], typer.Option("--input", help="Text: a sentence per line, a blank line between paragraphs.")
    ],
    pairs: Annotated[int, typer.Option(min=10, help="The most pairs to make.")] = 50_000,
    making: Making,
) -> None:
    """Train a next-sentence head on running text: whether a sentence follows another one in its paragraph.

    Half of the pairs are adjacent sentences of one paragraph; in the others the second is from another paragraph.
    """
    from pairlens.store.jobs import reporting
    from pairlens.training.corpus import read_corpus
    from pairlens.training.heads.tables import following
    from pairlens.training.heads.trainer import Head
    from pairlens.training.packing import paragraphs

    with reporting(making.job) as report:
        examples = following(list(paragraphs(read_corpus(texts).lines)), pairs, making.recipe().seed)
        _train(Head("next-sentence", NEXT_LABELS), examples, making, report)


def _train(head: Head, examples: Sequence[LabelledPair], making: Making, report: JobReport) -> None:
    from pairlens.training.heads.trainer import train_head
    from pairlens.training.running import explained_errors

    console.apply_limits(batch_size=0, device=making.device)
    recipe, output, accuracy = making.recipe(), making.folder(), None
    check_folder(output.parent)
    with drawing(report) as see, explained_errors(output), alone(output):
        for progress in train_head(head, find(making.base), examples, recipe, output, resume=making.resume):
            see(progress)
            accuracy = accuracy if progress.accuracy is None else progress.accuracy
        report.result(folder=str(output), model=output.name)
    if long := find(output).card["training"]["left_out"]:
        console.say(f"left out, of more than {recipe.longest} tokens: {counted(long, 'pair')}.")
    if accuracy is not None:
        console.say(f"{100 * accuracy:.1f} % of the held-out pairs are right at the end.")
    print(output)
