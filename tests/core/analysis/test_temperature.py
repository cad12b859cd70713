"""Temperatures: grids without drift, every number from one run, and the choice that is said to be an oracle's."""

import math

import pandas as pd
import pytest

import pairlens
from pairlens.analysis import temperature
from pairlens.errors import InputError
from pairlens.evaluation.zero_shot import Benchmark
from pairlens.places import FOLDER as ROOT
from pairlens.policies import preset
from pairlens.store import Store
from pairlens.store.parts import Scored
from pairlens.tasks import TASKS
from pairlens.types import TokenScores
from tests.candidate_table import candidate_table, item

SAMPLE = ROOT / "data" / "samples" / "blimp" / "agreement_simple.jsonl"


def test_a_grid_ends_where_it_was_asked_to():
    assert temperature.grid(1.0, 1.3, 0.05) == (1.0, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3)
    assert temperature.grid(0.9, 1.0, 0.03) == (0.9, 0.93, 0.96, 0.99)
    assert temperature.grid() == (1.0,) and temperature.grid(0.0) == (1e-6,)


@pytest.mark.parametrize(
    ("lowest", "highest", "step", "last", "n"),
    [(1.0, 1.3, 0.05, 1.35, 8), (0.9, 1.1, 0.05, 1.15, 6), (1, 1.2, 0.1, 1.3, 4)],
)
def test_the_published_grid_overshoots(lowest, highest, step, last, n):
    grid = temperature.published_grid(lowest, highest, step)
    assert grid[-1] == pytest.approx(last) and len(grid) == n


@pytest.mark.parametrize(
    "wrong", [(1.0, 0.5, 0.1), (1.0, 2.0, 0.0), (-1.0, 2.0, 0.1), (1.0, math.inf, 0.1), (0.1, 9.0, 1e-6)]
)
def test_what_is_no_grid_is_one_sentence(wrong):
    for grid in (temperature.grid, temperature.published_grid):
        with pytest.raises(InputError):
            grid(*wrong)


def test_the_first_of_the_best_is_chosen():
    def table(at):
        return candidate_table([item("a", 2)], lambda _, c: (-1.0 - ((c.label == "option 0") != (at >= 1)), 1))

    tables = {at: table(at) for at in (0.5, 1.0, 1.5)}
    curve = temperature.curve(tables.__getitem__, tables, TASKS["pairs"], preset("pairlens"))
    assert curve["temperature"].tolist() == [0.5, 1.0, 1.5] and curve["value"].tolist() == [0, 1, 1]
    assert temperature.best(curve, 9.0) == 1.0 and curve["best"].tolist() == [False, True, False]


def test_one_pass_scores_every_temperature_and_a_wider_grid_is_added(home, tiny):
    store, recipe = Store(home / "store", shipped=None), pairlens.recipe(str(tiny("gpt2")))
    asked = Benchmark(TASKS["blimp"], SAMPLE, temperatures=(0.5, 1.0, 2.0))
    last = list(asked.run(recipe, store))[-1]
    assert store.temperatures(last.run_id) == [0.5, 1.0, 2.0]
    again = list(asked.run(recipe, store))[-1]
    assert (again.scored, again.reused) == (0, 40)
    at_one, at_two = (store.candidates(last.run_id, t)["logprob"] for t in (1.0, 2.0))
    assert not at_two.isna().any() and (at_one - at_two).abs().max() > 0.1
    pd.testing.assert_series_equal(at_one, store.candidates(last.run_id)["logprob"])
    alone = Store(home / "other", shipped=None)
    run = list(Benchmark(TASKS["blimp"], SAMPLE).run(recipe, alone))[-1]
    pd.testing.assert_series_equal(at_one, alone.candidates(run.run_id)["logprob"], atol=1e-5)
    assert alone.temperatures(run.run_id) == [1.0]


def test_scores_are_known_at_a_temperature_wherever_their_parts_lie(store):
    for key, tempered in (
        ("both", {0.5: (-2.0,)}), ("both", {2.0: (-0.5,)}), ("one", {0.5: (-3.0,)}), ("plain", None),
    ):  # fmt: skip
        scores = TokenScores(("x",), (1,), (-1.0,), ((0, 1),), tempered=tempered)
        store.add("f" * 64, [Scored(key, scores, (0,))], {})
    known = [store.known("f" * 64, temperatures=at) for at in ((), (0.5,), (0.5, 2.0), (0.5, 2.0, 3.0))]
    assert known == [{"both", "one", "plain"}, {"both", "one"}, {"both"}, set()]
    at_half = store.scores("f" * 64, 0.5).set_index("request_key")["logprob"]
    assert at_half.to_dict() == {"both": -2.0, "one": -3.0}
    whole = store.scores("f" * 64)
    assert sorted(whole.loc[whole["request_key"] == "both", "temperature"]) == [0.5, 1.0, 2.0]
