"""Finished runs read back: what is shown of them agrees with what was stored."""

import io
import math
import zipfile
from unittest.mock import Mock

import pytest

import pairlens
from pairlens.errors import StoreError
from pairlens.evaluation.evaluate import Context, run
from pairlens.evaluation.receipts.methods import provenance
from pairlens.evaluation.requests import manifest_of, plan
from pairlens.evaluation.result import babylm_archive, compared, read, settle, so_far
from pairlens.places import FOLDER as ROOT
from pairlens.policies import PRESETS
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.tasks import TASKS

pytestmark = pytest.mark.slow
SAMPLE = ROOT / "data" / "samples" / "blimp"


@pytest.fixture
def recipe(unigram):
    return pairlens.recipe(unigram)


def planned(recipe):
    return plan(TASKS["blimp"], TASKS["blimp"].read(SAMPLE), recipe)


def finished(recipe, store):
    *_, last = run(planned(recipe), Context(store, data="blimp"))
    return last.run_id


@pytest.fixture
def kept(once, recipe, tmp_path_factory):
    """A store with a finished run of our sample, and the run's id; `once["weights"]` are those of its model."""
    if not once:
        store = Store(tmp_path_factory.mktemp("kept"), shipped=None)
        once.update(run=(store, finished(recipe, store)), weights=recipe.model.weights)
    return once["run"]


@pytest.fixture
def result(kept):
    return read(*kept)


def test_paradigms_come_with_their_phenomenon_undecided_items_say_why_and_published_figures_of_others_are_listed_only(
    result,
):
    assert list(result.paradigms["group"]) == list(
        dict.fromkeys(item.groups["UID"] for item in TASKS["blimp"].read(SAMPLE))
    )
    sections = dict(zip(result.paradigms["group"], result.paradigms["section"], strict=True))
    assert sections["reflexive_number"] == "anaphor_agreement"
    assert result.paradigms["n"].sum() == 100
    assert math.isclose(result.paradigms["value"].mean(), result.metrics.iloc[0]["value"])

    # For this model most words are unknown, and unknown words are equally likely: most pairs are ties.
    assert (result.undecided["why"] == "tie").sum() == result.metrics.iloc[0]["ties"] > 0
    assert set(result.undecided["item"]) <= set(result.items["item"])
    rows = compared([result], "accuracy")
    assert list(rows["mark"]) == ["run"] + ["other"] * (len(rows) - 1)
    assert rows.set_index("name").loc["human", "value"] == pytest.approx(0.886, abs=0.001)


def test_the_archive_holds_the_report_and_the_methods_sentence_names_what_moves_the_number(result, kept, once):
    with zipfile.ZipFile(io.BytesIO(babylm_archive(result))) as archive:
        report = next(name for name in archive.namelist() if name.endswith("best_temperature_report.txt"))
        average = archive.read(report).decode().split("### AVERAGE ACCURACY\n")[1].split()[0]
    assert float(average) == pytest.approx(100 * result.metrics.iloc[0]["value"], abs=0.005)
    first = result.metrics.iloc[0]
    words = provenance(*kept, worked=False).methods
    parts = once["weights"][:12], f"{100 * first['value']:.2f} %", "a mean of 5 means over UID"
    assert all(part in words for part in (*parts, result.manifest["signature"]))


def test_a_run_whose_scores_are_stored_settles_without_a_model(recipe, store, monkeypatch):
    wanted = planned(recipe)
    assert settle(wanted, store, "blimp") is None
    finished(recipe, store)
    monkeypatch.setattr(Recipe, "open", lambda self: pytest.fail("the model was loaded"))
    assert settle(wanted, store, "blimp") == wanted.run_id
    other = Recipe(recipe.model, recipe.kind, PRESETS["pairlens"].but(ties="wrong"))
    changed = settle(planned(other), store, "blimp")
    assert changed is not None and changed != wanted.run_id
    wrong, half = (read(store, run_id).metrics.iloc[0] for run_id in (changed, wanted.run_id))
    assert wrong["value"] < half["value"]


def test_a_run_under_way_says_what_the_items_scored_by_now_say(recipe, store):
    items, wanted = [*TASKS["blimp"].read(SAMPLE)], planned(recipe)
    assert so_far(wanted, store) == ""
    store.begin(manifest_of(wanted, "blimp", ""), wanted.rows)
    assert so_far(wanted, store) == ""
    *_, last = run(plan(TASKS["blimp"], items[:30], recipe), Context(store))
    right = read(store, last.run_id).items["correct"].mean()
    assert so_far(wanted, store) == f"So far: accuracy {100 * right:.2f} %, over the first 30 of 100 pairs."


def test_an_unfinished_run_is_refused_in_words(recipe, store):
    wanted = planned(recipe)
    with pytest.raises(StoreError):
        list(run(wanted, Context(store, scorer=Mock(side_effect=StoreError("The disk is full.")))))
    with pytest.raises(StoreError, match=r"is failed\. The disk is full"):
        read(store, wanted.run_id)
