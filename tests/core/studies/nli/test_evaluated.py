"""Numbers of an evaluation, each against another way of getting it."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import InputError, PolicyError
from pairlens.files.labels import SYSTEMS, cell, system_of
from pairlens.files.nli.pairs import Corpus, Pair, Predictions
from pairlens.files.nli.readers import read_corpus
from pairlens.places import FOLDER as ROOT
from pairlens.statistics.intervals import over_items
from pairlens.studies.nli import metrics
from pairlens.studies.nli.evaluation import NO_REVERSE, evaluate
from pairlens.studies.nli.matched import NO_ANSWER, NO_LABEL, match, read_predictions
from pairlens.studies.nli.result import few_sets, numbers, units

SAMPLES = ROOT / "data" / "samples" / "nli"
CLASSES = ("entailment", "paraphrase", "none")
TWO = [(data, model) for data in SYSTEMS for model in SYSTEMS]


def evaluated(gold, forward, data, model, reverse=(), mode="strict"):
    ids = [str(number) for number in range(len(gold))]
    pairs = [Pair(name, f"a{name}", f"b{name}", label) for name, label in zip(ids, gold, strict=True)]
    return judged(data, pairs, Predictions("p", ids, forward, reverse), model, mode)


def judged(data, pairs, answers, model, mode="strict", **how):
    return evaluate(match(Corpus("c", data, pairs), answers), model, mode, **how)


def official(gold, answers):
    """Accuracy and macro-F1 as the scorer of the ASSIN shared task computes them, in plain counting."""
    right = sum(one == other for one, other in zip(gold, answers, strict=True))
    scores = []
    for label in set(gold):
        hits = sum(one == other == label for one, other in zip(gold, answers, strict=True))
        said, there = list(answers).count(label), list(gold).count(label)
        precision, recall = hits / said if said else 0, hits / there
        scores.append(2 * precision * recall / (precision + recall) if hits else 0)
    return right / len(gold), sum(scores) / len(scores)


labels_of_two = st.lists(st.tuples(st.sampled_from(CLASSES), st.sampled_from(CLASSES)), min_size=1, max_size=40)


@given(labels_of_two)
def test_accuracy_and_macro_f1_are_the_official_scorers_and_mcc_the_correlation_of_indicators(pairs):
    sides = [*zip(*pairs, strict=True)]
    matrix = metrics.confusion(*sides, CLASSES)
    assert (metrics.accuracy(matrix), metrics.macro_f1(matrix)) == pytest.approx(official(*sides))
    gold, said = (np.array([[one == label for label in CLASSES] for one in side], float) for side in sides)
    together = [((a - a.mean(0)) * (b - b.mean(0))).sum() for a, b in ((gold, said), (gold, gold), (said, said))]
    expected = together[0] / math.sqrt(together[1] * together[2]) if together[1] * together[2] > 1e-12 else math.nan
    assert float(metrics.mcc(matrix)) == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_numbers_worked_out_by_hand_also_of_a_class_that_is_only_answered():
    gold = ["entailment"] * 4 + ["none"] * 6
    answers = ["entailment"] * 3 + ["none"] * 6 + ["entailment"]
    found = evaluated(gold, answers, "assin2", "assin2")
    assert found.accuracy == 0.8
    table = found.per_class().set_index("class")
    assert table.loc["entailment", ["precision", "recall", "f1"]].tolist() == [0.75, 0.75, 0.75]
    assert table.loc["none", "f1"] == pytest.approx(5 / 6)
    assert found.macro_f1 == pytest.approx((0.75 + 5 / 6) / 2)
    assert found.mcc == pytest.approx((3 * 5 - 1 * 1) / math.sqrt(4 * 4 * 6 * 6))
    assert found.confusion().loc["entailment"].to_dict() == {"entailment": 3, "none": 1}
    correct = found.answers["correct"].astype(float)
    expected = over_items(correct, pd.Series(0, correct.index), found.answers["related_set"])
    assert found.accuracy_interval == (expected.low, expected.high) and expected.n_clusters == found.n_sets == 10
    assert math.isnan(found.macro_f1_interval[0]) and found.rare_classes == {"entailment": 4, "none": 6}
    assert (found.majority.how, found.majority.accuracy) == ("always none", 0.6)
    assert found.majority.macro_f1 == pytest.approx(0.375)
    found = evaluated(["entailment", "none"], ["paraphrase", "none"], "assin", "assin")
    assert found.macro_f1 == pytest.approx(0.5)
    table = found.per_class().set_index("class")
    assert table.loc["paraphrase", "n"] == 0 and math.isnan(table.loc["paraphrase", "recall"])
    assert table.loc["entailment", "f1"] == 0 and math.isnan(table.loc["entailment", "precision"])


@pytest.mark.slow
def test_every_cell_is_evaluated_over_its_classes_before_and_after_translation():
    found = evaluated(
        ["entailment", "paraphrase", "none"], ["entailment"] * 2 + ["contradiction"], "assin", "sick",
        reverse=["neutral", "entailment", "contradiction"],
    )  # fmt: skip
    assert found.accuracy == 1
    before = found.confusion_before()
    assert before.loc["paraphrase", "entailment / entailment"] == 1
    assert before.loc["none", "contradiction / contradiction"] == 1
    assert found.confusion().to_numpy().tolist() == np.eye(3, dtype=int).tolist()
    for data, model in TWO:
        gold, names = list(system_of(data).labels), system_of(model).labels
        answers = [names[number % len(names)] for number in range(len(gold))]
        found = evaluated(gold, answers, data, model, reverse=answers[::-1])
        assert found.classes == cell(data, model).classes
        assert int(found.matrix.sum()) == found.n == len(gold)


def test_pairs_without_a_needed_answer_are_listed_and_can_count_as_wrong():
    labels = ["entailment", "neutral"]
    found = evaluated(["entailment", "none"], labels, "assin", "snli", reverse=["neutral", ""])
    assert (found.n, found.unmatched[NO_REVERSE]) == (1, ["1"])
    with pytest.raises(PolicyError, match="reverse predictions"):
        evaluated(["entailment", "none"], labels, "assin", "snli")
    assert evaluated(["entailment", "none"], labels, "assin", "snli", mode="forward").accuracy == 1
    corpus = Corpus("c", "assin2", [Pair(name, "a", "b", "none") for name in "123"])
    matched = match(corpus, Predictions("p", ["1", "2"], ["none", "none"]))
    left_out, wrong = (evaluate(matched, "assin2", missing_wrong=wrong) for wrong in (False, True))
    assert (left_out.accuracy, left_out.n) == (1, 2)
    assert (wrong.accuracy, wrong.n) == (pytest.approx(2 / 3), 3)
    assert wrong.confusion().loc["none", "no answer"] == 1
    assert wrong.unmatched == left_out.unmatched == {NO_ANSWER: ["3"]}
    assert wrong.macro_f1 == pytest.approx(0.8)


def test_relatedness_may_stand_alone_and_what_is_missing_can_count_as_zero():
    corpus, answers = read_corpus(SAMPLES / "assin2.xml"), read_predictions(SAMPLES / "assin2_answers.xml")
    found = evaluate(match(corpus, answers), "assin2").relatedness
    alone = replace(answers, labels=[""] * len(answers))
    for mode in ("strict", "lenient", "forward"):
        unlabelled = evaluate(match(corpus, alone), "sick", mode, missing_wrong=True)
        assert (unlabelled.n, unlabelled.relatedness) == (0, found)
        assert unlabelled.unmatched == {NO_LABEL: [pair.id for pair in corpus]}
    with pytest.raises(InputError, match="none of its"):
        match(corpus, replace(alone, ids=[f"other {name}" for name in alone.ids]))
    assert math.isnan(metrics.relatedness([1, 2], [3, 3]).pearson)
    assert metrics.relatedness([1, math.nan], [2, 2]).n == 1
    gold = {"1": 1.0, "2": 2.5, "3": 4.0, "4": 5.0}
    corpus = Corpus("c", "assin2", [Pair(name, "a", "b", "none", relatedness=value) for name, value in gold.items()])
    matched = match(corpus, Predictions("p", ["1", "2", "3"], ["none"] * 3, relatedness=[1.5, math.nan, 4.5]))
    left_out, zero = (evaluate(matched, "assin2", missing_wrong=wrong).relatedness for wrong in (False, True))
    assert (left_out.n, left_out.n_missing, left_out.mse) == (2, 0, 0.25)
    assert (zero.n, zero.n_missing) == (4, 2) and zero.mse == pytest.approx((0.25 + 6.25 + 0.25 + 25) / 4)
    assert zero.pearson == pytest.approx(np.corrcoef([1, 2.5, 4, 5], [1.5, 0, 4.5, 0])[0, 1])
    unanswered = match(corpus, Predictions("p", ["1", "2"], ["none"] * 2))
    assert evaluate(unanswered, "assin2", missing_wrong=True).relatedness.n == 0


def test_samples_have_the_numbers_that_counting_gives():
    corpus = read_corpus(SAMPLES / "assin.xml")
    forward, reverse = (read_predictions(SAMPLES / f"assin_answers{end}.csv") for end in ("", "_reverse"))
    matched = match(corpus, forward, reverse)
    assert [round(evaluate(matched, "sick", mode).accuracy * 48) for mode in ("strict", "lenient")] == [41, 43]
    assert "over 3 classes" in numbers(evaluate(matched, "SICK"))


def test_what_contradicts_itself_is_listed_and_changes_nothing():
    pairs = [Pair("1", "a", "b1", "entailment", "neutral"), Pair("3", "a", "b3", "neutral", "neutral")]
    said = Predictions("p", ["1", "3"], ["paraphrase", "paraphrase"])
    accepted, doubtful = judged("sick", pairs, said, "assin").contradictions
    assert "2 of 2 paraphrase answers" in doubtful.sentence and (accepted.ids, doubtful.ids) == (("1",), ("3",))
    assert "is 0.00\u00a0%" in accepted.sentence
    both = evaluated(
        ["none", "none", "none"], ["contradiction", "neutral", "neutral"], "assin", "sick",
        reverse=["neutral", "entailment", "contradiction"],
    ).contradictions  # fmt: skip
    assert [(one.sentence, one.ids) for one in both] == [
        ("reverse entailment, allowed: 1", ("1",)),
        ("2 of 2 pairs with contradiction have it in one direction only.", ("0", "2")),
    ]
    pairs = [Pair("1", "a", "b", "entailment", "neutral"), Pair("2", "a", "c", "neutral", "neutral")]
    assert not judged("sick", pairs, Predictions("p", ["1", "2"], ["entailment", "none"]), "assin").contradictions
    pairs = [Pair(name, "a", name, "entailment", "neutral") for name in "1234"]
    said = Predictions("p", list("1234"), ["paraphrase", *["entailment"] * 3], ["none", "none", "", ""])
    for missing_wrong in (False, True):  # some swapped pairs answered move no accuracy
        found = judged("sick", pairs, said, "assin", missing_wrong=missing_wrong)
        sentence = found.contradictions[0].sentence
        assert (found.n, found.accuracy) == (4, 1) and "1 of 4 one-way" in sentence and "is 75.00\u00a0%" in sentence


def test_unknown_and_numbered_answers_are_told_and_few_related_sets_warned_of():
    with pytest.raises(InputError, match=r"\w+, answer for pair 0: There is no SICK label 'none'"):
        evaluated(["none"], ["none"], "assin2", "sick")
    with pytest.raises(InputError, match="'LABEL_1' is a number: say which label"):
        evaluated(["none"], ["LABEL_1"], "assin2", "sick")
    pairs = [Pair("1", "a", "b", "none"), Pair("2", "a", "b", "none")]
    with pytest.raises(InputError, match="the answer '0' is a number: say which label"):
        judged("assin2", pairs, Predictions("p", ["1", "2"], ["0", "LABEL_1"]), "assin2", missing_wrong=True)
    mixed = Predictions("p", ["1", "2"], ["none", "LABEL_1"])
    assert judged("assin2", pairs, mixed, "assin2", missing_wrong=True).accuracy == 0.5
    gold = ["entailment", "none"] * 20
    apart = evaluated(gold, gold, "assin2", "assin2")
    assert units(apart) == "40 pairs" and not few_sets(apart)
    pairs = [Pair(f"{n}", f"a{n // 7}", f"b{n}", label) for n, label in enumerate(gold)]
    sets = judged("assin2", pairs, Predictions("p", [pair.id for pair in pairs], gold), "assin2")
    assert units(sets) == "6 related sets of sentences" and sets.n_sets == 6
    assert few_sets(sets) == (
        "Over 6 related sets of sentences only: with fewer than 10, intervals and tests are not to be relied on."
    )
    two = [Pair("1", "a", "a", "none"), Pair("2", "a", "a", "entailment")]
    alone = judged("assin2", two, Predictions("p", ["1", "2"], ["none", "none"]), "assin2")
    assert "50.00 % (no interval, over one related set of sentences" in numbers(alone)
