"""What NLPScholar and Pairlens are both asked: tiny random models, a table of pairs, ways of analysing them."""

import json
from dataclasses import dataclass
from itertools import product
from unittest.mock import patch

import tiny

PAIRS = (
    ("The boy doesn't know the teachers' names.", "The boy don't know the teachers' names."),
    ('"The boys," she said, "know it".', '"The boys," she said, "knows it".'),
    ("Elle a dit : « Je l'ai vue hier ».", "Elle a dit : « Je l'ai vu hier »."),
    ("The well-known writer wasn't here - was he?", "The well-known writer wasn't here - were he?"),
    ("...and then the dogs sleep... (I think!)", "...and then the dogs sleeps... (I think!)"),
    ("The  keys are there , he says .", "The  keys is there , he says ."),
    ("The boy knows the dogs.", "The boy."),
)
ROIS = ("3, 2,1", "4,5,6,7", "4,5,6,7", "6,7,8,9", "3,4,5", "2,99", "4")
"""The one with 99 reaches beyond its sentences, the one after it beyond the second: that pair is dropped."""


@dataclass(frozen=True)
class Case:
    """A tiny model, NLPScholar's kind for it and keys of its configuration."""

    architecture: str
    kind: str
    tokenizer: str = ""
    pll: str = "within_word_l2r"


CASES = {
    "GPT-2, byte-level BPE": Case("gpt2", "hf_causal_model"),
    "GPT-NeoX, metaspace": Case("gpt_neox", "hf_causal_model", "unigram-eos"),
    "BERT, WordPiece": Case("bert", "hf_masked_model"),
    "BERT, WordPiece, each piece alone": Case("bert", "hf_masked_model", pll="original"),
    "ALBERT, metaspace": Case("albert", "hf_masked_model"),
}
BY_WORD = ("GPT-2, byte-level BPE", "ALBERT, metaspace")
"""The cases whose words are recorded as well as their pairs."""
ANALYSES = tuple(
    {"punctuation": punctuation, "word_summary": summary, "pred_measure": measure}
    for punctuation, (summary, measure) in product(
        ("previous", "next", "separate", "ignore"),
        (("mean", "surp"), ("sum", "surp"), ("mean", "prob"), ("sum", "perplexity")),
    )
)
CONDITIONS = "language, half"


def model(folder, case):
    """The model of a case, whose tokenizer knows every character of the pairs, in a form that both programs read."""
    with patch.object(tiny, "SENTENCES", (*tiny.SENTENCES, *(text for pair in PAIRS for text in pair))):
        tiny.tiny_model(folder, case.architecture, tokenizer=case.tokenizer)
    path = folder / "tokenizer_config.json"
    config = json.loads(path.read_text("utf-8")) | {"tokenizer_class": "PreTrainedTokenizerFast"}
    path.write_text(json.dumps(config), "utf-8")
    return folder


def table(path, *, roi):
    """The pairs as a table of NLPScholar, with or without regions of interest."""
    header = ["sentid", "sentence", "pairid", "language", "comparison", "half", *(["ROI"] if roi else [])]
    rows = [header]
    for number, (pair, region) in enumerate(zip(PAIRS, ROIS, strict=True)):
        for side, (sentence, name) in enumerate(zip(pair, ("expected", "unexpected"), strict=True)):
            about = ["French" if number == 2 else "English", name, "ab"[number % 2], *([region] if roi else [])]
            quoted = '"' + sentence.replace('"', '""') + '"'
            rows.append([str(2 * number + side + 1), quoted, str(number + 1), *about])
    path.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
    return path


def name_of(analysis, *, roi):
    """The name of a result: the choices, and the region."""
    return " ".join([*analysis.values(), "ROI" if roi else "sentence"])
