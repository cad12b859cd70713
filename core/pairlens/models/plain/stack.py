"""A pre-norm transformer with rotary positions and gated units, as it is trained here and as it scores.

Shapes and parameter names are those of Llama (Touvron et al. 2023), so that weights load as `LlamaForCausalLM`, and
with attention in both directions as `EuroBertForMaskedLM` (Boizard et al. 2025). It is written out here to start
without transformers and to compile to one graph.

Letters in shapes: B rows, T tokens in a row, D width, H heads, G groups of heads, V vocabulary.
"""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from pairlens.models.plain.shapes import Shape


def rates(shape: Shape) -> Tensor:
    """Radians per position of each pair of dimensions, shape (head width / 2), in single precision (Su et al. 2021).

    Under linear scaling all are divided by a factor; under Llama 3's (Dubey et al. 2024) those whose wavelength is
    long beside the original window, with a smooth passage to the others.
    """
    plain = 1 / shape.theta ** (torch.arange(0, shape.head_width, 2, dtype=torch.float32) / shape.head_width)
    if not shape.scaling:
        return plain
    scaling = dict(shape.scaling)
    if len(scaling) == 1:
        return plain / scaling["factor"]
    window, low, high = (
        scaling[name] for name in ("original_max_position_embeddings", "low_freq_factor", "high_freq_factor")
    )
    share = ((window * plain / (2 * math.pi) - low) / (high - low)).clamp(0, 1)
    return (1 - share) * plain / scaling["factor"] + share * plain


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turn queries or keys, shape (B, H, T, head width), by their positions; cos and sin (B, 1, T, head width)."""
    left, right = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-right, left], dim=-1) * sin


def table(rows: int, width: int) -> nn.Embedding:
    """Embeddings without values: drawing them where there is no memory (`meta`) would import torch's compiler."""
    embedding: nn.Embedding = nn.Embedding.from_pretrained(  # type: ignore[no-untyped-call]
        torch.empty(rows, width), freeze=False
    )
    return embedding


class Norm(nn.Module):
    """Root-mean-square normalization (Zhang and Sennrich 2019)."""

    def __init__(self, width: int, epsilon: float) -> None:
        super().__init__()
        self.epsilon = epsilon
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        return functional.rms_norm(x, (x.shape[-1],), self.weight, self.epsilon)


class Projections(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads, self.groups, self.head_width = shape.heads, shape.groups, shape.head_width
        wide, narrow, bias = shape.heads * shape.head_width, shape.groups * shape.head_width, shape.attention_bias
        self.q_proj = nn.Linear(shape.width, wide, bias=bias)
        self.k_proj = nn.Linear(shape.width, narrow, bias=bias)
        self.v_proj = nn.Linear(shape.width, narrow, bias=bias)
        self.o_proj = nn.Linear(wide, shape.width, bias=bias)


class Attention(Projections):
    """Attention between the tokens that `allowed` lets see each other."""

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, allowed: Tensor) -> Tensor:
        """(B, T, D) to (B, T, D); `allowed` is (B, 1, T, T), added to the attention scores."""
        parts = (self.q_proj, self.k_proj, self.v_proj)
        weight = torch.cat([part.weight for part in parts])
        bias = torch.cat([part.bias for part in parts]) if self.q_proj.bias is not None else None
        joint = functional.linear(x, weight, bias).view(*x.shape[:2], -1, self.head_width).transpose(1, 2)
        q, k, v = torch.split(joint, [self.heads, self.groups, self.groups], dim=1)
        q, k = rotate(q, cos, sin).to(v.dtype), rotate(k, cos, sin).to(v.dtype)
        shared = self.groups < self.heads
        mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=allowed.to(v.dtype), enable_gqa=shared)
        return torch.as_tensor(self.o_proj(mixed.transpose(1, 2).flatten(2)))


class GatedUnits(nn.Module):
    """The matrices of a gated feed-forward layer, SwiGLU or GEGLU (Shazeer 2020)."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(shape.width, shape.inner, bias=shape.mlp_bias)
        self.up_proj = nn.Linear(shape.width, shape.inner, bias=shape.mlp_bias)
        self.down_proj = nn.Linear(shape.inner, shape.width, bias=shape.mlp_bias)


class FeedForward(GatedUnits):
    def forward(self, x: Tensor) -> Tensor:
        gates, ups = self.gate_proj, self.up_proj
        bias = torch.cat([gates.bias, ups.bias]) if gates.bias is not None else None
        gate, up = functional.linear(x, torch.cat([gates.weight, ups.weight]), bias).chunk(2, dim=-1)
        return torch.as_tensor(self.down_proj(functional.silu(gate) * up))


class Layer(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.self_attn = Attention(shape)
        self.mlp = FeedForward(shape)
        self.input_layernorm = Norm(shape.width, shape.epsilon)
        self.post_attention_layernorm = Norm(shape.width, shape.epsilon)

    def forward(self, x: Tensor, *seen: Tensor | None) -> Tensor:
        """(B, T, D) to (B, T, D); `seen` is what the attention is told of positions and masks."""
        x = x + self.self_attn(self.input_layernorm(x), *seen)
        return torch.as_tensor(x + self.mlp(self.post_attention_layernorm(x)))


class Stack(nn.Module):
    """Token ids to hidden states; logits are `hidden @ embed_tokens.weight.T` where embeddings are tied."""

    cos: Tensor
    sin: Tensor

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.embed_tokens = table(shape.vocabulary, shape.width)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.norm = Norm(shape.width, shape.epsilon)

    def remember_angles(self, shape: Shape) -> None:
        """Compute cosines and sines of all positions, each (context, head width), as `forward` needs them."""
        angles = torch.arange(shape.context, dtype=torch.float32)[:, None] * rates(shape)
        angles = torch.cat([angles, angles], dim=-1)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, ids: Tensor, positions: Tensor, allowed: Tensor) -> Tensor:
        """Ids and positions (B, T), allowed (B, 1, T, T) to hidden states (B, T, D)."""
        cos, sin = self.cos[positions].unsqueeze(1), self.sin[positions].unsqueeze(1)
        return self.through(ids, cos, sin, allowed)

    def through(self, ids: Tensor, *seen: Tensor | None) -> Tensor:
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x, *seen)
        return torch.as_tensor(self.norm(x))
