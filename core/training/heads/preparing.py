"""What a training begins with: pairs to train on and pairs that are held out, the optimizer, what identifies it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import torch
from transformers import get_cosine_with_hard_restarts_schedule_with_warmup

from core.errors import InputError
from core.models.loading import load_tokenizer, load_window
from core.models.pooled import PooledClassifier
from core.training.heads.pairs import Encoded, LabelledPair, encoded
from core.training.heads.recipe import HeadRecipe
from core.training.heads.saved import Head
from core.types import Model

MOST_VALIDATED = 2000
"""Held-out pairs that a measurement reads, at most."""


def request(head: Head, base: Model, examples: Sequence[LabelledPair], recipe: HeadRecipe) -> dict[str, Any]:
    """What determines the result, for telling whether an unfinished run is of the same."""
    content = hashlib.sha256()
    for first, second, label in examples:
        content.update(f"{first}\0{second}\0{label}\n".encode())
    return {
        "head": {"task": head.task, "labels": list(head.labels)},
        "base": base.weights,
        "recipe": recipe.as_dict(),
        "examples": content.hexdigest(),
    }


def split(examples: Sequence[LabelledPair], base: Model, recipe: HeadRecipe) -> tuple[Encoded, Encoded]:
    """Pairs to train on and pairs that are held out, drawn with the seed; InputError if there are too few."""
    chance = torch.Generator().manual_seed(recipe.seed)
    order = torch.randperm(len(examples), generator=chance).tolist()
    held = min(MOST_VALIDATED, max(1, round(recipe.validation_share * len(examples))))
    longest = min(recipe.longest, load_window(base))
    tokenizer = load_tokenizer(base)
    parts = (order[held:], order[:held])
    training, validation = (encoded([examples[place] for place in part], tokenizer, longest) for part in parts)
    if not len(training) or not len(validation):
        raise InputError(f"{len(examples):,} pairs, of at most {longest} tokens, are too few to train a head.")
    return training, validation


def optimizer_of(network: PooledClassifier, recipe: HeadRecipe, steps: int) -> tuple[torch.optim.Optimizer, Any]:
    """AdamW (Loshchilov & Hutter 2019), a rate for the base and one for the head, and their schedule."""

    core = [parameter for parameter in network.base.parameters() if parameter.requires_grad]
    head = [*network.dense.parameters(), *network.out.parameters()]
    groups = [{"params": core, "lr": recipe.core_rate}, {"params": head, "lr": recipe.head_rate}]
    optimizer = torch.optim.AdamW(groups, weight_decay=recipe.weight_decay)
    warm_up = int(steps * recipe.warm_up) + 1
    return optimizer, get_cosine_with_hard_restarts_schedule_with_warmup(optimizer, warm_up, steps)
