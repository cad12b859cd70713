"""Lessons from files: what is read is what was written, and what is no lesson is said in one sentence."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import InputError
from pairlens.models import find
from pairlens.studies.lesson import Lesson, Step, read, written
from pairlens.studies.lesson.checking import check
from pairlens.text import visible
from tests.refusals import error_of

pytestmark = pytest.mark.usefixtures("known_counts")

HEAD = 'title = "t"\n'
PAIR = '[[step]]\npair = ["The cats are here.", "The cats is here."]\n'
TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)
SAID = TEXT.filter(visible)


def pair_step(texts, expected, question, notice):
    return Step(pair=(texts[0], texts[1]), expected=expected, question=question, notice=notice)


def prefix_step(prefix, forms, question):
    return Step(prefix=prefix, forms=tuple(forms) if len(forms) > 1 else (), question=question)


STEPS = st.one_of(
    st.builds(
        pair_step, st.lists(SAID, min_size=2, max_size=2, unique=True), st.sampled_from(["", "A", "B", "none"]),
        TEXT, TEXT,
    ),
    st.builds(prefix_step, SAID, st.lists(SAID, max_size=4, unique=True), TEXT),
)  # fmt: skip


@given(st.builds(Lesson, title=SAID, steps=st.lists(STEPS, min_size=1, max_size=5).map(tuple), about=TEXT,
                 language=st.sampled_from(["en", "fr"]), model=TEXT, minutes=st.integers(1, 600)))  # fmt: skip
def test_what_is_written_is_read_again(tmp_path_factory, lesson):
    path = tmp_path_factory.mktemp("lesson") / "a.toml"
    path.write_text(written(lesson), encoding="utf-8")
    assert read(path) == lesson


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a.toml: a lesson needs at least one [[step]]"),
        ("title = [", "a.toml: this is not TOML"),
        (HEAD, "a lesson needs at least one [[step]]"),
        (PAIR, "'title' is missing"),
        ("title = 3\n" + PAIR, "'title' should be a text"),
        ('titel = "t"\n' + PAIR, "There is no field 'titel'. Did you mean 'title'?"),
        (HEAD + "minutes = 0\n" + PAIR, "'minutes' should be a number from 1 to 600"),
        (HEAD + "minutes = true\n" + PAIR, "'minutes' should be a number from 1 to 600"),
        (HEAD + "[[step]]\n", "a.toml, step 1: a step has either pair"),
        (HEAD + PAIR + 'prefix = "The"\n', "a.toml, step 1: a step has either pair"),
        (HEAD + '[[step]]\nprefix = "  "\n', "a step has either pair"),
        (HEAD + PAIR + '[[step]]\npair = ["one"]\n', "a.toml, step 2: 'pair' should be two sentences"),
        (HEAD + '[[step]]\npair = ["one", " "]\n', "'pair' should be two sentences"),
        (HEAD + '[[step]]\npair = ["one", "one"]\n', "the two sentences of the pair are the same"),
        (HEAD + '[[step]]\npair = ["one", 2]\n', "'pair' should be a list of texts"),
        (HEAD + PAIR + 'forms = ["a", "b"]\n', "a pair has no 'forms'"),
        (HEAD + PAIR + 'expected = "C"\n', "There is no expected answer 'C'. Known: A, B, none."),
        (HEAD + '[[step]]\nprefix = "The"\nforms = ["a"]\n', "'forms' should be two or more different words"),
        (HEAD + '[[step]]\nprefix = "The"\nforms = ["a", "a"]\n', "'forms' should be two or more different words"),
        (HEAD + '[[step]]\nprefix = "The"\nforms = ["a", " "]\n', "'forms' should be two or more different words"),
        (HEAD + '[[step]]\nprefix = "The"\nexpected = "cat"\n', "There is no expected answer 'cat'"),
        (HEAD + f'[[step]]\nprefix = "The"\nforms = {json.dumps([str(n) for n in range(13)])}\n', "12 are the most"),
        (HEAD + PAIR * 61, "a lesson of 61 steps: 60 are the most"),
        (HEAD + PAIR + f'notice = "{"x" * 5000}"\n', "'notice' has more than 4,000 characters"),
        (HEAD + "step = 3\n", "a lesson needs at least one [[step]]"),
        (HEAD + "step = [3]\n", "expected is a table, [[step]]"),
        ("a = " + "[" * 5000, "this is not TOML"),
        (b"\xff\xfe\x00", "this is not TOML"),
        pytest.param("#" * 1_000_001, "a lesson of more than a megabyte", id="large"),
    ],
)  # fmt: skip
def test_what_is_no_lesson_is_said(save, text, said):
    assert said in error_of(lambda: read(save("a.toml", text)))


def test_a_table_has_a_step_per_row_and_a_wrong_row_or_an_absent_file_is_named(save, tmp_path):
    assert "there is no such file" in error_of(lambda: read(tmp_path / "no.toml"))
    table = "a\tb\tprefix\tforms\texpected\tnotice\nX is.\tX are.\t\t\tA\tplain\n\t\tThe cats\tis|are\tare\t\n"
    lesson = read(save("my_first-lesson.tsv", table))
    assert lesson.title == "my first lesson"
    assert lesson.steps == (
        Step(pair=("X is.", "X are."), expected="A", notice="plain"),
        Step(prefix="The cats", forms=("is", "are"), expected="are"),
    )
    assert read(save("l.csv", "good,bad\nX is.,X are.\n")).steps == (Step(pair=("X is.", "X are."), expected="A"),)
    with pytest.raises(InputError, match=r"l\.csv, row 3: a step has either"):
        read(save("l.csv", "a,b,notice\nX is.,X are.,n\nX is.,,n\n"))


GOOD = Step(pair=("The cats are here.", "The cats is here."), expected="A", question="Which?", notice="See.")


def found(*steps, model=""):
    """Sentences by check."""
    report = check(Lesson("t", steps), find(model) if model else None)
    names = [one.name for one, there in report.outcomes if there.n]
    return dict(zip(names, report.in_words(), strict=True))


@pytest.mark.slow
def test_nothing_is_found_in_good_steps_but_the_better_sentence_always_on_one_side():
    assert found(GOOD) == {}
    both = replace(GOOD, expected="none")
    said = found(both, replace(GOOD, pair=None, prefix="The cats", forms=("is", "are"), expected="are"))
    assert said == {} and found(replace(GOOD, pair=None, prefix="The cats", expected="")) == {}
    steps = [replace(GOOD, pair=(f"The {noun} are here.", f"The {noun} is here.")) for noun in ("a", "b", "c", "d")]
    assert "it is A in all 4 pairs" in found(*steps)["side"] and "side" not in found(*steps[:3])
    swapped = replace(steps[3], pair=steps[3].pair[::-1], expected="B")
    assert "side" not in found(*steps[:3], swapped)


@pytest.mark.parametrize(
    ("check_name", "step"),
    [("no_question", replace(GOOD, question="")), ("no_notice", replace(GOOD, notice="")),
     ("several_edits", replace(GOOD, pair=("The cats are here.", "A cats is here.")))],
)  # fmt: skip
def test_what_is_found_names_the_step(check_name, step):
    other = replace(GOOD, pair=("The dogs are here.", "The dogs is here."))
    said = found(other, step)
    assert check_name in said and "step 2" in said[check_name], said


@pytest.mark.model
def test_words_that_the_model_has_hardly_read_are_named():
    strange = replace(GOOD, pair=("The kwyjibozs are here.", "The kwyjibozs is here."))
    said = found(GOOD, strange, model="english-small")
    assert "step 2" in said["hardly_read"] and "step 1" not in said["hardly_read"]
