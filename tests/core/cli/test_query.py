"""`query`: the store in SQL from the command line."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from core.cli import main
from core.store.catalog import SCHEMA
from core.store.saved_queries import SAVED_QUERIES


@pytest.mark.slow
def test_an_empty_store_answers(home, capsys):
    assert main(["query", "select count(*) as n from tokens"]) == 0
    assert capsys.readouterr().out == "n\n0\n"
    assert main(["query", "--question", "hardest-items"]) == 0
    assert capsys.readouterr().out.startswith("item_id,margin,")


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments, said",
    [
        (["select * from itemz"], 'Did you mean "items"?'),
        (["drop table runs"], "Only a SELECT"),
        (["select * from read_text('/etc/passwd')"], "A query reads the tables only"),
        (["select $x"], "parameters: x."),
        (["select 1", "--set", "x"], "--set takes NAME=VALUE"),
        (["select 1", "--output", "x.docx"], "cannot write a file of this kind"),
        (["--question", "hardest_itemz"], "Did you mean 'hardest_items'?"),
        (["--question", "ties", "--set", "limit=3"], "There is no parameter 'limit'"),
        ([], "Give either a SELECT or --question"),
        (["select 1", "--question", "ties"], "Give either a SELECT or --question"),
        (["select sleep_ms(60000)", "--timeout", "0.3"], "longer than 0.3 seconds"),
    ],
)
def test_a_refused_query_is_one_line_and_status_2(home, capsys, arguments, said):
    assert main(["query", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".csv", ".json", ".parquet"])
def test_an_answer_is_written_with_all_digits(home, tmp_path, ending, capsys):
    path = tmp_path / f"answer{ending}"
    assert main(["query", "select 1/3 as third, 'é, \"x\"' as text, null::int as n", "--output", str(path)]) == 0
    read = {".csv": pd.read_csv, ".json": pd.read_json, ".parquet": pd.read_parquet}[ending]
    (row,) = read(path).to_dict("records")
    assert row["third"] == pytest.approx(1 / 3, abs=1e-15) and row["text"] == 'é, "x"' and pd.isna(row["n"])
    if ending == ".json":
        assert json.loads(path.read_text("utf-8"))[0]["n"] is None


@pytest.mark.slow
def test_a_limit_is_kept_and_said(home, capsys):
    assert main(["query", "select * from range(10)", "--limit", "3"]) == 0
    out, error = capsys.readouterr()
    assert out.split() == ["range", "0", "1", "2"] and "Truncated: only the first 3 rows" in error


@pytest.mark.slow
def test_values_are_bound_and_may_hold_commas(home, capsys):
    assert main(["query", "select $x as x", "--set", "x=a,b='c'"]) == 0
    assert capsys.readouterr().out == "x\n\"a,b='c'\"\n"


def test_schema_and_questions_are_listed(home, capsys):
    assert main(["query", "--schema"]) == 0
    listed = capsys.readouterr().out
    assert all(f"{name}: {table['about']}" in listed for name, table in SCHEMA.items())
    assert all(meaning in listed for table in SCHEMA.values() for _, meaning in table["columns"].values())
    assert main(["query", "--questions"]) == 0
    listed = capsys.readouterr().out
    assert all(f"{name}: {one.about}" in listed for name, one in SAVED_QUERIES.items())


def test_where_queries_are_off_the_reason_is_said(home, monkeypatch, capsys):
    monkeypatch.setenv("PAIRLENS_SQL", "off")
    from core.settings import settings

    settings.cache_clear()
    assert main(["query", "select 1"]) == 2
    assert "PAIRLENS_SQL=off" in capsys.readouterr().err
