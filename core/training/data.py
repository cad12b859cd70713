"""The rows of a run: prepared once, kept in the work folder, and served in a seeded order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.errors import InputError
from core.training.packing import Rows, pack_files
from core.training.recipe import TrainingRecipe
from core.training.sentences import open_lines
from core.training.tokenizer import train_tokenizer, with_frame

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TOKENIZER_LINES = 1_000_000
"""Lines of each text file that the tokenizer is trained on, at most."""

VALIDATION_SHARE = 200
"""Without a validation file, one row in this many is held out."""


def make_tokenizer(recipe: TrainingRecipe, files: Sequence[Path], folder: Path) -> Tokenizer:
    """The tokenizer of the run: from the work folder, from the model it starts from, or trained."""
    from tokenizers import Tokenizer

    path = folder / "tokenizer.json"
    if path.is_file():
        return Tokenizer.from_file(str(path))
    if recipe.start_from and not recipe.own_vocabulary:
        source = Path(recipe.start_from) / "tokenizer.json"
        if not source.is_file():
            raise InputError(f"There is no model to start from in {recipe.start_from}.")
        tokenizer = with_frame(Tokenizer.from_file(str(source)), recipe.kind)
    else:
        lines = (line for file in files for line in islice(open_lines(file), TOKENIZER_LINES) if line)
        tokenizer = train_tokenizer(lines, recipe.vocabulary, recipe.kind, lower_case=recipe.lower_case)
    tokenizer.save(str(path))
    return tokenizer


@dataclass(frozen=True)
class Data:
    """Training and validation rows, each of shape (rows, context)."""

    training: Rows
    validation: Rows

    def batches(self, size: int, seed: int, start: int) -> Iterator[Rows]:
        """Endless batches of `size` rows from step `start`; every epoch has its own order."""
        step = start
        per_epoch = max(1, len(self.training) // size)
        size = min(size, len(self.training))
        while True:
            epoch, first = divmod(step, per_epoch)
            order = np.random.default_rng([seed, epoch]).permutation(len(self.training))
            for at in range(first, per_epoch):
                yield self.training[order[at * size : (at + 1) * size]]
                step += 1


def make_data(
    recipe: TrainingRecipe,
    files: Sequence[Path],
    validation: Path | None,
    tokenizer: Tokenizer,
    folder: Path,
) -> Data:
    """Pack the text files, or load the rows from the work folder."""
    path = folder / "rows.npz"
    if path.is_file():
        with np.load(path) as kept:
            return Data(kept["training"], kept["validation"])
    rows = pack_files(files, tokenizer, recipe.context, recipe.run_share, recipe.seed)
    if validation is not None:
        held = pack_files([validation], tokenizer, recipe.context, recipe.run_share, recipe.seed)
    else:
        order = np.random.default_rng(recipe.seed).permutation(len(rows))
        cut = max(1, len(rows) // VALIDATION_SHARE)
        rows, held = rows[order[cut:]], rows[order[:cut]]
    if not len(rows) or not len(held):
        raise InputError("The text is too short to train on: it fills not even two rows of tokens.")
    part = folder / "rows.part.npz"
    np.savez(part, training=rows, validation=held)
    part.replace(path)
    return Data(rows, held)
