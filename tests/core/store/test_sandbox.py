"""Queries through the sandbox: answers with their types, limits that are said, errors for people."""

import math
from collections.abc import Mapping
from dataclasses import replace

import pytest

from pairlens.errors import InputError
from pairlens.store import Store, sandbox
from pairlens.store.sandbox import LONGEST, Answer, Query, ask, limits, why_off
from tests.refusals import error_of
from tests.scored import FINGERPRINT, row, scored, scores


@pytest.mark.slow
def test_an_answer_has_columns_with_types_and_rows(store):
    sql = """select 1 as a, 2.5::double as a, 'é' as text, null::integer as none, true as yes, [1, 2] as list,
        map {'k': 'v'} as map, date '2026-01-02' as day, 'nan'::double as nan, 1.25 as decimal, '\\x01'::blob as blob,
        sum(range) as whole from range(3)"""
    answer = ask(store, sql)
    assert [kind for _, kind in answer.columns][:4] == ["INTEGER", "DOUBLE", "VARCHAR", "INTEGER"]
    (values,) = answer.rows
    assert values[:8] == [1, 2.5, "é", None, True, [1, 2], {"k": "v"}, "2026-01-02"]
    assert math.isnan(values[8]) and values[9:] == [1.25, "01", 3]
    assert not answer.truncated and answer.seconds > 0
    frame = answer.frame()
    assert list(frame)[:2] == ["a", "a_2"] and frame["list"][0] == "[1, 2]"
    assert str(frame["none"].dtype) == "Int64" and frame["none"].isna().all()
    assert frame["whole"].tolist() == [3]
    frame = Answer((("a", "BIGINT"), ("b", "VARCHAR")), [], False, 0.1).frame()
    assert list(frame) == ["a", "b"] and frame.empty, "a table of no rows keeps its columns"


@pytest.mark.slow
def test_what_is_too_much_is_cut_off_and_said_and_parameters_are_bound_never_pasted(store, asked_here):
    for rows, truncated in ((9, True), (10, False)):
        answer = ask(store, "select * from range(10)", within=replace(limits(), rows=rows))
        assert (len(answer.rows), answer.truncated) == (rows, truncated)
    answer = ask(store, "select repeat('x', 100000) from range(100)", within=replace(limits(), answer_mb=1))
    assert 5 <= len(answer.rows) <= 10 and answer.truncated
    given = {"text": "'; drop table runs; --", "number": 3, "unused": "x"}
    assert ask(store, "select $text, $number + 1", given).rows == [["'; drop table runs; --", 4]]
    with pytest.raises(InputError, match=r"parameters: missing\.$"):
        ask(store, "select $missing")


@pytest.mark.parametrize(
    "sql, said",
    [
        ("select * from itemz", 'Table with name itemz does not exist. Did you mean "items"?'),
        ("select logprb from scores", 'Referenced column "logprb" not found'),
        ("selec 1", 'syntax error at or near "selec".'),
        ("drop table runs", "Only a SELECT is answered"),
        ("select 1; select 2", "One SELECT is answered at a time"),
        ("  ", "There is no query"),
        ("select * from read_text('/etc/passwd')", "A query reads the tables only"),
        (f"select '{'x' * LONGEST}'", "characters, at most 20,000"),
        ("select 1 as x, error('see /elsewhere/store/runs/x.parquet')", "see ..."),
    ],
)
def test_an_error_is_one_sentence_for_people(store, asked_here, sql, said):
    error = error_of(lambda: ask(store, sql))
    assert said in error and "LINE" not in error and "/" not in error


@pytest.mark.slow
def test_a_query_is_stopped_when_its_time_is_over(store):
    with pytest.raises(InputError, match=r"longer than 0\.5 seconds"):
        ask(store, "select sleep_ms(600000)", within=replace(limits(), seconds=0.5))


def test_queries_wait_for_their_turn_and_any_of_them_can_be_cancelled(store):
    within = replace(limits(), seconds=300)
    busy = [Query(store, "select sleep_ms(600000)", within=within) for _ in range(3)]
    with pytest.raises(TimeoutError):
        busy[0].answer(0.2)
    assert not busy[0].done
    for query in reversed(busy):
        query.cancel()
    for query in busy:
        with pytest.raises(InputError, match="cancelled"):
            query.answer(300)
    assert busy[0].done


@pytest.mark.parametrize(
    "choice, shared, platform, off",
    [
        ("auto", False, "linux", ""), ("auto", True, "linux", "PAIRLENS_SQL=on"), ("on", True, "linux", ""),
        ("off", False, "linux", "switched off"), ("on", False, "win32", "Windows"), ("on", True, "darwin", "macOS"),
        ("auto", False, "darwin", ""),
    ],
)  # fmt: skip
def test_where_queries_are_off_it_is_said_why(monkeypatch, limit, choice, shared, platform, off):
    limit("sql", choice)
    monkeypatch.setattr(sandbox.sys, "platform", platform)
    why = why_off(shared=shared)
    assert off in why and bool(why) == bool(off)


@pytest.mark.slow
def test_the_process_knows_nothing_of_ours(store, monkeypatch):
    seen: dict[str, Mapping[str, str]] = {}
    start = sandbox.subprocess.Popen

    def spy(*args, **kwargs):
        seen.update(kwargs)
        return start(*args, **kwargs)

    monkeypatch.setattr(sandbox.subprocess, "Popen", spy)
    ask(store, "select 1")
    assert seen["env"] == {"LC_ALL": "C.UTF-8"} and seen["start_new_session"]


@pytest.mark.slow
def test_no_answer_and_no_message_tells_where_the_store_is(tmp_path, asked_here):
    hidden = Store(tmp_path / "secret owner" / "it's é日本 quo\"ted" / "a.b c-d" / "store", shipped=None)
    hidden.add(FINGERPRINT, scored(a=scores(-1.0)), {})
    run = {"run_id": "r", "title": "t", "task": "pairs", "state": "done", "model": "m", "fingerprint": FINGERPRINT}
    hidden.begin(run, [row("a")])
    file = str(hidden.folder / "runs" / "r" / "items.parquet").replace("'", "''")
    answers = []
    for query in (
        "select sql from duckdb_views()",
        "select * from duckdb_settings()",
        "select current_setting('allowed_paths')",
        "select path from duckdb_databases()",
        f"select file_name from parquet_metadata('{file}')",
        f"select * from read_parquet('{file}', filename = true)",
        f"select * from read_text('{file}')",
        f"select error('see {file}')",
        f"select '{file}'::integer",
        "select text::integer from items",
    ):
        try:
            answers.append(str(list(ask(hidden, query).rows)))
        except InputError as refusal:
            answers.append(str(refusal))
    assert not [one for one in answers if "secret owner" in one]
    assert sum("..." in one for one in answers) >= 5, "the path is told as ..., not lost by chance"
