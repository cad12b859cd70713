"""The cache of opened models: what they take in memory, and letting one go."""

import pytest

from pairlens.models import find, load
from pairlens.policies import Policy
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.model_cache import ModelCache, memory_megabytes
from pairlens.scoring.recipe import Recipe


def asked(model, **choices):
    return Recipe(model, SCORERS[default_for(model.kind)], Policy(**choices))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("architecture", ["gpt2", "bert", "llama"])
def test_the_memory_of_weights_is_known_before_they_are_loaded(tiny, architecture, dtype):
    model = find(tiny(architecture))
    weights = load(model, model.kind, dtype).module.parameters()
    held = sum(weight.numel() * weight.element_size() for weight in weights) / 1e6
    assert memory_megabytes(asked(model, dtype=dtype)) == pytest.approx(held, rel=0.01)


def test_a_head_takes_its_base_along_word_counts_have_no_weights_and_what_is_held_can_be_let_go(unigram, tiny):
    base, head = (memory_megabytes(asked(find(f"bilingual-{name}"))) for name in ("masked", "entailment"))
    assert base < head < 1.25 * base
    assert memory_megabytes(asked(find(unigram))) == 0
    model = find(tiny("gpt2"))
    first, second = (asked(model, first_token=name) for name in ("bos", "none"))
    cache = ModelCache(100)
    for recipe in (first, second, first):
        cache.scorer(recipe)
    assert [one.recipe for one in cache.held()] == [second, first], "the one not asked for longest first"
    for _ in range(2):
        cache.let_go(second.fingerprint)
    assert [one.recipe for one in cache.held()] == [first] and cache.holds(first) and not cache.holds(second)
