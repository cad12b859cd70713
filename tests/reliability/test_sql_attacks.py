"""Queries that attack: nothing is read, written or changed that is no table, and no query outlives its limits."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from pairlens.errors import InputError
from pairlens.store import Store, sandbox
from pairlens.store.parts import Scored
from pairlens.store.runs import ItemRow
from pairlens.store.sandbox import Limits, Query, ask
from pairlens.types import TokenScores
from tests import forked
from tests.memory import grown
from tests.sql_attacks import CHANGING, EXHAUSTING, HARMLESS, READING, filled, mutations

CANARY = "the canary sings in the mine"
SHORT = Limits(seconds=0.5, rows=100, memory_mb=128, answer_mb=1)
LATEST_SECONDS = 30
"""After this a process would have outlived every limit, also on a machine that is busy with other work."""
FORKING = Path(__file__).with_name("forking.py")
WORKER = Path(__file__).resolve().parents[2] / "core" / "pairlens" / "store" / "sandbox_worker.py"
SECRET_FRAME = {"secret": [CANARY]}


@pytest.fixture
def store(home):
    """A store with a run, and beside it a file that no query may read."""
    store = Store(shipped=None)
    text = TokenScores(("Ġa",), (1,), (-1.0,), ((0, 1),))
    store.add("f" * 64, [Scored("k", text, [0])], {})
    rows = [ItemRow("i", 0, "good", "good", 0, 1.0, "", "text", {"UID": "u"}, "f" * 64, "k")]
    run = {"run_id": "r", "title": "t", "task": "pairs", "state": "done", "model": "m", "fingerprint": "f" * 64}
    store.begin(run, rows)
    (store.folder / "canary.csv").write_text(f"a\n{CANARY}\n")
    return store


def files(store):
    return {path: path.stat().st_mtime_ns for path in store.folder.parent.rglob("*") if path.is_file()}


def places(store):
    return str(store.folder / "canary.csv"), str(store.folder / "runs" / "r")


@pytest.fixture
def worker(store, tmp_path):
    """Processes forked where DuckDB is loaded and nothing is open: quicker than a start, otherwise the same."""
    query = Query(store, "select 1", {}, SHORT)
    assert query.answer().rows == [[1]]
    job = json.loads(query._job(tmp_path))
    command = [sys.executable, "-I", str(FORKING), str(WORKER), str(Path(duckdb.__file__).parent.parent)]
    before = files(store)

    def forked_answer(statement, seconds=SHORT.seconds, tables=None):
        began, limits = time.monotonic(), {**job["limits"], "seconds": seconds}
        asked = {**job, "query": statement, "tables": job["tables"][:tables], "limits": limits}
        parent.stdin.write(json.dumps(asked) + "\n")
        parent.stdin.flush()
        said, status = json.loads(parent.stdout.readline())
        assert time.monotonic() - began < LATEST_SECONDS, statement
        assert CANARY not in said and "root:" not in said, statement
        assert files(store) == before, statement
        assert not status or os.WIFSIGNALED(status), statement
        return json.loads(said.split("\n")[0]) if said else {"refused": "ended"}

    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8"
    ) as parent:
        yield forked_answer
        parent.kill()


@pytest.mark.parametrize("statements", [READING, CHANGING, EXHAUSTING], ids=["read", "change", "exhaust"])
def test_every_attack_is_refused_or_bounded(store, worker, statements):
    for statement in statements:
        exhausting = statements == EXHAUSTING
        seconds = 0.1 if exhausting else SHORT.seconds
        about = worker(filled(statement, *places(store)), seconds, tables=1)  # `runs`, at which all of them aim
        assert "refused" in about or (exhausting and "columns" in about), statement
        assert "\n" not in about.get("refused", "")


def test_what_only_reads_is_answered(worker):
    refused = [statement for statement in HARMLESS if "refused" in worker(statement)]
    assert refused == ["select $x"]


def answered(statement):
    """An answer's rows or its refusal, and the megabytes that whoever asks needed meanwhile."""
    store = Store(shipped=None)

    def answer():
        began = time.monotonic()
        try:
            return repr(ask(store, filled(statement, *places(store)), {}, SHORT).rows)
        except InputError as refusal:
            assert "\n" not in str(refusal)
            return str(refusal)
        finally:
            assert time.monotonic() - began < LATEST_SECONDS

    return grown(answer, 50)


@pytest.mark.parametrize(
    "statement",
    [
        "select * from read_text('{canary}')", "copy (select 1) to '{folder}/written.csv'",
        "select count(*) from range(100000000) a, range(100000000) b", "select repeat('x', 4000000000)",
    ],
)  # fmt: skip
def test_from_outside_nothing_but_an_answer_comes_back(store, statement):
    before = files(store)
    answer, megabytes = forked.call(answered, statement)
    assert CANARY not in answer
    assert megabytes < 50
    assert files(store) == before


def test_the_process_ends_by_itself_if_its_parent_never_ends_it(store, monkeypatch):
    monkeypatch.setattr(sandbox, "_GRACE_SECONDS", 600.0)
    query = Query(store, "select sleep_ms(100000)", {}, SHORT)
    with pytest.raises(InputError, match=r"longer than 0\.5 seconds"):
        query.answer(LATEST_SECONDS)
    assert query._process.returncode == -signal.SIGALRM


def attack(store, worker, seed, number):
    """So many mutated statements; some are still answered, or they would say nothing about answers."""
    n_answered = sum("columns" in worker(statement) for statement in mutations(seed, number, *places(store)))
    assert 0 < n_answered < number


def test_twenty_mutated_statements(store, worker):
    attack(store, worker, seed=20, number=20)


@pytest.mark.soak
def test_five_thousand_mutated_statements(store, worker):
    attack(store, worker, seed=21, number=5_000)


def test_a_visitor_who_asks_eight_heavy_questions_waits_for_herself(store, monkeypatch):
    whose = ["a" * 32]
    monkeypatch.setattr("pairlens.store.visitors.current", lambda: whose[0])
    heavy = [Query(store, "select count(*) from range(100000000) a, range(100000000) b", {}, SHORT) for _ in range(8)]
    whose[0] = "b" * 32
    assert ask(store, "select 1", {}, SHORT).rows == [[1]]
    assert sum(not one.done for one in heavy) >= 4
    for one in heavy:
        one.cancel()
