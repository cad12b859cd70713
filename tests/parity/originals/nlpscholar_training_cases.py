"""Tiny models, long texts and training texts: what NLPScholar and Pairlens are both asked about strides and training.

Nothing of NLPScholar is used here. `tests.parity.originals.nlpscholar_training` records its answers,
`tests/parity/test_original_nlpscholar_training.py` compares ours with them.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from tests.tiny import SENTENCES, WINDOW, tiny_model

LONG = " ".join((*SENTENCES, *reversed(SENTENCES)))
"""A text of several windows."""
_TWO_TOKENS = "who sold them what boy had seen dogs she painted author book are cabinets we tell keys teacher say"
PAIRS = " ".join([_TWO_TOKENS] * 4)
"""The same of words that are two tokens each. The original decodes the windows of masked models and cuts them into
tokens again, which gives other tokens where a window begins inside a word: here none does, with an even stride."""
TRAINING = [f"{one} {other}" for one in SENTENCES for other in SENTENCES] * 13
"""1,053 texts: the original cuts each thousand of them into pieces by themselves."""
VALIDATION = [sentence for sentence in SENTENCES if "key" not in sentence] * 5


@dataclass(frozen=True)
class Strided:
    """A model of this architecture that reads `text` with a `stride`, None for the usual one."""

    architecture: str
    text: str
    stride: int | None = None
    pll: str = "within_word_l2r"


STRIDED = {
    "causal, usual stride": Strided("gpt2", LONG),
    "causal, stride of 20": Strided("gpt2", LONG, 20),
    "causal, stride of 50": Strided("gpt2", LONG, 50),
    "causal, fits": Strided("gpt2", SENTENCES[0]),
    "masked, usual stride": Strided("roberta", PAIRS),
    "masked, stride of 20": Strided("roberta", PAIRS, 20),
    "masked, each piece alone": Strided("roberta", PAIRS, 8, "original"),
    "masked, fits": Strided("roberta", SENTENCES[0]),
}


@dataclass(frozen=True)
class Trained:
    """A model of this architecture that is trained with these keys of a configuration."""

    architecture: str
    keys: dict[str, Any] = field(default_factory=dict)


STILL = {"epochs": 1, "learning_rate": 1e-30, "weight_decay": 0}
"""Training that leaves the weights as they are."""
TRAINED = {
    "causal, as it is": Trained("gpt2", STILL),
    "causal, several batches": Trained("gpt2", {**STILL, "batchSize": 3}),
    "causal, a share of the text": Trained("gpt2", {**STILL, "samplePercent": 30, "seed": 7, "batchSize": 4}),
    "causal, whatever length": Trained("gpt2", {**STILL, "maxTrainSequenceLength": 32}),
    "causal, learning": Trained("gpt2", {"epochs": 2, "learning_rate": 1e-3}),
    "masked, pieces": Trained("roberta", {**STILL, "save_strategy": "no"}),
}


def strided_model(folder, architecture):
    """A model whose tokenizer states its limit and the names of its frame, as the original needs them."""
    return _limited(tiny_model(folder, architecture), WINDOW)


def trained_model(folder, architecture):
    """A model that sees pieces of 128 tokens and drops nothing at random."""
    window = {"gpt2": {"n_positions": 128, "resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0},
              "roberta": {"max_position_embeddings": 130}}[architecture]  # fmt: skip
    return _limited(tiny_model(folder, architecture, **window), 128)


def _limited(folder, most):
    path = folder / "tokenizer_config.json"
    known = json.loads(path.read_text("utf-8"))
    said = {"model_max_length": most, "model_input_names": ["input_ids", "attention_mask"]}
    frame = {"cls_token": known["bos_token"], "sep_token": known["eos_token"]} if "mask_token" in known else {}
    path.write_text(json.dumps({**known, **said, **frame}), "utf-8")
    return folder


def training_files(folder):
    """The texts as tables, by the keys of a configuration."""
    files = {"trainfpath": ("train.tsv", TRAINING), "validfpath": ("valid.tsv", VALIDATION)}
    for name, texts in files.values():
        (folder / name).write_text("text\n" + "".join(f"{text}\n" for text in texts), "utf-8")
    return {key: str(folder / name) for key, (name, _) in files.items()}


def summary(pieces):
    """How many pieces and tokens there are, and a number that any other order or piece would change."""
    rows = [list(map(int, piece)) for piece in pieces]
    order = sum((place + 1) * (n + 1) * id for place, row in enumerate(rows) for n, id in enumerate(row))
    return {"pieces": len(rows), "tokens": sum(map(len, rows)), "order": order}
