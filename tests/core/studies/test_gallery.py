"""The gallery: well formed, answered from what ships, and still true of the bundled models."""

from collections import Counter

import pytest

from pairlens.models import catalogue
from pairlens.policies import Policy
from pairlens.scoring.recipe import recipe_of
from pairlens.store import Store
from pairlens.studies import gallery
from pairlens.studies.compare.pair import compare
from pairlens.studies.compare.robustness import under_all_policies
from workshop.gallery.scoring import measure

EXAMPLES = gallery.examples()
BUNDLED = [model for model in catalogue() if model.bundled and model.kind in ("causal", "masked")]


@pytest.fixture(params=BUNDLED or [None], ids=lambda model: model.name if model else "none")
def model(request):
    return request.param or pytest.skip("no bundled model is here")


def _recipe(name):
    return recipe_of(name, policy=Policy())


def _read_by(model):
    return [example for example in EXAMPLES if example.language in gallery.languages_of(model.card, EXAMPLES)]


def _no_scorer(*_):
    raise AssertionError("the gallery should be answered without loading a model")


def test_ids_are_distinct_and_each_pair_differs():
    assert Counter(example.language for example in EXAMPLES) == {"en": 16, "fr": 6, "pt": 8}
    assert len({example.id for example in EXAMPLES}) == len(EXAMPLES)
    for example in EXAMPLES:
        assert all(a != b for a, b in example.pairs), example.id
        assert (example.expected == "interaction") <= (len(example.pairs) == 2), example.id
        named = zip(example.at, example.pairs, strict=True) if example.at else ()
        assert all(word in text.split() for word, pair in named for text in pair), example.id
        assert gallery.find(example.pairs, EXAMPLES) == example


@pytest.mark.parametrize(
    ("expected", "margins", "right"),
    [("A", [1.0], True), ("A", [1.0, -1.0], False), ("B", [-1.0, -2.0], True), ("B", [0.0], False),
     ("interaction", [3.0, 1.0], True), ("interaction", [3.0, 3.0], False), ("none", [9.0], None)],
)  # fmt: skip
def test_verdicts(expected, margins, right):
    assert gallery.verdict(expected, margins) is right


@pytest.mark.model
def test_what_was_measured_is_still_true(model, tmp_path):
    read = _read_by(model)
    results = measure(read, _recipe(model.name), Store(tmp_path, shipped=None))
    for example, now in zip(read, results, strict=True):
        told = example.measured[model.name]
        assert now.right == told.right, f"'{example.id}' turned: {model.name} has {now.margins} bits now"
        assert now.margins == pytest.approx(told.margins, abs=0.01), f"'{example.id}' moved: score the gallery again"


def test_every_example_is_answered_from_what_ships(model, tmp_path):
    for example in _read_by(model):
        answers = compare(example.pairs, _recipe(model.name), Store(tmp_path), _no_scorer)
        margins = gallery.margins(example, answers)
        assert gallery.verdict(example.expected, margins) == example.measured[model.name].right


@pytest.mark.parametrize(
    ("language", "name"), [("en", "english-small"), ("fr", "french-small"), ("pt", "portuguese-small")]
)
def test_the_opening_example_of_a_language_holds_under_all_policies_and_the_second_fails(language, name):
    if name not in {model.name for model in BUNDLED}:
        pytest.skip(f"{name} is not here")
    opening = gallery.first_in(language, EXAMPLES)
    (table,) = under_all_policies(opening.pairs[:1], _recipe(name), Store(), _no_scorer)
    assert set(table["decision"]) == {opening.expected}
    assert language != "en" or (opening, EXAMPLES[1].measured[name].right) == (EXAMPLES[0], False)
