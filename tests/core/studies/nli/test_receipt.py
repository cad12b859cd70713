"""What a paper says of an evaluation, and what it cites."""

from __future__ import annotations

from core.files.labels import SYSTEMS, System, system_of
from core.files.nli.pairs import Corpus, Pair, Predictions
from core.statistics.few import WILSON
from core.studies.nli.matched import match
from core.studies.nli.report import Judged, report
from core.studies.nli.result import keys, methods


def corpus(system: str = "sick") -> Corpus:
    return Corpus("c", system, [Pair("1", "a", "b", "entailment"), Pair("2", "c", "d", "neutral")])


def test_a_methods_sentence_says_rules_numbers_and_baseline():
    found = report(match(corpus(), Predictions("p", ["1", "2"], ["entailment", "neutral"])), "snli")
    said = methods(Judged(found, corpus(), "theirs", "mine"))
    for expected in (
        "theirs, whose labels are those of SNLI",
        "on mine",
        "accuracy 100.00 %",
        "majority baseline",
        f"{WILSON} for accuracy",
    ):
        assert expected in said


def test_without_a_clean_pair_no_number_is_claimed():
    answers = match(corpus(), Predictions("p", ["1", "2"], ["entailment", "neutral"]))
    found = report(answers, "snli", others={"training data": corpus().pairs})
    said = methods(Judged(found, corpus(), "theirs", "mine"))
    assert "no pair with an answer to judge" in said and "nan" not in said and "baseline" not in said


def test_a_headline_without_some_pairs_says_so():
    answers = match(corpus(), Predictions("p", ["1", "2"], ["entailment", "neutral"]))
    found = report(answers, "snli", others={"training data": corpus().pairs[:1]})
    assert "without pairs that are in training data" in methods(Judged(found, corpus(), "theirs", "mine"))
    assert "without pairs" not in methods(Judged(report(answers, "snli"), corpus(), "theirs", "mine"))


def test_a_system_that_was_added_needs_no_paper(monkeypatch):
    monkeypatch.setitem(SYSTEMS, "mine", System("mine", "Mine", system_of("sick").situations))
    assert keys(corpus("mine")) == keys(corpus("sick"))[1:]
