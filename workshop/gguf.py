"""Bundled causal models as GGUF files, one for each type of number: `python -m workshop.gguf FOLDER`.

Matrices, the embedding among them, take the file's type; vectors stay in single precision, as llama.cpp has them. Its
types of blocks of 256 numbers (K-quants) do not fit the rows of 192 of these models. What their tokenizers do to a
text before they cut it (NFC, a space in front) has no place in the format: whoever reads these files names the
tokenizer's folder too.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from gguf import MODEL_ARCH, GGMLQuantizationType, GGUFWriter, LlamaFileType, TokenType, get_tensor_name_map, quants
from numpy.typing import NDArray
from safetensors.numpy import load_file

from pairlens.errors import ModelError
from pairlens.models import find
from pairlens.models.checkpoint import read_json
from pairlens.models.loading import load_tokenizer
from pairlens.types import Model
from workshop.program import run

LADDER = ("F32", "F16", "Q8_0", "Q5_0", "Q4_0")
"""Types from the most bits for a number to the fewest: 32, 16, 8.5, 5.5 and 4.5, scales of blocks of 32 included."""
MODELS = ("english-small", "portuguese-small")
_FILE_TYPES = {"F32": LlamaFileType.ALL_F32, **{name: LlamaFileType[f"MOSTLY_{name}"] for name in LADDER[1:]}}


def write(model: Model, path: Path, number_type: str) -> Path:
    """Write a model of Llama's architecture with GPT-2's byte pairs as a GGUF file; ModelError for any other."""
    config = read_json(model.folder / "config.json", model.name)
    tokenizer = json.loads((model.folder / "tokenizer.json").read_text("utf-8"))
    if config.get("model_type") != "llama" or (tokenizer["pre_tokenizer"] or {}).get("type") != "ByteLevel":
        raise ModelError(f"'{model.name}' is no Llama with GPT-2's byte pairs, which alone are written as GGUF here.")
    writer = GGUFWriter(path, "llama")
    writer.add_name(model.name)
    writer.add_file_type(_FILE_TYPES[number_type])
    writer.add_quantization_version(2)
    _add_sizes(writer, config)
    _add_tokenizer(writer, tokenizer, config, load_tokenizer(model).before)
    names = get_tensor_name_map(MODEL_ARCH.LLAMA, config["num_hidden_layers"])
    kind = GGMLQuantizationType[number_type]
    for name, weights in load_file(model.folder / "model.safetensors").items():
        own = names.get_name(name, try_suffixes=(".weight",))
        weights = _permuted(weights.astype(np.float32), name, config)
        stored = kind if weights.ndim > 1 else GGMLQuantizationType.F32
        writer.add_tensor(own, quants.quantize(weights, stored), raw_dtype=stored)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_sizes(writer: GGUFWriter, config: dict[str, Any]) -> None:
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_rope_dimension_count(config["head_dim"])
    writer.add_rope_freq_base(config["rope_parameters"]["rope_theta"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_vocab_size(config["vocab_size"])


def _add_tokenizer(
    writer: GGUFWriter, tokenizer: dict[str, Any], config: dict[str, Any], starts: tuple[int, ...]
) -> None:
    """Tokens, merges and special tokens; `starts` are those that the model puts before texts."""
    vocabulary = tokenizer["model"]["vocab"]
    special = {token["id"] for token in tokenizer["added_tokens"] if token["special"]}
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(sorted(vocabulary, key=vocabulary.get))
    writer.add_token_types(
        [TokenType.CONTROL if id in special else TokenType.NORMAL for id in sorted(vocabulary.values())]
    )
    merges = tokenizer["model"]["merges"]
    writer.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in merges])
    for role, add in (
        ("bos", writer.add_bos_token_id),
        ("eos", writer.add_eos_token_id),
        ("pad", writer.add_pad_token_id),
    ):
        if (id := config.get(f"{role}_token_id")) is not None:
            add(id)
    writer.add_add_bos_token(bool(starts))
    writer.add_add_space_prefix(bool(tokenizer["pre_tokenizer"]["add_prefix_space"]))


def _permuted(weights: NDArray[np.float32], name: str, config: dict[str, Any]) -> NDArray[np.float32]:
    """Rows of queries and keys in llama.cpp's order: the two dimensions of a rotary pair are neighbours there."""
    heads = {"q_proj": config["num_attention_heads"], "k_proj": config["num_key_value_heads"]}
    if (part := name.split(".")[-2]) not in heads:
        return weights
    halves = weights.reshape(heads[part], 2, -1, *weights.shape[1:])
    return halves.swapaxes(1, 2).reshape(weights.shape)


def main(
    folder: Annotated[Path, typer.Argument(help="Where the files are written, NAME-TYPE.gguf.")],
    model: Annotated[list[str], typer.Option(help="Models of the catalogue.")] = list(MODELS),  # noqa: B006
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in model:
        for number_type in LADDER:
            path = write(find(name), folder / f"{name}-{number_type}.gguf", number_type)
            print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    run(main)
