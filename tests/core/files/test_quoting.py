"""Quotation marks in tables: when they quote, when they are text, and no row lost in a cell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.files.row_mistakes import collected
from core.files.tables import guesses, read_as, read_table
from tests.refusals import error_of

Save = Callable[..., Path]
LONE = "good\tbad\n{}The cat sleeps.\tThe cat sleep.\nThe dogs run.{}\tThe dogs runs.\nThe men eat.\tThe men eats.\n"


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ['"', "'", "“"])
def test_a_lone_mark_takes_no_rows(save, mark, ends):
    table = read_table(save("a.tsv", LONE.format(mark, mark).replace("\n", ends)))
    assert table["good"].tolist() == [f"{mark}The cat sleeps.", f"The dogs run.{mark}", "The men eat."]
    assert table["bad"].tolist() == ["The cat sleep.", "The dogs runs.", "The men eats."]


@pytest.mark.parametrize(
    ("rows", "quoting", "cells"),
    [
        (["g\tb", 'x\t"y', 'z\tw"'], "none", [["x", '"y'], ["z", 'w"']]),  # at the start of the last cell
        (["g\tb", '"Go," she said.\t"Go," she say.'], "none", [['"Go," she said.', '"Go," she say.']]),
        (["g\tb", '"x\ty'], "none", [['"x', "y"]]),  # never closed
        (["g\tb", '"Run away now!"\ty', "z\tw"], "none", [['"Run away now!"', "y"], ["z", "w"]]),
        (
            ["a\tb\tc", '"\t"\tx'],
            "none",
            [['"', '"', "x"]],
        ),  # two cells with a mark each, as agreement sets have them
        (["g\tb", '5" wide\t"y, w"'], "none", [['5" wide', '"y, w"']]),
        (["g\tb", '"x"\t"y"', '"z"\t"w"'], "double", [["x", "y"], ["z", "w"]]),  # all cells
        (['"g"\t"n"', '"x"\t1', "NA\t2"], "double", [["x", "1"], ["NA", "2"]]),  # a column of text, as R writes it
        (["g\tb", '"x, y"\tz', "v\tw"], "double", [["x, y", "z"], ["v", "w"]]),  # as Excel does
        (["g\tb", '"x, y"\tz', "v, u\tw"], "none", [['"x, y"', "z"], ["v, u", "w"]]),
        (["g\tb", '"say ""x"""\ty'], "double", [['say "x"', "y"]]),
        (["g\tb", '"x\ny"\tz'], "double", [["x\ny", "z"]]),
        (["g\tb", '"x\ty"\tz'], "double", [["x\ty", "z"]]),
    ],
)
def test_tab_separated_text_is_quoted_if_all_of_it_is(save, rows, quoting, cells):
    table = read_table(path := save("a.tsv", "\n".join(rows) + "\n"))
    assert (table.attrs["quoting"], table.to_numpy().tolist()) == (quoting, cells)
    assert f"(quoting {quoting})" in read_as(table) and f"(quoting {quoting})" in guesses(path, table)[0]


@pytest.mark.parametrize(
    ("name", "content", "row"),
    [
        ("a.tsv", 'g\tb\n"say ""x"""\ty\n"x\ty\nz"\tw\n', 3),
        ("a.tsv", '"g"\t"b"\n"x"\t"y"\n"x\ty\nz"\t"w"\n', 3),
        ("a.tsv", '"g"\t"b"\n"x\ty\nz"\t"w"\n"v"\t"u"\n', 2),
        ("a.csv", 'g,b\nx,"y\nz,w"\nu,v\n', 2),
        ("a.csv", 'g;b\r\nu;v\r\n"x;y\r\nz";w\r\n', 3),
        ("a.csv", 'a,b,c\n1,"y,z\n2,m"\n', 0),  # lines with other numbers of cells are no rows
    ],
)
def test_a_cell_that_may_hold_rows_is_refused_by_row(save, name, content, row):
    path = save(name, content)
    if not row:
        assert error_of(lambda: read_table(path)).startswith("a.csv, row 2: found 2 cells")
        return
    assert error_of(lambda: read_table(path)).startswith(f"{name}, row {row}: a quotation mark takes these 2 lines")
    with collected() as mistakes:
        read_table(path)
    assert [number for number, _ in mistakes.kept] == [row]
    whole, apart = (read_table(path, quoting=quoting) for quoting in ("double", "none"))
    assert len(apart) == len(whole) + 1, "who says what marks are is believed"


def test_a_cell_of_several_lines_with_commas_is_read(save):
    table = read_table(save("a.csv", 'id,text,label\n1,"one, two\nthree",x\n2,"a, b",y\n'))
    assert table["text"].tolist() == ["one, two\nthree", "a, b"]


def test_quoting_is_set_for_all_files_or_one(save, monkeypatch):
    from core.settings import settings

    path = save("a.csv", 'good,bad\n"Go" she said.,"Go" she say.\n')
    assert "with --quoting none" in error_of(lambda: read_table(path))
    assert read_table(path, quoting="none")["good"].tolist() == ['"Go" she said.']
    monkeypatch.setenv("PAIRLENS_QUOTING", "none")
    settings.cache_clear()
    assert read_table(path)["good"].tolist() == ['"Go" she said.']
    assert "There is no quoting 'noone'" in error_of(lambda: read_table(path, quoting="noone"))


def test_field_files_keep_their_rows(shared_data):
    folder = shared_data("field")
    for name, n in (("quotes.tsv", 6), ("quotes_p2.tsv", 4), ("quotes_p3.tsv", 4), ("quotes_pairs.tsv", 4)):
        assert len(read_table(folder / name)) == n


# What else stands in tables


def test_rows_and_columns_of_delimiters_are_blank(save):
    table = read_table(save("a.csv", "item,good,bad,,\n1,a,b,,\n,,,,\n,,,,,,,\n2,c,d,,\n,,,,\n"))
    assert table.to_dict("list") == {"item": ["1", "2"], "good": ["a", "c"], "bad": ["b", "d"]}
    assert read_table(save("b.csv", "a,\n1,x\n")).columns.tolist() == ["a", "column 2"]


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_comments_above_a_table_are_no_rows(save, delimiter):
    rows = [["good", "bad"], ["The cat, here.", "The cats."]] if delimiter != "," else [["good", "bad"], ["x", "y"]]
    text = "".join(delimiter.join(row) + "\n" for row in rows)
    table = read_table(save("a.csv", f"# Items, 2026\n#\n## by hand\n{text}# and more\n{text[9:]}"))
    assert table.to_numpy().tolist() == [rows[1], rows[1]]
    assert table.attrs["rows"] == (5, (6,))
    assert read_table(save("b.csv", "#good,bad\nx,y\n")).columns.tolist() == ["#good", "bad"]
    assert len(read_table(save("c.csv", "a,b\n# no,comment\n"))) == 1, "below a table it is text"


def test_the_comments_of_pcibex_name_the_columns(save):
    comments = (
        "# Results on Friday, 06 Nov\n# Columns below this comment are as follows:\n# 1. item.\n# 2. sentence.\n"
    )
    table = read_table(save("results.csv", comments + "1,The cat sleeps.\n2,The dog barks.\n"))
    assert table.to_dict("list") == {"item": ["1", "2"], "sentence": ["The cat sleeps.", "The dog barks."]}
