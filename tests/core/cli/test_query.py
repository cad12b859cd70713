"""`query`: the store in SQL from the command line."""

import json

import pytest

from pairlens.store.catalog import SCHEMA
from pairlens.store.saved_queries import SAVED_QUERIES
from tests.refusals import refused

pytestmark = pytest.mark.slow


def test_an_empty_store_answers_within_a_limit_and_questions_are_listed_unless_queries_are_off(cli, limit):
    assert cli("query", "select count(*) as n from tokens") == (0, "n\n0\n", "")
    assert cli("query", "--question", "hardest-items")[1].startswith("item_id,margin,")
    status, out, errors = cli("query", "select * from range(10)", "--limit", "3")
    assert status == 0
    assert out.split() == ["range", "0", "1", "2"] and "Truncated: only the first 3 rows" in errors
    assert cli("query", "select $x as x", "--set", "x=a,b='c'")[:2] == (0, "x\n\"a,b='c'\"\n")
    status, out, _ = cli("query", "--schema")
    assert status == 0 and all(f"{name}: {table['about']}" in out for name, table in SCHEMA.items())
    assert all(meaning in out for table in SCHEMA.values() for _, meaning in table["columns"].values())
    status, out, _ = cli("query", "--questions")
    assert status == 0 and all(f"{name}: {one.about}" in out for name, one in SAVED_QUERIES.items())
    limit("sql", "off")
    refused(cli("query", "select 1"), "PAIRLENS_SQL=off")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["select * from itemz"], 'Did you mean "items"?'),
        (["select $x"], "parameters: x."),
        (["select 1", "--set", "x"], "--set takes NAME=VALUE"),
        (["select 1", "--output", "x.docx"], "cannot write a file of this kind"),
        (["--question", "ties", "--set", "limit=3"], "There is no parameter 'limit'"),
        ([], "Give either a SELECT or --question"),
        (["select 1", "--question", "ties"], "Give either a SELECT or --question"),
        (["select sleep_ms(60000)", "--timeout", "0.3"], "longer than 0.3 seconds"),
    ],
)
def test_a_refused_query_is_one_line_and_status_2(cli, arguments, words):
    refused(cli("query", *arguments), words)


def test_an_answer_is_written_with_all_digits(cli, tmp_path):
    path = tmp_path / "answer.json"
    asked = "select 1/3 as third, 'é, \"x\"' as text, null::int as n"
    assert cli("query", asked, "--output", path)[0] == 0
    (row,) = json.loads(path.read_text("utf-8"))
    assert row == {"third": pytest.approx(1 / 3, abs=1e-15), "text": 'é, "x"', "n": None}
