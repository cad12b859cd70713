"""Scores computed the obvious way, straight from transformers: one text at a time, nothing padded, nothing shared."""

import math
from functools import cache

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
SHORT = (TEXTS[1], *TEXTS[3:5])


WHITE_SPACE = {
    "byte-level": tuple("ĠĊĉčċČĜĝĞğ"),
    "metaspace": ("▁", *(f"<0x{byte:02X}>" for byte in (9, 10, 11, 12, 13, 28, 29, 30, 31, 32))),
}
"""How tokens that begin with white space are written in a vocabulary."""
_HEADS = {
    "causal": transformers.AutoModelForCausalLM,
    "masked": transformers.AutoModelForMaskedLM,
    "seq2seq": transformers.AutoModelForSeq2SeqLM,
}


@cache
def parts(folder, head):
    """Model and tokenizer of a folder."""
    return _HEADS[head].from_pretrained(folder).eval(), transformers.AutoTokenizer.from_pretrained(folder)


@torch.no_grad()
def distribution(model, ids, position, temperature=1.0):
    """Log-probabilities of the vocabulary at one output position of one unpadded row, in double precision."""
    return distributions(model, [ids], [position], temperature)[0]


@torch.no_grad()
def distributions(model, rows, positions, temperature=1.0):
    """The same of several rows that are equally long, at one position of each."""
    said = model(input_ids=torch.tensor(rows)).logits[range(len(rows)), positions]
    return (said.double() / temperature).log_softmax(-1)


def causal(folder, text, start, temperature=1.0):
    """Each token given the ids before it, by a forward pass of its own; NaN for one with nothing before it."""
    model, tokenizer = parts(folder, "causal")
    ids = tokenizer(text, add_special_tokens=False).input_ids
    symbol = tokenizer.eos_token_id if tokenizer.bos_token_id is None else tokenizer.bos_token_id
    before = [symbol] if start else []
    values = []
    for i, token in enumerate(ids):
        prefix = before + ids[:i]
        values.append(distribution(model, prefix, -1, temperature)[token].item() if prefix else math.nan)
    return values


@torch.no_grad()
def causal_at_once(folder, text, start):
    """Each token given the ids before it, by one forward pass over the text without its last token."""
    model, tokenizer = parts(folder, "causal")
    ids = tokenizer(text, add_special_tokens=False).input_ids
    symbol = tokenizer.eos_token_id if tokenizer.bos_token_id is None else tokenizer.bos_token_id
    row = [symbol] * start + ids
    said = model(input_ids=torch.tensor([row[:-1]])).logits[0].double().log_softmax(-1) if row[1:] else []
    return [math.nan] * (not start) + [values[token].item() for values, token in zip(said, row[1:], strict=True)]


def words_up_to(text, start):
    """How many words have begun once the first character from `start` on that is not white space is there."""
    return len(text[:start].split()) + (text[start - 1 : start].isspace() or start == 0 or text[start].isspace())


def masked(folder, text, *, within_words, shift=0):
    """Each token with a mask in its place; with `within_words` also in place of the later tokens of its word."""
    model, tokenizer = parts(folder, "masked")
    row = tokenizer(text, return_offsets_mapping=True)
    words = [words_up_to(text, start) for start, _ in row.offset_mapping]
    places = [i for i, token in enumerate(row.input_ids) if token not in _special(tokenizer)]
    rows = []
    for i in places:
        rows.append(list(row.input_ids))
        for later in range(i, len(words) - 1 if within_words else i + 1):
            if later == i or words[later] == words[i]:
                rows[-1][later] = tokenizer.mask_token_id
    said = distributions(model, rows, [i - shift for i in places])
    return [values[row.input_ids[i]].item() for values, i in zip(said, places, strict=True)]


def masked_left_to_right(folder, text, *, shift=0):
    """Each token where the first of three masks stands that follow what precedes it."""
    model, tokenizer = parts(folder, "masked")
    framed = tokenizer(text).input_ids
    start = next(i for i, token in enumerate(framed) if token not in _special(tokenizer))
    ids = tokenizer(text, add_special_tokens=False).input_ids
    before, after = framed[:start], framed[start + len(ids) :]
    values = []
    for i, token in enumerate(ids):
        row = before + ids[:i] + [tokenizer.mask_token_id] * 3 + after
        values.append(distribution(model, row, len(before) + i - shift)[token].item())
    return values


def _special(tokenizer):
    return (tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.bos_token_id, tokenizer.eos_token_id)


@torch.no_grad()
def decoded(model, encoder, decoder):
    """Log-probabilities of the vocabulary after a decoder's last token, in double precision."""
    output = model(input_ids=torch.tensor([encoder]), decoder_input_ids=torch.tensor([decoder]))
    return output.logits[0, -1].double().log_softmax(-1)


def question(tokenizer, architecture):
    """What stands before and after a text in the encoder, the decoder's start symbol and the mask."""
    if architecture == "t5":
        sentinel = tokenizer.convert_tokens_to_ids("<extra_id_0>")
        return [], [tokenizer.eos_token_id], tokenizer.pad_token_id, sentinel
    if architecture == "mbart":
        language = tokenizer.convert_tokens_to_ids("fr_XX")
        return [], [tokenizer.eos_token_id, language], language, tokenizer.mask_token_id
    return [tokenizer.bos_token_id], [tokenizer.eos_token_id], tokenizer.eos_token_id, tokenizer.mask_token_id


def continued(folder, architecture, context, continuation):
    """Each token of the continuation given the context in the encoder and the tokens before it in the decoder."""
    model, tokenizer = parts(folder, "seq2seq")
    before, after, start, mask = question(tokenizer, architecture)
    row = tokenizer(context + continuation, return_offsets_mapping=True, add_special_tokens=False)
    known = sum(end <= len(context) for _, end in row.offset_mapping)
    encoder = before + row.input_ids[:known] + [mask] + after
    values = []
    for i in range(known, len(row.input_ids)):
        decoder = [start, mask, *row.input_ids[known:i]]
        values.append(decoded(model, encoder, decoder)[row.input_ids[i]].item())
    return values


def filled_in(folder, architecture, context, continuation, pll):
    """Each token of the continuation, hidden from the encoder by one mask with what the variant hides after it."""
    model, tokenizer = parts(folder, "seq2seq")
    before, after, start, mask = question(tokenizer, architecture)
    text = context + continuation
    row = tokenizer(text, return_offsets_mapping=True, add_special_tokens=False)
    words = [words_up_to(text, start) for start, _ in row.offset_mapping]
    values = []
    for i, token in enumerate(row.input_ids):
        if row.offset_mapping[i][1] <= len(context):
            continue
        later = row.input_ids[i + 1 :]
        if pll == "within_word_l2r":
            later = [id for id, word in zip(later, words[i + 1 :], strict=True) if word != words[i]]
        if pll == "left_to_right":
            later = []
        encoder = before + row.input_ids[:i] + [mask] + later + after
        values.append(decoded(model, encoder, [start, mask])[token].item())
    return values
