"""Tables of beginnings: columns, bars, CausalGym's names and lists."""

from __future__ import annotations

import json

import pytest

from core.errors import InputError
from core.settings import ROOT
from core.tasks import TASKS
from core.tasks._beginnings import without_bars
from core.tasks.inside import rows

TASK = TASKS["inside"]
HEADER = "first\tsecond\tform_first\tform_second\n"


def test_each_beginning_is_an_item_with_both_forms(tmp_path):
    file = tmp_path / "inside.tsv"
    file.write_text(HEADER + "The keys\tThe key\tare\tis\nJusqu'\tOù\til\telle\n", "utf-8")
    first, second, elided, _ = TASK.read(file)
    assert (first.id, first.gold, second.id, second.gold) == ("1:first", "are", "1:second", "is")
    assert [one.text for one in first.candidates] == [" are", " is"]
    assert {one.context for one in second.candidates} == {"The key"}
    assert first.groups == {"side": "first", "contrast": "1"}
    assert [one.text for one in elided.candidates] == ["il", "elle"]


def test_the_sample_has_72_pairs():
    items = list(TASK.read(ROOT / "data" / "samples" / "inside"))
    assert len(items) == 144 and len({item.groups["contrast"] for item in items}) == 72


@pytest.mark.parametrize(
    ("typed", "text", "parts"),
    [
        ("The | keys | to the cabinet", "The keys to the cabinet", ["The", "keys", "to the cabinet"]),
        ("|The|  keys|", "The keys", ["The", "keys"]),
        ("key|s to", "keys to", ["key", "s to"]),
        ("The keys", "The keys", []),
    ],
)
def test_bars_part_regions(typed, text, parts):
    found, spans = without_bars(typed)
    assert (found, [found[slice(*span)] for span in spans]) == (text, parts)


def test_lists_of_causalgym_are_regions(tmp_path):
    file = tmp_path / "causalgym.jsonl"
    row = {"base": ["<|endoftext|>", "The", " guards"], "src": ["<|endoftext|>", "The", " guard"]}
    file.write_text(json.dumps({**row, "base_label": " are", "src_label": " is"}) + "\n")
    (one,) = rows(file)
    assert (one.texts, one.forms) == (("The guards", "The guard"), ("are", "is"))
    assert one.regions == (((0, 3), (4, 10)), ((0, 3), (4, 9)))


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("The keys\tThe keys\tare\tis", "both beginnings are the same"),
        ("The keys\tThe key\tis\tis", "both forms are the same"),
        ("\tThe key\tare\tis", "the first is empty"),
        ("The|keys\tThe key\tare\tis", "2 regions between bars in first, 0 in second"),
    ],
)
def test_a_row_that_asks_nothing_is_refused_with_its_place(row, why, tmp_path):
    file = tmp_path / "inside.tsv"
    file.write_text(HEADER + row + "\n")
    with pytest.raises(InputError, match=f"inside.tsv, row 2: {why}"):
        list(TASK.read(file))
