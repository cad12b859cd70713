"""The training loop: from text files to a saved model, one report at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from core.errors import InputError
from core.models.plain.encoder_decoder import EncoderDecoder
from core.models.plain.stack import Stack
from core.training.best import Best
from core.training.checkpoint import (
    FINISHED,
    load_checkpoint,
    open_work_folder,
    publish,
    refuse_lost,
    save_checkpoint,
    save_snapshot,
    snapshots_folder,
    stop_asked,
)
from core.training.corruption import seq2seq_batch
from core.training.data import Data, make_data, make_tokenizer
from core.training.device import can_compile, has_bfloat16, ready_device
from core.training.export import export, take_weights
from core.training.network import new_network
from core.training.objectives import Batch, causal_batch, masked_batch, prediction_loss
from core.training.optimizer import Optimizers
from core.training.packing import Rows
from core.training.recipe import Progress, TrainingRecipe
from core.training.tokenizer import SENTINELS
from core.training.watching import Watching

if TYPE_CHECKING:
    from tokenizers import Tokenizer

CHECKPOINT_SECONDS = 30.0
VALIDATIONS = 20
VALIDATION_ROWS = 256
"""Most rows of the validation data that an estimate during training reads; the last estimate reads all."""

FIRST_SNAPSHOT = 0.005
"""The fraction of a run after which its weights are kept for the first time, if they are kept."""

Loss = Callable[[Batch], Tensor]


def train(
    recipe: TrainingRecipe,
    texts: Sequence[Path],
    output: Path,
    validation: Path | None = None,
    *,
    resume: bool = True,
    watching: Watching = Watching(),  # noqa: B008 (frozen)
) -> Iterator[Progress]:
    """Train on `texts` (a file named twice counts twice) and save the model as folder `output`.

    A killed run continues from its last checkpoint when called again with the same arguments; the output folder
    appears only when the model is complete. Losses are in nats per predicted token. A run that is asked to stop
    (`core.training.checkpoint.ask_to_stop`) saves the state with the lowest validation loss.
    """
    for path in (*texts, *([validation] if validation else [])):
        if not path.is_file():
            raise InputError(f"There is no text file {path}.")
    request = {
        "recipe": asdict(recipe),
        "texts": [[path.name, path.stat().st_size] for path in texts],
        "validation": validation.name if validation else None,
    }
    folder = open_work_folder(output, request, resume=resume)
    yield Progress("tokenizer", 0.0)
    tokenizer = make_tokenizer(recipe, texts, folder)
    yield Progress("packing", 0.0)
    data = make_data(recipe, texts, validation, tokenizer, folder)
    run = LanguageModelTraining.begin(recipe, data, tokenizer, folder, snapshots_folder(output))
    save, finished = partial(export, run.network, tokenizer, recipe), folder / FINISHED
    last = Progress("training", 0.0)
    for last in watching.follow(run.reports(), run.fraction, save, folder / "moment"):
        yield last
    save(finished)
    if watching.finish:
        watching.finish(finished, last)
    publish(output)
    yield replace(last, stage="saved", fraction=1.0, seconds_left=0.0)


@dataclass
class LanguageModelTraining:
    """A training under way; `seconds` counts training time from the second step on."""

    recipe: TrainingRecipe
    data: Data
    network: Stack | EncoderDecoder
    optimizers: Optimizers
    folder: Path
    device: torch.device
    snapshots: Path
    step: int = 0
    seconds: float = 0.0

    @classmethod
    def begin(
        cls, recipe: TrainingRecipe, data: Data, tokenizer: Tokenizer, folder: Path, snapshots: Path
    ) -> LanguageModelTraining:
        """A fresh network, or the one of the last checkpoint."""
        device = ready_device()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(recipe.seed)
            network = new_network(recipe, tokenizer.get_vocab_size())
        if recipe.start_from:
            take_weights(network, tokenizer, Path(recipe.start_from))
        network.to(device)
        run = cls(recipe, data, network, Optimizers(network, recipe), folder, device, snapshots)
        if state := load_checkpoint(folder, "cpu"):
            network.load_state_dict(state["network"])
            run.optimizers.load_state_dict(state["optimizers"])
            run.step, run.seconds = int(state["step"]), float(state["seconds"])
        return run

    def save(self) -> None:
        """Keep a checkpoint."""
        state = {"network": self.network.state_dict(), "optimizers": self.optimizers.state_dict()}
        save_checkpoint(self.folder, {**state, "step": self.step, "seconds": self.seconds})

    def fraction(self) -> float:
        """The part of the budget that is spent, 0 to 1."""
        if self.recipe.steps is not None:
            return min(1.0, self.step / self.recipe.steps)
        return min(1.0, self.seconds / (60 * (self.recipe.minutes or 1)))

    def batch(self, rows: Rows, fraction: float, seed: int) -> Batch:
        """Inputs and targets of rows (B, T); masks depend on the seed and the step alone."""
        recipe = self.recipe
        if recipe.kind == "seq2seq":
            return seq2seq_batch(rows, self.network.embed_tokens.num_embeddings - SENTINELS, seed, self.device)
        ids = torch.from_numpy(rows.astype(np.int64)).to(self.device)
        if recipe.kind == "causal":
            return causal_batch(ids)
        share = recipe.mask_share_first + fraction * (recipe.mask_share_last - recipe.mask_share_first)
        chance = torch.Generator().manual_seed(seed)
        mask = self.network.embed_tokens.num_embeddings - 1
        return masked_batch(ids, share, mask, chance, recipe.causal_share)

    def loss_function(self, *, compiled: bool) -> Loss:
        """The mean loss of a batch, compiled if possible."""
        network: Callable[..., Tensor] = self.network
        predict: Callable[..., Tensor] = prediction_loss
        if compiled and can_compile():
            network = torch.compile(network, dynamic=False)
            predict = torch.compile(predict, dynamic=True)
        half = self.recipe.precision == "bfloat16" and has_bfloat16(self.device)

        def loss(batch: Batch) -> Tensor:
            with torch.autocast(self.device.type, torch.bfloat16, enabled=half):
                hidden = network(*batch.inputs)
                table = self.network.embed_tokens.weight
                return predict(hidden, table, batch.reads, batch.targets)

        return loss

    @torch.no_grad()
    def validate(self, most: int | None = VALIDATION_ROWS) -> float:
        """The mean loss of the first `most` validation rows (None: all), with the last mask share and fixed masks."""
        loss = self.loss_function(compiled=False)
        rows = self.data.validation[:most]
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
        best = Best(self.folder, resumed=self.step > 0)
        validated = int(self.fraction() * VALIDATIONS)
        moments = np.geomspace(FIRST_SNAPSHOT, 1.0, self.recipe.snapshots)  # at equal ratios: much is learnt early
        due = [moment for moment in moments if moment > self.fraction()]
        batches = self.data.batches(self.recipe.rows, self.recipe.seed, self.step)
        while (fraction := self.fraction()) < 1 and not stop_asked(self.folder):
            began = time.perf_counter()
            value = loss(self.batch(next(batches), fraction, seed=self.step))
            refuse_lost(float(value.detach()), self.folder)
            torch.autograd.backward(value)
            self.optimizers.step(fraction)
            self.step += 1
            while due and self.fraction() >= due[0]:
                due.pop(0)
                save_snapshot(self.snapshots, self.network, self.step)
            held = None
            if validated < int(self.fraction() * VALIDATIONS) < VALIDATIONS:
                validated, held = int(self.fraction() * VALIDATIONS), self.validate()
                best.offer(self.network, held)
            if self.step > first_step + 1:
                self.seconds += time.perf_counter() - began
            yield self.report(float(value.detach()), held, self.step - first_step)
            if self.seconds - saved_at > CHECKPOINT_SECONDS or held is not None:
                saved_at = self.seconds
                self.save()

        if due and self.fraction() >= 1:  # a budget of minutes ends between two steps
            save_snapshot(self.snapshots, self.network, self.step)
        held = self.validate()
        refuse_lost(held, self.folder)
        if self.fraction() < 1:
            held = best.take(self.network, held)
        if len(self.data.validation) > VALIDATION_ROWS:
            held = self.validate(None)
        yield replace(self.report(None, held, self.step - first_step), fraction=1.0, seconds_left=0.0)

    def report(self, loss: float | None, held: float | None, done_now: int) -> Progress:
        """The progress after a step; `done_now` counts the steps since the start or the resumption."""
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
