"""An untrained model: a tokenizer made from the text, a network with random weights."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict

import torch

from core.models import find
from core.settings import settings
from core.training.export import export
from core.training.network import new_network
from core.training.recipe import TrainingRecipe
from core.training.tokenizer import train_tokenizer
from core.types import Model


def fresh_model(recipe: TrainingRecipe, texts: Sequence[str]) -> Model:
    """The model, in the cache: the same recipe and texts give the same one."""
    state = hashlib.sha256(json.dumps(asdict(recipe), sort_keys=True).encode())
    for text in texts:
        state.update(text.encode("utf-8", "replace") + b"\0")
    folder = settings().cache / "fresh-models" / state.hexdigest()[:24]
    if not folder.is_dir():
        tokenizer = train_tokenizer(texts, recipe.vocabulary, recipe.kind, lower_case=recipe.lower_case)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(recipe.seed)
            network = new_network(recipe, tokenizer.get_vocab_size())
        part = folder.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        export(network, tokenizer, recipe, part)
        part.rename(folder)
    return find(folder)
