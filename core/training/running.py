"""A training, from its specification to the model in its folder, of either kind."""

import math
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from safetensors import SafetensorError
from tokenizers import Tokenizer

from core.errors import InputError, ModelError
from core.training.checkpoint import alone, work_folder
from core.training.continued import Trained, continue_training
from core.training.corpus import Corpus, Documents, chosen, held_out, read_corpus, repeated, sampled, write_text
from core.training.export import fresh_model
from core.training.from_scratch import train
from core.training.loop import Watching
from core.training.options import Options
from core.training.own_models import write_own_card
from core.training.recipe import Progress, TrainingRecipe, remember_speed
from core.training.specification import Specification
from core.types import Model

_FRAME = 2
"""Tokens around a sequence: one before and one after it."""

Say = Callable[[str], None]
Show = Callable[[Progress], None]


def run(request: Specification, watching: Watching, say: Say, show: Show, model: Model | None = None) -> Trained:
    """Train; `say` receives what a user should know, `show` the progress.

    `model` is the one that `request.source` names. A killed training continues from its last checkpoint. InputError
    or ModelError, in one sentence, for what cannot be read, trained or written.
    """
    training, validation = texts_of(request, say)
    show = _saying_if_resumed(say, show)
    with explained_errors(request.output), alone(request.output):
        if not request.resume:
            shutil.rmtree(work_folder(request.output), ignore_errors=True)
        if request.options is None:
            return _from_scratch(request, training, validation, watching, say, show)
        return _by_epochs(request, training, validation, watching, say, show, model, request.options)


def _saying_if_resumed(say: Say, show: Show) -> Show:
    """`show`, which says so first if the first report of the training is not of its first step."""
    begun = False

    def see(progress: Progress) -> None:
        nonlocal begun
        if progress.stage == "training" and not begun:
            begun = True
            if progress.step > 1:
                say("An interrupted training continues from its last checkpoint; --no-resume starts over.")
        show(progress)

    return see


def texts_of(request: Specification, say: Say) -> tuple[Corpus, Corpus | None]:
    """The text to train on and the text to measure on; says what was left out, and what is in both."""
    training = chosen(read_corpus(request.texts, request.column), request.filter, request.watched)
    if request.validation is None:
        validation, notes = None, training.remarks
    else:
        validation = read_corpus([request.validation], request.column)
        notes = [*training.remarks, *validation.remarks, repeated(validation.sequences, training.sequences)]
    for note in filter(None, notes):
        say(note)
    return training, validation


@contextmanager
def explained_errors(output: Path) -> Iterator[None]:
    """Failed writing as one sentence: torch and safetensors have errors of their own for it."""
    kept = "Everything up to the last checkpoint is kept: the same command continues from there."
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


def _from_scratch(
    request: Specification, training: Corpus, validation: Corpus | None, watching: Watching, say: Say, show: Show
) -> Trained:
    recipe = request.recipe if training.in_paragraphs else replace(request.recipe, run_share=0.0)
    held = write_text(validation) if validation else None

    def finish(folder: Path, last: Progress) -> None:
        write_own_card(folder, request.output.name, recipe, training, last, request.origin)
        if watching.finish:
            watching.finish(folder, last)

    stage, loss, speed = "", math.nan, 0.0
    for report in train(
        recipe, [write_text(training)], request.output, held, watching=replace(watching, finish=finish)
    ):
        if report.stage == "packing" != stage:
            tokenizer = _tokenizer(recipe, work_folder(request.output), say)
            _say_what_is_too_long(recipe, training.sequences, "sequences", tokenizer, say)
            if validation:
                _say_what_is_too_long(recipe, validation.sequences, "validation sequences", tokenizer, say)
        show(report)
        stage, speed = report.stage, report.tokens_per_second
        loss = loss if report.validation_loss is None else report.validation_loss
    if speed:
        remember_speed(recipe, speed)
    return Trained(request.output, math.exp(loss))


def _tokenizer(recipe: TrainingRecipe, folder: Path, say: Say) -> Tokenizer:
    """The tokenizer in the folder; says so if the text has too few words for the vocabulary."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    if (found := tokenizer.get_vocab_size()) < recipe.vocabulary:
        wanted = f"{recipe.vocabulary:,}"
        say(f"The text supports a vocabulary of {found:,} entries, not of {wanted}: the model has {found:,}.")
    return tokenizer


def _say_what_is_too_long(
    recipe: TrainingRecipe, sequences: Sequence[str], what: str, tokenizer: Tokenizer, say: Say
) -> None:
    """Say so if some sequences fit into no row; `what` names them."""
    room = recipe.context - _FRAME
    # A token is at least a byte: what is short in bytes need not be tokenized.
    candidates = [sequence for sequence in sequences if len(sequence.encode("utf-8", "replace")) > room - 1]
    cuts = tokenizer.encode_batch_fast(candidates, add_special_tokens=False)
    if long := sum(len(cut.ids) > room for cut in cuts):
        say(
            f"{long:,} of {len(sequences):,} {what} are longer than {room} tokens and are not read: "
            "cut them into sentences, or take a longer --context."
        )


def _by_epochs(
    request: Specification,
    training: Corpus,
    validation: Corpus | None,
    watching: Watching,
    say: Say,
    show: Show,
    model: Model | None,
    options: Options,
) -> Trained:
    texts = sampled(training.sequences, options.sample(), options.seed)
    if validation is not None:
        documents = Documents(texts, sampled(validation.sequences, options.sample(), options.seed))
    else:
        documents = held_out(texts, request.texts[0].name)
        n, held = len(documents.training), len(documents.validation)
        say(f"No validation text: {held:,} of {n + held:,} sequences are held out for it.")
    if model is None:
        model, options = fresh_model(request.recipe, documents.training), replace(options, pretrained=True)
        _tokenizer(request.recipe, model.folder, say)
    elif request.kind and model.kind != request.kind:
        raise ModelError(f"'{model.name}' is a {model.kind} model, but named as a {request.kind} one.")
    else:
        documents = documents.written(lower_case=request.lower_case, leading_space=request.leading_space)
    trained = continue_training(model, documents, options, request.output, show, watching)
    if trained.before:
        say(f"{request.output} holds the result of this training already; delete it to train again.")
    return trained
