"""A byte-level BPE tokenizer (Sennrich et al. 2016; Radford et al. 2019), trained and saved.

Any text can be encoded: all 256 bytes are in the vocabulary. Lower-casing is a normalizer, so that
offsets refer to the text as typed. A space is added before the text, so that a word has the same
token at the start of a sentence as inside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from core.training.card import write_json

if TYPE_CHECKING:
    from tokenizers import Tokenizer

BOS, EOS, PAD, MASK = "<s>", "</s>", "<pad>", "<mask>"
BOS_ID, EOS_ID, PAD_ID = 0, 1, 2
"""Ids of the first three; a masked model's `<mask>` has the last id of its vocabulary."""


def train_tokenizer(texts: Iterable[str], vocabulary: int, kind: str, *, lower_case: bool) -> Tokenizer:
    """Learn `vocabulary` entries from `texts` (fewer if the text is too small)."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    forms: list[normalizers.Normalizer] = [normalizers.NFC()]
    if lower_case:
        forms.append(normalizers.Lowercase())
    tokenizer.normalizer = normalizers.Sequence(forms)
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
    """Set the post-processor: causal models have `<s>` before a text, masked ones also `</s>` after it.

    A masked model's tokenizer also gets `<mask>`, as a new last entry if it has none.
    """
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
    settings: dict[str, object] = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": BOS,
        "eos_token": EOS,
        "pad_token": PAD,
        "model_max_length": context,
        "clean_up_tokenization_spaces": False,
        "padding_side": "right",
        "model_input_names": ["input_ids", "attention_mask"],
    }
    if kind == "masked":
        settings["mask_token"] = MASK
    write_json(folder / "tokenizer_config.json", settings)
