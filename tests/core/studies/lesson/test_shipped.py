"""The lessons that ship: well made, and what was measured on them is still true."""

import re
from pathlib import Path

import pytest

from pairlens.models import find
from pairlens.places import FOLDER as ROOT
from pairlens.policies import Policy
from pairlens.scoring.recipe import recipe_of
from pairlens.store import Store
from pairlens.studies.compare.pair import compare
from pairlens.studies.lesson import read, shipped
from pairlens.studies.lesson.checking import check
from pairlens.studies.lesson.lesson import measured, names
from tests.refusals import error_of
from workshop.gallery.lessons import measure, readers

LESSONS = {name: shipped(name) for name in names()}
by_lesson = pytest.mark.parametrize("name", LESSONS)
MEASURED = ["participles", *(pytest.param(name, marks=pytest.mark.soak) for name in ("agreement", "polarity"))]
TEACHING = (Path(__file__).parents[4] / "docs" / "teaching.md").read_text("utf-8")


def test_three_lessons_ship_without_a_sentence_of_the_gallery_and_that_of_the_teachers_page_can_be_read(tmp_path):
    assert {*LESSONS} == {"agreement", "polarity", "participles"}
    assert "Did you mean 'polarity'" in error_of(lambda: shipped("polarty"))
    others = (ROOT / "data" / "gallery" / "gallery.toml").read_text("utf-8")
    for lesson in LESSONS.values():
        for step in lesson.steps:
            assert not any(text in others for text in step.pair or ()), step.pair
    path = tmp_path / "two.toml"
    path.write_text(re.findall(r"```toml\n(.*?)```", TEACHING, re.DOTALL)[0])
    lesson = read(path)
    assert lesson.minutes == 20 and [step.expected for step in lesson.steps] == ["B", "are"]


@pytest.mark.slow
@by_lesson
def test_a_lesson_lasts_45_minutes_says_everything_and_where_its_own_model_goes_wrong(name):
    lesson = LESSONS[name]
    assert 10 <= len(lesson.steps) <= 14 and lesson.minutes == 45 and lesson.about
    assert len({step.pair or (step.prefix, step.forms) for step in lesson.steps}) == len(lesson.steps)
    for step in lesson.steps:
        assert step.question and step.notice and re.search(r"\d{4}", step.reference), step
    assert sum(bool(step.prefix) for step in lesson.steps) >= 3
    assert {"A", "B"} <= {step.expected for step in lesson.steps}
    found = measured(name)[lesson.model]
    assert sum(one.right is False for one in found) >= 3, "items where the model errs are wanted"
    assert found[0].right, "the first step is an easy one"
    for number, (step, one) in enumerate(zip(lesson.steps, found, strict=True), start=1):
        assert (f"{lesson.model} goes wrong here" in step.notice) == (one.right is False), f"step {number}"
    told = [one.right for one in found if one.right is not None]
    row = next(line for line in TEACHING.splitlines() if f"`/lesson?lesson={name}`" in line)
    assert f"| {len(lesson.steps)} | {lesson.model} in {sum(told)} of {len(told)} |" in row
    report = check(lesson, find(lesson.model))
    assert report.summary.query("n > 0 and severity != 'note'").empty, report.in_words()


@pytest.mark.model
@pytest.mark.parametrize("name", MEASURED)
def test_what_was_measured_is_still_true(name, tmp_path):
    lesson = LESSONS[name]
    told = measured(name)
    assert [model.name for model in readers(lesson)] == [*told]
    for model in readers(lesson):
        found = measure(lesson, model, Store(tmp_path, shipped=None))
        for number, (now, before) in enumerate(zip(found, told[model.name], strict=True), start=1):
            place = f"{name}, step {number}, {model.name}: python -m workshop.gallery --score lessons"
            assert (now.chosen, now.right) == (before.chosen, before.right), place
            assert now.bits == pytest.approx(before.bits, abs=0.01), place


@by_lesson
def test_pairs_are_answered_from_what_ships(name, tmp_path):
    lesson = LESSONS[name]
    pairs = [step.pair for step in lesson.steps if step.pair]
    recipe = recipe_of(lesson.model, policy=Policy())
    answers = compare(pairs, recipe, Store(tmp_path), lambda: pytest.fail("no model is needed"))
    told = [one.chosen for step, one in zip(lesson.steps, measured(name)[lesson.model], strict=True) if step.pair]
    assert [one.preferred for one in answers] == told
