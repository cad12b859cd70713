"""From documents to pieces of equal length, and from pieces to batches of ids, attention masks and labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from pairlens.errors import InputError
from pairlens.models.tokenizer import Tokenizer
from pairlens.training.options import Options

Ids = NDArray[np.int64]
IGNORED = -100
"""The label of a position that is not predicted, in torch's cross-entropy."""
_WINDOW = 4096
"""Documents that are tokenized together."""
_MAPPED = 1_000
PUBLISHED_SEED = 42
"""NLPScholar's `seed` shuffles its documents; everything after that has this one, the default of its libraries."""


def stream(documents: Sequence[str], tokenizer: Tokenizer, separator: str) -> Ids:
    """All documents in a row, shape (tokens,), each as the tokenizer frames it.

    Under `eos` a frame without an end is completed with the end-of-text token; InputError if the tokenizer has none.
    """
    after = tokenizer.after
    if separator == "eos" and not after:
        if tokenizer.end is None:
            raise InputError("The tokenizer has no end-of-text token to put between documents: set separator: none.")
        after = (tokenizer.end,)
    parts = [
        np.array([*tokenizer.before, *encoding.ids, *after], dtype=np.int64)
        for at in range(0, len(documents), _WINDOW)
        for encoding in tokenizer.backend.encode_batch_fast(documents[at : at + _WINDOW], add_special_tokens=False)
    ]
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


def cut(documents: Sequence[str], tokenizer: Tokenizer, options: Options) -> list[Ids]:
    """The pieces of these documents.

    As in NLPScholar, each thousand documents are cut by themselves, single tokens at their ends are pieces, and the
    pieces are shuffled: the batch that the datasets library maps at once, and a seed of 42, are defaults there.
    """
    if not options.published:
        return chunks(stream(documents, tokenizer, options.separator), options.piece)
    groups = (documents[at : at + _MAPPED] for at in range(0, len(documents), _MAPPED))
    pieces = [
        piece
        for group in groups
        for piece in chunks(stream(group, tokenizer, options.separator), options.piece, shortest=1)
    ]
    return [pieces[place] for place in np.random.default_rng(PUBLISHED_SEED).permutation(len(pieces))]


def chunks(ids: Ids, length: int, *, shortest: int = 2) -> list[Ids]:
    """Pieces of `length` tokens; the last may be shorter, and is dropped if it is a single token."""
    pieces = [ids[at : at + length] for at in range(0, len(ids), length)]
    return [piece for piece in pieces if len(piece) >= shortest]


@dataclass(frozen=True, slots=True, eq=False)
class Collator:
    """From pieces to a batch of tensors of shape (pieces, longest): `input_ids`, `attention_mask`, `labels`.

    A causal model (`share` 0) predicts every token, so that it learns ends of documents too; padding is never
    predicted, whichever token fills it. A masked model predicts a share of the tokens, at least one per piece, never
    `special` ones: of these 80 % are masked, 10 % replaced by a random token of the vocabulary and 10 % left as they
    are (Devlin et al. 2019).
    """

    pad: int
    share: float = 0.0
    mask: int = 0
    vocabulary: int = 0
    special: tuple[int, ...] = ()

    @classmethod
    def of(cls, tokenizer: Tokenizer, share: float) -> Self:
        if not share:
            return cls(tokenizer.pad)
        if tokenizer.mask is None:
            raise InputError("The tokenizer has no mask: this is no masked model.")
        return cls(tokenizer.pad, share, tokenizer.mask, tokenizer.size, tuple(sorted(tokenizer.reserved)))

    def __call__(self, pieces: Sequence[Ids]) -> dict[str, Tensor]:
        """The batch with nothing masked yet."""
        shape = len(pieces), max(map(len, pieces))
        ids = torch.full(shape, self.pad)
        present = torch.zeros(shape, dtype=torch.long)
        for row, piece in enumerate(pieces):
            ids[row, : len(piece)] = torch.from_numpy(piece)
            present[row, : len(piece)] = 1
        return {"input_ids": ids, "attention_mask": present, "labels": ids.masked_fill(present == 0, IGNORED)}

    def hidden(self, batch: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """The batch as the model sees it; for a masked one, torch's generator draws the tokens to predict."""
        if not self.share:
            return dict(batch)
        ids, labels = batch["input_ids"], batch["labels"]
        maskable = (labels != IGNORED) & ~torch.isin(ids, torch.tensor(self.special, device=ids.device))
        chance = torch.rand(ids.shape, device=ids.device).masked_fill(~maskable, 2.0)
        chosen = (chance < self.share).scatter(1, chance.argmin(1, keepdim=True), True) & maskable
        kind = torch.rand(ids.shape, device=ids.device)
        shown = torch.where(chosen & (kind < 0.8), self.mask, ids)
        random = torch.randint(self.vocabulary, ids.shape, device=ids.device)
        shown = torch.where(chosen & (kind >= 0.9), random, shown)
        return {**batch, "input_ids": shown, "labels": labels.masked_fill(~chosen, IGNORED)}

    def predicted(self, batch: Mapping[str, Tensor]) -> int:
        """The number of predicted tokens; a causal model has no prediction for the first of a piece."""
        labels = batch["labels"] if self.share else batch["labels"][:, 1:]
        return int((labels != IGNORED).sum())


def batches(pieces: Sequence[Ids], size: int, collate: Collator, seed: int) -> list[dict[str, Tensor]]:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return [collate.hidden(collate(pieces[at : at + size])) for at in range(0, len(pieces), size)]
