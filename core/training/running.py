"""A training from what was asked to a model in its folder, by either way."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError, ModelError
from core.training import train
from core.training.alone import alone
from core.training.checkpoint import work_folder
from core.training.continued import continue_training
from core.training.corpus import Corpus, chosen, read_corpus, write_text
from core.training.documents import Documents, held_out, repeated, sampled
from core.training.own_card import write_own_card
from core.training.recipe import Progress, TrainingRecipe
from core.training.sizes import remember_speed
from core.training.specification import Specification
from core.training.watching import Watching
from core.types import Model

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_LARGEST = 700.0
"""e to more than about this is no number for the machine."""

_FRAME = 2
"""Tokens around a sequence: one before and one after it."""

Say = Callable[[str], None]
Show = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The model's folder, and e to the mean loss per predicted token of the validation text.

    `before` says that the folder held the result of the very same training already.
    """

    folder: Path
    perplexity: float
    before: bool = False


def run(asked: Specification, watching: Watching, say: Say, show: Show, model: Model | None = None) -> Outcome:
    """Train, saying what a user should know and showing how far it is.

    `model` is what `asked.source` names. A training that was killed goes on from its last checkpoint. InputError or
    ModelError, in one sentence, for what cannot be read, trained or written.
    """
    training, validation = texts_of(asked, say)
    with explained_errors(asked.output), alone(asked.output):
        if not asked.resume:
            shutil.rmtree(work_folder(asked.output), ignore_errors=True)
        if asked.options is None:
            return _from_nothing(asked, training, validation, watching, say, show)
        return _by_epochs(asked, training, validation, watching, say, show, model)


def texts_of(asked: Specification, say: Say) -> tuple[Corpus, Corpus | None]:
    """The text to train on and the text to measure on; says what was left out, and what of the second is in both."""
    training = chosen(read_corpus(asked.texts, asked.column), asked.filter, asked.watched)
    if asked.validation is None:
        validation, remarks = None, training.remarks
    else:
        validation = read_corpus([asked.validation], asked.column)
        remarks = [*training.remarks, *validation.remarks, repeated(validation.sequences, training.sequences)]
    for remark in filter(None, remarks):
        say(remark)
    return training, validation


@contextmanager
def explained_errors(output: Path) -> Iterator[None]:
    """What the disk refuses, as one sentence: torch and safetensors have errors of their own for that."""
    from safetensors import SafetensorError

    kept = "What was trained up to the last checkpoint is kept: the same command goes on from there."
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}. {kept}", str(output)) from error
    except (RuntimeError, SafetensorError) as error:
        if isinstance(error, RuntimeError) and "PytorchStreamWriter" not in str(error):
            raise
        raise InputError(
            f"cannot be written: the disk is full or does not take the file. {kept}", str(output)
        ) from error


def _from_nothing(
    asked: Specification, training: Corpus, validation: Corpus | None, watching: Watching, say: Say, show: Show
) -> Outcome:
    recipe = asked.recipe if training.in_paragraphs else replace(asked.recipe, run_share=0.0)
    held = write_text(validation) if validation else None

    def finish(folder: Path, last: Progress) -> None:
        write_own_card(folder, asked.output.name, recipe, training, last, asked.origin)
        if watching.finish:
            watching.finish(folder, last)

    stage, loss, speed = "", math.nan, 0.0
    for report in train(
        recipe, [write_text(training)], asked.output, held, watching=replace(watching, finish=finish)
    ):
        if report.stage == "packing" != stage:
            tokenizer = _tokenizer(recipe, work_folder(asked.output), say)
            _say_what_is_lost(recipe, training.sequences, "sequences", tokenizer, say)
            if validation:
                _say_what_is_lost(recipe, validation.sequences, "validation sequences", tokenizer, say)
        show(report)
        stage, speed = report.stage, report.tokens_per_second
        loss = loss if report.validation_loss is None else report.validation_loss
    if speed:
        remember_speed(recipe, speed)
    return Outcome(asked.output, math.exp(min(loss, _LARGEST)))


def _tokenizer(recipe: TrainingRecipe, folder: Path, say: Say) -> Tokenizer:
    """The tokenizer in the folder; says so if the text had too few different words for the vocabulary."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    if (found := tokenizer.get_vocab_size()) < recipe.vocabulary:
        wanted = f"{recipe.vocabulary:,}"
        say(f"The text supports a vocabulary of {found:,} entries, not of {wanted}: the model has {found:,}.")
    return tokenizer


def _say_what_is_lost(
    recipe: TrainingRecipe, sequences: Sequence[str], what: str, tokenizer: Tokenizer, say: Say
) -> None:
    """Say so if there are sequences that no row can hold; `what` they are called."""
    room = recipe.context - _FRAME
    # A token is a byte at least: what is short in bytes need not be cut.
    perhaps = [sequence for sequence in sequences if len(sequence.encode("utf-8", "replace")) > room - 1]
    cuts = tokenizer.encode_batch_fast(perhaps, add_special_tokens=False)
    if long := sum(len(cut.ids) > room for cut in cuts):
        say(
            f"{long:,} of {len(sequences):,} {what} are longer than {room} tokens and are not read: "
            "cut them into sentences, or take a longer --context."
        )


def _by_epochs(
    asked: Specification,
    training: Corpus,
    validation: Corpus | None,
    watching: Watching,
    say: Say,
    show: Show,
    model: Model | None,
) -> Outcome:

    options = asked.options
    assert options is not None
    texts = sampled(training.sequences, options.sample(), options.seed)
    if validation is not None:
        documents = Documents(texts, sampled(validation.sequences, options.sample(), options.seed))
    else:
        documents = held_out(texts, asked.texts[0].name)
        n, held = len(documents.training), len(documents.validation)
        say(f"No validation text: {held:,} of {n + held:,} sequences are held out for it.")
    if model is None:
        from core.training.fresh import fresh_model

        model, options = fresh_model(asked.recipe, documents.training), replace(options, pretrained=True)
        _tokenizer(asked.recipe, model.folder, say)
    elif asked.kind and model.kind != asked.kind:
        raise ModelError(f"'{model.name}' is a {model.kind} model, but named as a {asked.kind} one.")
    else:
        documents = documents.written(lower_case=asked.lower_case, leading_space=asked.leading_space)
    found = continue_training(model, documents, options, asked.output, show, watching)
    if found.before:
        say(f"{asked.output} holds the result of this training already; delete it to train again.")
    return Outcome(found.folder, found.perplexity, found.before)
