"""The training loop: from labelled pairs and a model to the folder of a head, one report at a time."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import get_cosine_with_hard_restarts_schedule_with_warmup

from core.models.heads import refuse_other_bases
from core.models.loading import load_tokenizer
from core.models.pooled import PooledClassifier, load_base
from core.training.checkpoint import (
    FINISHED,
    load_checkpoint,
    open_work_folder,
    publish,
    refuse_lost,
    save_checkpoint,
    stop_asked,
)
from core.training.device import has_bfloat16, ready_device
from core.training.heads.low_rank import add_deltas, deltas, trained_weights
from core.training.heads.pairs import Encoded, LabelledPair, layout, split
from core.training.heads.recipe import HeadRecipe
from core.training.heads.saved import Head, save
from core.training.recipe import Progress
from core.types import Model

CHECKPOINT_SECONDS = 30.0
VALIDATIONS = 12


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
    asked to stop (`core.training.checkpoint.ask_to_stop`), the head has the state with the best accuracy on held-out
    pairs. Losses are in nats per pair; tokens are those of the pairs.
    """
    refuse_other_bases(base)
    folder = open_work_folder(output, request(head, base, examples, recipe), resume=resume)
    yield Progress("packing", 0.0)
    run = HeadTraining.begin(head, base, examples, recipe, folder)
    last = Progress("training", 0.0)
    for last in run.reports():
        yield last
    run.take_best()
    save(folder / FINISHED, output.name, head, base, run.weights(), run.facts())
    publish(output)
    yield replace(last, stage="saved", fraction=1.0, seconds_left=0.0)


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


def optimizer_of(network: PooledClassifier, recipe: HeadRecipe, steps: int) -> tuple[torch.optim.Optimizer, Any]:
    """AdamW (Loshchilov & Hutter 2019), a rate for the base and one for the head, and their schedule."""
    core = [parameter for parameter in network.base.parameters() if parameter.requires_grad]
    head = [*network.dense.parameters(), *network.out.parameters()]
    groups = [{"params": core, "lr": recipe.core_rate}, {"params": head, "lr": recipe.head_rate}]
    optimizer = torch.optim.AdamW(groups, weight_decay=recipe.weight_decay)
    warm_up = int(steps * recipe.warm_up) + 1
    return optimizer, get_cosine_with_hard_restarts_schedule_with_warmup(optimizer, warm_up, steps)


@dataclass
class HeadTraining:
    """A training under way; `seconds` counts training time, `best` holds the best state and its accuracy."""

    head: Head
    recipe: HeadRecipe
    network: PooledClassifier
    before: dict[str, Tensor]
    training: Encoded
    validation: Encoded
    folder: Path
    device: torch.device
    optimizer: torch.optim.Optimizer
    schedule: Any
    steps: int
    step: int = 0
    tokens: int = 0
    seconds: float = 0.0
    best: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def begin(
        cls, head: Head, base: Model, examples: Sequence[LabelledPair], recipe: HeadRecipe, folder: Path
    ) -> HeadTraining:
        """A fresh head, or the one of the last checkpoint."""
        training, validation = split(examples, base, recipe)
        device = ready_device()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(recipe.seed)
            separator = layout(load_tokenizer(base)).between[0]
            network = PooledClassifier(load_base(base), separator, len(head.labels))
            add_deltas(network.base, recipe.rank)
        network.to(device).train()
        for part in network.modules():
            if isinstance(part, nn.Dropout):
                part.p = 0.0
        steps = math.ceil(recipe.epochs * math.ceil(len(training) / recipe.rows))
        optimizer, schedule = optimizer_of(network, recipe, steps)
        before = trained_weights(network.base)
        run = cls(head, recipe, network, before, training, validation, folder, device, optimizer, schedule, steps)
        run._restore()
        return run

    def reports(self) -> Iterator[Progress]:
        """Train until all steps are done or a stop is requested, one report for each step and a last one."""
        every = max(1, self.steps // VALIDATIONS)
        saved_at, batches = time.monotonic(), self._batches()
        while self.step < self.steps and not stop_asked(self.folder):
            began = time.perf_counter()
            loss = self._step(next(batches))
            self.seconds += time.perf_counter() - began
            held = self.validate() if self.step % every == 0 and self.step < self.steps else None
            yield self._report(loss, held)
            if time.monotonic() - saved_at > CHECKPOINT_SECONDS:
                saved_at = time.monotonic()
                self._save()
        yield replace(self._report(None, self.validate()), fraction=1.0, seconds_left=0.0)

    def _batches(self) -> Iterator[list[int]]:
        """The batches from the current step on; they depend on seed and step alone."""
        each = math.ceil(len(self.training) / self.recipe.rows)
        for epoch in range(self.step // each, math.ceil(self.recipe.epochs)):
            done = self.step - epoch * each
            yield from self.training.epoch(self.recipe.rows, self.recipe.seed + epoch)[max(0, done) :]

    def _step(self, places: list[int]) -> float:
        batch = self.training.batch(places)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=has_bfloat16(self.device)):
            logits = self._logits(batch.arguments())
        loss = nn.functional.cross_entropy(logits.float(), batch.labels.to(self.device))
        refuse_lost(float(loss.detach()), self.folder)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(self.network.parameters(), self.recipe.clip)
        self.optimizer.step()
        self.schedule.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.step += 1
        self.tokens += int(batch.seen.sum())
        return float(loss.detach())

    def _logits(self, arguments: dict[str, Tensor | None]) -> Tensor:
        given = {name: value if value is None else value.to(self.device) for name, value in arguments.items()}
        return torch.as_tensor(self.network(**given).logits)

    @torch.no_grad()
    def validate(self) -> tuple[float, float]:
        """Mean loss and accuracy on held-out pairs; the best state so far is kept."""
        loss, right = 0.0, 0
        for places in self.validation.in_order(self.recipe.rows):
            batch = self.validation.batch(places)
            logits, labels = self._logits(batch.arguments()).float(), batch.labels.to(self.device)
            loss += float(nn.functional.cross_entropy(logits, labels, reduction="sum"))
            right += int((logits.argmax(1) == labels).sum())
        loss, accuracy = loss / len(self.validation), right / len(self.validation)
        refuse_lost(loss, self.folder)
        if not self.best or (accuracy, -loss) > (self.best["accuracy"], -self.best["loss"]):
            weights = {name: tensor.detach().clone() for name, tensor in self._trained()}
            self.best = {"accuracy": accuracy, "loss": loss, "step": self.step, "weights": weights}
        return loss, accuracy

    def take_best(self) -> None:
        """Go back to the best state."""
        self._set(self.best["weights"])

    def weights(self) -> dict[str, Tensor]:
        """The learned weights, under the names of `core.models.heads`."""
        own = {"dense": self.network.dense, "out": self.network.out}
        head = {f"head.{part}.{name}": p for part, module in own.items() for name, p in module.named_parameters()}
        return {**deltas(self.network.base, self.before), **{name: p.detach().cpu() for name, p in head.items()}}

    def facts(self) -> dict[str, Any]:
        """Facts about the training, for the card."""
        return {
            "recipe": asdict(self.recipe),
            "pairs": len(self.training),
            "held_out_pairs": len(self.validation),
            "left_out": self.training.left_out + self.validation.left_out,
            "steps": self.step,
            "best_step": self.best["step"],
            "tokens_seen": self.tokens,
            "minutes": round(self.seconds / 60, 1),
            "validation_accuracy": round(100 * self.best["accuracy"], 2),
            "validation_loss": round(self.best["loss"], 4),
        }

    def _trained(self) -> Iterator[tuple[str, Tensor]]:
        return ((name, p) for name, p in self.network.named_parameters() if p.requires_grad)

    @torch.no_grad()
    def _set(self, weights: Mapping[str, Tensor]) -> None:
        for name, parameter in self._trained():
            parameter.copy_(weights[name])

    def _report(self, loss: float | None, held: tuple[float, float] | None) -> Progress:
        fraction = self.step / self.steps
        return Progress(
            "training",
            fraction,
            self.step,
            self.tokens,
            self.step * self.recipe.rows / len(self.training),
            loss,
            held and held[0],
            self.tokens / self.seconds if self.seconds else 0.0,
            self.seconds / fraction * (1 - fraction) if fraction else None,
            held and held[1],
        )

    def _save(self) -> None:
        state = {
            "trained": dict(self._trained()),
            "optimizer": self.optimizer.state_dict(),
            "schedule": self.schedule.state_dict(),
            "counts": [self.step, self.tokens, self.seconds],
            "best": self.best,
        }
        save_checkpoint(self.folder, state)

    def _restore(self) -> None:
        if state := load_checkpoint(self.folder, self.device):
            self._set(state["trained"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.schedule.load_state_dict(state["schedule"])
            self.step, self.tokens, self.seconds = state["counts"]
            self.best = state["best"]
