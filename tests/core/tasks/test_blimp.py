"""The BLiMP reader: the published files, BabyLM's variants, and what it says about a bad record."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import InputError
from core.tasks import TASKS
from core.tasks._base import contrast

Find = Callable[[str], Path]

GOOD = {"sentence_good": "The cats sleep.", "sentence_bad": "The cats sleeps."}
GROUPS = {"field": "syntax_semantics", "linguistics_term": "agreement", "UID": "sva", "pairID": "7"}


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_a_record_becomes_an_item(tmp_path):
    (item,) = TASKS["blimp"].read(write(tmp_path / "x.jsonl", GOOD | GROUPS))
    assert item.id == "sva_0" and item.gold == "good"
    assert [(c.label, c.text) for c in item.candidates] == [("good", "The cats sleep."), ("bad", "The cats sleeps.")]
    assert item.groups == {
        "UID": "sva",
        "linguistics_term": "agreement",
        "field": "syntax/semantics",
        "contrast": "sleep.|sleeps.",
        "pairID": "7",
    }


def test_a_record_without_groups_is_supplement_and_its_file_the_paradigm(tmp_path):
    with gzip.open(tmp_path / "turn_taking.jsonl.gz", "wt") as file:
        file.write(json.dumps(GOOD) + "\n" + json.dumps(GOOD | {"pair_id": 5}))
    first, second = TASKS["blimp"].read(tmp_path)
    assert (first.id, second.id) == ("turn_taking_0", "turn_taking_1")
    assert first.groups["field"] == first.groups["linguistics_term"] == "supplement"
    assert (first.groups["pairID"], second.groups["pairID"]) == ("", "5")


def test_items_of_a_paradigm_are_numbered_across_files(tmp_path):
    for name in ("b", "a"):
        write(tmp_path / f"{name}.jsonl", GOOD | GROUPS, GOOD | GROUPS | {"UID": name})
    assert [item.id for item in TASKS["blimp"].read(tmp_path)] == ["sva_0", "a_0", "sva_1", "b_0"]


def test_newlines_and_spaces_in_sentences_are_kept(tmp_path):
    text = " What did you get?\nI got a chair. "
    (item,) = TASKS["blimp"].read(write(tmp_path / "qa.jsonl", GOOD | {"sentence_good": text}))
    assert item.candidates[0].text == text


@pytest.mark.parametrize(
    ("record", "found"),
    [
        ({"sentence_good": "A."}, "no field 'sentence_bad'. Expected sentence_good and sentence_bad"),
        ({"sentence_good": "A.", "sentence_bad": "  "}, "field 'sentence_bad' must be a text, found an empty text"),
        ({"sentence_good": 3, "sentence_bad": "B."}, "field 'sentence_good' must be a text, found a number"),
        ({}, "no field 'sentence_good'"),
        ([1], "expected a JSON object"),
    ],
)
def test_a_bad_record_at_line_12_is_named(tmp_path, record, found):
    path = write(tmp_path / "sva.jsonl", *[GOOD | GROUPS] * 11, record)
    with pytest.raises(InputError) as error:
        list(TASKS["blimp"].read(path))
    assert str(error.value).startswith(f"sva.jsonl, line 12: {found}")
    assert "\n" not in str(error.value)


def test_a_missing_field_lists_what_there_is(tmp_path):
    path = write(tmp_path / "sva.jsonl", {"good": "A.", "bad": "B."})
    with pytest.raises(InputError, match=r"found good, bad\.$"):
        list(TASKS["blimp"].read(path))


def test_a_folder_without_files_of_the_format_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(InputError, match=r"no file that ends in \.jsonl"):
        list(TASKS["blimp"].read(tmp_path))


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [
        ("The cats have slept.", "The cats has slept.", "have|has"),
        ("Himself he saw.", "Herself he saw.", "himself|herself"),
        ("A b c", "A c", "b|"),
        ("Same.", "Same.", "|"),
        ("a a", "a a a", "|a"),
        ("The cat", "the cats", "cat|cats"),
    ],
)
def test_contrast(good, bad, expected):
    assert contrast(good, bad) == expected


def test_published_files(shared_data):
    """Counts of FIELD's table: 67,000 items, 67 paradigms, 13 terms, 4 fields, 7 identical pairs, 6 contrasts."""
    items = list(TASKS["blimp"].read(shared_data("blimp/data")))
    assert len({item.id for item in items}) == len(items) == 67_000
    assert set(Counter(item.groups["UID"] for item in items).values()) == {1000}
    assert len({item.groups["linguistics_term"] for item in items}) == 13
    fields = Counter(item.groups["field"] for item in items)
    assert fields == {"syntax": 26_000, "morphology": 18_000, "syntax/semantics": 14_000, "semantics": 9_000}
    identical = [item.id for item in items if item.candidates[0].text == item.candidates[1].text]
    assert identical == [
        *("passive_1_324", "passive_1_810"),
        *(f"principle_A_case_2_{number}" for number in (105, 287, 372, 816, 967)),
    ]
    number = [item.groups["contrast"] for item in items if item.groups["UID"] == "anaphor_number_agreement"]
    assert len(set(number)) == 6


def test_supplement_files(shared_data):
    items = list(TASKS["blimp"].read(shared_data("babylm/evaluation_data/full_eval/supplement_filtered")))
    assert Counter(item.groups["UID"] for item in items) == {
        "hypernym": 842,
        "qa_congruence_easy": 64,
        "qa_congruence_tricky": 165,
        "subject_aux_inversion": 3867,
        "turn_taking": 280,
    }
