"""Train small language models from plain text, or models that exist further, on a processor or an accelerator.

    recipe           Recipe (what is asked), Progress (what is reported)
    trainer          train(recipe, texts, output): the loop, resumable, saves when complete
    sentences        reading text files, paragraphs, which sentences are worth training on
    tokenizer        byte-level BPE: train, frame, save
    packing          text to units to rows of token ids
    data             the rows of one run and their order
    device           device, threads, half precision, a compiler
    network          the causal and the masked network; its weights are those of Llama / EuroBERT
    encoder_decoder  the third kind of network, with the weights of T5
    objectives       isolation of units, masking, next-token and masked losses
    corruption       what an encoder-decoder learns from: texts with gaps, and prefixes
    optimizer        Muon and AdamW with warm-up and cool-down
    checkpoint       work folder, checkpoints, publication in one rename
    alone            one training at a time writes a model
    export           safetensors, config.json and tokenizer files for transformers
    watching         looks at the model at moments of a training, snapshots, a request to stop
    best             the state of the lowest validation loss
    history          what a training reported, in a file that grows with it
    card             what a model folder says about itself
    account          the same in plain words, for pages
    exclusion        evaluation data that must not be in training text (`held_out.txt`: worked examples)

A model that exists is trained further with transformers' Trainer:

    options          what is asked: the options of experiments' configurations
    documents        sequences of a text, sampled and held out
    chunks           documents to pieces to batches, masks
    watched          the Trainer, reporting every step, measuring loss per token
    continued        continue_training: from a model to a folder that is whole

or gets a small head for pairs of texts beside it: `heads`. `learning_curves` says what a model gets right as
it is trained.

The verb `train` does either:

    specification    what is asked of a training, by flags, configuration or page
    corpus           sequences from files and tables, filtered, without watched pairs
    filtering        sentences kept or dropped by regular expressions
    sizes            shapes of models by name, what a time buys on this machine
    fresh            a model that has learnt nothing, for training by epochs
    command          a training that was chosen on a page, as a command line
    running          run: from what was asked to a model in its folder
    own_card         the card of a model that was trained here
    trained          which models were, and their histories

Importing this package loads neither torch nor transformers; :func:`train` does when it is called.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from core.training.recipe import Kind, Progress, TrainingRecipe
from core.training.watching import Watching

__all__ = ["Kind", "Progress", "TrainingRecipe", "Watching", "train"]


def train(
    recipe: TrainingRecipe,
    texts: Sequence[Path],
    output: Path,
    validation: Path | None = None,
    *,
    resume: bool = True,
    watching: Watching = Watching(),  # noqa: B008 (frozen)
) -> Iterator[Progress]:
    """Train a model; see :func:`core.training.trainer.train`."""
    from core.training.trainer import train as start

    return start(recipe, texts, output, validation, resume=resume, watching=watching)
