"""The loop of every training: steps, measurements, checkpoints, looks at the model, the best state, publication."""

import math
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from pairlens.models import loading, spreading
from pairlens.settings import settings
from pairlens.training.checkpoint import FINISHED, load_checkpoint, publish, refuse_lost, save_checkpoint, stop_asked
from pairlens.training.optimizer import Optimizers
from pairlens.training.recipe import Progress

CHECKPOINT_SECONDS = 30.0
"""Between checkpoints, where a training does not say at which steps it keeps one."""
FIRST_LOOK = 0.002
"""The fraction of a training after which the model is looked at for the first time."""

Watch = Callable[[Progress], None]
"""Receives the progress after every step."""
Look = Callable[[Path, Progress], None]
"""Receives a folder with the current model, as transformers reads it, and the progress."""


@dataclass(frozen=True, slots=True)
class Watching:
    """`look` sees the model at `number` moments of a training, `finish` the complete model before it has its name."""

    look: Look | None = None
    finish: Look | None = None
    number: int = 20

    def waiting(self, fraction: float) -> list[float]:
        """The remaining moments, as fractions of the training at equal ratios; the last is its end."""
        if not self.look:
            return []
        places = (place / (self.number - 1) for place in range(self.number))
        return [moment for place in places if (moment := FIRST_LOOK ** (1 - place)) > fraction]


class Held(NamedTuple):
    """The mean loss on held-out data, in nats per prediction; of heads also the share of pairs that are right."""

    loss: float
    accuracy: float | None = None


class Best:
    """The state with the highest accuracy, if there is one, then the lowest loss, where a kill spares it."""

    def __init__(self, folder: Path, *, resumed: bool) -> None:
        self._path = folder / "best.safetensors"
        self.held, self.step = Held(math.inf, -math.inf), 0
        if resumed and self._path.is_file():
            with safe_open(self._path, framework="numpy") as file:
                facts = file.metadata()
            accuracy = None if facts["accuracy"] == "None" else float(facts["accuracy"])
            self.held, self.step = Held(float(facts["loss"]), accuracy), int(facts["step"])

    def offer(self, held: Held, step: int, weights: dict[str, Tensor]) -> None:
        if (held.accuracy or 0.0, -held.loss) <= (self.held.accuracy or 0.0, -self.held.loss):
            return
        part = self._path.with_suffix(".part")
        tensors = {name: tensor.cpu().contiguous() for name, tensor in weights.items()}
        save_file(
            tensors, part, metadata={name: str(fact) for name, fact in {**held._asdict(), "step": step}.items()}
        )
        part.replace(self._path)
        self.held, self.step = held, step

    def weights(self) -> dict[str, Tensor]:
        weights: dict[str, Tensor] = load_file(self._path)
        return weights


@dataclass(kw_only=True)
class Training(ABC):
    """A training under way. `steps` make it complete, `per_epoch` of them read the data once.

    `seconds` counts training time from the second step on: the first may compile. `clip` bounds the gradient's norm.
    """

    network: nn.Module
    optimizers: Optimizers
    folder: Path
    device: torch.device
    steps: int
    per_epoch: float
    clip: float = math.inf
    step: int = 0
    tokens: int = 0
    seconds: float = 0.0
    best: Best = field(init=False)

    @abstractmethod
    def batches(self) -> Iterator[Any]:
        """Batches from the current step on; the seed and the step determine them."""

    @abstractmethod
    def size(self, batch: Any) -> int: ...

    @abstractmethod
    def loss(self, batch: Any) -> Tensor:
        """The mean loss of a batch, in nats."""

    @abstractmethod
    def rate(self) -> float:
        """What all learning rates are multiplied by at this step."""

    @abstractmethod
    def measure(self) -> Held:
        """The loss on held-out data."""

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write the model as it is now, complete, into `folder`."""

    @abstractmethod
    def is_measured(self) -> bool:
        """Whether the state after this step is measured; the last one always is."""

    def fraction(self) -> float:
        return min(1.0, self.step / self.steps)

    def takes_best(self) -> bool:
        """Whether the model has the best state in the end, not the last one."""
        return True

    def is_kept(self, saved: float, *, measured: bool) -> bool:
        """Whether a checkpoint of this step is kept; `saved` are the `seconds` of the one before."""
        return measured or self.seconds - saved > CHECKPOINT_SECONDS

    def weights(self) -> dict[str, Tensor]:
        return {name: weight.detach() for name, weight in self.network.named_parameters() if weight.requires_grad}

    def run(self, output: Path, watching: Watching = Watching()) -> Iterator[Progress]:
        """Train, one report for each step and a last one, and publish the model as folder `output`."""
        waiting, last = watching.waiting(self.fraction()), Progress("training", 0.0)
        for last in self.reports():
            over = last.fraction == 1.0 and last.loss is None
            if waiting and last.step and (over or self.fraction() >= waiting[0]):
                waiting = [] if over else watching.waiting(self.fraction())
                self._show(watching, last)
            yield last
        self.save(self.folder / FINISHED)
        if watching.finish:
            watching.finish(self.folder / FINISHED, last)
        publish(output)
        yield replace(last, stage="saved", fraction=1.0, seconds_left=0.0)

    def _show(self, watching: Watching, progress: Progress) -> None:
        folder = self.folder / "moment"
        self.save(folder)
        if watching.look:
            # Loading a model draws random numbers, which must not change the masks that come.
            with torch.random.fork_rng(devices=[]):
                watching.look(folder, progress)
        shutil.rmtree(folder)

    def reports(self) -> Iterator[Progress]:
        """Train until the budget is spent or a stop is requested, one report for each step and a last one."""
        batches, first, saved = self.batches(), self.step, self.seconds
        while self.fraction() < 1 and not stop_asked(self.folder):
            began = time.perf_counter()
            loss = self.learn(next(batches))
            held = self.measured() if self.is_measured() else None
            if held and self.takes_best():
                self.best.offer(held, self.step, self.weights())
            if self.step > first + 1:
                self.seconds += time.perf_counter() - began
            yield self.report(loss, held)
            if self.is_kept(saved, measured=held is not None):
                saved = self.seconds
                self.keep()
        yield replace(self.report(None, self.conclude()), fraction=1.0, seconds_left=0.0)

    def learn(self, batch: Any) -> float:
        """One step; returns its loss."""
        self.network.train()
        loss = self.loss(batch)
        value = float(loss.detach())
        refuse_lost(value, self.folder)
        torch.autograd.backward(loss)
        if self.clip < math.inf:
            nn.utils.clip_grad_norm_(self.network.parameters(), self.clip)
        self.optimizers.step(self.rate())
        self.step += 1
        self.tokens += self.size(batch)
        return value

    def measured(self) -> Held:
        with torch.no_grad():
            held = self.measure()
        refuse_lost(held.loss, self.folder)
        return held

    def conclude(self) -> Held:
        held = self.measured()
        if self.takes_best():
            self.best.offer(held, self.step, self.weights())
            self._set(self.best.weights())
            held = self.best.held
        return held

    def report(self, loss: float | None, held: Held | None) -> Progress:
        fraction, epochs = self.fraction(), self.step / self.per_epoch
        held_loss, accuracy = held or (None, None)
        speed = self.tokens / self.seconds if self.seconds else 0.0
        left = self.seconds / fraction * (1 - fraction) if self.seconds and fraction else None
        counts = fraction, self.step, self.tokens, epochs
        return Progress("training", *counts, loss, held_loss, speed, left, accuracy)

    def keep(self) -> None:
        state = {
            "weights": self.weights(),
            "optimizers": self.optimizers.state_dict(),
            "counts": [self.step, self.tokens, self.seconds],
            "chance": [torch.get_rng_state(), *torch.cuda.get_rng_state_all()],
        }
        save_checkpoint(self.folder, state)

    def restore(self) -> None:
        state = load_checkpoint(self.folder, "cpu")
        self.best = Best(self.folder, resumed=state is not None)
        if state is None:
            return
        self._set(state["weights"])
        self.optimizers.load_state_dict(state["optimizers"])
        self.step, self.tokens, self.seconds = state["counts"]
        torch.set_rng_state(state["chance"][0])
        torch.cuda.set_rng_state_all(state["chance"][1:])

    @torch.no_grad()
    def _set(self, weights: dict[str, Tensor]) -> None:
        for name, weight in self.weights().items():
            weight.copy_(weights[name])


def ready_device() -> torch.device:
    """The device of the settings, `auto` without Apple's; ModelError for a missing device, and for several."""
    spreading.refuse_training()
    loading.limit_threads()
    if settings().device == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return loading.pick_device()


def has_bfloat16(device: torch.device) -> bool:
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    return bool(torch.cpu.get_capabilities().get("avx512_bf16", False))
