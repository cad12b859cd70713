"""The galleries: well formed, answered from what ships, and still true of the bundled models."""

from collections import Counter

import pytest

from pairlens.models import catalogue
from pairlens.policies import Policy
from pairlens.scoring.recipe import recipe_of
from pairlens.store import Store
from pairlens.studies import gallery
from pairlens.studies.compare.pair import compare
from pairlens.studies.compare.robustness import under_all_policies
from pairlens.studies.nli import examples as pairs
from pairlens.studies.nli import runs as nli_runs
from workshop.gallery.scoring import measure

EXAMPLES = gallery.examples()
BUNDLED = [model for model in catalogue() if model.bundled and model.kind in ("causal", "masked")]
CLASSIFIERS = [model for model in catalogue() if model.bundled and model.kind == "classifier"]


@pytest.fixture(params=BUNDLED or [None], ids=lambda model: model.name if model else "none")
def model(request):
    return request.param or pytest.skip("no bundled model is here")


@pytest.fixture(params=CLASSIFIERS or [None], ids=lambda model: model.name if model else "none")
def asked(request):
    return nli_runs.ask(_recipe((request.param or pytest.skip("no bundled classifier is here")).name))


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


def shipped(asked, home):
    return [nli_runs.typed(one.premise, one.hypothesis, asked, Store(home), _no_scorer) for one in pairs.examples()]


def test_every_pair_is_answered_in_both_directions_from_what_ships_and_the_first_one_rightly(asked, tmp_path):
    for forward, reverse in shipped(asked, tmp_path):
        assert sum(forward.values()) == pytest.approx(1) and sum(reverse.values()) == pytest.approx(1)
        assert forward.keys() == reverse.keys() == set(asked.reading.labels.values())
    opening, (forward, reverse) = pairs.examples()[0], shipped(asked, tmp_path)[0]
    said = [max(one, key=lambda label: one[label]) for one in (forward, reverse)]
    assert said == [opening.label(asked.reading.system, reverse=back) for back in (False, True)]


@pytest.mark.model
def test_what_ships_about_pairs_comes_out_again(asked, tmp_path):
    store = Store(tmp_path / "nothing", shipped=None)
    *_, last = nli_runs.run(pairs.corpus(), asked, store, reverse=True)
    found = nli_runs.answers(store, last.run_id, asked).predictions
    told = shipped(asked, tmp_path)
    for label, now in found.probabilities.items():
        before = [forward[label] for forward, _ in told]
        assert list(now) == pytest.approx(before, abs=1e-3), "score the gallery again"
    assert list(found.reverse) == [max(reverse, key=lambda label: reverse[label]) for _, reverse in told]
