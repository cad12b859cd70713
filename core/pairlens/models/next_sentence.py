"""Networks that StereoSet's successor trained to say whether a text is next (Öztürk et al. 2023), once converted.

    GPT2ModelNSP    the states of a GPT-2, averaged over the tokens of both texts, and three linear layers
    T5ModelNSP      both texts in the encoder, the first one after a prompt; the decoder writes its likeliest token,
                    and the logits of the next one are read at the tokens for "1" and "0"
    MT5ModelNSP     the same without the prompt

`architectures` of the config.json has one of these names, `next_sentence` the ids of the two tokens and of the
prompt. Scores are those of the program in batches of one pair; in others it averages over padding too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairlens.errors import ModelError
from pairlens.models import checkpoint
from pairlens.models.networks import from_folder, library
from pairlens.models.tokenizer import Tokenizer
from pairlens.types import Model

if TYPE_CHECKING:
    from torch import nn

ARCHITECTURES = {"gpt2": "GPT2ModelNSP", "t5": "T5ModelNSP", "mt5": "MT5ModelNSP"}
"""By the base's `model_type`."""
HEAD = "nsp_head."
"""What the names of the linear layers' weights begin with."""
_FIELD = "next_sentence"
_PROMPT = "binary classification:"
_ANSWERS = ("1", "0")
"""What a trained T5 writes, in the order of `pairlens.models.heads.NEXT_LABELS`."""


def is_trained(folder: Path) -> bool:
    config = folder / "config.json"
    named = checkpoint.read_json(config, folder.name).get("architectures") if config.is_file() else None
    return not set(named or ()).isdisjoint(ARCHITECTURES.values())


def fields(base: Mapping[str, Any], tokenizer: Tokenizer, name: str) -> dict[str, Any]:
    """What the config of such a network has beside its base's; ModelError, which names the checkpoint, for others."""
    kind = str(base.get("model_type"))
    if kind not in ARCHITECTURES:
        raise ModelError(
            f"'{name}' has a head for next sentences, which stands on {', '.join(ARCHITECTURES)}, not {kind}: name "
            "the model that it was trained over."
        )
    prompt = _PROMPT if kind == "t5" else ""
    ids = tokenizer.backend.encode(prompt, add_special_tokens=False).ids
    answers = [] if kind == "gpt2" else [_token(tokenizer, answer, name) for answer in _ANSWERS]
    return {"architectures": [ARCHITECTURES[kind]], _FIELD: {"answers": answers, "prompt": ids}}


def framed(tokenizer: Tokenizer, model: Model) -> Tokenizer:
    prompt = _field(model)["prompt"]
    return replace(tokenizer, pair=replace(tokenizer.pair, before=(*tokenizer.pair.before, *prompt)))


def network(model: Model, dtype: str) -> nn.Module:
    """The network in memory, which gives `logits` (rows, 2); ModelError if weights are missing."""
    from safetensors import safe_open

    from pairlens.models import pooled  # its classes are torch's

    answers = _field(model)["answers"]
    architecture = library().AutoModelForSeq2SeqLM if answers else library().AutoModel
    core, missing = from_folder(architecture, model, "next-sentence", dtype)
    if missing:
        raise ModelError(f"'{model.name}' lacks weights that a next-sentence model needs ({missing[0]}).")
    if answers:
        return pooled.NextAnswer(core, answers)
    with safe_open(model.folder / "model.safetensors", framework="pt") as file:
        head = {name.removeprefix(HEAD): file.get_tensor(name) for name in file.keys() if name.startswith(HEAD)}  # noqa: SIM118
    try:
        return pooled.MeanOfStates(core, head)
    except (KeyError, RuntimeError) as error:
        raise ModelError(f"'{model.name}' lacks a layer of its head, or has one that does not fit.") from error


def _field(model: Model) -> dict[str, list[int]]:
    """The ids under `answers` (two, or none for a GPT-2) and `prompt`; ModelError if they cannot be these."""
    config = checkpoint.read_json(model.folder / "config.json", model.name)
    field, size = config.get(_FIELD), config.get("vocab_size")
    parts = [field.get(name) for name in ("answers", "prompt")] if isinstance(field, dict) else []
    ids = range(size) if isinstance(size, int) else ()
    known = [part for part in parts if isinstance(part, list) and all(type(id) is int and id in ids for id in part)]
    n_answers = 0 if ARCHITECTURES["gpt2"] in config["architectures"] else len(_ANSWERS)
    if len(known) != 2 or len(known[0]) != n_answers:
        raise ModelError(
            f"'{model.name}': {_FIELD} in its config.json should have lists of token ids, answers ({n_answers}) and "
            "prompt: convert its checkpoint again."
        )
    return dict(zip(("answers", "prompt"), known, strict=True))


def _token(tokenizer: Tokenizer, answer: str, name: str) -> int:
    ids = tokenizer.backend.encode(answer, add_special_tokens=False).ids
    if len(ids) not in (1, 2) or ids[-1] == tokenizer.unknown:
        raise ModelError(f"'{name}' answers {' or '.join(_ANSWERS)}, which are not tokens of this base.")
    return int(ids[-1])
