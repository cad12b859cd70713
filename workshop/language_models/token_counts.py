"""Counts of each token of a bundled model in its training text, which SLOR needs.

    python -m workshop.language_models.token_counts english-small --corpora PATH

Takes the options of `python -m workshop.language_models`, prepares the text if it is not there yet, and writes
`token_counts.npz` (`pairlens.models.token_counts`) into the model's folder.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pairlens.errors import InputError, unknown
from pairlens.models import find
from pairlens.models.loading import load_tokenizer
from pairlens.models.token_counts import TOKEN_COUNTS
from pairlens.training.packing import open_lines
from workshop.language_models.options import run
from workshop.language_models.recipes import MODELS
from workshop.language_models.sources import Origins, prepared_text

if TYPE_CHECKING:
    from pairlens.models.tokenizer import Tokenizer
    from pairlens.types import Model

_AT_ONCE = 8192


def count_tokens(lines: Iterable[str], tokenizer: Tokenizer) -> NDArray[np.int64]:
    """Counts of each token in these texts, by id, shape (vocabulary,); special tokens do not occur."""
    counts = np.zeros(tokenizer.size, np.int64)
    source = iter(lines)
    while batch := list(islice(source, _AT_ONCE)):
        encoded = tokenizer.backend.encode_batch_fast(batch, add_special_tokens=False)
        ids = np.concatenate([np.asarray(one.ids, np.int64) for one in encoded])
        counts += np.bincount(ids, minlength=len(counts))
    return counts


def write(counts: NDArray[np.int64], model: Model) -> Path:
    """Write the counts into the model's folder, completely or not at all; returns the file."""
    path = model.folder / TOKEN_COUNTS
    part = path.with_suffix(".part.npz")
    np.savez_compressed(part, counts=counts, tokenizer=np.array(model.tokenizer))
    part.replace(path)
    return path


def count(name: str, origins: Origins, models: Path, work: Path) -> Path:
    """Count a bundled model's tokens in its training text, with the repeats of sources; returns the file."""
    known = [one.name for one in MODELS.values() if one.recipe is not None]
    if name not in known:
        raise InputError(unknown("bundled model with tokens", name, known))
    sources = MODELS[name].sources
    model = find((models / name).resolve())
    tokenizer = load_tokenizer(model)
    counts = np.zeros(tokenizer.size, np.int64)
    prepared = prepared_text(sources, origins, work)
    for source in sources:
        lines = (line for line in open_lines(prepared[source.path].path) if line)
        counts += source.repeats * count_tokens(lines, tokenizer)
    return write(counts, model)


if __name__ == "__main__":
    run(count, "Count the tokens of a bundled model's training text.")
