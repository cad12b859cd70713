"""Counts of each token of a model's vocabulary in its training text: `token_counts.npz`.

It holds `counts` (vocabulary,), integers by token id, and `tokenizer`, the digest of the tokenizer's files, so that
counts of another vocabulary are refused. No score depends on it.
"""

import zipfile
import zlib

import numpy as np
from numpy.typing import NDArray

from pairlens.errors import ModelError
from pairlens.types import Model

TOKEN_COUNTS = "token_counts.npz"


def read(model: Model) -> NDArray[np.int64] | None:
    """The counts by token id; None if there are none. ModelError for a damaged file or one of another vocabulary."""
    path = model.folder / TOKEN_COUNTS
    if not path.is_file():
        return None
    try:
        with np.load(path, allow_pickle=False) as arrays:
            counts, tokenizer = np.asarray(arrays["counts"], np.int64), str(arrays["tokenizer"])
    except (OSError, ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise ModelError(f"'{model.name}': its {TOKEN_COUNTS} cannot be read ({error}).") from error
    if tokenizer != model.tokenizer:
        raise ModelError(f"'{model.name}': its {TOKEN_COUNTS} is of another tokenizer. Make it again.")
    if counts.ndim != 1 or not len(counts) or counts.min() < 0:
        raise ModelError(f"'{model.name}': its {TOKEN_COUNTS} does not hold one count per token.")
    return counts


def logprobs(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """log p(token) = log((c + 1) / (N + V)) in nats, by id, N tokens counted: add-one smoothing (Laplace)."""
    return np.asarray(np.log(counts + 1.0) - np.log(float(counts.sum() + len(counts))), np.float64)
