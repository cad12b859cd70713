"""`train-classifier` and `train-next-sentence`: small heads over a model that exists."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli import console
from core.cli.training_progress import drawing
from core.errors import InputError

if TYPE_CHECKING:
    from core.training.heads.pairs import Example
    from core.training.heads.recipe import HeadRecipe
    from core.training.heads.saved import Head

BaseOption = Annotated[str, typer.Option("--from", help="The model under the head: causal or masked.")]
NameOption = Annotated[str | None, typer.Option("--name", help="Name of the new model in the catalogue.")]
OutputOption = Annotated[Path | None, typer.Option(help="Or the folder of the new model; must not hold files yet.")]
EpochsOption = Annotated[float | None, typer.Option(help="Passes over the pairs; 1 if not given.")]
RankOption = Annotated[int | None, typer.Option(min=0, help="Rank of the deltas of the base; 0 trains all of it.")]
RateOption = Annotated[float | None, typer.Option("--learning-rate", help="Of the base's deltas.")]
HeadRateOption = Annotated[float | None, typer.Option("--head-learning-rate", help="Of the head.")]
RowsOption = Annotated[int | None, typer.Option("--batch-size", min=1, help="Pairs in a batch.")]
LengthOption = Annotated[int | None, typer.Option("--max-length", help="Longer pairs, in tokens, are left out.")]
SeedOption = Annotated[int | None, typer.Option(help="Fixes the pairs that are held out, their order, the head.")]
ResumeOption = Annotated[bool, typer.Option("--resume/--no-resume", help="Go on with an interrupted training.")]
TablesOption = Annotated[
    list[Path], typer.Option("--input", help="Table with a premise, a hypothesis and a label in each row.")
]
PremiseOption = Annotated[str, typer.Option(help="Column of the premises, if not called so.")]
HypothesisOption = Annotated[str, typer.Option(help="Column of the hypotheses, if not called so.")]
LabelOption = Annotated[str, typer.Option(help="Column of the labels, if not called so.")]
LabelsOption = Annotated[str, typer.Option(help="The labels with commas between them, in the order of the outputs.")]
TextsOption = Annotated[
    list[Path], typer.Option("--input", help="Text: a sentence per line, a blank line between paragraphs.")
]
PairsOption = Annotated[int, typer.Option(min=10, help="So many pairs at most.")]
HardOption = Annotated[float, typer.Option(min=0, max=1, help="Share of the false ones taken from near by.")]


def train_classifier(
    tables: TablesOption,
    base: BaseOption,
    name: NameOption = None,
    output: OutputOption = None,
    premise: PremiseOption = "",
    hypothesis: HypothesisOption = "",
    label: LabelOption = "",
    labels: LabelsOption = "",
    epochs: EpochsOption = None,
    rank: RankOption = None,
    learning_rate: RateOption = None,
    head_learning_rate: HeadRateOption = None,
    batch_size: RowsOption = None,
    max_length: LengthOption = None,
    seed: SeedOption = None,
    resume: ResumeOption = True,
    device: console.DeviceOption = "",
    job: console.JobOption = None,
) -> None:
    """Train a classifier of pairs of texts, as for natural language inference, over a model that exists.

    The base stays as it is; the new model is a small folder beside it. 5 % of the pairs are held out, and the state
    that does best on them is kept. A training that was killed goes on when the same command is given again.
    """
    from core.training.heads.saved import Head
    from core.training.heads.tables import read_labelled

    console.apply_limits(batch_size=0, device=device)
    columns = {"premise": premise, "hypothesis": hypothesis, "label": label}
    order = [part.strip() for part in labels.split(",") if part.strip()]
    read = read_labelled(tables, {role: column for role, column in columns.items() if column}, order)
    if read.left_out:
        print(f"{read.left_out:,} rows have an empty cell and are left out.", file=sys.stderr)
    recipe = _recipe(epochs, rank, learning_rate, head_learning_rate, batch_size, max_length, seed)
    _train(Head("classifier", read.labels), base, read.examples, recipe, _place(name, output), resume, job)


def train_next_sentence(
    texts: TextsOption,
    base: BaseOption,
    name: NameOption = None,
    output: OutputOption = None,
    pairs: PairsOption = 50_000,
    hard: HardOption = 0.0,
    epochs: EpochsOption = None,
    rank: RankOption = None,
    learning_rate: RateOption = None,
    head_learning_rate: HeadRateOption = None,
    batch_size: RowsOption = None,
    max_length: LengthOption = None,
    seed: SeedOption = None,
    resume: ResumeOption = True,
    device: console.DeviceOption = "",
    job: console.JobOption = None,
) -> None:
    """Train a next-sentence head on running text: whether a sentence follows another one in its paragraph.

    Half of the pairs are adjacent sentences of one paragraph; in the others the second is from another paragraph.
    """
    from core.models.heads import NEXT_LABELS
    from core.training.corpus import read_corpus
    from core.training.heads.following import following
    from core.training.heads.saved import Head
    from core.training.sentences import paragraphs

    console.apply_limits(batch_size=0, device=device)
    recipe = _recipe(epochs, rank, learning_rate, head_learning_rate, batch_size, max_length, seed)
    examples = following(list(paragraphs(read_corpus(texts).lines)), pairs, recipe.seed, hard=hard)
    _train(Head("next-sentence", NEXT_LABELS), base, examples, recipe, _place(name, output), resume, job)


def _recipe(
    epochs: float | None,
    rank: int | None,
    learning_rate: float | None,
    head_learning_rate: float | None,
    batch_size: int | None,
    max_length: int | None,
    seed: int | None,
) -> HeadRecipe:
    """What was asked, over the usual values for thin deltas, or for training everything."""
    from core.training.heads import FULL, LOW_RANK

    given: dict[str, Any] = {
        "epochs": epochs, "rank": rank, "core_rate": learning_rate, "head_rate": head_learning_rate,
        "rows": batch_size, "longest": max_length, "seed": seed,
    }  # fmt: skip
    usual = FULL if rank == 0 else LOW_RANK
    return replace(usual, **{name: value for name, value in given.items() if value is not None})


def _place(name: str | None, output: Path | None) -> Path:
    from core.training.own_card import place_of

    if (name is None) == (output is None):
        raise InputError("say where the model goes: --output FOLDER, or --name NAME for the catalogue.")
    return place_of(name) if name else output or Path()


def _train(
    head: Head,
    base: str,
    examples: Sequence[Example],
    recipe: HeadRecipe,
    output: Path,
    resume: bool,
    job: Path | None,
) -> None:
    from core.jobs import reporting
    from core.models import find
    from core.tables import check_folder
    from core.training.alone import alone
    from core.training.heads.trainer import train_head
    from core.training.running import in_words

    check_folder(output.parent)
    with reporting(job) as report, drawing() as see, in_words(output), alone(output):
        accuracy = None
        for progress in train_head(head, find(base), examples, recipe, output, resume=resume):
            see(progress)
            accuracy = accuracy if progress.accuracy is None else progress.accuracy
            done = 1_000 if progress.stage == "saved" else min(999, int(1_000 * progress.fraction))
            report.progress(done, 1_000, progress.seconds_left)
        report.result(folder=str(output), model=output.name)
    if long := find(output).card["training"]["left_out"]:
        print(f"{long:,} pairs have more than {recipe.longest} tokens and were left out.", file=sys.stderr)
    if accuracy is not None:
        print(f"{100 * accuracy:.1f} % of the held-out pairs are right at the end.", file=sys.stderr)
    print(output)
