"""The causal scorer against one forward pass per token, for every architecture."""

import math

import pytest
import torch

import pairlens
from pairlens.models import find
from pairlens.places import FOLDER as ROOT
from pairlens.policies import Policy
from pairlens.scorers import SCORERS, _batching
from pairlens.types import PLAIN, Extras, Request
from tests.parity import plain
from tests.tiny import CAUSAL

TOLERANCE = 1e-4
ENGLISH = ROOT / "data" / "models" / "english-small"
MARKS = tuple(f"<0x{ord(mark):02X}>" for mark in '!"#%&()*,./:;?@[\\]_{}') + tuple('!"#%&()*,./:;?@[\\]_{}')
"""Tokens that begin with punctuation marks; apostrophes and hyphens are parts of words."""


def scored(folder, texts, extras=PLAIN, **policy):
    scorer = SCORERS["causal"].open(find(folder), Policy(**policy))
    return scorer.score([Request("", text) for text in texts], extras)


@pytest.mark.parametrize("architecture", CAUSAL)
def test_each_token_equals_its_own_forward_pass(tiny, architecture, monkeypatch):
    """Where rows are shared, and where a network (recurrent, with ALiBi, dynamic positions, windows) forbids it.

    By transformers alone, for long texts at once, as where positions depend on how long a row is.
    """
    folder, short = tiny(architecture), () if architecture == "llama-longrope" else plain.SHORT
    ways = [plain.causal if text in short else plain.causal_at_once for text in plain.TEXTS]
    expected = [way(folder, text, start=True) for way, text in zip(ways, plain.TEXTS, strict=True)]
    for worth in (_batching._WORTH_SHARING, 0):
        monkeypatch.setattr(_batching, "_WORTH_SHARING", worth)
        for score, values in zip(scored(folder, plain.TEXTS), expected, strict=True):
            assert score.logprobs == pytest.approx(values, abs=TOLERANCE)


def test_texts_longer_than_a_sliding_window_are_run_apart_from_those_that_share_rows(tiny, monkeypatch):
    monkeypatch.setattr(_batching, "_WORTH_SHARING", 0)
    folder = tiny("mistral", sliding_window=40)
    long = " ".join(plain.TEXTS[place] for place in (5, 2))
    texts = [*plain.TEXTS[:2], long, f"{long[:-1]} again."]
    scorer = SCORERS["causal"].open(find(folder), Policy())
    scores = scorer.score([Request("", text) for text in texts])
    assert scorer._batches._forward.together == 40
    lengths = [len(score.ids) for score in scores]
    assert min(lengths) < 40 < min(lengths[2:])
    for text, score in zip(texts, scores, strict=True):
        assert score.logprobs == pytest.approx(plain.causal(folder, text, start=True), abs=TOLERANCE), text


def test_separate_scores_the_first_token_after_the_symbol_and_the_rest_without_it(tiny):
    folder = tiny("llama")
    for text, score in zip(plain.SHORT, scored(folder, plain.SHORT, first_token="separate"), strict=True):
        expected = plain.causal(folder, text, start=False)
        expected[0] = plain.causal(folder, text, start=True)[0]
        assert score.logprobs == pytest.approx(expected, abs=TOLERANCE)


def test_bos_unscored_leaves_out_the_first_word_only(tiny):
    folder = tiny("gpt2")
    text = "Cabinetmakers laugh."
    (score,) = scored(folder, [text], first_token="bos-unscored")
    expected = plain.causal(folder, text, start=True)
    pieces = sum(start < len("Cabinetmakers") for start, _ in score.spans)
    assert pieces > 1
    assert all(map(math.isnan, score.logprobs[:pieces]))
    assert score.logprobs[pieces:] == pytest.approx(expected[pieces:], abs=TOLERANCE)


def test_temperatures_divide_the_logits(tiny):
    folder, extras = tiny("llama"), Extras(temperatures=(0.5, 1.25))
    (score,) = scored(folder, plain.TEXTS[:1], extras, first_token="bos-unscored")
    unscored = sum(map(math.isnan, score.logprobs))
    assert list(score.tempered) == [0.5, 1.25] and 0 < unscored < len(score.logprobs)
    for temperature, values in score.tempered.items():
        expected = plain.causal(folder, plain.TEXTS[0], start=True, temperature=temperature)
        assert all(map(math.isnan, values[:unscored]))
        assert values[unscored:] == pytest.approx(expected[unscored:], abs=TOLERANCE)


@pytest.mark.parametrize(
    ("architecture", "first_token", "window", "stride"),
    [("llama", "bos", 8, 3), ("opt", "bos", 8, 0), ("opt", "tokenizer", 2, 0), ("llama", "bos", 5, 4),
     ("gpt_neox", "bos", 8, 3), ("gpt_neox", "bos", 8, 8), ("gpt_neox", "bos", 8, 0), ("gpt_neox", "bos", 2, 1)],
)  # fmt: skip
def test_long_texts_take_each_value_from_the_first_window_that_holds_the_token(
    tiny, architecture, first_token, window, stride
):
    """Each window of a text that the tokenizer frames begins with the start symbol, else the first one only."""
    folder, text = tiny(architecture), plain.TEXTS[5]
    (score,) = scored(folder, [text], first_token=first_token, window=window, stride=stride)
    model, tokenizer = plain.parts(folder, "causal")
    ids, symbol = tokenizer(text, add_special_tokens=False).input_ids, [tokenizer.bos_token_id]
    framed = architecture != "gpt_neox"
    before, ids, room = (symbol, ids, window - 1) if framed else ([], symbol + ids, window)
    values, end = [] if framed else [math.nan], room
    while len(values) < len(ids):
        end = min(end, len(ids))
        rows = [(before + ids[end - room : place], ids[place]) for place in range(len(values), end)]
        values += [plain.distribution(model, row, -1)[id].item() for row, id in rows]
        end += max(1, min(stride or window // 2, room - 1))
    assert len(ids) > 2 * window
    assert score.logprobs == pytest.approx(values[not framed :], abs=TOLERANCE)


def test_a_text_of_several_windows_is_as_likely_as_transformers_says(shared_data):
    """With the start symbol in the second and third window too: 73.66 without it."""
    text = shared_data("field/long.txt").read_text("utf-8").strip()
    (score,) = scored("english-small", [text])
    model, tokenizer = plain.parts(ENGLISH, "causal")
    ids = tokenizer(text, add_special_tokens=False).input_ids
    values = []
    for begin, end in ((0, 127), (64, 191), (128, 255), (len(ids) - 127, len(ids))):
        (row,) = model(input_ids=torch.tensor([[tokenizer.bos_token_id, *ids[begin:end]]])).logits.double()
        new = range(len(values), end)
        values += [row[place - begin].log_softmax(-1)[ids[place]].item() for place in new]
    assert score.logprobs == pytest.approx(values, abs=TOLERANCE)
    assert math.exp(-sum(values) / len(values)) == pytest.approx(21.3569, abs=1e-4)


@pytest.mark.parametrize("architecture", ["gpt2", "llama", "gemma"])
def test_extras(tiny, architecture):
    folder = tiny(architecture)
    text = plain.TEXTS[0]
    (score,) = scored(folder, [text], Extras(boundary=True, entropy=True, top=3))
    model, tokenizer = plain.parts(folder, "causal")
    vocabulary = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    space = plain.WHITE_SPACE["byte-level" if architecture == "gpt2" else "metaspace"]
    symbol = tokenizer.bos_token_id
    ids = [symbol, *tokenizer(text, add_special_tokens=False).input_ids]
    for place in range(len(ids)):
        said = plain.distribution(model, ids[: place + 1], -1)
        for starts, masses in ((space, score.boundary_logprobs), (MARKS, score.punctuation_logprobs)):
            mass = sum(math.exp(said[id]) for id, token in enumerate(vocabulary) if token.startswith(starts))
            assert masses[place] == pytest.approx(math.log(mass), abs=TOLERANCE)
        assert score.eos_logprobs[place] == pytest.approx(said[tokenizer.eos_token_id].item(), abs=TOLERANCE)
        if place + 1 < len(ids):
            assert score.entropies[place] == pytest.approx(-(said.exp() * said).sum().item(), abs=TOLERANCE)
            best = said.argsort(descending=True)[:3].tolist()
            assert [token for token, _ in score.tops[place]] == [vocabulary[id] for id in best]
            assert [value for _, value in score.tops[place]] == pytest.approx(said[best].tolist(), abs=TOLERANCE)
    assert len(score.boundary_logprobs) == len(score.eos_logprobs) == len(ids)


@pytest.mark.parametrize(
    ("choices", "divided", "margin"),
    [({}, False, 4.4677), ({"like": "minicons"}, True, 0.5585), ({"unit": "nats"}, False, 3.0968)],
)
def test_two_sentences_are_as_far_apart_as_transformers_says(choices, divided, margin):
    """The margin of Compare: sums of one forward pass per token, in the unit and per token as the policy has it."""
    pair = ("The keys to the cabinet are here.", "The keys to the cabinet is here.")
    values = [plain.causal(ENGLISH, text, start=True) for text in pair]
    first, second = (math.fsum(one) / (len(one) if divided else 1) for one in values)
    result = pairlens.compare(*pair, **choices)
    nats = first - second
    assert result.bits == pytest.approx(nats / math.log(2), abs=TOLERANCE) and result.preferred == "A"
    assert result.margin == pytest.approx(result.bits * (1 if result.headlines[0].unit == "bits" else math.log(2)))
    assert (result.bits if divided else result.margin) == pytest.approx(margin, abs=TOLERANCE)
