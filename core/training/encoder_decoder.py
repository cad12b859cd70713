"""An encoder-decoder that is trained: pre-norm transformers with relative positions and gated units.

Shapes are those of T5 (Raffel et al. 2020) in its version 1.1 with tied embeddings, so the weights load as
`T5ForConditionalGeneration`; :func:`as_t5` gives a parameter's name there. Like :mod:`core.training.network` it is
written out to compile to one fast graph and to read rows that hold several texts.
Letters in shapes: B rows, T tokens in a row of the decoder, S of the encoder, D width, H heads, V vocabulary.
"""

from __future__ import annotations

import math
import re

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.training.network import GatedUnits, Norm, Projections
from core.training.recipe import TrainingRecipe

BUCKETS = 32
FARTHEST = 128
"""Distances from here on share a bucket."""


def buckets(length: int, *, both_ways: bool) -> Tensor:
    """Bucket of the distance from each query (row) to each key (column): exact when near, logarithmic when far."""
    distance = torch.arange(length)[None, :] - torch.arange(length)[:, None]
    number = BUCKETS // 2 if both_ways else BUCKETS
    after = (distance > 0).long() * number if both_ways else torch.zeros_like(distance)
    distance = distance.abs() if both_ways else (-distance).clamp(min=0)
    exact = number // 2
    far = torch.log(distance.clamp(min=1).float() / exact) / math.log(FARTHEST / exact) * (number - exact)
    return after + torch.where(distance < exact, distance, (exact + far.long()).clamp(max=number - 1))


class Attention(Projections):
    """Queries from `x`, keys and values from `seen`; scores are not scaled, `bias` is added to them."""

    def forward(self, x: Tensor, seen: Tensor, bias: Tensor) -> Tensor:
        """x (B, T, D), seen (B, S, D), bias (B, H or 1, T, S) to (B, T, D)."""
        b, t, d = x.shape
        q, k, v = (
            project(part).view(b, -1, self.heads, d // self.heads).transpose(1, 2)
            for project, part in ((self.q_proj, x), (self.k_proj, seen), (self.v_proj, seen))
        )
        mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=bias.to(v.dtype), scale=1.0)
        return torch.as_tensor(self.o_proj(mixed.transpose(1, 2).reshape(b, t, d)))


class FeedForward(GatedUnits):
    """GEGLU."""

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, D) to (B, T, D)."""
        gate = functional.gelu(self.gate_proj(x), approximate="tanh")
        return torch.as_tensor(self.down_proj(gate * self.up_proj(x)))


class Layer(nn.Module):
    """Attention to its own side, in a decoder also to the encoder's, and feed-forward."""

    def __init__(self, recipe: TrainingRecipe, *, decodes: bool) -> None:
        super().__init__()
        self.self_attn = Attention(recipe.width, recipe.heads)
        self.self_norm = Norm(recipe.width)
        self.cross_attn = Attention(recipe.width, recipe.heads) if decodes else None
        self.cross_norm = Norm(recipe.width) if decodes else None
        self.mlp = FeedForward(recipe.width, recipe.feed_forward)
        self.mlp_norm = Norm(recipe.width)

    def forward(self, x: Tensor, bias: Tensor, seen: Tensor | None = None, cross: Tensor | None = None) -> Tensor:
        """x (B, T, D), bias (B, H, T, T), seen (B, S, D), cross (B, 1, T, S) to (B, T, D)."""
        normed = self.self_norm(x)
        x = x + self.self_attn(normed, normed, bias)
        if self.cross_attn is not None and self.cross_norm is not None and seen is not None and cross is not None:
            x = x + self.cross_attn(self.cross_norm(x), seen, cross)
        return torch.as_tensor(x + self.mlp(self.mlp_norm(x)))


class Side(nn.Module):
    """The layers of an encoder or a decoder, which share one table of position biases."""

    bucket: Tensor

    def __init__(self, recipe: TrainingRecipe, *, decodes: bool) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(recipe, decodes=decodes) for _ in range(recipe.layers // 2))
        self.position_bias = nn.Embedding(BUCKETS, recipe.heads)
        self.norm = Norm(recipe.width)
        self.register_buffer("bucket", buckets(recipe.context, both_ways=not decodes), persistent=False)

    def forward(self, x: Tensor, allowed: Tensor, seen: Tensor | None = None, cross: Tensor | None = None) -> Tensor:
        """x (B, T, D), allowed (B, 1, T, T) to (B, T, D)."""
        bias = self.position_bias(self.bucket).permute(2, 0, 1).unsqueeze(0) + allowed
        for layer in self.layers:
            x = layer(x, bias, seen, cross)
        return torch.as_tensor(self.norm(x))


class EncoderDecoder(nn.Module):
    """Token ids of both sides to the decoder's hidden states; logits are `hidden @ embed_tokens.weight.T`."""

    def __init__(self, recipe: TrainingRecipe, vocabulary: int) -> None:
        super().__init__()
        self.scale = recipe.width**-0.5
        self.embed_tokens = nn.Embedding(vocabulary, recipe.width)
        self.encoder = Side(recipe, decodes=False)
        self.decoder = Side(recipe, decodes=True)
        self.initialize(recipe.width)

    def initialize(self, width: int) -> None:
        """As in :class:`core.training.network.Network`; T5 divides the last states by the root of the width."""
        nn.init.normal_(self.embed_tokens.weight, std=0.02)
        for name, parameter in self.named_parameters():
            if name.endswith(("o_proj.weight", "down_proj.weight", "position_bias.weight")):
                nn.init.zeros_(parameter)
            elif name.endswith("q_proj.weight"):
                nn.init.normal_(parameter, std=1 / width)
            elif name.endswith("_proj.weight"):
                nn.init.normal_(parameter, std=1 / math.sqrt(parameter.shape[1]))
        nn.init.constant_(self.decoder.norm.weight, math.sqrt(width))

    def forward(self, sources: Tensor, inputs: Tensor, among: Tensor, before: Tensor, across: Tensor) -> Tensor:
        """Ids sources (B, S) and inputs (B, T); what sees what (B, 1, S, S), (B, 1, T, T), (B, 1, T, S)."""
        seen = self.encoder(self.embed_tokens(sources), among)
        hidden = self.decoder(self.embed_tokens(inputs), before, seen, across)
        return torch.as_tensor(hidden * self.scale)


T5_PARTS = (
    (r"^embed_tokens", "shared"),
    (r"^(encoder|decoder)\.position_bias", r"\1.block.0.layer.0.SelfAttention.relative_attention_bias"),
    (r"^(encoder|decoder)\.norm", r"\1.final_layer_norm"),
    (r"^(encoder|decoder)\.layers\.(\d+)\.self_attn\.(.)_proj", r"\1.block.\2.layer.0.SelfAttention.\3"),
    (r"^(encoder|decoder)\.layers\.(\d+)\.self_norm", r"\1.block.\2.layer.0.layer_norm"),
    (r"^decoder\.layers\.(\d+)\.cross_attn\.(.)_proj", r"decoder.block.\1.layer.1.EncDecAttention.\2"),
    (r"^decoder\.layers\.(\d+)\.cross_norm", r"decoder.block.\1.layer.1.layer_norm"),
    (r"^(encoder)\.layers\.(\d+)\.mlp(\.|_norm)", r"\1.block.\2.layer.1.mlp\3"),
    (r"^(decoder)\.layers\.(\d+)\.mlp(\.|_norm)", r"\1.block.\2.layer.2.mlp\3"),
    (r"mlp_norm", "layer_norm"),
    (r"mlp\.gate_proj", "DenseReluDense.wi_0"),
    (r"mlp\.up_proj", "DenseReluDense.wi_1"),
    (r"mlp\.down_proj", "DenseReluDense.wo"),
)


def as_t5(name: str) -> str:
    """The name that a parameter has in `T5ForConditionalGeneration`."""
    for pattern, by in T5_PARTS:
        name = re.sub(pattern, by, name)
    return name
