"""Load weights, head and tokenizer safely: safetensors only, no custom code, nothing random."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from pairlens.errors import ModelError
from pairlens.models import adapters, gguf, gguf_tokenizer, heads, next_sentence, spreading
from pairlens.models.checkpoint import TOKENIZER_FILES, read_json
from pairlens.models.networks import BUILDING, from_folder, in_short, library
from pairlens.models.plain import shapes
from pairlens.models.resolve import base_of, check_unchanged, tokenizer_folder, tokenizer_named
from pairlens.models.tokenizer import Tokenizer, no_panic, private_copy
from pairlens.settings import settings
from pairlens.types import Model

if TYPE_CHECKING:
    import torch


_HEADS = {
    "causal": "AutoModelForCausalLM",
    "masked": "AutoModelForMaskedLM",
    "seq2seq": "AutoModelForSeq2SeqLM",
    "classifier": "AutoModelForSequenceClassification",
    "next-sentence": "AutoModelForNextSentencePrediction",
}
_NO_LIMIT = 2048
"""Window of models that state none (BLOOM and T5 have relative positions)."""


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """A network ready to run, with its tokenizer and device.

    `head` is causal, masked, seq2seq, classifier or next-sentence. `window` is the number of tokens that it
    sees at once, special ones included; of an encoder-decoder, that either half sees.
    """

    name: str
    head: str
    module: torch.nn.Module
    tokenizer: Tokenizer
    device: torch.device
    window: int


def load(model: Model, head: str, dtype: str = "float32", *, trainable: bool = False) -> Loaded:
    """The model in memory, in evaluation mode, its weights in `dtype` on the device of the settings.

    The network is one of `pairlens.models.plain`, which starts without transformers, if it is recognised; one that is
    to be `trainable` is transformers', which saves it. ModelError for damaged files, a head or embedding that the
    weights lack, a vocabulary that the embeddings do not cover, custom code.
    """
    import torch

    limit_threads()
    device = pick_device()
    over = (adapters.is_adapter, heads.is_head, next_sentence.is_trained)
    if spreading.is_wanted() and any(is_over(model.folder) for is_over in over):
        raise ModelError(f"'{model.name}' stands on another model, which cannot be spread: set PAIRLENS_DEVICE=cpu.")
    if gguf.is_file(model.folder) and (trainable or spreading.is_wanted()):
        raise ModelError(f"'{model.name}' is a GGUF file, which is neither trained nor spread: take its original.")
    check_unchanged(model)
    module = _network(model, head, dtype, trainable)
    tokenizer = load_tokenizer(model)
    try:
        rows = int(module.get_input_embeddings().weight.shape[0])
    except (NotImplementedError, AttributeError):  # custom code may hide them
        rows = int(module.config.vocab_size)
    if tokenizer.size > rows:
        raise ModelError(
            f"'{model.name}': its tokenizer has {tokenizer.size:,} tokens but its weights know {rows:,}; "
            "one of the two is from another model."
        )
    module.requires_grad_(False).eval()
    if spreading.is_wanted():
        return Loaded(model.name, head, module, tokenizer, spreading.device_of(module), _window(module, model))
    try:
        module.to(device)
    except torch.OutOfMemoryError as error:
        raise ModelError(
            f"'{model.name}' does not fit into the memory of {device}; set PAIRLENS_DEVICE to spread or cpu."
        ) from error
    return Loaded(model.name, head, module, tokenizer, device, _window(module, model))


def _network(model: Model, head: str, dtype: str, trainable: bool) -> Any:
    if heads.is_head(model.folder):
        from pairlens.models.pooled import network  # its classes are torch's

        return network(model, dtype)
    if next_sentence.is_trained(model.folder):
        return next_sentence.network(model, dtype)
    if dtype == "float32" and not (trainable or spreading.is_wanted()):
        from pairlens.models.plain import called  # its classes are torch's

        if plain := called.network(model, head):
            return plain
    built = spreading.spread if spreading.is_wanted() else from_folder
    module, missing = built(getattr(library(), _HEADS[head]), base_of(model), head, dtype)
    if missing:
        shown = ", ".join(missing[:3]) + (", ..." if len(missing) > 3 else "")
        raise ModelError(
            f"'{model.name}' lacks weights that a {head} model needs ({shown}); they would be random, "
            "so its scores would mean nothing."
        )
    if gguf.is_file(model.folder):
        gguf.refuse_unused(gguf.header(model.folder, model.name), module, model.name)
    return adapters.merge(module, model) if adapters.is_adapter(model.folder) else module


def load_tokenizer(model: Model) -> Tokenizer:
    if heads.is_head(model.folder):
        return heads.framed(load_tokenizer(base_of(model)), model)
    other = tokenizer_named(model.name)
    with no_panic(model.name):
        try:
            own = load_tokenizer(other) if other else _own_tokenizer(model)
            if gguf.is_file(model.folder):
                gguf_tokenizer.refuse_other(own, gguf.header(model.folder, model.name), model.name, other)
        except ModelError:
            raise
        except Exception as error:
            # The tokenizers library raises bare Exception for a damaged file.
            raise ModelError(f"'{model.name}': its tokenizer cannot be loaded: {in_short(error)}") from error
    return next_sentence.framed(own, model) if next_sentence.is_trained(model.folder) else own


def _own_tokenizer(model: Model) -> Tokenizer:
    with gguf.source(tokenizer_folder(model)) as (place, named):
        made = described(model) or library().AutoTokenizer.from_pretrained(
            place, local_files_only=True, trust_remote_code=bool(model.code), **named
        )
    return private_copy(made, model.name)


def load_window(model: Model) -> int:
    if gguf.is_file(model.folder):
        return int(model.card["context"] or _NO_LIMIT)
    base = base_of(model)
    if shape := shapes.recognised(base, base.kind):
        return _at_most(shape.context or _NO_LIMIT, model)
    import torch

    transformers = library()
    try:
        config = transformers.AutoConfig.from_pretrained(
            base.folder, local_files_only=True, trust_remote_code=bool(base.code)
        )
        head = "" if next_sentence.is_trained(base.folder) else _HEADS.get(base.kind, "")
        architecture = getattr(transformers, head or "AutoModel")
        with BUILDING, torch.device("meta"):
            module = architecture.from_config(config, trust_remote_code=bool(base.code))
    except Exception as error:  # a config can hold anything
        raise ModelError(f"'{model.name}': its config cannot be used: {in_short(error)}") from error
    return _window(module, model)


def _window(module: Any, model: Model) -> int:
    """The minimum stated by config and tokenizer; RoBERTa counts positions from after the padding id."""
    stated = getattr(module.config, "max_position_embeddings", None) or _NO_LIMIT
    for name, part in module.named_modules():
        if name.endswith("position_embeddings") and getattr(part, "padding_idx", None) is not None:
            stated = min(stated, part.num_embeddings - part.padding_idx - 1)
    return _at_most(stated, model)


def _at_most(stated: int, model: Model) -> int:
    settings_of_tokenizer = tokenizer_folder(model) / "tokenizer_config.json"
    if settings_of_tokenizer.is_file():
        limit = read_json(settings_of_tokenizer, model.name).get("model_max_length")
        stated = int(min(stated, limit)) if isinstance(limit, int | float) and limit > 0 else stated
    return stated


def limit_threads() -> None:
    import torch

    if settings().threads:
        torch.set_num_threads(settings().threads)


_DEVICE: ContextVar[str] = ContextVar("device", default="")


@contextmanager
def on_this_processor() -> Iterator[None]:
    """Inside, networks are loaded onto the processor, whatever the settings say."""
    token = _DEVICE.set("cpu")
    try:
        yield
    finally:
        _DEVICE.reset(token)


def pick_device() -> torch.device:
    """The device of the settings, for `auto` and `spread` the best available; ModelError for a missing one."""
    import torch

    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    wanted = _DEVICE.get() or settings().device
    if wanted in ("auto", spreading.SPREAD):
        wanted = next(name for name, there in present.items() if there)
    if not present.get(wanted):
        there = ", ".join(["auto", spreading.SPREAD, *(name for name, here in present.items() if here)])
        raise ModelError(f"PAIRLENS_DEVICE asks for '{wanted}'; this machine has: {there}.")
    return torch.device(wanted)


_FILES = {"tokenizer.json", "tokenizer_config.json"}
_CLASSES = {"PreTrainedTokenizerFast", "TokenizersBackend"}
_ROLES = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
_OTHERS = {
    "tokenizer_class", "model_max_length", "clean_up_tokenization_spaces", "padding_side", "truncation_side",
    "model_input_names", "backend", "chat_template",
}  # fmt: skip
"""Fields that are read elsewhere, or by which no text is cut otherwise."""
_INPUTS = ("input_ids", "attention_mask")
"""What a tokenizer of transformers makes if its config does not say."""


def described(model: Model) -> SimpleNamespace | None:
    """What `private_copy` asks of transformers, by the files alone; None for another class or unmarked tokens."""
    folder = tokenizer_folder(model)
    there = {name for name in TOKENIZER_FILES if (folder / name).is_file()}
    if model.code or there != _FILES:
        return None
    tokenizer_config = read_json(folder / "tokenizer_config.json", model.name)
    if tokenizer_config.get("tokenizer_class") not in _CLASSES or tokenizer_config.keys() - {*_ROLES, *_OTHERS}:
        return None
    import tokenizers

    backend = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    special = {token.content: id for id, token in backend.get_added_tokens_decoder().items() if token.special}
    named = {role: tokenizer_config.get(role) for role in _ROLES}
    if any(token is not None and (not isinstance(token, str) or token not in special) for token in named.values()):
        return None
    ids = {f"{role}_id": None if token is None else special[token] for role, token in named.items()}
    names = tokenizer_config.get("model_input_names") or _INPUTS
    known = [id for id in ids.values() if id is not None]
    return SimpleNamespace(backend_tokenizer=backend, all_special_ids=known, model_input_names=names, **ids)
