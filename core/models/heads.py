"""Small heads over a model that is there already: a folder with what was learned beside the base's own weights.

    config.json         task (classifier or next-sentence), base and the sha256 of its weights, labels, rank, pooling,
                        and the ids that the pair layout puts before, between and after two texts
    head.safetensors    in half precision: per matrix of the base `delta.NAME.down` (in, rank) and `delta.NAME.up`
                        (rank, out), whose product is added to it (Hu et al. 2022, LoRA), per vector, or matrix that
                        was trained whole, `delta.NAME` itself; `head.dense` and `head.out`
    card.json           what the catalogue says

The network is the base without its own head, its matrices with the deltas added; the last layer's states, averaged
over the tokens of either text; both means, their difference and product; a layer of the base's width with GELU; one
logit per label.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import ModelError
from core.models import checkpoint, digests
from core.models.tokenizer import PairFrame, Tokenizer
from core.types import Model

if TYPE_CHECKING:
    from torch import Tensor

ARCHITECTURE = "PairlensHead"
WEIGHTS = "head.safetensors"
TASKS = ("classifier", "next-sentence")
NEXT_LABELS = ("next", "not next")
"""What the outputs of a next-sentence head mean, in the order of BERT's (Devlin et al. 2019)."""
BASES = ("causal", "masked")
"""The kinds of model that a head can stand on."""


def is_head(folder: Path) -> bool:
    """Whether a folder holds a head and not a whole model."""
    return (folder / WEIGHTS).is_file()


def refuse_other_bases(model: Model) -> None:
    """ModelError for a model that no head can stand on, whatever its weights are."""
    if model.kind not in BASES:
        raise ModelError(f"'{model.name}' is a {model.kind} model; a head stands on a causal or masked one.")


def described(name: str, folder: Path, *, bundled: bool, card: Mapping[str, Any]) -> Model:
    """The model that a head and its base are together; its digests cover both.

    ModelError if the base is missing or has other weights than those the head was trained on.
    """
    config = _config(name, folder)
    base = _base(name, config)
    weights = digests.of_file(folder / WEIGHTS)
    return Model(
        name=name,
        kind=config["task"],
        folder=folder,
        weights=hashlib.sha256(f"{base.weights}\n{weights}".encode()).hexdigest(),
        tokenizer=base.tokenizer,
        config=digests.of_settings({**config, "base": "", "base_config": base.config}),
        bundled=bundled,
        code=base.code,
        card=card,
    )


def base_of(model: Model) -> Model:
    """The model that a head stands on; any other model is its own base."""
    return _base(model.name, _config(model.name, model.folder)) if is_head(model.folder) else model


def framed(tokenizer: Tokenizer, model: Model) -> Tokenizer:
    """The base's tokenizer with the layout of pairs that the head was trained with."""
    pair = _config(model.name, model.folder)["pair"]
    before, between, after = (tuple(pair[part]) for part in ("before", "between", "after"))
    return replace(tokenizer, pair=PairFrame(before, between, after, tuple(pair["types"])))


def network(model: Model, dtype: str) -> Any:
    """Base and head in memory as one network that gives `logits` (rows, labels)."""
    import safetensors
    import torch
    from safetensors.torch import load_file

    from core.models.pooled import PooledClassifier, load_base

    config = _config(model.name, model.folder)
    try:
        weights = load_file(model.folder / WEIGHTS)
    except safetensors.SafetensorError as error:
        raise ModelError(f"'{model.name}': its {WEIGHTS} is damaged ({error}); get it again.") from error
    separator = config["pair"]["between"][0]
    module = PooledClassifier(load_base(_base(model.name, config)), separator, len(config["id2label"]))
    try:
        module.take(weights)
    except (AttributeError, RuntimeError, KeyError) as error:
        raise ModelError(f"'{model.name}': its {WEIGHTS} does not fit its base '{config['base']}'.") from error
    return module.to(getattr(torch, dtype))


def merged(kept: Tensor, weights: Mapping[str, Tensor], name: str, *, transposed: bool) -> Tensor:
    """A parameter of the base with its delta added, in single precision; as it was if there is none."""
    key = f"delta.{name}"
    if key in weights:
        return kept + weights[key].float()
    if f"{key}.down" not in weights:
        return kept
    delta = weights[f"{key}.down"].float() @ weights[f"{key}.up"].float()
    return kept + (delta.T if transposed else delta)


def _config(name: str, folder: Path) -> dict[str, Any]:
    config = checkpoint.read_json(folder / "config.json", name)
    missing = [key for key in ("task", "base", "base_weights", "id2label", "pair") if key not in config]
    if missing or config["task"] not in TASKS:
        wrong = f"lacks {missing[0]}" if missing else f"has the task '{config['task']}'"
        raise ModelError(f"'{name}': the config.json of its head {wrong}; train it again.")
    return config


def _base(name: str, config: Mapping[str, Any]) -> Model:
    from core.models.resolve import find

    try:
        base = find(str(config["base"]))
    except ModelError as error:
        raise ModelError(f"'{name}' is a head over '{config['base']}', which is missing: {error}") from error
    if base.weights != config["base_weights"]:
        raise ModelError(
            f"'{name}' was trained over '{config['base']}' with other weights than that model has now: train it anew."
        )
    return base
