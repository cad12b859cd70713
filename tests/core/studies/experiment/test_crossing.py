"""Designs with items, factors and a comparison under the table's own names: pairs, means and interactions by hand."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from pairlens.analysis.experiment import Analysis, Columns
from pairlens.analysis.interaction import example
from pairlens.evaluation.evaluate import save
from pairlens.studies.experiment import wording
from pairlens.studies.experiment.columns import guess_columns
from pairlens.studies.experiment.design import WHOLE, Region, read_design
from pairlens.studies.experiment.findings import crossed, everywhere, factor_sets, find, in_own_names, usual_factors
from pairlens.tasks._pair_columns import SIDES
from tests.experiment_tables import word_table
from tests.refusals import error_of

GRAM = ("grammatical", "ungrammatical")
COSTS = np.array([
    [[2.0, 6.5], [3.0, 3.5]],
    [[1.0, 7.0], [2.5, 4.0]],
    [[2.5, 5.5], [3.5, 2.5]],
    [[1.5, 6.0], [2.0, 4.5]],
])  # fmt: skip
"""Bits at the verb: item x attractor (sg, pl) x grammaticality."""
LONG = COSTS * np.array([1.0, 1.25]) + np.array([[0.0, 1.0], [0.5, 0.25]])
"""The same at a longer distance."""


def table(**levels):
    """A row per item and combination of levels, four words each, the third of which is the region."""
    rows = [
        {"item": str(item), **dict(zip(levels, cell, strict=True)), "ROI": "2",
         "sentence": f"the {'_'.join(cell)} was old"}
        for item, cell in product(range(len(COSTS)), product(*levels.values()))
    ]  # fmt: skip
    return pd.DataFrame(rows)


def found(rows, costs, **roles):
    """With these bits at the third word."""
    return analysed(rows, [[1.0, 5.0, cost, 0.0] for cost in costs.ravel()], **roles)


def analysed(rows, bits, **roles):
    design = read_design(rows, replace(guess_columns(rows), **roles))
    return find(design, word_table(design.sentences, bits), Analysis())


def attraction():
    return table(attractor=("sg", "pl"), grammaticality=GRAM)


@pytest.fixture(scope="module")
def two_by_two():
    return found(attraction(), COSTS)


def by_scipy(values):
    tested = stats.ttest_1samp(values, 0)
    bounds = tested.confidence_interval(0.95)
    return values.mean(), bounds.low, bounds.high, tested.pvalue


def test_pairs_follow_from_items_and_conditions_where_none_are_named(two_by_two):
    findings = two_by_two
    assert findings.design.columns.pairid == "item" and findings.excluded.empty
    assert wording.summary(findings.design).startswith("16 sentences in 8 pairs of 4 items; conditions: attractor")
    overall, *cells = findings.by_cond.to_dict("records")
    assert overall["diff"] == pytest.approx((COSTS[..., 0] - COSTS[..., 1]).mean())
    assert [cell["attractor"] for cell in cells] == ["sg", "pl"]
    assert [cell["diff"] for cell in cells] == pytest.approx((COSTS[..., 0] - COSTS[..., 1]).mean(axis=0))


@pytest.mark.slow
def test_a_condition_that_is_not_named_is_missed_by_its_pairs_and_no_mean_is_over_both_sides():
    findings = found(attraction(), COSTS, conditions=())
    assert not wording.has_pairs(findings.design) and findings.excluded.empty
    assert "an item has several in the same conditions" in wording.summary(findings.design)
    means = findings.means.set_index("comparison")["value"]
    assert means[["expected", "unexpected"]].tolist() == pytest.approx([COSTS[..., on].mean() for on in (0, 1)])
    assert "no complete pair" in error_of(lambda: save([], None, None))
    means = found(attraction().drop(columns="item"), COSTS).means.set_index(["attractor", "comparison"])["value"]
    assert means.to_dict() == pytest.approx({
        (name, side): COSTS[:, at, on].mean()
        for at, name in enumerate(("sg", "pl")) for on, side in enumerate(("expected", "unexpected"))
    })  # fmt: skip


@pytest.mark.slow
def test_the_usual_interaction_is_that_of_a_condition_and_the_comparison_in_any_order_of_the_table(two_by_two):
    assert usual_factors(two_by_two.design) == ("attractor", "grammaticality")
    crossing = crossed(two_by_two, ("attractor", "comparison"))
    assert crossing.factors == ("attractor", "grammaticality") and crossing.levels == (("sg", "pl"), GRAM)
    values = (COSTS[:, 0, 0] - COSTS[:, 0, 1]) - (COSTS[:, 1, 0] - COSTS[:, 1, 1])
    row = crossing.table.iloc[0]
    assert (row["mean"], row["low"], row["high"], row["p"]) == pytest.approx(by_scipy(values))
    cells = crossing.cells.set_index(["attractor", "grammaticality"])
    for (at, name), (on, side) in product(enumerate(("sg", "pl")), enumerate(GRAM)):
        mean, low, high, _ = by_scipy(COSTS[:, at, on])
        assert cells.loc[(name, side), ["mean", "low", "high"]].tolist() == pytest.approx([mean, low, high])
    rows = table(attractor=("sg", "pl"), grammaticality=GRAM[::-1])
    crossing = crossed(found(rows, COSTS[..., ::-1]), ("attractor", "grammaticality"))
    assert crossing.levels[1] == GRAM
    assert crossing.table["mean"][0] == pytest.approx(crossed(two_by_two, crossing.factors).table["mean"][0])


@pytest.mark.slow
def test_a_three_way_interaction_is_the_difference_of_two():
    costs = np.stack([COSTS, LONG], axis=1)
    findings = found(table(distance=("short", "long"), attractor=("sg", "pl"), grammaticality=GRAM), costs)
    assert factor_sets(findings.design) == [
        ("distance", "grammaticality"), ("attractor", "grammaticality"), ("distance", "attractor"),
        ("distance", "attractor", "grammaticality"),
    ]  # fmt: skip
    crossing = crossed(findings, ("distance", "attractor", "grammaticality"))
    gram = costs[..., 0] - costs[..., 1]
    two_way = gram[..., 0] - gram[..., 1]
    row = crossing.table.iloc[0]
    assert (row["mean"], row["low"], row["high"], row["p"]) == pytest.approx(by_scipy(two_way[:, 0] - two_way[:, 1]))
    expected = {
        "attractor × grammaticality, distance short": two_way[:, 0],
        "attractor × grammaticality, distance long": two_way[:, 1],
        "distance × attractor": (costs * [[[[1]], [[-1]]]] * [[[1], [-1]]]).sum(axis=(1, 2)).mean(axis=-1),
        "distance × grammaticality": (gram[:, 0] - gram[:, 1]).mean(axis=-1),
        "attractor × grammaticality": two_way.mean(axis=1),
        "short - long": (costs[:, 0] - costs[:, 1]).mean(axis=(1, 2)),
        "sg - pl": (costs[:, :, 0] - costs[:, :, 1]).mean(axis=(1, 2)),
        "grammatical - ungrammatical": gram.mean(axis=(1, 2)),
    }
    effects = crossing.effects.set_index("effect")
    assert list(effects.index) == list(expected)
    assert effects["kind"].tolist() == ["simple"] * 2 + ["two-way"] * 3 + ["main"] * 3
    for name, values in expected.items():
        assert effects.loc[name, ["mean", "low", "high", "p"]].tolist() == pytest.approx(by_scipy(values)), name
    said = wording.interaction_of(crossing, "m", Analysis())
    assert said.startswith("The three-way interaction of distance, attractor and grammaticality is ")
    assert "the interaction of attractor and grammaticality depends on distance" in said
    assert wording.formula(crossing) == (
        "Interaction: (sg grammatical − sg ungrammatical) − (pl grammatical − pl ungrammatical) at distance short, "
        "minus the same at distance long, item by item."
    )


LATER = np.array([0.0, 0.5, 0.25, 0.75])
"""Bits that the first cell costs more in the last region, by item."""


@pytest.fixture(scope="module")
def garden_path():
    """Two conditions, nothing compared, bars between regions and none of them marked."""
    rows = table(verb=("left", "arrived"), comma=("without", "with")).drop(columns="ROI")
    rows["sentence"] = "When he left | the house | was | dark."
    design = read_design(rows, guess_columns(rows))
    later = np.full(COSTS.shape, 4.0)
    later[:, 0, 0] += LATER
    bits = [[1.0, 1.0, 1.0, 2.0, 3.0, *two] for two in zip(COSTS.ravel(), later.ravel(), strict=True)]
    return find(design.marked(Region(WHOLE)), word_table(design.sentences, bits), Analysis())


@pytest.mark.slow
def test_every_region_between_bars_has_its_interaction_though_none_is_marked(garden_path):
    assert garden_path.regions["region"].unique().tolist() == ["sentence"]
    spread = everywhere(garden_path, ("verb", "comma"))
    rows = spread.table.set_index("region")
    assert list(rows.index) == ["0 When he left", "1 the house", "2 was", "3 dark."]
    mean, low, high, p = by_scipy((COSTS[:, 0, 0] - COSTS[:, 0, 1]) - (COSTS[:, 1, 0] - COSTS[:, 1, 1]))
    assert rows.loc["2 was", ["mean", "low", "high", "p"]].tolist() == pytest.approx([mean, low, high, p])
    last = by_scipy(LATER)
    assert rows.loc["3 dark.", ["mean", "p"]].tolist() == pytest.approx([last[0], last[3]])
    assert rows.loc["2 was", "p_holm"] == pytest.approx(min(1.0, 2 * min(p, last[3]))), "two of four can be tested"
    assert rows.loc["0 When he left", "mean"] == 0.0


@pytest.mark.slow
def test_words_are_told_one_by_one_where_sentences_are_equally_long_else_from_the_region_on(two_by_two, monkeypatch):
    factors = ("attractor", "grammaticality")
    spread = everywhere(two_by_two, factors)
    assert spread.table["region"].tolist() == ["0 the", "1", "2 was", "3 old"]
    assert spread.table["mean"][2] == pytest.approx(crossed(two_by_two, factors).table["mean"][0])
    rows = attraction()
    longer = rows["attractor"] == "pl"
    rows.loc[longer, "sentence"] = "so " + rows.loc[longer, "sentence"]
    rows.loc[longer, "ROI"] = "3"
    bits = [[9.0] * long + [1.0, 1.0, cost, cost / 2] for cost, long in zip(COSTS.ravel(), longer, strict=True)]
    spread = everywhere(analysed(rows, bits), ("attractor", "comparison"))
    means = spread.table.set_index("region")["mean"]
    assert list(means.index) == ["ROI", "ROI+1"] and means["ROI+1"] == pytest.approx(means["ROI"] / 2)
    rows = attraction()
    rows["sentence"] = ["the cat was"] + ["the cat was old"] * (len(rows) - 1)
    bits = [[1.0, 1.0, cost, cost] for cost in COSTS.ravel()]
    bits[0].pop()
    spread = everywhere(analysed(rows, bits), ("attractor", "comparison"))
    assert spread.table["n_items"].tolist() == [4, 3]
    assert "Without 1 item in the regions that not" in wording.by_region_of(spread, "m", Analysis())
    for module in ("findings", "wording"):
        monkeypatch.setattr(f"pairlens.studies.experiment.{module}.MOST_SPILL", 3)
    rows = attraction().assign(sentence="word " * 7 + "end")
    spread = everywhere(analysed(rows, [[cost] * 8 for cost in COSTS.ravel()]), ("attractor", "comparison"))
    assert len(spread.table) == 4
    assert wording.by_region_of(spread, "m", Analysis()).endswith("Only the first 4 of 8 regions are told.")


@pytest.mark.slow
def test_a_mean_over_several_words_is_in_bits_per_word(garden_path, two_by_two):
    findings = garden_path
    crossing = crossed(findings, ("verb", "comma"))
    assert everywhere(findings, ("verb", "comma")).per_word and wording.unit_of(findings) == "bits per word"
    assert " in the whole sentence is −" in wording.interaction_of(crossing, "m", findings.analysis)
    assert "bits per word" in wording.interaction_of(crossing, "m", findings.analysis)
    assert "bits per word lower" in wording.effects_of(crossing, "m", findings.analysis)
    summed = find(findings.design, findings.words, Analysis(region_summary="sum"))
    said = wording.interaction_of(crossed(summed, ("verb", "comma")), "m", summed.analysis)
    assert "summed over the whole sentence" in said and "per word" not in said
    assert wording.unit_of(two_by_two) == "bits"


@pytest.mark.slow
def test_a_formula_takes_own_names_and_only_pairs_of_which_one_should_win_are_items(two_by_two, garden_path):
    formula = example(two_by_two.design.sentences, two_by_two.design.columns)
    assert formula == "(sg.grammatical - sg.ungrammatical) - (pl.grammatical - pl.ungrammatical)"
    assert garden_path.design.items() == []
    saved, items_there = two_by_two.design.items(), set(two_by_two.design.sentences["item"])
    assert {item.gold for item in saved} == {"grammatical"}
    assert {item.groups["given_contrast"] for item in saved} == items_there, "pairs of an item are not independent"
    assert in_own_names(garden_path.design) is garden_path.design


def test_directions_are_said_sides_called_as_in_the_table_and_identical_sentences_not_scored(two_by_two, garden_path):
    rows = pd.DataFrame({"good": ["The cat.", "A dog."], "bad": ["The cat.", "A dogs."]})
    design = read_design(rows, guess_columns(rows))
    assert "(1 of two identical sentences: a tie, whatever the model)" in wording.summary(design)
    assert wording.all_identical(design) == ""
    same = rows.assign(bad=rows["good"])
    assert wording.all_identical(read_design(same, guess_columns(same))).startswith("The two sentences of every pair")
    for measure, said in (("surp", "negative difference means: ‘grammatical’ is less surprising"),
                          ("prob", "positive difference means: ‘grammatical’ is more probable")):  # fmt: skip
        whole = f"‘grammatical’ should win. A {said} than ‘ungrammatical’."
        assert wording.direction(two_by_two.design, measure) == whole
    assert wording.direction(garden_path.design, "surp") == (
        "No comparison is named, so nothing should win; verb and comma are crossed. A negative difference means: "
        "‘without’ is less surprising than ‘with’."
    )
    assert wording.sides(Columns()) == ("the expected sentence", "the unexpected sentence")
    assert wording.sides(Columns(expected="Match", unexpected="Mismatch")) == ("‘Match’", "‘Mismatch’")
    assert all(wording.sides(Columns(expected=a, unexpected=b))[0] == f"the {a} sentence" for a, b in SIDES)
