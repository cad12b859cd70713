"""Networks of a recipe: with weights to begin from, written as a folder that transformers loads, and read back.

The folder holds `model.safetensors` (half precision, but `dtype` asks for arithmetic in single),
`config.json`, `tokenizer.json` and `tokenizer_config.json`; `AutoModelForCausalLM` or
`AutoModelForMaskedLM` and `AutoTokenizer` need nothing else.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors.torch import load_file, save_file
from torch import nn

from core.errors import InputError
from core.models import find
from core.models.plain.encoder_decoder import EncoderDecoder, as_t5
from core.models.plain.shapes import BUCKETS, FARTHEST, THETA, Shape
from core.models.plain.stack import Stack
from core.settings import settings
from core.training.card import write_json
from core.training.recipe import TrainingRecipe
from core.training.tokenizer import BOS_ID, EOS_ID, PAD_ID, save_tokenizer, train_tokenizer
from core.types import Model

if TYPE_CHECKING:
    from tokenizers import Tokenizer

ROPE_THETA = THETA
NORM_EPSILON = 1e-5


def shape_of(recipe: TrainingRecipe, vocabulary: int) -> Shape:
    """The sizes of a recipe's network."""
    layers, decodes = recipe.sides if recipe.kind == "seq2seq" else (recipe.layers, 0)
    return Shape(
        vocabulary=vocabulary,
        width=recipe.width,
        inner=recipe.feed_forward,
        layers=layers,
        heads=recipe.heads,
        head_width=recipe.width // recipe.heads,
        groups=recipe.heads,
        context=recipe.context,
        epsilon=NORM_EPSILON,
        theta=ROPE_THETA,
        causal=recipe.kind == "causal",
        decodes=decodes,
    )


def new_network(recipe: TrainingRecipe, vocabulary: int) -> Stack | EncoderDecoder:
    """A network with small embeddings, scaled matrices, and output projections of zero.

    Each layer begins as the identity. T5 divides the last states by the root of the width and does not scale
    attention scores.
    """
    shape = shape_of(recipe, vocabulary)
    network: Stack | EncoderDecoder = EncoderDecoder(shape) if shape.decodes else Stack(shape)
    if isinstance(network, EncoderDecoder):
        network.remember_distances(recipe.context)
        nn.init.constant_(network.decoder.norm.weight, math.sqrt(recipe.width))
    else:
        network.remember_angles(shape)
    nn.init.normal_(network.embed_tokens.weight, std=0.02)
    for name, parameter in network.named_parameters():
        if name.endswith(("o_proj.weight", "down_proj.weight", "position_bias.weight")):
            nn.init.zeros_(parameter)
        elif name.endswith("q_proj.weight") and shape.decodes:
            nn.init.normal_(parameter, std=1 / recipe.width)
        elif name.endswith("_proj.weight"):
            nn.init.normal_(parameter, std=1 / math.sqrt(parameter.shape[1]))
    return network


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

ARCHITECTURES = {
    "causal": ("llama", "LlamaForCausalLM"),
    "masked": ("eurobert", "EuroBertForMaskedLM"),
    "seq2seq": ("t5", "T5ForConditionalGeneration"),
}


def config(recipe: TrainingRecipe, vocabulary: int) -> dict[str, Any]:
    """The contents of `config.json`."""
    model_type, architecture = ARCHITECTURES[recipe.kind]
    own = t5_config(recipe) if recipe.kind == "seq2seq" else llama_config(recipe)
    settings: dict[str, Any] = {
        "architectures": [architecture],
        "model_type": model_type,
        "vocab_size": vocabulary,
        **own,
        "tie_word_embeddings": True,
        "bos_token_id": BOS_ID,
        "eos_token_id": EOS_ID,
        "pad_token_id": PAD_ID,
        "dtype": "float32",
    }
    if recipe.kind == "masked":
        settings["mask_token_id"] = vocabulary - 1
    return settings


def t5_config(recipe: TrainingRecipe) -> dict[str, Any]:
    """The shape of an encoder-decoder."""
    return {
        "d_model": recipe.width,
        "d_kv": recipe.width // recipe.heads,
        "d_ff": recipe.feed_forward,
        "num_layers": recipe.sides[0],
        "num_decoder_layers": recipe.sides[1],
        "num_heads": recipe.heads,
        "relative_attention_num_buckets": BUCKETS,
        "relative_attention_max_distance": FARTHEST,
        "n_positions": recipe.context,
        "dropout_rate": 0.0,
        "layer_norm_epsilon": NORM_EPSILON,
        "feed_forward_proj": "gated-gelu",
        "decoder_start_token_id": PAD_ID,
        "is_encoder_decoder": True,
    }


def llama_config(recipe: TrainingRecipe) -> dict[str, Any]:
    """The shape of a stack of layers, with or without a causal mask."""
    return {
        "hidden_size": recipe.width,
        "intermediate_size": recipe.feed_forward,
        "num_hidden_layers": recipe.layers,
        "num_attention_heads": recipe.heads,
        "num_key_value_heads": recipe.heads,
        "head_dim": recipe.width // recipe.heads,
        "hidden_act": "silu",
        "max_position_embeddings": recipe.context,
        "rms_norm_eps": NORM_EPSILON,
        "rope_parameters": {"rope_type": "default", "rope_theta": ROPE_THETA},
        "attention_bias": False,
        "attention_dropout": 0.0,
        "mlp_bias": False,
    }


def export(network: nn.Module, tokenizer: Tokenizer, recipe: TrainingRecipe, folder: Path) -> None:
    """Write the model into `folder`, which is made if needed."""
    folder.mkdir(parents=True, exist_ok=True)
    save_file(half_weights(network), folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "model.safetensors").chmod(0o644)
    write_json(folder / "config.json", config(recipe, tokenizer.get_vocab_size()))
    save_tokenizer(tokenizer, recipe.kind, recipe.context, folder)


def half_weights(network: nn.Module) -> dict[str, torch.Tensor]:
    """The weights in half precision, under the names that transformers gives them."""
    return {name: tensor.to("cpu", torch.float16).contiguous() for name, tensor in named(network).items()}


def named(network: nn.Module) -> dict[str, torch.Tensor]:
    """The weights, not copied, under the names that transformers gives them."""
    rename = as_t5 if isinstance(network, EncoderDecoder) else "model.{}".format
    return {rename(name): tensor.detach() for name, tensor in network.state_dict().items()}


def take_weights(network: nn.Module, tokenizer: Tokenizer, folder: Path) -> None:
    """Start `network` from an exported model of the same shape; rows of the embedding table are matched by entry.

    An encoder-decoder also starts from a stack of layers of its widths: see `as_two_sides`.
    An entry that the other vocabulary lacks begins with the mean of the rows that its text has there. Without any (a
    causal model has no `<mask>`), it keeps its initial values.
    """
    path = folder / "model.safetensors"
    if not path.is_file():
        raise InputError(f"There is no model to start from in {folder}.")
    own, theirs = named(network), load_file(path)
    if isinstance(network, EncoderDecoder) and STACKED in theirs:
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


def as_two_sides(weights: Mapping[str, torch.Tensor], network: EncoderDecoder) -> dict[str, torch.Tensor]:
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
    from tokenizers import Tokenizer

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


def fresh_model(recipe: TrainingRecipe, texts: Sequence[str]) -> Model:
    """The model, in the cache: the same recipe and texts give the same one."""
    state = hashlib.sha256(json.dumps(asdict(recipe), sort_keys=True).encode())
    for text in texts:
        state.update(text.encode("utf-8", "replace") + b"\0")
    folder = settings().cache / "fresh-models" / state.hexdigest()[:24]
    if not folder.is_dir():
        tokenizer = train_tokenizer(texts, recipe.vocabulary, recipe.kind, lower_case=recipe.lower_case)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(recipe.seed)
            network = new_network(recipe, tokenizer.get_vocab_size())
        part = folder.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        export(network, tokenizer, recipe, part)
        part.rename(folder)
    return find(folder)
