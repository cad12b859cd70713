"""Reading tables: delimiters, quoting, types, limits, and the one sentence for what is no table."""

from __future__ import annotations

import gzip
import lzma
import os
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow.parquet
import pytest

from core.files.tables import files, guesses, read_as, read_lines, read_table, read_workbook
from core.settings import settings
from core.tasks import TASKS
from tests.refusals import error_of

MB = 1 << 20
Save = Callable[..., Path]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("name", ["a.csv", "a.txt"])
def test_the_delimiter_is_guessed(save, delimiter, name):
    rows = [["sentence", "label"], ["One, two; three.", "good"], ["Four | five.", "bad"]]
    quoted = [[f'"{cell}"' if any(d in cell for d in ",;|") else cell for cell in row] for row in rows]
    table = read_table(save(name, "".join(delimiter.join(row) + "\n" for row in quoted)))
    assert (table.attrs["delimiter"], table.attrs["encoding"]) == (delimiter, "utf-8")
    assert [list(table.columns), *table.to_numpy().tolist()] == rows


@pytest.mark.parametrize("first", ["sep=;", "SEP=;\r", "\ufeffsep=;"])
def test_a_spreadsheet_may_say_the_delimiter_in_a_first_line(save, first):
    table = read_table(save("a.csv", f"{first}\nsentence;label\nYes, no, perhaps;1\n"))
    assert table.attrs["delimiter"] == ";" and table.to_dict("list") == {
        "sentence": ["Yes, no, perhaps"],
        "label": ["1"],
    }
    assert "line 3" in error_of(lambda: read_table(save("b.csv", f"{first}\na;b\n1\n")))


def test_commas_in_unquoted_sentences_do_not_mislead(save):
    table = read_table(save("a.csv", "sentence;label\nYes, no, perhaps;1\nWell, no;0\n"))
    assert table["sentence"].tolist() == ["Yes, no, perhaps", "Well, no"]


def test_one_column(save):
    assert read_table(save("a.csv", 'sentence\nOne.\n\n""\nTwo.\n'))["sentence"].tolist() == ["One.", "", "Two."]


def test_cells_are_text_as_written(save):
    table = read_table(save("a.csv", "a,b\n007,NA\n1e3,\n null ,True\n"))
    assert table.to_numpy().tolist() == [["007", "NA"], ["1e3", ""], [" null ", "True"]]


def test_quoted_cells_hold_anything(save):
    table = read_table(save("a.csv", 'a,b\r\n"one\r\ntwo","say ""x"", please"\r\n'))
    assert table.to_numpy().tolist() == [["one\r\ntwo", 'say "x", please']]


def test_tsv_without_quoting_keeps_quotation_marks(save):
    path = save("a.tsv", 'word\tzone\n"Oh\t1\n""\t2\n')
    assert read_table(path, quoting="none")["word"].tolist() == ['"Oh', '""']


def test_a_byte_order_mark_is_no_part_of_the_first_name(save):
    assert list(read_table(save("a.csv", "item,text\n1,x\n", "utf-8-sig")).columns) == ["item", "text"]


def test_a_column_without_name_is_named_by_its_place(save):
    assert list(read_table(save("a.csv", ",sent_more\n0,x\n")).columns) == ["column 1", "sent_more"]


def test_windows_1252_is_read_and_said(save):
    table = read_table(save("a.csv", "a;b\nC’était “là”;là-bas\n", "cp1252"))
    assert table.to_numpy().tolist() == [["C’était “là”", "là-bas"]]
    assert (table.attrs["delimiter"], table.attrs["encoding"]) == (";", "cp1252")
    assert table.attrs["guessed"] == ("'C’était “là”;là-bas'",) and "'C’était “là”;là-bas'" in read_as(table)


def test_delimiter_and_encoding_can_be_given(save):
    table = read_table(save("a.txt", "a b\né è\n", "latin-1"), delimiter=" ", encoding="latin-1")
    assert table.to_numpy().tolist() == [["é", "è"]]
    assert "no encoding called 'nonsense'" in error_of(lambda: read_table(save("a.csv", "a\n"), encoding="nonsense"))


@pytest.mark.parametrize("encoding", ["hex", "rot13", "undefined", "a\0b"])
def test_what_is_no_text_encoding_is_refused(save, encoding):
    assert "there is no encoding called" in error_of(lambda: read_table(save("a.csv", "a\n"), encoding=encoding))


@pytest.mark.parametrize("delimiter", [";;", '"', "\n"])
def test_columns_are_parted_by_one_character(save, delimiter):
    path = save("a.csv", "a,b\n1,2\n")
    assert "by one character only" in error_of(lambda: read_table(path, delimiter=delimiter))


@pytest.mark.parametrize("pack", [gzip, lzma])
def test_packed_files(tmp_path, pack):
    path = tmp_path / f"a.tsv{'.gz' if pack is gzip else '.xz'}"
    path.write_bytes(pack.compress(b"a\tb\n") + pack.compress(b"1\t2\n"))  # type: ignore[attr-defined]
    assert read_table(path).to_numpy().tolist() == [["1", "2"]]


def test_json_keeps_types_and_fills_what_is_missing(save):
    records = '{"a": "x", "n": 1.5}', '{"a": "y", "n": 2, "b": true}'
    for path in (save("a.jsonl", "\n".join(records)), save("a.json", f"[{','.join(records)}]")):
        table = read_table(path)
        assert list(table.columns) == ["a", "n", "b"] and table["n"].tolist() == [1.5, 2.0]
        assert pd.isna(table["b"][0]) and table["b"][1] is True


def test_parquet_is_read_in_a_process_of_its_own(tmp_path, monkeypatch):
    frame = pd.DataFrame({"a": ["x", "x", "y"], "n": [1, 2, 3]}, index=[5, 7, 9])
    frame.astype({"a": "category"}).to_parquet(tmp_path / "a.parquet")
    whole = (tmp_path / "a.parquet").read_bytes()
    monkeypatch.setattr("pyarrow.parquet.ParquetFile.__init__", lambda *_, **__: os.abort())  # as a damaged file may
    pd.testing.assert_frame_equal(read_table(tmp_path / "a.parquet"), frame.reset_index(drop=True))
    (tmp_path / "b.parquet").write_bytes(whole[:-9])
    assert "b.parquet: not a usable Parquet file" in error_of(lambda: read_table(tmp_path / "b.parquet"))


def test_columns_of_parquet_with_one_name(tmp_path):
    rows = pyarrow.array([["x"], ["y"]])
    pyarrow.parquet.write_table(pyarrow.table([rows, rows], names=["a", "a"]), tmp_path / "a.parquet")
    said = "a.parquet: column 2 has the name 'a' of an earlier column."
    assert error_of(lambda: read_table(tmp_path / "a.parquet")) == said


def test_parquet_may_hold_more_text_than_a_document(tmp_path, monkeypatch):
    monkeypatch.setenv("PAIRLENS_MAX_DOCUMENT_MB", "1")
    settings.cache_clear()
    pd.DataFrame({"good": ["x" * 1000] * 2000}).to_parquet(tmp_path / "a.parquet")
    assert len(read_table(tmp_path / "a.parquet")) == 2000
    monkeypatch.setenv("PAIRLENS_MAX_UNPACKED_MB", "1")
    settings.cache_clear()
    assert "holds more than 1 MB of data" in error_of(lambda: read_table(tmp_path / "a.parquet"))


def test_of_several_sheets_the_first_with_text_is_read_and_named(tmp_path):
    book = openpyxl.Workbook()  # whose own sheet stays empty
    for number in range(50):
        sheet = book.create_sheet(f"s{number}")
        sheet.append(["good", "bad"])
        sheet.append([f"{number} is here.", f"{number} are here."])
    book.save(path := tmp_path / "a.xlsx")
    assert read_table(path)["good"].tolist() == ["0 is here."]
    assert guesses(path) == [said := read_as(read_table(path))]
    assert (
        said.startswith("Read from a.xlsx, sheet 's0' (there are also 's1', 's2', ")
        and "'s12' …: choose with" in said
    )
    assert list(read_workbook(path)) == [f"s{number}" for number in range(50)]


def workbook(path: Path, **sheets: list[list[str]]) -> Path:
    book = openpyxl.Workbook()
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_a_sheet_of_sentences_is_read_before_others(tmp_path, monkeypatch):
    pairs = [["good", "bad"], ["The cat sleeps.", "The cat sleep."]]
    for notes in ([["Our items, made by hand."]], [["version", "3"], ["year", "2026"]], [["The cat sleeps.", "yes"]]):
        path = workbook(tmp_path / "a.xlsx", Notes=notes, Items=pairs, Fillers=[["good", "bad"], ["a", "b"]])
        assert read_table(path)["good"].tolist() == ["The cat sleeps."]
        assert "sheet 'Items' (there are also 'Notes', 'Fillers': choose with --sheet" in read_as(read_table(path))
    assert read_table(path, sheet="Fillers")["good"].tolist() == ["a"]
    assert "There is no sheet 'items'. Did you mean 'Items'?" in error_of(lambda: read_table(path, sheet="items"))
    said = error_of(lambda: list(TASKS["pairs"].read(workbook(tmp_path / "b.xlsx", A=[["x"], ["y"]], B=[["z"]]))))
    assert said.startswith("b.xlsx, sheet 'A' (there are also 'B': choose with --sheet")
    monkeypatch.setenv("PAIRLENS_SHEET", "Fillers")
    settings.cache_clear()
    assert read_table(path)["good"].tolist() == ["a"]
    chinese = workbook(
        tmp_path / "c.xlsx", Fillers=[["a", "b"]], 句子=[["good", "bad"], ["猫在睡觉。", "猫睡觉在。"]]
    )
    assert read_table(chinese, sheet="句子")["good"].tolist() == ["猫在睡觉。"]


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


def test_a_title_over_merged_cells_of_a_workbook_is_no_name(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["My stimuli"], [], ["pair", "good", "bad"], [1, "The cat sleeps.", "The cat sleep."]):
        book.active.append(row)
    book.active.merge_cells("A1:C1")
    book.save(tmp_path / "a.xlsx")
    assert list(read_table(tmp_path / "a.xlsx").columns) == ["pair", "good", "bad"]


def test_no_known_encoding(save):
    message = error_of(lambda: read_table(save("a.csv", b"a,b\n\x81\x8d,2\n")))
    assert message.startswith("a.csv: not UTF-8, and ") and "save the file as UTF-8" in message


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
def test_what_unpacks_to_too_much(save, limit):
    limit("max_unpacked_mb", 2)
    for size, too_many in ((2 * MB, False), (2 * MB + 2, True)):
        for name, pack in (("b.txt.gz", gzip.compress), ("b.txt.xz", lzma.compress)):
            path = save(name, pack(b"x\n" * (size // 2)))
            if too_many:
                assert "unpacks to more than 2 MB" in error_of(lambda path=path: read_lines(path))
            else:
                assert len(read_lines(path)) == size // 2


@pytest.mark.slow
def test_xz_may_not_ask_for_gigabytes(save):
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 1 << 30}]
    path = save("b.txt.xz", lzma.compress(b"x\n", filters=filters))
    assert "cannot be unpacked" in error_of(lambda: read_lines(path))


def test_documents_have_a_limit(save, limit):
    limit("max_document_mb", 1)
    path = save("a.json", '[{"a": "' + "x" * MB + '"}]')
    assert "longer than 1 MB" in error_of(lambda: read_table(path))
    limit("max_rows", 10)
    assert "more than 10 values" in error_of(lambda: read_table(save("b.json", "[" + "{}," * 11 + "{}]")))


def test_files_of_a_folder(save, tmp_path):
    for name in ("b.jsonl", "a.jsonl.gz", "C.JSONL", ".hidden.jsonl", "notes.md", "z.jsonl.xz"):
        save(name, "x")
    assert [path.name for path in files(tmp_path, (".jsonl",))] == ["C.JSONL", "a.jsonl.gz", "b.jsonl", "z.jsonl.xz"]
    assert files(tmp_path / "notes.md", (".jsonl",)) == [tmp_path / "notes.md"]
    save("b.jsonl.gz", "x")
    assert "b.jsonl and b.jsonl.gz hold the same table" in error_of(lambda: files(tmp_path, (".jsonl",)))


def test_a_missing_file_and_a_folder(tmp_path):
    assert "There is no file" in error_of(lambda: read_table(tmp_path / "no.csv"))
    assert "is a folder" in error_of(lambda: read_table(tmp_path))
    assert "There is no file" in error_of(lambda: read_lines(tmp_path / "no.txt"))
    assert "no file that ends in" in error_of(lambda: files(tmp_path, (".jsonl",)))


def test_real_tables(shared_data):
    """Row counts of the data's own list: quotes, tabs, byte-order marks, newlines in cells, XLSX."""
    shapes = {
        "babylm/evaluation_data/full_eval/reading/reading_data.csv.gz": (1726, 25),
        "sick_br/SICK_BR.txt.gz": (9840, 12),
        "crows_pairs": (1508, 8),
        "naturalstories": (10_256, 8),
    }
    names = {"crows_pairs": "crows_pairs_anonymized.csv.gz", "naturalstories": "processed_wordinfo.tsv.gz"}
    for name, shape in shapes.items():
        folder = shared_data(name)
        path = folder if folder.is_file() else next(folder.rglob(names[name]))
        assert read_table(path).shape == shape
