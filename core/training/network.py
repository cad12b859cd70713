"""The networks of `core.models.plain` as a recipe shapes them, with weights to begin from."""

from __future__ import annotations

import math

from torch import nn

from core.models.plain.encoder_decoder import EncoderDecoder
from core.models.plain.shapes import THETA, Shape
from core.models.plain.stack import Stack
from core.training.recipe import TrainingRecipe

ROPE_THETA = THETA
NORM_EPSILON = 1e-5


def shape_of(recipe: TrainingRecipe, vocabulary: int) -> Shape:
    """The sizes of a recipe's network."""
    layers, decodes = recipe.sides if recipe.kind == "seq2seq" else (recipe.layers, 0)
    return Shape(
        vocabulary=vocabulary,
        width=recipe.width,
        inner=recipe.feed_forward,
        layers=layers,
        heads=recipe.heads,
        head_width=recipe.width // recipe.heads,
        groups=recipe.heads,
        context=recipe.context,
        epsilon=NORM_EPSILON,
        theta=ROPE_THETA,
        causal=recipe.kind == "causal",
        decodes=decodes,
    )


def new_network(recipe: TrainingRecipe, vocabulary: int) -> Stack | EncoderDecoder:
    """A network with small embeddings, scaled matrices, and output projections of zero.

    Each layer begins as the identity. T5 divides the last states by the root of the width and does not scale
    attention scores.
    """
    shape = shape_of(recipe, vocabulary)
    network: Stack | EncoderDecoder = EncoderDecoder(shape) if shape.decodes else Stack(shape)
    if isinstance(network, EncoderDecoder):
        network.remember_distances(recipe.context)
        nn.init.constant_(network.decoder.norm.weight, math.sqrt(recipe.width))
    else:
        network.remember_angles(shape)
    nn.init.normal_(network.embed_tokens.weight, std=0.02)
    for name, parameter in network.named_parameters():
        if name.endswith(("o_proj.weight", "down_proj.weight", "position_bias.weight")):
            nn.init.zeros_(parameter)
        elif name.endswith("q_proj.weight") and shape.decodes:
            nn.init.normal_(parameter, std=1 / recipe.width)
        elif name.endswith("_proj.weight"):
            nn.init.normal_(parameter, std=1 / math.sqrt(parameter.shape[1]))
    return network
