"""The training of the models that ship: as anybody's, and besides from another model's weights, of encoder-decoders,
and with weights kept at moments of it, from which `workshop.learning_curves` come.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import nn

from pairlens.errors import InputError
from pairlens.models.plain.encoder_decoder import as_t5
from pairlens.training import from_scratch
from pairlens.training.export import export, halves, named, new_network, shape_of, write_model
from pairlens.training.from_scratch import Batch
from pairlens.training.loop import Held
from pairlens.training.packing import Rows, learn_tokenizer, with_frame
from pairlens.training.recipe import Progress, TrainingRecipe
from workshop.language_models.two_sides import (
    SENTINELS,
    TwoSides,
    seq2seq_batch,
    t5_config,
    two_sides,
    with_sentinels,
)

FIRST_SNAPSHOT = 0.005
"""The fraction of a run after which its weights are kept for the first time, if they are kept."""
STACKED = "model.embed_tokens.weight"
TABLES = (STACKED, "shared.weight")
"""The names of the embedding table among the weights."""

LAYER = re.compile(r"model\.layers\.(\d+)\.(.+)")
RENAMED = {"input_layernorm": "self_norm", "post_attention_layernorm": "mlp_norm"}
"""Parts of a layer that an encoder-decoder calls otherwise."""

GELU_SLOPE = 1.702
"""x Phi(x) is about x sigmoid(1.702 x)."""

UNREADABLE = "\N{REPLACEMENT CHARACTER}"
"""In the text of an entry that is a part of a character."""


@dataclass(frozen=True)
class Recipe(TrainingRecipe):
    """A model that ships. Of an encoder-decoder's layers half are the encoder's, or `encoder_layers`.

    It may `start_from` the folder of another model, with that one's tokenizer unless it has its `own_vocabulary`. As
    many `snapshots` of its weights are kept, at equal ratios of the run: much is learnt early.
    """

    kinds: ClassVar[tuple[str, ...]] = ("causal", "masked", "seq2seq")
    start_from: str = ""
    own_vocabulary: bool = False
    snapshots: int = 0
    encoder_layers: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.encoder_layers is not None and not 0 < self.encoder_layers < self.layers:
            raise InputError(f"Of {self.layers} layers the encoder cannot have {self.encoder_layers}.")

    @property
    def sides(self) -> tuple[int, int]:
        """The layers of an encoder-decoder's two sides."""
        if self.encoder_layers is None:
            return self.layers // 2, self.layers // 2
        return self.encoder_layers, self.layers - self.encoder_layers


def train(recipe: Recipe, texts: Sequence[Path], output: Path) -> Iterator[Progress]:
    """As `pairlens.training.from_scratch.train`."""
    return from_scratch.train(recipe, texts, output, way=Making)


class Making(from_scratch.LanguageModelTraining):
    """The training of a model that ships; its snapshots lie in OUTPUT.snapshots until somebody deletes them."""

    recipe: Recipe
    _due: list[float]

    @classmethod
    def tokenizer_of(cls, recipe: Any, texts: Sequence[Path]) -> Tokenizer:
        """From the model that it starts from, or trained."""
        if not recipe.start_from or recipe.own_vocabulary:
            fewer = SENTINELS if recipe.kind == "seq2seq" else 0
            tokenizer = learn_tokenizer(recipe, texts, recipe.vocabulary - fewer)
        else:
            source = Path(recipe.start_from) / "tokenizer.json"
            if not source.is_file():
                raise InputError(f"There is no model to start from in {recipe.start_from}.")
            tokenizer = with_frame(Tokenizer.from_file(str(source)), recipe.kind)
        return with_sentinels(tokenizer) if recipe.kind == "seq2seq" else tokenizer

    @classmethod
    def network_of(cls, recipe: Any, tokenizer: Tokenizer) -> Any:
        """With new weights, or those of the model that it starts from."""
        network = network_of(recipe, tokenizer.get_vocab_size())
        if recipe.start_from:
            take_weights(network, tokenizer, Path(recipe.start_from))
        return network

    def restore(self) -> None:
        """See `Training`; the moments before are past."""
        super().restore()
        moments = np.geomspace(FIRST_SNAPSHOT, 1.0, self.recipe.snapshots)
        self._due = [moment for moment in moments if moment > self.fraction()]

    def batch(self, rows: Rows, fraction: float, seed: int) -> Batch:
        """Of an encoder-decoder: texts to continue and to fill."""
        if self.recipe.kind != "seq2seq":
            return super().batch(rows, fraction, seed)
        return seq2seq_batch(rows, self.network.embed_tokens.num_embeddings - SENTINELS, seed, self.device)

    def learn(self, batch: Batch) -> float:
        """One step, after which the weights may be kept."""
        loss = super().learn(batch)
        while self._due and self.fraction() >= self._due[0]:
            self._due.pop(0)
            self._snapshot()
        return loss

    def conclude(self) -> Held:
        """A budget of minutes ends between two steps."""
        if self._due and self.fraction() >= 1:
            self._snapshot()
        return super().conclude()

    def _snapshot(self) -> None:
        """Keep the weights in half precision, as `step-000123.safetensors`."""
        folder = self.folder.with_suffix(".snapshots")
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"step-{self.step:06d}.safetensors"
        part = path.with_name(path.name + ".part")
        save_file(halves(names_of(self.network)), part, metadata={"format": "pt"})
        part.replace(path)

    def save(self, folder: Path) -> None:
        """Write the model as transformers reads it."""
        write(self.network, self.tokenizer, self.recipe, folder)


def network_of(recipe: Recipe, vocabulary: int) -> Any:
    """A network with new weights."""
    if recipe.kind != "seq2seq":
        return new_network(recipe, vocabulary)
    return two_sides(shape_of(recipe, vocabulary), recipe.sides, recipe.context)


def write(network: nn.Module, tokenizer: Tokenizer, recipe: Recipe, folder: Path) -> None:
    """Write a model as transformers reads it."""
    if recipe.kind != "seq2seq":
        export(network, tokenizer, recipe, folder)
    else:
        config = t5_config(recipe, recipe.sides, tokenizer.get_vocab_size())
        write_model(names_of(network), config, tokenizer, recipe, folder)


def names_of(network: nn.Module) -> dict[str, torch.Tensor]:
    """The weights, not copied, under the names that transformers gives them."""
    if not isinstance(network, TwoSides):
        return named(network)
    return {as_t5(name): tensor.detach() for name, tensor in network.state_dict().items()}


def take_weights(network: nn.Module, tokenizer: Tokenizer, folder: Path) -> None:
    """Start `network` from an exported model of the same shape; rows of the embedding table are matched by entry.

    An encoder-decoder also starts from a stack of layers of its widths: see `as_two_sides`.
    An entry that the other vocabulary lacks begins with the mean of the rows that its text has there. Without any (a
    causal model has no `<mask>`), it keeps its initial values.
    """
    path = folder / "model.safetensors"
    if not path.is_file():
        raise InputError(f"There is no model to start from in {folder}.")
    own, theirs = names_of(network), load_file(path)
    if isinstance(network, TwoSides) and STACKED in theirs:
        theirs = as_two_sides(theirs, network)
    for name, tensor in theirs.items():
        part = own.get(name)
        is_table = name in TABLES
        if part is None or part.shape[1:] != tensor.shape[1:] or (not is_table and len(part) != len(tensor)):
            raise InputError(f"The model in {folder} has another shape than the recipe ({name}).")
        if is_table:
            for row, there in rows_there(tokenizer, folder).items():
                part[row] = tensor[there].float().mean(0).to(part.dtype)
        else:
            part.copy_(tensor.to(part.dtype))


def as_two_sides(weights: Mapping[str, torch.Tensor], network: TwoSides) -> dict[str, torch.Tensor]:
    """The weights of a stack of layers as the first layers of both sides of an encoder-decoder.

    T5 divides no attention scores by the root of a head's width, so that the queries are here; it divides last states
    by the root of the width, so that the norm before makes up for it. Its units are x Phi(x), about x sigmoid(1.7 x),
    where the stack's are x sigmoid(x) (Hendrycks and Gimpel 2016). Positions are new, as is what a decoder sees of
    the encoder.
    """
    found = {"embed_tokens.weight": weights[STACKED]}
    found["decoder.norm.weight"] = weights["model.norm.weight"].float() / network.scale
    for name, tensor in weights.items():
        if layer := LAYER.fullmatch(name):
            number, part = layer.groups()
            for old, new in RENAMED.items():
                part = part.replace(old, new)
            for side in ("encoder", "decoder"):
                found[f"{side}.layers.{number}.{part}"] = tensor
    root = network.decoder.shape.head_width**0.5
    factors = {"q_proj.weight": 1 / root, "gate_proj.weight": 1 / GELU_SLOPE, "down_proj.weight": GELU_SLOPE}
    own = dict(network.named_parameters())
    return {
        as_t5(name): tensor.float() * factors.get(".".join(name.split(".")[-2:]), 1.0)
        for name, tensor in found.items()
        if name in own
    }


def rows_there(tokenizer: Tokenizer, folder: Path) -> dict[int, list[int]]:
    """Of each entry of a vocabulary, the ids of its text in the folder's model: one if that has the entry too."""
    other = Tokenizer.from_file(str(folder / "tokenizer.json"))
    theirs = other.get_vocab()
    found = {}
    for entry, row in tokenizer.get_vocab().items():
        text = tokenizer.decode([row])
        whole = UNREADABLE not in text and text.strip()
        if entry in theirs:
            found[row] = [theirs[entry]]
        elif whole and (ids := other.encode(text, add_special_tokens=False).ids):
            found[row] = ids
    return found
