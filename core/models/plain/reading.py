"""Weights from safetensors into the networks of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import ModelError
from core.models.checkpoint import read_json, shapes
from core.models.plain.shapes import Shape, shape_of
from core.types import Model

if TYPE_CHECKING:
    from core.models.plain.called import Called

_WEIGHTS = "model.safetensors"
_HEAD = "lm_head."


def recognised(model: Model, head: str) -> Shape | None:
    """The shape of a model that one of these networks is, by its config; None for others."""
    if model.code or not (model.folder / _WEIGHTS).is_file():
        return None
    return shape_of(read_json(model.folder / "config.json", model.name), head)


def network(model: Model, head: str) -> Called | None:
    """A model in memory, in single precision; None if it, or one of its weights, is not known here.

    ModelError if its file is damaged.
    """
    shape = recognised(model, head)
    if shape is None:
        return None
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    from core.models.plain.called import LanguageModel, SequenceToSequence

    config = read_json(model.folder / "config.json", model.name)
    with torch.device("meta"):
        built: Called = (SequenceToSequence if shape.decodes else LanguageModel)(shape, config)
    wanted = {_there(name, shape): (name, tuple(part.shape)) for name, part in built.state_dict().items()}
    if shape.tied:
        del wanted[f"{_HEAD}weight"]
    path = model.folder / _WEIGHTS
    if shapes(path) != {name: size for name, (_, size) in wanted.items()}:
        return None
    try:
        found = load_file(path)
    except SafetensorError as error:
        raise ModelError(f"'{model.name}': its weight file is damaged ({error}); get it again.") from error
    if not all(one.is_floating_point() for one in found.values()):
        return None
    weights = {wanted[name][0]: one.to(torch.float32) for name, one in found.items()}
    if shape.tied:
        weights[f"{_HEAD}weight"] = weights["body.embed_tokens.weight"]
    built.load_state_dict(weights, assign=True)
    with torch.no_grad():
        built.ready()
    return built


def _there(name: str, shape: Shape) -> str:
    from core.models.plain.encoder_decoder import as_t5

    if name.startswith(_HEAD):
        return name
    own = name.removeprefix("body.")
    return as_t5(own, gated=shape.gated) if shape.decodes else f"model.{own}"
