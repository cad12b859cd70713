"""Statements that try to read, write, change or exhaust what a query may not, and how they are varied."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

READING = (
    "select * from read_csv('{canary}')", "select * from read_text('{canary}')", "select * from '{canary}'",
    "select * from read_blob('{folder}/*')", "select * from glob('{folder}/*')", "select * from glob('/etc/*')",
    "select * from sniff_csv('{canary}')", "select * from read_text('/etc/passwd')", "from '/etc/passwd'",
    "select * from read_json('{canary}')", "select * from read_parquet('{folder}/../../*.parquet')",
    "select * from read_text('{folder}/../canary.csv')", "select * from read_text('/proc/self/environ')",
    "select * from read_csv('http://127.0.0.1:9/x.csv')",
    "select * from query('select * from read_text(''{canary}'')')", "select * from query_table('{canary}')",
    "select json_execute_serialized_sql(json_serialize_sql('select * from read_text(''{canary}'')'))",
    "select getenv('HOME')", "select * from SECRET_FRAME",
    "with x as (select * from read_text('{canary}')) select * from x",
    "select * from read_duckdb('{folder}/x.duckdb')", "select * from sqlite_scan('{canary}', 'x')",
    "describe select * from read_text('{canary}')", "summarize from '{canary}'",
)  # fmt: skip
CHANGING = (
    "copy (select 1) to '{folder}/written.csv'", "copy runs to '{folder}/written.parquet'",
    "export database '{folder}/written'", "create table x as select 1", "create temp table x as select 1",
    "create macro m() as 1", "create view v as select 1", "create persistent secret s (type s3, key_id 'x')",
    "create secret s (type s3)", "drop view runs", "drop table runs", "delete from runs",
    "update runs set model = 'x'", "insert into runs select * from runs", "alter table runs add column x integer",
    "truncate runs", "set threads = 8", "set enable_external_access = true", "set lock_configuration = false",
    "reset memory_limit", "pragma threads = 8", "pragma enable_profiling", "attach '{folder}/written.db'",
    "attach ':memory:' as other", "detach memory", "use memory", "install httpfs", "load httpfs",
    "load '{folder}/x.duckdb_extension'", "checkpoint", "vacuum", "analyze", "begin", "commit",
    "set variable x = 1", "call enable_logging()", "prepare p as select 1", "execute p",
    "explain analyze delete from runs", "explain analyze copy (select 1) to '{folder}/written.csv'",
    "with x as (delete from runs returning *) select * from x", "comment on table runs is 'x'",
    "import database 'x'", "select 1; drop table runs", "select 1; select 2", "/* select */ drop table runs",
    "-- select\ndrop table runs", "pivot runs on model using count(*)",
    "merge into runs using runs as r on true when matched then delete", "force checkpoint", "create schema x",
    "create type t as enum ('a')", "create sequence s", "", ";", "--",
)  # fmt: skip
EXHAUSTING = (
    "select count(*) from range(100000000) a, range(100000000) b", "select sleep_ms(100000)",
    "select repeat('x', 4000000000)", "select len(range(2000000000))", "select list(range) from range(1000000000)",
    "select string_agg(range::varchar) from range(1000000000)", "select * from range(300000000) order by random()",
    "with recursive t as (select 1 n union all select n + 1 from t) select max(n) from t",
    "with recursive t as (select 1 n union all select n from t, range(100)) select count(*) from t",
    "select sum(f) from (select factorial((range % 30)::int) f from range(100000000000))",
    "select regexp_matches(repeat('a', 100000), '(a+)+b') from range(100000)", "select lpad('x', 2000000000, 'y')",
    "select repeat(repeat('x', 60000), 60000)", "select array_agg(a.range) from range(100000) a, range(100000) b",
    "{nested}", "{unions}", "{wide}",
)  # fmt: skip
HARMLESS = (
    "select 1", "select * from runs", "from tokens limit 3", "values (1), (2)", "describe runs",
    "summarize scores", "select model, count(*) from runs group by all",
    "select * from items join scores using (fingerprint, request_key)", "select $x",
    "select groups['UID'], avg(margin) from decisions group by all", "show tables",
    "select * from duckdb_settings()", "select * from which_secret('s3://x', 's3')",
    "select * from duckdb_views()", "select * from range(100000)",
)  # fmt: skip
_LARGE = {
    "{nested}": "select " + "(" * 5_000 + "1" + ")" * 5_000,
    "{unions}": " union all ".join(["select 1"] * 1_000),
    "{wide}": "select " + ", ".join(f"{n} as c{n}" for n in range(2_000)),
}
_TOKEN = re.compile(r"'[^']*'|\w+|\s+|.", re.DOTALL)
_PIECES = (
    "(", ")", ";", ",", "'", "\"", "--", "/*", "*/", "$x", "\0", "union all", "select", "from", "copy", "to", "*",
    "::int", "limit 1000000000", "é", "🙂", "not", "null", "1e999", "-1", "[", "]", "{", "}", "=>",
)  # fmt: skip


def filled(statement: str, canary: str, folder: str) -> str:
    """A statement with the places that it attacks."""
    return _LARGE.get(statement, statement.replace("{canary}", canary).replace("{folder}", folder))


def mutations(seed: int, number: int, canary: str, folder: str) -> Iterator[str]:
    """Statements made from the lists by leaving out, doubling, swapping, splicing and inserting pieces."""
    drawn = random.Random(seed)
    quick = [one for one in EXHAUSTING if "sleep" not in one]
    seeds = [filled(one, canary, folder) for one in (*READING, *CHANGING, *quick, *HARMLESS)]
    for _ in range(number):
        pieces = _TOKEN.findall(drawn.choice(seeds))[:400]
        for _ in range(drawn.randint(1, 4)):
            pieces = _mutated(pieces, drawn, seeds)
        yield "".join(pieces)


def _mutated(pieces: list[str], drawn: random.Random, seeds: list[str]) -> list[str]:
    at, upto = sorted(drawn.randint(0, len(pieces)) for _ in range(2))
    other = _TOKEN.findall(drawn.choice(seeds))[:400]
    return drawn.choice(
        [
            lambda: pieces[:at] + pieces[upto:],
            lambda: pieces[:upto] + pieces[at:],
            lambda: [*pieces[:at], f" {drawn.choice(_PIECES)} ", *pieces[at:]],
            lambda: pieces[:at] + other[drawn.randint(0, len(other)) :],
            lambda: ["select * from (", *pieces, ")"],
            lambda: [*pieces, " union all ", *other],
            lambda: [piece.upper() if drawn.random() < 0.3 else piece for piece in pieces],
        ]
    )()
