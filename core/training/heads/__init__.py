"""Train a head for pairs of texts over a model that exists, which stays as it is: classes, or what comes next.

    recipe          HeadRecipe: what is asked; the values for low-rank deltas, and those for training everything
    tables          premise, hypothesis and label from a table
    following       adjacent sentences and others, from running text
    pairs           pairs as token ids, in batches of like length
    low_rank        deltas of two thin matrices beside a network's own
    preparing       the split, the optimizer, what identifies a training
    trainer         train_head: the loop, resumable, the best state kept
    saved           the folder of a head (`core.models.heads`), its card

The loop is our own: what is trained is a few thin matrices, so a checkpoint must hold these and not the base, batches
are made by length, and the best state is kept in memory; transformers' Trainer saves whole models.
"""

from __future__ import annotations

from core.training.heads.recipe import FULL, LOW_RANK, HeadRecipe

__all__ = ["FULL", "LOW_RANK", "HeadRecipe"]
