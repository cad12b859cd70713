"""From text to rows of token ids: units, their encoding and packing.

A unit is `<s> text </s>`, where the text is one sentence or a run of 2 to 4 consecutive sentences
of one paragraph joined by a space. Rows hold whole units; the rest of a row is `<pad>`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.training.sentences import open_lines, paragraphs
from core.training.tokenizer import BOS_ID, EOS_ID, PAD_ID

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Rows = NDArray[np.uint16]

LONGEST_RUN = 4
WINDOW = 8192
"""Units that are packed together; units meet at random inside a window."""


def units(groups: Iterable[list[str]], run_share: float, most_words: int, seed: int) -> Iterator[str]:
    """Texts to train on: about `run_share` of them are runs of at most `most_words` words."""
    chance = random.Random(seed)
    for sentences in groups:
        at = 0
        while at < len(sentences):
            run = chance.randint(2, LONGEST_RUN) if chance.random() < run_share else 1
            text = " ".join(sentences[at : at + run])
            if run > 1 and text.count(" ") >= most_words:
                run, text = 1, sentences[at]
            yield text
            at += run


def encoded(texts: Iterable[str], tokenizer: Tokenizer, context: int) -> Iterator[list[list[int]]]:
    """Windows of token id lists with both boundary tokens; longer ones than `context` are dropped."""
    source = iter(texts)
    while window := list(islice(source, WINDOW)):
        encodings = tokenizer.encode_batch_fast(window, add_special_tokens=False)
        lists = ([BOS_ID, *encoding.ids, EOS_ID] for encoding in encodings)
        yield [ids for ids in lists if 2 < len(ids) <= context]


def pack_window(window: list[list[int]], context: int, rng: random.Random) -> Rows:
    """Best-fit packing: a row starts with any unit and takes the longest that still fits.

    Returns ids of shape (rows, context).
    """
    by_length: list[list[list[int]]] = [[] for _ in range(context + 1)]
    order = rng.sample(range(len(window)), len(window))
    for index in order:
        by_length[len(window[index])].append(window[index])
    rows: list[list[int]] = []
    for start in (by_length[len(window[index])] for index in order):
        if not start:
            continue
        row = list(start.pop())
        while fit := next((n for n in range(context - len(row), 2, -1) if by_length[n]), 0):
            row += by_length[fit].pop()
        rows.append(row + [PAD_ID] * (context - len(row)))
    return np.array(rows, dtype=np.uint16).reshape(-1, context)


def pack_files(files: Iterable[Path], tokenizer: Tokenizer, context: int, run_share: float, seed: int) -> Rows:
    """Text files as rows, shape (rows, context), in text order by window."""
    rng = random.Random(seed)
    groups = (group for path in files for group in paragraphs(open_lines(path)))
    texts = units(groups, run_share, context // 2, seed)
    packed = [pack_window(window, context, rng) for window in encoded(texts, tokenizer, context)]
    return np.concatenate(packed) if packed else np.empty((0, context), dtype=np.uint16)
