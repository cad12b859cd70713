"""What the multilingual successor of StereoSet and Pairlens are both asked: examples, models, trained checkpoints.

Nothing of either program is used here. Models are random, with fixed seeds, in folders whose names tell the original
their family.
"""

from dataclasses import dataclass

from tests.tiny import SENTENCES, tiny_model

WITHIN, BETWEEN = "intrasentence", "intersentence"
LABELS = ("stereotype", "anti-stereotype", "unrelated")
GAPS = (
    ("The keys of the teacher were BLANK.", ("painted", "quick", "table")),
    ("BLANK that chase the cat fall asleep.", ("Dogs", "Authors", "Stories")),
    ("They think that nobody would believe the BLANK", ("teacher", "senators", "cabinet")),
    (" Sarah laughs when the BLANK  ", ("dogs", " cat ", "table ")),
)
CONTEXTS = (
    ("The keys to the cabinet are here", ("They are on the table.", "Sarah laughs.", "No boats")),
    ("Yesterday, the teacher slept!", ("She had seen the boy.", "The boy had seen her.", "Key.")),
    ("The dogs chase the cat,", ("The cat falls asleep.", "The dogs fall asleep.", "The table is written.")),
    ("Which boats has he sold?", ("The quickly painted ones", "The stories", "No author has ever liked them.")),
    (" The keys are here. ", (" They are on the table. ", "  Sarah laughs.", "No boats  ")),
    ("The cat sleeps.  ", ("The dogs fall asleep. ", " The cat falls asleep.", "The table is written.\n")),
)
HEAD = 300
"""The width of the two hidden layers over a GPT-2."""


@dataclass(frozen=True)
class Asked:
    """A run: the folder of the model, the classes of both tasks (empty: skipped), and the rest of the command."""

    model: str
    tokenizer: str
    within: str = ""
    between: str = ""
    case: str = "d"
    checkpoint: str = ""


ASKED = {
    **{f"gpt2, case {case}": Asked("gpt2", "AutoTokenizer", "", "GPT2LM", case) for case in "bcdef"},
    "gpt2, case orig": Asked("gpt2", "AutoTokenizer", "GPT2LM", "GPT2LM", "orig"),
    "bert": Asked("bert", "BertTokenizer", "BertLM", "BertNextSentence"),
    "t5": Asked("t5", "T5Tokenizer", "T5LM", "T5LM"),
    "t5, case e": Asked("t5", "T5Tokenizer", "", "T5LM", "e"),
    "mt5, case c": Asked("mt5", "T5Tokenizer", "mT5LM", "mT5LM", "c"),
    "gpt2, trained": Asked("gpt2", "GPT2Tokenizer", "", "ModelNSP", checkpoint="gpt2.pt"),
    "t5, trained": Asked("t5-small", "T5Tokenizer", "", "ModelNSP", checkpoint="t5.pt"),
    "mt5, trained": Asked("mt5-small", "T5Tokenizer", "", "ModelNSP", checkpoint="mt5.pt"),
    "bert, trained": Asked("bert", "BertTokenizer", "", "BertNextSentence", checkpoint="bert.pt"),
}


def frame(task):
    """The examples of a task as the successor's table."""
    import pandas as pd

    rows = []
    for number, (context, candidates) in enumerate(GAPS if task == WITHIN else CONTEXTS):
        row = {"id": f"{task}{number}", "target": "teacher", "bias_type": "profession"}
        row["context"] = context
        for place, (one, label) in enumerate(zip(candidates, LABELS, strict=True), start=1):
            row[f"c{place}_sentence"] = context.replace("BLANK", one) if task == WITHIN else one
            row |= {f"c{place}_gold_label": label, f"c{place}_id": f"{row['id']}-{place}", f"c{place}_labels": []}
            row |= {f"c{place}_word": one} if task == WITHIN else {}
        rows.append(row)
    return pd.DataFrame(rows)


def write(folder):
    """Models and checkpoints."""
    import torch
    import transformers

    tiny_model(folder / "gpt2", "gpt2", tokenizer="byte-bpe-eos")
    tiny_model(folder / "bert", "bert")
    bert = transformers.AutoConfig.from_pretrained(folder / "bert")
    _random(transformers.BertForPreTraining(bert), 1).save_pretrained(folder / "bert")
    for name in ("t5", "mt5", "t5-small", "mt5-small"):
        _encoder_decoder(folder / name)
    # The original reads the token after the first generated one, and takes that to be the mask.
    for name in ("t5", "mt5"):
        mask = transformers.AutoTokenizer.from_pretrained(folder / name).convert_tokens_to_ids("<extra_id_0>")
        settings = transformers.GenerationConfig.from_pretrained(folder / name)
        settings.forced_bos_token_id = mask
        settings.save_pretrained(folder / name)
    for name, weights in _trained(folder):
        torch.save(weights, folder / name)


def _encoder_decoder(folder):
    import transformers

    tokenizer = _tokenizer(transformers.T5Tokenizer)
    tiny_model(folder, "t5", vocab_size=len(tokenizer))
    tokenizer.save_pretrained(folder)
    if folder.name.startswith("mt5"):
        sizes = transformers.AutoConfig.from_pretrained(folder).to_diff_dict()
        sizes = {name: value for name, value in sizes.items() if name not in ("architectures", "model_type")}
        config = transformers.MT5Config(**{**sizes, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False})
        _random(transformers.MT5ForConditionalGeneration(config), 2).save_pretrained(folder)


def _tokenizer(kind):
    """T5's, over characters, digits and the words of our sentences."""
    words = {word for sentence in SENTENCES for word in sentence.split()}
    letters = sorted(set("▁0123456789:".join(words)))
    specials = [(token, 0.0) for token in ("<pad>", "</s>", "<unk>", "<extra_id_0>")]
    pieces = [*((letter, -6.0) for letter in letters), *((f"▁{word}", -8.0) for word in sorted(words))]
    return kind(vocab=[*specials, *pieces], extra_ids=1)


def _trained(folder):
    """State dictionaries as the training program saves them, with and without what surrounds them."""
    import torch
    import transformers

    config = transformers.AutoConfig.from_pretrained(folder / "gpt2")
    config.vocab_size += 1  # the padding that the program adds
    core = _random(transformers.GPT2Model(config), 3)
    yield "gpt2.pt", {"model_state_dict": _named(core, "module.core_model.") | _head(config.hidden_size)}
    for name, kind in (("t5", "T5ForConditionalGeneration"), ("mt5", "MT5ForConditionalGeneration")):
        config = transformers.AutoConfig.from_pretrained(folder / f"{name}-small")
        core = _random(getattr(transformers, kind)(config), 4)
        weights = _named(core, "module.core_model.") | _head(config.hidden_size)
        yield f"{name}.pt", weights if name == "mt5" else {"model_state_dict": weights, "epoch": 0, "scaler": None}
    config = transformers.AutoConfig.from_pretrained(folder / "bert")
    both = _random(transformers.BertForNextSentencePrediction(config), 5)
    assert torch.is_tensor(next(iter(both.state_dict().values())))
    yield "bert.pt", {"model_state_dict": _named(both, "module.")}


def _head(width):
    from torch import nn

    layers = nn.Sequential(nn.Linear(width, HEAD), nn.Linear(HEAD, HEAD), nn.Linear(HEAD, 2))
    return _named(_random(layers, 6, 0.1), "module.nsp_head.")


def _named(network, start):
    return {f"{start}{name}": weight for name, weight in network.state_dict().items()}


def _random(network, seed, deviation=0.3):
    import torch

    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in network.parameters():
            weight.normal_(0, deviation, generator=generator)
    return network
