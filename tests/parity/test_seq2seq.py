"""The two scorers of encoder-decoders against one forward pass per token."""

import math
import shutil
from itertools import product

import pytest

from pairlens.errors import ModelError
from pairlens.models import find
from pairlens.policies import CHOICES, Policy
from pairlens.scorers import SCORERS
from pairlens.types import Extras, Request
from tests.parity import plain
from tests.thinned import thinned
from tests.tiny import SEQ2SEQ, change_json

TOLERANCE = 1e-4
CASES = (
    ("", "The keys to the cabinet are on the table"),
    ("", "No"),
    ("The keys to the cabinet", " are on the table"),
    ("The keys to the cabinet", " is on the table"),
    ("The keys to the cabinet", " laugh"),
    ("Which boats has the boy who sold them", " painted so quickly"),
    ("Él sabe que  la", " niña canta"),
    ("Sarah lau", "ghs"),
)
"""Contexts and continuations, without punctuation: the plain code takes words to be what stands between spaces."""
REQUESTS = [Request(*case) for case in CASES]


def opened(name, folder, **policy):
    return SCORERS[name].open(find(folder), Policy(**policy))


@pytest.mark.parametrize("architecture", SEQ2SEQ)
def test_each_continued_token_equals_its_own_forward_pass(tiny, architecture):
    folder = tiny(architecture)
    for case, score in zip(CASES, opened("seq2seq", folder).score(REQUESTS), strict=True):
        assert score.logprobs == pytest.approx(plain.continued(folder, architecture, *case), abs=TOLERANCE), case


@pytest.mark.parametrize(("architecture", "pll"), thinned(product(SEQ2SEQ, CHOICES["pll"]), 2))
def test_each_filled_in_token_equals_its_own_forward_pass(tiny, architecture, pll):
    folder = tiny(architecture)
    for case, score in zip(CASES, opened("seq2seq_mask", folder, pll=pll).score(REQUESTS), strict=True):
        expected = plain.filled_in(folder, architecture, *case, pll)
        assert score.logprobs == pytest.approx(expected, abs=TOLERANCE), case


@pytest.mark.parametrize(("architecture", "style"), [("t5", "metaspace"), ("bart", "byte-level")])
def test_words_end_in_the_decoder_where_a_vocabulary_marks_their_starts(tiny, architecture, style):
    folder, (context, continuation) = tiny(architecture), CASES[2]
    model, tokenizer = plain.parts(folder, "seq2seq")
    before, after, start, mask = plain.question(tokenizer, architecture)
    (score,) = opened("seq2seq", folder).score([Request(context, continuation)], Extras(boundary=True))
    spaces = [id for token, id in tokenizer.get_vocab().items() if token.startswith(plain.WHITE_SPACE[style])]
    encoder = [*before, *tokenizer(context, add_special_tokens=False).input_ids, mask, *after]
    for place in range(len(score.ids) + 1):
        said = plain.decoded(model, encoder, [start, mask, *score.ids[:place]])
        mass = math.log(said[spaces].exp().sum())
        assert score.boundary_logprobs[place] == pytest.approx(mass, abs=TOLERANCE)
        assert score.eos_logprobs[place] == pytest.approx(said[tokenizer.eos_token_id].item(), abs=TOLERANCE)
    (undefined,) = opened("seq2seq_mask", folder).score([Request(context, continuation)], Extras(boundary=True))
    assert len(undefined.boundary_logprobs) == len(undefined.ids) + 1
    assert all(map(math.isnan, undefined.boundary_logprobs + undefined.eos_logprobs))


def test_long_texts_are_read_in_windows(tiny):
    folder, window = tiny("bart"), 12
    context, continuation = " ".join(plain.TEXTS[:2]), f" {plain.TEXTS[5]}"
    (score,) = opened("seq2seq", folder, window=window, stride=4).score([Request(context, continuation)])
    model, tokenizer = plain.parts(folder, "seq2seq")
    before, after, start, mask = plain.question(tokenizer, "bart")
    encoder = [*before, *tokenizer(context, add_special_tokens=False).input_ids[-(window - 3) :], mask, *after]
    assert len(encoder) == window
    room, values = window - 2, []
    while len(values) < len(score.ids):
        end = min(len(score.ids), room + 4 * math.ceil(max(0, len(values) + 1 - room) / 4))
        seen = score.ids[max(0, end - room) : len(values)]
        values.append(plain.decoded(model, encoder, [start, mask, *seen])[score.ids[len(values)]].item())
    assert len(score.ids) > 2 * window
    assert score.logprobs == pytest.approx(values, abs=TOLERANCE)


def test_the_config_says_what_decoders_begin_with(tiny):
    usual, other = (opened("seq2seq", tiny("bart", **changes)) for changes in ({}, {"decoder_start_token_id": 0}))
    assert usual.score(REQUESTS[:1])[0].total != other.score(REQUESTS[:1])[0].total


def test_context_and_continuation_may_be_cut_apart(tiny):
    """What follows the context is then read as after nothing, and the space between them only if it is asked for."""
    folder, context, word = tiny("bart"), "The keys to the cab", "inet"
    joined, apart = (opened("seq2seq", folder, decoder=one) for one in ("config", "bos"))
    (alone,) = joined.score([Request("", word)])
    (score,) = apart.score([Request(context, word)])
    begin = len(context + word) - len(alone.tokens[-1])
    assert score.ids == alone.ids and score.spans[-1] == (begin, len(context + word))
    spaced, bare = Request("The keys ", "are"), Request("The keys", "are")
    trimmed = opened("seq2seq", folder, decoder="bos-trimmed")
    assert trimmed.score([spaced])[0].logprobs == apart.score([bare])[0].logprobs != apart.score([spaced])[0].logprobs


@pytest.mark.parametrize("scorer", ["seq2seq", "seq2seq_mask"])
def test_what_a_decoder_cannot_start_or_hide_with_is_refused(tiny, scorer):
    with pytest.raises(ModelError, match="neither BOS nor sentinels"):
        opened(scorer, tiny("bart", tokenizer="unigram"), decoder="bos")
    with pytest.raises(ModelError, match="neither a mask token nor sentinels"):
        opened(scorer, tiny("t5", tokenizer="unigram-eos"))


def test_a_model_that_names_no_start_symbol_is_refused(tiny, tmp_path):
    folder = shutil.copytree(tiny("t5", tokenizer="byte-bpe-mask"), tmp_path / "t5")
    change_json(folder / "config.json", decoder_start_token_id=None)
    with pytest.raises(ModelError, match="no decoder_start_token_id"):
        opened("seq2seq", folder)
