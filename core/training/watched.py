"""transformers' Trainer with two differences: loss is measured per predicted token, and every step is reported.

Under the preset nlpscholar it is measured as there: the mean over pieces of the mean loss of the batch they are in.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from transformers import PrinterCallback, Trainer, TrainerCallback, TrainingArguments

from core.training.checkpoint import stop_asked
from core.training.chunks import PUBLISHED_SEED, Collator, Ids, batches
from core.training.options import Options
from core.training.recipe import Progress
from core.training.watching import Watched

if TYPE_CHECKING:
    from transformers import TrainerControl, TrainerState

_LOGGED = 10
"""Steps whose losses are averaged into one report."""
_KEPT = 2
"""Checkpoints on disk, the best one not counted: should a kill damage the newest, there is one before it."""


class WatchedTrainer(Trainer):  # type: ignore[misc]
    """Trains `module` on pieces of text and keeps checkpoints in `folder`."""

    def __init__(
        self,
        module: torch.nn.Module,
        pieces: tuple[Sequence[Ids], Sequence[Ids]],
        collate: Collator,
        options: Options,
        folder: Path,
        watched: Watched,
    ) -> None:
        training, self._validation = pieces
        self._collate, self._seed, self._published = collate, options.seed, options.published
        device = next(module.parameters()).device.type
        super().__init__(
            model=module,
            args=_arguments(options, folder, device),
            data_collator=collate,
            train_dataset=training,
            eval_dataset=self._validation,
            callbacks=[_Reports(watched, sum(map(len, training)))],
        )
        self.remove_callback(PrinterCallback)

    def training_step(self, model: torch.nn.Module, inputs: dict[str, Tensor], *_: Any, **__: Any) -> Tensor:
        """Masks are drawn here, not where batches are made in advance, so that a resumed run draws the same ones."""
        loss: Tensor = super().training_step(model, self._collate.hidden(inputs))
        return loss

    def compute_loss(
        self, model: Any, inputs: Any, return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """The mean over what a batch predicts, as in NLPScholar's version of transformers, if that is asked for."""
        return super().compute_loss(model, inputs, return_outputs, None if self._published else num_items_in_batch)

    def evaluate(self, *_: Any, **__: Any) -> dict[str, float]:
        """Mean loss per predicted token of the validation pieces, in nats; Trainer's own is a mean over batches."""
        metrics = {"eval_loss": self.loss()}
        self.log(metrics)
        self.control: TrainerControl = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics

    @torch.no_grad()
    def loss(self) -> float:
        """The same as a number; the masks of a masked model are the same every time."""
        module, total, count = self.model, 0.0, 0
        module.eval()
        for batch in batches(self._validation, self.args.eval_batch_size, self._collate, self._seed):
            n = self._collate.predicted(batch)
            if not n:
                continue
            n = len(batch["labels"]) if self._published else n
            total += n * float(module(**{name: part.to(self.args.device) for name, part in batch.items()}).loss)
            count += n
        return total / count


def _arguments(options: Options, folder: Path, device: str) -> TrainingArguments:
    return TrainingArguments(
        output_dir=str(folder),
        num_train_epochs=options.epochs,
        learning_rate=options.learning_rate,
        weight_decay=options.weight_decay,
        per_device_train_batch_size=options.batch_size,
        per_device_eval_batch_size=options.batch_size,
        eval_strategy=options.eval_strategy,
        eval_steps=options.eval_steps,
        save_strategy=options.save_strategy,
        save_steps=options.save_steps,
        save_total_limit=None if options.published else _KEPT,
        load_best_model_at_end=options.load_best_model_at_end,
        seed=PUBLISHED_SEED if options.published else options.seed,
        use_cpu=device == "cpu",
        dataloader_pin_memory=device == "cuda",
        logging_steps=_LOGGED,
        remove_unused_columns=False,
        report_to="none",
        disable_tqdm=True,
    )


class _Reports(TrainerCallback):  # type: ignore[misc]
    """Tells those who watch about every step, and stops when asked to: `tokens` is how many one epoch has."""

    def __init__(self, watched: Watched, tokens: int) -> None:
        self._watched, self._tokens = watched, tokens
        self._waiting: list[float] = []
        self._began, self._first = 0.0, 0
        self._loss: float | None = None

    def on_train_begin(self, _: Any, state: TrainerState, __: TrainerControl, **___: Any) -> None:
        self._began, self._first = time.monotonic(), state.global_step
        self._waiting = self._watched.watching.waiting(state.global_step / max(1, state.max_steps))

    def on_log(self, *_: Any, logs: dict[str, float], **__: Any) -> None:
        self._loss = logs.get("loss", self._loss)

    def on_step_end(self, _: Any, state: TrainerState, control: TrainerControl, **__: Any) -> None:
        progress = self._progress(state)
        self._watched.watch(progress)
        if self._waiting and progress.fraction >= self._waiting[0]:
            self._waiting = self._watched.watching.waiting(progress.fraction)
            began = time.monotonic()
            # Loading a model draws random numbers, which must not change the masks that come.
            with torch.random.fork_rng(devices=[]):
                self._watched.see(progress)
            self._began += time.monotonic() - began
        control.should_training_stop |= stop_asked(self._watched.folder)

    def on_evaluate(
        self, _: Any, state: TrainerState, __: TrainerControl, metrics: dict[str, float], **___: Any
    ) -> None:
        self._watched.watch(self._progress(state, metrics["eval_loss"]))

    def _progress(self, state: TrainerState, held: float | None = None) -> Progress:
        done, seconds = state.global_step - self._first, time.monotonic() - self._began
        epochs = float(state.epoch or 0)
        per_step = self._tokens * epochs / max(1, state.global_step)
        return Progress(
            "training",
            state.global_step / max(1, state.max_steps),
            state.global_step,
            round(epochs * self._tokens),
            epochs,
            self._loss,
            held,
            done * per_step / seconds if seconds else 0.0,
            seconds / done * (state.max_steps - state.global_step) if done else None,
        )
