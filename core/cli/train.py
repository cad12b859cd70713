"""`train`: a language model from text, made from nothing or trained further."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from core.cli import console
from core.cli import training_options as of
from core.cli.options import given
from core.cli.spread import spread
from core.cli.training_progress import drawing
from core.errors import InputError
from core.files.tables import check_folder
from core.models import find
from core.training.learning_curves.pairs import read_pairs
from core.training.options import Options
from core.training.recipe import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.studies.experiment.training_config import TrainingConfig
    from core.training.learning_curves.pairs import WatchedPair
    from core.training.specification import Specification


@spread
def train(
    *,
    texts: of.TextsOption = None,
    name: of.NameOption = None,
    config: of.ConfigOption = None,
    training: of.Training,
    from_nothing: of.FromNothing,
    lower_case: of.CaseOption = None,
    by_epochs: of.ByEpochs,
    resume: of.ResumeOption = True,
    device: console.DeviceOption = "",
    job: console.JobOption = None,
) -> None:
    """Train a language model from text: from nothing, its tokenizer too, or further from one that exists.

    For --minutes or --steps a small model is trained as fast as this machine can. With --from MODEL or --epochs the
    text goes through transformers' Trainer, with its options. A training that was killed goes on from its last
    checkpoint when the same command is given again; a model appears under its name when it is complete.
    """
    from core.store.jobs import reporting
    from core.studies.experiment.training_config import TrainingConfig, read_training_config

    with reporting(job) as report:
        said = read_training_config(config) if config else TrainingConfig()
        console.apply_limits(batch_size=0, device=device or said.device)
        options, recipe = said.options | given(by_epochs), said.recipe | given(from_nothing)
        kind = "" if training.source else said.kind
        lower = said.lower_case if lower_case is None else lower_case
        said = replace(said, **given(training), options=options, recipe=recipe, kind=kind, lower_case=lower)
        paths = tuple(texts or ()) or ((said.texts,) if said.texts else ())
        pairs = _pairs(said.watch)
        asked = replace(_asked(said, paths, name, pairs), resume=resume)
        remarks = _run(asked, pairs, said.remarks, report.progress)
        report.result(folder=str(asked.output), model=name or "", remarks=remarks)


def _pairs(path: Path | None) -> list[WatchedPair]:

    return read_pairs(path) if path else []


def _asked(
    said: TrainingConfig, texts: tuple[Path, ...], name: str | None, pairs: list[WatchedPair]
) -> Specification:
    """What flags and configuration ask for together; InputError for what excludes each other."""
    from core.training.filtering import Filter
    from core.training.own_card import place_of
    from core.training.specification import Specification, recipe_of

    by_epochs = bool(said.source or said.options)
    if by_epochs and (both := {"minutes", "steps"} & said.recipe.keys()):
        raise InputError(f"--{both.pop()} is for a model from nothing; with --from and --epochs give epochs only.")
    if said.source and (shape := said.recipe.keys() or ({"size"} if said.size else set())):
        raise InputError(f"--{sorted(shape)[0]} is for a model from nothing; '{said.source}' has its shape already.")
    if (name is None) == (said.output is None):
        raise InputError("say where the model goes: --output FOLDER, or --name NAME for the catalogue.")
    shared = {"seed": said.seed, "learning_rate": said.learning_rate}
    options = said.options | {name: value for name, value in shared.items() if value is not None}
    recipe = recipe_of(said.size, said.recipe, said.seed, said.learning_rate, epochs=by_epochs)
    longest = options.get("max_length", Options().max_length)
    if by_epochs:
        recipe = replace(recipe, context=max(recipe.context, longest), batch_tokens=max(recipe.batch_tokens, longest))
    return Specification(
        texts=texts,
        output=place_of(name) if name else said.output or Path(),
        recipe=replace(recipe, lower_case=said.lower_case is not False),
        validation=said.validation,
        column=said.column or "text",
        filter=Filter(said.keep, said.drop),
        source=said.source,
        kind=said.kind,
        lower_case=bool(said.lower_case),
        leading_space=said.leading_space,
        options=Options(**options) if by_epochs else None,
        watched=tuple(text for pair in pairs for text in (pair.good, pair.bad)),
    )


def _run(
    asked: Specification,
    pairs: list[WatchedPair],
    before: Sequence[str],
    report: Callable[[int, int, float | None], None],
) -> list[str]:
    """Train, drawing how far it is; returns what was said `before` and on the way."""
    from core.training.learning_curves.recorder import Recorder
    from core.training.running import run

    check_folder(asked.output.parent)
    model = find(asked.source) if asked.source else None
    observer, remarks = Recorder(asked.output, pairs, model.kind if model else asked.recipe.kind), list[str]()

    def say(remark: str) -> None:
        remarks.append(remark)
        console.say(remark)

    for remark in before:
        say(remark)
    with drawing() as see:

        def show(progress: Progress) -> None:
            see(progress)
            observer.see(progress)
            done = 1_000 if progress.stage == "saved" else min(999, int(1_000 * progress.fraction))
            report(done, 1_000, progress.seconds_left)

        outcome = run(asked, observer.watching, say, show, model)
    print(f"Perplexity on evaluation data: {outcome.perplexity:.2f}", file=sys.stderr)
    typer.echo(outcome.folder)
    return remarks
