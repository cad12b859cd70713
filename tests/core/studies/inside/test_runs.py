"""Mean maps: stored and looked up, equal to the maps of single pairs, with controls that were really asked for."""

import dataclasses
import json

import numpy as np
import pytest

from pairlens.errors import InputError, StoreError
from pairlens.evaluation import evaluate
from pairlens.scorers._patch import Patch
from pairlens.scoring.recipe import recipe_of
from pairlens.store import Store
from pairlens.studies.inside import runs
from pairlens.studies.inside.pair import inside
from pairlens.studies.inside.question import Question, regions
from pairlens.studies.inside.runs import _shares, mean_map
from pairlens.studies.inside.table import Table, read
from pairlens.tasks._beginnings import beginnings
from tests.refusals import error_of

pytestmark = pytest.mark.model
PLACES = {"key": "near", "letter": "behind", "book": "beside"}
ROWS = [(f"The {noun}s {place}", f"The {noun} {place}", "were", "was") for noun, place in PLACES.items()]


def items(rows=ROWS):
    return [beginnings(str(n), first, second, forms, "here") for n, (first, second, *forms) in enumerate(rows)]


def finished(asked, store, **how):
    *_, last = evaluate.run(asked.planned, evaluate.Context(store, **how))
    return last


@pytest.fixture(scope="module")
def recipe():
    return recipe_of("english-small")


@pytest.fixture(scope="module")
def asked(recipe):
    return runs.ask(Table(items(), {}), recipe)


@pytest.fixture(scope="module")
def store(asked, tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("store"))
    finished(asked, store, data="three")
    return store


def test_a_share_is_what_moves_over_all_items_by_what_differs(asked, store, recipe):
    found = mean_map(store, asked.planned.run_id)
    assert (found.n, found.regions) == (3, ["start", "The", "difference", "word 3"])
    singles = [inside(Question(one.texts[0], one.texts[1], one.forms), recipe, store) for one in items()]
    for direction, sign in (("first", 1), ("second", -1)):
        moved = np.array([one.cells.query(f"direction == '{direction}'")["bits"] for one in singles])
        differences = np.array([sign * (one.margins[0] - one.margins[1]) for one in singles])
        cells = found.cells[found.cells["direction"] == direction]
        assert cells["share"].to_numpy() == pytest.approx(moved.mean(axis=0) / differences.mean(), abs=1e-4)
        assert cells["bits"].to_numpy() == pytest.approx(moved.mean(axis=0), abs=1e-3)
        assert found.differences[direction] == pytest.approx(differences.mean(), abs=1e-3)


def test_intervals_are_those_of_leaving_out_each_item():
    moved, difference = np.array([[1.0, 0.0], [3.0, 0.5], [2.0, 0.1], [4.0, 0.0]]), np.array([2.0, 4.0, 2.0, 4.0])
    share, low, high = _shares(moved, difference)
    without = np.array([np.delete(moved, n, 0).sum(0) / np.delete(difference, n).sum() for n in range(4)])
    error = np.sqrt(3 / 4 * ((without - without.mean(0)) ** 2).sum(0))
    assert share == pytest.approx(moved.sum(0) / difference.sum())
    assert high - share == pytest.approx(3.182446 * error) and share - low == pytest.approx(3.182446 * error)
    assert np.isnan(_shares(moved, difference - difference.mean())[0]).all()
    assert np.isnan(_shares(moved[:1], difference[:1])[1]).all()


def test_controls_put_an_unrelated_beginning_and_a_random_direction_and_move_less_than_the_donor(asked, store):
    rows = [row for row in asked.planned.rows if row.item_id == "0:first"]
    assert [row.term for row in rows] == [0, 1, 2, 3] * 2 and {row.weight for row in rows if row.term} == {0.0}
    donor, unrelated, random = (Patch.read(asked.planned.requests[row.request_key].after) for row in rows[1:4])
    assert (donor.donor, donor.random) == ("The key near", False)
    assert unrelated.donor == "The letters behind"  # were is right after it, too
    assert random == dataclasses.replace(donor, random=True)
    cells = mean_map(store, asked.planned.run_id).cells.set_index(["direction", "layer", "region"])
    there = cells.loc[("first", 0, "difference")]
    assert there["share"] == pytest.approx(1, abs=0.1)
    assert abs(there["unrelated"]) < 0.5 and abs(there["random"]) < 0.5
    assert abs(cells.loc[("first", 3, "The")][["share", "random"]]).max() < 1e-4


def test_asked_again_nothing_is_computed_and_without_word_ends_it_is_another_run(asked, store):
    def no_model():
        raise AssertionError("the model was opened")

    again = finished(asked, store, scorer=no_model)
    assert (again.scored, again.reused) == (0, len(asked.planned.requests))
    manifest = store.manifest(asked.planned.run_id)
    assert manifest["signature"].startswith("task:inside.v1|data:") and manifest["state"] == "done"
    assert manifest["value"] == pytest.approx(5 / 6)
    listed = store.runs()
    assert listed["run_id"].tolist() == [asked.planned.run_id]
    policy = asked.planned.recipe.policy.but(word_value="sum")
    plain = runs.ask(Table(items(), {}), dataclasses.replace(recipe_of("english-small"), policy=policy))
    assert plain.planned.rule == "form" and plain.planned.run_id != asked.planned.run_id
    assert finished(plain, store).scored == 0
    one, other = (mean_map(store, asked.planned.run_id) for asked in (asked, plain))
    assert one.differences["first"] != pytest.approx(other.differences["first"], abs=1e-5)


def test_what_is_no_such_run_is_refused_and_items_that_cannot_be_asked_are_left_out(asked, store, tmp_path, recipe):
    with pytest.raises(StoreError):
        mean_map(store, "inside-0000000000")
    begun = Store(tmp_path)
    steps = evaluate.run(asked.planned, evaluate.Context(begun))
    next(steps)
    assert "running: there is no map" in error_of(lambda: mean_map(begun, asked.planned.run_id), StoreError)
    steps.close()
    same = ("The cook's key", "The cook’s key", "is", "are")  # the text policy straightens it
    found = runs.ask(Table(items([*ROWS, same]), {"x": "no proposal"}), recipe)
    assert found.left_out == {"x": "no proposal", "3": "both beginnings are the same for this model"}
    assert "no item can be asked" in error_of(lambda: runs.ask(Table(items([same]), {}), recipe))


def named(*rows):
    return [list(found) for found in regions(items([(*row, "a", "b") for row in rows]))]


def test_regions_are_bars_words_or_what_surrounds_the_difference_and_a_file_without_is_refused(save):
    assert named(("A|b c|d", "A|x c|d"), ("A|e|d", "A|y z|d")) == [["A", "difference", "d"]] * 2
    assert named(("A b c", "A x c"), ("A e f", "A y f")) == [["A", "difference", "word 3"]] * 2
    assert named(("A b c d", "A x c d"), ("A e f", "A y f")) == [["before", "difference", "end"]] * 2
    assert named(("A b c d", "A x c d"), ("A e g h i", "A y g h i")) == [["before", "difference", "after", "end"]] * 2
    assert named(("A b", "A x y"), ("A e f", "A y f")) == [["before", "difference"]] * 2
    with pytest.raises(InputError, match="nothing in it can be asked: none of its first two words"):
        read(save("d.tsv", "good\tbad\nXyzzy are.\tXyzzy is.\n"))


DESIGN = """sentence\tcomparison\titem\tpairid\tcondition\tROI
The key near it is\texpected\t1\t1\tsg\t4\nThe key near it are\tunexpected\t1\t1\tsg\t4
The keys near it are\texpected\t1\t2\tpl\t4\nThe keys near it is\tunexpected\t1\t2\tpl\t4
"""


@pytest.mark.parametrize(
    ("name", "text", "texts", "forms"),
    [
        ("a.tsv", "good\tbad\nThe keys are here.\tThe keys is here.\n", ("The keys", "The key"), ("are", "is")),
        ("b.tsv", DESIGN, ("The key near it", "The keys near it"), ("is", "are")),
        ("c.txt", "The key was lost.\nThe key were lost.\n", ("The key", "The keys"), ("was", "were")),
    ],
)
def test_formats_that_have_beginnings(name, text, texts, forms, save):
    (one,) = read(save(name, text), "en").asked
    assert (one.texts, one.forms, one.right) == (texts, forms, (0, 1))


def test_templates_of_causalgym_are_drawn(tmp_path):
    template = {
        "templates": ["The {head}{who} near {it}"],
        "label": ["head", "who"],
        "labels": {"plural": ["are", "were"], "singular": ["is", "was"]},
        "variables": {
            "head": {"plural": ["dogs", "cats"], "singular": ["dog"]},
            "who": {"plural": [""], "singular": [" there"]},
            "it": ["it", "her"],
        },
    }
    file = tmp_path / "templates.json"
    file.write_text(json.dumps({"agreement": template, "other": template}))
    found = read(file, factor="agreement").asked
    firsts, seconds = ({one.texts[side] for one in found} for side in (0, 1))
    assert firsts == {f"The {noun} near {it}" for noun in ("dogs", "cats") for it in ("it", "her")}
    assert seconds == {"The dog there near it", "The dog there near her"}
    assert {one.forms for one in found} <= {("are", "is"), ("were", "was")}
    assert [list(one) for one in regions(found)] == [["The", "difference", "difference (3)", "region 4"]] * len(found)
    assert "which of its templates? Name it (--factor): agreement, other" in error_of(lambda: read(file))
    assert "no template 'x'" in error_of(lambda: read(file, factor="x"))
    file.write_text(json.dumps({"agreement": {**template, "variables": {}}}))
    assert "is not complete" in error_of(lambda: read(file))
