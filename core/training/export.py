"""Write a trained network as a folder that transformers loads, and read one back to go on from it.

The folder holds `model.safetensors` (half precision, but `dtype` asks for arithmetic in single),
`config.json`, `tokenizer.json` and `tokenizer_config.json`; `AutoModelForCausalLM` or
`AutoModelForMaskedLM` and `AutoTokenizer` need nothing else.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors.torch import load_file, save_file

from core.errors import InputError
from core.training.network import NORM_EPSILON, ROPE_THETA, Network
from core.training.recipe import Recipe
from core.training.tokenizer import BOS_ID, EOS_ID, PAD_ID, save_tokenizer

if TYPE_CHECKING:
    from tokenizers import Tokenizer

ARCHITECTURES = {
    "causal": ("llama", "LlamaForCausalLM"),
    "masked": ("eurobert", "EuroBertForMaskedLM"),
}


def config(recipe: Recipe, vocabulary: int) -> dict[str, Any]:
    """The contents of `config.json`."""
    model_type, architecture = ARCHITECTURES[recipe.kind]
    settings: dict[str, Any] = {
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
        "rope_parameters": {"rope_type": "default", "rope_theta": ROPE_THETA},
        "attention_bias": False,
        "attention_dropout": 0.0,
        "mlp_bias": False,
        "tie_word_embeddings": True,
        "bos_token_id": BOS_ID,
        "eos_token_id": EOS_ID,
        "pad_token_id": PAD_ID,
        "dtype": "float32",
    }
    if recipe.kind == "masked":
        settings["mask_token_id"] = vocabulary - 1
    return settings


def export(network: Network, tokenizer: Tokenizer, recipe: Recipe, folder: Path) -> None:
    """Write the model into `folder`, which is made if needed."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {
        f"model.{name}": tensor.detach().to("cpu", torch.float16).contiguous()
        for name, tensor in network.state_dict().items()
    }
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "model.safetensors").chmod(0o644)
    settings = config(recipe, network.embed_tokens.num_embeddings)
    text = json.dumps(settings, indent=2) + "\n"
    (folder / "config.json").write_text(text, encoding="utf-8")
    save_tokenizer(tokenizer, recipe.kind, recipe.context, folder)


def take_weights(network: Network, folder: Path) -> None:
    """Start `network` from an exported model of the same shape.

    A causal model has no `<mask>`: its row of the embedding table keeps its first values.
    """
    path = folder / "model.safetensors"
    if not path.is_file():
        raise InputError(f"There is no model to start from in {folder}.")
    own = network.state_dict()
    for name, tensor in load_file(path).items():
        part = own.get(name.removeprefix("model."))
        if part is None or part.shape[1:] != tensor.shape[1:] or len(part) < len(tensor):
            raise InputError(f"The model in {folder} has another shape than the recipe ({name}).")
        part[: len(tensor)].copy_(tensor.to(part.dtype))
