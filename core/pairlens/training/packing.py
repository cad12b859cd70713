"""From text files to rows of token ids, which the work folder keeps and which are served in a seeded order.

Text is one sentence per line with a blank line between paragraphs, in `.txt`, `.txt.gz` or `.txt.xz`, UTF-8. A unit
is `<s> text </s>`, where the text is one sentence or a run of 2 to 4 consecutive sentences of one paragraph joined by
a space. Rows hold whole units; the rest of a row is `<pad>`.

The tokenizer is a byte-level BPE (Sennrich et al. 2016; Radford et al. 2019). Lower-casing is a normalizer, so that
offsets refer to the text as typed; with a space before it a sentence's first word has the token that it has inside.
"""

from __future__ import annotations

import gzip
import lzma
import random
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pairlens.errors import InputError
from pairlens.training.card import write_json
from pairlens.training.recipe import TrainingRecipe

if TYPE_CHECKING:
    from tokenizers import Tokenizer


BOS, EOS, PAD, MASK = "<s>", "</s>", "<pad>", "<mask>"
BOS_ID, EOS_ID, PAD_ID = 0, 1, 2
"""Ids of the first three; a masked model's `<mask>` has the last id of its vocabulary."""


def train_tokenizer(texts: Iterable[str], vocabulary: int, kind: str, *, lower_case: bool) -> Tokenizer:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), *[normalizers.Lowercase()] * lower_case])
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary - (kind == "masked"),
        special_tokens=[BOS, EOS, PAD],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return with_frame(tokenizer, kind)


def with_frame(tokenizer: Tokenizer, kind: str) -> Tokenizer:
    """Set the frame, `<s>` before a text, of masked models also `</s>` after it, and `<mask>` as the last entry."""
    from tokenizers import AddedToken, decoders, processors

    if kind == "masked":
        tokenizer.add_special_tokens([AddedToken(MASK, lstrip=True, special=True)])
    close = f" {EOS}" if kind == "masked" else ""
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{BOS} $A{close}",
        pair=f"{BOS} $A{close} $B:1{close and close + ':1'}",
        special_tokens=[(BOS, BOS_ID), (EOS, EOS_ID)],
    )
    return tokenizer


def save_tokenizer(tokenizer: Tokenizer, kind: str, context: int, folder: Path) -> None:
    """Write `tokenizer.json` and `tokenizer_config.json` as transformers reads them."""
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": BOS,
        "eos_token": EOS,
        "pad_token": PAD,
        "model_max_length": context,
        "clean_up_tokenization_spaces": False,
        "padding_side": "right",
        "model_input_names": ["input_ids", "attention_mask"],
        **({"mask_token": MASK} if kind == "masked" else {}),
    }
    write_json(folder / "tokenizer_config.json", settings)


def open_lines(path: Path) -> Iterator[str]:
    if not path.is_file():
        raise InputError(f"There is no text file {path}.")
    try:
        opening: Any = {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)
        with opening(path, "rt", encoding="utf-8") as lines:
            yield from (line.rstrip("\r\n") for line in lines)
    except (UnicodeDecodeError, lzma.LZMAError, zlib.error, EOFError, OSError) as error:
        raise InputError(f"{path} is not readable as UTF-8 text: {error}.") from error


def paragraphs(lines: Iterable[str]) -> Iterator[list[str]]:
    """Groups of non-empty lines; a blank line ends a group."""
    return ([*group] for has_text, group in groupby(map(str.strip, lines), key=bool) if has_text)


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
    """Best-fit packing into (rows, context): a row starts with any unit and takes the longest that still fits."""
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
    rng = random.Random(seed)
    groups = (group for path in files for group in paragraphs(open_lines(path)))
    texts = units(groups, run_share, context // 2, seed)
    packed = [pack_window(window, context, rng) for window in encoded(texts, tokenizer, context)]
    return np.concatenate(packed) if packed else np.empty((0, context), dtype=np.uint16)


TOKENIZER_LINES = 1_000_000
"""Lines of each text file that the tokenizer is trained on, at most."""

VALIDATION_SHARE = 200
"""Without a validation file, one row in this many is held out."""


def learn_tokenizer(recipe: TrainingRecipe, files: Sequence[Path], vocabulary: int) -> Tokenizer:
    lines = (line for file in files for line in islice(open_lines(file), TOKENIZER_LINES) if line)
    return train_tokenizer(lines, vocabulary, recipe.kind, lower_case=recipe.lower_case)


@dataclass(frozen=True)
class Data:
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
    recipe: TrainingRecipe, files: Sequence[Path], validation: Path | None, tokenizer: Tokenizer, folder: Path
) -> Data:
    path = folder / "rows.npz"
    if path.is_file():
        with np.load(path) as arrays:
            return Data(arrays["training"], arrays["validation"])
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
