"""The tab Inside of the first page, with tiny models of random weights: proposed, typed, chosen, refused."""

import re

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import pairlens
from pairlens.cli import main
from pairlens.evaluation import command
from pairlens.models import find
from pairlens.places import FOLDER as ROOT
from pairlens.policies import preset_for
from pairlens.scorers import SCORERS
from pairlens.scoring.recipe import Recipe
from pairlens.studies.inside import pair, wording
from pairlens.studies.inside.pair import Inside
from pairlens.studies.inside.question import Alignment, Question
from pairlens.studies.next_word import SETS
from tests.on_page import markup, press

LASTING = True
PAIR = {"a": "The keys to the cabinet are here.", "b": "The keys to the cabinet is here.", "tab": "Inside"}
QUESTION = {"beginning": "The keys to the cabinet", "other": "The key to the cabinet", "decides": "are, is"}


@pytest.fixture
def inside(compare_page):
    """`inside(...)`: the tab, as a link with these parameters opens it."""
    return lambda **params: compare_page(**{**PAIR, **params})


def alone(app: AppTest) -> str:
    """The sentence that says what one patch moves."""
    return next(body for body in markup(app).split("\n") if "A random direction of the same size" in body)


def test_the_question_follows_from_the_pair_and_a_patch_has_the_numbers_of_its_cell(inside):
    app = inside()
    assert {key: app.text_input(key=key).value for key in QUESTION} == QUESTION
    text = markup(app)
    assert "of the difference (the other way round" in text and "keys → key" not in text
    assert "States of “The keys to the cabinet” put into “The key to the cabinet”" in text
    assert "suffices to move the decision: not the only such place" in text
    assert "without the patch" in text and "with the patch" in text and "Layer ladder" in text
    app.selectbox(key="inside_layer").set_value(1).run()
    computed = pairlens.inside(*list(QUESTION.values())[:2], ["are", "is"], model="tiny-causal")
    cells = computed.cells.query("direction == 'first' and layer == 1")
    cell = cells.set_index("position").loc[app.selectbox(key="inside_at").value]
    moved, share = re.findall(r"gains ([\d.]+) bits on “\w+”, (-?\d+) % of", alone(app))[0]
    assert (float(moved), int(share)) == (round(abs(cell["bits"]), 1), round(100 * cell["share"]))


def test_another_pair_asks_another_question_and_what_was_typed_comes_back_with_its_own(inside):
    app = inside()
    app.text_input(key="other").set_value("A key to the cabinet").run()
    app.text_area(key="a").set_value("The horses are tired.")
    app.text_area(key="b").set_value("The horses is tired.").run()
    assert [app.text_input(key=key).value for key in QUESTION] == ["The horses", "The horse", "are, is"]
    app.text_area(key="a").set_value(PAIR["a"])
    app.text_area(key="b").set_value(PAIR["b"]).run()
    assert app.text_input(key="other").value == "A key to the cabinet"


def test_a_link_has_what_was_typed_and_chosen(inside):
    link = {"other": "The cat to the cabinet", "decides": "was, were", "component": "MLP output"}
    app = inside(**link, cell="second.1.0")
    assert app.text_input(key="other").value == link["other"] and app.text_input(key="decides").value == "was, were"
    assert [app.selectbox(key=f"inside_{box}").value for box in ("into", "layer", "at")] == ["second", 1, 0]
    assert "MLP output of" in markup(app) and "0 % of the difference" in alone(app)


def moved(shares: list[list[float]], end: int = 1, component: str = "residual") -> Inside:
    """A map of both directions with these shares by layer and token; the second direction moves 0.1 less."""
    rows = [
        (direction, layer, place, "·key", place, "·keys", share - less, 1.0, 0.0)
        for direction, less in (("first", 0.0), ("second", 0.1))
        for layer, own in enumerate(shares)
        for place, share in enumerate(own)
    ]
    names = ["direction", "layer", "position", "token", "donor_position", "donor_token", "share", "bits", "random"]
    question = Question("The keys", "The key", ("are", "is"))
    tokens = ["·the", "·keys"], ["·the", "·key"]
    ladder = pd.DataFrame({"layer": [0], "first": [1.0], "second": [-1.0]})
    return Inside(question, None, component, (1.0, -1.0), pd.DataFrame(rows, columns=names), ladder, (0, 0), tokens,
                  Alignment((), 0, end, (1, 1)))  # fmt: skip


@pytest.mark.parametrize("cell", ["third.1.0", "second", "first.99.99", "first.²._"])
def test_a_cell_that_there_is_not_is_another(cell):
    def script(inside: "Inside") -> None:
        from pages.components.compare.show_inside import _choose_cell

        assert set(_choose_cell(inside)[["layer", "position"]]) <= {0, 1}

    page = AppTest.from_function(script, args=(moved([[1, 0], [0, 1]]),))
    page.query_params["cell"] = cell
    assert not page.run().exception and len(page.selectbox) == 3


@pytest.mark.parametrize(
    ("inside", "headline"),
    [
        (
            moved([[1, 0], [0.9, 0.2], [0.7, 0.7], [0.3, 1], [0, 1]]),
            "As late as layer 2 of 4, the state of “keys”, put in place of “key”, moves 70 % of the difference (the "
            "other way round 60 %). From layer 2 on, that of the last token, “key”, moves most of it.",
        ),
        (
            moved([[0.55, 0.2], [0.3, 0.2], [0, 1]]),
            "No single state before the last token moves more than half of the difference both ways. In layer 0, the "
            "state of “keys”, put in place of “key”, moves 55 % of the difference (the other way round 45 %).",
        ),
        (
            moved([[0, 1], [0, 0.8], [0, 1]], end=0),
            "As late as layer 1 of 2, the state of “keys”, put in place of “key”, moves 80 % of the difference (the "
            "other way round 70 %).",
        ),
        (
            moved([[0.2, 0], [0, 0.9]], component="mlp"),
            "In layer 1, the MLP output of “keys”, put in place of “key”, moves 90 % of the difference (the other "
            "way round 80 %).",
        ),
    ],
)
def test_the_headline_is_about_the_latest_place_that_moves_most_both_ways(inside, headline):
    assert wording.headline(inside) == headline


def test_a_proposal_is_one_click_away(inside):
    app = inside(other="")
    assert "Type a second beginning" in markup(app)
    press(app, "keys → key (number)")
    assert app.text_input(key="other").value == QUESTION["other"] and "Layer ladder" in markup(app)


def test_what_cannot_be_aligned_is_said(inside):
    assert "Not aligned, and so without cells" in markup(inside(other="The very old keys to the cabinet"))


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"a": "Dogs sleep.", "b": "Cats sleep."}, "these sentences have no first words in common"),
        ({"decides": ""}, "Type two forms that can come next"),
        ({"decides": "are"}, "Type two or more forms"),
        ({"other": QUESTION["beginning"]}, "both beginnings are the same"),
        ({"other": "The key " * 40}, "has more than 60 words"),
        ({"model": "tiny-masked"}, "only models that read from left to right can be looked into"),
    ],
)
def test_what_cannot_be_asked_is_said_in_one_sentence(inside, params, sentence):
    text = markup(inside(**params))
    assert sentence in text and "Layer ladder" not in text


def test_nothing_is_looked_into_before_the_tab_is_opened(compare_page, monkeypatch):
    monkeypatch.setattr(pair, "inside", lambda *_: pytest.fail("looked into"))
    assert "Layer ladder" not in markup(compare_page(**{**PAIR, "tab": "Words"}))


def test_many_items_are_a_run_which_is_looked_up_here_and_in_results(inside, tmp_path):
    app = inside(scope="many items")
    assert "<strong>48 beginnings</strong>" in markup(app) and "Run" in [button.label for button in app.button]
    data, policy = tmp_path / "few.tsv", preset_for("pairlens", SETS)
    rows = (ROOT / "data" / "samples" / "inside" / "attraction.tsv").read_text("utf-8").splitlines()
    data.write_text("\n".join(rows[:9]))
    recipe = Recipe(find("tiny-causal"), SCORERS["causal"], policy)
    assert main(command.inside(data, recipe, "residual")) == 0  # what the button Run starts
    mean = pairlens.mean_map(data, model="tiny-causal")
    text = markup(inside(scope="many items", inside="Path", path=str(data)))
    assert f"Mean difference: {abs(mean.differences['first']):.1f} bits, over 8 items." in text
    assert "Control: states of an unrelated beginning" in text and "Control: random directions" in text
    results = AppTest.from_file(str(ROOT / "app.py"))
    results.switch_page("pages/results.py")
    results.query_params["run"] = mean.run_id
    assert "States of the first beginnings put into the second ones" in markup(results.run())
