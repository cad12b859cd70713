"""What a paper says of an evaluation, and what it cites."""

from core.files.labels import SYSTEMS, System, system_of
from core.files.nli.pairs import Corpus, Pair, Predictions
from core.statistics.few import WILSON
from core.studies.nli.matched import match
from core.studies.nli.report import Judged, report
from core.studies.nli.result import keys, methods

PAIRS = [Pair("1", "a", "b", "entailment"), Pair("2", "c", "d", "neutral")]
CORPUS = Corpus("c", "sick", PAIRS)


def said(**others):
    answers = match(CORPUS, Predictions("p", ["1", "2"], ["entailment", "neutral"]))
    return methods(Judged(report(answers, "snli", **others), CORPUS, "theirs", "mine"))


def test_a_methods_sentence_says_rules_numbers_and_baseline_and_of_which_pairs():
    expected = ("theirs, whose labels are those of SNLI", "on mine", "accuracy 100.00 %", "majority baseline")
    assert all(part in said() for part in (*expected, f"{WILSON} for accuracy"))
    assert "without pairs" not in said()
    assert "without pairs that are in training data" in said(others={"training data": PAIRS[:1]})
    none = said(others={"training data": PAIRS})
    assert "no pair with an answer to judge" in none and "nan" not in none and "baseline" not in none


def test_a_system_that_was_added_needs_no_paper(monkeypatch):
    monkeypatch.setitem(SYSTEMS, "mine", System("mine", "Mine", system_of("sick").situations))
    assert keys(Corpus("c", "mine", PAIRS)) == keys(CORPUS)[1:]
