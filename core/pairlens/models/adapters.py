"""LoRA adapters as the library peft saves them: low-rank changes of a base's matrices (Hu et al. 2022, LoRA).

    adapter_config.json         the base, the rank, the layers that are changed
    adapter_model.safetensors   two small matrices for each of these layers, and layers that were trained whole

peft adds them to the base's weights when the model is loaded; the base's files stay as they are. A tokenizer in the
folder takes the place of the base's.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pairlens.errors import ModelError
from pairlens.models import checkpoint
from pairlens.models.networks import BUILDING, in_short
from pairlens.types import Model

CONFIG = "adapter_config.json"
WEIGHTS = "adapter_model.safetensors"
KINDS = ("causal", "masked", "seq2seq", "classifier")
"""The kinds of model that can be a base, and that the adapter then is."""
_TASKS = {"": "", "CAUSAL_LM": "causal", "SEQ_2_SEQ_LM": "seq2seq", "SEQ_CLS": "classifier"}
"""The kind of the base by peft's `task_type`; without one, the base decides."""
_PLACE = ("base_model_name_or_path", "revision")
_NO_NUMBERS = (*_PLACE, "auto_mapping", "inference_mode", "lora_dropout", "peft_version", "eva_config")
"""Fields that change no weight of the merged model."""
_MERGED = (
    "bias", "exclude_modules", "fan_in_fan_out", "layers_pattern", "layers_to_transform", "lora_alpha", "lora_bias",
    "modules_to_save", "r", "rank_pattern", "alpha_pattern", "target_modules", "target_parameters", "use_dora",
    "use_rslora",
)  # fmt: skip
_ELSEWHERE = ("megatron_core", "qalora_group_size", "task_type", "peft_type", "init_lora_weights")
"""Fields that are read above, or count only with another one."""
_STARTS = (True, False, None, "gaussian", "eva", "orthogonal")
"""Values of `init_lora_weights` under which training begins with the base's own weights; PiSSA, OLoRA, CorDA and
LoftQ change them, and a plain file of such an adapter belongs to those changed weights."""


def is_adapter(folder: Path) -> bool:
    return (folder / CONFIG).is_file() and not checkpoint.is_whole(folder)


def config_of(name: str, folder: Path) -> dict[str, Any]:
    """The adapter's config; ModelError in one sentence for an adapter that cannot be merged."""
    config = checkpoint.read_json(folder / CONFIG, name)
    if (kind := config.get("peft_type")) != "LORA":
        raise ModelError(
            f"'{name}' is an adapter of the type {kind}, and only LoRA adapters are added to their base's weights: "
            "if peft can merge it (merge_and_unload), name the folder of the merged model."
        )
    if not isinstance(config.get(_PLACE[0]), str) or not config[_PLACE[0]].strip():
        raise ModelError(f"'{name}': its {CONFIG} names no base (base_model_name_or_path): write it there.")
    if (task := str(config.get("task_type") or "")) not in _TASKS:
        raise ModelError(f"'{name}' is an adapter for the task {task}, for which no text is scored or classified.")
    if (start := config.get("init_lora_weights")) not in _STARTS:
        raise ModelError(
            f"'{name}' was trained over changed weights of its base (init_lora_weights: {start}): save it as a plain "
            "LoRA adapter with peft (path_initial_model_for_weight_conversion)."
        )
    if others := sorted(key for key in config.keys() - {*_NO_NUMBERS, *_MERGED, *_ELSEWHERE} if config[key]):
        raise ModelError(
            f"'{name}': its {CONFIG} sets {others[0]}, which is not merged here: merge it with peft "
            "(merge_and_unload), and name the folder of the merged model."
        )
    if not (folder / WEIGHTS).is_file():
        pickled = (folder / "adapter_model.bin").is_file()
        has = "its weights as a pickle (adapter_model.bin), which can run code when it is read" if pickled else "none"
        raise ModelError(f"'{name}' is an adapter that should have {WEIGHTS} and has {has}: save it again with peft.")
    return config


def base_named(config: Mapping[str, Any]) -> tuple[str, str, str]:
    """The name of the base, its revision on the hub and its kind; empty where the config states none."""
    name, revision = (str(config.get(field) or "").strip() for field in _PLACE)
    return name, revision, _TASKS[config.get("task_type") or ""]


def settings_of(name: str, folder: Path) -> dict[str, Any]:
    """The fields of the config that determine the merged weights."""
    return {key: value for key, value in config_of(name, folder).items() if key not in _NO_NUMBERS}


def merge(module: Any, model: Model) -> Any:
    """The base `module`, a network of transformers, with the adapter `model` added to its weights in place.

    In the base's precision: each product is computed in single precision and rounded once. ModelError if peft is not
    installed, or for an adapter that fits another base.
    """
    try:
        import peft
    except ImportError:
        raise ModelError(
            f"'{model.name}' is an adapter, and peft, which merges it, is not installed: pip install 'peft>=0.21'."
        ) from None
    import torch
    from safetensors.torch import load_file

    config = config_of(model.name, model.folder)
    merged = {key: config[key] for key in _MERGED if config.get(key) is not None}
    try:
        tensors = load_file(model.folder / WEIGHTS).items()
        # Changes are computed in single precision; other weights take the place of the base's.
        weights = {name: one.to(torch.float32 if "lora_" in name else module.dtype) for name, one in tensors}
        with BUILDING, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # advice for training; what matters is checked below
            _untie(module, weights)
            with torch.device("meta"):  # without memory: a config may ask for any rank
                adapted = peft.PeftModel(module, peft.LoraConfig(**merged), low_cpu_mem_usage=True)
            report = peft.set_peft_model_state_dict(adapted, weights, low_cpu_mem_usage=True)
            absent = [name for name, part in adapted.named_parameters() if part.device == torch.device("meta")]
            if strange := sorted((*report.unexpected_keys, *absent)):
                raise ValueError(f"{len(strange)} weights are missing or have no place there ({strange[0]})")
            return adapted.merge_and_unload()
    except Exception as error:  # a config can hold anything
        raise ModelError(
            f"'{model.name}' is damaged, or the adapter of another base than '{base_named(config)[0]}': "
            f"{in_short(error)}"
        ) from error


def _untie(module: Any, weights: Mapping[str, Any]) -> None:
    """Give the output layer weights of its own if the adapter changes only one of it and the embedding."""
    embedding, output = module.get_input_embeddings(), module.get_output_embeddings()
    if output is None or output.weight is not embedding.weight:
        return
    names = [name for name, part in module.named_modules() if part is embedding or part is output]
    if any(f"{name}." in key for name in names for key in weights):
        output.weight = copy.deepcopy(output.weight)
        module.config.tie_word_embeddings = False
