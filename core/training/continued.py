"""Continue training a model, or train one of its shape from random weights, and save it for transformers.

The texts follow one another, are cut into pieces of equal length, and go through transformers' Trainer, after whose
arguments the options are named. Checkpoints are kept in a folder beside the output, which appears when the model is
complete.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import InputError, ModelError
from core.identity import digest
from core.models import Loaded, load, spreading
from core.models.cards import CARD
from core.models.checkpoint import TOKENIZER_FILES, read_json
from core.models.networks import BUILDING
from core.training.card import write_json
from core.training.checkpoint import FINISHED, open_work_folder, publish, work_folder
from core.training.documents import Documents
from core.training.options import Options
from core.training.recipe import Progress
from core.training.watching import Watch, Watched, Watching
from core.types import Model

if TYPE_CHECKING:
    import torch

KINDS = ("causal", "masked")
_STATE = (".pt", ".pth", ".bin")
"""Endings of what Trainer keeps beside a checkpoint's weights to go on from it."""
LARGEST = 700.0
"""Losses whose perplexity overflows lie above."""


@dataclass(frozen=True, slots=True)
class Trained:
    """A finished training. `perplexity` is e to the mean loss per predicted token of the validation text.

    `before`: the folder already held the result of the very same training.
    """

    folder: Path
    perplexity: float
    before: bool = False


def continue_training(
    model: Model,
    documents: Documents,
    options: Options,
    output: Path,
    watch: Watch = lambda _: None,
    watching: Watching = Watching(),  # noqa: B008 (frozen)
) -> Trained:
    """Train `model` on the documents and save it as folder `output`, which must not hold anything else.

    A killed run continues from its last checkpoint when called again with the same arguments; a finished one is not
    repeated. One that is asked to stop (`core.training.checkpoint.ask_to_stop`) saves the current model, or the best
    state under `load_best_model_at_end`. InputError or ModelError, in one sentence: kinds of models that are not
    trained here, too little text, pieces longer than the model's window.
    """
    _refuse_strange(model)
    request = _request(model, documents, options)
    if (found := _finished(output, request)) is not None:
        shutil.rmtree(work_folder(output), ignore_errors=True)
        return Trained(output, found, before=True)
    folder = open_work_folder(output, request, resume=True)
    watch(Progress("packing", 0.0))
    loaded = _loaded(model, options)

    def save(place: Path) -> None:
        module: Any = loaded.module
        _save(module, model, place, _card(model, loaded, documents, options, output.name))
        module.config.use_cache = False

    trainer = _trainer(loaded, documents, options, folder, Watched(watch, watching, save, folder))
    try:
        trainer.train(resume_from_checkpoint=_last_checkpoint(folder))
        perplexity = _perplexity(trainer.loss(), options, folder)
        card = _card(model, loaded, documents, options, output.name)
        card["training"] = {"request": request, "perplexity": perplexity}
        _save(loaded.module, model, folder / FINISHED, card)
        if options.published:
            _leave_checkpoints(folder, model)
        if watching.finish:
            watching.finish(folder / FINISHED, Progress("training", 1.0, trainer.state.global_step))
        publish(output)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}.", str(output)) from None
    watch(Progress("saved", 1.0, trainer.state.global_step, seconds_left=0.0))
    return Trained(output, perplexity)


def _refuse_strange(model: Model) -> None:
    if model.kind not in KINDS or model.code:
        what = "with code of its own" if model.code else f"of the kind {model.kind}"
        raise ModelError(f"'{model.name}' is a model {what}; only {' and '.join(KINDS)} ones are trained further.")


def _perplexity(loss: float, options: Options, folder: Path) -> float:
    """e to the loss in nats; InputError if there is no such number, and then nothing in `folder` is worth keeping."""
    if not loss < LARGEST:
        shutil.rmtree(folder)
        raise InputError(
            f"The training came apart: its loss is {loss:g}. Take a learning rate below {options.learning_rate:g}."
        )
    return math.exp(loss)


def _request(model: Model, documents: Documents, options: Options) -> dict[str, Any]:
    """What determines the result: the model's files, the texts and the options. The card keeps it."""
    return {
        "model": [model.kind, model.weights, model.tokenizer, model.config],
        "training": _digest(documents.training),
        "validation": _digest(documents.validation),
        "options": options.stated(),
    }


def _digest(texts: Sequence[str]) -> str:
    return digest("".join(f"{text}\0" for text in texts))


def _finished(output: Path, request: dict[str, Any]) -> float | None:
    """The perplexity of this training if its result is there already."""
    card = output / CARD
    kept = read_json(card, output.name).get("training", {}) if card.is_file() else {}
    return float(kept["perplexity"]) if kept.get("request") == request else None


def _loaded(model: Model, options: Options) -> Loaded:
    """The model in memory, ready to learn; with random weights, its window is the length of the pieces."""
    import torch
    import transformers

    spreading.refuse_training()
    loaded = load(model, model.kind, trainable=True)
    seen = loaded.window if options.pretrained else options.max_length
    if options.piece > seen:
        remedy = f"set maxTrainSequenceLength to {seen} or less"
        if options.published:
            remedy = "NLPScholar has no others; train without its preset, or a model of random weights with more"
        few = f"'{model.name}' sees {seen} tokens at once, too few for pieces of {options.piece}"
        raise InputError(f"{few}: {remedy}.")
    if options.pretrained:
        loaded.module.requires_grad_(True)
        return loaded
    config = transformers.AutoConfig.from_pretrained(model.folder, local_files_only=True)
    if hasattr(config, "max_position_embeddings"):
        config.max_position_embeddings = options.max_length + _before_the_first(loaded.module)
    with BUILDING, torch.random.fork_rng(devices=[]):
        torch.manual_seed(options.seed)
        module = type(loaded.module)(config)
    return replace(loaded, module=module.to(loaded.device), window=options.max_length)


def _before_the_first(module: torch.nn.Module) -> int:
    """Positions before the first token's: RoBERTa counts from after the padding id."""
    parts = (part for name, part in module.named_modules() if name.endswith("position_embeddings"))
    return max((part.padding_idx + 1 for part in parts if getattr(part, "padding_idx", None) is not None), default=0)


def _trainer(loaded: Loaded, documents: Documents, options: Options, folder: Path, watched: Watched) -> Any:
    from core.training.chunks import Collator, cut
    from core.training.watched import WatchedTrainer

    def pieces(texts: Sequence[str], what: str) -> list[Any]:
        found = cut(texts, loaded.tokenizer, options)
        if all(len(piece) < 2 for piece in found):
            raise InputError(f"The {what} text holds no two tokens: there is nothing to predict in it.")
        return found

    collate = Collator.of(loaded.tokenizer, options.mask_probability if loaded.head == "masked" else 0.0)
    both = pieces(documents.training, "training"), pieces(documents.validation, "validation")
    return WatchedTrainer(loaded.module, both, collate, options, folder, watched)


def _last_checkpoint(folder: Path) -> str | None:
    """The newest complete checkpoint: its state is the last file to be written."""
    by_step = sorted(folder.glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]), reverse=True)
    for path in by_step:
        try:
            json.loads((path / "trainer_state.json").read_text("utf-8"))
        except (OSError, ValueError):
            shutil.rmtree(path)
            continue
        return str(path)
    return None


def _leave_checkpoints(folder: Path, model: Model) -> None:
    """Put the checkpoints into the finished model's folder, each a model: without the optimizer's state."""
    for path in folder.glob("checkpoint-*"):
        for state in [one for one in path.iterdir() if one.suffix in _STATE]:
            state.unlink()
        _copy_tokenizer(model, path)
        path.rename(folder / FINISHED / path.name)


def _card(model: Model, loaded: Loaded, documents: Documents, options: Options, name: str) -> dict[str, Any]:
    """What the catalogue shows of a model; its tokenizer reads what it read before."""
    n = f"{len(documents.training):,} document{'s' * (len(documents.training) != 1)}"
    kept = {key: model.card[key] for key in ("language", "lower_case", "characters") if key in model.card}
    return {
        "name": name,
        "title": name,
        "kind": model.kind,
        "description": f"'{model.name}' trained further on {n}."
        if options.pretrained
        else f"A model of the shape of '{model.name}', trained on {n} from random weights.",
        **kept,
        "parameters": sum(part.numel() for part in loaded.module.parameters()),
        "context": loaded.window,
    }


def _save(module: Any, model: Model, folder: Path, card: dict[str, Any]) -> None:
    """Weights as safetensors, the config, the tokenizer's own files, and a card."""
    shutil.rmtree(folder, ignore_errors=True)
    module.config.use_cache = True
    module.save_pretrained(folder)
    _copy_tokenizer(model, folder)
    write_json(folder / CARD, card)


def _copy_tokenizer(model: Model, folder: Path) -> None:
    for name in TOKENIZER_FILES:
        if (model.folder / name).is_file():
            shutil.copyfile(model.folder / name, folder / name)
