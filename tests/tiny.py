"""Tiny models with random weights: every architecture and tokenizer style that Pairlens is tested on.

`tiny_model(folder, "llama")` writes a checkpoint of two layers and width 32 with a tokenizer made from the sentences
below, as `save_pretrained` would. The seed is fixed, so the same call writes the same numbers; weights are large
enough for probabilities to differ clearly.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SENTENCES = (
    "The key to the cabinets is on the table.",
    "The keys to the cabinet are on the table.",
    "Sarah laughs when the dogs that chase the cat fall asleep.",
    "No author that the senators liked has ever written a book.",
    "Yesterday, the children's teacher didn't say what she had seen.",
    "Which boats has the boy who sold them painted so quickly?",
    "They think that nobody would ever believe the stories we tell.",
    "Les lettres que Marie a reçues hier étaient très courtes.",
    "Él sabe que la niña canta mejor que su hermana.",
)
WINDOW = 64
SPECIALS = {
    "byte-bpe": {"bos": "<|endoftext|>", "eos": "<|endoftext|>"},
    "byte-bpe-bare": {},
    "byte-bpe-mask": {"pad": "<pad>", "mask": "<mask>"},
    "byte-bpe-frame": {"bos": "<s>", "pad": "<pad>", "eos": "</s>", "unk": "<unk>", "mask": "<mask>"},
    "byte-bpe-eos": {"eos": "<|endoftext|>", "pad": "<|endoftext|>"},
    "metaspace-bpe": {"unk": "<unk>", "bos": "<s>", "eos": "</s>"},
    "unigram": {"pad": "<pad>", "unk": "<unk>", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"},
    "unigram-sentinels": {"pad": "<pad>", "eos": "</s>", "unk": "<unk>", "sentinel": "<extra_id_0>"},
    "unigram-language": {
        "bos": "<s>",
        "pad": "<pad>",
        "eos": "</s>",
        "unk": "<unk>",
        "cls": "<s>",
        "mask": "<mask>",
        "language": "fr_XX",
    },
    "unigram-eos": {"pad": "<pad>", "eos": "</s>", "bos": "<bos>", "unk": "<unk>"},
    "wordpiece": {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"},
}
"""Tokenizer styles and their special tokens; ids follow this order, from 0."""


@dataclass(frozen=True)
class Architecture:
    """A model class of transformers, the tokenizer its checkpoints usually have, and the small sizes."""

    model: str
    config: str
    tokenizer: str
    sizes: dict[str, Any] = field(default_factory=dict)


_SIZES = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48,
    "max_position_embeddings": WINDOW,
}  # fmt: skip
_GROUPED = {**_SIZES, "num_key_value_heads": 2}

ARCHITECTURES = {
    "gpt2": Architecture(
        "GPT2LMHeadModel", "GPT2Config", "byte-bpe", {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": WINDOW}
    ),
    "gpt_neo": Architecture(
        "GPTNeoForCausalLM", "GPTNeoConfig", "byte-bpe",
        {"hidden_size": 32, "num_layers": 2, "num_heads": 4, "attention_types": [[["global", "local"], 1]],
         "window_size": 4, "max_position_embeddings": WINDOW},
    ),
    "gpt_neox": Architecture("GPTNeoXForCausalLM", "GPTNeoXConfig", "byte-bpe", _SIZES),
    "opt": Architecture(
        "OPTForCausalLM", "OPTConfig", "byte-bpe-frame",
        {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "ffn_dim": 48,
         "word_embed_proj_dim": 32, "max_position_embeddings": WINDOW},
    ),
    "llama": Architecture("LlamaForCausalLM", "LlamaConfig", "metaspace-bpe", _GROUPED),
    "mistral": Architecture(
        "MistralForCausalLM", "MistralConfig", "metaspace-bpe", {**_GROUPED, "sliding_window": 5}
    ),
    "llama-dynamic": Architecture(
        "LlamaForCausalLM", "LlamaConfig", "metaspace-bpe",
        {**_GROUPED, "rope_parameters": {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10_000.0}},
    ),
    "llama-longrope": Architecture(
        "LlamaForCausalLM", "LlamaConfig", "metaspace-bpe",
        {**_GROUPED, "rope_parameters": {
            "rope_type": "longrope", "factor": 4.0, "rope_theta": 10_000.0, "original_max_position_embeddings": 16,
            "short_factor": [1.0, 1.5, 2.0, 2.5], "long_factor": [2.0, 4.0, 6.0, 8.0]}},
    ),
    "qwen2": Architecture("Qwen2ForCausalLM", "Qwen2Config", "byte-bpe-eos", _GROUPED),
    "qwen3": Architecture("Qwen3ForCausalLM", "Qwen3Config", "byte-bpe-eos", {**_GROUPED, "head_dim": 8}),
    "gemma": Architecture("GemmaForCausalLM", "GemmaConfig", "unigram-eos", {**_GROUPED, "head_dim": 8}),
    "gemma2": Architecture(
        "Gemma2ForCausalLM", "Gemma2Config", "unigram-eos",
        {**_GROUPED, "head_dim": 8, "sliding_window": 6, "final_logit_softcapping": 3.0,
         "attn_logit_softcapping": 2.0},
    ),
    "cohere": Architecture("CohereForCausalLM", "CohereConfig", "byte-bpe-frame", {**_GROUPED, "logit_scale": 0.25}),
    "granite": Architecture(
        "GraniteForCausalLM", "GraniteConfig", "byte-bpe-eos",
        {**_GROUPED, "logits_scaling": 4.0, "residual_multiplier": 0.5, "attention_multiplier": 0.2,
         "embedding_multiplier": 3.0},
    ),
    "mamba": Architecture(
        "MambaForCausalLM", "MambaConfig", "byte-bpe-eos",
        {"hidden_size": 32, "num_hidden_layers": 2, "state_size": 4, "time_step_rank": 2},
    ),
    "bloom": Architecture(
        "BloomForCausalLM", "BloomConfig", "byte-bpe-frame", {"hidden_size": 32, "n_layer": 2, "n_head": 4}
    ),
    "bert": Architecture("BertForMaskedLM", "BertConfig", "wordpiece", _SIZES),
    "roberta": Architecture(
        "RobertaForMaskedLM", "RobertaConfig", "byte-bpe-frame", {**_SIZES, "max_position_embeddings": WINDOW + 2}
    ),
    "distilbert": Architecture(
        "DistilBertForMaskedLM", "DistilBertConfig", "wordpiece",
        {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 48, "max_position_embeddings": WINDOW},
    ),
    "electra": Architecture("ElectraForMaskedLM", "ElectraConfig", "wordpiece", {**_SIZES, "embedding_size": 16}),
    "albert": Architecture("AlbertForMaskedLM", "AlbertConfig", "unigram", {**_SIZES, "embedding_size": 16}),
    "deberta-v2": Architecture(
        "DebertaV2ForMaskedLM", "DebertaV2Config", "unigram",
        {**_SIZES, "relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_buckets": 8,
         "conv_kernel_size": 3, "legacy": False},
    ),
    "modernbert": Architecture(
        "ModernBertForMaskedLM", "ModernBertConfig", "byte-bpe-frame",
        {**_SIZES, "local_attention": 8, "global_attn_every_n_layers": 2},
    ),
    "eurobert": Architecture("EuroBertForMaskedLM", "EuroBertConfig", "byte-bpe-frame", _GROUPED),
    "t5": Architecture(
        "T5ForConditionalGeneration", "T5Config", "unigram-sentinels",
        {"d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4, "relative_attention_num_buckets": 8,
         "relative_attention_max_distance": 16, "decoder_start_token_id": 0},
    ),
    "bart": Architecture(
        "BartForConditionalGeneration", "BartConfig", "byte-bpe-frame",
        {"d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
         "decoder_attention_heads": 4, "encoder_ffn_dim": 48, "decoder_ffn_dim": 48,
         "max_position_embeddings": WINDOW, "decoder_start_token_id": 2},
    ),
    "mbart": Architecture(
        "MBartForConditionalGeneration", "MBartConfig", "unigram-language",
        {"d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
         "decoder_attention_heads": 4, "encoder_ffn_dim": 48, "decoder_ffn_dim": 48,
         "max_position_embeddings": WINDOW, "decoder_start_token_id": 5},
    ),
}  # fmt: skip
_NO_ROLE = ("sentinel", "language")
"""Special tokens for which transformers has no name."""
MASKED = tuple(name for name, kind in ARCHITECTURES.items() if kind.model.endswith("MaskedLM"))
SEQ2SEQ = tuple(name for name, kind in ARCHITECTURES.items() if kind.model.endswith("ConditionalGeneration"))
CAUSAL = tuple(name for name in ARCHITECTURES if name not in MASKED + SEQ2SEQ)


def tiny_model(
    folder: Path,
    architecture: str = "llama",
    *,
    tokenizer: str = "",
    labels: Sequence[str] = (),
    seed: int = 0,
    **changes: Any,
) -> Path:
    """Write a model of this architecture to the folder and return it.

    `tokenizer` names another style than the usual one; with `labels` it is a classifier of pairs instead of a
    masked model; `changes` are fields of the config.
    """
    import torch
    import transformers

    transformers.utils.logging.disable_progress_bar()
    kind = ARCHITECTURES[architecture]
    fast = tiny_tokenizer(tokenizer or kind.tokenizer)
    ids = {f"{role}_token_id": getattr(fast, f"{role}_token_id", None) for role in ("bos", "eos", "pad")}
    named = {"id2label": dict(enumerate(labels)), "label2id": {name: place for place, name in enumerate(labels)}}
    sizes = {**kind.sizes, "vocab_size": len(fast), **ids, **(named if labels else {}), **changes}
    config = getattr(transformers, kind.config)(**sizes)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        name = kind.model.replace("MaskedLM", "SequenceClassification") if labels else kind.model
        model = getattr(transformers, name)(config)
        with torch.no_grad():
            for name, weight in model.named_parameters():
                if weight.dim() > 1:
                    weight.normal_(0, 0.3)
                elif name.endswith("bias"):
                    weight.normal_(0, 0.1)
    model.save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder


def change_json(path: Path, **fields: Any) -> None:
    """Change fields of a file of settings."""
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **fields}), "utf-8")


def tiny_tokenizer(style: str) -> Any:
    """A fast tokenizer of this style (see SPECIALS), as transformers wraps it."""
    from transformers import PreTrainedTokenizerFast

    specials = SPECIALS[style]
    train = next(train for start, train in _TRAINED.items() if style.startswith(start))
    backend = train(list(dict.fromkeys(specials.values())))
    _frame(backend, style)
    roles = {f"{role}_token": token for role, token in specials.items() if role not in _NO_ROLE}
    if style == "wordpiece":  # tells the network which of two texts a token belongs to
        roles["model_input_names"] = ["input_ids", "token_type_ids", "attention_mask"]
    return PreTrainedTokenizerFast(tokenizer_object=backend, **roles)


def _byte_bpe(specials: list[str]) -> Tokenizer:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=specials, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )  # fmt: skip
    tokenizer.train_from_iterator(SENTENCES, trainer)
    return tokenizer


def _metaspace_bpe(specials: list[str]) -> Tokenizer:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=True)
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.BpeTrainer(vocab_size=244, special_tokens=specials, show_progress=False)
    tokenizer.train_from_iterator(SENTENCES, trainer)
    parts = json.loads(tokenizer.to_str())
    vocabulary = parts["model"]["vocab"]
    vocabulary |= {f"<0x{byte:02X}>": len(vocabulary) + byte for byte in range(256)}
    return Tokenizer.from_str(json.dumps(parts))


def _unigram(specials: list[str]) -> Tokenizer:
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

    cut = pre_tokenizers.Metaspace()
    counts = _pieces([word for sentence in SENTENCES for word, _ in cut.pre_tokenize_str(sentence)])
    total = sum(counts.values())
    scores = [(token, 0.0) for token in specials]
    scores += [(piece, math.log(count / total)) for piece, count in counts.items()]
    tokenizer = Tokenizer(models.Unigram(scores, unk_id=specials.index("<unk>")))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = cut
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.add_special_tokens(specials)
    return tokenizer


def _wordpiece(specials: list[str]) -> Tokenizer:
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

    lower, cut = normalizers.BertNormalizer(lowercase=True), pre_tokenizers.BertPreTokenizer()
    words = [word for line in SENTENCES for word, _ in cut.pre_tokenize_str(lower.normalize_str(line))]
    starts = _pieces(words, only_starts=True)
    later = [f"##{piece}" for piece in _pieces([word[1:] for word in words])]
    vocabulary = {piece: id for id, piece in enumerate(dict.fromkeys([*specials, *starts, *later]))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = lower
    tokenizer.pre_tokenizer = cut
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.add_special_tokens(specials)
    return tokenizer


def _pieces(words: list[str], *, only_starts: bool = False) -> dict[str, int]:
    """Single characters, and longer stretches that occur twice, with their counts.

    The library's trainers for WordPiece and Unigram choose differently in each process; this does not.
    """
    stretches = (
        word[start:end]
        for word in words
        for start in range(1 if only_starts else len(word))
        for end in range(start + 1, min(start + 7, len(word)) + 1)
    )
    counts = Counter(stretches) + Counter("".join(words))
    return {piece: counts[piece] for piece in sorted(counts) if len(piece) == 1 or counts[piece] > 1}


_TRAINED: dict[str, Callable[[list[str]], Tokenizer]] = {
    "byte-bpe": _byte_bpe,
    "metaspace-bpe": _metaspace_bpe,
    "unigram": _unigram,
    "wordpiece": _wordpiece,
}


def _frame(tokenizer: Tokenizer, style: str) -> None:
    """Let the tokenizer add special tokens itself, as checkpoints of this style do."""
    from tokenizers import processors

    specials = SPECIALS[style]
    if style == "unigram-language":
        frame = [(specials[role], tokenizer.token_to_id(specials[role])) for role in ("eos", "language")]
        single = " ".join(("$A", *(token for token, _ in frame)))
        tokenizer.post_processor = processors.TemplateProcessing(single=single, special_tokens=frame)
        return
    before = specials.get("cls") or (specials.get("bos") if style in ("byte-bpe-frame", "metaspace-bpe") else None)
    framed = ("byte-bpe-frame", "unigram-sentinels")
    after = specials.get("sep") or (specials.get("eos") if style in framed else None)
    if before or after:
        # RoBERTa closes the first text and opens the second one; its texts are all of the first type.
        between, kind = ([after, after], 0) if style == "byte-bpe-frame" else ([after], 1)
        pair = [before, "$A", *between, f"$B:{kind}", after and f"{after}:{kind}"]
        tokenizer.post_processor = processors.TemplateProcessing(
            single=" ".join(filter(None, [before, "$A", after])),
            pair=" ".join(filter(None, pair)),
            special_tokens=[(token, tokenizer.token_to_id(token)) for token in (before, after) if token],
        )
