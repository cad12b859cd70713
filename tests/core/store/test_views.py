"""The tables that a query sees: what the schema says, and the same numbers as the store gives in Python."""

import math

import duckdb
import numpy as np
import pandas as pd
import pytest

from pairlens.policies import Policy
from pairlens.statistics.choice import choices
from pairlens.store import Store
from pairlens.store.catalog import SCHEMA, held_twice, relations, superseded
from tests.scored import FINGERPRINT, row, scored, scores

pytestmark = pytest.mark.slow
NAN = math.nan


def manifest(run_id, **more):
    return {"run_id": run_id, "state": "done", "created": "2026-01-01", "fingerprint": FINGERPRINT, **more}


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "it's a store", shipped=None)


def opened(store, scratch, **how):
    scratch.mkdir(exist_ok=True)
    connection = duckdb.connect(":memory:")
    for one in relations(store, scratch, **how):
        connection.execute(f"create {'table' if one.small else 'view'} {one.name} as {one.select}")
    return connection


def add_runs(store):
    texts = {
        "a": scores(-1.0, -2.0, ends=True), "b": scores(-4.0, ends=True), "c": scores(-1.0, -1.0, -7.0, ends=True),
        "d": scores(-2.5, -2.5, ends=True), "e": scores(NAN, -1.0, ends=True), "f": scores(NAN, ends=True),
    }  # fmt: skip
    store.add(FINGERPRINT, scored(**texts), {})
    pairs = [row(key, str(1 + place // 2), place % 2) for place, key in enumerate("abcdef")]
    minus = [
        row(key, "4", candidate, term=term, weight=weight)
        for key, candidate, term, weight in (("a", 0, 0, 1.0), ("b", 0, 1, -1.0), ("c", 1, 0, 1.0), ("d", 1, 1, -1.0))
    ]
    looked_at = [row("a", "1", 0), row("c", "1", 0, term=1, weight=0.0), row("b", "1", 1)]
    for run_id, rows, more in (
        ("sum", pairs, {"refused": {"2": "too long"}}),
        ("mean", pairs, {"policy": {"sentence_value": "mean"}}),
        ("one", pairs, {"policy": {"sentence_value": "mean", "first_token": "one"}}),
        ("ends", pairs, {"ends": True}),
        ("pmi", minus, {}),
        ("looked", looked_at, {}),
        ("absent", [row("a", "1", 0), row("never scored", "1", 1)], {}),
    ):
        store.begin(manifest(run_id, **more), rows)


def test_the_tables_are_what_the_schema_says(store, tmp_path):
    for fill in (False, True):
        if fill:
            add_runs(store)
            metrics = pd.DataFrame({"name": ["accuracy"], "value": [0.5], "n": [3]})
            store.update(manifest("sum"), metrics)
        connection = opened(store, tmp_path / "scratch")
        for name, table in SCHEMA.items():
            described = connection.execute(f"describe {name}").fetchall()
            wanted = [(column, kind) for column, (kind, _) in table["columns"].items()]
            assert [(column, kind) for column, kind, *_ in described] == wanted
            (count,) = connection.execute(f"select count(*) from {name}").fetchone()
            assert bool(count) == fill, name


def test_candidates_and_decisions_are_those_of_python(store, tmp_path):
    add_runs(store)
    connection = opened(store, tmp_path / "scratch")
    policy = {"mean": Policy(sentence_value="mean"), "one": Policy(sentence_value="mean", first_token="one")}
    for run_id in ("sum", "mean", "one", "ends", "pmi", "looked", "absent"):
        expected = store.candidates(run_id).sort_values(["item", "candidate"])
        asked = {"run": run_id}
        found = connection.execute(
            "select * from candidates where run_id = $run order by item_id, candidate", asked
        ).df()
        np.testing.assert_allclose(found["logprob"], expected["logprob"], equal_nan=True)
        assert found["text"].tolist() == expected["text"].tolist()
        decided = choices(expected, policy.get(run_id, Policy())).sort_values("item")
        margins = connection.execute("select margin from decisions where run_id = $run order by item_id", asked).df()
        np.testing.assert_allclose(margins["margin"], decided["margin"], equal_nan=True)


def test_of_what_two_parts_hold_the_one_that_python_reads_counts(store, tmp_path):
    store.add(FINGERPRINT, scored(a=scores(-1.0), b=scores(-5.0)), {})
    store.add(FINGERPRINT, scored(a=scores(-2.0, ends=True), c=scores(-3.0)), {})
    store.add(FINGERPRINT, scored(a=scores(-3.0, ends=True)), {}, rescored=True)
    store.add(FINGERPRINT, scored(a=scores(-4.0), d=scores(-6.0)), {}, tokens=False)
    for value in (-7.0, -8.0):
        store.add(FINGERPRINT, scored(b=scores(value)), {})
    connection = opened(store, tmp_path / "scratch")
    expected = store.scores(FINGERPRINT).set_index("request_key")["logprob"].to_dict()
    assert dict(connection.execute("select request_key, logprob from scores").fetchall()) == expected
    tokens = connection.execute("select request_key, logprob from tokens where token is not null").fetchall()
    held = store.token_scores(FINGERPRINT, {"a", "b", "c", "d"})
    assert sorted(tokens) == sorted((key, one.total) for key, one in held.items()) and len(held) == 3
    parts = [store.add(FINGERPRINT, scored(**{key: scores(-1.0)}), {}) for key in "xyz"]
    files = [part.file("scores") for part in parts]
    assert held_twice(tuple(files)).empty and superseded(held_twice(tuple(files)), files).empty, "they share nothing"


def test_only_files_of_what_is_asked_for_are_opened_and_lasting_views_outlive_a_deleted_run(store, tmp_path):
    add_runs(store)
    store.add("e" * 64, scored(z=scores(-1.0)), {})
    asked = f"explain analyze select * from tokens where fingerprint = '{FINGERPRINT}'"
    assert "1/2" in opened(store, tmp_path / "all").execute(asked).fetchall()[0][1]
    connection = opened(store, tmp_path / "scratch", only={FINGERPRINT})
    for table in ("scores", "tokens"):
        assert connection.execute(f"select distinct fingerprint from {table}").fetchall() == [(FINGERPRINT,)]
    connection = opened(store, tmp_path / "nothing", only=set())
    assert connection.execute("select count(*) from scores").fetchone() == (0,)
    assert connection.execute("select count(margin) from decisions").fetchone() == (0,)
    add_runs(store)
    connection = opened(store, tmp_path / "scratch", lasting=True)
    store.delete("sum")
    assert connection.execute("select count(distinct run_id) from items").fetchone() == (6,)


def test_scores_that_ship_are_there_where_a_run_names_them(tmp_path):
    shipped = tmp_path / "shipped"
    Store(shipped, shipped=None).add(FINGERPRINT, scored(a=scores(-1.0), b=scores(-2.0)), {})
    store = Store(tmp_path / "store", shipped=shipped)
    assert store.known(FINGERPRINT) == {"a", "b"} and store.fingerprints() == []
    assert opened(store, tmp_path / "1").execute("select count(*) from scores").fetchone() == (0,)
    store.begin(manifest("r"), [row("a", "1", 0), row("b", "1", 1)])
    assert opened(store, tmp_path / "2").execute("select margin from decisions").fetchall() == [(1.0,)]
