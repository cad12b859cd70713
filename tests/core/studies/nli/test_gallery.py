"""The examples of entailment: the shipped scores answer them, and are still those of the bundled classifier."""

import pytest

from pairlens import models
from pairlens.policies import PRESETS
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.nli import runs as nli_runs
from pairlens.studies.nli.examples import corpus, examples

BUNDLED = [model for model in models.catalogue() if model.bundled and model.kind == "classifier"]


@pytest.fixture(params=BUNDLED or [None], ids=lambda model: model.name if model else "none")
def asked(request):
    model = request.param
    if model is None:
        pytest.skip("no bundled classifier is here")
    return nli_runs.ask(Recipe(model, SCORERS[default_for(model.kind)], PRESETS["pairlens"]))


def no_scorer():
    raise AssertionError("the examples should be answered without loading a model")


def shipped(asked, home):
    return [nli_runs.typed(one.premise, one.hypothesis, asked, Store(home), no_scorer) for one in examples()]


def test_every_example_is_answered_in_both_directions_from_what_ships_and_the_first_one_rightly(asked, tmp_path):
    for forward, reverse in shipped(asked, tmp_path):
        assert sum(forward.values()) == pytest.approx(1) and sum(reverse.values()) == pytest.approx(1)
        assert forward.keys() == reverse.keys() == set(asked.reading.labels.values())
    opening, (forward, reverse) = examples()[0], shipped(asked, tmp_path)[0]
    said = [max(one, key=lambda label: one[label]) for one in (forward, reverse)]
    assert said == [opening.label(asked.reading.system, reverse=back) for back in (False, True)]


@pytest.mark.model
def test_what_ships_comes_out_again(asked, tmp_path):
    store = Store(tmp_path / "nothing", shipped=None)
    *_, last = nli_runs.run(corpus(), asked, store, reverse=True)
    found = nli_runs.answers(store, last.run_id, asked).predictions
    told = shipped(asked, tmp_path)
    for label, now in found.probabilities.items():
        before = [forward[label] for forward, _ in told]
        assert list(now) == pytest.approx(before, abs=1e-3), "score the gallery again"
    assert list(found.reverse) == [max(reverse, key=lambda label: reverse[label]) for _, reverse in told]
