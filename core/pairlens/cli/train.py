"""`train`: a language model from text, trained from scratch or further; the progress of any training, drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.progress import TextColumn, TimeElapsedColumn

from pairlens.cli import console
from pairlens.cli import training_options as of
from pairlens.cli.options import given
from pairlens.cli.spread import spread
from pairlens.errors import InputError
from pairlens.files.tables import check_folder
from pairlens.models import find
from pairlens.models.facts import check_tokenizer
from pairlens.models.loading import load_window
from pairlens.training.options import Options, of_preset
from pairlens.training.recipe import Progress
from pairlens.training.watched_pairs import WatchedPair, read_pairs

if TYPE_CHECKING:
    from pairlens.store.jobs import JobReport
    from pairlens.studies.experiment.config import TrainingConfig
    from pairlens.training.specification import Specification


@spread
def train(
    *,
    texts: of.TextsOption = None,
    encoding: console.EncodingOption = "",  # noqa: ARG001 (set by its callback)
    name: of.NameOption = None,
    config: of.ConfigOption = None,
    preset: of.PresetOption = None,
    training: of.Training,
    from_scratch: of.FromScratch,
    lower_case: of.CaseOption = None,
    by_epochs: of.ByEpochs,
    resume: of.ResumeOption = True,
    device: console.DeviceOption = "",
    job: console.JobOption = None,
) -> None:
    """Train a language model from text: from scratch, tokenizer included, or further from an existing model.

    For --minutes or --steps a small model is trained as fast as this machine can. With --from MODEL or --epochs
    optimizer, rates and options are those of transformers' Trainer. An interrupted training continues from its last
    checkpoint when the same command is given again; a model appears under its name when it is complete.
    """
    from pairlens.store.jobs import reporting
    from pairlens.studies.experiment.config import TrainingConfig, read_training_config

    with reporting(job) as report:
        configured = read_training_config(config, preset or "") if config else TrainingConfig(preset=preset or "")
        console.apply_limits(batch_size=0, device=device or configured.device)
        options, recipe = configured.options | given(by_epochs), configured.recipe | given(from_scratch)
        kind = "" if training.source else configured.kind
        lower = configured.lower_case if lower_case is None else lower_case
        settings = replace(configured, **given(training), options=options, recipe=recipe, kind=kind, lower_case=lower)
        paths = tuple(texts or ()) or ((settings.texts,) if settings.texts else ())
        pairs = read_pairs(settings.watch) if settings.watch else []
        specification = replace(_specification(settings, paths, name, pairs), resume=resume)
        tokenizer = "" if training.source else configured.tokenizer
        of_options = specification.options.remark if specification.options else ""
        before = [*settings.remarks, *filter(None, [of_options])]
        remarks = _run(specification, pairs, before, report, tokenizer)
        report.result(folder=str(specification.output), model=name or "", remarks=remarks)


def _specification(
    config: TrainingConfig, texts: tuple[Path, ...], name: str | None, pairs: list[WatchedPair]
) -> Specification:
    """Flags and configuration as one specification; InputError for options that exclude each other."""
    from pairlens.training.continued import KINDS
    from pairlens.training.corpus import Filter
    from pairlens.training.own_models import place_of
    from pairlens.training.specification import Specification, recipe_of

    given_by_preset = of_preset(config.preset)
    by_epochs = bool(config.source or config.options or given_by_preset)
    if by_epochs and (both := {"minutes", "steps"} & config.recipe.keys()):
        way = f"--as {config.preset}" if given_by_preset else "--from and --epochs"
        raise InputError(f"--{both.pop()} is for a model from scratch; with {way} give epochs only.")
    if config.source and (shape := config.recipe.keys() or ({"size"} if config.size else set())):
        raise InputError(
            f"--{sorted(shape)[0]} is for a model from scratch; '{config.source}' has its shape already."
        )
    if (name is None) == (config.output is None):
        raise InputError("say where the model goes: --output FOLDER, or --name NAME for the catalogue.")
    shared = {"seed": config.seed, "learning_rate": config.learning_rate}
    options = given_by_preset | config.options | {name: value for name, value in shared.items() if value is not None}
    recipe = recipe_of(config.size, config.recipe, config.seed, config.learning_rate, epochs=by_epochs)
    # Pieces fit into what the model sees at once, unless another length is chosen; other kinds are refused later.
    model = find(config.source) if config.source and not given_by_preset else None
    if model and model.kind in KINDS and (seen := load_window(model)) < Options(**options).piece:
        options = {"max_length": seen} | options
    if by_epochs:
        longest = Options(**options).piece
        recipe = replace(recipe, context=max(recipe.context, longest), batch_tokens=max(recipe.batch_tokens, longest))
    return Specification(
        texts=texts,
        output=place_of(name) if name else config.output or Path(),
        recipe=replace(recipe, lower_case=config.lower_case is not False),
        validation=config.validation,
        column=config.column or "text",
        filter=Filter(config.keep, config.drop),
        source=config.source,
        kind=config.kind,
        lower_case=bool(config.lower_case),
        leading_space=config.leading_space,
        options=Options(**options) if by_epochs else None,
        watched=tuple(text for pair in pairs for text in (pair.good, pair.bad)),
    )


def _run(
    specification: Specification, pairs: list[WatchedPair], before: Sequence[str], report: JobReport, tokenizer: str
) -> list[str]:
    """Train, drawing progress; returns all remarks. `tokenizer` names the model whose tokenizer it should have."""
    from pairlens.training.recorder import Recorder
    from pairlens.training.running import run

    check_folder(specification.output.parent)
    model = find(specification.source) if specification.source else None
    if model:
        check_tokenizer(model, tokenizer)
    recorder = Recorder(specification.output, pairs, model.kind if model else specification.recipe.kind)
    remarks: list[str] = []

    def say(remark: str) -> None:
        remarks.append(remark)
        console.say(remark)

    for remark in before:
        say(remark)
    with drawing(report) as see:

        def show(progress: Progress) -> None:
            see(progress)
            recorder.see(progress)

        outcome = run(specification, recorder.watching, say, show, model)
    console.say(f"Perplexity on evaluation data: {outcome.perplexity:.2f}")
    typer.echo(outcome.folder)
    return remarks


_DONE = 1_000
"""What a job counts to: thousandths of the training."""


@contextmanager
def drawing(job: JobReport) -> Iterator[Callable[[Progress], None]]:
    """A function that draws loss, speed and time left, and tells the job how far the training is."""
    columns = TextColumn("{task.percentage:>3.0f}%"), TimeElapsedColumn(), TextColumn("{task.fields[facts]}")
    with console.progress_bar(*columns, transient=False) as bar:
        line = bar.add_task("tokenizer", total=1.0, facts="")
        held: float | None = None

        def see(progress: Progress) -> None:
            nonlocal held
            held = held if progress.validation_loss is None else progress.validation_loss
            bar.update(line, description=progress.stage, completed=progress.fraction, facts=_facts(progress, held))
            done = _DONE if progress.stage == "saved" else min(_DONE - 1, int(_DONE * progress.fraction))
            job.progress(done, _DONE, progress.seconds_left)

        yield see


def _facts(progress: Progress, held: float | None) -> str:
    minutes = None if progress.seconds_left is None else progress.seconds_left / 60
    facts = {
        "loss {:.3f}": progress.loss,
        "validation {:.3f}": held,
        "{:,.0f} tokens/s": progress.tokens_per_second or None,
        "{:.1f} min left": minutes,
    }
    return "  ".join(form.format(value) for form, value in facts.items() if value is not None)
