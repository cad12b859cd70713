"""A head for pairs of texts, from labelled pairs and a model to a folder, one report at a time.

Matrices of the base stay unchanged and get deltas of two thin matrices beside them (Hu et al. 2022, LoRA).
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from transformers.pytorch_utils import Conv1D

from pairlens.errors import InputError
from pairlens.models import heads
from pairlens.models.cards import CARD
from pairlens.models.loading import load_tokenizer
from pairlens.models.pooled import PooledClassifier, load_base
from pairlens.models.resolve import is_folder
from pairlens.training.card import write_json
from pairlens.training.checkpoint import open_work_folder
from pairlens.training.heads import HeadRecipe
from pairlens.training.heads.pairs import Batch, Encoded, LabelledPair, layout, split
from pairlens.training.loop import Held, Training, has_bfloat16, ready_device
from pairlens.training.optimizer import Optimizers, cosine
from pairlens.training.recipe import Progress
from pairlens.types import Model

_MATRICES = (nn.Linear, Conv1D)
_THIN = (".down", ".up")
"""The names of a delta's two matrices."""
VALIDATIONS = 12
_OF_BASE = ("language", "lower_case", "characters", "context", "caution")
"""Facts on the base's card that hold for base and head together."""


@dataclass(frozen=True)
class Head:
    """What a head is for: its task, its labels in the order of its outputs, and what its card should say."""

    task: str
    labels: tuple[str, ...]
    title: str = ""
    description: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)


def train_head(
    head: Head,
    base: Model,
    examples: Sequence[LabelledPair],
    recipe: HeadRecipe,
    output: Path,
    *,
    resume: bool = True,
) -> Iterator[Progress]:
    """Train a head over `base` and save it as folder `output`, which appears when it is complete.

    A killed run continues from its last checkpoint when called again with the same arguments. At the end, and when
    asked to stop (`pairlens.training.checkpoint.ask_to_stop`), the head has the state with the best accuracy on
    held-out pairs. Losses are in nats per pair; tokens are those of the pairs.
    """
    heads.refuse_other_bases(base)
    folder = open_work_folder(output, request(head, base, examples, recipe), resume=resume)
    yield Progress("packing", 0.0)
    training, validation = split(examples, base, recipe)
    device = ready_device()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(recipe.seed)
        separator = layout(load_tokenizer(base)).between[0]
        network = PooledClassifier(load_base(base), separator, len(head.labels))
        add_deltas(network.base, recipe.rank)
    network.to(device)
    for part in network.modules():
        if isinstance(part, nn.Dropout):
            part.p = 0.0
    groups = [  # with AdamW (Loshchilov & Hutter 2019): a rate for the base and one for the head
        {
            "params": [parameter for parameter in network.base.parameters() if parameter.requires_grad],
            "lr": recipe.core_rate,
        },
        {"params": [*network.dense.parameters(), *network.out.parameters()], "lr": recipe.head_rate},
    ]
    run = HeadTraining(
        network=network,
        optimizers=Optimizers(torch.optim.AdamW(groups, weight_decay=recipe.weight_decay)),
        folder=folder,
        device=device,
        steps=math.ceil(recipe.epochs * math.ceil(len(training) / recipe.rows)),
        per_epoch=len(training) / recipe.rows,
        clip=recipe.clip,
        name=output.name,
        head=head,
        base=base,
        recipe=recipe,
        before=trained_weights(network.base),
        training=training,
        validation=validation,
    )
    run.restore()
    yield from run.run(output)


def request(head: Head, base: Model, examples: Sequence[LabelledPair], recipe: HeadRecipe) -> dict[str, Any]:
    """What determines the result, to tell whether an unfinished run is the same."""
    content = hashlib.sha256()
    for first, second, label, back in examples:
        content.update(f"{first}\0{second}\0{label}{'' if back is None else f'/{back}'}\n".encode())
    return {
        "head": {"task": head.task, "labels": list(head.labels)},
        "base": base.weights,
        "recipe": asdict(recipe),
        "examples": content.hexdigest(),
    }


@dataclass(kw_only=True)
class HeadTraining(Training):
    """The training of a head called `name`; `before` has the base's own weights that are trained, as they were."""

    network: PooledClassifier
    name: str
    head: Head
    base: Model
    recipe: HeadRecipe
    before: dict[str, Tensor]
    training: Encoded
    validation: Encoded

    def rate(self) -> float:
        return cosine(self.step, int(self.steps * self.recipe.warm_up) + 1, self.steps)

    def is_measured(self) -> bool:
        return self.step % max(1, self.steps // VALIDATIONS) == 0 and self.step < self.steps

    def batches(self) -> Iterator[Batch]:
        per_epoch = math.ceil(len(self.training) / self.recipe.rows)
        epoch, first = divmod(self.step, per_epoch)
        while True:
            for places in self.training.epoch(self.recipe.rows, self.recipe.seed + epoch)[first:]:
                yield self.training.batch(places)
            epoch, first = epoch + 1, 0

    def size(self, batch: Batch) -> int:
        return int(batch.seen.sum())

    def loss(self, batch: Batch) -> Tensor:
        with torch.autocast(self.device.type, torch.bfloat16, enabled=has_bfloat16(self.device)):
            logits, labels = self._answer(batch)
        return nn.functional.cross_entropy(logits.float(), labels)

    def _answer(self, batch: Batch) -> tuple[Tensor, Tensor]:
        ids, seen, types, labels = (part if part is None else part.to(self.device) for part in batch)
        logits = self.network(input_ids=ids, attention_mask=seen, token_type_ids=types).logits
        return torch.as_tensor(logits), torch.as_tensor(labels)

    def measure(self) -> Held:
        loss, right, n = 0.0, 0, len(self.validation)
        for places in self.validation.in_order(self.recipe.rows):
            logits, labels = self._answer(self.validation.batch(places))
            loss += float(nn.functional.cross_entropy(logits.float(), labels, reduction="sum"))
            right += int((logits.argmax(1) == labels).sum())
        return Held(loss / n, right / n)

    def save(self, folder: Path) -> None:
        weights = self.learned()
        write_head(folder, self.base, weights, self.card(sum(tensor.numel() for tensor in weights.values())))

    def learned(self) -> dict[str, Tensor]:
        own = nn.ModuleDict({"dense": self.network.dense, "out": self.network.out}).named_parameters(prefix="head")
        return {**deltas(self.network.base, self.before), **{name: p.detach().cpu() for name, p in own}}

    def card(self, parameters: int) -> dict[str, Any]:
        head, base, held = self.head, self.base, self.best.held
        return {
            "name": self.name,
            "title": head.title or self.name,
            "kind": head.task,
            "description": head.description or f"A {head.task} head over {base.name}.",
            "base": base.name,
            "labels": list(head.labels),
            **{key: base.card[key] for key in _OF_BASE if key in base.card},
            **head.about,
            "parameters": parameters,
            "recipe": asdict(self.recipe),
            "training": {
                "pairs": len(self.training),
                "held_out_pairs": len(self.validation),
                "left_out": self.training.left_out + self.validation.left_out,
                "steps": self.step,
                "best_step": self.best.step,
                "tokens_seen": self.tokens,
                "minutes": round(self.seconds / 60, 1),
                "validation_accuracy": round(100 * (held.accuracy or 0.0), 2),
                "validation_loss": round(held.loss, 4),
            },
            "scores": {},
        }


def write_head(folder: Path, base: Model, weights: Mapping[str, Tensor], card: Mapping[str, Any]) -> None:
    """Write the folder of the head that the card describes; see `pairlens.models.heads` for its files."""
    folder.mkdir(parents=True, exist_ok=True)
    half = {name: tensor.to(torch.float16).contiguous() for name, tensor in weights.items()}
    save_file(half, folder / heads.WEIGHTS, metadata={"format": "pt"})
    (folder / heads.WEIGHTS).chmod(0o644)
    frame = layout(load_tokenizer(base))
    config = {
        "architectures": [heads.ARCHITECTURE],
        "task": card["kind"],
        "base": os.fspath(base.folder) if is_folder(base.name) else base.name,
        "base_weights": base.weights,
        "id2label": {str(place): label for place, label in enumerate(card["labels"])},
        "rank": card["recipe"]["rank"],
        "pooling": "mean of each text",
        "pair": {"before": frame.before, "between": frame.between, "after": frame.after, "types": frame.types},
    }
    write_json(folder / "config.json", config)
    write_json(folder / CARD, card)


class LowRank(nn.Module):
    """A matrix with a delta of rank r: `down` (in, r), `up` (r, out); the delta is zero at first."""

    def __init__(self, inner: Any, rank: int) -> None:
        super().__init__()
        self.inner = inner
        rows, columns = inner.weight.shape
        width, out = (columns, rows) if isinstance(inner, nn.Linear) else (rows, columns)
        self.down = nn.Parameter(torch.randn(width, rank) / math.sqrt(width))
        self.up = nn.Parameter(torch.zeros(rank, out))

    def forward(self, x: Tensor) -> Tensor:
        """(..., in) to (..., out)."""
        return torch.as_tensor(self.inner(x) + (x @ self.down) @ self.up)


def add_deltas(base: nn.Module, rank: int) -> None:
    """Freeze a network except for its vectors, and give its matrices deltas to train; at rank 0 train all of it."""
    if not rank:
        return
    for parameter in base.parameters():
        parameter.requires_grad_(parameter.ndim == 1)
    for name, part in list(base.named_modules()):
        if isinstance(part, _MATRICES):
            if rank > (most := min(part.weight.shape)):
                raise InputError(
                    f"A rank of {rank:,} is more than the base's matrices have ({most}): take less, or 0 for all of "
                    "it."
                )
            parent, _, own = name.rpartition(".")
            setattr(base.get_submodule(parent), own, LowRank(part, rank))


def deltas(base: nn.Module, before: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The learned deltas, under the names of `pairlens.models.heads`; `before` has the initial trained weights."""
    learned = dict[str, Tensor]()
    for name, parameter in base.named_parameters():
        if name.endswith(_THIN):
            matrix, _, side = name.rpartition(".")
            learned[f"delta.{matrix}.weight.{side}"] = parameter
        elif name in before:
            learned[f"delta.{name.replace('.inner.', '.')}"] = parameter - before[name]
    return {name: tensor.detach().cpu() for name, tensor in learned.items()}


def trained_weights(base: nn.Module) -> dict[str, Tensor]:
    """Copies of the base's own weights that will be trained, by name."""
    own = ((name, parameter) for name, parameter in base.named_parameters() if not name.endswith(_THIN))
    return {name: parameter.detach().clone() for name, parameter in own if parameter.requires_grad}
