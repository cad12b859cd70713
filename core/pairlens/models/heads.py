"""Small heads over an existing model: a folder with what was learned beside the base's own weights.

    config.json         task (classifier or next-sentence), base and the sha256 of its weights, labels, rank, pooling,
                        and the ids that the pair layout puts before, between and after two texts
    head.safetensors    in half precision: per matrix of the base `delta.NAME.down` (in, rank) and `delta.NAME.up`
                        (rank, out), whose product is added to it (Hu et al. 2022, LoRA), per vector, or matrix that
                        was trained as such, `delta.NAME` itself; `head.dense` and `head.out`
    card.json           what the catalogue shows

The network is the base without its own head, its matrices with the deltas added; the last layer's states, averaged
over the tokens of either text; both means, their difference and product; a layer of the base's width with GELU; one
logit per label.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairlens.errors import ModelError
from pairlens.models import adapters, checkpoint, gguf
from pairlens.models.tokenizer import PairFrame, Tokenizer
from pairlens.types import Model

if TYPE_CHECKING:
    from torch import Tensor

ARCHITECTURE = "PairlensHead"
WEIGHTS = "head.safetensors"
TASKS = ("classifier", "next-sentence")
NEXT_LABELS = ("next", "not next")
"""What the outputs of a next-sentence head mean, in the order of BERT's (Devlin et al. 2019)."""
BASES = ("causal", "masked")
"""The kinds of model that a head can have as its base."""


def is_head(folder: Path) -> bool:
    return (folder / WEIGHTS).is_file()


def refuse_other_bases(model: Model) -> None:
    if adapters.is_adapter(model.folder):
        raise ModelError(f"'{model.name}' is an adapter; a head stands on whole weights: merge it with its base.")
    if gguf.is_file(model.folder):
        raise ModelError(f"'{model.name}' is a GGUF file; a head stands on its original.")
    if model.kind not in BASES:
        raise ModelError(f"'{model.name}' is a {model.kind} model; a head stands on a causal or masked one.")


def framed(tokenizer: Tokenizer, model: Model) -> Tokenizer:
    pair = config_of(model.name, model.folder)["pair"]
    before, between, after = (tuple(pair[part]) for part in ("before", "between", "after"))
    return replace(tokenizer, pair=PairFrame(before, between, after, tuple(pair["types"])))


def merged(original: Tensor, weights: Mapping[str, Tensor], name: str, *, transposed: bool) -> Tensor:
    """A parameter of the base with its delta added, in single precision; unchanged if there is none."""
    key = f"delta.{name}"
    if key in weights:
        return original + weights[key].float()
    if f"{key}.down" not in weights:
        return original
    delta = weights[f"{key}.down"].float() @ weights[f"{key}.up"].float()
    return original + (delta.T if transposed else delta)


def config_of(name: str, folder: Path) -> dict[str, Any]:
    config = checkpoint.read_json(folder / "config.json", name)
    missing = [key for key in ("task", "base", "base_weights", "id2label", "pair") if key not in config]
    if missing or config["task"] not in TASKS:
        wrong = f"lacks {missing[0]}" if missing else f"has the task '{config['task']}'"
        raise ModelError(f"'{name}': the config.json of its head {wrong}; train it again.")
    return config
