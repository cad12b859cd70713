"""Checkpoints with random weights in the shapes of well-known models: speed does not depend on what was learned."""

from dataclasses import dataclass
from typing import Any

import tokenizers
import torch
import transformers

_PIECES = 8192
_ENDS = {"bos_token_id": 0, "eos_token_id": 0}
"""Of the tokenizers made below, which know fewer tokens than those of GPT-2."""


@dataclass(frozen=True)
class Shape:
    """A model class of transformers, its sizes, and the numbers the limit is computed from."""

    name: str
    kind: str
    model: str
    config: str
    sizes: dict[str, Any]
    layers: int
    width: int
    vocabulary: int


SHAPES = {
    "gpt2-small": Shape("gpt2-small", "causal", "GPT2LMHeadModel", "GPT2Config", _ENDS, 12, 768, 50_257),
    "causal-small": Shape(
        "causal-small", "causal", "GPT2LMHeadModel", "GPT2Config",
        {**_ENDS, "n_layer": 6, "n_embd": 384, "n_head": 6, "vocab_size": 8192}, 6, 384, 8192,
    ),
    "bert-base": Shape("bert-base", "masked", "BertForMaskedLM", "BertConfig", {}, 12, 768, 30_522),
    "bert-small": Shape(
        "bert-small", "masked", "BertForMaskedLM", "BertConfig",
        {"num_hidden_layers": 6, "hidden_size": 384, "num_attention_heads": 6, "intermediate_size": 1536,
         "vocab_size": 8192}, 6, 384, 8192,
    ),
    "t5-small": Shape(
        "t5-small", "seq2seq", "T5ForConditionalGeneration", "T5Config",
        {"decoder_start_token_id": 0, "pad_token_id": 0, "eos_token_id": 1}, 6, 512, 32_128,
    ),
}  # fmt: skip


def checkpoint(shape, texts, folder):
    """The folder of such a model, with a tokenizer made from the texts."""
    place = folder / shape.name
    if not place.exists():
        transformers.utils.logging.disable_progress_bar()
        torch.manual_seed(0)
        config = getattr(transformers, shape.config)(**shape.sizes)
        getattr(transformers, shape.model)(config).save_pretrained(place)
        tokenizer = {"causal": _byte_level, "masked": _word_pieces, "seq2seq": _unigram}[shape.kind]
        tokenizer(texts).save_pretrained(place)
    return place


def _byte_level(texts):
    model = tokenizers.ByteLevelBPETokenizer()
    model.train_from_iterator(texts, _PIECES, special_tokens=["<|endoftext|>"], show_progress=False)
    end = "<|endoftext|>"
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=model._tokenizer, bos_token=end, eos_token=end, pad_token=end, model_max_length=1024
    )


def _word_pieces(texts):
    model = tokenizers.BertWordPieceTokenizer()
    model.train_from_iterator(texts, _PIECES, show_progress=False)
    backend = model._tokenizer
    ids = [(token, backend.token_to_id(token)) for token in ("[SEP]", "[CLS]")]
    backend.post_processor = tokenizers.processors.BertProcessing(*ids)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=backend, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
        mask_token="[MASK]", model_max_length=512,
    )  # fmt: skip


def _unigram(texts):
    model = tokenizers.SentencePieceUnigramTokenizer()
    special = ["<pad>", "</s>", "<unk>", "<extra_id_0>"]
    model.train_from_iterator(texts, _PIECES, special_tokens=special, unk_token="<unk>", show_progress=False)
    backend = model._tokenizer
    backend.post_processor = tokenizers.processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=backend, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", model_max_length=512
    )
