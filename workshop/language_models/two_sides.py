"""An encoder-decoder in training: its network, its configuration, what it is asked of a text.

An encoder-decoder continues a text or fills its gaps (Raffel et al. 2020). Of each text in a row
(`<s> t1 .. tn </s>`) a source for the encoder and a target for the decoder are made, X standing for the sentinels
`<extra_id_0>` and so on:

    continue    source  t1 .. tk X0 </s>                 target  X0 tk+1 .. tn </s>
    fill        source  t1 X0 t4 .. X1 .. tn </s>        target  X0 t2 t3 X1 .. </s>

Two thirds of the texts are continued (two thirds of these from nothing, as a sentence is scored), the others have
gaps, a third of them one gap only. The decoder reads its target behind the start symbol `<pad>`. Neither is ever
longer than the text with its two marks, so rows keep their length.

Letters in shapes: B rows, T tokens in a row of the decoder, S of the encoder, H heads, D width.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import AddedToken, Tokenizer, processors
from torch import Tensor, nn

from pairlens.models.plain.encoder_decoder import EncoderDecoder, Side, buckets
from pairlens.models.plain.shapes import BUCKETS, FARTHEST, Shape
from pairlens.training.export import COMMON, NORM_EPSILON
from pairlens.training.from_scratch import Batch, allowed_attention
from pairlens.training.packing import BOS_ID, EOS, EOS_ID, PAD_ID, Rows
from pairlens.training.recipe import TrainingRecipe

SENTINELS = 16
"""The last ids are `<extra_id_0>` and so on, in this order."""


class TwoSides(EncoderDecoder):
    """Token ids of both sides to the decoder's hidden states; logits are `hidden @ embed_tokens.weight.T`.

    It compiles to one graph, and reads rows that hold several texts.
    """

    def __init__(self, shape: Shape, length: int) -> None:
        """With the buckets of distances in rows of this length."""
        super().__init__(shape)
        for side in (self.encoder, self.decoder):
            table = buckets(torch.arange(length), side.shape, both_ways=side.both_ways)
            side.register_buffer("bucket", table, persistent=False)

    def forward(self, sources: Tensor, inputs: Tensor, among: Tensor, before: Tensor, across: Tensor) -> Tensor:
        """Ids sources (B, S) and inputs (B, T); what sees what (B, 1, S, S), (B, 1, T, T), (B, 1, T, S)."""
        encoder, decoder = self.encoder, self.decoder
        seen = encoder(self.embed_tokens(sources), _bias(encoder) + among)
        hidden = decoder(self.embed_tokens(inputs), _bias(decoder) + before, seen, across)
        return torch.as_tensor(hidden * self.scale)


def _bias(side: Side) -> Tensor:
    """What distances add to attention scores, shape (1, H, T, T)."""
    return torch.as_tensor(side.position_bias(side.get_buffer("bucket")).permute(2, 0, 1).unsqueeze(0))


def two_sides(shape: Shape, sides: tuple[int, int], context: int) -> TwoSides:
    """A network with so many layers on either side, small embeddings, scaled matrices, and projections of zero.

    Each layer begins as the identity. T5 divides the last states by the root of the width and does not scale
    attention scores.
    """
    network = TwoSides(replace(shape, layers=sides[0], decodes=sides[1], causal=False), context)
    nn.init.constant_(network.decoder.norm.weight, math.sqrt(shape.width))
    nn.init.normal_(network.embed_tokens.weight, std=0.02)
    for name, parameter in network.named_parameters():
        if name.endswith(("o_proj.weight", "down_proj.weight", "position_bias.weight")):
            nn.init.zeros_(parameter)
        elif name.endswith("q_proj.weight"):
            nn.init.normal_(parameter, std=1 / shape.width)
        elif name.endswith("_proj.weight"):
            nn.init.normal_(parameter, std=1 / math.sqrt(parameter.shape[1]))
    return network


def t5_config(recipe: TrainingRecipe, sides: tuple[int, int], vocabulary: int) -> dict[str, Any]:
    """The contents of `config.json`."""
    return {
        "architectures": ["T5ForConditionalGeneration"],
        "model_type": "t5",
        "vocab_size": vocabulary,
        "d_model": recipe.width,
        "d_kv": recipe.width // recipe.heads,
        "d_ff": recipe.feed_forward,
        "num_layers": sides[0],
        "num_decoder_layers": sides[1],
        "num_heads": recipe.heads,
        "relative_attention_num_buckets": BUCKETS,
        "relative_attention_max_distance": FARTHEST,
        "n_positions": recipe.context,
        "dropout_rate": 0.0,
        "layer_norm_epsilon": NORM_EPSILON,
        "feed_forward_proj": "gated-gelu",
        "decoder_start_token_id": PAD_ID,
        "is_encoder_decoder": True,
        **COMMON,
    }


def with_sentinels(tokenizer: Tokenizer) -> Tokenizer:
    """A tokenizer whose last entries are the sentinels, and which puts `</s>` after a text."""
    names = (f"<extra_id_{number}>" for number in range(SENTINELS))
    tokenizer.add_special_tokens([AddedToken(name, lstrip=True, special=True) for name in names])
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"$A {EOS}", pair=f"$A {EOS} $B:1 {EOS}:1", special_tokens=[(EOS, EOS_ID)]
    )
    return tokenizer


CONTINUED = 2 / 3
FROM_NOTHING = 2 / 3
ONE_GAP = 1 / 3
HIDDEN = 0.2
"""The share of a text that its gaps hide, where there are several."""

LONGEST_GAP = 3

Ids = list[int]


@dataclass
class _Sides:
    """Rows of ids (B, T) and the number of the text that each token belongs to, from 1; 0 is padding."""

    ids: NDArray[np.int64]
    unit: NDArray[np.int64]

    @classmethod
    def empty(cls, shape: tuple[int, ...]) -> _Sides:
        return cls(np.full(shape, PAD_ID, dtype=np.int64), np.zeros(shape, dtype=np.int64))

    def put(self, row: int, at: int, ids: Ids, number: int) -> int:
        self.ids[row, at : at + len(ids)] = ids
        self.unit[row, at : at + len(ids)] = number
        return at + len(ids)


def continued(ids: Ids, first_sentinel: int, chance: np.random.Generator) -> tuple[Ids, Ids]:
    """A text's beginning as the source, its rest as the target."""
    cut = 0 if chance.random() < FROM_NOTHING else int(chance.integers(0, len(ids)))
    return [*ids[:cut], first_sentinel, EOS_ID], [first_sentinel, *ids[cut:], EOS_ID]


def with_gaps(ids: Ids, first_sentinel: int, chance: np.random.Generator) -> tuple[Ids, Ids]:
    """A text with stretches of it replaced by sentinels, and those stretches; no two gaps touch."""
    wanted = 1 if chance.random() < ONE_GAP else max(1, round(HIDDEN * len(ids) / 2))
    starts = np.sort(chance.choice(len(ids), size=min(wanted, SENTINELS, len(ids)), replace=False))
    source: Ids = []
    target: Ids = []
    at, gaps = 0, 0
    for start in starts.tolist():
        if start < at + (gaps > 0):
            continue
        stop = min(len(ids), start + int(chance.integers(1, LONGEST_GAP + 1)))
        source += [*ids[at:start], first_sentinel + gaps]
        target += [first_sentinel + gaps, *ids[start:stop]]
        at, gaps = stop, gaps + 1
    return [*source, *ids[at:], EOS_ID], [*target, EOS_ID]


def seq2seq_batch(rows: Rows, first_sentinel: int, seed: int, device: torch.device) -> Batch:
    """Sources, decoder inputs and targets of rows (B, T); the tasks depend on the seed alone."""
    chance = np.random.default_rng(seed)
    sources, inputs, targets = (_Sides.empty(rows.shape) for _ in range(3))
    for row, ids in enumerate(rows.astype(np.int64)):
        begins = np.flatnonzero(ids == BOS_ID)
        ends = np.flatnonzero(ids == EOS_ID)
        at_source = at_target = 0
        for number, (begin, end) in enumerate(zip(begins, ends, strict=True), start=1):
            text = ids[begin + 1 : end].tolist()
            corrupt = continued if chance.random() < CONTINUED else with_gaps
            source, target = corrupt(text, first_sentinel, chance)
            at_source = sources.put(row, at_source, source, number)
            inputs.put(row, at_target, [PAD_ID, *target[:-1]], number)
            at_target = targets.put(row, at_target, target, number)
    reads = np.flatnonzero(targets.unit)
    encoder, decoder = (torch.from_numpy(side.unit).to(device) for side in (sources, inputs))
    return Batch(
        (
            torch.from_numpy(sources.ids).to(device),
            torch.from_numpy(inputs.ids).to(device),
            allowed_attention(encoder, encoder),
            allowed_attention(decoder, decoder, causal=True),
            allowed_attention(decoder, encoder),
        ),
        torch.from_numpy(reads).to(device),
        torch.from_numpy(targets.ids.ravel()[reads]).to(device),
    )
