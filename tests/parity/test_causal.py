"""The causal scorer against one forward pass per token, for every architecture."""

from __future__ import annotations

import math

import pytest
import torch

from core import api
from core.models import find
from core.policies import Policy
from core.scorers import SCORERS, _batching
from core.settings import ROOT
from core.types import Extras, Request
from tests.parity import plain
from tests.tiny import CAUSAL

TOLERANCE = 1e-4
MARKS = tuple(f"<0x{ord(mark):02X}>" for mark in '!"#%&()*,./:;?@[\\]_{}') + tuple('!"#%&()*,./:;?@[\\]_{}')
"""The same for punctuation marks; apostrophes and hyphens are parts of words."""


ONE_PASS = ("llama-longrope",)
"""Positions depend on how long a row is: a pass over fewer tokens says something else."""


def unbatched(folder, architecture, text, *, start):
    """By transformers alone, a forward pass per token where that is possible."""
    return (plain.causal_at_once if architecture in ONE_PASS else plain.causal)(folder, text, start=start)


def scored(folder, texts, **policy):
    scorer = SCORERS["causal"].open(find(folder), Policy(**policy))
    return scorer.score([Request("", text) for text in texts])


@pytest.mark.parametrize("architecture", CAUSAL)
@pytest.mark.parametrize("first_token", ["bos", "none"])
def test_each_token_equals_its_own_forward_pass(tiny, architecture, first_token):
    folder = tiny(architecture)
    scores = scored(folder, plain.TEXTS, first_token=first_token)
    for text, score in zip(plain.TEXTS, scores, strict=True):
        expected = unbatched(folder, architecture, text, start=first_token == "bos")
        assert score.logprobs == pytest.approx(expected, abs=TOLERANCE, nan_ok=True), text
        assert math.isnan(score.logprobs[0]) == (first_token == "none")


@pytest.mark.parametrize("architecture", CAUSAL)
def test_each_token_of_texts_that_share_rows_equals_its_own_forward_pass(tiny, architecture, monkeypatch):
    """Where rows are shared, and where a network (recurrent, with ALiBi, dynamic positions, windows) forbids it."""
    monkeypatch.setattr(_batching, "_WORTH_SHARING", 0)
    folder = tiny(architecture)
    for text, score in zip(plain.TEXTS, scored(folder, plain.TEXTS), strict=True):
        expected = unbatched(folder, architecture, text, start=True)
        assert score.logprobs == pytest.approx(expected, abs=TOLERANCE), text


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
    for text, score in zip(plain.TEXTS, scored(folder, plain.TEXTS, first_token="separate"), strict=True):
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
    folder = tiny("llama")
    scorer = SCORERS["causal"].open(find(folder), Policy(first_token="bos-unscored"))
    (score,) = scorer.score([Request("", plain.TEXTS[0])], Extras(temperatures=(0.5, 1.25)))
    for temperature, found in score.tempered.items():
        expected = plain.causal(folder, plain.TEXTS[0], start=True, temperature=temperature)
        unscored = [place for place, value in enumerate(score.logprobs) if math.isnan(value)]
        assert 0 < len(unscored) < len(expected)
        assert found == pytest.approx(
            [math.nan if i in unscored else one for i, one in enumerate(expected)], abs=TOLERANCE, nan_ok=True
        )
    assert list(score.tempered) == [0.5, 1.25]


@pytest.mark.parametrize(("window", "stride"), [(8, 3), (8, 8), (8, 0), (4, 0), (2, 1), (5, 4)])
def test_long_texts_take_each_value_from_the_first_window_that_holds_the_token(tiny, window, stride):
    folder = tiny("gpt_neox")
    text = plain.TEXTS[5]
    (score,) = scored(folder, [text], window=window, stride=stride)
    model, tokenizer = plain.parts(folder, "causal")
    ids = [tokenizer.bos_token_id, *tokenizer(text).input_ids]
    step = min(stride or window // 2, window - 1)
    values: dict[int, float] = {}
    end = window
    while len(values) < len(ids) - 1:
        end = min(end, len(ids))
        for place in range(end - window + 1, end):
            said = plain.distribution(model, ids[end - window : place], -1)[ids[place]].item()
            values.setdefault(place, said)
        end += step
    assert len(ids) > 2 * window
    assert score.logprobs == pytest.approx([values[place] for place in sorted(values)], abs=TOLERANCE)


@pytest.mark.parametrize(("window", "stride"), [(8, 3), (8, 0), (4, 0), (2, 0), (5, 4)])
@pytest.mark.parametrize(("architecture", "first_token"), [("llama", "bos"), ("opt", "bos"), ("opt", "tokenizer")])
def test_each_window_of_a_text_that_the_tokenizer_frames_begins_with_the_start_symbol(
    tiny, architecture, first_token, window, stride
):
    folder = tiny(architecture)
    text = plain.TEXTS[5]
    (score,) = scored(folder, [text], first_token=first_token, window=window, stride=stride)
    model, tokenizer = plain.parts(folder, "causal")
    ids, room = tokenizer(text, add_special_tokens=False).input_ids, window - 1
    values: list[float] = []
    end = room
    while len(values) < len(ids):
        end = min(end, len(ids))
        for place in range(len(values), end):
            row = [tokenizer.bos_token_id, *ids[end - room : place]]
            values.append(plain.distribution(model, row, -1)[ids[place]].item())
        end += max(1, min(stride or window // 2, room - 1))
    assert len(ids) > 2 * window
    assert score.logprobs == pytest.approx(values, abs=TOLERANCE)


def test_a_text_of_several_windows_is_as_likely_as_transformers_says(shared_data):
    """With the start symbol in the second and third window too: 73.66 without it."""
    text = shared_data("field/long.txt").read_text("utf-8").strip()
    scorer = SCORERS["causal"].open(find("english-small"), Policy())
    (score,) = scorer.score([Request("", text)])
    model, tokenizer = plain.parts(ROOT / "data" / "models" / "english-small", "causal")
    ids = tokenizer(text, add_special_tokens=False).input_ids
    values: list[float] = []
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
    scorer = SCORERS["causal"].open(find(folder), Policy())
    (score,) = scorer.score([Request("", text)], Extras(boundary=True, entropy=True, top=3))
    model, tokenizer = plain.parts(folder, "causal")
    vocabulary = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    space = plain.WHITE_SPACE["byte-level" if architecture == "gpt2" else "metaspace"]
    symbol = tokenizer.bos_token_id
    ids = [symbol, *tokenizer(text, add_special_tokens=False).input_ids]
    for place in range(len(ids)):
        said = plain.distribution(model, ids[: place + 1], -1)
        mass = sum(math.exp(said[id]) for id, token in enumerate(vocabulary) if token.startswith(space))
        assert score.boundary_logprobs[place] == pytest.approx(math.log(mass), abs=TOLERANCE)
        mass = sum(math.exp(said[id]) for id, token in enumerate(vocabulary) if token.startswith(MARKS))
        assert score.punctuation_logprobs[place] == pytest.approx(math.log(mass), abs=TOLERANCE)
        assert score.eos_logprobs[place] == pytest.approx(said[tokenizer.eos_token_id].item(), abs=TOLERANCE)
        if place + 1 == len(ids):
            continue
        assert score.entropies[place] == pytest.approx(-(said.exp() * said).sum().item(), abs=TOLERANCE)
        best = said.argsort(descending=True)[:3].tolist()
        assert [token for token, _ in score.tops[place]] == [vocabulary[id] for id in best]
        assert [value for _, value in score.tops[place]] == pytest.approx(said[best].tolist(), abs=TOLERANCE)
    assert len(score.boundary_logprobs) == len(score.eos_logprobs) == len(ids)


@pytest.mark.parametrize(("architecture", "framed"), [("llama", True), ("gpt2", False)])
def test_the_tokenizer_decides_about_the_first_token(architecture, framed, tiny):
    """As in the BabyLM pipeline: a start symbol that the tokenizer itself puts there is in the context."""
    folder = tiny(architecture)
    policies = {name: Policy(first_token=name) for name in ("tokenizer", "bos" if framed else "none")}
    request = Request("", "The keys to the cabinet are on the table.")
    found = [SCORERS["causal"].open(find(folder), policy).score([request])[0] for policy in policies.values()]
    assert math.isnan(found[0].logprobs[0]) is not framed
    assert found[0].logprobs == pytest.approx(found[1].logprobs, nan_ok=True)


@pytest.mark.parametrize(
    ("choices", "divided", "margin"),
    [({}, False, 4.4677), ({"like": "minicons"}, True, 0.5585), ({"unit": "nats"}, False, 3.0968)],
)
def test_two_sentences_are_as_far_apart_as_transformers_says(choices, divided, margin):
    """The margin of Compare: sums of one forward pass per token, in the unit and per token as the policy has it."""
    pair = ("The keys to the cabinet are here.", "The keys to the cabinet is here.")
    values = [plain.causal(ROOT / "data" / "models" / "english-small", text, start=True) for text in pair]
    first, second = (math.fsum(one) / (len(one) if divided else 1) for one in values)
    result = api.compare(*pair, **choices)
    nats = first - second
    assert result.bits == pytest.approx(nats / math.log(2), abs=TOLERANCE) and result.preferred == "A"
    assert result.margin == pytest.approx(result.bits * (1 if result.headlines[0].unit == "bits" else math.log(2)))
    assert (result.bits if divided else result.margin) == pytest.approx(margin, abs=TOLERANCE)
