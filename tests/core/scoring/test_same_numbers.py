"""The same texts in two ways: what differs, and what is decided otherwise."""

import pytest

from pairlens.errors import ModelError
from pairlens.policies import Policy
from pairlens.scoring import same_numbers
from pairlens.scoring.into_store import score_missing
from pairlens.scoring.recipe import recipe_of
from pairlens.store import Store
from pairlens.types import Request

pytestmark = pytest.mark.model
PAIRS = [("The horses are tired.", "The horses is tired."), ("The cat sleeps.", "The cat sleep.")]


def test_a_model_is_itself_and_another_precision_is_not():
    plain = recipe_of("english-small")
    same = same_numbers.compare(plain, plain, PAIRS)
    assert same.largest == 0 and same.flips == () and same.verdict == "The same numbers."
    rounded = same_numbers.compare(recipe_of("english-small", policy=Policy(dtype="bfloat16")), plain, PAIRS)
    assert 1e-3 < rounded.largest < 1 and rounded.n_tokens == same.n_tokens and not rounded.flips
    assert rounded.verdict.startswith("The same decisions by other values")


def test_decisions_that_differ_are_named_with_their_margins(monkeypatch):
    """A model that is asked about the pairs the other way round."""
    recipe = recipe_of("english-small")
    scored = same_numbers._scores
    turned = iter([False, True])

    def every_other(scorer, own, texts):
        scores = scored(scorer, own, texts)
        return scores if not next(turned) else [scores[place ^ 1] for place in range(len(scores))]

    monkeypatch.setattr(same_numbers, "_scores", every_other)
    monkeypatch.setattr(same_numbers, "_differences", lambda *_: [0.5])
    wrong = same_numbers.compare(recipe, recipe, PAIRS)
    assert [flip.pair for flip in wrong.flips] == PAIRS
    assert all(flip.margin == -flip.margin_reference for flip in wrong.flips)
    assert wrong.verdict.startswith("Not the same: 2 of 2 decisions differ")


def test_models_with_other_tokens_are_not_compared():
    with pytest.raises(ModelError, match="cut these texts into other tokens"):
        same_numbers.compare(recipe_of("english-small"), recipe_of("portuguese-small"), PAIRS)


def test_a_run_in_sixteen_bits_keeps_how_far_some_of_its_texts_are_from_float32(home):
    store = Store(shipped=None)
    for dtype in ("bfloat16", "float32"):
        recipe = recipe_of("english-small", policy=Policy(dtype=dtype))
        requests = {str(n): recipe.request(Request("", text)) for n, (text, _) in enumerate(PAIRS)}
        assert [*score_missing(requests, recipe, store)][-1].done == 2
        kept = [part.about["provenance"].get("against_float32") for part in store.parts(recipe.fingerprint)]
        if dtype == "float32":
            assert kept == [None]
        else:
            assert kept[0]["texts"] == 2 and 0 < kept[0]["median"] < kept[0]["largest"] < 1
