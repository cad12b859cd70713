"""The training loop: from text files to a saved model, one report at a time."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from core.errors import InputError
from core.training.checkpoint import (
    load_checkpoint,
    open_work_folder,
    publish,
    save_checkpoint,
    work_folder,
)
from core.training.data import Data, make_data, make_tokenizer
from core.training.export import export, take_weights
from core.training.network import Network
from core.training.objectives import Batch, causal_batch, masked_batch, prediction_loss
from core.training.optimizer import Optimizers
from core.training.packing import Rows
from core.training.recipe import Progress, Recipe

CHECKPOINT_SECONDS = 60.0
VALIDATIONS = 20
VALIDATION_ROWS = 256
"""Rows of the validation data that each estimate reads, at most."""

Loss = Callable[[Batch], Tensor]


def train(
    recipe: Recipe,
    texts: Sequence[Path],
    output: Path,
    validation: Path | None = None,
    *,
    resume: bool = True,
) -> Iterator[Progress]:
    """Train on `texts` (a file named twice counts twice) and save the model as folder `output`.

    A killed run goes on from its last checkpoint when called again with the same arguments; the
    output folder appears only when the model is complete. Losses are in nats per predicted token.
    """
    for path in (*texts, *([validation] if validation else [])):
        if not path.is_file():
            raise InputError(f"There is no text file {path}.")
    request = {
        "recipe": recipe.as_dict(),
        "texts": [[path.name, path.stat().st_size] for path in texts],
        "validation": validation.name if validation else None,
    }
    folder = open_work_folder(output, request, resume=resume)
    yield Progress("tokenizer", 0.0)
    tokenizer = make_tokenizer(recipe, texts, folder)
    yield Progress("packing", 0.0)
    data = make_data(recipe, texts, validation, tokenizer, folder)
    run = Run.begin(recipe, data, tokenizer.get_vocab_size(), folder)
    last = Progress("training", 0.0)
    for last in run.reports():
        yield last
    finished = folder / "finished"
    export(run.network, tokenizer, recipe, finished)
    publish(finished, output)
    shutil.rmtree(work_folder(output))
    yield replace(last, stage="saved", fraction=1.0, seconds_left=0.0)


def pick_device() -> torch.device:
    """The accelerator if there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def has_bfloat16(device: torch.device) -> bool:
    """True where half-precision arithmetic is in hardware."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    return bool(torch.cpu.get_capabilities().get("avx512_bf16", False))


def can_compile() -> bool:
    """True where `torch.compile` finds a C++ compiler."""
    return any(shutil.which(name) for name in ("g++", "clang++", "c++"))


@dataclass
class Run:
    """A training under way; `seconds` counts training time from the second step on."""

    recipe: Recipe
    data: Data
    network: Network
    optimizers: Optimizers
    folder: Path
    device: torch.device
    step: int = 0
    seconds: float = 0.0

    @classmethod
    def begin(cls, recipe: Recipe, data: Data, vocabulary: int, folder: Path) -> Run:
        """A fresh network, or the one of the last checkpoint."""
        device = pick_device()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(recipe.seed)
            network = Network(recipe, vocabulary)
        if recipe.start_from:
            take_weights(network, Path(recipe.start_from))
        network.to(device)
        run = cls(recipe, data, network, Optimizers(network, recipe), folder, device)
        run.step, run.seconds = load_checkpoint(folder, network, run.optimizers)
        return run

    def fraction(self) -> float:
        """How much of the budget is spent, 0 to 1."""
        if self.recipe.steps is not None:
            return min(1.0, self.step / self.recipe.steps)
        return min(1.0, self.seconds / (60 * (self.recipe.minutes or 1)))

    def batch(self, rows: Rows, fraction: float, seed: int) -> Batch:
        """Inputs and targets of rows (B, T); masks depend on the seed and the step alone."""
        recipe = self.recipe
        ids = torch.from_numpy(rows.astype(np.int64)).to(self.device)
        if recipe.kind == "causal":
            return causal_batch(ids)
        share = recipe.mask_share_first + fraction * (recipe.mask_share_last - recipe.mask_share_first)
        chance = torch.Generator().manual_seed(seed)
        return masked_batch(ids, share, self.network.embed_tokens.num_embeddings - 1, chance)

    def loss_function(self, *, compiled: bool) -> Loss:
        """The mean loss of a batch, as one or two compiled graphs where that is possible."""
        network: Callable[..., Tensor] = self.network
        predict: Callable[..., Tensor] = prediction_loss
        if compiled and can_compile():
            network = torch.compile(network, dynamic=False)
            predict = torch.compile(predict, dynamic=True)
        half = self.recipe.precision == "bfloat16" and has_bfloat16(self.device)

        def loss(batch: Batch) -> Tensor:
            with torch.autocast(self.device.type, torch.bfloat16, enabled=half):
                hidden = network(batch.ids, batch.positions, batch.allowed)
                table = self.network.embed_tokens.weight
                return predict(hidden, table, batch.reads, batch.targets)

        return loss

    @torch.no_grad()
    def validate(self) -> float:
        """The mean loss of the first validation rows, with the last mask share and fixed masks."""
        loss = self.loss_function(compiled=False)
        rows = self.data.validation[:VALIDATION_ROWS]
        total, count = 0.0, 0
        for at in range(0, len(rows), 32):
            batch = self.batch(rows[at : at + 32], 1.0, seed=at)
            total += float(loss(batch)) * len(batch.targets)
            count += len(batch.targets)
        return total / max(1, count)

    def reports(self) -> Iterator[Progress]:
        """Train until the budget is spent, one report for each step and a last one."""
        loss = self.loss_function(compiled=self.recipe.compiled)
        saved_at, first_step = self.seconds, self.step
        validated = int(self.fraction() * VALIDATIONS)
        batches = self.data.batches(self.recipe.rows, self.recipe.seed, self.step)
        while (fraction := self.fraction()) < 1:
            began = time.perf_counter()
            value = loss(self.batch(next(batches), fraction, seed=self.step))
            torch.autograd.backward(value)
            self.optimizers.step(fraction)
            self.step += 1
            held = None
            if validated < int(self.fraction() * VALIDATIONS) < VALIDATIONS:
                validated, held = int(self.fraction() * VALIDATIONS), self.validate()
            if self.step > first_step + 1:
                self.seconds += time.perf_counter() - began
            yield self.report(float(value.detach()), held, self.step - first_step)
            if self.seconds - saved_at > CHECKPOINT_SECONDS:
                saved_at = self.seconds
                save_checkpoint(self.folder, self.network, self.optimizers, self.step, self.seconds)

        last = self.report(None, self.validate(), self.step - first_step)
        yield replace(last, fraction=1.0, seconds_left=0.0)

    def report(self, loss: float | None, held: float | None, done_now: int) -> Progress:
        """The state after a step; `done_now` counts the steps since the start or the resumption."""
        fraction = self.fraction()
        tokens = self.step * self.recipe.batch_tokens
        known = done_now > 1 and self.seconds > 0
        return Progress(
            "training",
            fraction,
            self.step,
            tokens,
            self.step * self.recipe.rows / len(self.data.training),
            loss,
            held,
            tokens / self.seconds if known else 0.0,
            self.seconds / fraction * (1 - fraction) if known and fraction else None,
        )
