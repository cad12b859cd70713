"""Items as a table for people."""

from pairlens.files.item_rows import counts, group_columns, item_rows, mentioned, sides
from pairlens.types import Candidate, Item


def item(number, gold="good", context="", **groups):
    candidates = (Candidate(f"A{number}.", "good", context), Candidate(f"B{number}.", "bad", context))
    return Item(f"i{number}", candidates, gold, {"contrast": str(number), **groups})


def test_right_and_wrong_stand_side_by_side_all_of_them():
    items = [item(1, UID="x"), item(2, UID="y")]
    table = item_rows(items)
    assert list(item_rows(items, with_texts=False)) == ["row", "item", "UID"]
    assert list(table) == ["row", "item", "right", "wrong", "UID"]
    assert table.to_numpy().tolist() == [[1, "i1", "A1.", "B1.", "x"], [2, "i2", "A2.", "B2.", "y"]]
    mixed = Item("m", (Candidate(" is.", "good", "The cat"), Candidate(" are.", "bad", "The dog")), "good", {})
    table = item_rows([item(1, context="Once "), mixed])
    assert table["context"].tolist() == ["Once ", ""]
    assert table["right"].tolist() == ["A1.", "The cat is."]
    options = Item("o", tuple(Candidate(f"{n}.", str(n)) for n in range(3)), "0", {})
    assert item_rows([options])["wrong"].tolist() == ["1. | 2."]
    single = Item("s", (Candidate("word", "word", "After this "),), None, {})
    assert item_rows([item(1, gold=None)])["texts"].tolist() == ["good: A1. | bad: B1."]
    assert item_rows([single])["texts"].tolist() == ["word"]


def test_groups_are_those_that_items_share_counted_in_reading_order():
    items = [item(n, UID="x", kind=str(n % 2), own=str(n)) for n in range(10)]
    assert group_columns(items) == ["UID", "kind"], "neither what each has for itself nor the cluster"
    assert group_columns(items, ("own", "absent", "kind")) == ["own", "kind", "UID"]
    (row,) = item_rows([item(1, row="7", wrong="x")]).to_dict("records")
    assert (row["row"], row["wrong"], row["given_row"], row["given_wrong"]) == (1, "B1.", "7", "x")
    table = counts([item(1, UID="z"), item(2, UID="a"), item(3, UID="z"), item(4)], "UID")
    assert table[["value", "items", "share"]].to_numpy().tolist() == [["z", 2, 0.5], ["a", 1, 0.25], ["", 1, 0.25]]


def test_sides_are_the_texts_that_are_meant_by_which_a_finding_is_led_back_to_its_item():
    options = Item("o", tuple(Candidate(f"text {n}", str(n), "A ") for n in range(3)), "1", {})
    assert sides(options) == ("A text 1", "A text 0")
    assert sides(options, "A text 1 | A text 2") == ("A text 1", "A text 2")
    assert sides(Item("s", (Candidate("x", "x"),), None, {})) is None
    items = [item(1), item(2), item(3)]
    twin = Item("twin", items[1].candidates, "good", {})
    assert mentioned([*items, twin], "i1", "A2.") is items[1], "a sentence may have the id of another pair"
    assert mentioned([*items, twin], "twin", "A2. | B2.") is twin
    assert mentioned(items, "i1", "") is mentioned(items, "i1", "C.") is None
