"""The page Next word, run as Streamlit runs it, with tiny models of random weights."""

import pytest
from streamlit.testing.v1 import AppTest

from pairlens.places import FOLDER as ROOT
from pairlens.settings import settings
from pairlens.studies.next_word.pieces import examples
from tests.on_page import markup, press, words

PAGE = str(ROOT / "pages" / "next_word.py")


@pytest.fixture
def page(checkpoints, home):
    """`page(prefix=..., forms=...)`: the page as a link with these parameters opens it."""
    home.mkdir(parents=True, exist_ok=True)
    settings().models.symlink_to(checkpoints, target_is_directory=True)

    def open_page(**params: str) -> AppTest:
        app = AppTest.from_file(PAGE)
        for name, value in ({"reader": "tiny-causal"} | params).items():
            app.query_params[name] = value
        return app.run()

    return open_page


def test_arrival_is_answered(page):
    app = page()
    text = words(app)
    assert app.text_area(key="prefix").value == examples()[0].prefix
    assert "Expects " in text and "equally likely tokens" in text and "Prefers " in text
    assert "form only" in text
    assert list(app.dataframe[-1].value.columns)[:3] == ["token", "ref_next", "pred_next"]


def test_the_next_word_is_guessed_before_the_answer_is_shown(page):
    app = page(reveal="0", prefix="The keys", forms="is, are")
    assert "Expects" not in words(app) and "Prefers" not in words(app) and not app.dataframe
    assert examples()[0].note not in words(app)
    app.text_input(key=next(box.key for box in app.text_input if box.label == "Which word comes next?")).set_value(
        "of"
    ).run()
    app.pills[0].set_value("are").run()
    press(app, "Show the answer")
    text = words(app)
    assert "You guessed “of” (" in text and "You chose are." in text and "Expects " in text
    link = {name: app.query_params[name] for name in app.query_params}
    assert "You guessed “of” (" in words(page(**link))
    app.text_area(key="prefix").set_value("The keys of").run()
    assert "Expects" not in words(app)


def test_several_models_stand_side_by_side_and_one_that_cannot_answer_leaves_the_others(page):
    app = page(reader=["tiny-causal", "gpt99", "english-small"], prefix="The keys", forms="is, are")
    text = words(app)
    assert text.count("Expects ") == text.count("Prefers ") == 2 and "There is no model" in text
    assert {app.pills[place].key for place in (0, 1)} == {
        f"grow_Word_The keys_{name}" for name in ("tiny-causal", "english-small")
    }
    tables = [app.dataframe[-1].value]
    app.selectbox(key="details_of_next_word").set_value("english-small").run()
    tables.append(app.dataframe[-1].value)
    assert not tables[0].equals(tables[1]) and list(tables[0]) == list(tables[1])


def test_the_published_table_ends_with_what_comes_next(page):
    app = page(prefix="The keys")
    table = app.dataframe[-1].value
    assert table["ref_next"].isna().tolist() == [False] * (len(table) - 1) + [True]
    app.segmented_control(key="next_by").set_value("word").run()
    words = app.dataframe[-1].value
    assert words["token"].tolist()[1:] == ["The", "keys"]


def test_a_likely_word_goes_on_with_the_prefix_and_can_be_taken_back(page):
    app = page(prefix="The keys ", next_as="Tokens")
    assert "Take back" not in [button.label for button in app.button]
    piece = app.pills(key="grow_Token_The keys_tiny-causal").options[0]
    app.pills(key="grow_Token_The keys_tiny-causal").set_value(piece.replace("·", " ")).run()
    assert app.text_area(key="prefix").value == "The keys" + piece.replace("·", " ")
    app.button(key="take_back").click().run()
    assert app.text_area(key="prefix").value == "The keys "
    assert "Take back" not in [button.label for button in app.button]
    app = page(prefix="")
    word = app.pills(key="grow_Word__tiny-causal").options[0]
    app.pills(key="grow_Word__tiny-causal").set_value(word).run()
    assert app.text_area(key="prefix").value == word, "the beginning of a text can grow too"


def test_an_example_takes_prefix_and_forms(page):
    app = page(prefix="The keys")
    press(app, examples()[3].title)
    assert (app.text_area(key="prefix").value, app.text_input(key="forms").value) == examples()[3][1:3]


def test_another_place_can_be_looked_at_but_does_not_grow(page):
    app = page(prefix="The keys to the cabinet")
    box = app.selectbox(key="place_of_The keys to the cabinet_tiny-causal")
    assert box.value == len(box.options) - 1
    box.set_value(2).run()
    assert "After <span" in words(app)
    assert not app.pills


def test_forms_are_compared_and_what_is_wrong_is_said(page):
    app = page(prefix="The key", forms="opens, open, opened")
    forms = app.dataframe[0].value
    assert sorted(forms["Form"]) == ["open", "opened", "opens"]
    assert forms["Surprisal as a whole word (bits)"].is_monotonic_increasing
    assert "is the beginning of" in words(app)
    assert "two or more forms" in words(page(prefix="The key", forms="opens"))
    assert "Type two forms that compete" in words(page(prefix="The key", forms=""))


def test_a_prefix_stays_text(page):
    app = page(prefix="<b>bold</b> $x$ **y**")
    assert "Expects " in words(app) and "<b>bold" not in markup(app)


def test_curly_quotes_are_read_as_straight_ones_with_undo(page):
    app = page(prefix="The dog’s")
    assert "’ was read as '" in words(app)
    app.button(key="offer_text").click().run()
    assert "was read as" not in words(app)


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"prefix": "word " * 5000}, "this page reads 4,000 at once"),
        ({"reader": "tiny-masked"}, "is a masked model. This page takes: causal."),
        ({"prefix": "שלום עולם"}, "has never read"),
    ],
)
def test_what_cannot_be_expected_is_said(page, link, sentence):
    text = words(page(**link))
    assert sentence in text and "Expects " not in text


def test_without_a_start_symbol_nothing_begins_a_text(page):
    assert "nothing stands before a text" in words(page(prefix="", like="nlpscholar"))
    assert "Expects " in words(page(prefix="The", like="nlpscholar"))
