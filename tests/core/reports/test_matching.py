"""How often an unrelated number is matched by chance: what is said against simulated numbers and against counting."""

import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.analysis.summary import mean_of_means
from pairlens.reports.multiverse import wording
from pairlens.reports.multiverse.matching import COLUMNS, _grain, match, printed

OWN = 0.81
"""The share that the run of a simulated table has right under its own way."""
WAYS = 12
CONDITIONS = [
    (n_items, numbers, spread, digits, sign)
    for n_items, numbers, spread, digits, sign in product(
        (24, 100, 1_000), ("shares", "any"), (1, 2, 5, 0), (0, 1, 2), ("%", "")
    )
    if not (numbers == "any" and digits == 2)  # so few are matched that a thousand draws say nothing
]
"""Items, whether the unrelated numbers are shares of as many items or any, their standard deviation around the run's
own in points (0: even from 50 to 100), the digits that are printed, whether a per cent sign is."""
SHORT = [(100, "shares", 2, 1, "%"), (100, "any", 1, 0, ""), (400, "shares", 1, 2, "")]
"""What used to be said of these: a sixth, a third and a twentieth of the truth."""


def table_of(n_items, generator):
    """What `printable` gives of a run whose ways agree as real ones do: on most items, and more among neighbours."""
    moved = generator.normal(0, 0.03, WAYS) + np.where(generator.random(WAYS) < 0.4, 0, generator.normal(-0.02, 0.03))
    right = np.rint(n_items * np.clip(OWN + np.append(0, moved[1:]), 0, 1))
    nats = generator.uniform(20, 70, WAYS)
    rows = []
    for way in range(WAYS):
        rows += [
            ("Accuracy", "%", f"way {way}", "", "", 100 * right[way] / n_items, 100 / n_items),
            ("Accuracy", "share", f"way {way}", "", "", right[way] / n_items, 1 / n_items),
            ("mean over all candidates", "nats", f"way {way}", "", "", nats[way], 0.0),
            ("mean over all candidates", "bits", f"way {way}", "", "", nats[way] / math.log(2), 0.0),
        ]
    return pd.DataFrame(rows, columns=[*COLUMNS])


def said_and_true(n_items, numbers, spread, digits, sign, draws, seed=1):
    """For unrelated numbers, the stated probability of a match, and whether it matched; shape (draws,) each."""
    generator = np.random.default_rng(seed)
    said, hit = np.empty(draws), np.empty(draws)
    for draw in range(draws):
        if draw % 20 == 0:
            table = table_of(n_items, generator)
        number = 200.0
        while not 0 <= number <= 100:
            number = generator.normal(100 * OWN, spread) if spread else generator.uniform(50, 100)
        if numbers == "shares":
            number = 100 * round(number / 100 * n_items) / n_items
        found = match(table, f"{number:.{digits}f}{sign}")
        said[draw], hit[draw] = found.reached / found.possible, len(found.hits) > 0
    return said, hit


def check(said, hit):
    error = 2 * math.sqrt(max(np.var(said - hit), np.mean(said * (1 - said))) / len(hit))  # some are hit by none
    assert hit.mean() / 1.5 - error <= said.mean() <= 1.5 * hit.mean() + error, (said.mean(), hit.mean())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("condition", "draws"),
    [*product(SHORT, [80]), *(pytest.param(one, 1_000, marks=pytest.mark.soak) for one in CONDITIONS)],
)
def test_an_unrelated_number_is_matched_as_often_as_is_said(condition, draws):
    check(*said_and_true(*condition, draws=draws))


def values_in(unit, *values, grain=0.0):
    return pd.DataFrame([("Accuracy", unit, "way", "", "", value, grain) for value in values], columns=[*COLUMNS])


def counts(found):
    near = int(found.table["near"].sum())
    return found.low, found.high, found.possible, found.reached, near, found.kind


def test_only_what_lies_near_is_counted_and_shares_of_few_items_are_few_numbers():
    table = pd.concat([values_in("%", 74.31, 74.29, 73.6, 80.0), values_in("bits", 74.9, 3.1, 910.0)])
    assert counts(match(table, "74.3")) == ("73.2", "75.4", 23, 3, 4, "any")
    assert counts(match(table, "74.3%")) == ("73.2", "75.4", 23, 2, 3, "any")
    assert counts(match(table, "74")) == ("73", "75", 3, 2, 4, "any")
    assert counts(match(values_in("%", 99.0, 100.0), "99.6"))[:3] == ("98.1", "100.0", 20)
    assert counts(match(values_in("share", 0.99, 1.0), "0.996"))[:3] == ("0.981", "1.000", 20)
    assert counts(match(values_in("bits", 99.0, 100.0), "99.6"))[:3] == ("98.1", "101.1", 31)
    table = pd.concat([values_in("%", 81.0, 82.0, 76.0, grain=1.0), values_in("bits", 80.53)])
    assert counts(match(table, "81.00")) == ("79.78", "82.22", 3, 2, 2, "shares")
    assert counts(match(table, "80.53")) == ("79.32", "81.74", 243 - 2, 1, 1, "others")
    assert counts(match(table, "81")) == ("80", "82", 3, 2, 3, "any"), "80.53 is printed as 81 too"
    between = values_in("%", 81.25, grain=1.25)
    assert counts(match(between, "81.2")) == ("80.0", "82.4", 3, 2, 1, "shares"), "81.25 is printed as 81.2 or 81.3"


@pytest.mark.slow
@given(
    st.lists(st.floats(0, 200), max_size=30), st.integers(0, 90_000), st.integers(0, 3), st.sampled_from([0, 0.7, 4])
)
def test_it_equals_counting_one_number_after_another(values, size, digits, grain):
    """Every number near it is compared with every value by `matches`."""
    if grain:
        values = [grain * round(value / grain / 2) for value in values]
    table = values_in("%", *values, grain=grain)
    number = f"{size / 1_000:.{digits}f}"
    found = match(table, number)
    one = printed(number)
    places = range(max(0, one.place - max(1, round(0.015 * one.place))), round(float(found.high) * 10**digits) + 1)
    texts = [f"{place / 10**digits:.{digits}f}" for place in places]
    multiples = [grain * n for n in range(int(200 / grain))] if grain else []
    coarse = grain > one.step and any(printed(text).matches(values).any() for text in texts)
    if coarse:
        shares = [text for text in texts if printed(text).matches(multiples).any()]
        texts = shares if number in shares else [text for text in texts if text not in shares]
    reached = [text for text in texts if printed(text).matches(values).any()] if values else []
    assert (found.possible, found.reached) == (len(texts), len(reached))
    assert found.table["near"].tolist() == [
        any(printed(text).matches([value])[0] for text in reached) for value in found.table["value"]
    ]
    assert found.hits["near"].all()


@pytest.mark.parametrize(
    ("table", "number", "said"),
    [
        (values_in("%", 74.31, 74.29, 73.6), "74.3",
         "2 of 3 ways give 74.3: Accuracy in %, way; Accuracy in %, way. Near it, from 73.2 to 75.4, are 23 "
         "numbers with as many digits; 3 ways give 2 of them. By chance: a number among them that has nothing "
         "to do with these ways is matched in 9 % of cases."),
        (values_in("%", 81.0, 81.0, grain=1.0), "81.0",
         "2 of 2 ways give 81.0: Accuracy in %, way; Accuracy in %, way. Near it, from 79.8 to 82.2, shares "
         "of so many items are 3 numbers; 2 ways give 1 of them. By chance: a number among them that has"
         " nothing to do with these ways is matched in 33 % of cases."),
        (values_in("%", 81.0, grain=1.0), "81.30",
         "None of 1 way gives 81.30. The nearest is 81: Accuracy in %, way. No share of so many items is "
         "81.30. Near it, from 80.08 to 82.52, are 243 numbers of that kind; no way gives any of them."),
        (values_in("bits", 3.0, 5.0), "41.37",
         "None of 2 ways gives 41.37. The nearest is 5: Accuracy in bits, way. Near it, from 40.75 to 41.99, "
         "are 125 numbers with as many digits; no way gives any of them."),
        (values_in("bits"), "41.37", "There is nothing that could be printed as 41.37."),
    ],
)  # fmt: skip
def test_the_sentence_says_what_was_counted_over_what(table, number, said):
    assert wording.matched(match(table, number)) == said


@pytest.mark.parametrize(
    ("sizes", "levels", "expected"),
    [
        ({("a", "x"): 20, ("a", "y"): 20}, [], 1 / 40),
        ({("a", "x"): 20, ("a", "y"): 20}, ["group"], 1 / 40),
        ({("a", "x"): 4, ("a", "y"): 2}, ["group"], 1 / 8),
        ({("a", "x"): 4, ("a", "y"): 2, ("b", "z"): 3}, ["family", "group"], 1 / 48),
        ({("a", "x"): 997, ("a", "y"): 1_009}, ["group"], 0.0),
    ],
)
def test_means_are_multiples_of_their_grain(sizes, levels, expected):
    rows = [place for place, n in sizes.items() for _ in range(n)]
    table = pd.DataFrame(rows, columns=["family", "group"]).assign(correct=1.0, tie=False)
    assert _grain(table, levels) == pytest.approx(expected)
    generator = np.random.default_rng(3)
    for _ in range(20 if expected else 0):
        value = mean_of_means(table.assign(correct=generator.integers(0, 2, len(table)) * 1.0), levels)
        assert value / expected == pytest.approx(round(value / expected))


def test_half_credit_is_half_as_coarse_and_ties_do_not_matter():
    table = pd.DataFrame({"correct": [1.0, 0.0, 0.5, 1.0], "tie": False})
    assert _grain(table, []) == 1 / 8
    assert _grain(table.assign(tie=[False, False, True, False]), []) == 1 / 4
    assert _grain(table.assign(correct=[1.0, 0.0, 0.3, 1.0]), []) == _grain(table.head(0), []) == 0.0
