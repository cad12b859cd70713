"""The BLiMP reader: the published files, BabyLM's variants, and what it says about a bad record."""

import gzip
import json
from collections import Counter

import pytest

from pairlens.tasks._base import contrast
from tests.records import read, write

GOOD = {"sentence_good": " The\ncats sleep.", "sentence_bad": "The cats sleeps."}
GROUPS = {"field": "syntax_semantics", "linguistics_term": "agreement", "UID": "sva", "pairID": "7"}


def test_a_record_becomes_an_item(tmp_path):
    (item,) = read("blimp", write(tmp_path / "x.jsonl", GOOD | GROUPS))
    assert item.id == "sva_0" and item.gold == "good"
    assert [(c.label, c.text) for c in item.candidates] == [
        ("good", " The\ncats sleep."),
        ("bad", "The cats sleeps."),
    ]
    assert item.groups == {
        "UID": "sva", "linguistics_term": "agreement", "field": "syntax/semantics", "contrast": "sleep.|sleeps.",
        "pairID": "7",
    }  # fmt: skip


def test_a_record_without_groups_is_supplement_and_items_are_numbered_across_files(tmp_path):
    with gzip.open(tmp_path / "turn_taking.jsonl.gz", "wt") as file:
        file.write(json.dumps(GOOD) + "\n" + json.dumps(GOOD | {"pair_id": 5}))
    first, second = read("blimp", tmp_path)
    assert (first.id, second.id) == ("turn_taking_0", "turn_taking_1")
    assert first.groups["field"] == first.groups["linguistics_term"] == "supplement"
    assert (first.groups["pairID"], second.groups["pairID"]) == ("", "5")
    for name in ("b", "a"):
        write(tmp_path / f"{name}.jsonl", GOOD | GROUPS, GOOD | GROUPS | {"UID": name})
    assert [item.id for item in read("blimp", tmp_path)][:4] == ["sva_0", "a_0", "sva_1", "b_0"]


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [("The cats have slept.", "The cats has slept.", "have|has"), ("He saw.", "She saw.", "he|she"),
     ("A b c", "A c", "b|"), ("Same.", "Same.", "|"), ("a a", "a a a", "|a"), ("The cat", "the cats", "cat|cats")],
)  # fmt: skip
def test_contrast(good, bad, expected):
    assert contrast(good, bad) == expected


@pytest.mark.soak
def test_published_files(shared_data):
    """Counts of FIELD's table: 67,000 items, 67 paradigms, 13 terms, 4 fields, 7 identical pairs, 6 contrasts."""
    items = read("blimp", (shared_data("blimp/data")))
    assert len({item.id for item in items}) == len(items) == 67_000
    assert set(Counter(item.groups["UID"] for item in items).values()) == {1000}
    assert len({item.groups["linguistics_term"] for item in items}) == 13
    fields = Counter(item.groups["field"] for item in items)
    assert fields == {"syntax": 26_000, "morphology": 18_000, "syntax/semantics": 14_000, "semantics": 9_000}
    identical = [item.id for item in items if item.candidates[0].text == item.candidates[1].text]
    expected = {"passive_1": (324, 810), "principle_A_case_2": (105, 287, 372, 816, 967)}
    assert identical == [f"{name}_{number}" for name, numbers in expected.items() for number in numbers]
    number = [item.groups["contrast"] for item in items if item.groups["UID"] == "anaphor_number_agreement"]
    assert len(set(number)) == 6


def test_supplement_files(shared_data):
    items = read("blimp", (shared_data("babylm/evaluation_data/full_eval/supplement_filtered")))
    assert Counter(item.groups["UID"] for item in items) == {
        "hypernym": 842, "qa_congruence_easy": 64, "qa_congruence_tricky": 165, "subject_aux_inversion": 3867,
        "turn_taking": 280,
    }  # fmt: skip
