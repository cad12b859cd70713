"""An experiment under every choice of analysis, each against an experiment that makes this choice."""

from dataclasses import replace

import pandas as pd
import pytest

import pairlens
from pairlens.analysis.by_cond import overall
from pairlens.analysis.experiment import Analysis, Columns
from pairlens.analysis.multiverse import firm_decisions
from pairlens.reports.multiverse.matching import COLUMNS, match
from pairlens.studies.experiment.design import read_design
from pairlens.studies.experiment.evaluate import evaluate
from pairlens.studies.experiment.findings import find
from pairlens.studies.experiment.policies import choices_of, crossed_under_all_choices, printable, under_all_choices
from pairlens.studies.experiment.words import words_of_scores

pytestmark = pytest.mark.model

PAIRS = [
    ("The keys to the cabinet are on the table.", "The keys to the cabinet is on the table.", "5"),
    ("Sarah laughs when the dogs fall asleep.", "Sarah laugh when the dogs fall asleep.", "1"),
    ("They think, yesterday, that nobody knows.", "They thinks, yesterday, that nobody knows.", "1"),
]


@pytest.fixture
def recipe(tiny):
    return pairlens.recipe(str(tiny("llama")))


def design_of(roi):
    rows = [
        {"sentid": f"{n}{side}", "pairid": str(n), "comparison": side, "sentence": text, "ROI": place}
        for n, (good, bad, place) in enumerate(PAIRS)
        for side, text in (("expected", good), ("unexpected", bad))
    ]
    table = pd.DataFrame(rows) if roi else pd.DataFrame(rows).drop(columns="ROI")
    return read_design(table, Columns(roi="ROI" if roi else ""), "pairs.tsv")


@pytest.mark.parametrize("roi", [True, False])
def test_each_choice_gives_the_number_of_an_experiment_that_makes_it(roi, recipe, store):
    design = design_of(roi)
    assert [*evaluate(design, recipe, store)]
    found = under_all_choices(design, recipe, store, Analysis())
    labels = found.numbers["label"].tolist()
    assert labels[0] == "as chosen here" and len(set(labels)) == len(labels) == (6 if roi else 8)
    for choice, (_, row) in zip(choices_of(design, recipe, Analysis()), found.numbers.iterrows(), strict=True):
        if choice.region:
            continue
        policy = recipe.policy.but(word_value=choice.word_value)
        words = words_of_scores(design, replace(recipe, policy=policy), store, choice.analysis)
        expected = overall(find(design, words, choice.analysis).by_cond).iloc[0]
        for ours, theirs in (("acc", "acc"), ("diff", "diff"), ("low", "acc_low"), ("n", "n")):
            assert row[ours] == pytest.approx(expected[theirs], nan_ok=True), choice.label
    firm = (found.decisions.nunique(axis=1) == 1).sum()
    said = firm_decisions(int(firm), len(found.decisions), f"{len(labels)} choices of analysis")
    assert found.sentence.startswith(said)
    value = found.numbers["expected"].iloc[1]
    ways = printable(found.numbers)
    assert ways.columns.isin(COLUMNS).all() and len(ways.columns) == len(COLUMNS)
    assert ways.loc[ways["unit"] == "%", "grain"].tolist() == (100 / found.numbers["n"]).tolist()
    hits = match(ways, f"{value:.3f}").hits
    assert (labels[1], "mean, expected") in set(zip(hits["label"], hits["of"], strict=True))


def test_a_region_by_places_keeps_the_places_of_words_and_may_be_the_one_that_follows(recipe):
    by_place, whole = (choices_of(design_of(roi), recipe, Analysis()) for roi in (True, False))
    assert {choice.analysis.punctuation for choice in by_place} == {"previous"}
    assert len({choice.analysis.punctuation for choice in whole}) == 4
    assert [choice.region for choice in by_place].count("ROI+1") == 1 and not any(choice.region for choice in whole)


def test_the_interaction_under_each_choice_is_that_of_an_experiment_that_makes_it(recipe, store):
    rows = [
        (str(item), number, verb, f"The {noun} {verb} on the table.", "2")
        for item, nouns in enumerate([("key", "keys"), ("dog", "dogs"), ("cat", "cats")])
        for number, noun in zip(("sg", "pl"), nouns, strict=True)
        for verb in ("is", "are")
    ]
    factors = ("number", "verb")
    table = pd.DataFrame(rows, columns=["item", *factors, "sentence", "ROI"])
    design = read_design(table, Columns(item="item", conditions=factors))
    assert [*evaluate(design, recipe, store)]
    found = crossed_under_all_choices(design, recipe, store, Analysis(), factors)
    choices = choices_of(design, recipe, Analysis())
    assert found["label"].tolist() == [choice.label for choice in choices]
    for choice, (_, row) in zip(choices, found.iterrows(), strict=True):
        policy = recipe.policy.but(word_value=choice.word_value)
        words = words_of_scores(design, replace(recipe, policy=policy), store, choice.analysis)
        place = 3 if choice.region else 2
        bits = words[words["wordpos"] == place].set_index("sentid")["surp"][design.sentences["sentid"]].to_numpy()
        if choice.analysis.word_summary == "sum":
            values = bits.reshape(3, 2, 2) @ [1.0, -1.0] @ [1.0, -1.0]
            assert (row["value"], row["n"]) == (pytest.approx(values.mean(), abs=1e-9), 3), choice.label
