"""The content of a folder in Hugging Face's layout, read without torch; refusals give the reason and a remedy."""

import importlib.util
import json
import math
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pairlens.errors import ModelError
from pairlens.models import gguf
from pairlens.places import program
from pairlens.settings import settings

TOKENIZER_FILES = (
    "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "vocab.json",
    "merges.txt", "vocab.txt", "spiece.model", "spm.model", "sentencepiece.bpe.model", "tokenizer.model",
)  # fmt: skip
"""Files that may determine tokenization; chat templates and the like do not."""
_SETTINGS_OF_TOKENIZERS = {"tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"}
_HEADS = (
    ("ForCausalLM", "causal"),
    ("LMHeadModel", "causal"),
    ("ForMaskedLM", "masked"),
    ("ForNextSentencePrediction", "next-sentence"),
    ("ModelNSP", "next-sentence"),
    ("ForSequenceClassification", "classifier"),
    ("ForConditionalGeneration", "seq2seq"),
    ("ForSeq2SeqLM", "seq2seq"),
    ("T5WithLMHeadModel", "seq2seq"),
    ("BartModel", "seq2seq"),
)
"""Endings of architectures' names. A BART saved without a head is complete: its head is its embedding."""
_PICKLED = (".pt", ".pth", ".bin", ".ckpt", ".pkl")
_IMPLEMENTATIONS = ("attn_implementation", "experts_implementation", "kernel_config")
"""Fields of a config in which transformers also takes a repository of code, which it fetches and runs."""
_MOST_LAYERS = 10_000
"""More would be made for hours before anybody asked for their weights."""
_PRETRAINED = {
    **dict.fromkeys(("BertForPreTraining", "MegatronBertForPreTraining"), ("masked", "next-sentence")),
    **dict.fromkeys(("AlbertForPreTraining", "MobileBertForPreTraining", "FNetForPreTraining"), ("masked",)),
}


_DIFFUSION = re.compile("LLaDA|Diffusion|MDLM|SEDD|SDAR|^Dream(Base)?Model")
"""In architectures of language models that denoise (Sahoo et al. 2024, MDLM; Nie et al. 2025, LLaDA)."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    folder: Path
    config: Mapping[str, Any]
    weights: tuple[Path, ...]
    tokenizer: tuple[Path, ...]


def read(folder: Path, name: str) -> Checkpoint:
    """The checkpoint in this folder; ModelError, in which `name` names the model, if it cannot be used."""
    if folder.is_file():
        raise ModelError(only_a_file(name))
    if not folder.is_dir():
        raise ModelError(f"'{name}': there is no folder {folder}.")
    if not (folder / "config.json").is_file():
        if files := sorted(folder.glob(f"*{gguf.SUFFIX}")):
            raise ModelError(f"'{name}' is a folder with GGUF files: name one of them, {files[0]}.")
        raise ModelError(f"'{name}' has no config.json in {folder}: this is not the folder of a model.")
    config = read_json(folder / "config.json", name)
    if kernel := next(_kernels(config), ""):
        raise ModelError(f"'{name}': its config.json asks for code from the hub ({kernel[:80]}), which is not run.")
    for key, value in config.items():
        if isinstance(value, int) and (key == "n_layer" or "layers" in key) and not 0 <= value <= _MOST_LAYERS:
            raise ModelError(f"'{name}': its config.json asks for {value:,} layers ({key}), which no model has.")
    if (folder / "adapter_config.json").is_file():
        raise ModelError(
            f"'{name}' has an adapter (adapter_config.json) beside whole weights, so that two models can be meant: "
            "keep each in a folder of its own."
        )
    tokenizer = tokenizer_files(folder, name)
    if not tokenizer:
        raise ModelError(
            f"'{name}' has no tokenizer files in {folder}: copy tokenizer.json beside its weights (a tokenizer "
            "without files, such as ByT5's, does not say which characters its tokens cover)."
        )
    return Checkpoint(folder, config, _weights(folder, name), tokenizer)


def is_whole(folder: Path) -> bool:
    """Whether it has the weights of a model, not only of an adapter."""
    return any((folder / file).is_file() for file in ("model.safetensors", "model.safetensors.index.json"))


def tokenizer_files(folder: Path, name: str) -> tuple[Path, ...]:
    """The files of its tokenizer; none if there are only settings. ModelError for one that is too large."""
    files = tuple(path for file in TOKENIZER_FILES if (path := folder / file).is_file())
    for path in files:
        _refuse_large(path, name)
    return () if all(path.name in _SETTINGS_OF_TOKENIZERS for path in files) else files


def _kernels(settings_of: Mapping[str, Any], named: bool = False) -> Iterator[str]:
    """The repositories that a config, or a part of it, names for the code of attention and of experts."""
    for key, value in settings_of.items():
        here = named or key.strip("_").startswith(_IMPLEMENTATIONS)
        if isinstance(value, dict):
            yield from _kernels(value, here)
        elif here and "/" in str(value):
            yield str(value)


def architectures(config: Mapping[str, Any]) -> list[str]:
    named = config.get("architectures")
    return [*map(str, named)] if isinstance(named, list) else []


def refuse_diffusion(config: Mapping[str, Any], name: str) -> None:
    if diffuses := [one for one in architectures(config) if _DIFFUSION.search(one)]:
        raise ModelError(
            f"'{name}' is a diffusion language model ({diffuses[0]}), which fills in hidden words over many steps: "
            "the probability of a text is only bounded, by sampling, not computed; take a causal or masked model."
        )


def kinds(config: Mapping[str, Any]) -> tuple[str, ...]:
    """The kinds of model that the heads named in a config make, the main one first; empty if there is none."""
    named: list[str] = []
    for architecture in architectures(config):
        named += _PRETRAINED.get(architecture, ())
        named += [kind for ending, kind in _HEADS if architecture.endswith(ending)]
    wrong = {"causal" if config.get("is_encoder_decoder") else "seq2seq"}
    model_type = str(config.get("model_type", ""))
    if any(word in model_type for word in ("bert", "electra", "roformer", "ernie")) and not config.get("is_decoder"):
        wrong.add("causal")  # an encoder saved with a language-model head, which sees the right context
    return tuple(dict.fromkeys(kind for kind in named if kind not in wrong))


def needs_own_code(config: Mapping[str, Any]) -> bool:
    """Whether the config requires Python code from the model's repository, for want of it in transformers."""
    if not config.get("auto_map"):
        return False
    model_type, spec = str(config.get("model_type", "")), importlib.util.find_spec("transformers")
    if not model_type or spec is None or spec.origin is None:
        return True
    # Importing transformers would take seconds; its folder tells.
    return not (Path(spec.origin).parent / "models" / model_type.replace("-", "_")).is_dir()


def weight_files(place: Path) -> list[Path]:
    """The safetensors files of a model's folder; a GGUF file itself."""
    return [place] if gguf.is_file(place) else sorted(place.glob("*.safetensors"))


def parameters(weights: Iterable[Path]) -> int:
    """The number of parameters in these files, from their headers; tied weights count once."""
    read = (path for path in weights if path.suffix == ".safetensors" or gguf.is_file(path))
    return sum(math.prod(shape) for path in read for shape in shapes(path).values())


def shapes(weights: Path) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor in a safetensors or GGUF file, from its header; ModelError if it is damaged."""
    if gguf.is_file(weights):
        return dict(gguf.header(weights, weights.name).shapes)
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(weights, framework="numpy") as file:
            return {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise ModelError(
            f"'{weights.parent.name}': its weight file {weights.name} is damaged; get it again."
        ) from error


def code_of(folder: Path, name: str) -> list[str]:
    """The classes that a model brings along; ModelError if their code is in another repository."""
    classes: list[str] = []
    for file in ("config.json", "tokenizer_config.json"):
        if (folder / file).is_file():
            classes += [str(place) for place in (read_json(folder / file, name).get("auto_map") or {}).values()]
    if foreign := [place for place in classes if "--" in place]:
        raise ModelError(f"'{name}' takes code from another repository ({foreign[0]}), which no commit pins.")
    return classes


def read_json(path: Path, name: str) -> dict[str, Any]:
    """A JSON object; ModelError, with the line, if it is damaged."""
    try:
        _refuse_large(path, name)
        values = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ModelError(f"'{name}': {path} cannot be read ({error.strerror or error}).") from None
    except UnicodeDecodeError:
        raise ModelError(f"'{name}': {path} is not text in UTF-8.") from None
    except json.JSONDecodeError as error:
        raise ModelError(f"'{name}': {path}, line {error.lineno}, is not valid JSON ({error.msg}).") from None
    except RecursionError:
        raise ModelError(f"'{name}': {path} is nested too deeply.") from None
    except ValueError as error:
        raise ModelError(f"'{name}': {path} is not usable JSON ({error}).") from None
    if not isinstance(values, dict):
        raise ModelError(f"'{name}': {path} should hold a JSON object, not a {type(values).__name__}.")
    return values


def _refuse_large(path: Path, name: str) -> None:
    if path.stat().st_size > settings().max_document_mb << 20:
        limit = f"{settings().max_document_mb:,} MB, the limit (PAIRLENS_MAX_DOCUMENT_MB)"
        raise ModelError(f"'{name}': {path} is larger than {limit}.")


def parts(index: Path, name: str) -> list[Path]:
    """The weight files that an index names; ModelError if one is missing or in another folder."""
    places = read_json(index, name).get("weight_map")
    if not isinstance(places, dict) or not places:
        raise ModelError(f"'{name}': {index} names no weight files.")
    files = sorted({str(file) for file in places.values()})
    for file in files:
        if Path(file).name != file or not (index.parent / file).is_file():
            raise ModelError(f"'{name}' lacks the weight file {file} that {index.name} names: get it again.")
    return [index.parent / file for file in files]


def only_pickles(name: str) -> str:
    return (
        f"'{name}' has only pickle weights, which can run code when they are read: write them as safetensors once "
        f"with `{program()} models convert {shlex.quote(name)}` (a model that also needs its own Python code is then "
        "allowed with --allow-code REPO@COMMIT)."
    )


def only_a_file(name: str) -> str:
    if gguf.is_file(Path(name)):
        return f"'{name}' is a file, whose name as a model begins with its folder: ./{name}."
    if Path(name).suffix not in _PICKLED or (Path(name).parent / "config.json").is_file():
        return f"'{name}' is a file: name the folder of the model, with config.json, weights and tokenizer."
    return (
        f"'{name}' is a file of pickled weights, which can run code when they are read: write them as safetensors "
        f"once with `{program()} models convert {shlex.quote(name)} --base MODEL`, MODEL being the one that was "
        "trained further."
    )


def _weights(folder: Path, name: str) -> tuple[Path, ...]:
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        return (index, *parts(index, name))
    if (folder / "model.safetensors").is_file():
        return (folder / "model.safetensors",)
    if sorted(folder.glob("*.bin")):
        raise ModelError(only_pickles(name))
    raise ModelError(f"'{name}' has no weights in {folder}: a file model.safetensors is expected.")
