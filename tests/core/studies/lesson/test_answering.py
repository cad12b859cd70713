"""A model's answers to steps, beside the numbers of the studies that they are made from, and as sentences."""

import math

import pytest

from pairlens import measures
from pairlens.errors import ModelError
from pairlens.policies import Policy
from pairlens.scoring.recipe import recipe_of
from pairlens.studies.compare.wording import agreement
from pairlens.studies.lesson import Lesson, Step
from pairlens.studies.lesson.answering import Answer, answers, asked, beside, of_bundled, overview, summary, tally
from pairlens.studies.lesson.lesson import Measured
from pairlens.types import Request

PAIR = Step(pair=("The cats is here.", "The cats are here."), expected="B")
FORMS = Step(prefix="The cats ", forms=("is", "are"), expected="are")
FREE = Step(prefix="The cats")


def _recipe(name):
    return recipe_of(name, policy=Policy())


@pytest.mark.model
def test_answers_are_the_differences_of_log_probabilities_also_of_a_masked_model_which_refuses_beginnings(store):
    """Against the scorer itself: sums of tokens."""
    recipe = _recipe("english-small")
    opened = recipe.open()
    pair, forms, free = answers([PAIR, FORMS, FREE], recipe, store, lambda: opened)
    a, b = (one.total for one in opened.score([recipe.request(Request("", text)) for text in PAIR.pair or ()]))
    assert pair.chosen == ("A" if a > b else "B") and pair.right == (b > a)
    assert pair.bits == pytest.approx(abs(measures.bits(a - b)))
    assert forms.chosen == "are" and forms.right is True and forms.bits > 0 and "are" in forms.said
    assert free.right is None and free.said.startswith("Expects “") and f"“{free.chosen}”" in free.said
    recipe = _recipe("bilingual-masked")
    (pair,) = answers([PAIR], recipe, store)
    assert pair.chosen in ("A", "B") and "times as likely" not in pair.said
    with pytest.raises(ModelError, match="cannot say what comes next"):
        answers([FORMS], recipe, store)
    step = Step(pair=("the cat.", "The cat."), expected="B")
    (found,) = answers([step], recipe, store)
    assert found.chosen == "" and math.isnan(found.bits) and found.right is False
    assert "both sentences are the same" in found.said


def _answer(chosen, right, bits=1.0):
    return Answer(chosen, bits, right, "", None)


def test_answers_in_words_and_the_table_at_the_end():
    assert asked(PAIR) == "The cats is here. / The cats are here."
    assert asked(FORMS) == "The cats … is / are" and asked(FREE) == "The cats …"
    assert beside("", _answer("A", True), "m") == ""
    assert beside("A", _answer("A", True), "m") == "You chose A, as m does."
    assert beside("B", _answer("A", True), "m") == "You chose B; m takes A."
    assert beside("B", _answer("", False), "m") == "You chose B; m cannot decide."
    assert agreement("m", False, PAIR.expected, "fr") == "m goes against speakers of French, who take B."
    assert agreement("m", True, PAIR.expected, "en") == "m agrees with speakers of English."
    assert agreement("m", None, FREE.expected, "en") == ""
    both = Step(pair=("a", "b"), expected="none")
    assert agreement("m", None, both.expected, "en").startswith("Both sentences are fine")
    lesson = Lesson("t", (PAIR, FORMS, FREE), model="m")
    shown = {0: _answer("A", False, 2.0), 2: _answer("of", None)}
    table = overview(lesson, shown, ["B", "is", "of"])
    assert table["model"].tolist() == ["A", "", "of"] and table["expected"].tolist() == ["B", "", ""]
    assert table["you"].tolist() == ["B", "is", "of"] and table["bits"].isna().tolist() == [False, True, False]
    assert tally(lesson, shown, ["B", "is", "of"], "m") == [
        "m agrees with speakers of English in 0 of 1 step.",
        "You agree with them in 1 of 1 step, and with m in 0.",
    ]
    assert tally(lesson, {}, ["", "", ""], "m") == [] and summary(lesson) == "3 steps, 45 minutes, with m."
    found = {"m": [Measured("A", 1.0, True), Measured("A", 1.0, False), Measured("", None, None)], "n": []}
    assert of_bundled(found, besides="n") == "m 1 of 2" and of_bundled(found, besides="m") == ""
