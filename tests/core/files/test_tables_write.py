"""Writing tables: what is written is read again, whole or not at all, and no text becomes a formula."""

import csv
import json
import math

import openpyxl
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import InputError
from pairlens.files.tables import read_table, write_table
from tests.refusals import error_of

ENDINGS = (".csv", ".tsv", ".json", ".jsonl", ".parquet", ".xlsx")

AWKWARD = (
    *('"', '""', ",", ";", "\t", "\n", "\r", "\r\n", "a\rb", "'", " x ", "null", "NA", "007", "1e5"),
    *("=1+1", "+1", "-1", "@x", "#N/A", "x_x000D_", "_x005F_", "\x01", "\uffff", "\ufeff", "\u2028", "\x85"),
    *("é", "e\u0301", "😀", "👩\u200d👧", "שלום", "漢字"),
)
awkward = st.sampled_from(AWKWARD)
words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
texts = st.one_of(words, awkward, st.tuples(awkward, words, awkward).map("".join))
tables = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.lists(texts, min_size=width, max_size=width), min_size=1, max_size=5)
)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
@given(rows=tables)
def test_text_is_read_as_it_was_written(ending, rows, tmp_path):
    frame = pd.DataFrame([[f"i{n}", *row] for n, row in enumerate(rows)], dtype="str")
    frame.columns = ["item", *(f"text {n}" for n in range(1, frame.shape[1]))]
    path = tmp_path / f"table{ending}"
    write_table(frame, path)
    assert read_table(path, quoting="double").to_numpy().tolist() == frame.to_numpy().tolist()


@given(cells=st.lists(texts, min_size=1, max_size=6))
def test_empty_cells_of_one_column_are_rows_and_no_blank_lines(cells, tmp_path):
    for path in (tmp_path / "a.csv", tmp_path / "a.tsv"):
        write_table(pd.DataFrame({"text": pd.array(cells, dtype="str")}), path)
        assert read_table(path, quoting="double")["text"].tolist() == cells


@pytest.fixture
def mixed():
    items, logprobs = ["a", 'b "quoted", x', "c\nd"], [-1.25, math.nan, -math.pi]
    n = pd.array([1, 2, None], dtype="Int64")
    return pd.DataFrame({"item": items, "logprob": logprobs, "n": n, "tie": [True, False, True]})


def test_csv_is_rfc_4180_tsv_ends_lines_as_unix_does_and_parquet_keeps_types(mixed, tmp_path):
    write_table(mixed, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_bytes() == (
        b'item,logprob,n,tie\r\na,-1.25,1,True\r\n"b ""quoted"", x",,2,False\r\n"c\nd",-3.141592653589793,,True\r\n'
    )
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        assert [row[0] for row in csv.reader(file, strict=True)] == ["item", *mixed["item"]]
    pd.testing.assert_series_equal(pd.read_csv(tmp_path / "a.csv")["logprob"], mixed["logprob"])
    write_table(mixed.assign(item=["a", "x\ty", "c\rd"]), tmp_path / "a.tsv")
    assert (tmp_path / "a.tsv").read_bytes() == (
        b'item\tlogprob\tn\ttie\na\t-1.25\t1\tTrue\n"x\ty"\t\t2\tFalse\n"c\rd"\t-3.141592653589793\t\tTrue\n'
    )
    write_table(mixed, tmp_path / "a.parquet")
    expected = mixed.assign(n=pd.Series([1, 2, None], dtype=object))  # NA would become a text, "<NA>"
    pd.testing.assert_frame_equal(read_table(tmp_path / "a.parquet"), expected)


@pytest.mark.parametrize("ending", [".json", ".jsonl"])
def test_json_has_null_for_what_is_missing(mixed, tmp_path, ending):
    frame = mixed.assign(far=[math.inf, -math.inf, 1e300])
    write_table(frame, tmp_path / f"a{ending}")
    text = (tmp_path / f"a{ending}").read_text(encoding="utf-8")
    records = json.loads(text) if ending == ".json" else [json.loads(line) for line in text.splitlines()]
    rows = [[record[name] for name in ("logprob", "n", "far", "tie")] for record in records]
    assert rows == [[-1.25, 1, None, True], [None, 2, None, False], [-math.pi, None, 1e300, True]]


def test_xlsx_has_numbers_as_numbers_no_formulas_and_no_more_than_a_cell_can_hold(mixed, tmp_path):
    frame = pd.DataFrame({"text": ["x" * 32_768]})
    with pytest.raises(InputError, match="column text: a cell here holds 32,767 characters"):
        write_table(frame, tmp_path / "a.xlsx")
    assert list(tmp_path.iterdir()) == []
    write_table(pd.DataFrame({"text": ["x" * 32_767]}), tmp_path / "a.xlsx")
    assert len(read_table(tmp_path / "a.xlsx")["text"][0]) == 32_767
    write_table(mixed.assign(item=["=1+1", "+SUM(A1)", "#N/A"]), tmp_path / "a.xlsx")
    rows = list(openpyxl.load_workbook(tmp_path / "a.xlsx").active.iter_rows())
    assert [[cell.data_type for cell in row] for row in rows[1:]] == [list("snnb"), list("snnb"), list("snnb")]
    assert [cell.value for cell in rows[1]] == ["=1+1", -1.25, 1, True]
    assert rows[2][1].value is None and rows[3][2].value is None
    assert read_table(tmp_path / "a.xlsx").to_numpy().tolist() == [
        ["=1+1", "-1.25", "1", "TRUE"], ["+SUM(A1)", "", "2", "FALSE"], ["#N/A", str(-math.pi), "", "TRUE"],
    ]  # fmt: skip


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_empty_table_keeps_its_columns(ending, tmp_path):
    write_table(pd.DataFrame({"a": [], "b": []}), tmp_path / f"a{ending}")
    if ending in (".json", ".jsonl"):
        with pytest.raises(InputError):
            read_table(tmp_path / f"a{ending}")
    else:
        assert read_table(tmp_path / f"a{ending}").shape == (0, 2)


def test_half_a_character_is_refused_and_an_old_file_survives_a_failed_write(tmp_path, monkeypatch):
    for ending in (".csv", ".jsonl", ".json"):
        with pytest.raises(InputError, match="half a character"):
            write_table(pd.DataFrame({"a": pd.Series(["\ud83d"], dtype=object)}), tmp_path / f"a{ending}")
    path = tmp_path / "a.csv"
    write_table(pd.DataFrame({"a": ["old"]}), path)

    def full_disk(self, file, **_):
        file.write("half a fi")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pd.DataFrame, "to_csv", full_disk)
    with pytest.raises(InputError, match=r"a\.csv: cannot be written: No space left on device\."):
        write_table(pd.DataFrame({"a": ["new"]}), path)
    assert path.read_text() == "a\nold\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("place", "message"),
    [("a.doc", "cannot write a file of this kind. Expected .csv"), ("no/where.csv", "cannot be written"),
     ("file/x.csv", "cannot be written"), ("x" * 300 + ".csv", "cannot be written")],
)  # fmt: skip
def test_a_place_that_cannot_be_written(place, message, tmp_path):
    (tmp_path / "file").write_text("")
    assert message in error_of(lambda: write_table(pd.DataFrame({"a": [1]}), tmp_path / place))


@pytest.mark.slow
def test_large_tables_are_written_in_pieces(tmp_path):
    frame = pd.DataFrame({"n": range(20_500), "text": [f"text {n}" for n in range(20_500)]})
    for ending in (".jsonl", ".json"):
        write_table(frame, tmp_path / f"a{ending}")
        pd.testing.assert_frame_equal(read_table(tmp_path / f"a{ending}"), frame)
