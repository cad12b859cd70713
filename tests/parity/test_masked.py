"""The masked and mntp scorers against one forward pass per token, for every architecture."""

from __future__ import annotations

import math

import pytest

from core.models import find
from core.policies import Policy
from core.scorers import SCORERS
from core.types import Extras, Request
from tests.parity import plain
from tests.tiny import MASKED

TOLERANCE = 1e-4
VARIANTS = ("within_word_l2r", "original")
TEXTS = [text.rstrip(".?").replace("'", "") for text in plain.TEXTS]
"""Without punctuation: the plain code takes words to be what stands between white spaces."""


@pytest.mark.parametrize("architecture", MASKED)
@pytest.mark.parametrize("pll", VARIANTS)
@pytest.mark.parametrize("scorer", ["masked", "mntp"])
def test_each_token_equals_its_own_forward_pass(tiny, architecture, pll, scorer):
    folder = tiny(architecture)
    scores = SCORERS[scorer].open(find(folder), Policy(pll=pll)).score([Request("", text) for text in TEXTS])
    for text, score in zip(TEXTS, scores, strict=True):
        expected = plain.masked(folder, text, within_words=pll == "within_word_l2r", shift=int(scorer == "mntp"))
        assert score.logprobs == pytest.approx(expected, abs=TOLERANCE), text


@pytest.mark.parametrize("architecture", ["bert", "roberta", "deberta-v2"])
@pytest.mark.parametrize("scorer", ["masked", "mntp"])
def test_left_to_right_sees_what_precedes_and_three_masks(tiny, architecture, scorer):
    folder = tiny(architecture)
    opened = SCORERS[scorer].open(find(folder), Policy(pll="left_to_right"))
    for text, score in zip(TEXTS, opened.score([Request("", text) for text in TEXTS]), strict=True):
        expected = plain.masked_left_to_right(folder, text, shift=int(scorer == "mntp"))
        assert score.logprobs == pytest.approx(expected, abs=TOLERANCE), text


def test_left_to_right_does_not_see_the_rest_of_the_text(tiny):
    opened = SCORERS["masked"].open(find(tiny("bert")), Policy(pll="left_to_right"))
    one, other = opened.score([Request("", "The keys to the cabinet"), Request("", "The keys are on the table")])
    shared = next(i for i, pair in enumerate(zip(one.ids, other.ids, strict=False)) if pair[0] != pair[1])
    assert shared > 1
    assert one.logprobs[:shared] == pytest.approx(other.logprobs[:shared], abs=TOLERANCE)


def test_left_to_right_in_a_window_sees_the_end_of_what_precedes(tiny):
    folder, window = tiny("bert"), 12
    opened = SCORERS["masked"].open(find(folder), Policy(pll="left_to_right", window=window))
    (score,) = opened.score([Request("", plain.TEXTS[5])])
    model, tokenizer = plain.parts(folder, "masked")
    ids = tokenizer(plain.TEXTS[5], add_special_tokens=False).input_ids
    for place, id in enumerate(ids):
        row = ids[max(0, place - (window - 5)) : place]
        framed = [tokenizer.cls_token_id, *row, *[tokenizer.mask_token_id] * 3, tokenizer.sep_token_id]
        assert len(framed) <= window
        expected = plain.distribution(model, framed, 1 + len(row))[id].item()
        assert score.logprobs[place] == pytest.approx(expected, abs=TOLERANCE)


def test_temperatures_divide_the_logits(tiny):
    folder = tiny("roberta")
    scorer = SCORERS["masked"].open(find(folder), Policy(pll="original"))
    (score,) = scorer.score([Request("", TEXTS[0])], Extras(temperatures=(0.5, 1.25)))
    for temperature, found in score.tempered.items():
        expected = plain.masked(folder, TEXTS[0], within_words=False, temperature=temperature)
        assert found == pytest.approx(expected, abs=TOLERANCE)


def test_the_two_variants_differ_on_words_of_several_pieces(tiny):
    folder = tiny("bert")
    request = Request("", "cabinetmakers")
    both = [SCORERS["masked"].open(find(folder), Policy(pll=p)).score([request])[0] for p in VARIANTS]
    assert both[0].n_scored > 1
    assert both[0].logprobs[-1] == pytest.approx(both[1].logprobs[-1], abs=TOLERANCE)
    assert abs(both[0].logprobs[0] - both[1].logprobs[0]) > 100 * TOLERANCE


def test_mntp_leaves_the_first_token_unscored_where_nothing_is_put_before_it(tiny):
    folder = tiny("bert", tokenizer="byte-bpe-mask")
    (score,) = SCORERS["mntp"].open(find(folder), Policy(pll="original")).score([Request("", "The keys")])
    assert math.isnan(score.logprobs[0])
    assert not any(map(math.isnan, score.logprobs[1:]))
    (lone,) = SCORERS["mntp"].open(find(folder), Policy()).score([Request("", "a")], Extras(entropy=True))
    assert math.isnan(lone.logprobs[0]) and math.isnan(lone.entropies[0])


def test_long_texts_are_read_in_the_window_around_the_mask(tiny):
    folder = tiny("bert")
    text, window = plain.TEXTS[5], 12
    (score,) = SCORERS["masked"].open(find(folder), Policy(pll="original", window=window)).score([Request("", text)])
    model, tokenizer = plain.parts(folder, "masked")
    ids = tokenizer(text, add_special_tokens=False).input_ids
    room = window - 2
    assert len(ids) > 2 * window
    for place, id in enumerate(ids):
        begin = min(max(0, place - room // 2), len(ids) - room)
        row = list(ids[begin : begin + room])
        row[place - begin] = tokenizer.mask_token_id
        row = [tokenizer.cls_token_id, *row, tokenizer.sep_token_id]
        expected = plain.distribution(model, row, place - begin + 1)[id].item()
        assert score.logprobs[place] == pytest.approx(expected, abs=TOLERANCE)
