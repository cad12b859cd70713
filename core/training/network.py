"""The network that is trained: a pre-norm transformer with rotary positions and gated units.

Shapes and parameter names are those of Llama (Touvron et al. 2023) with tied embeddings, so the
weights load as `LlamaForCausalLM`, and with attention in both directions as
`EuroBertForMaskedLM` (Boizard et al. 2025), which is the same network without the causal mask.
It is written out here, and not taken from transformers, to compile to one fast graph.
Letters in shapes: B rows, T tokens in a row, D width, H heads, V vocabulary.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.training.recipe import TrainingRecipe

ROPE_THETA = 10000.0
NORM_EPSILON = 1e-5


def rotary_table(context: int, head_width: int) -> tuple[Tensor, Tensor]:
    """Cosines and sines of Su et al. 2021, each of shape (context, head width)."""
    rates = ROPE_THETA ** (-torch.arange(0, head_width, 2, dtype=torch.float32) / head_width)
    angles = torch.arange(context, dtype=torch.float32)[:, None] * rates[None, :]
    angles = torch.cat([angles, angles], dim=-1)
    return angles.cos(), angles.sin()


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turn queries or keys, shape (B, H, T, D / H), by their positions; cos and sin (B, 1, T, D / H)."""
    left, right = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-right, left], dim=-1) * sin


class Norm(nn.Module):
    """Root-mean-square normalization (Zhang and Sennrich 2019)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        """Same shape as `x`, (..., D)."""
        return functional.rms_norm(x, (x.shape[-1],), self.weight, NORM_EPSILON)


class Projections(nn.Module):
    """The matrices of an attention layer."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.q_proj = nn.Linear(width, width, bias=False)
        self.k_proj = nn.Linear(width, width, bias=False)
        self.v_proj = nn.Linear(width, width, bias=False)
        self.o_proj = nn.Linear(width, width, bias=False)


class Attention(Projections):
    """Attention between the tokens that `allowed` lets see each other."""

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, allowed: Tensor) -> Tensor:
        """(B, T, D) to (B, T, D); `allowed` is (B, 1, T, T), added to the attention scores."""
        b, t, d = x.shape
        weight = torch.cat([self.q_proj.weight, self.k_proj.weight, self.v_proj.weight])
        joint = functional.linear(x, weight).view(b, t, 3, self.heads, d // self.heads)
        q, k, v = joint.permute(2, 0, 3, 1, 4)
        q, k = rotate(q, cos, sin).to(v.dtype), rotate(k, cos, sin).to(v.dtype)
        mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=allowed.to(v.dtype))
        return torch.as_tensor(self.o_proj(mixed.transpose(1, 2).reshape(b, t, d)))


class GatedUnits(nn.Module):
    """The matrices of a gated feed-forward layer (Shazeer 2020)."""

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(width, inner, bias=False)
        self.up_proj = nn.Linear(width, inner, bias=False)
        self.down_proj = nn.Linear(inner, width, bias=False)


class FeedForward(GatedUnits):
    """SwiGLU."""

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, D) to (B, T, D)."""
        weight = torch.cat([self.gate_proj.weight, self.up_proj.weight])
        gate, up = functional.linear(x, weight).chunk(2, dim=-1)
        return torch.as_tensor(self.down_proj(functional.silu(gate) * up))


class Layer(nn.Module):
    """Attention and feed-forward, each on a normalized copy and added back."""

    def __init__(self, recipe: TrainingRecipe) -> None:
        super().__init__()
        self.self_attn = Attention(recipe.width, recipe.heads)
        self.mlp = FeedForward(recipe.width, recipe.feed_forward)
        self.input_layernorm = Norm(recipe.width)
        self.post_attention_layernorm = Norm(recipe.width)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, allowed: Tensor) -> Tensor:
        """(B, T, D) to (B, T, D)."""
        x = x + self.self_attn(self.input_layernorm(x), cos, sin, allowed)
        return torch.as_tensor(x + self.mlp(self.post_attention_layernorm(x)))


class Network(nn.Module):
    """Token ids to hidden states; logits are `hidden @ embed_tokens.weight.T`."""

    cos: Tensor
    sin: Tensor

    def __init__(self, recipe: TrainingRecipe, vocabulary: int) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(vocabulary, recipe.width)
        self.layers = nn.ModuleList(Layer(recipe) for _ in range(recipe.layers))
        self.norm = Norm(recipe.width)
        cos, sin = rotary_table(recipe.context, recipe.width // recipe.heads)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)
        self.initialize()

    def initialize(self) -> None:
        """Small embeddings, scaled matrices, and output projections of zero (each layer begins
        as the identity)."""
        nn.init.normal_(self.embed_tokens.weight, std=0.02)
        for name, parameter in self.named_parameters():
            if name.endswith(("o_proj.weight", "down_proj.weight")):
                nn.init.zeros_(parameter)
            elif name.endswith("_proj.weight"):
                nn.init.normal_(parameter, std=1 / math.sqrt(parameter.shape[1]))

    def forward(self, ids: Tensor, positions: Tensor, allowed: Tensor) -> Tensor:
        """Ids and positions (B, T), allowed (B, 1, T, T) to hidden states (B, T, D)."""
        x = self.embed_tokens(ids)
        cos, sin = self.cos[positions].unsqueeze(1), self.sin[positions].unsqueeze(1)
        for layer in self.layers:
            x = layer(x, cos, sin, allowed)
        return torch.as_tensor(self.norm(x))
