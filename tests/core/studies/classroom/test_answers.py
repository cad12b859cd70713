"""The model's answers are those of the pages Compare and Next word, and of plain scores."""

import pytest

import pairlens
from pairlens.errors import ModelError
from pairlens.store import Store
from pairlens.studies.classroom.shares import answers, margin
from pairlens.studies.lesson import Lesson, Step
from tests.class_server import MODEL, lesson

pytestmark = pytest.mark.model


def test_answers_are_what_the_library_says_scored_as_the_verb_does_and_what_has_no_answer_is_said(home):
    of = lesson()
    first, second, form, word = answers(of, MODEL, Store())
    for step, answer in zip(of.steps[:2], (first, second), strict=True):
        found = pairlens.compare(*step.pair)
        assert answer.values["A"] - answer.values["B"] == pytest.approx(found.bits, abs=1e-5)
        assert answer.choice == ("A" if found.bits > 0 else "B")
        assert answer.lead.startswith(f"by {abs(found.bits):.1f} bits (about ")
        assert margin(step, answer) == pytest.approx(found.bits if step.expected == "A" else -found.bits, abs=1e-5)
    assert form.values.keys() == {"was", "were"} and form.choice == max(form.values, key=form.values.__getitem__)
    assert word.choice == next(iter(word.values)) == max(word.values, key=word.values.__getitem__)
    assert word.lead.startswith(f"Expects “{word.choice}” (")
    pair = ("The horses are tired.", "The horses is tired.")
    (answer,) = answers(Lesson("", (Step(pair=pair),)), MODEL, Store())
    scored = pairlens.score(list(pair))
    sums = scored.groupby("item")["surprisal_bits"].sum()
    assert [answer.values["A"], answer.values["B"]] == pytest.approx([-sums.iloc[0], -sums.iloc[1]], abs=1e-4)
    (answer,) = answers(Lesson("", (Step(pair=("The cat's here.", "The cat’s here.")),)), MODEL, Store())
    assert answer.choice == "" and "sentences are the same" in answer.lead
    with pytest.raises(ModelError, match="unigram"):
        list(answers(Lesson("", (Step(prefix="The keys"),)), "unigram-english", Store()))
