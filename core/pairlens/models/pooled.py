"""Networks for pairs of texts: a base with a head that is trained here, and those of
`pairlens.models.next_sentence`."""

from collections.abc import Mapping, Sequence
from typing import Any

import safetensors
import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from transformers.modeling_outputs import SequenceClassifierOutput

from pairlens.errors import ModelError
from pairlens.models import heads
from pairlens.models.networks import BUILDING, from_folder, library
from pairlens.models.resolve import base_of
from pairlens.types import Model

_UNUSED = "pooler"
"""A part of BERT that is initialized where a checkpoint lacks it; the head reads the states before it."""


class OverBase(nn.Module):
    def __init__(self, base: Any) -> None:
        super().__init__()
        self.base, self.config = base, base.config

    def get_input_embeddings(self) -> Any:
        return self.base.get_input_embeddings()


class PooledClassifier(OverBase):
    """`base` gives states (rows, tokens, width), averaged over each text; `separator` stands between the two.

    The head reads both means, their absolute difference and their product (Mou et al. 2016, "Natural language
    inference by tree-based convolution and heuristic matching"). Padding is in neither mean.
    """

    def __init__(self, base: Any, separator: int, labels: int) -> None:
        super().__init__(base)
        self.separator = separator
        single = torch.float32  # and not the usual one, which another thread may have changed for a moment
        self.dense = nn.Linear(4 * base.config.hidden_size, base.config.hidden_size, dtype=single)
        self.out = nn.Linear(base.config.hidden_size, labels, dtype=single)

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor | None = None, token_type_ids: Tensor | None = None
    ) -> SequenceClassifierOutput:
        typed = {} if token_type_ids is None else {"token_type_ids": token_type_ids}
        states = self.base(input_ids=input_ids, attention_mask=attention_mask, **typed).last_hidden_state
        seen = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        one, other = means_of_texts(states, seen.bool(), input_ids == self.separator)
        features = torch.cat([one, other, (one - other).abs(), one * other], dim=-1)
        return SequenceClassifierOutput(logits=self.out(nn.functional.gelu(self.dense(features))))

    def take(self, weights: Mapping[str, Tensor]) -> None:
        """Add the deltas to the base and set the head; KeyError or RuntimeError for weights of another shape."""
        transposed = {f"{name}.weight" for name, part in self.base.named_modules() if isinstance(part, nn.Linear)}
        with torch.no_grad():
            for name, parameter in self.base.named_parameters():
                parameter.copy_(heads.merged(parameter, weights, name, transposed=name in transposed))
            for part in ("dense", "out"):
                for name, parameter in getattr(self, part).named_parameters():
                    parameter.copy_(weights[f"head.{part}.{name}"])


def means_of_texts(states: Tensor, seen: Tensor, parts: Tensor) -> tuple[Tensor, Tensor]:
    """States (rows, tokens, width) to their means (rows, width) before the first separator and from there on.

    `seen` (rows, tokens) marks the tokens that are not padding, `parts` the separators.
    """

    def mean(chosen: Tensor) -> Tensor:
        mask = chosen[:, :, None].to(states.dtype)
        return (states * mask).sum(1) / mask.sum(1).clamp(min=1)

    second = parts.cumsum(1) > 0
    return mean(seen & ~second), mean(seen & second)


def network(model: Model, dtype: str) -> Any:
    config = heads.config_of(model.name, model.folder)
    try:
        weights = load_file(model.folder / heads.WEIGHTS)
    except safetensors.SafetensorError as error:
        raise ModelError(f"'{model.name}': its {heads.WEIGHTS} is damaged ({error}); get it again.") from error
    separator = config["pair"]["between"][0]
    with BUILDING:
        module = PooledClassifier(load_base(base_of(model)), separator, len(config["id2label"]))
    try:
        module.take(weights)
    except (AttributeError, RuntimeError, KeyError) as error:
        raise ModelError(f"'{model.name}': its {heads.WEIGHTS} does not fit its base '{config['base']}'.") from error
    return module.to(getattr(torch, dtype))


def load_base(model: Model) -> Any:
    """A causal or masked model without its head, in single precision; ModelError for any other."""
    heads.refuse_other_bases(model)
    module, missing = from_folder(library().AutoModel, model, "base", "float32")
    if absent := [name for name in missing if _UNUSED not in name]:
        raise ModelError(f"'{model.name}' lacks weights ({absent[0]}): no head can stand on it.")
    return module


_LAYERS = 3


class MeanOfStates(OverBase):
    """The mean of `base`'s last states over the tokens of both texts, and linear layers with the weights `head`."""

    def __init__(self, base: Any, head: Mapping[str, Tensor]) -> None:
        """KeyError or RuntimeError if a layer is missing or does not fit the one before it."""
        super().__init__(base)
        shapes = [head[f"{layer}.weight"].shape for layer in range(_LAYERS)]
        self.head = nn.Sequential(*(nn.Linear(width, to) for to, width in shapes))
        self.head.load_state_dict(dict(head))
        self.head.to(base.dtype)

    def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> SequenceClassifierOutput:
        """Ids (rows, tokens) to logits (rows, 2); the head's second output is `next`."""
        states = self.base(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        seen = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        mask = seen[:, :, None].to(states.dtype)
        return SequenceClassifierOutput(logits=self.head((states * mask).sum(1) / mask.sum(1)).flip(-1))


class NextAnswer(OverBase):
    """An encoder-decoder, read at the tokens `answers` after the likeliest first token."""

    def __init__(self, base: Any, answers: Sequence[int]) -> None:
        super().__init__(base)
        self.answers = list(answers)

    def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> SequenceClassifierOutput:
        states = self.base.get_encoder()(input_ids=input_ids, attention_mask=attention_mask)
        written = torch.full_like(input_ids[:, :1], self.config.decoder_start_token_id)
        for _ in range(2):
            logits = self.base(
                encoder_outputs=states, attention_mask=attention_mask, decoder_input_ids=written, use_cache=False
            ).logits[:, -1]
            written = torch.cat([written, logits.argmax(-1, keepdim=True)], 1)
        return SequenceClassifierOutput(logits=logits[:, self.answers])
