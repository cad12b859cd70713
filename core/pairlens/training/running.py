"""A training, from its specification to the model in its folder, of either kind."""

import math
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from safetensors import SafetensorError
from tokenizers import Tokenizer

from pairlens.errors import InputError, ModelError
from pairlens.training.checkpoint import alone, work_folder
from pairlens.training.continued import Trained, continue_training
from pairlens.training.corpus import Corpus, Documents, chosen, held_out, read_corpus, repeated, sampled, write_text
from pairlens.training.export import fresh_model
from pairlens.training.from_scratch import train
from pairlens.training.loop import Watching
from pairlens.training.options import Options
from pairlens.training.own_models import write_own_card
from pairlens.training.recipe import Progress, TrainingRecipe, remember_speed
from pairlens.training.specification import Specification
from pairlens.types import Model

_FRAME = 2
"""Tokens around a sequence: one before and one after it."""

Say = Callable[[str], None]
Show = Callable[[Progress], None]


def run(request: Specification, watching: Watching, say: Say, show: Show, model: Model | None = None) -> Trained:
    """Train; `say` receives what a user should know, `show` the progress. `model` is the one that `source` names.

    A killed training continues from its last checkpoint. InputError or ModelError, in one sentence.
    """
    running = _Running(request, *texts_of(request, say), watching, say, _saying_if_resumed(say, show))
    with explained_errors(request.output), alone(request.output):
        if not request.resume:
            shutil.rmtree(work_folder(request.output), ignore_errors=True)
        return running.from_scratch() if request.options is None else running.by_epochs(model, request.options)


def _saying_if_resumed(say: Say, show: Show) -> Show:
    """`show`, which says so first if the first report of the training is not of its first step."""
    begun = False

    def see(progress: Progress) -> None:
        nonlocal begun
        if progress.stage == "training" and not begun and progress.step > 1:
            say("An interrupted training continues from its last checkpoint; --no-resume starts over.")
        begun = begun or progress.stage == "training"
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
    hint = "Everything up to the last checkpoint is kept: the same command continues from there."
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}. {hint}", str(output)) from error
    except (RuntimeError, SafetensorError) as error:
        if isinstance(error, RuntimeError) and "PytorchStreamWriter" not in str(error):
            raise
        raise InputError(
            f"cannot be written: the disk is full or does not take the file. {hint}", str(output)
        ) from error


@dataclass(frozen=True, slots=True)
class _Running:
    request: Specification
    training: Corpus
    validation: Corpus | None
    watching: Watching
    say: Say
    show: Show

    def from_scratch(self) -> Trained:
        request, training = self.request, self.training
        recipe = request.recipe if training.in_paragraphs else replace(request.recipe, run_share=0.0)
        held = write_text(self.validation) if self.validation else None

        def finish(folder: Path, last: Progress) -> None:
            write_own_card(folder, request.output.name, recipe, training, last, request.origin)
            if self.watching.finish:
                self.watching.finish(folder, last)

        stage, loss, speed = "", math.nan, 0.0
        watching = replace(self.watching, finish=finish)
        for report in train(recipe, [write_text(training)], request.output, held, watching=watching):
            if report.stage == "packing" != stage:
                tokenizer = self._tokenizer(recipe, work_folder(request.output))
                self._say_what_is_too_long(recipe, training.sequences, "sequences", tokenizer)
                if self.validation:
                    self._say_what_is_too_long(recipe, self.validation.sequences, "validation sequences", tokenizer)
            self.show(report)
            stage, speed = report.stage, report.tokens_per_second
            loss = loss if report.validation_loss is None else report.validation_loss
        if speed:
            remember_speed(recipe, speed)
        return Trained(request.output, math.exp(loss))

    def by_epochs(self, model: Model | None, options: Options) -> Trained:
        request = self.request
        texts = sampled(self.training.sequences, options.sample(), options.seed)
        if self.validation is not None:
            documents = Documents(texts, sampled(self.validation.sequences, options.sample(), options.seed))
        else:
            documents = held_out(texts, request.texts[0].name)
            held, n = len(documents.validation), len(texts)
            self.say(f"No validation text: {held:,} of {n:,} sequences are held out for it.")
        if model is None:
            model, options = fresh_model(request.recipe, documents.training), replace(options, pretrained=True)
            self._tokenizer(request.recipe, model.folder)
        elif request.kind and model.kind != request.kind:
            raise ModelError(f"'{model.name}' is a {model.kind} model, but named as a {request.kind} one.")
        else:
            documents = documents.written(lower_case=request.lower_case, leading_space=request.leading_space)
        trained = continue_training(model, documents, options, request.output, self.show, self.watching)
        if trained.before:
            self.say(f"{request.output} holds the result of this training already; delete it to train again.")
        return trained

    def _tokenizer(self, recipe: TrainingRecipe, folder: Path) -> Tokenizer:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        if (size := tokenizer.get_vocab_size()) < recipe.vocabulary:
            wanted = f"{recipe.vocabulary:,}"
            self.say(f"The text supports a vocabulary of {size:,} entries, not of {wanted}: the model has {size:,}.")
        return tokenizer

    def _say_what_is_too_long(
        self, recipe: TrainingRecipe, sequences: Sequence[str], what: str, tokenizer: Tokenizer
    ) -> None:
        room = recipe.context - _FRAME
        # A token is at least a byte: what is short in bytes need not be tokenized.
        candidates = [sequence for sequence in sequences if len(sequence.encode("utf-8", "replace")) > room - 1]
        cuts = tokenizer.encode_batch_fast(candidates, add_special_tokens=False)
        if long := sum(len(cut.ids) > room for cut in cuts):
            self.say(
                f"{long:,} of {len(sequences):,} {what} are longer than {room} tokens and are not read: "
                "cut them into sentences, or take a longer --context."
            )
