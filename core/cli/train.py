"""`train`: a language model from text, made from nothing or trained further."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from core.cli import console
from core.cli import training_options as of
from core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.experiment.training_config import TrainingConfig
    from core.film.pairs import Pair
    from core.training.asked import Asked


def train(
    texts: of.TextsOption = None,
    output: of.OutputOption = None,
    name: of.NameOption = None,
    config: of.ConfigOption = None,
    column: of.ColumnOption = None,
    validation: of.ValidationOption = None,
    keep: of.KeepOption = None,
    drop: of.DropOption = None,
    watch: of.WatchOption = None,
    kind: of.KindOption = None,
    size: of.SizeOption = None,
    vocabulary: of.VocabularyOption = None,
    width: of.WidthOption = None,
    layers: of.LayersOption = None,
    heads: of.HeadsOption = None,
    context: of.ContextOption = None,
    minutes: of.MinutesOption = None,
    steps: of.StepsOption = None,
    snapshots: of.SnapshotsOption = None,
    lower_case: of.CaseOption = True,
    source: of.SourceOption = "",
    epochs: of.EpochsOption = None,
    weight_decay: of.DecayOption = None,
    batch_size: of.BatchOption = None,
    max_length: of.LengthOption = None,
    mask_probability: of.MaskOption = None,
    sample_percent: of.SampleOption = None,
    separator: of.SeparatorOption = None,
    eval_strategy: of.EvalOption = None,
    eval_steps: of.EvalStepsOption = None,
    save_strategy: of.SaveOption = None,
    save_steps: of.SaveStepsOption = None,
    load_best_model_at_end: of.BestOption = None,
    seed: of.SeedOption = None,
    learning_rate: of.RateOption = None,
    resume: of.ResumeOption = True,
    device: console.DeviceOption = "",
    job: console.JobOption = None,
) -> None:
    """Train a language model from text: from nothing, its tokenizer too, or further from one that exists.

    For --minutes or --steps a small model is trained as fast as this machine can. With --from MODEL or --epochs the
    text goes through transformers' Trainer, with its options. A training that was killed goes on from its last
    checkpoint when the same command is given again; a model appears under its name when it is complete.
    """
    from core.experiment.training_config import TrainingConfig, read_training_config
    from core.jobs import reporting

    shape = {"vocabulary": vocabulary, "width": width, "layers": layers, "heads": heads, "context": context}
    recipe = {**shape, "kind": kind, "minutes": minutes, "steps": steps, "snapshots": snapshots}
    options = {
        "epochs": epochs, "weight_decay": weight_decay, "batch_size": batch_size, "max_length": max_length,
        "mask_probability": mask_probability, "sample_percent": sample_percent, "separator": separator,
        "eval_strategy": eval_strategy, "eval_steps": eval_steps, "save_strategy": save_strategy,
        "save_steps": save_steps, "load_best_model_at_end": load_best_model_at_end,
    }  # fmt: skip
    with reporting(job) as report:
        console.apply_limits(batch_size=0, device=device)
        said = read_training_config(config) if config else TrainingConfig()
        given = {
            "output": output, "validation": validation, "column": column, "keep": keep, "drop": drop, "watch": watch,
            "size": size, "seed": seed, "learning_rate": learning_rate, "source": source or None,
        }  # fmt: skip
        said = replace(said, **_given(given))
        said = replace(said, options=said.options | _given(options), recipe=said.recipe | _given(recipe))
        paths = tuple(texts or ()) or ((said.texts,) if said.texts else ())
        pairs = _pairs(said.watch)
        asked = replace(_asked(said, paths, name, pairs, lower_case=lower_case), resume=resume)
        remarks = _run(asked, pairs, report.progress)
        report.result(folder=str(asked.output), model=name or "", remarks=remarks)


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _pairs(path: Path | None) -> list[Pair]:
    from core.film.pairs import read_pairs

    return read_pairs(path) if path else []


def _asked(
    said: TrainingConfig, texts: tuple[Path, ...], name: str | None, pairs: list[Pair], *, lower_case: bool
) -> Asked:
    """What flags and configuration ask for together; InputError for what excludes each other."""
    from core.training.asked import Asked, recipe_of
    from core.training.filtering import Filter
    from core.training.options import Options
    from core.training.own_card import place_of

    by_epochs = bool(said.source or said.options)
    if by_epochs and (both := {"minutes", "steps"} & said.recipe.keys()):
        raise InputError(f"--{both.pop()} is for a model from nothing; with --from and --epochs give epochs only.")
    if said.source and (shape := said.recipe.keys() or ({"size"} if said.size else set())):
        raise InputError(f"--{sorted(shape)[0]} is for a model from nothing; '{said.source}' has its shape already.")
    if (name is None) == (said.output is None):
        raise InputError("say where the model goes: --output FOLDER, or --name NAME for the catalogue.")
    options = said.options | _given({"seed": said.seed, "learning_rate": said.learning_rate})
    recipe = recipe_of(said.size, said.recipe, said.seed, said.learning_rate, epochs=by_epochs)
    longest = options.get("max_length", Options().max_length)
    if by_epochs:
        recipe = replace(recipe, context=max(recipe.context, longest), batch_tokens=max(recipe.batch_tokens, longest))
    return Asked(
        texts=texts,
        output=place_of(name) if name else said.output or Path(),
        recipe=replace(recipe, lower_case=lower_case),
        validation=said.validation,
        column=said.column or "text",
        filter=Filter(said.keep, said.drop),
        source=said.source,
        options=Options(**options) if by_epochs else None,
        watched=tuple(text for pair in pairs for text in (pair.good, pair.bad)),
    )


def _run(asked: Asked, pairs: list[Pair], report: Callable[[int, int, float | None], None]) -> list[str]:
    """Train, drawing how far it is; returns what was said on the way."""
    from core.cli.training_progress import drawing
    from core.film.observer import Observer
    from core.models import find
    from core.tables import check_folder
    from core.training.recipe import Progress
    from core.training.running import run

    check_folder(asked.output.parent)
    model = find(asked.source) if asked.source else None
    observer, remarks = Observer(asked.output, pairs, model.kind if model else asked.recipe.kind), list[str]()

    def say(remark: str) -> None:
        remarks.append(remark)
        console.say(remark)

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
