"""Continue training a model, or train one of its shape from random weights, and save it for transformers.

Texts follow one another and are cut into pieces of equal length. Options, and the weights that a seed gives, are
those of transformers' Trainer: AdamW (Loshchilov and Hutter 2019) without decay of biases and norms, a rate that
falls to 0 in a line, gradients clipped at 1. A loss is a mean over predicted tokens; under the preset nlpscholar the
mean over pieces of the mean loss of the batch they are in.
"""

import math
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import torch
import transformers
from torch import Tensor

from pairlens.errors import InputError, ModelError
from pairlens.identity import digest
from pairlens.models import Loaded, load, spreading
from pairlens.models.cards import CARD
from pairlens.models.checkpoint import TOKENIZER_FILES, read_json
from pairlens.models.networks import BUILDING
from pairlens.models.resolve import base_of, tokenizer_folder
from pairlens.training.card import write_json
from pairlens.training.checkpoint import FINISHED, open_work_folder, work_folder
from pairlens.training.chunks import PUBLISHED_SEED, Collator, Ids, batches, cut
from pairlens.training.corpus import Documents
from pairlens.training.loop import Held, Training, Watch, Watching
from pairlens.training.optimizer import Optimizers
from pairlens.training.options import Options
from pairlens.training.recipe import Progress
from pairlens.types import Model

KINDS = ("causal", "masked")
_BETAS, _CLIP = (0.9, 0.999), 1.0
_OF_MODEL = ("language", "lower_case", "characters")
"""Facts on a model's card that hold for what it becomes."""
Inputs = Mapping[str, Tensor]


@dataclass(frozen=True, slots=True)
class Trained:
    """A finished training; `perplexity` is e to the mean loss per predicted token, `before`: it was already there."""

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
    repeated. One that is asked to stop saves the current model, or the best state under `load_best_model_at_end`.
    InputError or ModelError, in one sentence.
    """
    if model.kind not in KINDS or model.code:
        what = "with code of its own" if model.code else f"of the kind {model.kind}"
        raise ModelError(f"'{model.name}' is a model {what}; only {' and '.join(KINDS)} ones are trained further.")
    request = _request(model, documents, options)
    before = read_json(output / CARD, output.name).get("training", {}) if (output / CARD).is_file() else {}
    if before.get("request") == request:
        shutil.rmtree(work_folder(output), ignore_errors=True)
        return Trained(output, float(before["perplexity"]), before=True)
    folder = open_work_folder(output, request, resume=True)
    watch(Progress("packing", 0.0))
    training = ContinuedTraining.begin(model, documents, options, folder, output.name, request)
    try:
        for progress in training.run(output, watching):
            watch(progress)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}.", str(output)) from None
    return Trained(output, training.perplexity)


@dataclass(kw_only=True)
class ContinuedTraining(Training):
    """The training of a loaded model on pieces of text; `request` is what determines its result."""

    model: Model
    loaded: Loaded
    documents: Documents
    options: Options
    pieces: tuple[Sequence[Ids], Sequence[Ids]]
    collate: Collator
    name: str
    request: dict[str, Any]
    perplexity: float = math.nan

    @classmethod
    def begin(
        cls, model: Model, documents: Documents, options: Options, folder: Path, name: str, request: dict[str, Any]
    ) -> Self:
        """The model with its own or random weights, or as it was at the last checkpoint."""
        loaded = _loaded(model, options)
        module: Any = loaded.module
        module.config.use_cache = False
        share = options.mask_probability if loaded.head == "masked" else 0.0
        training, validation = (
            cut(texts, loaded.tokenizer, options) for texts in (documents.training, documents.validation)
        )
        for pieces, what in ((training, "training"), (validation, "validation")):
            if all(len(piece) < 2 for piece in pieces):
                raise InputError(f"The {what} text holds no two tokens: there is nothing to predict in it.")
        per_epoch = math.ceil(len(training) / options.batch_size)
        run = cls(
            network=module,
            optimizers=_adam(module, options),
            folder=folder,
            device=loaded.device,
            steps=math.ceil(options.epochs * per_epoch),
            per_epoch=per_epoch,
            clip=_CLIP,
            model=model,
            loaded=loaded,
            documents=documents,
            options=options,
            pieces=(training, validation),
            collate=Collator.of(loaded.tokenizer, share),
            name=name,
            request=request,
        )
        torch.manual_seed(run.seed)  # of masks and dropout
        run.restore()
        return run

    @property
    def seed(self) -> int:
        return PUBLISHED_SEED if self.options.published else self.options.seed

    def batches(self) -> Iterator[Inputs]:
        """Pieces in an order of each epoch, nothing masked yet."""
        pieces, size = self.pieces[0], self.options.batch_size
        epoch, first = divmod(self.step, int(self.per_epoch))
        while True:
            order = torch.randperm(len(pieces), generator=torch.Generator().manual_seed(self.seed + epoch)).tolist()
            if not first:
                # As torch's loader does for its workers, so that masks are those that Trainer draws.
                torch.empty((), dtype=torch.int64).random_()
            for at in range(first * size, len(order), size):
                yield self.collate([pieces[place] for place in order[at : at + size]])
            epoch, first = epoch + 1, 0

    def size(self, batch: Inputs) -> int:
        return int(batch["attention_mask"].sum())

    def loss(self, batch: Inputs) -> Tensor:
        """The mean over predicted tokens, which are drawn now, so that a resumed run draws the same ones."""
        return torch.as_tensor(self.network(**self._on_device(self.collate.hidden(batch))).loss)

    def _on_device(self, batch: Inputs) -> dict[str, Tensor]:
        return {name: part.to(self.device) for name, part in batch.items()}

    def rate(self) -> float:
        return (self.steps - self.step) / self.steps

    def is_measured(self) -> bool:
        return self.step < self.steps and self._is_due(self.options.eval_strategy, self.options.eval_steps)

    def is_kept(self, saved: float, *, measured: bool) -> bool:  # noqa: ARG002 (neither matters)
        return self._is_due(self.options.save_strategy, self.options.save_steps)

    def _is_due(self, strategy: str, every: float) -> bool:
        if strategy == "no":
            return False
        every = self.per_epoch if strategy == "epoch" else every if every >= 1 else math.ceil(every * self.steps)
        return self.step % every == 0 or self.step == self.steps

    def takes_best(self) -> bool:
        return self.options.load_best_model_at_end

    def measure(self) -> Held:
        """The masks of a masked model are the same every time."""
        total, count = 0.0, 0
        self.network.eval()
        for batch in batches(self.pieces[1], self.options.batch_size, self.collate, self.options.seed):
            if not (n := self.collate.predicted(batch)):
                continue
            n = len(batch["labels"]) if self.options.published else n
            total += n * float(self.network(**self._on_device(batch)).loss)
            count += n
        return Held(total / count)

    def conclude(self) -> Held:
        held = super().conclude()
        self.perplexity = math.exp(held.loss)
        return held

    def keep(self) -> None:
        super().keep()
        if self.options.published:
            self.save(self.folder / f"checkpoint-{self.step}")

    def save(self, folder: Path) -> None:
        """Weights as safetensors, the config, the tokenizer's own files, a card, and checkpoints where they stay."""
        shutil.rmtree(folder, ignore_errors=True)
        module: Any = self.network
        module.config.use_cache = True
        module.save_pretrained(folder)
        module.config.use_cache = False
        for name in TOKENIZER_FILES:
            if (own := tokenizer_folder(self.model) / name).is_file():
                shutil.copyfile(own, folder / name)
        write_json(folder / CARD, self.card())
        if self.options.published and folder.name == FINISHED:
            for path in self.folder.glob("checkpoint-*"):
                path.rename(folder / path.name)

    def card(self) -> dict[str, Any]:
        """What the catalogue shows of the model; its tokenizer reads what it read before."""
        n = f"{len(self.documents.training):,} document{'s' * (len(self.documents.training) != 1)}"
        training = {"request": self.request, "perplexity": self.perplexity}
        return {
            "name": self.name,
            "title": self.name,
            "kind": self.model.kind,
            "description": f"'{self.model.name}' trained further on {n}."
            if self.options.pretrained
            else f"A model of the shape of '{self.model.name}', trained on {n} from random weights.",
            **{name: self.model.card[name] for name in _OF_MODEL if name in self.model.card},
            "parameters": sum(part.numel() for part in self.network.parameters()),
            "context": self.loaded.window,
            **({"training": training} if math.isfinite(self.perplexity) else {}),
        }


def _adam(network: torch.nn.Module, options: Options) -> Optimizers:
    matrices, vectors = (
        [part for part in network.parameters() if (part.ndim > 1) == thick] for thick in (True, False)
    )
    groups = [{"params": matrices, "weight_decay": options.weight_decay}, {"params": vectors, "weight_decay": 0.0}]
    return Optimizers(torch.optim.AdamW(groups, options.learning_rate, betas=_BETAS, fused=True))


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


def _loaded(model: Model, options: Options) -> Loaded:
    """The model in memory, ready to learn; with random weights, its window is the length of the pieces."""
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
    config = transformers.AutoConfig.from_pretrained(base_of(model).folder, local_files_only=True)
    if hasattr(config, "max_position_embeddings"):
        tables = (part for name, part in loaded.module.named_modules() if name.endswith("position_embeddings"))
        paddings = (getattr(part, "padding_idx", None) for part in tables)
        before = (place + 1 for place in paddings if place is not None)  # RoBERTa counts from after the padding id
        config.max_position_embeddings = options.max_length + max(before, default=0)
    with BUILDING, torch.random.fork_rng(devices=[]):
        torch.manual_seed(options.seed)
        module = type(loaded.module)(config)
    return replace(loaded, module=module.to(loaded.device), window=options.max_length)
