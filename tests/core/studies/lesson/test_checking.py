"""What distorts a lesson is found, step by step."""

from dataclasses import replace

import pytest

from core.models import find
from core.studies.lesson import Lesson, Step
from core.studies.lesson.checking import check

GOOD = Step(pair=("The cats are here.", "The cats is here."), expected="A", question="Which?", notice="See.")


def found(*steps, model=""):
    """Sentences by check."""
    report = check(Lesson("t", steps), find(model) if model else None)
    names = [one.name for one, there in report.outcomes if there.n]
    return dict(zip(names, report.in_words(), strict=True))


def test_nothing_is_found_in_a_good_step_nor_in_pairs_of_which_both_are_fine_and_beginnings():
    assert found(GOOD) == {}
    both = replace(GOOD, expected="none")
    said = found(both, replace(GOOD, pair=None, prefix="The cats", forms=("is", "are"), expected="are"))
    assert said == {}
    assert found(replace(GOOD, pair=None, prefix="The cats", expected="")) == {}


@pytest.mark.parametrize(
    ("check_name", "step"),
    [
        ("no_question", replace(GOOD, question="")),
        ("no_notice", replace(GOOD, notice="")),
        ("capitals", replace(GOOD, pair=("The cats ARE here.", "The cats is here."))),
        ("word_counts", replace(GOOD, pair=("The cats are here now.", "The cats is here."))),
        ("end_marks_differ", replace(GOOD, pair=("The cats are here.", "The cats is here"))),
        ("several_edits", replace(GOOD, pair=("The cats are here.", "A cats is here."))),
    ],
)
def test_what_is_found_names_the_step(check_name, step):
    other = replace(GOOD, pair=("The dogs are here.", "The dogs is here."))
    said = found(other, step)
    assert check_name in said and "step 2" in said[check_name], said


def test_the_better_sentence_always_on_one_side_is_a_warning():
    steps = [replace(GOOD, pair=(f"The {noun} are here.", f"The {noun} is here.")) for noun in ("a", "b", "c", "d")]
    assert "it is A in all 4 pairs" in found(*steps)["side"]
    assert "side" not in found(*steps[:3])
    swapped = replace(steps[3], pair=steps[3].pair[::-1], expected="B")
    assert "side" not in found(*steps[:3], swapped)


@pytest.mark.model
def test_words_that_the_model_has_hardly_read_are_named():
    strange = replace(GOOD, pair=("The kwyjibozs are here.", "The kwyjibozs is here."))
    said = found(GOOD, strange, model="english-small")
    assert "step 2" in said["hardly_read"] and "step 1" not in said["hardly_read"]
