"""Tables whose label is the place of the good sentence: QFrBLiMP, MultiBLiMP beside it, and any other."""

import gzip
import json
from collections import Counter

import pytest

from pairlens.places import FOLDER as ROOT
from pairlens.tasks import TASKS
from tests.records import read, refusal, write

A, B = "Elle chante.", "Elle chantes."
ROW = {"sentence_a": A, "sentence_b": B, "label": 0}


def texts(item):
    assert [candidate.label for candidate in item.candidates] == ["good", "bad"] and item.gold == "good"
    return tuple(candidate.text for candidate in item.candidates)


@pytest.mark.parametrize(("label", "good"), [(0, A), (1, B), (0.0, A), (1.0, B), ("1", B)])
def test_the_label_is_the_place_of_the_good_sentence(tmp_path, label, good):
    (item,) = read("qfrblimp", write(tmp_path / "a.jsonl", ROW | {"label": label}))
    assert texts(item) == (good, B if good == A else A)


def test_groups_are_the_phenomenon_the_category_and_what_people_chose(tmp_path):
    full = {"category": "syntax", "type": 7, "subcat": 161.0, "annotator_1": 1, "annotator_3": 0, "annotator_5": None}
    first, second = read("qfrblimp", write(tmp_path / "a.jsonl", ROW | full, ROW | {"label": 1, "type": 7}))
    assert first.groups == {
        "type": "7", "category": "syntax", "subcat": "161", "people": "1 of 2", "contrast": "chante.|chantes.",
    }  # fmt: skip
    assert (first.id, second.id) == ("7_0", "7_1")
    assert (second.groups["category"], second.groups["people"]) == ("unknown", "unknown")
    for label in (0, 1):
        row = {"sentence_bad": B, "sentence_good": A, "label": label}
        (item,) = read("qfrblimp", write(tmp_path / "a.jsonl", row))
        assert texts(item) == (A, B)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_tables_are_read_too_and_name_the_type_by_their_file(save, delimiter):
    rows = (("label", "sentence_a", "sentence_b"), ("1", A, B))
    path = save("accord.csv", "".join(delimiter.join(row) + "\n" for row in rows))
    (item,) = read("qfrblimp", path)
    assert texts(item) == (B, A) and item.groups["type"] == "accord"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"label": 2}, "a.jsonl, row 2: label must be 0 (a is good) or 1 (b is good), found '2'"),
        ({"label": None}, "a.jsonl, row 2: label must be 0 (a is good) or 1 (b is good), found ''"),
        ({"sentence_b": " "}, "a.jsonl, row 2: column 'sentence_b' has no text"),
        ({"sentence_a": 5}, "a.jsonl, row 2: column 'sentence_a' has no text"),
    ],
)
def test_a_row_that_does_not_fit_is_named(tmp_path, row, message):
    assert refusal("qfrblimp", write(tmp_path / "a.jsonl", ROW, ROW | row)) == message


def test_a_table_without_these_columns_is_refused(save):
    message = refusal("qfrblimp", save("a.csv", "sentence_a,sentence_b\nx,y\n"))
    assert message == (
        "a.csv: expected columns sentence_a, sentence_b, label, or sentence_good and sentence_bad; found sentence_a, "
        "sentence_b"
    )
    assert "no pair below the column names" in refusal("qfrblimp", save("a.csv", "sentence_a,sentence_b,label\n"))


def test_a_pair_in_two_files_of_a_folder_would_count_twice(tmp_path):
    write(tmp_path / "all.jsonl", ROW, ROW)
    write(tmp_path / "train.jsonl", {"sentence_a": B, "sentence_b": A, "label": 1})
    said = "train.jsonl, row 1: this pair stands in all.jsonl too: give one of the files"
    assert refusal("qfrblimp", tmp_path) == said
    assert len(read("qfrblimp", tmp_path / "all.jsonl")) == 2, "twice in one file is the file's business"


@pytest.mark.parametrize(("name", "n", "same"), [("qfrblimp.jsonl.gz", 1761, 18), ("qfrblimp_dev.jsonl", 124, 2)])
def test_the_released_files(shared_data, name, n, same):
    path = shared_data("qfrblimp/datastore/QFrBLiMP/release") / name
    items = read("qfrblimp", path)
    assert len(items) == n and len({item.groups["type"] for item in items}) == 20
    assert sum(good == bad for good, bad in map(texts, items)) == same
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    rows = [json.loads(line) for line in content.splitlines()]
    for item, row in zip(items, rows, strict=True):
        expected = row["sentence_b"] if row["label"] else row["sentence_a"]
        assert texts(item)[0] == expected
        chosen = sum(row[column] == row["label"] for column in row if column.startswith("annotator"))
        assert item.groups["people"] == f"{chosen} of 12"


def test_the_sample_is_ours_and_multiblimp_beside_the_release_is_read(shared_data):
    items = read("qfrblimp", ROOT / "data" / "samples" / "qfrblimp")
    types = Counter(item.groups["type"] for item in items)
    assert types == dict.fromkeys(("1", "2", "3", "7", "11", "12", "14", "20"), 2)
    release = shared_data("qfrblimp/datastore/QFrBLiMP/release")
    published = read("qfrblimp", release / "qfrblimp.jsonl.gz")
    assert Counter(item.groups["type"] for item in published)["1"] == 97, "past participles"
    assert "this pair stands in qfrblimp.jsonl.gz too" in refusal("qfrblimp", release), "its parts lie there too"
    assert not {text for item in items for text in texts(item)} & {text for item in published for text in texts(item)}
    assert TASKS["qfrblimp"].averaged == ("type",)
    items = read("qfrblimp", shared_data("qfrblimp/datastore/MultiBLiMP"))
    assert len(items) == 255 and {item.groups["type"] for item in items} == {"multiblimp"}
    first, second = (item.groups["contrast"] for item in items[:2])
    assert (first, second) == ("appartiennent|appartenez", "contribuent|contribuons"), "their labels are 0 and 1"
