"""What follows a continuation: part of the text for models that see both sides, refused by the others."""

import pytest

from pairlens.errors import InputError
from pairlens.identity import digest, request_key
from pairlens.models import find
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.scoring.recipe import Recipe
from pairlens.types import Extras, Request

BOTH_SIDES = [("masked", "bert"), ("masked", "roberta"), ("seq2seq_mask", "t5"), ("seq2seq_mask", "bart")]
WHOLE = "The keys to the cabinet are on the table."


def scorer(name, folder, **policy):
    return SCORERS[name].open(find(folder), Policy(**policy))


@pytest.mark.parametrize(("name", "model"), [*BOTH_SIDES, ("mntp", "bert")])
@pytest.mark.parametrize("pll", ["within_word_l2r", "original"])
def test_a_part_of_a_text_has_the_scores_that_it_has_in_the_whole_and_no_part_is_refused(tiny, name, model, pll):
    opened = scorer(name, tiny(model), pll=pll)
    whole, part = opened.score([Request("", WHOLE), Request("The keys to", " the cabinet", " are on the table.")])
    places = [i for i, (start, end) in enumerate(whole.spans) if end > 11 and start < 23]
    assert part.tokens == tuple(whole.tokens[i] for i in places) and len(places) > 1
    assert part.spans == tuple(whole.spans[i] for i in places)
    assert part.logprobs == pytest.approx([whole.logprobs[i] for i in places], abs=1e-4)
    assert part.n_scored == len(places)
    with pytest.raises(InputError, match="no tokens to score"):
        opened.score([Request("The keys", " ", " are here")])


@pytest.mark.parametrize(("name", "model"), BOTH_SIDES)
def test_what_follows_counts(tiny, name, model):
    opened = scorer(name, tiny(model))
    one, other = opened.score([Request("The", " keys", " are here"), Request("The", " keys", " laugh")])
    assert one.tokens == other.tokens and one.logprobs != pytest.approx(other.logprobs, abs=1e-4)
    (full,) = opened.score([Request("The", " keys", " are here")], Extras(boundary=True, top=2))
    assert len(full.tops) == len(full.boundary_logprobs) - 1 == len(full.tokens)


def test_models_that_read_from_left_to_right_refuse_it_and_words_alone_do_not_care(tiny, unigram):
    for name, model in (("causal", "gpt2"), ("seq2seq", "t5")):
        with pytest.raises(InputError, match="from left to right"):
            scorer(name, tiny(model)).score([Request("The", " keys", " are here")])
    opened = SCORERS["unigram"].open(find(unigram), Policy())
    alone, between = opened.score([Request("The", " cat"), Request("The", " cat", " is tired.")])
    assert (alone.tokens, alone.logprobs, alone.spans) == (between.tokens, between.logprobs, between.spans)


def test_keys_tell_it_apart_those_of_other_requests_are_as_ever_and_all_three_parts_are_prepared(tiny):
    plain = Request("a", "b")
    assert request_key("f", plain) == digest('["f","a","b",""]')
    keys = {request_key("f", one) for one in (plain, Request("a", "b", "c"), Request("a", "bc"), Request("ab", "c"))}
    assert len(keys) == 4
    recipe = Recipe(find(tiny("bert")), SCORERS["masked"], Policy(text="typographic"))
    assert recipe.request(Request("It’s", " “so”", "…")) == Request("It's", ' "so"', "...")
    assert recipe.request(Request("", "It’s")) == Request("", "It's")
