"""Turn a word-level vocabulary file into a tokenizer that transformers can load.

The file is that of the word-level language models of the French object-agreement studies (Li, Wisniewski & Crabbé
2021; there `tokcodes`):

    line 1              the string that stands for unknown words
    from line 2 on      one token per line; its id is its line minus 2, so that the padding token, id 0, is on line 2

`<bos>`, `<eos>` and the string of line 1 are ordinary entries. Texts are cut at white space, and case counts. The
tokenizer puts the start symbol before a text and no end symbol after it, as those models were run.
"""

import json
from pathlib import Path

from pairlens.errors import InputError, ModelError
from pairlens.files.tables import check_folder, read_lines
from pairlens.types import Model

START, END, PADDING = "<bos>", "<eos>", "<pad>"
TOKENIZER = "tokenizer.json"


def import_vocabulary(source: Path, destination: Path) -> int:
    """Write the vocabulary of `source` as a tokenizer into the folder `destination`; returns its number of tokens.

    InputError, which names the line, for no such vocabulary; ModelError if the folder has a tokenizer.
    """
    unknown, tokens = read_vocabulary(source)
    if (destination / TOKENIZER).exists():
        raise ModelError(f"{destination} has a {TOKENIZER} already: name another folder with --output.")
    check_folder(destination)
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.WordLevel(tokens, unk_token=unknown))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{START} $A", special_tokens=[(START, tokens[START])]
    )
    roles = {"bos_token": START, "eos_token": END, "pad_token": PADDING, "unk_token": unknown}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **roles).save_pretrained(destination)
    return len(tokens)


def reads_whole_words(model: Model) -> bool:
    """Whether the tokens of a model are words: text cut into tokens is what it has read. Nothing is loaded."""
    try:
        described = json.loads((model.folder / TOKENIZER).read_text("utf-8"))
        return bool(described["model"]["type"] == "WordLevel")
    except (OSError, ValueError, KeyError, TypeError, RecursionError):  # none, or damaged: who loads it will say so
        return False


def read_vocabulary(source: Path) -> tuple[str, dict[str, int]]:
    first, *lines = read_lines(source)
    unknown = first.strip()
    while lines and not lines[-1].strip():
        lines.pop()
    tokens: dict[str, int] = {}
    for id, line in enumerate(lines):
        token, where = line.strip(" "), f"{source.name}, line {id + 2}"
        if not token:
            raise InputError("the line is empty; expected one token per line.", where)
        if len(token.split()) > 1:
            raise InputError(f"'{token[:40]}' has white space in it; expected one token per line.", where)
        if token in tokens:
            raise InputError(f"'{token[:40]}' is on line {tokens[token] + 2} already; each token has one id.", where)
        tokens[token] = id
    name = source.name
    if unknown not in tokens:
        wanted = "expected the string for unknown words, one of the tokens that follow"
        raise InputError(f"{wanted}; found '{unknown[:40]}'.", f"{name}, line 1")
    for symbol, meaning in ((START, "start"), (END, "end")):
        if symbol not in tokens:
            raise InputError(f"the {meaning} symbol {symbol} is not among its {len(tokens):,} tokens.", name)
    if tokens.get(PADDING) != 0:
        sample = next(iter(tokens))
        raise InputError(f"expected {PADDING}, whose id is 0; found '{sample[:40]}'.", f"{name}, line 2")
    return unknown, tokens
