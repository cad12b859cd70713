"""An agreement set's numbers on tables small enough to count by hand, and laws that hold for all of them."""

import json
import math

import numpy as np
import pytest
from candidate_table import candidate_table
from statsmodels.stats.proportion import proportion_confint

from pairlens.analysis import agreement_wording as wording
from pairlens.analysis.agreement import agreement_numbers, as_json, flips, in_group
from pairlens.analysis.items import forms
from pairlens.analysis.summary import summarise
from pairlens.policies import Policy
from pairlens.tasks import TASKS
from pairlens.types import Candidate, Item

GROUPS = ("number", "attractors", "distance", "cls_noun", "frequency_correct", "frequency_wrong", "contrast")
# Margin in nats (log p of the right form minus that of the wrong one) and groups, item by item.
ITEMS = (
    (2.0, ("singular", "0", "1", "singular", "10", "5", "is|are")),
    (1.0, ("singular", "1", "2", "plural", "5", "5", "was|were")),
    (-1.0, ("plural", "1", "3", "singular", "3", "9", "are|is")),
    (0.0, ("plural", "4", "4", "singular", "9", "3", "were|was")),
    (3.0, ("singular", "0", "40", "none", "unknown", "7", "has|have")),
    (math.nan, ("plural", "0", "1", "plural", "1", "2", "have|has")),
)


def table(items=ITEMS, groups=GROUPS):
    """A candidate table; the wrong form has log-probability -5."""
    made, margins = [], {}
    for place, (margin, values) in enumerate(items):
        known = dict(zip(groups, values, strict=True))
        right, wrong = known.get("contrast", "is|are").split("|")
        texts = (Candidate(f" {right} here.", "correct", "It"), Candidate(f" {wrong} here.", "wrong", "It"))
        made.append(Item(f"i_{place}", texts, "correct", known))
        margins[f"i_{place}"] = margin
    return candidate_table(made, lambda item, one: (-5 + margins[item.id] * (one.label == "correct"), 1))


@pytest.fixture
def numbers():
    return agreement_numbers(table(), Policy())


def shares(frame):
    return {row["group"]: (row["right"], row["n"]) for _, row in frame.iterrows()}


def test_the_model_and_choosers_are_counted_over_all_and_beside_each_other_in_groups(numbers):
    assert numbers.overall[["n", "right", "share", "ties", "excluded"]].to_list() == [5, 3.5, 0.7, 1, 1]
    assert numbers.balanced_accuracy == (3 / 3 + 0.5 / 2) / 2
    assert numbers.mean_log_ratio == pytest.approx((2 + 1 - 1 + 0 + 3) / 5)
    assert numbers.excluded.to_dict("list") == {"reason": ["a candidate could not be scored"], "n": [1]}
    baselines = numbers.baselines.set_index("baseline")
    assert baselines.loc["always_singular", ["right", "n"]].to_list() == [3, 5]
    assert baselines.loc["majority", ["right", "n"]].to_list() == [3, 5]
    assert baselines.loc["frequency", ["right", "n", "ties"]].to_list() == [1 + 0.5 + 0 + 1, 4, 1]
    assert baselines.loc["frequency", "model"] == 2.5 / 4
    only = numbers.heuristics
    assert only["heuristic"].to_list() == ["cls_noun"]
    assert only[["n", "right", "none", "n_wrong", "model_right"]].iloc[0].to_list() == [5, 1, 1, 4, 2.5]
    assert shares(numbers.by["number"]) == {"singular": (3.0, 3), "plural": (0.5, 2)}
    assert shares(numbers.by["attractors"]) == {"0": (2.0, 2), "1": (1.0, 2), "3 or more": (0.5, 1)}
    assert shares(numbers.by["distance"]) == {"1": (1, 1), "2": (1, 1), "3 to 4": (0.5, 2), "33 or more": (1, 1)}
    assert numbers.by["inverted"].empty and numbers.by["type"].empty, "the file does not say"
    one = numbers.by["attractors"].set_index("group").loc["1"]
    assert one[["always_singular", "frequency", "cls_noun"]].to_list() == [0.5, 0.25, 0.0]


def test_heuristics_that_the_file_does_not_count_are_counted_here():
    groups = ("number", "cls_noun", "que_n")
    items = ((1.0, ("plural", "plural", "unknown")), (-1.0, ("plural", "singular", "plural")))
    computed = agreement_numbers(table(items, groups), Policy()).by["heuristics"]
    assert shares(computed) == {"0": (0, 1), "1": (1, 1)}, "only those that are known of every item"
    given = ((1.0, ("plural", "plural", "5")), (1.0, ("plural", "plural", "4")))
    stated = agreement_numbers(table(given, ("number", "cls_noun", "heuristics")), Policy()).by["heuristics"]
    assert stated["group"].to_list() == ["4", "5"]


@pytest.mark.parametrize(("ties", "right", "by_frequency"), [("half", 3.5, 2.5), ("correct", 4, 3), ("wrong", 3, 2)])
def test_ties_count_as_the_policy_says(ties, right, by_frequency):
    numbers = agreement_numbers(table(), Policy(ties=ties))
    assert numbers.overall["right"] == right
    assert numbers.baselines.set_index("baseline").loc["frequency", "right"] == by_frequency


def test_the_interval_is_that_of_the_run_and_wilson_is_statsmodels():
    rng = np.random.default_rng(0)
    group = ("singular", "0", "1", "plural", "1", "2")
    items = ((margin, (*group, f"is{place % 17}|are")) for place, margin in enumerate(rng.normal(0.5, 1, 80)))
    made = table(items)
    numbers = agreement_numbers(made, Policy())
    task = TASKS["agreement"]
    needed = dict.fromkeys(set(task.groups) - set(made.columns), "unknown")
    summary = summarise(made.assign(**needed), task, Policy()).iloc[0]
    assert numbers.overall[["share", "low", "high"]].to_list() == summary[["value", "low", "high"]].to_list()
    assert numbers.overall["contrasts"] == 17
    low, high = proportion_confint(numbers.overall["right"], 80, method="wilson")
    assert numbers.overall[["wilson_low", "wilson_high"]].to_list() == pytest.approx([low, high])


def test_no_group_at_all_still_gives_the_model_and_what_is_no_number_is_not_known():
    bare = table().drop(columns=list(GROUPS))
    numbers = agreement_numbers(bare, Policy())
    assert numbers.overall["right"] == 3.5 and numbers.overall["contrasts"] == 5
    assert math.isnan(numbers.balanced_accuracy)
    assert numbers.by["number"].empty and numbers.heuristics.empty and numbers.baselines.empty
    assert wording.beside(numbers) == "" and wording.caution(numbers) == ""
    items = tuple((1.0, (cell,)) for cell in ("1", "many", "nan", "unknown", "inf"))
    by_number = shares(agreement_numbers(table(items, ("attractors",)), Policy()).by["attractors"])
    assert by_number == {"1": (1, 1), "unknown": (4, 4)}


def test_items_of_a_group_are_found_again_and_as_json_has_every_number_and_no_nan(numbers):
    items = table().drop_duplicates("item")
    assert in_group(items, "attractors", "3 or more")["item"].to_list() == ["i_3"]
    assert in_group(items, "distance", "3 to 4")["item"].to_list() == ["i_2", "i_3"]
    assert in_group(items, "inverted", "yes").empty
    written = json.loads(json.dumps(as_json(numbers), allow_nan=False))
    assert written["accuracy"] == 0.7 and written["n"] == 5
    assert written["by_number"]["plural"]["share"] == 0.25
    assert written["by_attractors"]["3 or more"]["right"] == 0.5
    assert written["heuristics"]["cls_noun"]["share"] == 0.2
    assert written["baselines"]["frequency"]["right"] == 2.5
    assert written["excluded_because"] == {"a candidate could not be scored": 1}
    empty = json.loads(json.dumps(as_json(agreement_numbers(table().iloc[:0], Policy())), allow_nan=False))
    assert empty["accuracy"] is None and empty["n"] == 0 and empty["by_number"] == {}


PAIRS = ("acceptée|acceptées", "acceptées|acceptée", "vus|vu", "prise|pris")


def french(margins):
    made = table(tuple((margin, (pair,)) for margin, pair in zip(margins, PAIRS, strict=True)), ("contrast",))
    return made.assign(context="Les offres que le directeur a")


def test_flips_are_decisions_that_the_end_of_the_word_changes_and_forms_are_without_the_marks_after_them():
    word, form = french((2.0, 1.0, 0.0, math.nan)), french((1.0, -3.0, 1.0, 2.0))
    found = flips(word, form, Policy())
    assert (found.n, found.prefixed) == (3, 4)
    assert found.items["item"].to_list() == ["i_1", "i_2"], "the largest change first"
    assert found.items[["right", "wrong", "word", "form"]].iloc[0].to_list() == [
        "acceptées", "acceptée", "right", "wrong",
    ]  # fmt: skip
    assert found.items["word"].to_list() == ["right", "tie"]
    assert found.items["margin_word"].iloc[0] == pytest.approx(1 / math.log(2))
    assert wording.flipped(found) == (
        "Scoring the form only, without the end of the word, flips 2 of 3 decisions; in 4 pairs one form "
        "begins the other."
    )
    found = flips(french((0.0, 1.0, 1.0, 1.0)), french((-1.0, 1.0, 1.0, 1.0)), Policy(ties="wrong"))
    assert found.items["item"].to_list() == ["i_0"]
    made = french((1.0, 1.0, 1.0, 1.0))
    made["text"] = made["text"].str.replace(" here.", ".")
    assert forms(made).iloc[0].to_list() == ["acceptée", "acceptées"]
    assert not wording.of_participles(french((1.0,) * 4)), "prise / pris differ in e"
    assert wording.of_participles(french((1.0,) * 4)[:6])
    assert not wording.of_participles(table())
    assert not wording.of_participles(french((1.0,) * 4)[:6].assign(context="The man"))


@pytest.mark.slow
def test_the_answer_and_what_cannot_be_told_are_said_in_words(numbers):
    space = "\u00a0"
    assert wording.answer(numbers).startswith(f"Right in 3.5 of 5 items: 70.0{space}% (95{space}% interval ")
    assert wording.answer(numbers).endswith(", over 5 pairs of forms).")
    assert wording.beside(numbers) == (
        f"Baselines that do not look at the head: always the singular 60.0{space}%, the more frequent form "
        f"62.5{space}%, the last noun before the verb 20.0{space}%."
    )
    assert "1 tie (each counted as half)" in wording.counts(numbers, "half")
    assert "62.5" in wording.counts(numbers, "half"), "balanced accuracy"
    # On the four items whose frequencies are known the model has 2.5 right too.
    assert wording.caution(numbers).startswith(f"No better than the more frequent form (62.5{space}%): this number")

    def answer(*margins):
        items = tuple((margin, ITEMS[place][1]) for place, margin in enumerate(margins))
        return wording.answer(agreement_numbers(table(items), Policy()))

    assert answer(0.0, 0.0) == "No decision: the two forms are equally likely in all 2 items."
    assert answer(0.0) == "No decision: the two forms are equally likely in the one item."
    assert answer(math.nan) == "No item can be judged: 1 item left out."
    assert answer(1.0).startswith("Right in 1 of 1 item: 100.0\u00a0%")
    assert wording.caution(agreement_numbers(table(((0.0, ITEMS[0][1]),)), Policy())) == ""
    items = ((1.0, ITEMS[0][1]), (-1.0, ITEMS[0][1]))
    assert "no interval: too few independent items" in wording.answer(agreement_numbers(table(items), Policy()))
