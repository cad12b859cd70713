"""The two networks of `core.models.next_sentence`: two texts in, one logit for `next` and one for `not next` out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from transformers.modeling_outputs import SequenceClassifierOutput

_LAYERS = 3


class MeanOfStates(nn.Module):
    """The mean of `base`'s last states over the tokens of both texts, and linear layers with the weights `head`."""

    def __init__(self, base: Any, head: Mapping[str, Tensor]) -> None:
        """KeyError or RuntimeError if a layer is missing or does not fit the one before it."""
        super().__init__()
        self.base, self.config = base, base.config
        shapes = [head[f"{layer}.weight"].shape for layer in range(_LAYERS)]
        self.head = nn.Sequential(*(nn.Linear(width, to) for to, width in shapes))
        self.head.load_state_dict(dict(head))
        self.head.to(base.dtype)

    def get_input_embeddings(self) -> Any:
        """The base's."""
        return self.base.get_input_embeddings()

    def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> SequenceClassifierOutput:
        """Ids (rows, tokens) to logits (rows, 2); the head's second output is `next`."""
        states = self.base(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        seen = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        kept = seen[:, :, None].to(states.dtype)
        return SequenceClassifierOutput(logits=self.head((states * kept).sum(1) / kept.sum(1)).flip(-1))


class NextAnswer(nn.Module):
    """An encoder-decoder, read at the tokens `answers` after the likeliest first token."""

    def __init__(self, base: Any, answers: Sequence[int]) -> None:
        super().__init__()
        self.base, self.config = base, base.config
        self.answers = list(answers)

    def get_input_embeddings(self) -> Any:
        """The base's."""
        return self.base.get_input_embeddings()

    def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> SequenceClassifierOutput:
        """Ids (rows, tokens) to logits (rows, 2)."""
        states = self.base.get_encoder()(input_ids=input_ids, attention_mask=attention_mask)
        written = torch.full_like(input_ids[:, :1], self.config.decoder_start_token_id)
        for _ in range(2):
            logits = self.base(
                encoder_outputs=states, attention_mask=attention_mask, decoder_input_ids=written, use_cache=False
            ).logits[:, -1]
            written = torch.cat([written, logits.argmax(-1, keepdim=True)], 1)
        return SequenceClassifierOutput(logits=logits[:, self.answers])
