"""The entity tracking reader: splits, number of operations, options of any number, the boundary space."""

from collections import Counter

from pairlens.metrics import METRICS
from pairlens.places import FOLDER as ROOT
from pairlens.policies import preset
from tests.candidate_table import candidate_table
from tests.records import read, write

RECORD = {"input_prefix": "The sack holds a bean. The sack holds ", "options": ["a bean.", "a pea."], "numops": 1}


def test_a_record_becomes_an_item(tmp_path):
    (item,) = read("entity_tracking", write(tmp_path / "regular.jsonl", RECORD))
    assert item.id == "regular_1_ops_0" and item.gold == "option 1"
    assert [(c.label, c.text) for c in item.candidates] == [("option 1", "a bean."), ("option 2", "a pea.")]
    assert [c.context for c in item.candidates] == ["The sack holds a bean. The sack holds "] * 2
    assert item.groups == {"UID": "regular_1_ops", "split": "regular", "contrast": "1"}


def test_items_share_the_contrast_of_their_situation_and_may_have_any_number_of_options(tmp_path):
    options = [["a", "b"], ["a", "b", "c", "d", "e"], ["a", "a", "b"]]
    items = read("entity_tracking", write(tmp_path / "x.jsonl", *({**RECORD, "options": each} for each in options)))
    assert [len(item.candidates) for item in items] == [2, 5, 3]
    table = candidate_table(items, lambda _, c: (-float(ord(c.text[-1])), 1))
    statistics = METRICS["accuracy"].statistics(table, preset("pairlens"))
    assert statistics["correct"].tolist() == [1, 1, 0.5]
    assert statistics["tie"].tolist() == [False, False, True]
    assert statistics["chance"].tolist() == [1 / 2, 1 / 5, 1 / 3]
    more = RECORD | {"input_prefix": "The sack holds a bean. Take it out. The sack holds ", "numops": 2}
    other = RECORD | {"input_prefix": "The sack holds a pea. The sack holds", "options": [" a bean.", " a pea."]}
    items = read("entity_tracking", write(tmp_path / "x.jsonl", RECORD, other, more))
    assert [item.groups["contrast"] for item in items] == ["1", "2", "1"]
    assert [item.id for item in items] == ["x_1_ops_0", "x_1_ops_1", "x_2_ops_0"]
    assert [one.text for one in items[1].candidates] == [" a bean.", " a pea."]


def test_published_files(shared_data):
    """The sizes that BabyLM's collator expects; 198 situations per split, five options each."""
    items = read("entity_tracking", shared_data("babylm/evaluation_data/full_eval/entity_tracking"))
    sizes = {
        "regular": (606, 607, 606, 606, 568, 159),
        "ambiref": (607, 607, 604, 604, 615, 187),
        "move_contents": (605, 606, 605, 606, 529, 156),
    }
    assert Counter(item.groups["UID"] for item in items) == {
        f"{split}_{numops}_ops": size for split, row in sizes.items() for numops, size in enumerate(row)
    }
    assert len({item.id for item in items}) == len(items) == 9_483
    situations = {(item.groups["split"], item.groups["contrast"]) for item in items}
    assert Counter(split for split, _ in situations) == dict.fromkeys(sizes, 198)
    assert {len(item.candidates) for item in items} == {5}
    assert all(c.context[-1] == " " != c.text[0] for item in items for c in item.candidates)
    theirs = {part for item in items for part in item.candidates[0].context.split(". ")}
    sample = read("entity_tracking", ROOT / "data" / "samples" / "entity_tracking")
    assert not theirs & {part for item in sample for part in item.candidates[0].context.split(". ")}, "it is ours"
