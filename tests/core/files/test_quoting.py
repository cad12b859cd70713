"""Tables as people bring them: quotation marks, blank rows, comments, no column names, other programs' documents."""

import pandas as pd
import pytest

from pairlens.files.row_mistakes import collected
from pairlens.files.tables import guesses, read_as, read_json, read_records, read_table
from pairlens.tasks import TASKS
from tests.refusals import error_of

LONE = "good\tbad\n{}The cat sleeps.\tThe cat sleep.\nThe dogs run.{}\tThe dogs runs.\nThe men eat.\tThe men eats.\n"


@pytest.mark.parametrize(("mark", "ends"), [('"', "\n"), ('"', "\r\n"), ("'", "\n"), ("“", "\r\n")])
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
        (["a\tb\tc", '"\t"\tx'], "none", [['"', '"', "x"]]),  # two cells with a mark each, as agreement sets have
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
    ],
)
def test_a_cell_that_may_hold_rows_is_refused_by_row(save, name, content, row):
    path = save(name, content)
    assert error_of(lambda: read_table(path)).startswith(f"{name}, row {row}: a quotation mark takes these 2 lines")
    with collected() as mistakes:
        read_table(path)
    assert [number for number, _ in mistakes.kept] == [row]
    whole, apart = (read_table(path, quoting=quoting) for quoting in ("double", "none"))
    assert len(apart) == len(whole) + 1, "who says what marks are is believed"


def test_lines_with_other_numbers_of_cells_are_no_rows_and_quoting_can_be_set(save, shared_data, limit):
    path = save("a.csv", 'a,b,c\n1,"y,z\n2,m"\n')
    assert error_of(lambda: read_table(path)).startswith("a.csv, row 2: found 2 cells")
    table = read_table(save("a.csv", 'id,text,label\n1,"one, two\nthree",x\n2,"a, b",y\n'))
    assert table["text"].tolist() == ["one, two\nthree", "a, b"]
    folder = shared_data("field")
    for name, n in (("quotes.tsv", 6), ("quotes_p2.tsv", 4), ("quotes_p3.tsv", 4), ("quotes_pairs.tsv", 4)):
        assert len(read_table(folder / name)) == n
    path = save("a.csv", 'good,bad\n"Go" she said.,"Go" she say.\n')
    assert "with --quoting none" in error_of(lambda: read_table(path))
    assert read_table(path, quoting="none")["good"].tolist() == ['"Go" she said.']
    limit("quoting", "none")
    assert read_table(path)["good"].tolist() == ['"Go" she said.']
    assert "There is no quoting 'noone'" in error_of(lambda: read_table(path, quoting="noone"))


def test_rows_and_columns_of_delimiters_are_blank_and_comments_of_pcibex_name_columns(save):
    table = read_table(save("a.csv", "item,good,bad,,\n1,a,b,,\n,,,,\n,,,,,,,\n2,c,d,,\n,,,,\n"))
    assert table.to_dict("list") == {"item": ["1", "2"], "good": ["a", "c"], "bad": ["b", "d"]}
    assert read_table(save("b.csv", "a,\n1,x\n")).columns.tolist() == ["a", "column 2"]
    comments = "# Results\n# Columns below this comment are as follows:\n# 1. item.\n# 2. sentence.\n"
    table = read_table(save("results.csv", comments + "1,The cat sleeps.\n2,The dog barks.\n"))
    assert table.to_dict("list") == {"item": ["1", "2"], "sentence": ["The cat sleeps.", "The dog barks."]}


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_comments_above_a_table_are_no_rows(save, delimiter):
    rows = [["good", "bad"], ["x", "y"] if delimiter == "," else ["The cat, here.", "The cats."]]
    text = "".join(delimiter.join(row) + "\n" for row in rows)
    table = read_table(save("a.csv", f"# Items, 2026\n#\n## by hand\n{text}# and more\n{text[9:]}"))
    assert table.to_numpy().tolist() == [rows[1], rows[1]]
    assert table.attrs["rows"] == (5, (6,))
    assert read_table(save("b.csv", "#good,bad\nx,y\n")).columns.tolist() == ["#good", "bad"]
    assert len(read_table(save("c.csv", "a,b\n# no,comment\n"))) == 1, "below a table it is text"


PAIRS = "The cat sleeps.\tThe cat sleep.\nThe dogs run.\tThe dogs runs.\n"
COLA = "gj04\t1\t\tOur own sentence is here.\ngj04\t0\t*\tOur own sentence are here.\n"
SEAT = '{\n  "targ1": {\n    "category": "A",\n    "examples": ["x"]\n  },\n  "attr1": {"category": "B"}\n}\n'


@pytest.mark.parametrize("name", ["a.tab", "a.tsv", "a.text", "a.lst", "a.dat", "a"])
def test_two_columns_of_sentences_without_names_are_pairs(save, name):
    path = save(name, PAIRS)
    items = [[one.text for one in item.candidates] for item in TASKS["pairs"].read(path)]
    assert items == [line.split("\t") for line in PAIRS.splitlines()]
    assert "Its first line is no line of column names" in read_as(read_table(path))


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        (COLA, ["column 1", "column 2", "column 3", "column 4"]),
        ("1\tOne sentence is here.\n0\tOne sentence are here.\n", ["column 1", "column 2"]),
        ("1\tThe cat sleeps.\tThe cat sleep.\n", ["column 1", "column 2", "column 3"]),
        ("猫が寝ている。\t猫を寝ている。\n", ["good", "bad"]),
        ("the good text\tthe worse text\tgroup\n1\t2\t3\n", ["the good text", "the worse text", "group"]),
        ("The good sentence\tThe bad one\nthe cat sleeps\tthe cat sleep\n", ["The good sentence", "The bad one"]),
        ("the preferred variant\tthe other one\nThe cat.\tThe cats.\n", ["the preferred variant", "the other one"]),
        ("what is right\twhat is not\nA b c.\tA b d.\n", ["what is right", "what is not"]),
        ("what is right\twhat is not\na b c\ta b d\n", ["what is right", "what is not"]),
        ("the cat sleeps\tthe cat sleep\nthe dogs run\tthe dogs runs\n", ["good", "bad"]),
        ("good\tbad\nThe cat sleeps.\tThe cat sleep.\n", ["good", "bad"]),
        ("What is the sentence?\n", ["What is the sentence?"]),
        ("\tsent_more\n0\tx\n", ["column 1", "sent_more"]),
    ],
)  # fmt: skip
def test_names_are_made_only_where_the_first_row_has_none(save, content, columns):
    table = read_table(save("a.tsv", content))
    assert [*table.columns] == columns
    assert len(table) == content.count("\n") - ("unnamed" not in table.attrs)


@pytest.mark.parametrize("content", [COLA, "sentence\tlabel\nIt is here.\t1\nIt are here now.\t0\n"])
def test_single_sentences_with_judgements_say_what_scores_them(save, content):
    message = error_of(lambda: list(TASKS["pairs"].read(save("a.tsv", content))))
    assert "single sentences, each with a judgement" in message and "`score`" in message and "minimal-pair" in message


def test_an_association_test_a_document_that_is_called_lines_and_made_names_are_said(save):
    lines, document = save("seat.jsonl", SEAT), save("seat.json", SEAT)
    reads = (lambda: list(read_records(lines)), lambda: read_table(document), lambda: read_json(document, "a suite"))
    assert all("an association test (SEAT, WEAT)" in error_of(read) for read in reads)
    message = error_of(lambda: list(read_records(save("a.jsonl", '[\n  {"a": 1}\n]\n'))))
    assert message.startswith("a.jsonl, line 1: a JSON document over several lines")
    said = "Its first line is no line of column names, so the columns are called good, bad."
    path = save("a.tsv", PAIRS)
    table = read_table(path)
    sheet = path.with_suffix(".xlsx")
    pd.DataFrame([line.split("\t") for line in PAIRS.splitlines()]).to_excel(sheet, header=False, index=False)
    assert guesses(path, table) == [said] and guesses(path) == []
    assert guesses(sheet, read_table(sheet)) == [said] == [read_as(read_table(sheet))]
