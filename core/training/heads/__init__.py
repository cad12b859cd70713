"""Train a head for pairs of texts over an unchanged model: a classifier, or a next-sentence head.

    recipe          HeadRecipe; the values for low-rank deltas, and those for training all weights
    tables          premise, hypothesis and label from a table
    following       adjacent sentences and others, from running text
    pairs           pairs as token ids, split, in batches of similar length
    low_rank        deltas of two thin matrices beside a network's own
    trainer         train_head: the loop, resumable, the best state kept
    saved           the folder of a head (`core.models.heads`), its card

The loop is our own: only a few thin matrices are trained, so a checkpoint holds these and not the base, batches are
formed by length, and the best state is kept in memory; transformers' Trainer saves complete models.
"""

from __future__ import annotations

from core.training.heads.recipe import FULL, LOW_RANK, HeadRecipe

__all__ = ["FULL", "LOW_RANK", "HeadRecipe"]
