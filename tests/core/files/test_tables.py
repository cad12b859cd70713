"""Reading tables: delimiters, quoting, types, limits, and the one sentence for what is no table."""

import gzip
import lzma
import os

import openpyxl
import pandas as pd
import pyarrow.parquet
import pytest

from pairlens.files.tables import files, guesses, read_as, read_lines, read_table, read_workbook
from pairlens.tasks import TASKS
from tests.refusals import error_of

MB = 1 << 20


@pytest.mark.parametrize(("name", "delimiter"), [("a.csv", ","), ("a.txt", ";"), ("a.csv", "\t"), ("a.txt", "|")])
def test_the_delimiter_is_guessed(save, delimiter, name):
    rows = [["sentence", "label"], ["One, two; three.", "good"], ["Four | five.", "bad"]]
    quoted = [[f'"{cell}"' if any(d in cell for d in ",;|") else cell for cell in row] for row in rows]
    table = read_table(save(name, "".join(delimiter.join(row) + "\n" for row in quoted)))
    assert (table.attrs["delimiter"], table.attrs["encoding"]) == (delimiter, "utf-8")
    assert [list(table.columns), *table.to_numpy().tolist()] == rows


@pytest.mark.parametrize("first", ["sep=;", "SEP=;\r", "\ufeffsep=;"])
def test_a_spreadsheet_may_say_the_delimiter_in_a_first_line(save, first):
    table = read_table(save("a.csv", f"{first}\nsentence;label\nYes, no, perhaps;1\n"))
    assert table.attrs["delimiter"] == ";"
    assert table.to_dict("list") == {"sentence": ["Yes, no, perhaps"], "label": ["1"]}
    assert "line 3" in error_of(lambda: read_table(save("b.csv", f"{first}\na;b\n1\n")))


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        ("a;b\nYes, no, perhaps;1\nWell, no;0\n", [["Yes, no, perhaps", "1"], ["Well, no", "0"]]),
        ('a\nOne.\n\n""\nTwo.\n', [["One."], [""], ["Two."]]),
        ("\ufeffa,b\n007,NA\n1e3,\n null ,True\n", [["007", "NA"], ["1e3", ""], [" null ", "True"]]),
        ('a,b\r\n"one\r\ntwo","say ""x"", please"\r\n', [["one\r\ntwo", 'say "x", please']]),
    ],
)
def test_cells_are_text_as_written(save, content, rows):
    table = read_table(save("a.csv", content))
    assert (list(table.columns), table.to_numpy().tolist()) == (["a", "b"][: len(rows[0])], rows)


def test_delimiter_quoting_and_encoding_are_guessed_or_given(save):
    table = read_table(save("a.csv", "a;b\nC’était “là”;là-bas\n", "cp1252"))
    assert table.to_numpy().tolist() == [["C’était “là”", "là-bas"]]
    assert (table.attrs["delimiter"], table.attrs["encoding"]) == (";", "cp1252")
    assert table.attrs["guessed"] == ("'C’était “là”;là-bas'",) and "'C’était “là”;là-bas'" in read_as(table)
    table = read_table(save("a.txt", 'a b\né "è\n', "latin-1"), delimiter=" ", encoding="latin-1", quoting="none")
    assert table.to_numpy().tolist() == [["é", '"è']]
    path = save("a.csv", "a,b\n1,2\n")
    for encoding in ("hex", "rot13", "undefined", "a\0b", "nonsense"):
        assert "there is no encoding called" in error_of(lambda name=encoding: read_table(path, encoding=name))
    for delimiter in (";;", '"', "\n"):
        assert "by one character only" in error_of(lambda mark=delimiter: read_table(path, delimiter=mark))


@pytest.mark.parametrize("pack", [gzip, lzma])
def test_packed_files(tmp_path, pack):
    path = tmp_path / f"a.tsv{'.gz' if pack is gzip else '.xz'}"
    path.write_bytes(pack.compress(b"a\tb\n") + pack.compress(b"1\t2\n"))
    assert read_table(path).to_numpy().tolist() == [["1", "2"]]


def test_json_keeps_types_and_fills_what_is_missing(save):
    records = '{"a": "x", "n": 1.5}', '{"a": "y", "n": 2, "b": true}'
    for path in (save("a.jsonl", "\n".join(records)), save("a.json", f"[{','.join(records)}]")):
        table = read_table(path)
        assert list(table.columns) == ["a", "n", "b"] and table["n"].tolist() == [1.5, 2.0]
        assert pd.isna(table["b"][0]) and table["b"][1] is True


@pytest.mark.slow
def test_parquet_is_read_in_a_process_of_its_own(tmp_path, monkeypatch):
    monkeypatch.delenv("PAIRLENS_READER")
    frame = pd.DataFrame({"a": ["x", "x", "y"], "n": [1, 2, 3]}, index=[5, 7, 9])
    frame.astype({"a": "category"}).to_parquet(tmp_path / "a.parquet")
    whole = (tmp_path / "a.parquet").read_bytes()
    monkeypatch.setattr("pyarrow.parquet.ParquetFile.__init__", lambda *_, **__: os.abort())  # as a damaged file may
    pd.testing.assert_frame_equal(read_table(tmp_path / "a.parquet"), frame.reset_index(drop=True))
    (tmp_path / "b.parquet").write_bytes(whole[:-9])
    assert "b.parquet: not a usable Parquet file" in error_of(lambda: read_table(tmp_path / "b.parquet"))


def test_parquet_may_hold_more_text_than_a_document_but_no_two_columns_of_one_name(tmp_path, limit):
    limit("max_document_mb", 1)
    pd.DataFrame({"good": ["x" * 1000] * 2000}).to_parquet(tmp_path / "a.parquet")
    assert len(read_table(tmp_path / "a.parquet")) == 2000
    limit("max_unpacked_mb", 1)
    assert "holds more than 1 MB of data" in error_of(lambda: read_table(tmp_path / "a.parquet"))
    rows = pyarrow.array([["x"], ["y"]])
    pyarrow.parquet.write_table(pyarrow.table([rows, rows], names=["a", "a"]), tmp_path / "a.parquet")
    said = "a.parquet: column 2 has the name 'a' of an earlier column."
    assert error_of(lambda: read_table(tmp_path / "a.parquet")) == said


def workbook(path, **sheets):
    book = openpyxl.Workbook()  # whose own sheet stays empty
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_of_several_sheets_the_first_with_text_is_read_and_named_without_its_title(tmp_path):
    sheets = {f"s{n}": [["good", "bad"], [f"{n} is here.", f"{n} are here."]] for n in range(14)}
    path = workbook(tmp_path / "a.xlsx", **sheets)
    assert read_table(path)["good"].tolist() == ["0 is here."]
    assert guesses(path) == [said := read_as(read_table(path))]
    assert said.startswith("Read from a.xlsx, sheet 's0' (there are also 's1', 's2', ")
    assert "'s12' …: choose with" in said
    assert list(read_workbook(path)) == list(sheets)
    rows = [["My stimuli"], [], ["pair", "good", "bad"], [1, "The cat sleeps.", "The cat sleep."]]
    path = workbook(tmp_path / "a.xlsx", Items=rows)
    book = openpyxl.load_workbook(path)
    book["Items"].merge_cells("A1:C1")
    book.save(path)
    assert list(read_table(path).columns) == ["pair", "good", "bad"]


def test_a_sheet_of_sentences_is_read_before_others(tmp_path, limit):
    pairs = [["good", "bad"], ["The cat sleeps.", "The cat sleep."]]
    for notes in ([["Our items, made by hand."]], [["version", "3"], ["year", "2026"]], [["The cat sleeps.", "yes"]]):
        path = workbook(tmp_path / "a.xlsx", Notes=notes, Items=pairs, Fillers=[["good", "bad"], ["a", "b"]])
        assert read_table(path)["good"].tolist() == ["The cat sleeps."]
        assert "sheet 'Items' (there are also 'Notes', 'Fillers': choose with --sheet" in read_as(read_table(path))
    assert read_table(path, sheet="Fillers")["good"].tolist() == ["a"]
    assert "There is no sheet 'items'. Did you mean 'Items'?" in error_of(lambda: read_table(path, sheet="items"))
    said = error_of(lambda: list(TASKS["pairs"].read(workbook(tmp_path / "b.xlsx", A=[["x"], ["y"]], B=[["z"]]))))
    assert said.startswith("b.xlsx, sheet 'A' (there are also 'B': choose with --sheet")
    limit("sheet", "Fillers")
    assert read_table(path)["good"].tolist() == ["a"]
    path = workbook(path, Fillers=[["a", "b"]], 句子=[["good", "bad"], ["猫在睡觉。", "猫睡觉在。"]])
    assert read_table(path, sheet="句子")["good"].tolist() == ["猫在睡觉。"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "", "a.csv: the file is empty. Expected a header line with the column names."),
        ("a.csv", "\n\n", "a.csv: the file is empty. Expected a header line with the column names."),
        ("a.csv", "a,b\n1,2\n\n1,2,3\n", "a.csv, row 4: found 3 cells, expected 2 ('a', 'b')."),
        ("a.csv", 'a,b\n"x\ny",2\n1\n', "a.csv, row 3 (line 4 of the file): found 1 cell, expected 2 ('a', 'b')."),
        ("a.csv", "a,b, a\n", "a.csv, row 1: column 3 has the name 'a' of an earlier column."),
        ("a.csv", 'a,b\n1,"2\n3,4\n', "a.csv, row 2: a quotation mark opens a cell that is never closed."),
        ("a.csv", 'a,b\n1,"2"x\n', "a.csv, row 2: text after a closing quotation mark."),
        ("a.csv", "a,b\r1,2\r", "a.csv, row 1: a bare carriage return ends a line."),
        ("a.csv", "a,b\n1,\x00\n", "a.csv, line 2: character '\\x00' at position 3: this is not a text file"),
        ("a.json", "[]", "a.json: the table has no columns."),
        ("a.json", '{"a": 1}', "a.json: expected a JSON array of objects [{...}, ...], found '{\"a\": 1}'."),
        ("a.json", '[{"a": 1},\n {"a" 2}]', "a.json: not JSON: Expecting ':' delimiter (line 2, column 7)."),
        ("a.json", " ", "a.json: the file is empty. Expected a JSON array of objects."),
        ("a.jsonl", "", "a.jsonl: the file is empty. Expected one JSON object per line."),
        ("a.xlsx", "PK no", "a.xlsx: not a usable XLSX file. Save it again as an Excel workbook (.xlsx) or as CSV."),
        ("a.xls", "x", "a.xls: an Excel file of the old kind. Save it as .xlsx or CSV."),
        ("a.pdf", "x", "a.pdf: cannot read a file of this kind. Expected .csv,"),
        ("a.csv.gz", "x", "a.csv.gz: cannot be unpacked ("),
        ("a.csv", b"a,b\n\x81\x8d,2\n", "a.csv: not UTF-8, and "),
        ("a.csv.xz", "x", "a.csv.xz: cannot be unpacked ("),
        ("a.xlsx.gz", "x", "a.xlsx.gz: cannot read a file of this kind."),
    ],
)
def test_what_is_no_table_is_one_sentence(save, name, content, message):
    assert error_of(lambda: read_table(save(name, content))).startswith(message)


@pytest.mark.parametrize(
    ("titles", "names"),
    [(["Autumn;;", "by hand;;"], ["pair", "good", "bad"]), ([], ["pair", "good", "bad"]), (["item;;"], None)],
)
def test_titles_above_the_names_of_the_columns_are_no_names(save, titles, names):
    """As Excel saves a heading over merged cells; a name that stands above a row of values stays one."""
    rows = [*titles, *(["pair;good;bad"] if names else []), "1;The cat sleeps.;The cat sleep."]
    table = read_table(save("a.csv", "\n".join(rows) + "\n"))
    assert list(table.columns) == (names or ["item", "column 2", "column 3"])
    assert table.iloc[0].tolist() == ["1", "The cat sleeps.", "The cat sleep."]


def test_limits_hold_exactly(save, limit):
    limit("max_rows", 3)
    limit("max_columns", 3)
    limit("max_line_mb", 1)
    for n, too_many in ((2, False), (3, False), (4, True)):
        rows, columns = save("r.csv", "a\n" + "x\n" * n), save("c.csv", ",".join(f"c{i}" for i in range(n)) + "\n")
        records = save("r.jsonl", '{"a": 1}\n' * n)
        for path, word in ((rows, "max_rows"), (columns, "max_columns"), (records, "max_rows")):
            if too_many:
                assert word in error_of(lambda path=path: read_table(path))
            else:
                assert read_table(path).shape in ((n, 1), (0, n))
    for length, too_many in ((MB - 1, False), (MB, False), (MB + 1, True)):
        path = save("l.txt", b"x" * (length - 1) + b"\n")
        if too_many:
            assert "longer than 1 MB" in error_of(lambda path=path: read_lines(path))
        else:
            assert len(read_lines(path)[0]) == length - 1


@pytest.mark.slow
def test_what_unpacks_to_too_much_asks_for_gigabytes_or_is_a_long_document_is_refused(save, limit):
    limit("max_unpacked_mb", 2)
    for size, too_many in ((2 * MB, False), (2 * MB + 512, True)):
        for name, pack in (("b.txt.gz", gzip.compress), ("b.txt.xz", lzma.compress)):
            path = save(name, pack((b"x" * 511 + b"\n") * (size // 512)))
            if too_many:
                assert "unpacks to more than 2 MB" in error_of(lambda path=path: read_lines(path))
            else:
                assert len(read_lines(path)) == size // 512
    packed = bytes.fromhex(
        "fd377a585a000004e6d6b44602002101240000005e1fc7f9010001780a00"
        "0000374a51dc33a2cab000011a02dc2ea57e1fb6f37d010000000004595a"
    )
    assert "cannot be unpacked" in error_of(lambda: read_lines(save("b.txt.xz", packed)))
    limit("max_document_mb", 1)
    path = save("a.json", '[{"a": "' + "x" * MB + '"}]')
    assert "longer than 1 MB" in error_of(lambda: read_table(path))
    limit("max_rows", 10)
    assert "more than 10 values" in error_of(lambda: read_table(save("b.json", "[" + "{}," * 11 + "{}]")))


def test_files_of_a_folder_and_what_is_missing(save, tmp_path):
    assert "There is no file" in error_of(lambda: read_table(tmp_path / "no.csv"))
    assert "is a folder" in error_of(lambda: read_table(tmp_path))
    assert "There is no file" in error_of(lambda: read_lines(tmp_path / "no.txt"))
    assert "no file that ends in" in error_of(lambda: files(tmp_path, (".jsonl",)))
    for name in ("b.jsonl", "a.jsonl.gz", "C.JSONL", ".hidden.jsonl", "notes.md", "z.jsonl.xz"):
        save(name, "x")
    assert [path.name for path in files(tmp_path, (".jsonl",))] == ["C.JSONL", "a.jsonl.gz", "b.jsonl", "z.jsonl.xz"]
    assert files(tmp_path / "notes.md", (".jsonl",)) == [tmp_path / "notes.md"]
    save("b.jsonl.gz", "x")
    assert "b.jsonl and b.jsonl.gz hold the same table" in error_of(lambda: files(tmp_path, (".jsonl",)))


def test_real_tables(shared_data):
    """Row counts of the data's own list: quotes, tabs, byte-order marks, newlines in cells, XLSX."""
    for folder, name, shape in (
        ("babylm/evaluation_data/full_eval/reading", "reading_data.csv.gz", (1726, 25)),
        ("sick_br", "SICK_BR.txt.gz", (9840, 12)),
        ("crows_pairs", "crows_pairs_anonymized.csv.gz", (1508, 8)),
        ("naturalstories", "processed_wordinfo.tsv.gz", (10_256, 8)),
    ):
        assert read_table(next(shared_data(folder).rglob(name))).shape == shape
