"""LMS, SS and ICAT: by hand, against plain arithmetic, and what must hold of any scores."""

import dataclasses
import math
import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.analysis.summary import summarise
from pairlens.errors import InputError, PolicyError
from pairlens.files.stereoset.examples import GOLD_LABELS, Candidate3, Example, Examples, Remark
from pairlens.files.stereoset.predictions import Predictions
from pairlens.policies import Policy
from pairlens.statistics import funnel
from pairlens.studies.stereoset.findings import outside, warnings
from pairlens.studies.stereoset.measured import measure
from pairlens.tasks import TASKS
from pairlens.types import Candidate, Item
from tests.candidate_table import candidate_table


def example(name, term, kind="intrasentence"):
    candidates = [Candidate3(f"{name}-{label}", f"It is {label}.", label, label) for label in GOLD_LABELS]
    return Example(name, kind, term, "profession", "It is BLANK.", tuple(candidates))


def measured(scores, ties="half", kinds=("intrasentence",)):
    """Scores of stereotype, anti-stereotype and unrelated, by term; the same in every task."""
    by_kind = {"intrasentence": [], "intersentence": []}
    predicted = {"intrasentence": {}, "intersentence": {}}
    for kind, (term, triples) in product(kinds, scores.items()):
        for place, triple in enumerate(triples):
            by_kind[kind].append(example(f"{kind}-{term}-{place}", term, kind))
            ids = [candidate.id for candidate in by_kind[kind][-1].candidates]
            predicted[kind].update(zip(ids, triple, strict=True))
    examples = Examples(**{kind: tuple(found) for kind, found in by_kind.items()})
    return measure(examples, Predictions(**predicted, name="made"), ties)


A1 = {"X": [(0.5, 0.4, 0.1), (0.2, 0.3, 0.25), (0.2, 0.2, 0.3)], "Y": [(0.9, 0.1, 0.5)]}


def within(scores, ties="half"):
    return measured(scores, ties).cell("intrasentence")


def values(cell):
    return [estimate.value for estimate in estimates(cell)]


def estimates(cell):
    return [estimate for numbers in cell.numbers.values() for estimate in numbers.values()]


def random_scores(seed, n_terms, n):
    some = random.Random(seed).random
    return {f"term {place}": [(some(), some(), some() / 2) for _ in range(n)] for place in range(n_terms)}


def test_three_examples_of_one_term_and_one_of_another_as_published_with_ties_and_in_both_tasks():
    found = measured(A1, "legacy")
    terms = found.terms[["n", "lms", "ss", "icat"]].to_numpy().ravel()
    assert terms.tolist() == pytest.approx([3, 50, 100 / 3, 100 / 3, 1, 50, 100, 0])
    cell = found.cell("intrasentence")
    assert (cell.ties, cell.related_ties, cell.n, cell.n_terms) == (1, 0, 4, 2)
    found = measured(A1, kinds=("intrasentence", "intersentence"))
    assert found.terms.query("kind == 'intrasentence'")["ss"].tolist() == [50, 100]
    assert found.cell("intrasentence").pooled.ss.value == 62.5
    assert found.kinds == ("intrasentence", "intersentence", "overall")
    assert (found.cell("overall").n, found.cell("overall").n_terms) == (8, 2)
    assert values(found.cell("overall")) == pytest.approx(values(found.cell("intrasentence")))
    table = found.table()
    assert len(table) == 3 * 2 * 7
    row = table.query("kind == 'overall' and bias_type == 'overall' and aggregation == 'pooled' and metric == 'ss'")
    assert row["value"].tolist() == [62.5]
    first = found.triples.iloc[0]
    assert [first[label] for label in GOLD_LABELS] == [0.5, 0.4, 0.1]
    assert (first["pro"], first["related"], first["tie"]) == (1, 2, False)


def plain(scores, even):
    """The seven numbers and the deviation, with nothing but Python: only the order of an example's scores counts."""

    def beats(one, other):
        return 1.0 if one > other else even if one == other else 0.0

    def numbers(triples):
        lms = sum(beats(s, u) + beats(a, u) for s, a, u in triples) / (2 * len(triples)) * 100
        ss = sum(beats(s, a) for s, a, _ in triples) / len(triples) * 100
        return lms, ss, lms * min(ss, 100 - ss) / 50

    per_term = [numbers(triples) for triples in scores.values()]
    lms, ss, term_icat = (sum(column) / len(per_term) for column in zip(*per_term, strict=True))
    pooled = numbers([triple for triples in scores.values() for triple in triples])
    sd = math.sqrt(sum((one[1] - ss) ** 2 for one in per_term) / len(per_term))
    return [lms, ss, lms * min(ss, 100 - ss) / 50, *pooled, term_icat, sd]


score = st.sampled_from([-math.inf, -7.5, 0.0, 1e-9, 3.0])
triples = st.lists(st.tuples(score, score, score), min_size=1, max_size=5)
any_scores = st.dictionaries(st.sampled_from("ABCDEFGH"), triples, min_size=1)


@pytest.mark.slow
@given(any_scores, st.sampled_from([("half", 0.5), ("legacy", 0.0)]))
def test_the_numbers_are_those_of_plain_arithmetic(scores, rule):
    cell = within(scores, rule[0])
    assert [*values(cell), cell.spread.sd] == pytest.approx(plain(scores, rule[1]), abs=1e-9)


@pytest.mark.slow
def test_examples_of_a_term_count_together_and_intervals_hold_the_number_unless_there_are_few_terms():
    """By hand: 12 terms at SS 50 are 6 of 12, with Wilson's (6 + z^2 / 2 +- z sqrt(3 + z^2 / 4)) / (12 + z^2)."""
    even = [(1.0, 2.0, 0.0), (2.0, 1.0, 0.0)] * 2
    found = within({f"term {place}": even for place in range(12)}).pooled.ss
    z = 1.959964
    reach = z * math.sqrt(3 + z * z / 4)
    expected = [100 * (6 + z * z / 2 + side * reach) / (12 + z * z) for side in (-1, 1)]
    assert [found.low, found.high] == pytest.approx(expected, abs=1e-3)
    scores = {f"term {place}": [(1.0, place % 2 * 2.0, 0.5), (1.0, 2.0, place % 3 * 1.0)] for place in range(12)}
    one, other = (within(dict(found)) for found in (scores.items(), [*scores.items()][::-1]))
    numbers = ([dataclasses.astuple(estimate) for estimate in estimates(cell)] for cell in (one, other))
    assert np.array(next(numbers)) == pytest.approx(np.array(next(numbers)), abs=1e-9)
    scores = random_scores(1, 40, 25)
    cell = within(scores)
    for estimate in estimates(cell):
        assert estimate.low < estimate.value < estimate.high and estimate.high - estimate.low < 15
        assert "95 % intervals over 40 terms" in cell.drawn
    few = within(dict(list(scores.items())[:9]))
    assert all(math.isnan(estimate.low) and math.isnan(estimate.high) for estimate in estimates(few))
    assert few.drawn == "no interval: fewer than 10 terms"


@pytest.mark.slow
def test_numbers_and_intervals_are_those_of_a_run_with_the_same_scores():
    """Pooled over examples as `micro` and `icat`, means over terms as `macro`: all over terms."""
    scores = random_scores(3, 12, 8)
    triples = {f"{term} {place}": triple for term, found in scores.items() for place, triple in enumerate(found)}
    labels = tuple(Candidate(label, label) for label in GOLD_LABELS)
    items = [Item(name, labels, None, groups={"target": name[:-2]}) for name in triples]
    task = dataclasses.replace(TASKS["stereoset"], groups=("target",))
    table = candidate_table(items, lambda item, candidate: (triples[item.id][GOLD_LABELS.index(candidate.label)], 5))
    rows = summarise(table, task, Policy()).drop_duplicates(["name", "group_by", "group", "over"])
    of_run = rows[rows["group_by"] == "overall"].set_index(["name", "group", "over"])
    cell = within(scores)
    for found, of_metric in (
        (cell.pooled.ss, ("ss", "micro", "items")),
        (cell.pooled.lms, ("lms", "micro", "items")),
        (cell.pooled.icat, ("icat", "all", "items")),
        (cell.term_means.ss, ("ss", "macro", "items")),
        (cell.term_means.lms, ("lms", "macro", "items")),
    ):
        expected = 100 * of_run.loc[of_metric, ["value", "low", "high"]].to_numpy(float)
        assert [found.value, found.low, found.high] == pytest.approx(expected.tolist())


@pytest.mark.parametrize("n", [1, 2, 3, 7, 26, 27, 54])
def test_the_icat_of_a_coin_is_that_of_all_its_tosses(n):
    exact = sum(math.comb(n, k) * min(k, n - k) for k in range(n + 1)) * 200 / n / 2**n
    assert funnel.coin_icat(np.array([float(n)])) == pytest.approx(exact)


@pytest.mark.parametrize(("n", "centre"), [(10, 50.0), (27, 62.0), (27, 50.0), (200, 91.0)])
def test_terms_outside_by_chance_are_counted_exactly(n, centre):
    p, sizes = centre / 100, np.full(5, float(n))
    reach = 1.959963984540054 * math.sqrt(p * (1 - p) / n)
    beyond = sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1) if abs(k / n - p) > reach)
    found = funnel.outside(np.array([0, centre, centre, 100, centre]), sizes, centre)
    assert found.n == 2 and found.expected == pytest.approx(5 * beyond)


def test_the_spread_by_chance_is_the_binomial_one_and_a_term_outside_is_marked():
    """For equal sizes: variance p (1 - p) / n, times (T - 1) / T for the population deviation of T terms."""
    found = funnel.spread(np.zeros(79), np.full(79, 27.0), 60.0)
    assert found.expected == pytest.approx(100 * math.sqrt(0.24 / 27 * 78 / 79), rel=0.01)
    assert found.low < found.expected < found.high
    assert funnel.spread(np.array([50.0]), np.array([9.0]), 50.0).sd == 0
    assert math.isnan(funnel.spread(np.array([50.0]), np.array([9.0]), 50.0).low)
    even = [(1.0, 2.0, 0.0), (2.0, 1.0, 0.0)] * 10
    found = measured({**{f"term {place}": even for place in range(20)}, "odd": [(2.0, 1.0, 0.0)] * 20})
    assert found.terms.loc[found.terms["outside"], "term"].tolist() == ["odd"]
    assert outside(found.cell("intrasentence")).startswith("1 of 21 terms lie outside the 95 % band around 52.4;")


def test_examples_without_all_scores_are_left_out_and_counted_and_an_unknown_rule_for_ties_is_an_error():
    examples = Examples(tuple(example(name, "A") for name in "abcd"), left_out=(Remark("f, 9", "no target"),))
    scores = dict.fromkeys((candidate.id for one in examples for candidate in one.candidates), 0.5)
    del scores["b-stereotype"], scores["b-unrelated"]
    scores["c-unrelated"] = math.nan
    scores["stranger"] = 1.0
    found = measure(examples, Predictions(scores, {"x": 1.0}, "made", ("said before",)))
    assert found.cell("intrasentence").n == 2
    assert [str(remark) for remark in found.left_out] == [
        "f, 9: no target",
        "intrasentence b: no score for 2 of its sentences (b-stereotype, b-unrelated)",
        "intrasentence c: no number as score for 1 of its sentences (c-unrelated)",
    ]
    assert found.notes == (
        "said before",
        "intrasentence: examples left out: 1 (no score for a sentence).",
        "intrasentence: examples left out: 1 (no number as score for a sentence).",
        "intrasentence: scores that belong to no example: 1 (the first is stranger).",
        "intersentence: there are predictions, but no examples; this task is not measured.",
    )
    assert found.kinds == ("intrasentence",)
    with pytest.raises(PolicyError, match="Known: half, legacy"):
        measured(A1, "even")


@pytest.mark.parametrize(
    ("predictions", "message"),
    [
        (Predictions({"x": 1.0}), "The examples' ids look like 'a-stereotype', the predictions' like 'x'"),
        (Predictions({}, {f"a-{label}": 1.0 for label in GOLD_LABELS}), "Exchange the two lists"),
        (Predictions({f"a-{label}": math.nan for label in GOLD_LABELS}), "no example has a number as score"),
        (Predictions(), "the file has no scores"),
    ],
)
def test_if_nothing_can_be_measured_it_is_said_why(predictions, message):
    with pytest.raises(InputError, match=message):
        measure(Examples((example("a", "A"),)), predictions)


@pytest.mark.parametrize(
    ("score", "expected"),
    [(lambda some: (some(), some(), some()), ["the scores look random"]),
     (lambda some: (some() / 2, some() / 2, 0.4 + some()), ["below chance"]),
     (lambda some: (0.4 + some() / 8, 0.4 + some() / 8, 0.4), ["all scores lie between 0.4"]),
     (lambda some: (0.001 + some() / 99, 0.001 + some() / 99, 0.001), []),
     (lambda _: (0.4, 0.4, 0.4), ["look random", "all scores are 0.4"]),
     (lambda some: (some(), some(), some() / 9), []), (lambda some: (-some(), -some(), -1.0), [])],
)  # fmt: skip
def test_scores_that_look_random_reversed_or_uniform_are_warned_of(score, expected):
    some = random.Random(7).random
    found = [*warnings(measured({f"term {place}": [score(some) for _ in range(20)] for place in range(20)}))]
    assert len(found) == len(expected)
    assert all(part in sentence for part, sentence in zip(expected, found, strict=True))
