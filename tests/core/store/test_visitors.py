"""Whose uploads, runs and jobs are: lists, changes, SQL, and the turns that jobs take."""

import itertools
import os
import shutil
import time

import pytest

from pairlens.cli import main
from pairlens.errors import InputError, JobError, StoreError
from pairlens.evaluation.evaluate import Context, evaluate, has_finished, run
from pairlens.evaluation.readers import items_of
from pairlens.evaluation.requests import plan
from pairlens.evaluation.run_list import title_of
from pairlens.models import find
from pairlens.policies import PRESETS
from pairlens.reports.multiverse import lay_out
from pairlens.reports.run_comparison.runs import by_policy
from pairlens.scorers import SCORERS
from pairlens.scoring.recipe import Recipe
from pairlens.settings import settings
from pairlens.store import Store, jobs, uploads, visitors
from pairlens.store.files import DAMAGED, write_json
from pairlens.store.jobs import all_jobs
from pairlens.store.maintenance import damage, verify
from pairlens.store.removal import delete, deleted, restore
from pairlens.store.run_annotations import FILE, tag
from pairlens.store.sandbox import ask
from pairlens.tasks import TASKS
from tests.records import write
from tests.refusals import error_of

pytestmark = pytest.mark.usefixtures("unpublished", "asked_here")
ANNA, BEATRIZ = "a" * 32, "b" * 32


@pytest.fixture
def seen_by(home):
    """`seen_by(ANNA)`: from now on she asks."""
    now = [visitors.EVERYTHING]
    before = visitors._asks
    visitors.told_by(lambda: now[0])
    yield lambda who: now.__setitem__(0, who)
    visitors.told_by(before)


@pytest.fixture
def a_run(unigram, tmp_path):
    """`a_run("cat")`: the id of a finished run on one pair."""
    return lambda word: [*evaluate(TASKS["blimp"], pair_of(tmp_path, word), recipe_of(unigram), Store())][-1].run_id


def pair_of(folder, word):
    record = {"sentence_good": f"The {word} is tired.", "sentence_bad": f"The {word} are tired.", "UID": "x"}
    return write(folder / f"{word}.jsonl", record)


def recipe_of(model):
    return Recipe(find(model), SCORERS["unigram"], PRESETS["pairlens"])


def planned_for(model, file):
    return plan(TASKS["blimp"], items_of(TASKS["blimp"], file), recipe_of(model))


def test_each_visitor_lists_and_removes_her_own_uploads(seen_by):
    seen_by(ANNA)
    hers, both = uploads.keep([("a.csv", b"1")]), uploads.keep([("both.csv", b"3")])
    seen_by(BEATRIZ)
    uploads.keep([("both.csv", b"3")])
    assert [one.path for one in uploads.kept()] == [both]
    linked = uploads.find(hers.relative_to(settings().uploads).as_posix())
    assert linked and linked.path == hers  # whoever has the link opens it
    assert "somebody else's" in error_of(lambda: uploads.remove(linked), StoreError)
    uploads.remove(uploads.kept()[0])
    assert uploads.kept() == [] and both.exists()  # Anna still has it
    seen_by(ANNA)
    assert {one.path for one in uploads.kept()} == {hers, both}
    for one in uploads.kept():
        uploads.remove(one)
    assert not hers.exists() and not both.exists()


def test_nobody_has_nothing_and_the_operator_everything(seen_by):
    mine = uploads.keep([("mine.csv", b"0")])
    seen_by(ANNA)
    hers = uploads.keep([("a.csv", b"1")])
    uploads.keep([("mine.csv", b"0")])
    uploads.remove(next(one for one in uploads.kept() if one.path == mine))
    assert mine.exists()  # it was the operator's before
    seen_by(visitors.NOBODY)
    assert uploads.kept() == [] and jobs.jobs() == []
    with pytest.raises(JobError):
        jobs.start(["models"], "x")
    visitors.claim("runs", "x", new=True)
    assert visitors.owners("runs", "x") == set()
    seen_by(visitors.EVERYTHING)
    assert {one.path for one in uploads.kept()} == {mine, hers}


@pytest.mark.slow
def test_runs_are_listed_to_whoever_asked_for_them(seen_by, a_run, limit):
    store = Store()
    ours = a_run("dog")
    seen_by(ANNA)
    hers, both = a_run("cat"), a_run("horse")
    seen_by(BEATRIZ)
    assert store.runs().empty
    assert a_run("horse") == both
    assert [*store.runs()["run_id"]] == [both]
    assert store.manifest(hers)["state"] == "done"  # by its link, which tells nobody what her file is called
    assert "cat" in store.manifest(hers)["title"] and "cat" not in title_of(store.manifest(hers))
    for change in (lambda: tag(store, hers, ["x"]), lambda: delete(store, hers), lambda: delete(store, ours)):
        assert "somebody else's" in error_of(change, StoreError)
    delete(store, both)
    assert store.runs().empty and deleted(store) == []
    seen_by(ANNA)
    assert {*store.runs()["run_id"]} == {hers, both}
    delete(store, hers)
    assert [one.run_id for one in deleted(store)] == [hers]
    restore(store, hers)
    limit("allowed", "runs")
    assert {*store.runs()["run_id"]} == {ours, hers, both}
    seen_by(BEATRIZ)
    assert {*store.runs()["run_id"]} == {ours}
    seen_by(visitors.EVERYTHING)
    assert {*store.runs()["run_id"]} == {ours, hers, both}


def test_a_run_that_a_link_opens_stands_beside_others_and_keeps_its_title(seen_by, unigram, tmp_path, a_run):
    seen_by(ANNA)
    hers = a_run("cat")
    seen_by(BEATRIZ)
    assert [*by_policy(Store().manifest(hers), Store()).index] == [hers]
    assert hers in lay_out(Store(), hers).runs.values()
    planned = planned_for(unigram, tmp_path / "cat.jsonl")
    assert planned.run_id == hers
    [*run(planned, Context(Store(), title="Replaced"))]
    assert Store().manifest(hers)["title"] != "Replaced"


def test_a_visitor_is_told_of_damage_to_her_own_runs_and_verify_sees_all(seen_by, a_run):
    store = Store()
    seen_by(ANNA)
    hers, broken = a_run("cat"), a_run("dog")
    (store.folder / "runs" / hers / FILE).write_text("{")
    manifest = store.folder / "runs" / broken / "manifest.json"
    manifest.write_text("{")
    (store.folder / "sweeps").mkdir(exist_ok=True)
    (store.folder / "sweeps" / f"x{DAMAGED}").touch()
    seen_by(BEATRIZ)
    assert verify(store).runs == (manifest,)
    assert damage(store) == []
    seen_by(ANNA)
    assert [broken in said or hers in said for said in damage(store)] == [True, True]
    seen_by(visitors.EVERYTHING)
    assert "Records of sweeps" in damage(store)[-1]


@pytest.mark.slow
def test_no_visitor_is_told_where_the_home_folder_is(a_run, seen_by):
    seen_by(ANNA)
    a_run("dog")
    backwards = str(settings().home.resolve())[::-1]
    for query in (
        "select reverse(current_setting('allowed_paths')::varchar)",
        "select reverse(value) from duckdb_settings()",
        "select reverse(setting) from pg_settings",
        "select reverse(sql) from duckdb_views()",
        "select reverse(filename) from read_parquet(current_setting('allowed_paths'), filename = true)",
    ):
        try:
            answer = repr(ask(Store(), query).rows)
        except InputError as refused:
            answer = str(refused)
        assert backwards not in answer
    assert ask(Store(), "select count(*) from items").rows[0][0] == 2
    assert ask(Store(), "select count(*) from metrics").rows[0][0] > 0


@pytest.mark.slow
def test_getting_a_visitor_s_scores_ready_for_a_query_has_limits(seen_by, a_run, limit):
    seen_by(ANNA)
    a_run("cat")
    assert ask(Store(), "select count(*) from scores").rows[0][0] > 0
    limit("sql_memory_mb", 1)
    assert "got ready" in error_of(lambda: ask(Store(), "select count(*) from scores"))


def test_a_full_disk_takes_no_uploads_and_what_a_browser_says_is_stored_nowhere(seen_by, monkeypatch):
    said = "0123456789abcdef" * 4
    seen_by(visitors.visitor(said))
    with monkeypatch.context() as full, pytest.raises(StoreError, match="nearly full"):
        full.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 10**8))
        uploads.keep([("a.csv", b"1")])
    assert not settings().uploads.exists()
    uploads.keep([("a.csv", b"1")])
    files = [*settings().home.rglob("*")]
    assert not [path for path in files if said in str(path) or (path.is_file() and said in path.read_text())]


def test_a_finished_run_is_also_hers_who_asks_the_same(seen_by, unigram, tmp_path, a_run):
    run = a_run("dog")
    seen_by(ANNA)
    assert has_finished(planned_for(unigram, tmp_path / "dog.jsonl"), Store())
    assert [*Store().runs()["run_id"]] == [run]
    delete(Store(), run)
    seen_by(visitors.EVERYTHING)
    assert [*Store().runs()["run_id"]] == [run]


COLUMNS = {"items": "text", **dict.fromkeys(("scores", "tokens"), "request_key")}
COLUMNS |= dict.fromkeys(("runs", "candidates", "decisions", "metrics"), "run_id")


@pytest.mark.slow
def test_a_query_sees_her_runs_and_their_texts_only_and_reads_no_other_file(seen_by, a_run):
    def seen(who):
        seen_by(who)
        asked = (f"select '{table}', {column} from {table}" for table, column in COLUMNS.items())
        rows = ask(Store(), " union all ".join(asked)).rows
        return {table: {value for of, value in rows if of == table} for table in COLUMNS}

    seen_by(ANNA)
    a_run("cat")
    files = [*Store().folder.rglob("*.parquet")]
    seen_by(BEATRIZ)
    a_run("horse")
    assert len(files) >= 4
    for file in files:
        with pytest.raises(Exception, match="reads the tables only"):
            ask(Store(), f"select * from read_parquet('{file}')")
    annas, beatrizs, everything, nothing = map(seen, (ANNA, BEATRIZ, visitors.EVERYTHING, visitors.NOBODY))
    for table in COLUMNS:
        assert annas[table] and beatrizs[table] and not annas[table] & beatrizs[table]
        assert everything[table] >= annas[table] | beatrizs[table] and not nothing[table]


def recorded(name, visitor, created, state="queued", **more):
    record = {"title": name, "arguments": ["models", name], "created": created, "state": state, "visitor": visitor}
    write_json(settings().jobs / name / "job.json", {**record, **more})


def run_in_turn(arriving):
    """The order in which jobs run, one at a time; while the n-th runs, another of `arriving[n]` arrives."""
    order: list[str] = []
    clock = itertools.count(1_000.0)
    while queued := sorted((one for one in all_jobs() if one.state == "queued"), key=lambda one: one.place):
        now = queued[0]
        recorded(now.id, now.visitor, now.created, "running", pid=os.getpid())
        if whose := arriving.get(len(order)):
            recorded(f"late{len(order)}", whose, next(clock))
        recorded(now.id, now.visitor, now.created, "done", finished=next(clock))
        order.append(now.id)
    return order


ANNAS = [("anna", n, ANNA, 100.0 + n) for n in range(10)]
BEATRIZS = [("beatriz", n, BEATRIZ, 110.0 + n) for n in range(3)]
OURS = [("job", n, visitors.EVERYTHING, 100.0 + n) for n in range(5)]


@pytest.mark.parametrize(
    ("waiting", "arriving", "order"),
    [
        (ANNAS, {3: BEATRIZ}, "anna0 anna1 anna2 anna3 late3 anna4 anna5 anna6 anna7 anna8 anna9"),
        (ANNAS[:3] + BEATRIZS, {}, "anna0 beatriz0 anna1 beatriz1 anna2 beatriz2"),
        (OURS, {2: visitors.EVERYTHING}, "job0 job1 job2 job3 job4"),
    ],
    ids=["one job of another is next", "visitors take turns", "the operator's in the order of asking"],
)
def test_jobs_run_in_turn(home, waiting, arriving, order):
    for name, number, whose, created in waiting:
        recorded(f"{name}{number}", whose, created)
    assert run_in_turn(arriving) == order.split()


def test_places_count_the_jobs_of_all_but_a_dead_one_old_ones_go_and_a_clock_set_back_costs_no_turn(home):
    for name, whose in (("hers", ANNA), ("mine", visitors.EVERYTHING)):
        recorded(name, whose, 100.0, "done")
        for file in (settings().jobs / name).iterdir():
            os.utime(file, (100, 100))
    assert [one.id for one in jobs._old(all_jobs())] == ["hers"]
    shutil.rmtree(settings().jobs)
    for name, number, whose, created in ANNAS[:4]:
        recorded(f"{name}{number}", whose, created)
    recorded("gone", BEATRIZ, 90.0, "running", pid=2**22 + 1)
    recorded("beatriz", BEATRIZ, 200.0)
    assert {one.id: one.place for one in all_jobs() if one.place} == {
        "anna0": 1, "beatriz": 2, "anna1": 3, "anna2": 4, "anna3": 5,
    }  # fmt: skip
    shutil.rmtree(settings().jobs)
    recorded("early", ANNA, 100.0, "done", finished=time.time() + 1e6)
    recorded("anna", ANNA, 200.0)
    recorded("beatriz", BEATRIZ, time.time() + 10)
    assert min((one for one in all_jobs() if one.place), key=lambda one: one.place).id == "anna"


def test_a_visitor_sees_and_cancels_her_own_jobs_of_which_she_may_have_so_many(seen_by, limit):
    limit("jobs_per_visitor", 2)
    limit("jobs_at_once", 0)
    seen_by(ANNA)
    first, _ = jobs.start(["models"], "one"), jobs.start(["models"], "two")
    assert "2 jobs running or waiting" in error_of(lambda: jobs.start(["models"], "three"), JobError)
    seen_by(BEATRIZ)
    assert jobs.jobs() == [] and jobs.latest(["models"]) is None
    for act in (jobs.cancel, jobs.job):
        with pytest.raises(JobError, match="There is no job"):
            act(first.id)
    assert jobs.start(["models"], "hers").place == 2
    seen_by(ANNA)
    assert jobs.job(first.id).state == "queued"
    assert jobs.cancel(first.id).state == "cancelled"
    jobs.start(["models"], "three")
    seen_by(visitors.EVERYTHING)
    assert len(jobs.jobs()) == 4
    for _ in range(5):
        jobs.start(["models"], "the operator's")


def test_the_command_line_says_whose_everything_is(seen_by, capsys, a_run, limit):
    limit("jobs_at_once", 0)
    seen_by(ANNA)
    run, job = a_run("cat"), jobs.start(["models"], "hers")
    seen_by(visitors.EVERYTHING)
    assert main(["runs", "show", run]) == 0 and "visitor: aaaaaa" in capsys.readouterr().out
    assert main(["jobs"]) == 0 and f"{job.id}\tqueued\t1\taaaaaa\thers" in capsys.readouterr().out
    assert main(["jobs", "--cancel", job.id]) == 0 and jobs.job(job.id).state == "cancelled"
    assert main(["jobs", "--cancel", "none"]) == 2
