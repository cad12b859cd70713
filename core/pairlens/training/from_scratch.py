"""A small language model from scratch: from text files to a saved model, one report at a time.

Letters in shapes: B rows, T tokens in a row, N predictions, D width, V vocabulary.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from pairlens.errors import InputError
from pairlens.models.plain.stack import Stack
from pairlens.training.checkpoint import open_work_folder
from pairlens.training.export import export, new_network
from pairlens.training.loop import Held, Training, Watching, has_bfloat16, ready_device
from pairlens.training.optimizer import muon_and_adam, rate_factor
from pairlens.training.packing import BOS_ID, EOS_ID, PAD_ID, Data, Rows, learn_tokenizer, make_data
from pairlens.training.recipe import Progress, TrainingRecipe


@dataclass(frozen=True)
class Batch:
    """The network's arguments, and `targets` (N), read at the flat positions `reads` (N) of B x T."""

    inputs: tuple[Tensor, ...]
    reads: Tensor
    targets: Tensor


def unit_positions(ids: Tensor) -> Tensor:
    """Positions (B, T) that start again from 0 at every `<s>`."""
    at = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
    starts = torch.where(ids == BOS_ID, at, 0)
    return at - starts.cummax(1).values


def unit_numbers(ids: Tensor) -> Tensor:
    """The number of the unit of its row that each token of (B, T) belongs to, from 1; padding is 0."""
    return (ids == BOS_ID).cumsum(1) * (ids != PAD_ID)


def allowed_attention(queries: Tensor, keys: Tensor, *, causal: Tensor | bool = False) -> Tensor:
    """(B, 1, T, S) from units (B, T) and (B, S): 0 where the query may see the key, minus infinity elsewhere.

    Units do not see each other. Padding sees padding, or everything, which keeps the softmax finite. With `causal`,
    for all rows or of shape (B, 1, 1) for each, queries do not see later keys.
    """
    same = queries[:, :, None] == keys[:, None, :]
    if causal is not False:
        same = same & (torch.ones_like(same[0]).tril() | ~torch.as_tensor(causal))
    same = same | ~same.any(dim=2, keepdim=True)
    return torch.where(same, 0.0, float("-inf")).unsqueeze(1)


def causal_batch(rows: Tensor) -> Batch:
    """Next-token prediction of every token of each unit, `</s>` included, from rows (B, T)."""
    ahead = functional.pad(rows[:, 1:], (0, 1), value=PAD_ID)
    reads = ((rows != PAD_ID) & (rows != EOS_ID)).flatten().nonzero().squeeze(1)
    unit = unit_numbers(rows)
    allowed = allowed_attention(unit, unit, causal=True)
    return Batch((rows, unit_positions(rows), allowed), reads, ahead.flatten()[reads])


def masked_batch(
    rows: Tensor, share: float, mask_id: int, chance: torch.Generator, causal_share: float = 0.0
) -> Batch:
    """Mask `share` of the word tokens of rows (B, T); each is predicted up to twice.

    Once at its own place (masked language modelling, Devlin et al. 2019) and, where the token
    before it is not masked, once at the place before (masked next-token prediction, BehnamGhader
    et al. 2024). One head serves both. The first `causal_share` of the rows are not masked but
    read from left to right, as by `causal_batch` (Charpentier and Samuel 2024).
    """
    causal = torch.arange(len(rows), device=rows.device)[:, None] < round(causal_share * len(rows))
    word = (rows != PAD_ID) & (rows != EOS_ID) & (rows != BOS_ID)
    draw = torch.rand(rows.shape, generator=chance).to(rows.device)
    hidden = word & (draw < share) & ~causal
    own = hidden.flatten().nonzero().squeeze(1)
    before = own[~hidden.flatten()[own - 1]] - 1
    each = ((rows != PAD_ID) & (rows != EOS_ID) & causal).flatten().nonzero().squeeze(1)
    targets, unit = rows.flatten(), unit_numbers(rows)
    allowed = allowed_attention(unit, unit, causal=causal[:, :, None])
    return Batch(
        (torch.where(hidden, mask_id, rows), unit_positions(rows), allowed),
        torch.cat([own, before, each]),
        torch.cat([targets[own], targets[before + 1], targets[each + 1]]),
    )


def prediction_loss(hidden: Tensor, table: Tensor, reads: Tensor, targets: Tensor) -> Tensor:
    """Mean negative log-probability in nats; hidden (B, T, D), table (V, D), reads/targets (N)."""
    states = hidden.flatten(0, 1)[reads]
    logits = functional.linear(states, table).float()
    return functional.cross_entropy(logits, targets)


VALIDATIONS = 20
VALIDATION_ROWS = 256
"""Most rows of the validation data that an estimate during training reads; the last estimate reads all."""


@dataclass(kw_only=True)
class LanguageModelTraining(Training):
    network: Stack
    recipe: TrainingRecipe
    data: Data
    tokenizer: Tokenizer

    @classmethod
    def tokenizer_of(cls, recipe: TrainingRecipe, texts: Sequence[Path]) -> Tokenizer:
        return learn_tokenizer(recipe, texts, recipe.vocabulary)

    @classmethod
    def network_of(cls, recipe: TrainingRecipe, tokenizer: Tokenizer) -> Stack:
        return new_network(recipe, tokenizer.get_vocab_size())

    @classmethod
    def begin(cls, recipe: TrainingRecipe, data: Data, tokenizer: Tokenizer, folder: Path) -> Self:
        device = ready_device()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(recipe.seed)
            network = cls.network_of(recipe, tokenizer)
        training = cls(
            network=network.to(device),
            optimizers=muon_and_adam(network, recipe),
            folder=folder,
            device=device,
            steps=recipe.steps or 0,
            per_epoch=len(data.training) / recipe.rows,
            recipe=recipe,
            data=data,
            tokenizer=tokenizer,
        )
        training.restore()
        return training

    def __post_init__(self) -> None:
        self._network: Callable[..., Tensor] = self.network
        self._predict: Callable[..., Tensor] = prediction_loss
        if self.recipe.compiled and any(map(shutil.which, ("g++", "clang++", "c++"))):  # torch needs a compiler
            self._network = torch.compile(self.network, dynamic=False)
            self._predict = torch.compile(prediction_loss, dynamic=True)
        self._half = self.recipe.precision == "bfloat16" and has_bfloat16(self.device)

    def restore(self) -> None:
        super().restore()
        self._measurements = int(self.fraction() * VALIDATIONS)

    def fraction(self) -> float:
        if self.recipe.steps is not None:
            return super().fraction()
        return min(1.0, self.seconds / (60 * (self.recipe.minutes or 1)))

    def rate(self) -> float:
        return rate_factor(self.fraction(), self.recipe.warm_up, self.recipe.cool_down)

    def takes_best(self) -> bool:
        """Only if it was stopped early: after the cool-down the last state is the best one."""
        return self.fraction() < 1

    def is_measured(self) -> bool:
        before, self._measurements = self._measurements, int(self.fraction() * VALIDATIONS)
        return before < self._measurements < VALIDATIONS

    def size(self, batch: Batch) -> int:  # noqa: ARG002 (all are alike)
        return self.recipe.batch_tokens

    def batches(self) -> Iterator[Batch]:
        for rows in self.data.batches(self.recipe.rows, self.recipe.seed, self.step):
            yield self.batch(rows, self.fraction(), self.step)

    def batch(self, rows: Rows, fraction: float, seed: int) -> Batch:
        """Inputs and targets of rows (B, T), with the masks of `seed` and of this fraction of the run."""
        recipe = self.recipe
        ids = torch.from_numpy(rows.astype(np.int64)).to(self.device)
        if recipe.kind == "causal":
            return causal_batch(ids)
        share = recipe.mask_share_first + fraction * (recipe.mask_share_last - recipe.mask_share_first)
        chance = torch.Generator().manual_seed(seed)
        mask = self.network.embed_tokens.num_embeddings - 1
        return masked_batch(ids, share, mask, chance, recipe.causal_share)

    def loss(self, batch: Batch) -> Tensor:
        return self._loss(batch, self._network, self._predict)

    def _loss(self, batch: Batch, network: Callable[..., Tensor], predict: Callable[..., Tensor]) -> Tensor:
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self._half):
            return predict(network(*batch.inputs), self.network.embed_tokens.weight, batch.reads, batch.targets)

    def measure(self, most: int | None = VALIDATION_ROWS) -> Held:
        """The mean loss of the first `most` validation rows (None: all), with the last mask share and fixed masks."""
        rows = self.data.validation[:most]
        total, count = 0.0, 0
        for at in range(0, len(rows), 32):
            batch = self.batch(rows[at : at + 32], 1.0, seed=at)
            total += float(self._loss(batch, self.network, prediction_loss)) * len(batch.targets)
            count += len(batch.targets)
        return Held(total / max(1, count))

    def conclude(self) -> Held:
        held = super().conclude()
        if len(self.data.validation) > VALIDATION_ROWS:
            with torch.no_grad():
                held = self.measure(None)
        return held

    def save(self, folder: Path) -> None:
        export(self.network, self.tokenizer, self.recipe, folder)


def train(
    recipe: TrainingRecipe,
    texts: Sequence[Path],
    output: Path,
    validation: Path | None = None,
    *,
    resume: bool = True,
    watching: Watching = Watching(),  # noqa: B008 (frozen)
    way: type[LanguageModelTraining] = LanguageModelTraining,
) -> Iterator[Progress]:
    """Train on `texts` (a file named twice counts twice) and save the model as folder `output`, once it is complete.

    A killed run continues from its last checkpoint when called again with the same arguments. A run that is asked to
    stop (`pairlens.training.checkpoint.ask_to_stop`) saves the state with the lowest validation loss.
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
    path = folder / "tokenizer.json"
    if not path.is_file():
        way.tokenizer_of(recipe, texts).save(str(path))
    tokenizer = Tokenizer.from_file(str(path))
    yield Progress("packing", 0.0)
    data = make_data(recipe, texts, validation, tokenizer, folder)
    yield from way.begin(recipe, data, tokenizer, folder).run(output, watching)
