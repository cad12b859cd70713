"""The first page, run as Streamlit runs it, with tiny models of random weights."""

import json
import re
import subprocess
import sys

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.components.compare import resources
from pairlens.evaluation.run_list import headline_of
from pairlens.models import find
from pairlens.places import FOLDER as ROOT
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies import gallery
from pairlens.studies.compare.typed import n_differing
from tests.on_page import markup, press

LASTING = True
PAGE = str(ROOT / "app.py")  # Compare is what it opens with


@pytest.fixture
def page(compare_page):
    return compare_page


def type_in(app: AppTest, a: str = "", b: str = "") -> AppTest:
    """The page after these sentences were typed."""
    for key, sentence in (("a", a), ("b", b)):
        if sentence:
            app.text_area(key=key).set_value(sentence)
    return app.run()


def test_arrival_is_answered_and_a_chosen_place_shows_what_was_expected_there(page):
    app = page()
    text = markup(app)
    assert "Prefers" in text and "First differs at are | is" in text
    assert gallery.examples()[0].phenomenon in text
    app.selectbox(key="place").set_value(3).run()
    text = markup(app)
    assert "Ten likeliest next tokens" in text and "After" in text
    assert re.search(r"As whole words, once what stands before has ended: .*are [\d.]+ %, is [\d.]+ %", text)
    assert "Prefers" in markup(page(**{"": "x", "$$ID-mine": "x"})), "a link may hold any name"


def test_a_typed_pair_is_answered_and_named_words_are_scored(page):
    app = type_in(page(), "The dogs sleep.", "The dogs sleeps.")
    assert "sleep. | sleeps." in markup(app)
    assert list(app.dataframe[-1].value["Word"]) == ["The", "dogs", "sleep.", "sleeps."]
    text = markup(type_in(app, "<b>bold</b> $x$ **y**", "<img src=x onerror=alert(1)>"))
    assert "&lt;img" in text and "<img" not in text and "<b>bold" not in text


def test_a_pair_that_is_half_typed_has_no_answer_yet(page):
    app = page(a="The horses are tired.", b="The horses is tired.")
    type_in(app, a="The dogs sleep.")
    assert "B is still from the pair before" in markup(app) and "Prefers" not in markup(app)
    type_in(app, b="The dogs sleeps.")
    assert "Prefers" in markup(app) and "still from" not in markup(app)
    type_in(app, b="The cat was there.")
    assert "A is still from the pair before" in markup(app)
    assert "Prefers" in markup(press(app, "Compare them as they are"))
    assert "Prefers" in markup(type_in(app, a="The cat were there.")), "one word from B"
    assert "Prefers" in markup(type_in(app, a="The dog were there.")), "one word changed"


@pytest.mark.parametrize(
    ("a", "b", "n"), [("a b c", "a x c", 2), ("a b", "a b c d", 2), ("她笑了", "她哭了", 2), ("", "a b", 2)]
)
def test_words_that_differ_are_counted(a, b, n):
    assert n_differing(a, b) == n_differing(b, a) == n and n_differing(a, a) == 0


def saved(before: frozenset[str] = frozenset()) -> pd.DataFrame:
    """The runs of this home that were not there before."""
    return Store().runs().query("run_id not in @before")


def test_two_models_are_both_in_the_receipt_the_table_and_the_store(page):
    before = frozenset(saved()["run_id"])
    app = page(model=["tiny-causal", "tiny-masked"], a="The dogs sleep.", b="The dogs sleeps.")
    assert {*app.dataframe[-1].value["Model"]} == {"tiny-causal", "tiny-masked"}
    press(app, "How this number was made")
    made, _, receipt = (block.value for block in app.code[-3:])
    assert made.count("tiny-causal") == made.count("tiny-masked") == 1
    assert [*json.loads(receipt)["models"]] == ["tiny-causal", "tiny-masked"]
    press(app, "Save to Results")
    assert sorted(saved(before)["model"]) == ["tiny-causal", "tiny-masked"]


def test_what_another_page_holds_is_not_shared(page):
    app = page()
    app.session_state["path"] = "/data/of/another/page"
    app.session_state["in_full"] = "Learning curves of english-small"
    app.session_state["share"] = True
    app.run()
    [link] = [block.value for block in app.code if "http" in block.value or block.value.startswith("?")]
    assert "a=" in link and "in_full" not in link and "path" not in link


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"a": "   ", "b": "x y"}, "Type a sentence in A and another in B"),
        ({"a": "word " * 5000, "b": "word " * 5000}, "this page answers 4,000 at once"),
        (dict.fromkeys("ab", "\n".join(f"line {n}" for n in range(70))), "70 different sentences"),
        ({"model": "gpt99"}, "There is no model"),
        ({"a": "The same.", "b": "The same."}, "Both sentences are the same: there is nothing to compare."),
        ({"a": "השלום טוב", "b": "השלום טובים"}, "tiny-causal has never read"),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_sentence(page, link, sentence):
    app = page(**link)
    assert sentence in markup(app) and "Prefers" not in markup(app)
    if "Both" in sentence or "never read" in sentence:
        assert "pl-notice warning instead" in markup(app)
    if "Both" in sentence:
        assert "A tie" not in markup(app) and not app.dataframe


def test_sentences_without_words_are_compared_all_the_same(page):
    text = markup(page(a="...", b="?!", but="punctuation:ignore"))
    assert "Prefers" in text and "No word is left" in text


def test_long_texts_are_announced_before_a_masked_model_reads_them(page):
    app = page(model="tiny-masked", a="The old dog sleeps. " * 120, b="The old dogs sleep. " * 120)
    assert "will take about" in markup(app) and "Prefers" not in markup(app)
    assert "Score them" in [button.label for button in app.button]


def test_a_text_that_was_stopped_is_scored_when_asked_for(page):
    pair = ("The old dog sleeps.", "The old dog sleep.")
    app = page(a=pair[0], b=pair[1])
    recipe = Recipe(find("tiny-causal"), SCORERS["causal"], Policy())
    app.session_state["waiting_agreed"] = (resources._question([pair], [recipe]), False)
    app.run()
    assert "will take about" in markup(app) and "Prefers" not in markup(app)
    press(app, "Score them")
    assert "Prefers" in markup(app)


def test_another_way_in_is_one_click_away(page):
    app = page()
    press(app, "A garden path")
    assert "of 2 pairs" in markup(app)
    press(app, "Type your own")
    assert "Type a sentence in A and another in B" in markup(app) and "pl-notice error" not in markup(app)


def test_the_pair_follows_the_language_of_the_model_until_something_is_typed(page):
    app = page(model="english-small")
    openings = {
        "french-small": "Les chevaux sont fatigués.",
        "portuguese-small": "As crianças dormem no quarto.",
        "english-small": "The horses are tired.",
    }
    for model, pair in openings.items():
        app.multiselect(key="model").set_value([model]).run()
        assert app.text_area(key="a").value == pair and "Prefers A" in markup(app)
    app.text_area(key="a").set_value("The dog sleeps.")
    app.text_area(key="b").set_value("The dog sleep.").run()
    app.multiselect(key="model").set_value(["french-small"]).run()
    assert app.text_area(key="a").value == "The dog sleeps."
    assert "french-small has read no English: what it prefers here says nothing." in markup(app)


def test_masked_models_have_a_view_of_their_own(page):
    app = page(model="tiny-masked")
    text = markup(app)
    assert "scores higher by" in text and "each word seen with all others" in text
    assert "times as likely" not in text and "settled" not in text
    assert set(app.dataframe[-1].value["Member"]) == {"A", "B"}


def test_the_switch_hides_the_answer_and_ones_choice_stands_beside_it(page):
    app = page()
    app.toggle(key="predict_first").set_value(True).run()
    assert app.query_params["reveal"] == "0" and "Prefers" not in markup(app)
    assert "Choose before you look" in markup(app)
    sentences = [button for button in app.button if (button.key or "").startswith("better_")]
    sentences[1].click().run()
    assert "You chose" not in markup(app)
    press(app, "Show the answer")
    assert re.search("You chose B(; tiny-causal prefers A|, as tiny-causal would)", markup(app))
    link = {name: app.query_params[name] for name in ("reveal", "mine", "seen")}
    assert "You chose B" in markup(page(**link)), "a reload loses it"
    app.toggle(key="predict_first").set_value(False).run()
    assert not {"reveal", "mine", "seen"} & {*app.query_params} and "You chose" not in markup(app)


def test_the_answer_stays_hidden_until_asked_for_and_a_shared_link_tells_nobodys_choice(page):
    app = page(reveal="0")
    assert "Prefers" not in markup(app) and not app.dataframe
    next(button for button in app.button if (button.key or "").startswith("better_A")).click().run()
    assert "Prefers" in markup(press(app, "Show the answer"))
    app.session_state["share"] = True
    link = app.run().code[0].value
    assert "reveal=0" in link and "mine=" not in link and "seen=" not in link
    app.text_area(key="a").set_value("Another question.").run()
    assert "Prefers" not in markup(app)


def test_several_pairs_are_predicted_in_a_list(page):
    app = page(reveal="0", a="The dogs sleep.\nThe cat sleeps.", b="The dogs sleeps.\nThe cat sleep.")
    assert not app.dataframe and "Prefers" not in markup(app)
    buttons = [button for button in app.button if (button.key or "").startswith("better_A")]
    assert len(buttons) == 2
    buttons[1].click().run()
    press(app, "Show the answers")
    assert list(app.dataframe[0].value["you"]) == ["", "A"]
    assert re.search("You chose the same sentence as tiny-causal in [01] of 1 pair", markup(app))


def test_teachers_notes_and_what_was_measured_wait_for_the_answer(page):
    example = gallery.examples()[0]
    app = page(reveal="0", model="english-small")
    assert example.note not in markup(app) and example.phenomenon not in markup(app)
    press(app, "Gallery")
    assert "goes wrong" not in markup(app) and "as expected" not in markup(app)
    assert example.phenomenon in markup(app)
    app = page(model="english-small")
    press(app, "Gallery")
    assert "goes wrong" in markup(app)


def test_a_link_with_other_choices_is_read_without_them(page):
    for link in ({"mine": ["", "zz"], "seen": ["", "☃"]}, {"reveal": "2"}, {"mine": "a" * 900}):
        assert "You chose" not in markup(page(**({"reveal": "0"} | link)))


def test_a_preset_changes_unit_and_rule(page):
    app = page()
    app.selectbox(key="as").set_value("minicons").run()
    text = markup(app)
    assert "nats per token" in text
    labels = [block.proto.popover.label for block in app.get("popover")]
    assert any("first token as the tokenizer frames it" in label for label in labels)
    assert "Not scored under these choices" not in text, "it follows the start symbol of the tokenizer"
    app.selectbox(key="as").set_value("nlpscholar").run()
    assert "Not scored under these choices: The." in markup(app)


def test_curly_quotes_are_read_as_straight_ones_with_undo(page):
    curly = page(a="The dog’s house.", b="The dog’s houses.")
    straight = page(a="The dog's house.", b="The dog's houses.")
    headline = [line for line in markup(straight).splitlines() if "pl-headline" in line]
    assert headline[0] in markup(curly)
    assert "’ was read as &#x27;" in markup(curly)
    curly.button(key="offer_text").click().run()
    assert "was read as" not in markup(curly)


def test_tokenised_text_is_recognised_and_joined_on_demand(page):
    app = page(a="They do n't sleep .", b="They do n't sleeps .")
    assert "Joined, it would read: They don&#x27;t sleep." in markup(app)
    app.button(key="offer_detokenise").click().run()
    assert "sleep. | sleeps." in markup(app)


def test_two_columns_pasted_into_either_box_fill_both(page):
    for box in "ab":
        app = type_in(page(), **{box: "The dogs sleep.\tThe dogs sleeps.\nHe came.\tHe come."})
        assert app.text_area(key="a").value == "The dogs sleep.\nHe came."
        assert app.text_area(key="b").value == "The dogs sleeps.\nHe come."
        assert "of 2 pairs" in markup(app)


def test_several_pairs_and_models_are_a_table(page):
    app = page(a="The dogs sleep.\nThe keys are here.", b="The dogs sleeps.\nThe keys is here.",
               model=["tiny-causal", "tiny-masked"])  # fmt: skip
    table = app.dataframe[0].value
    assert list(table.columns) == ["A", "B", "tiny-causal", "tiny-masked"] and len(table) == 2
    assert "tiny-causal prefers A in" in markup(app) and "of 2 pairs" in markup(app)
    assert "compare their choices" in markup(app)


def test_saving_makes_a_run(page):
    before = frozenset(saved()["run_id"])
    app = page(a="The dogs sleep.\nHe came.", b="The dogs sleeps.\nHe come.")
    assert "Saved to Results" in markup(press(app, "Save to Results"))
    (run,) = saved(before)["run_id"]
    assert len(Store().candidates(run)) == 4 and headline_of(Store().manifest(run)).endswith("of 2 pairs")


def test_arrival_loads_no_torch():
    """In a process of its own, on the bundled models, with the background loading held back; nor on Entailment."""
    if not any(example.measured for example in gallery.examples()):
        pytest.skip("no bundled model was measured")
    code = (
        "import sys; from streamlit.testing.v1 import AppTest; from pages.components.compare import resources\n"
        f"resources.warm_up = lambda recipe: None; app = AppTest.from_file({PAGE!r}, default_timeout=300).run()\n"
        "assert not app.exception and any('Prefers' in each.proto.body for each in app.get('html'))\n"
        "app.switch_page('pages/nli.py').run(); said = [each.proto.body for each in app.get('html')]\n"
        "assert not app.exception and any('b follows from a' in one for one in said), said\n"
        "assert not {'torch', 'transformers'} & sys.modules.keys()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_pages_leave_it_to_python_when_garbage_is_collected():
    """Streamlit would visit all objects in memory after each run of a page: a second, with a large file open."""
    assert st.get_option("runner.postScriptGC") is False
