"""Faster forms of a stack's parts, for scoring in single precision: the same numbers in fewer passes over memory.

Where gradients are needed, the parts stay as `core.models.plain.stack` writes them out.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from core.models.plain.shapes import Shape
from core.models.plain.stack import Attention, FeedForward, Stack, rates
from core.models.products import gated_product


def fuse(stack: Stack) -> None:
    """Replace the parts of a stack that have a faster form."""
    layer: Any
    for layer in stack.layers:
        layer.self_attn = FusedAttention(layer.self_attn)
        layer.mlp = FusedFeedForward(layer.mlp)


def turns(shape: Shape, positions: Tensor) -> Tensor:
    """The rotations at positions (B, T) as complex numbers of modulus 1, shape (B, T, 1, head width / 2)."""
    angles = positions[..., None].float() * rates(shape).to(positions.device)
    return torch.polar(torch.ones_like(angles), angles)[:, :, None]


class FusedAttention(nn.Module):
    """Queries, keys and values by one product; pairs of dimensions turned in place.

    The two dimensions of a pair, which Llama's weights have half a head apart, are made neighbours in queries and
    keys alike: dot products do not change, and a pair is one complex number.
    """

    def __init__(self, parts: Attention) -> None:
        super().__init__()
        self.heads, self.groups, self.head_width = parts.heads, parts.groups, parts.head_width
        made = [parts.q_proj, parts.k_proj, parts.v_proj]
        rows = [_paired(part.weight, self.head_width) for part in made[:2]] + [made[2].weight]
        self.joint = nn.Linear(rows[0].shape[1], sum(map(len, rows)), bias=made[0].bias is not None, device="meta")
        self.joint.weight = nn.Parameter(torch.cat(rows))
        if made[0].bias is not None:
            biases = [_paired(part.bias, self.head_width) for part in made[:2]] + [made[2].bias]
            self.joint.bias = nn.Parameter(torch.cat(biases))
        self.o_proj = parts.o_proj

    def forward(self, x: Tensor, turned: Tensor, allowed: Tensor | None, causal: bool) -> Tensor:
        """(B, T, D) to (B, T, D); `turned` as `turns` gives it.

        `allowed`, if any, is (B, 1, T or 1, T) and added to the attention scores; else `causal` says whether a token
        sees the earlier ones and itself only.
        """
        joint = self.joint(x).view(*x.shape[:2], -1, self.head_width)
        both = joint[:, :, : self.heads + self.groups].unflatten(-1, (-1, 2))
        torch.view_as_complex(both).mul_(turned)
        q, k, v = joint.transpose(1, 2).split([self.heads, self.groups, self.groups], dim=1)
        shared = self.groups < self.heads
        mixed = scaled_dot_product_attention(q, k, v, attn_mask=allowed, is_causal=causal, enable_gqa=shared)
        return torch.as_tensor(self.o_proj(mixed.transpose(1, 2).flatten(2)))


def _paired(rows: Tensor, head_width: int) -> Tensor:
    """The rows of a weight, or a bias, with the dimensions of each pair next to each other."""
    return rows.view(-1, 2, head_width // 2, *rows.shape[1:]).transpose(1, 2).reshape(rows.shape)


class FusedFeedForward(nn.Module):
    """Gates and their product along with the matrices."""

    def __init__(self, parts: FeedForward) -> None:
        super().__init__()
        self.gate_proj, self.up_proj, self.down_proj = parts.gate_proj, parts.up_proj, parts.down_proj

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, D) to (B, T, D)."""
        return torch.as_tensor(self.down_proj(gated_product(x, self.gate_proj, self.up_proj)))
