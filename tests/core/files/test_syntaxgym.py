"""SyntaxGym: suites, regions as candidates, and the two ways to count predictions."""

import csv
import gzip
import json
import math
from collections import Counter

import pandas as pd
import pytest

from pairlens.analysis.items import items_by_margin, surprisals_in_words
from pairlens.analysis.paired import margins
from pairlens.analysis.published import OTHER, SAME, Run, beside, figures
from pairlens.analysis.summary import summarise
from pairlens.files.syntaxgym import Placed, SuiteItem, placed, read_suite
from pairlens.metrics import METRICS
from pairlens.places import FOLDER as ROOT
from pairlens.policies import PRESETS, preset, preset_for
from pairlens.tasks import TASKS
from tests.candidate_table import candidate_table
from tests.records import read, refusal

TASK = TASKS["syntaxgym"]
POLICY = preset("pairlens")
SAMPLE = ROOT / "data" / "samples" / "syntaxgym"
SENTENCES = {
    1: {"match": "The dog|near the cats||is|old.", "mismatch": "The dog|near the cats||are|old."},
    2: {"match": "The king|of the hills|,|is|tired.", "mismatch": "The king|of the hills|,|are|tired."},
}
HOLDS, EQUAL = "(4;%match%) < (4;%mismatch%)", "(4;%match%) + (3;%match%) = (4;%mismatch%)"


def contents(document):
    """The items of a suite's JSON, condition by condition and region by region."""

    def conditions(item):
        for condition in item["conditions"]:
            yield condition["condition_name"], {one["region_number"]: one["content"] for one in condition["regions"]}

    return [SuiteItem(item["item_number"], dict(conditions(item))) for item in document["items"]]


def unpacked(file):
    return gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()


def suite(tmp_path, **changes):
    """A file with two items and two predictions; `changes` replace fields."""

    def conditions(sentences):
        for name, sentence in sentences.items():
            regions = [{"region_number": n, "content": text} for n, text in enumerate(sentence.split("|"), start=1)]
            yield {"condition_name": name, "regions": regions}

    document = {
        "meta": {"name": "number_near", "metric": "sum"},
        "region_meta": {"1": "subject", "2": "phrase"},
        "predictions": [{"type": "formula", "formula": formula} for formula in (HOLDS, EQUAL)],
        "items": [{"item_number": n, "conditions": [*conditions(of)]} for n, of in SENTENCES.items()],
    }
    path = tmp_path / "near.json"
    path.write_text(json.dumps(document | changes), encoding="utf-8")
    return path


def test_regions_are_placed_and_an_item_made_for_each_prediction_of_those_or_the_sentence_that_it_names(tmp_path):
    assert placed({1: "When he ate", 2: ",", 3: "", 4: " the dog ", 5: "barked", 6: "."}) == {
        "1": Placed("", "When he ate"), "2": Placed("When he ate", ","), "3": Placed("When he ate,", ""),
        "4": Placed("When he ate,", " the dog"), "5": Placed("When he ate, the dog", " barked"),
        "6": Placed("When he ate, the dog barked", "."), "*": Placed("", "When he ate, the dog barked."),
    }  # fmt: skip
    items = read("syntaxgym", suite(tmp_path))
    assert [item.id for item in items] == ["number_near/1/1", "number_near/2/1", "number_near/1/2", "number_near/2/2"]
    assert all(item.gold is None for item in items)
    assert [(c.label, c.context, c.text) for c in items[1].candidates] == [
        ("4;%match%", "The king of the hills,", " is"), ("4;%mismatch%", "The king of the hills,", " are"),
    ]  # fmt: skip
    assert [c.label for c in items[2].candidates] == ["4;%match%", "4;%mismatch%"], "region 3 is empty in item 1"
    assert [c.label for c in items[3].candidates] == ["4;%match%", "3;%match%", "4;%mismatch%"]
    assert items[2].groups == {
        "UID": "number_near", "circuit": "Agreement", "prediction": "number_near 2", "number": "2", "formula": EQUAL,
        "contrast": "number_near/1",
    }  # fmt: skip
    formula = [{"type": "formula", "formula": "(*;%match%) < (*;%mismatch%)"}]
    item = read("syntaxgym", suite(tmp_path, predictions=formula))[1]
    whole = ["The king of the hills, is tired.", "The king of the hills, are tired."]
    labels = ("*;%match%", "*;%mismatch%")
    assert [(c.label, c.context, c.text) for c in item.candidates] == [*zip(labels, ("", ""), whole, strict=True)]


def test_an_item_whose_regions_are_all_empty_is_left_out_with_the_reason(tmp_path):
    formulas = [{"type": "formula", "formula": formula} for formula in (HOLDS, "(3;%match%) = (3;%mismatch%)")]
    items = read("syntaxgym", suite(tmp_path, predictions=formulas))
    assert [[c.text for c in item.candidates] for item in items[2:]] == [["", ""], [",", ","]]
    table = candidate_table(items, lambda _, one: (-1.0, 1) if one.text else (math.nan, 0))
    found = METRICS["formula"].statistics(table, POLICY).set_index("item")
    assert found["excluded"].dropna().to_dict() == {"number_near/1/2": "all its regions are empty"}
    assert found.loc["number_near/2/2", "correct"] == 1


def scored(tmp_path, **bits):
    """Candidates of the suite, each text with its bits (else 1), a token per letter."""
    costs = {" is": 2.0, " are": 5.0, ",": 3.0} | {f" {name}": cost for name, cost in bits.items()}
    items = read("syntaxgym", suite(tmp_path))
    return candidate_table(items, lambda _, c: (-costs[c.text] * math.log(2), len(c.text.strip())))


def test_predictions_by_hand_and_the_published_numbers_of_which_each_item_counts_once(tmp_path):
    table = METRICS["formula"].statistics(scored(tmp_path), POLICY).set_index("item")
    assert table["correct"].tolist() == [1, 1, 0, 1], "2 < 5, 2 < 5, 2 + nothing = 5, 2 + 3 = 5"
    tolerance = 1e-3 + 5e-5
    margins = [3, 3, tolerance - 3, tolerance]
    assert table["margin"].tolist() == pytest.approx([margin * math.log(2) for margin in margins])
    assert table["length_only"].tolist() == [1.0, 1.0, 0.0, 1.0], "two letters against three"
    assert table["chance"].tolist() == pytest.approx([1 / 2, 1 / 2, 1 / 3, 1 / 3]), "1 + 2 = 3 and 2 + 1 = 3 of 6"
    assert METRICS["formula"].value(table) == 3 / 4
    table = METRICS["first_formula"].statistics(scored(tmp_path), POLICY)
    assert table["correct"].fillna(-1).tolist() == [1, 1, -1, -1]
    assert table["excluded"].isna().tolist() == [True, True, False, False]
    summary = summarise(scored(tmp_path), TASK, POLICY)
    values = {(row.name, row.group): row.value for row in summary.itertuples(index=False)}
    assert values["first_formula", "number_near"] == 1 and values["formula", "number_near"] == 3 / 4
    assert values["formula", "number_near 2"] == 1 / 2


def test_equal_sides_are_a_tie_and_a_difference_within_the_arithmetic_undecided(tmp_path):
    for ties, share in (("half", 0.5), ("correct", 1.0), ("wrong", 0.0)):
        table = METRICS["first_formula"].statistics(scored(tmp_path, are=2.0), POLICY.but(ties=ties))
        assert table["correct"].tolist()[:2] == [share, share] and table["tie"].tolist() == [True, True, False, False]
    assert {preset_for(name, TASK.sets).sentence_value for name in PRESETS} == {"sum"}
    close = METRICS["formula"].statistics(scored(tmp_path, are=2 + 1e-5), POLICY)
    assert close["undecided"].tolist()[:2] == [True, True] and close["correct"].tolist()[:2] == [1.0, 1.0]
    table = scored(tmp_path)
    table.loc[0, "logprob"] = math.nan
    lost = METRICS["formula"].statistics(table, POLICY)
    assert lost["excluded"].tolist()[0] == "a region could not be scored" and lost["correct"].isna().sum() == 1


def test_runs_are_compared_prediction_by_prediction_and_regions_shown_with_what_they_cost(tmp_path):
    items = margins(scored(tmp_path), scored(tmp_path, are=1.0), TASK, (POLICY, POLICY))
    flips = items[items["right_in"].isin(["a", "b"])].reset_index(drop=True)
    assert flips["item"].tolist() == ["number_near/1/1", "number_near/2/1"]
    assert flips["right_in"].tolist() == ["a", "a"] and flips["change"].tolist() == pytest.approx([4, 4])
    candidates = scored(tmp_path)
    items = items_by_margin(candidates, TASK, POLICY)
    assert items[["right", "rival"]].isna().all().all()
    assert surprisals_in_words(candidates)["number_near/2/2"] == (
        "is (region 4 in match) 2.00 bits · , (region 3 in match) 3.00 bits · are (region 4 in mismatch) 5.00 bits"
    )


REGION = ("items", 1, "conditions", 0, "regions", 3)
FORMULA = ("predictions", 1, "formula")


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ((*REGION, "region_number"), 2, "near.json, item 2, condition 'match': region 2 is given twice."),
        ((*REGION, "content"), 7, "near.json, item 2, condition 'match': 'content' must be a text, found a number."),
        ((*REGION, "content"), None, "near.json, item 2, condition 'match': there is no 'content'."),
        ((*REGION, "region_number"), 9, "near.json, item 2 (prediction 1 needs (4;%match%)): There is no region "
         "'4'."),
        (REGION[:-1], [], "near.json, item 2, condition 'match': 'regions' is empty."),
        (REGION[:3], [], "near.json, item 2: 'conditions' is empty."),
        (REGION[:4], None, "near.json, item 2 (prediction 1 needs (4;%match%)): There is no condition 'match'. "
         "Did you mean 'mismatch'?"),
        ((*REGION[:4], "condition_name"), "mismatch", "near.json, item 2: condition 'mismatch' is given twice."),
        (("items", 1, "item_number"), 1, "near.json: item 1 is given twice."),
        (("items", 1, "item_number"), "2", "near.json, item in place 2: 'item_number' must be a whole number, found"),
        (("items", 1), [], "near.json, item in place 2: expected an object with 'item_number', found a list."),
        (("items",), [], "near.json: 'items' is empty."),
        (("predictions",), None, "near.json: there is no 'predictions'."),
        (FORMULA, "(4;%match%) <", "near.json, prediction 2: The formula ends too early."),
        (FORMULA, "(4;%match%) < x", "near.json, prediction 2: The formula cannot be read from 'x' on."),
        (FORMULA, "(4;%macth%) < 2", "near.json, item 1 (prediction 2 needs (4;%macth%)): There is no condition "
         "'macth'. Did you mean 'match'?"),
        (("predictions", 0, "type"), "code", "near.json, prediction 1: 'type' must be 'formula', found 'code'."),
        (("meta", "metric"), "mean", "near.json: its metric is \"mean\"."),
        (("meta", "name"), " ", "near.json: the suite has no name in 'meta'."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_sentence_with_file_and_item(tmp_path, place, value, said):
    path = suite(tmp_path)
    inner = document = json.loads(path.read_text("utf-8"))
    for step in place[:-1]:
        inner = inner[step]
    if value is None:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    path.write_text(json.dumps(document), "utf-8")
    assert refusal("syntaxgym", path).startswith(said)


def test_our_sample_is_a_complete_design_and_two_suites_of_one_name_are_refused(tmp_path):
    (file,) = SAMPLE.iterdir()
    found = read_suite(file)
    assert len(found.items) == 10 and len(found.predictions) == 2
    assert {tuple(item.conditions) for item in found.items} == {
        ("open_nocomma", "open_comma", "closed_nocomma", "closed_comma")
    }
    assert list(found.items) == contents(json.loads(file.read_text("utf-8")))
    first = suite(tmp_path)
    (tmp_path / "other.json").write_bytes(first.read_bytes())
    assert refusal("syntaxgym", tmp_path) == "other.json: has the name of the suite in near.json, 'number_near'."


def test_published_suites_are_read_whole(shared_data):
    folder = shared_data("syntaxgym/test_suites/json")
    n = Counter()
    for file in folder.iterdir():
        found, document = read_suite(file), json.loads(unpacked(file))
        assert found.name == document["meta"]["name"] and list(found.items) == contents(document)
        assert list(found.predictions) == [prediction["formula"] for prediction in document["predictions"]]
        assert [len(item.conditions) for item in found.items] == [len(i["conditions"]) for i in document["items"]]
        n.update(items=len(found.items), predictions=len(found.formulas))
        n.update(conditions=sum(len(item.conditions) for item in found.items))
    assert n == {"items": 842, "conditions": 3304, "predictions": 36}
    items = read("syntaxgym", folder)
    assert Counter(item.groups["number"] for item in items) == {"1": 842, "2": 25}
    assert len({item.groups["UID"] for item in items}) == 34
    assert Counter(item.groups["circuit"] for item in items if item.groups["number"] == "1") == {
        "Agreement": 57, "Licensing": 266, "Garden-Path Effects": 153, "Gross Syntactic Expectation": 92,
        "Center Embedding": 56, "Long-Distance Dependencies": 218,
    }  # fmt: skip


SYSTEMS = {"gpt-2-pretrained__0": "GPT-2", "gpt-2-xl-pretrained__0": "GPT-2 XL", "grnn__0": "GRNN", "jrnn__0": "JRNN",
           "transformer-xl__0": "Transformer-XL", "gpt-2_bllip-lg-gptbpe_1581955288": "GPT-2 · BLLIP-LG",
           "gpt-2_bllip-md-gptbpe_1581861474": "GPT-2 · BLLIP-MD (1)",
           "gpt-2_bllip-md-gptbpe_1582126320": "GPT-2 · BLLIP-MD (2)",
           "gpt-2_bllip-sm-gptbpe_1581807578": "GPT-2 · BLLIP-SM",
           "gpt-2_bllip-xs-gptbpe_1581807512": "GPT-2 · BLLIP-XS"}  # fmt: skip


def test_figures_are_those_of_the_published_results(shared_data):
    right, n = Counter(), Counter()
    for file in shared_data("syntaxgym/data/raw/sg_results").iterdir():
        for row in csv.DictReader(unpacked(file).decode().splitlines()):
            place = SYSTEMS[row["model"]], row["suite"]
            n[place] += 1
            right[place] += row["correct"] == "True"
    table = figures("syntaxgym", "first_formula").set_index(["system", "group"])
    assert len(n) == 340 and len(table) == 350
    for place, count in n.items():
        assert table["value"][place] == pytest.approx(right[place] / count, abs=5e-5)
        assert table["n"][place] == count
    for system in SYSTEMS.values():
        mean = sum(right[place] / n[place] for place in n if place[0] == system) / 34
        assert table["value"][system, "all"] == pytest.approx(mean, abs=5e-5)
    rounded = {system: round(100 * table["value"][system, "all"], 1) for system in ("GPT-2 XL", "GPT-2", "GRNN")}
    assert rounded == {"GPT-2 XL": 83.1, "GPT-2": 78.1, "GRNN": 53.2}


@pytest.mark.parametrize(("ties", "mark"), [(0, SAME), (2, OTHER)])
def test_published_figures_stand_beside_runs_of_all_items(ties, mark):
    run = pd.DataFrame([{"group_by": "overall", "group": "macro", "n": 842, "ties": ties}])
    assert set(beside("syntaxgym", "first_formula", run, Run(POLICY))["mark"]) == {mark}
    assert beside("syntaxgym", "first_formula", run.assign(n=10), Run(POLICY)).empty
