"""Pairs of sentences: typed, compared, put into words, varied."""

import gc
import itertools
import json
import math
import weakref
from dataclasses import replace

import pytest
import torch

from pairlens.errors import InputError
from pairlens.policies import Policy, preset
from pairlens.scorers import SCORERS
from pairlens.scoring.model_cache import ModelCache, weight_megabytes
from pairlens.scoring.recipe import Recipe, recipe_of
from pairlens.store import Store
from pairlens.studies.compare import wording
from pairlens.studies.compare.pair import compare, expectations
from pairlens.studies.compare.result import methods, receipt
from pairlens.studies.compare.robustness import under_all_policies, variants
from pairlens.studies.compare.tables import pair_table, step_table, token_table, word_table
from pairlens.studies.compare.typed import items, read_pairs, two_columns
from pairlens.text.lexicon import lexicon

pytestmark = pytest.mark.model

PAIR = ("The keys to the cabinet are here.", "The keys to the cabinet is here.")


@pytest.fixture(scope="module")
def recipes(tiny):
    """`recipes("llama", ...)`: that of a tiny model, with a policy."""
    return lambda name="llama", policy=None: recipe_of(str(tiny(name)), policy=policy or Policy())


@pytest.fixture
def recipe(recipes):
    return recipes()


def _one(recipe, pair=PAIR):
    return compare([pair], recipe, Store())[0]


def test_the_margin_is_the_difference_of_the_sums_of_words_and_of_tokens(recipe):
    one = _one(recipe)
    by_hand = math.fsum(one.scores[0].logprobs) - math.fsum(one.scores[1].logprobs)
    assert one.margin == pytest.approx(by_hand) and one.preferred == ("A" if by_hand > 0 else "B")
    words, steps = word_table(one), step_table(one)
    assert list(words["member"]) == ["both"] * 5 + ["A", "B"] * 2
    assert steps["running"][:5].to_numpy() == pytest.approx(0, abs=1e-4)
    sums = [math.fsum(word.value for word in side) for side in one.words]
    assert steps["running"].iloc[-1] == pytest.approx((sums[0] - sums[1]) / math.log(2))
    tokens = token_table(one)
    sums = tokens.groupby("sentence")["logprob"].sum()
    assert set(tokens["word_position"]) == set(word_table(one)["position"])
    assert sums["A"] - sums["B"] == pytest.approx(one.margin)


def test_a_text_beyond_the_window_is_said_several_pairs_are_counted_and_masked_models_share_nothing(recipe, recipes):
    known = replace(recipe, model=replace(recipe.model, card={**recipe.model.card, "context": 24}))
    assert wording.windowed(_one(known)) == ""
    long = ("The keys are here and " * 8 + "there.", "The keys are here and " * 8 + "gone.")
    assert "sees 24 at once" in wording.windowed(_one(known, long))
    assert wording.windowed(_one(recipe, long)) == ""
    a, b = PAIR
    text = wording.tally(compare([(a, b), (b, a), (a, a)], recipe, Store()))
    assert text.endswith("prefers A in 1 of 3 pairs, B in 1, a tie in 1.")
    one = _one(recipes("bert"))
    assert "both" not in set(word_table(one)["member"]) and step_table(one)["running"].isna().all()
    assert "times" not in wording.preference(one)


def test_own_choices_stand_beside_the_models(recipe, recipes):
    other = recipes("bert")
    pairs = [PAIR, PAIR[::-1]]
    both = [compare(pairs, one, Store()) for one in (recipe, other)]
    (first, second), (name, rival) = both[0], (recipe.model.name, other.model.name)
    assert {first.preferred, second.preferred} == {"A", "B"}, "swapped sentences, swapped answer"
    against = "AB".replace(first.preferred, "")
    assert wording.beside([""], [[first]]) == ""
    assert wording.beside([first.preferred], [[first]]) == f"You chose {first.preferred}, as {name} would."
    assert wording.beside([against], [[first]]) == f"You chose {against}; {name} prefers {first.preferred}."
    same = wording.beside([first.preferred, first.preferred], both[:1])
    assert same == f"You chose the same sentence as {name} in 1 of 2 pairs."
    assert f"and {rival} in" in wording.beside(["A", "A"], both)
    assert wording.beside(["", first.preferred], both[:1]) == f"You chose the same sentence as {name} in 0 of 1 pair."
    assert list(pair_table(both[:1], ["A", ""])["you"]) == ["A", ""] and "you" not in pair_table(both[:1], ["", ""])


def test_expectations_agree_up_to_the_difference_and_sentences_that_are_cut_alike_are_said_to_be(recipe, recipes):
    one = _one(recipe)
    (found,) = expectations(one, 6, Store())
    assert found.member == "both" and [form for form, _ in found.forms] == ["are", "is"]
    assert found.pieces["probability"].is_monotonic_decreasing and found.pieces["probability"].sum() <= 1
    assert [each.member for each in expectations(one, 7, Store())] == ["A", "B"]
    assert expectations(_one(recipes("llama", preset("nlpscholar"))), 1, Store()) == []
    card = replace(recipe.model, card={"lower_case": True})
    one = replace(_one(recipe, (PAIR[0], PAIR[0])), pair=("A b.", "a b."), texts=("A b.", "a b."))
    assert "both sentences are the same: there is nothing to compare." in wording.same(one)
    lower = replace(one, recipe=replace(recipe, model=card))
    assert "without capital letters" in wording.same(lower)
    assert "without capital letters" not in wording.same(replace(lower, texts=("ילד.", "כלב.")))  # both unknown


def test_all_policies_hold_the_chosen_one_the_receipt_its_arithmetic_and_other_decisions_say_why(recipe):
    cache = ModelCache(100)
    (table,) = under_all_policies([PAIR], recipe, Store(), cache.scorer)
    assert table["decision"].iloc[0] == _one(recipe).preferred
    assert table["difference"].iloc[0] == pytest.approx(_one(recipe).margin)
    assert {"minicons", "babylm-2025"} <= {name for names in table["presets"] for name in names.split(", ")}
    one = _one(recipe)
    told = json.loads(json.dumps(receipt(one), allow_nan=False))
    for member in "AB":
        tokens = told["sentences"][member]["tokens"]
        assert math.fsum(token["logprob"] for token in tokens) == pytest.approx(told["arithmetic"][member])
    assert told["arithmetic"]["margin_bits"] == pytest.approx(one.margin / math.log(2))
    assert recipe.model.weights[:12] in methods(one) and "bits" in methods(one)
    pairs = [(f"the {a}", f"the {b}") for a, b in itertools.combinations("abcdefghijklmnop", 2)]
    said = set()
    for one in compare(pairs, recipe, Store()):
        turned = bool(step_table(one)["running"].iloc[-1] * one.margin < 0)
        assert bool(wording.ends(one)) == turned
        said.add(turned)
    assert said == {True, False}


@pytest.mark.parametrize(
    ("scorer", "said"),
    [("causal", "Log-probabilities"), ("masked", "Pseudo-log-likelihoods"), ("seq2seq", "Log-probabilities"),
     ("seq2seq_mask", "Pseudo-log-likelihoods"), ("unigram", "Log-probabilities")],
)  # fmt: skip
def test_methods_say_how_this_scorer_reads(recipe, scorer, said):
    text = methods(replace(_one(recipe), recipe=replace(recipe, kind=SCORERS[scorer])))
    assert text.startswith(said) and ("masked with" in text) == said.startswith("Pseudo")
    assert ("first word included" in text) == (scorer == "causal")


def test_ratios_are_said_with_two_digits_and_amounts_with_their_unit():
    said = [wording.likelier(math.log(ratio)) for ratio in (1.01, 2.14, 1234, 2**15)]
    assert said == ["about equally likely", *(f"about {n} times as likely" for n in ("2.1", "1,200", "33,000"))]
    assert wording.likelier(21 * math.log(2)) == "more than a million times as likely"
    assert [wording.amount(math.log(2) * bits, "bits") for bits in (3.44, 139)] == ["3.4 bits", "139 bits"]


@pytest.mark.parametrize(
    ("pair", "minimal"),
    [(PAIR, True), (("He slept.", "He slept very well that night."), False),
     (("The doctor came.", "The physician came."), False)],
)  # fmt: skip
def test_caution_is_for_pairs_that_are_not_minimal(recipe, pair, minimal):
    assert (wording.caution(_one(recipe, pair)) == "") is minimal


def test_two_pasted_columns_are_the_members_and_variants_need_a_known_word():
    forms = {entry.forms[3] for entry in lexicon("en").select([["verb"], ["affecting"]])}
    for a, _ in variants(("They had hurt him.", "They had hurt he.")):
        assert a.split()[2] in forms
    with pytest.raises(InputError, match="lexicon"):
        variants(("Zwei Wörter.", "Zwei Worte."))
    assert read_pairs("a b\tc d\ne\tf", "") == [("a b", "c d"), ("e", "f")]
    assert two_columns("a b\t c\ne\tf\n") == ("a b\ne", "c\nf")
    assert two_columns("a\tb\tc") is two_columns("a\tb\nc") is two_columns("a") is two_columns("") is None
    for a, b in (("a\tb\tc", ""), ("x", "a\tb"), ("a\tb", "x")):
        with pytest.raises(InputError, match=r"several columns|is empty"):
            read_pairs(a, b)
    assert read_pairs("a \r\nb\n\n", " c\nd") == [("a", "c"), ("b", "d")]
    assert [item.candidates[0].text for item in items([("a", "c"), ("b", "d")])] == ["a", "b"]


def test_the_cache_lets_the_oldest_go_and_frees_its_memory(recipes, monkeypatch):
    monkeypatch.setattr(Recipe, "open", lambda recipe: recipe.kind.open(recipe.model, recipe.policy))
    first, second = (recipes("llama", Policy(first_token=name)) for name in ("bos", "none"))
    cache = ModelCache(1.5 * weight_megabytes(first.model))
    kept = cache.scorer(first)
    assert cache.scorer(first) is kept
    cache.scorer(second)
    assert cache.holds(second) and not cache.holds(first)
    gc.disable()
    try:
        network = weakref.ref(cache.scorer(first)._batches._network.module)
        assert isinstance(network(), torch.nn.Module)
        cache.scorer(second)
        assert network() is None
    finally:
        gc.enable()
