"""The networks with their output layers, called as scorers call those of transformers, in single precision.

Parts have faster forms here: the same numbers in fewer passes over memory, without gradients. Letters in shapes: B
rows, T tokens in a row, V vocabulary.
"""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from pairlens.errors import ModelError
from pairlens.models.checkpoint import read_json, shapes
from pairlens.models.plain.encoder_decoder import EncoderDecoder, as_t5
from pairlens.models.plain.shapes import WEIGHTS, Shape, recognised
from pairlens.models.plain.stack import Attention, FeedForward, Stack, rates
from pairlens.models.products import gated_product
from pairlens.types import Model


def fuse(stack: Stack) -> None:
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
        projections = [parts.q_proj, parts.k_proj, parts.v_proj]
        rows = [_paired(part.weight, self.head_width) for part in projections[:2]] + [projections[2].weight]
        self.joint = nn.Linear(
            rows[0].shape[1], sum(map(len, rows)), bias=projections[0].bias is not None, device="meta"
        )
        self.joint.weight = nn.Parameter(torch.cat(rows))
        if projections[0].bias is not None:
            biases = [_paired(part.bias, self.head_width) for part in projections[:2]] + [projections[2].bias]
            self.joint.bias = nn.Parameter(torch.cat(biases))
        self.o_proj = parts.o_proj

    def forward(self, x: Tensor, turned: Tensor, allowed: Tensor | None, causal: bool) -> Tensor:
        """`turned` is of `turns`; `allowed` (B, 1, T or 1, T) is added to attention scores, else `causal` counts."""
        joint = self.joint(x).view(*x.shape[:2], -1, self.head_width)
        both = joint[:, :, : self.heads + self.groups].unflatten(-1, (-1, 2))
        torch.view_as_complex(both).mul_(turned)
        q, k, v = joint.transpose(1, 2).split([self.heads, self.groups, self.groups], dim=1)
        shared = self.groups < self.heads
        mixed = scaled_dot_product_attention(q, k, v, attn_mask=allowed, is_causal=causal, enable_gqa=shared)
        return torch.as_tensor(self.o_proj(mixed.transpose(1, 2).flatten(2)))


def _paired(rows: Tensor, head_width: int) -> Tensor:
    return rows.view(-1, 2, head_width // 2, *rows.shape[1:]).transpose(1, 2).reshape(rows.shape)


class FusedFeedForward(nn.Module):
    def __init__(self, parts: FeedForward) -> None:
        super().__init__()
        self.gate_proj, self.up_proj, self.down_proj = parts.gate_proj, parts.up_proj, parts.down_proj

    def forward(self, x: Tensor) -> Tensor:
        return torch.as_tensor(self.down_proj(gated_product(x, self.gate_proj, self.up_proj)))


class Output(NamedTuple):
    logits: Tensor


class States(NamedTuple):
    last_hidden_state: Tensor


class Config(SimpleNamespace):
    def to_dict(self) -> dict[str, Any]:
        return vars(self)


class Called(nn.Module):
    """What both kinds of networks have for their callers: a config, embeddings, an output layer."""

    body: Any

    def __init__(self, shape: Shape, config: Mapping[str, Any]) -> None:
        super().__init__()
        self.shape = shape
        self.config = Config(**{**config, "hidden_size": shape.width, "vocab_size": shape.vocabulary})
        self.lm_head = nn.Linear(shape.width, shape.vocabulary, bias=shape.output_bias)

    @property
    def dtype(self) -> torch.dtype:
        return self.lm_head.weight.dtype

    def get_input_embeddings(self) -> nn.Embedding:
        table: nn.Embedding = self.body.embed_tokens
        return table

    def get_output_embeddings(self) -> nn.Linear:
        return self.lm_head

    def ready(self) -> None: ...


class LanguageModel(Called):
    def __init__(self, shape: Shape, config: Mapping[str, Any]) -> None:
        super().__init__(shape, config)
        self.body = Stack(shape)

    def ready(self) -> None:
        fuse(self.body)

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor | None = None, position_ids: Tensor | None = None
    ) -> Output:
        """Ids (B, T), padded on the right; the mask is (B, T), 0 for padding, or (B, 1, T, T), added to scores."""
        if position_ids is None:
            position_ids = torch.arange(input_ids.shape[1], device=input_ids.device)[None]
        whole = attention_mask is not None and attention_mask.dim() == 4
        alone = self.shape.causal and not whole  # what a causal network is padded with comes too late to be seen
        allowed = None if alone else _added(attention_mask, self.dtype)
        return Output(self.lm_head(self.body.through(input_ids, turns(self.shape, position_ids), allowed, alone)))


class SequenceToSequence(Called):
    def __init__(self, shape: Shape, config: Mapping[str, Any]) -> None:
        super().__init__(shape, config)
        self.body = EncoderDecoder(shape)

    def get_encoder(self) -> Any:
        return self.encoded

    def encoded(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> States:
        encoder = self.body.encoder
        bias = encoder.bias(torch.arange(input_ids.shape[1], device=input_ids.device)[None])
        if attention_mask is not None:
            bias = bias + _added(attention_mask, self.dtype)
        return States(encoder(self.body.embed_tokens(input_ids), bias))

    def forward(
        self,
        decoder_input_ids: Tensor,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        decoder_position_ids: Tensor | None = None,
        encoder_outputs: tuple[Tensor, ...] | None = None,
        use_cache: bool = False,
    ) -> Output:
        """Ids, or the encoder's states, and the decoder's ids (B, T) to logits, in rows padded on the right.

        `decoder_attention_mask` may be (B, 1, T, T), added to attention scores; of padding it says nothing new.
        """
        del use_cache
        if encoder_outputs is None and input_ids is not None:
            encoder_outputs = self.encoded(input_ids, attention_mask)
        (states,) = encoder_outputs or ()
        index = torch.arange(decoder_input_ids.shape[1], device=states.device)
        seen = decoder_attention_mask
        if seen is None or seen.dim() != 4:
            seen = _hiding(index > index[:, None], self.dtype)
        bias = self.body.decoder.bias(index[None] if decoder_position_ids is None else decoder_position_ids) + seen
        cross = None if attention_mask is None else _added(attention_mask, self.dtype)
        x = self.body.decoder(self.body.embed_tokens(decoder_input_ids), bias, states, cross)
        return Output(self.lm_head(x * self.body.scale))


def _added(mask: Tensor | None, dtype: torch.dtype) -> Tensor | None:
    """A mask as it is added to attention scores; one of padding (B, T) becomes (B, 1, 1, T)."""
    if mask is None or mask.dim() == 4:
        return mask
    return _hiding(mask[:, None, None] == 0, dtype)


def _hiding(hidden: Tensor, dtype: torch.dtype) -> Tensor:
    """What is added to attention scores: 0, and nearly minus infinity where something is hidden."""
    return torch.zeros(hidden.shape, dtype=dtype, device=hidden.device).masked_fill_(hidden, torch.finfo(dtype).min)


_HEAD = "lm_head."


def network(model: Model, head: str) -> Called | None:
    """A model in memory, in single precision; None if it, or one of its weights, is not known here."""
    shape = recognised(model, head)
    if shape is None:
        return None
    config = read_json(model.folder / "config.json", model.name)
    with torch.device("meta"):
        built: Called = (SequenceToSequence if shape.decodes else LanguageModel)(shape, config)
    wanted = {}
    for name, part in built.state_dict().items():
        own = name.removeprefix("body.")
        there = own if own.startswith(_HEAD) else as_t5(own, gated=shape.gated) if shape.decodes else f"model.{own}"
        wanted[there] = name, tuple(part.shape)
    if shape.tied:
        del wanted[f"{_HEAD}weight"]
    path = model.folder / WEIGHTS
    if shapes(path) != {name: size for name, (_, size) in wanted.items()}:
        return None
    try:
        tensors = load_file(path)
    except SafetensorError as error:
        raise ModelError(f"'{model.name}': its weight file is damaged ({error}); get it again.") from error
    if not all(tensor.is_floating_point() for tensor in tensors.values()):
        return None
    weights = {wanted[name][0]: one.to(torch.float32) for name, one in tensors.items()}
    if shape.tied:
        weights[f"{_HEAD}weight"] = weights["body.embed_tokens.weight"]
    built.load_state_dict(weights, assign=True)
    with torch.no_grad():
        built.ready()
    return built
