"""The masked and mntp scorers against one row per token, for every architecture."""

import math

import pytest

from pairlens.models import find
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.types import PLAIN, Extras, Request
from tests.parity import plain
from tests.tiny import MASKED

TOLERANCE = 1e-4
VARIANTS = ("within_word_l2r", "original")
TEXTS = [text.rstrip(".?").replace("'", "") for text in plain.TEXTS]
"""Without punctuation: the plain code takes words to be what stands between white spaces."""


def scored(folder, texts, scorer="masked", extras=PLAIN, **policy):
    return SCORERS[scorer].open(find(folder), Policy(**policy)).score([Request("", text) for text in texts], extras)


@pytest.mark.parametrize(
    ("architecture", "scorer", "pll", "texts"),
    [
        *((name, "masked", "within_word_l2r", TEXTS) for name in MASKED),
        *((name, "masked", "original", TEXTS[:4]) for name in MASKED),
        *((name, "mntp", VARIANTS[place % 2], TEXTS[:4]) for place, name in enumerate(MASKED)),
    ],
)
def test_each_token_equals_a_row_of_its_own(tiny, architecture, scorer, pll, texts):
    folder = tiny(architecture)
    for text, score in zip(texts, scored(folder, texts, scorer, pll=pll), strict=True):
        expected = plain.masked(folder, text, within_words=pll == "within_word_l2r", shift=int(scorer == "mntp"))
        assert score.logprobs == pytest.approx(expected, abs=TOLERANCE), text


@pytest.mark.parametrize(
    ("architecture", "scorer"), [("bert", "masked"), ("roberta", "mntp"), ("deberta-v2", "masked"), ("bert", "mntp")]
)
def test_left_to_right_sees_what_precedes_and_three_masks(tiny, architecture, scorer):
    folder = tiny(architecture)
    for text, score in zip(TEXTS, scored(folder, TEXTS, scorer, pll="left_to_right"), strict=True):
        expected = plain.masked_left_to_right(folder, text, shift=int(scorer == "mntp"))
        assert score.logprobs == pytest.approx(expected, abs=TOLERANCE), text


@pytest.mark.parametrize("pll", ["left_to_right", "original"])
def test_long_texts_are_read_in_the_window_around_the_mask_or_at_the_end_of_what_precedes(tiny, pll):
    folder, text, window = tiny("bert"), plain.TEXTS[5], 12
    (score,) = scored(folder, [text], pll=pll, window=window)
    model, tokenizer = plain.parts(folder, "masked")
    ids, mask = tokenizer(text, add_special_tokens=False).input_ids, tokenizer.mask_token_id
    room = window - 2
    assert len(ids) > 2 * window
    for place, id in enumerate(ids):
        if pll == "left_to_right":
            begin = max(0, place - (room - 3))
            row = [*ids[begin:place], *[mask] * 3]
        else:
            begin = min(max(0, place - room // 2), len(ids) - room)
            row = [*ids[begin:place], mask, *ids[place + 1 : begin + room]]
        row = [tokenizer.cls_token_id, *row, tokenizer.sep_token_id]
        assert len(row) <= window
        expected = plain.distribution(model, row, place - begin + 1)[id].item()
        assert score.logprobs[place] == pytest.approx(expected, abs=TOLERANCE)


def test_mntp_leaves_the_first_token_unscored_where_nothing_is_put_before_it(tiny):
    folder = tiny("bert", tokenizer="byte-bpe-mask")
    score, lone = scored(folder, ["The keys", "a"], "mntp", Extras(entropy=True), pll="original")
    assert math.isnan(score.logprobs[0])
    assert not any(map(math.isnan, score.logprobs[1:]))
    assert math.isnan(lone.logprobs[0]) and math.isnan(lone.entropies[0])
