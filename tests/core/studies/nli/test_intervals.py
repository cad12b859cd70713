"""Intervals and p-values over related sets, where the truth is known."""

import math

import numpy as np
import pytest

from pairlens.files.nli.pairs import Corpus, Pair, Predictions
from pairlens.studies.nli import metrics
from pairlens.studies.nli.evaluation import compare, evaluate
from pairlens.studies.nli.matched import match
from pairlens.studies.nli.metrics import over_sets

CLASSES = ("entailment", "neutral", "contradiction")
GOLD = (0.3, 0.55, 0.15)
NUMBERS = {"accuracy": metrics.accuracy, "macro_f1": metrics.macro_f1, "mcc": metrics.mcc}


def sets_of(n_sets, size, draw):
    """Pairs that share their premise within a set."""
    gold = draw.choice(CLASSES, size=n_sets * size, p=GOLD)
    pairs = [Pair(f"{place}", f"p{place // size}", f"h{place}", label) for place, label in enumerate(gold)]
    return Corpus("drawn", "snli", pairs)


def answered(corpus, right, draw):
    """The evaluation of answers that are right where said, and else any other label."""
    other = draw.integers(1, 3, len(corpus))
    labels = [
        pair.gold if hit else CLASSES[(CLASSES.index(pair.gold) + step) % 3]
        for pair, hit, step in zip(corpus, right, other, strict=True)
    ]
    return evaluate(match(corpus, Predictions("m", [pair.id for pair in corpus], labels)), "snli")


def hits(n_sets, size, accuracy, draw):
    """Which pairs are right, as often as `accuracy`; sets are easier and harder ones."""
    from scipy.stats import norm

    ease = np.repeat(draw.normal(size=n_sets), size) * math.sqrt(0.3 if size > 1 else 0)
    noise = draw.normal(size=n_sets * size) * math.sqrt(0.7 if size > 1 else 1)
    return ease + noise < norm.ppf(accuracy)


def coverage(n_sets, size, accuracy, draws):
    """How often each interval holds the number that infinitely many pairs have, if most draws have one at all."""
    draw = np.random.default_rng(20)
    wrong = (1 - accuracy) / 2
    endless = np.array(GOLD)[:, None] * (np.full((3, 3), wrong) + np.eye(3) * (accuracy - wrong))
    truth = {name: float(number(endless)) for name, number in NUMBERS.items()}
    held, drawn = dict.fromkeys(NUMBERS, 0), dict.fromkeys(NUMBERS, 0)
    for _ in range(draws):
        corpus = sets_of(n_sets, size, draw)
        found = answered(corpus, hits(n_sets, size, accuracy, draw), draw)
        for name in NUMBERS:
            low, high = getattr(found, f"{name}_interval")
            held[name] += low <= truth[name] <= high
            drawn[name] += not math.isnan(low)  # of too few pairs of a class there is none
    return {name: held[name] / n for name, n in drawn.items() if n > draws / 2}


def rejections(size, draws):
    """How often p and McNemar's are below .05 for models of which each prefers other sets, neither more often."""
    draw = np.random.default_rng(21)
    n_sets, ours, theirs = 60, 0, 0
    for _ in range(draws):
        corpus = sets_of(n_sets, size, draw)
        lead = np.repeat(draw.normal(size=n_sets), size)
        right = (draw.normal(size=n_sets * size) + 0.8 + sign * lead > 0 for sign in (1, -1))
        found = compare(*(answered(corpus, each, draw) for each in right))
        ours += found.p < 0.05
        theirs += found.discordant.p < 0.05
    return ours / draws, theirs / draws


@pytest.mark.slow
def test_intervals_hold_the_truth_and_p_errs_in_five_percent_where_related_pairs_are_alike():
    """Intervals over single pairs hold it in 75 to 82 % of these draws."""
    found = coverage(30, 9, 0.6, 25)
    assert {*found} == {*NUMBERS}
    assert all(share >= 0.88 for share in found.values()), found
    ours, mcnemars = rejections(6, 20)
    assert ours <= 0.1 < 0.16 < mcnemars


@pytest.mark.soak
@pytest.mark.parametrize(("n_sets", "size", "accuracy"), [(30, 9, 0.6), (30, 9, 0.95), (100, 9, 0.8), (100, 1, 0.8)])
def test_coverage_in_every_condition(n_sets, size, accuracy):
    found = coverage(n_sets, size, accuracy, 1_000)
    assert {"accuracy", "mcc"} <= {*found}
    assert all(0.91 <= share <= 0.985 for share in found.values()), found


@pytest.mark.soak
@pytest.mark.parametrize("size", [1, 2, 6])
def test_error_rate_in_every_condition(size):
    assert 0.02 <= rejections(size, 1_000)[0] <= 0.065


def test_the_variance_of_macro_f1_is_that_of_the_delta_method_and_intervals_where_nothing_varies():
    """By hand for single pairs: each is worth (2 hit - F1 (gold + answered)) / (gold + answered) of a class."""
    matrix = np.array([[30, 10], [5, 55]])
    counts = np.concatenate([np.repeat(np.eye(4)[[cell]], n, axis=0) for cell, n in enumerate(matrix.ravel())])
    gold, said = np.divmod(counts.argmax(axis=1), 2)
    worth = np.zeros(100)
    for name in (0, 1):
        whole = matrix[name].sum() + matrix[:, name].sum()
        f1 = 2 * matrix[name, name] / whole
        mine, theirs = gold == name, said == name
        worth += 100 * (2 * (mine & theirs) - f1 * (mine.astype(int) + theirs)) / whole / 2
    value = float(metrics.macro_f1(matrix))
    variance = worth.var(ddof=1) / 100
    low, high = over_sets(counts.reshape(-1, 2, 2), metrics.macro_f1)
    t = 1.9842169  # the 97.5 % quantile of Student's t with 99 degrees of freedom
    for bound in (low, high):  # Wilson's bounds are where the number is t standard errors away
        size = value * (1 - value) / variance
        assert abs(bound - value) == pytest.approx(t * math.sqrt(bound * (1 - bound) / size), rel=1e-3)
    right = np.array([[[2, 0], [0, 1]]] * 12)
    for number, least in ((metrics.macro_f1, 0.0), (metrics.mcc, -1.0)):
        low, high = over_sets(right, number, least)
        assert high == 1 and 0.4 < low < 0.8 and all(map(math.isnan, over_sets(right[:1], number, least)))
    assert all(map(math.isnan, over_sets(np.zeros((1, 2, 2), np.int64), metrics.macro_f1)))
    draw = np.random.default_rng(2)
    corpus = sets_of(60, 4, draw)
    found = answered(corpus, hits(60, 4, 0.7, draw), draw)
    answers = dict(zip(found.answers["id"], found.answers["answer"], strict=True))
    turned = corpus.only(corpus.pairs[::-1])
    again = evaluate(match(turned, Predictions("m", list(answers), list(answers.values()))), "snli")
    for name in ("macro_f1_interval", "mcc_interval"):
        assert getattr(found, name) == pytest.approx(getattr(again, name), abs=1e-12)
