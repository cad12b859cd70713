"""What the page of experiments shows: marked regions, names of conditions, sentences that say what was found."""

import math
import re
from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest

from pairlens.analysis.by_cond import cell_means, side_means
from pairlens.analysis.experiment import Analysis, Columns
from pairlens.analysis.interaction import Interaction, interaction
from pairlens.studies.experiment import design as designs
from pairlens.studies.experiment import drawing, wording
from pairlens.studies.experiment.design import Region, parts, read_design, shares, typed_design
from pairlens.studies.experiment.findings import factor_sets, find
from pairlens.studies.experiment.tables import MOST, tally, to_predict
from tests.experiment_tables import word_table

CONDITIONS = ("verb", "comma")
CELLS = [("left", "without"), ("left", "with"), ("arrived", "without"), ("arrived", "with")]


def crossed(*effects, spread=0.0):
    """Six items of a 2 x 2 design without pairs, whose cells cost so many bits more at the third word."""
    by_cell = dict(zip(CELLS, effects, strict=True))
    rows = [
        (str(item), *cell, "the dog ran away", "2", place)
        for place, (item, cell) in enumerate(product(range(6), by_cell))
    ]
    table = pd.DataFrame(rows, columns=["item", *CONDITIONS, "sentence", "ROI", "sentid"])
    design = read_design(table, Columns(pairid="", comparison="", item="item", conditions=CONDITIONS))
    noise = np.random.default_rng(1).normal(0, spread, len(rows))
    costs = [(1.0, 1.0, 10.0 + by_cell[row[1:3]] + extra, 1.0) for row, extra in zip(rows, noise, strict=True)]
    return find(design, word_table(design.sentences, costs), Analysis())


def paired(gaps, **columns):
    """Pairs whose unexpected sentence costs so many bits more at its third word."""
    rows = [
        {"pairid": str(number), "comparison": side, "sentence": f"the {side} ran", "ROI": "2", **{
            name: values[number] for name, values in columns.items()
        }}
        for number, side in product(range(len(gaps)), ("expected", "unexpected"))
    ]  # fmt: skip
    table = pd.DataFrame(rows).assign(sentid=range(len(rows)))
    design = read_design(table, Columns(conditions=tuple(columns)))
    costs = [(1.0, 1.0, 5.0 + (gap if side else 0.0)) for gap, side in product(gaps, (False, True))]
    return find(design, word_table(design.sentences, costs), Analysis())


def first(findings):
    return findings.by_cond.iloc[0]


def test_marks_replace_the_region_by_side_and_shading_is_the_share_of_sentences_with_a_position_in_it():
    design = paired([1.0, 2.0]).design
    assert design.has_region and not design.has_bars
    marked = design.marked(Region(designs.WORDS, (0, 1), (2,))).sentences
    assert list(marked["roi"]) == [(0, 1), (2,), (0, 1), (2,)]
    assert not design.marked(Region(designs.WHOLE)).has_region and design.marked(Region(designs.COLUMN)) is design
    design = typed_design(["The dog | ran.", "The dogs | run."])
    assert design.has_bars and not design.has_region
    row = design.sentences.iloc[0]
    assert [row["sentence"][start:end].strip() for start, end in parts(row, "previous")] == ["The dog", "ran."]
    assert design.marked(Region(designs.BARS, (1,), (1,))).has_bars
    by_word = design.marked(Region(designs.WORDS, (0,), (0,)))
    assert not by_word.has_bars and len(parts(by_word.sentences.iloc[0], "previous")) == 3
    named = design.marked(Region(designs.NAMED, named="ran / dogs"))
    assert list(named.sentences["roi"]) == ["ran", "dogs"] and not named.has_bars and named.excluded.empty
    number = typed_design(["In 3 houses.", "In three houses."]).marked(Region(designs.NAMED, named="3"))
    assert list(number.sentences["roi"]) == ["3", ()], "a number is a word here, and no position"
    assert number.excluded["reason"].tolist() == ["none of the words '3' stands in it once"]
    sentences = pd.DataFrame({"roi": [(2, 3), (3,), None, (3,)]})
    table = shares(sentences, spill=1).set_index(["position", "region"])["share"]
    assert table.to_dict() == {(2, "ROI"): 0.25, (3, "ROI"): 0.75, (4, "ROI+1"): 0.75}
    assert shares(pd.DataFrame({"sentence": ["a"]})).empty


@pytest.mark.slow
def test_factors_are_columns_of_two_values_facets_take_theirs_out_and_words_name_positions_where_all_have_one():
    assert factor_sets(crossed(0, 0, 0, 0).design) == [("verb", "comma")]
    assert factor_sets(paired([1.0, 2.0], number=["sg", "pl"]).design) == [("number", "comparison")]
    assert factor_sets(paired([1.0]).design) == []
    table = pd.DataFrame({"verb": ["left"], "comma": ["with"]})
    assert list(drawing.cell_names(table, ["verb", "comma"])) == ["left · with"]
    assert list(drawing.cell_names(table, [])) == [drawing.ALL]
    findings = paired([1.0, 2.0, 1.0, 2.0], number=["sg", "pl"] * 2)
    one = drawing.lines(findings.profile, ("number",), ())
    assert set(one["line"]) == {"sg", "pl"} and set(one["facet"]) == {drawing.ALL}
    each = drawing.lines(findings.profile, ("number",), ("number",))
    assert set(each["facet"]) == {"sg", "pl"} and set(each["line"]) == {drawing.ALL}
    assert set(one["label"]) == {"the", "expected / unexpected", "ran"}
    profile = pd.DataFrame({"position": [0, 0, 1, 1], "label": ["a", "", "b", "c"], "mean": 1.0})
    profile["verb"] = ["x", "y"] * 2
    assert drawing.lines(profile, ("verb",), ())["label"].tolist() == ["0", "0", "b / c", "b / c"]
    assert drawing.lines(profile, ("verb",), ("verb",))["label"].tolist() == ["a", "0", "b", "c"]
    profile = pd.DataFrame({"position": [0, 0, 1], "label": ["incomprehensibilities", "uncharacteristically", ""]})
    assert drawing.lines(profile.assign(mean=1.0), (), ())["label"].tolist() == ["0", "0", "1"]


@pytest.mark.parametrize(
    ("gaps", "said"),
    [
        ([3.0, 1.0, -1.0, 2.0],
         "Prefers the expected sentence in 3 of 4 pairs, by the region: 75 % "
         "(95 % interval 30 to 95, over 4 items)."),
        ([3.0], "Prefers the expected sentence, by the region."),
        ([-3.0], "Prefers the unexpected sentence, by the region."),
        ([0.0], "A tie, by the region."),
        ([0.0, 1.0],
         "Prefers the expected sentence in 1.5 of 2 pairs, by the region: 75 % "
         "(95 % interval 20 to 97, over 2 items). 1 tie."),
    ],
)  # fmt: skip
def test_a_preference_is_a_sentence_with_its_interval(gaps, said):
    assert wording.preference(first(paired(gaps)), "the region") == said


@pytest.mark.slow
def test_a_difference_is_said_from_the_side_of_the_expected_sentence():
    less = paired([3.0, 1.0, 2.0])
    low, high = -less.by_cond["diff_high"].iloc[0], -less.by_cond["diff_low"].iloc[0]
    assert (low, high) == pytest.approx((2 - 2.4841, 2 + 2.4841), abs=1e-3), "t interval of 3, 1, 2"
    said = wording.difference(first(less), less)
    assert said == "The region is 2.0 bits less surprising where it is expected (−0.48 to 4.5)."
    more = paired([-3.0, -1.0])
    assert "2.0 bits more surprising where it is expected" in wording.difference(first(more), more)
    alone = paired([3.0])
    assert wording.difference(first(alone), alone).endswith("there is no interval.")
    for gaps in ([0.0], [1.0, -1.0]):
        none = paired(gaps)
        said = wording.difference(first(none), none)
        assert said.startswith("No difference: the region is as surprising in one as in the other")
        assert ("(" in said) == (len(gaps) > 1)


def told(*effects, spread):
    found = crossed(*effects, spread=spread)
    crossing = interaction(found.regions, found.design.sentences, found.design.columns, found.analysis, CONDITIONS)
    return [say(crossing, "m", found.analysis) for say in (wording.interaction_of, wording.effects_of)]


@pytest.mark.slow
def test_an_interaction_is_said_if_it_is_there_and_stays_after_correction():
    """The trap of the page: both differences are 3 bits, and neither is a garden path."""
    said, costs = told(3, 0, 3, 0, spread=0.2)
    assert said.startswith("The interaction of verb and comma is ") and "not distinguishable from 0" in said
    assert "Comma, without against with: surprisal is " in costs
    assert [float(cost) for cost in re.findall(r"(\d\.\d) bits higher", costs)] == pytest.approx([3, 3], abs=0.3)
    said, costs = told(5, 0, 1, 0, spread=0.0)
    assert said == (
        "The interaction of verb and comma is 4.0 bits. With fewer than two items that differ there is no interval."
    )
    assert costs == (
        "Comma, without against with: surprisal is 5.0 bits higher where verb is left and 1.0 bits higher where verb "
        "is arrived."
    )
    assert told(5, 0, 1, 0, spread=0.1)[0].endswith("the effect of comma depends on verb.")
    row = {"model": "m", "region": "ROI", "mean": 1.0, "low": 0.1, "high": 1.9, "n_items": 12}
    table = pd.DataFrame([{**row, "p": 0.04, "p_holm": 0.08}, {**row, "region": "ROI+1", "p": 0.5, "p_holm": 0.5}])
    nothing = pd.DataFrame()
    found = Interaction(("verb", "comma"), (("a", "b"), ("c", "d")), table, nothing, nothing, nothing, nothing)
    assert wording.interaction_of(found, "m", Analysis()) == (
        "The interaction of verb and comma is 1.0 bits (0.10 to 1.9, over 12 items, p\u00a0=\u00a00.08 corrected "
        "for 2 regions): not distinguishable from 0, so no sign that the effect of comma depends on verb."
    )


@pytest.mark.parametrize(
    ("n_items", "skew", "warned"),
    [
        ([1, 1], 9.0, ""), ([10, 1], 0.6, ""), ([2, 30], 0.0, "Over 2 items"), ([9], 9.0, "Over 9 items"),
        ([19], math.nan, ""), ([100, 25], -2.0, ""), ([100, 27], -2.1, "The values of 100 items are so skewed"),
        ([110], 2.1, "The values of 110 items are so skewed (skewness 2.1) that t intervals and tests of"),
    ],
)  # fmt: skip
def test_few_items_and_skewed_values_are_warned_of(n_items, skew, warned):
    """Cochran's rule: n of at least 25 times the squared skewness; the row that lacks most is told of."""
    said = wording.few_items(pd.DataFrame({"n_items": n_items, "skew": [skew, *[-skew / 2] * (len(n_items) - 1)]}))
    assert said.startswith(warned) and bool(said) == bool(warned)


@pytest.mark.parametrize(("numbers", "pairs"), [("sg sg pl pl", "2 pairs"), ("sg pl", "0 pairs")])
def test_the_summary_counts_pairs_as_they_are_compared(numbers, pairs):
    """A number may be that of one pair in every condition; two sentences of different conditions are none."""
    values = numbers.split()
    table = pd.DataFrame({"sentence": [f"the dog {place}" for place in range(len(values))], "number": values})
    table = table.assign(pairid="1", comparison=["expected", "unexpected"] * (len(values) // 2))
    said = wording.summary(read_design(table, Columns(sentid="", item="", roi="", conditions=("number",))))
    assert said.startswith(f"{len(values)} sentences in {pairs}; conditions: number (sg, pl).")


def test_means_by_side_are_means_over_pairs_with_intervals_over_items_or_over_sentences_without_pairs():
    findings = paired([3.0, 1.0, 2.0, 2.0], number=["sg", "sg", "pl", "pl"])
    table = side_means(findings.by_pair, findings.design.columns).set_index(["number", "comparison"])
    assert table.loc[("sg", "expected"), "value"] == 5.0 and table.loc[("sg", "unexpected"), "value"] == 7.0
    half = 12.7062 * np.std([3.0, 1.0], ddof=1) / np.sqrt(2)
    assert table.loc[("sg", "unexpected"), "high"] == pytest.approx(7.0 + half, rel=1e-4)
    assert np.isnan(table.loc[("pl", "unexpected"), "low"]), "equal values have no interval"
    assert (table["n"] == 2).all()
    found = crossed(3, 0, 1, 0)
    table = cell_means(found.regions, found.design.sentences, found.design.columns, found.analysis)
    assert table.set_index(["verb", "comma"])["value"].to_dict() == dict(zip(CELLS, (13, 10, 11, 10), strict=True))
    assert (table["n"] == 6).all() and (table["comparison"] == "").all()


def _asked(n):
    return to_predict(typed_design([f"Cat {k} {verb}." for k in range(n) for verb in ("sleeps", "sleep")]))


@pytest.mark.slow
def test_few_pairs_are_all_asked_for_many_evenly_their_sides_always_alike_and_choices_counted():
    assert len(_asked(3)) == 3
    many = [int(pair[0].split()[1]) for pair in _asked(100)]
    assert len(many) == MOST and many[0] == 0 and many[-1] == 99 and many == sorted(many)
    assert max(b - a for a, b in pairwise(many)) <= 10
    found = _asked(12)
    assert {*found.values()} == {"A", "B"} and found == _asked(12)
    for (a, b), letter in found.items():
        assert ("sleeps" in (a if letter == "A" else b)) and ("sleeps" not in (b if letter == "A" else a))
    rows = [("x", "y", "good", "good"), ("u", "v", "bad", "good")]
    said = tally(pd.DataFrame(rows, columns=["good", "bad", "you", "english-small"]), "good")
    assert said == "You chose the good sentence in 1 of 2 pairs; english-small prefers it in 2 of them."
