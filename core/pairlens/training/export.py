"""Networks of a recipe: with weights to begin from, and written as a folder that transformers loads.

Weights are in half precision, but `dtype` asks for arithmetic in single.
"""

import hashlib
import json
import math
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import nn

from pairlens.models import find
from pairlens.models.plain.shapes import THETA, Shape
from pairlens.models.plain.stack import Stack
from pairlens.settings import settings
from pairlens.training.card import write_json
from pairlens.training.packing import BOS_ID, EOS_ID, PAD_ID, save_tokenizer, train_tokenizer
from pairlens.training.recipe import TrainingRecipe
from pairlens.types import Model

NORM_EPSILON = 1e-5


def shape_of(recipe: TrainingRecipe, vocabulary: int) -> Shape:
    return Shape(
        vocabulary=vocabulary,
        width=recipe.width,
        inner=recipe.feed_forward,
        layers=recipe.layers,
        heads=recipe.heads,
        head_width=recipe.width // recipe.heads,
        groups=recipe.heads,
        context=recipe.context,
        epsilon=NORM_EPSILON,
        causal=recipe.kind == "causal",
    )


def new_network(recipe: TrainingRecipe, vocabulary: int) -> Stack:
    """A network with small embeddings, scaled matrices and output projections of zero: layers are the identity."""
    network = Stack(shape_of(recipe, vocabulary))
    network.remember_angles(shape_of(recipe, vocabulary))
    nn.init.normal_(network.embed_tokens.weight, std=0.02)
    for name, parameter in network.named_parameters():
        if name.endswith(("o_proj.weight", "down_proj.weight")):
            nn.init.zeros_(parameter)
        elif name.endswith("_proj.weight"):
            nn.init.normal_(parameter, std=1 / math.sqrt(parameter.shape[1]))
    return network


ARCHITECTURES = {"causal": ("llama", "LlamaForCausalLM"), "masked": ("eurobert", "EuroBertForMaskedLM")}


def config(recipe: TrainingRecipe, vocabulary: int) -> dict[str, Any]:
    model_type, architecture = ARCHITECTURES[recipe.kind]
    mask = {"mask_token_id": vocabulary - 1} if recipe.kind == "masked" else {}
    return {
        "architectures": [architecture],
        "model_type": model_type,
        "vocab_size": vocabulary,
        "hidden_size": recipe.width,
        "intermediate_size": recipe.feed_forward,
        "num_hidden_layers": recipe.layers,
        "num_attention_heads": recipe.heads,
        "num_key_value_heads": recipe.heads,
        "head_dim": recipe.width // recipe.heads,
        "hidden_act": "silu",
        "max_position_embeddings": recipe.context,
        "rms_norm_eps": NORM_EPSILON,
        "rope_parameters": {"rope_type": "default", "rope_theta": THETA},
        "attention_bias": False,
        "attention_dropout": 0.0,
        "mlp_bias": False,
        **COMMON,
        **mask,
    }


COMMON = {
    "tie_word_embeddings": True,
    "bos_token_id": BOS_ID,
    "eos_token_id": EOS_ID,
    "pad_token_id": PAD_ID,
    "dtype": "float32",
}


def export(network: nn.Module, tokenizer: Tokenizer, recipe: TrainingRecipe, folder: Path) -> None:
    write_model(named(network), config(recipe, tokenizer.get_vocab_size()), tokenizer, recipe, folder)


def write_model(
    weights: Mapping[str, torch.Tensor],
    config: Mapping[str, Any],
    tokenizer: Tokenizer,
    recipe: TrainingRecipe,
    folder: Path,
) -> None:
    """Write weights under the names that transformers gives them, the config and the tokenizer."""
    folder.mkdir(parents=True, exist_ok=True)
    save_file(halves(weights), folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "model.safetensors").chmod(0o644)
    write_json(folder / "config.json", config)
    save_tokenizer(tokenizer, recipe.kind, recipe.context, folder)


def halves(weights: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {name: tensor.to("cpu", torch.float16).contiguous() for name, tensor in weights.items()}


def named(network: nn.Module) -> dict[str, torch.Tensor]:
    return {f"model.{name}": tensor.detach() for name, tensor in network.state_dict().items()}


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
