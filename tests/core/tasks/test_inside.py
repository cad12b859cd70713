"""Tables of beginnings: columns, bars, CausalGym's names and lists."""

import pytest

from pairlens.places import FOLDER as ROOT
from pairlens.tasks import TASKS
from pairlens.tasks._beginnings import without_bars
from pairlens.tasks.inside import rows
from tests.records import refusal, write

TASK = TASKS["inside"]
HEADER = "first\tsecond\tform_first\tform_second\n"


def test_each_beginning_is_an_item_with_both_forms(save):
    table = save("inside.tsv", HEADER + "The keys\tThe key\tare\tis\nJusqu'\tOù\til\telle\n")
    first, second, elided, _ = TASK.read(table)
    assert (first.id, first.gold, second.id, second.gold) == ("1:first", "are", "1:second", "is")
    assert [one.text for one in first.candidates] == [" are", " is"]
    assert {one.context for one in second.candidates} == {"The key"}
    assert first.groups == {"side": "first", "contrast": "1"}
    assert [one.text for one in elided.candidates] == ["il", "elle"]
    items = list(TASK.read(ROOT / "data" / "samples" / "inside"))
    assert len(items) == 144 and len({item.groups["contrast"] for item in items}) == 72


def test_bars_and_the_lists_of_causalgym_part_regions(tmp_path):
    for typed, text, parts in (
        ("The | keys | to the cabinet", "The keys to the cabinet", ["The", "keys", "to the cabinet"]),
        ("|The|  keys|", "The keys", ["The", "keys"]), ("key|s to", "keys to", ["key", "s to"]),
        ("The keys", "The keys", []),
    ):  # fmt: skip
        found, spans = without_bars(typed)
        assert (found, [found[slice(*span)] for span in spans]) == (text, parts)
    row = {"base": ["<|endoftext|>", "The", " guards"], "src": ["<|endoftext|>", "The", " guard"]}
    (one,) = rows(write(tmp_path / "causalgym.jsonl", row | {"base_label": " are", "src_label": " is"}))
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
def test_a_row_that_asks_nothing_is_refused_with_its_place(row, why, save):
    assert refusal("inside", save("inside.tsv", HEADER + row + "\n")).startswith(f"inside.tsv, row 2: {why}")
