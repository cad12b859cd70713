"""The COMPS reader: paradigms from file names, the same phrase after two prefixes."""

from pairlens.metrics import METRICS
from pairlens.policies import preset
from pairlens.rules import RULES
from tests.candidate_table import candidate_table
from tests.records import read, write

RECORD = {"prefix_acceptable": "A boat", "prefix_unacceptable": "A brick", "property_phrase": "Floats on water."}


def test_a_record_becomes_an_item_is_asked_under_each_rule_and_its_file_is_the_paradigm(tmp_path):
    (item,) = read("comps", write(tmp_path / "comps_base.jsonl", RECORD))
    assert item.id == "base_0" and item.gold == "acceptable"
    contexts = {c.label: c.context for c in item.candidates}
    assert list(contexts.items()) == [("acceptable", "A boat "), ("unacceptable", "A brick ")]
    assert [c.text for c in item.candidates] == ["Floats on water."] * 2
    assert item.groups == {"UID": "base", "contrast": "floats on water."}
    asked = {name: RULES[name].terms(item.candidates[0])[0] for name in ("conditional", "joint")}
    assert (asked["conditional"].context, asked["conditional"].continuation) == ("A boat ", "Floats on water.")
    assert (asked["joint"].context, asked["joint"].continuation) == ("", "A boat Floats on water.")
    for stem, uid in {
        "comps_wugs": "wugs", "comps_wugs_dist-before": "wugs_dist_before", "comps_my_own": "comps_my_own",
        "comps_wugs_dist-in-between": "wugs_dist_in_between", "animals": "animals",
    }.items():  # fmt: skip
        (item,) = read("comps", write(tmp_path / f"{stem}.jsonl", RECORD))
        assert item.groups["UID"] == uid


def test_the_length_of_the_same_phrase_decides_nothing(tmp_path):
    items = read("comps", write(tmp_path / "x.jsonl", RECORD, RECORD))
    table = candidate_table(items, lambda i, c: (-1.0 - (c.label == "acceptable") * (i.id == "x_1"), 4))
    statistics = METRICS["accuracy"].statistics(table, preset("pairlens"))
    assert statistics["correct"].tolist() == [0.5, 0]
    assert statistics["length_only"].tolist() == statistics["chance"].tolist() == [0.5, 0.5]
