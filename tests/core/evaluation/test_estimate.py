"""How long it will take: measured where there is something to measure, cautious otherwise."""

from dataclasses import replace

import pytest

import pairlens
from pairlens.evaluation.estimate import duration_in_words, estimate
from pairlens.scoring.recipe import Recipe
from pairlens.settings import settings


@pytest.fixture
def recipe(unigram):
    return pairlens.recipe(unigram)


def finished(recipe, scored, seconds, run_id="one"):
    return {
        "run_id": run_id, "task": "blimp", "state": "done", "scored": scored, "scorer": recipe.kind.name,
        "weights": recipe.model.weights, "seconds": seconds,
    }  # fmt: skip


def test_the_largest_finished_run_counts_by_the_seconds_of_scoring_and_the_share_of_the_processors(
    recipe, store, monkeypatch
):
    assert not estimate(1000, recipe, store).measured
    store.update(finished(recipe, 999, 60.0, "small"))
    store.update(finished(recipe, 1000, 20.0, "large"))
    expected = estimate(500, recipe, store)
    assert expected.measured and expected.seconds == pytest.approx(4 + 500 * 20 / 1000)
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    monkeypatch.setenv("PAIRLENS_THREADS", "2")
    settings.cache_clear()
    assert estimate(500, recipe, store).seconds == pytest.approx(4 + 4 * 500 * 20 / 1000)


def test_runs_of_other_models_or_machines_and_unfinished_runs_do_not_count(recipe, store):
    other = Recipe(replace(recipe.model, weights="other"), recipe.kind, recipe.policy)
    store.update(finished(other, 1000, 60.0, "other"))
    store.update(finished(recipe, 1000, 60.0, "stopped") | {"state": "cancelled"})
    store.update(finished(recipe, 0, 60.0, "reused"))
    arrived = {"arrived": {"when": "2026-11-21T11:00:00+00:00"}}
    store.update(finished(recipe, 9000, 60.0, "elsewhere") | arrived)
    bare = finished(recipe, 9000, 60.0, "bare") | arrived
    store.update({name: value for name, value in bare.items() if name != "scored"})
    assert not estimate(500, recipe, store).measured


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "1 s"), (3.4, "3 s"), (89, "89 s"), (540, "9 minutes"), (9000, "2.5 hours")]
)
def test_durations_are_said_as_people_say_them(seconds, words):
    assert duration_in_words(seconds) == words
