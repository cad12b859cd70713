"""Train small language models from plain text, or existing models further, on a CPU or an accelerator.

    recipe           TrainingRecipe (the request), Progress (the report)
    trainer          train(recipe, texts, output): the resumable loop; saves when complete
    sentences        text files, paragraphs, sentences worth training on
    tokenizer        byte-level BPE: train, frame, save
    packing          text into units into rows of token ids
    data             the rows of one run and their order
    device           device, threads, half precision, a compiler
    network          the causal and the masked network, with weights as in Llama / EuroBERT
    encoder_decoder  the encoder-decoder network, with weights as in T5
    objectives       isolation of units, masking, next-token and masked losses
    corruption       training examples of an encoder-decoder: texts with gaps, and prefixes
    optimizer        Muon and AdamW with warm-up and cool-down
    checkpoint       work folder, checkpoints, publication by one rename
    alone            lock: one training at a time writes a model
    export           safetensors, config.json and tokenizer files for transformers
    watching         evaluation during training, snapshots, a request to stop
    best             the state with the lowest validation loss
    history          what a training reported, in a growing file
    card             the card of a model folder
    account          the card in plain words, for pages
    exclusion        evaluation data kept out of training text (`held_out.txt`: worked examples)

An existing model is trained further with transformers' Trainer:

    options          the options of experiment configurations
    documents        sequences of a text: sampled, held out
    chunks           documents into chunks into batches; masks
    watched          the Trainer, with progress at every step and loss per token
    continued        continue_training: from a model to a complete folder

or gets a small head for text pairs: `heads`. What a model gets right at
points of its training: `learning_curves`.

The verb `train` does both:

    specification    one training, as specified by flags, configuration or page
    corpus           sequences from files and tables, filtered, without the watched pairs
    filtering        sentences kept or dropped by regular expression
    sizes            model sizes by name; what this machine can train in a given time
    fresh            an untrained model, for training by epochs
    command          the choices on a page as a command line
    running          run: from a request to a model in its folder
    own_card         the card of a model trained here
    trained          the models trained here, with their histories

Importing this package loads neither torch nor transformers; calling :func:`train` does.
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
