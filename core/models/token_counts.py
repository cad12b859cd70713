"""Counts of each token of a model's vocabulary in its training text: `token_counts.npz`.

The file in the model's folder holds two arrays: `counts` (vocabulary,), integers by token id, and `tokenizer`, the
digest of the tokenizer's files (`core.types.Model.tokenizer`), so that counts of another vocabulary are refused. It
is not part of a model's identity: no score depends on it.
"""

import zipfile
import zlib

import numpy as np
from numpy.typing import NDArray

from core.errors import ModelError
from core.types import Model

TOKEN_COUNTS = "token_counts.npz"


def read(model: Model) -> NDArray[np.int64] | None:
    """The counts by token id; None if there are none. ModelError for a damaged file or one of another vocabulary."""
    path = model.folder / TOKEN_COUNTS
    if not path.is_file():
        return None
    try:
        with np.load(path, allow_pickle=False) as kept:
            counts, tokenizer = np.asarray(kept["counts"], np.int64), str(kept["tokenizer"])
    except (OSError, ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise ModelError(f"'{model.name}': its {TOKEN_COUNTS} cannot be read ({error}).") from error
    if tokenizer != model.tokenizer:
        raise ModelError(f"'{model.name}': its {TOKEN_COUNTS} is of another tokenizer. Make it again.")
    if counts.ndim != 1 or not len(counts) or counts.min() < 0:
        raise ModelError(f"'{model.name}': its {TOKEN_COUNTS} does not hold one count per token.")
    return counts


def logprobs(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """log p(token) = log((c + 1) / (N + V)) in nats, by id: add-one smoothing over the V tokens of the vocabulary.

    With N tokens counted (Laplace; Jurafsky & Martin, chapter on n-grams). There is no class of unknown tokens, since
    a tokenizer makes no others. N is in the millions where V is in the thousands, so that another small constant
    would move a frequent token by nothing and only order the tokens that were never seen.
    """
    return np.asarray(np.log(counts + 1.0) - np.log(float(counts.sum() + len(counts))), np.float64)
