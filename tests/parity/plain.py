"""Scores computed the slow and obvious way, straight from transformers: one text, one prediction at a time."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
import transformers

TEXTS = (
    "The keys to the cabinet are on the table.",
    "Sarah laughs",
    "Which boats has the boy who sold them painted so quickly?",
    "Él sabe que  la niña canta.",
    "No",
    "Nobody would ever believe the stories they tell about the teacher's dogs that chased three cats",
)


@lru_cache(maxsize=4)
def parts(folder: Path, masked: bool) -> tuple[Any, Any]:
    """Model and tokenizer of a folder."""
    kind = transformers.AutoModelForMaskedLM if masked else transformers.AutoModelForCausalLM
    return kind.from_pretrained(folder).eval(), transformers.AutoTokenizer.from_pretrained(folder)


@torch.no_grad()
def distribution(model: Any, ids: list[int], position: int) -> torch.Tensor:
    """Log-probabilities of the vocabulary at one output position of one unpadded row, in double precision."""
    return model(input_ids=torch.tensor([ids])).logits[0, position].double().log_softmax(-1)


def causal(folder: Path, text: str, start: bool) -> list[float]:
    """Each token given the ids before it, by a forward pass of its own; NaN for one with nothing before it."""
    model, tokenizer = parts(folder, masked=False)
    ids = tokenizer(text, add_special_tokens=False).input_ids
    symbol = tokenizer.eos_token_id if tokenizer.bos_token_id is None else tokenizer.bos_token_id
    before = [symbol] if start else []
    values = []
    for i, token in enumerate(ids):
        prefix = before + ids[:i]
        values.append(distribution(model, prefix, -1)[token].item() if prefix else math.nan)
    return values


def words_up_to(text: str, start: int) -> int:
    """How many words have begun once the first character from `start` on that is not white space is there."""
    return len(text[:start].split()) + (text[start - 1 : start].isspace() or start == 0 or text[start].isspace())


def masked(folder: Path, text: str, *, within_words: bool, shift: int = 0) -> list[float]:
    """Each token with a mask in its place; with `within_words` also in place of the later tokens of its word."""
    model, tokenizer = parts(folder, masked=True)
    row = tokenizer(text, return_offsets_mapping=True)
    words = [words_up_to(text, start) for start, _ in row.offset_mapping]
    values = []
    for i, token in enumerate(row.input_ids):
        if token in (tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.bos_token_id, tokenizer.eos_token_id):
            continue
        ids = list(row.input_ids)
        ids[i] = tokenizer.mask_token_id
        if within_words:
            for later in range(i + 1, len(ids) - 1):
                if words[later] == words[i]:
                    ids[later] = tokenizer.mask_token_id
        values.append(distribution(model, ids, i - shift)[token].item())
    return values
