"""An encoder-decoder: pre-norm transformers with relative positions, in the shapes of T5 (Raffel et al. 2020).

Letters in shapes: B rows, T tokens in a row of the decoder, S of the encoder, D width, H heads, V vocabulary.
"""

import math
import re

import torch
from torch import Tensor, nn
from torch.nn import functional

from pairlens.models.plain.shapes import Shape
from pairlens.models.plain.stack import GatedUnits, Norm, Projections, table


def buckets(positions: Tensor, shape: Shape, *, both_ways: bool) -> Tensor:
    """Bucket of the distance from query to key, (..., T) to (..., T, T): exact when near, then logarithmic."""
    distance = positions[..., None, :] - positions[..., :, None]
    number = shape.buckets // 2 if both_ways else shape.buckets
    after = (distance > 0).long() * number if both_ways else torch.zeros_like(distance)
    distance = distance.abs() if both_ways else (-distance).clamp(min=0)
    exact = number // 2
    far = torch.log(distance.clamp(min=1).float() / exact) / math.log(shape.farthest / exact) * (number - exact)
    return after + torch.where(distance < exact, distance, (exact + far.long()).clamp(max=number - 1))


class Attention(Projections):
    """Queries from `x`, keys and values from `seen`; scores are not scaled, `bias` is added to them."""

    def forward(self, x: Tensor, seen: Tensor, bias: Tensor | None) -> Tensor:
        """x (B, T, D), seen (B, S, D), bias (B, H or 1, T, S) to (B, T, D)."""
        q, k, v = (
            project(part).view(*part.shape[:2], -1, self.head_width).transpose(1, 2)
            for project, part in ((self.q_proj, x), (self.k_proj, seen), (self.v_proj, seen))
        )
        bias = bias if bias is None else bias.to(v.dtype)
        mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=bias, scale=1.0)
        return torch.as_tensor(self.o_proj(mixed.transpose(1, 2).flatten(2)))


class FeedForward(GatedUnits):
    def forward(self, x: Tensor) -> Tensor:
        gate = functional.gelu(self.gate_proj(x), approximate="tanh")
        return torch.as_tensor(self.down_proj(gate * self.up_proj(x)))


class Rectified(nn.Module):
    """The feed-forward layer of the first T5."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.up_proj = nn.Linear(shape.width, shape.inner, bias=False)
        self.down_proj = nn.Linear(shape.inner, shape.width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return torch.as_tensor(self.down_proj(functional.relu(self.up_proj(x))))


class Layer(nn.Module):
    """Attention to its own side, in a decoder also to the encoder's, and feed-forward."""

    def __init__(self, shape: Shape, *, decodes: bool) -> None:
        super().__init__()
        self.self_attn = Attention(shape)
        self.self_norm = Norm(shape.width, shape.epsilon)
        self.cross_attn = Attention(shape) if decodes else None
        self.cross_norm = Norm(shape.width, shape.epsilon) if decodes else None
        self.mlp = FeedForward(shape) if shape.gated else Rectified(shape)
        self.mlp_norm = Norm(shape.width, shape.epsilon)

    def forward(self, x: Tensor, bias: Tensor, seen: Tensor | None = None, cross: Tensor | None = None) -> Tensor:
        """x (B, T, D), bias (B, H, T, T), seen (B, S, D), cross (B, 1, T, S) to (B, T, D)."""
        normed = self.self_norm(x)
        x = x + self.self_attn(normed, normed, bias)
        if self.cross_attn is not None and self.cross_norm is not None and seen is not None:
            x = x + self.cross_attn(self.cross_norm(x), seen, cross)
        return torch.as_tensor(x + self.mlp(self.mlp_norm(x)))


class Side(nn.Module):
    """The layers of an encoder or a decoder, which share one table of position biases."""

    position_bias: nn.Embedding

    def __init__(self, shape: Shape, *, decodes: bool) -> None:
        super().__init__()
        self.shape, self.both_ways = shape, not decodes
        count = shape.decodes if decodes else shape.layers
        self.layers = nn.ModuleList(Layer(shape, decodes=decodes) for _ in range(count))
        self.position_bias = table(shape.buckets, shape.heads)
        self.norm = Norm(shape.width, shape.epsilon)

    def bias(self, positions: Tensor) -> Tensor:
        """What distances between positions (B, T) add to attention scores, shape (B, H, T, T)."""
        return torch.as_tensor(
            self.position_bias(buckets(positions, self.shape, both_ways=self.both_ways)).permute(0, 3, 1, 2)
        )

    def forward(self, x: Tensor, bias: Tensor, seen: Tensor | None = None, cross: Tensor | None = None) -> Tensor:
        """x (B, T, D), bias (B or 1, H, T, T), seen (B, S, D), cross (B, 1, 1 or T, S) to (B, T, D)."""
        for layer in self.layers:
            x = layer(x, bias, seen, cross)
        return torch.as_tensor(self.norm(x))


class EncoderDecoder(nn.Module):
    """Both sides and their embeddings; what the decoder's states are multiplied by, before logits, is `scale`."""

    encoder: Side
    decoder: Side

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.scale = shape.width**-0.5 if shape.scaled else 1.0
        self.embed_tokens = table(shape.vocabulary, shape.width)
        self.encoder = Side(shape, decodes=False)
        self.decoder = Side(shape, decodes=True)


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


def as_t5(name: str, *, gated: bool = True) -> str:
    for pattern, by in T5_PARTS:
        name = re.sub(pattern, by, name)
    return name if gated else name.replace("wi_1", "wi")
