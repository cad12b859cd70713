"""Train small language models from plain text, or continue training existing ones, on CPU or accelerator.

    recipe           TrainingRecipe; Progress, which a training reports
    trainer          train(recipe, texts, output): the loop, resumable, saves when complete
    sentences        text files, paragraphs, tidied sentences
    tokenizer        byte-level BPE: train, frame, save
    packing          from text to units to rows of token ids
    data             the rows of a run and their order
    device           device, threads, half precision, a compiler
    network          the networks of `core.models.plain` as a recipe shapes them, with weights to begin from
    objectives       isolation of units, masking, next-token and masked losses
    corruption       the tasks of an encoder-decoder: filling gaps, continuing prefixes
    optimizer        Muon and AdamW with warm-up and cool-down
    checkpoint       work folder, checkpoints, a request to stop, publication in one rename
    alone            the lock of a training
    export           safetensors, config.json and tokenizer files for transformers
    watching         looks at the model at moments of a training
    best             the state with the lowest validation loss
    history          the reports of a training, in a file that grows with it
    card             a model folder's description of itself
    account          the same in plain sentences, for pages
    exclusion        evaluation data that must not be in training text (`held_out.txt`: worked examples)

An existing model is trained further with transformers' Trainer:

    options          the options in experiments' configurations
    documents        sequences of a text, sampled and held out
    chunks           from documents to pieces to batches, masks
    watched          the Trainer, reporting every step, measuring loss per token
    continued        continue_training: from a model to a complete folder

or gets a small head for pairs of texts: `heads`. `learning_curves` follow a model's accuracy during training.

The verb `train` does both:

    specification    a training as requested by flags, configuration or page
    corpus           sequences from files and tables, filtered, without watched pairs
    filtering        sentences kept or dropped by regular expressions
    sizes            shapes of models by name, what a given time buys on this machine
    fresh            an untrained model, for training by epochs
    command          a training chosen on a page, as a command line
    running          run: from the specification to a model in its folder
    own_card         the card of a model that was trained here
    trained          the models that were trained here, and their histories

Importing this package loads neither torch nor transformers.
"""

from __future__ import annotations

from core.training.recipe import Kind, Progress, TrainingRecipe

__all__ = ["Kind", "Progress", "TrainingRecipe"]
