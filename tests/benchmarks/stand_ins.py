"""What takes a tool's place where its code is not at hand: our own loops, after measured descriptions of theirs.

Each pads a batch on the right and keeps the whole [batch, length, vocabulary] tensors that the tool keeps.
"""

from collections.abc import Sequence
from typing import Any

import torch

from tests.benchmarks.measuring import System
from tests.benchmarks.opened import Opened


def padded(opened: Opened, texts: Sequence[str], name: str, batch: int, *, twice: bool) -> System:
    """A loop over padded batches; `twice` keeps probabilities and surprisals beside the logits."""
    tokenizer = opened.tokenizer()
    rows = {"causal": _causal_rows, "masked": _masked_rows, "seq2seq": _decoder_rows}[opened.shape.kind]

    def score() -> list[float]:
        totals: list[float] = []
        for start in range(0, len(texts), batch):
            part = list(texts[start : start + batch])
            totals += rows(opened.module, tokenizer, part, batch, twice)
        return totals

    return System(f"{name} (stand-in), batch {batch}", score)


@torch.no_grad()
def _causal_rows(module: Any, tokenizer: Any, texts: list[str], _: int, twice: bool) -> list[float]:
    rows = [[tokenizer.bos_token_id, *tokenizer(text).input_ids] for text in texts]
    ids, seen = _padded(rows, tokenizer.pad_token_id)
    said = module(input_ids=ids, attention_mask=seen).logits.log_softmax(-1)
    kept = (said.exp(), -said / torch.log(torch.tensor(2.0))) if twice else ()
    picked = said[:, :-1].gather(-1, ids[:, 1:, None]).squeeze(-1) * seen[:, 1:]
    del kept
    return [float(value) for value in picked.sum(1)]


@torch.no_grad()
def _masked_rows(module: Any, tokenizer: Any, texts: list[str], batch: int, twice: bool) -> list[float]:
    rows, places, targets, owners = [], [], [], []
    for owner, text in enumerate(texts):
        ids = tokenizer(text).input_ids
        for place in range(1, len(ids) - 1):
            rows.append([*ids[:place], tokenizer.mask_token_id, *ids[place + 1 :]])
            places.append(place)
            targets.append(ids[place])
            owners.append(owner)
    totals = [0.0] * len(texts)
    for start in range(0, len(rows), batch):
        stop = min(start + batch, len(rows))
        ids, seen = _padded(rows[start:stop], tokenizer.pad_token_id)
        said = module(input_ids=ids, attention_mask=seen).logits.log_softmax(-1)
        kept = (said.exp(), -said) if twice else ()
        for row in range(start, stop):
            totals[owners[row]] += float(said[row - start, places[row], targets[row]])
        del kept
    return totals


@torch.no_grad()
def _decoder_rows(module: Any, tokenizer: Any, texts: list[str], _: int, twice: bool) -> list[float]:
    mask = tokenizer.convert_tokens_to_ids("<extra_id_0>")
    rows = [tokenizer(text, add_special_tokens=False).input_ids for text in texts]
    asked = [module.config.decoder_start_token_id, mask]
    ids, seen = _padded([asked + row for row in rows], tokenizer.pad_token_id)
    encoder = torch.tensor([[mask, tokenizer.eos_token_id]] * len(texts))
    said = module(input_ids=encoder, decoder_input_ids=ids, decoder_attention_mask=seen).logits.log_softmax(-1)
    kept = (said.exp(), -said) if twice else ()
    picked = said[:, 1:-1].gather(-1, ids[:, 2:, None]).squeeze(-1) * seen[:, 2:]
    del kept
    return [float(value) for value in picked.sum(1)]


def _padded(rows: list[list[int]], pad: int) -> tuple[torch.Tensor, torch.Tensor]:
    longest = max(map(len, rows))
    ids = torch.tensor([row + [pad] * (longest - len(row)) for row in rows])
    seen = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
    return ids, seen
