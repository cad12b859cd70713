"""Plans: what a file asks for, bad plans in a sentence, runs equal to those of `evaluate`, resumed after any kill."""

import gzip
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import psutil
import pytest
from stores_compared import assert_equal, count, rows_of, undisturbed

from pairlens.cli import main
from pairlens.errors import InputError, JobError, PairlensError
from pairlens.evaluation.estimate import Estimate, estimate
from pairlens.evaluation.evaluate import evaluate
from pairlens.evaluation.sweep import sweep
from pairlens.places import FOLDER as ROOT
from pairlens.plans import workers
from pairlens.plans.cells import _BESIDES, DataSets, expand, needs, read
from pairlens.plans.running import alone, cancel, record_of, records, run
from pairlens.plans.workers import Chunk, Outcome, score
from pairlens.scoring.checkpoints import checkpoints
from pairlens.scoring.recipe import recipe_of
from pairlens.settings import settings
from pairlens.store import Store, processes
from pairlens.store.parts import all_parts
from pairlens.store.sweeps import sweeps
from pairlens.types import Request
from tests.records import write

PAIRS = "{task: blimp, data: pairs.jsonl}"
SET = "{task: agreement, data: set.txt}"
FORMS = SET.replace("}", ", rule: form}")


pytestmark = pytest.mark.usefixtures("unpublished")


def in_this_process(chunks, parts):
    """The smallest engine there is."""
    return (score(chunk, parts) for chunk in chunks)


@pytest.fixture
def written(tmp_path):
    """`written("models: ...")`: a plan beside `pairs.jsonl`, eight pairs, and `set.txt`, two."""
    write_pairs(tmp_path, 8)
    (tmp_path / "set.txt").write_text("the cat are\nthe cat is\nthe horses are tired\nthe horses is tired\n")

    def write_plan(text):
        path = tmp_path / "plan.yaml"
        path.write_text(text, "utf-8")
        return path

    return write_plan


def write_pairs(folder, number):
    pairs = [{"sentence_good": f"The cats {n} are here.", "sentence_bad": f"{n} is."} for n in range(number)]
    write(folder / "pairs.jsonl", *pairs)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("models: [unigram-english", "not YAML"),
        ("- unigram-english", "'models:' and 'tasks:'"),
        ("models: [unigram-english]", "'models:' and 'tasks:'"),
        ("models: []\ntasks: [blimp]", "'models:' needs a list"),
        ("models: unigram-english\ntasks: [blimp]", "'models:' needs a list"),
        ("models: [unigram-english]\ntasks: [blimp]\nmodel: x", "Did you mean 'models'"),
        ("models: [unigram-english]\ntasks: [{data: x.jsonl}]", "tasks, entry 1: 'task' is missing"),
        ("models: [unigram-english]\ntasks: [blimp, {task: blimp, file: x}]", "tasks, entry 2"),
        ("models: [7]\ntasks: [blimp]", "models, entry 1"),
        ("models: [unigram-english]\ntasks: [{task: blimp, data: 7}]", "'data' should be a text"),
        ("models: [unigram-english, unigram-englsh]\ntasks: [blimp]", "plan.yaml, models, entry 2: There is no"),
        ("models: [./runs/checkpoint-*]\ntasks: [blimp]", "models, entry 1: no folder matches './runs/checkpoint-*'"),
        ("models: [unigram-english]\ntasks: [ewok, blmp]", "tasks, entry 2: There is no task 'blmp'. Did you mean"),
        ("models: [unigram-english]\ntasks: [{task: blimp, data: nowhere}]", "entry 1: There is no file 'nowhere'"),
        ("models: [unigram-english]\ntasks: [{task: blimp, rule: word}]", "entry 1: There is no rule of BLiMP"),
        ("models: [unigram-english]\ntasks: [ewok, {task: blimp, preset: mine}]", "tasks, entry 2: There is no"),
        ("models: [unigram-english, unigram-english]\ntasks: [blimp]", "listed twice"),
        ("models: [unigram-english]\ntasks: [blimp, blimp]", "listed twice"),
    ],
)
def test_a_bad_plan_gets_one_sentence_before_anything_runs(written, capsys, text, words):
    path = written(text)
    with pytest.raises(PairlensError) as error:
        expand(read(path))
    assert words in str(error.value)
    assert main(["plan", "run", str(path)]) == 2
    assert words in capsys.readouterr().err
    assert not settings().plans.exists()


def copy_of(unigram, folder, config=False, word=""):
    """The small model's files in another folder, with a word of its own; a folder with a config is a checkpoint."""
    shutil.copytree(settings().models / unigram, folder)
    if config:
        (folder / "config.json").write_text("{}", "utf-8")
    if word:
        with gzip.open(folder / "counts.tsv.gz", "at") as counts:
            counts.write(f"{word}\t1\n")
    return folder


def test_a_pattern_and_a_folder_stand_for_the_models_in_them(written, unigram, tmp_path, monkeypatch):
    """From the folder of the plan; the same weights are refused, or one where they are checkpoints."""
    copy_of(unigram, tmp_path / "runs" / "one")
    for name in ("checkpoint-1", "checkpoint-2"):
        copy_of(unigram, tmp_path / "trained" / name, config=True)
    monkeypatch.chdir("/")
    cells = expand(read(written("models: [./runs/*]\ntasks: [blimp, {task: ewok}]")))
    assert [(cell.model, cell.task.name) for cell in cells] == [("runs/one", "blimp"), ("runs/one", "ewok")]
    (cell,) = expand(read(written("models: [./trained]\ntasks: [blimp]")))
    assert cell.model == "trained@checkpoint-1"
    with pytest.raises(InputError, match="'tiny-unigram' and 'runs/one' have the same weights"):
        expand(read(written("models: [tiny-unigram, ./runs/one]\ntasks: [blimp]")))


def test_each_data_set_is_read_once(written, unigram, monkeypatch):
    cells = expand(read(written("models: [tiny-unigram, english-small]\ntasks: [blimp, ewok]")))
    monkeypatch.setattr(
        "pairlens.plans.cells.items_of", lambda task, path: times.append(task.name) or task.read(path)
    )
    times = []
    needs(cells, Store())
    assert times == ["blimp", "ewok"]
    data = DataSets()
    assert cells[0].planned(data) == cells[0].planned(data) == cells[0].planned()
    assert times[2:] == ["blimp", "blimp"]
    monkeypatch.setattr("pairlens.plans.cells._KEPT", 1)
    small = DataSets()
    assert small.items(cells[0].task, cells[0].data) == small.items(cells[0].task, cells[0].data)
    assert len(times) == 6, "what is too large is not kept"


@pytest.mark.slow
def test_runs_of_a_plan_say_how_long_they_took(written, unigram, store, limit, monkeypatch):
    limit("chunk_requests", 6)
    monkeypatch.setattr("pairlens.evaluation.estimate._ENOUGH", 10)
    path = written(f"models: [{unigram}]\ntasks: [{SET}, {FORMS}, {PAIRS}]")
    cells = expand(read(path))

    def engine(chunks, parts):
        return (replace(score(chunk, parts), seconds=100.0) for chunk in chunks)

    *_, states = run(path, cells, store, engine)
    manifests = [store.manifest(state.run_id) for state in states]
    assert sum(one["scored"] for one in manifests) == sum(map(len, rows_of(store).values()))
    assert all(one["scored"] + one["reused"] == one["n_requests"] for one in manifests)
    assert sum(one["seconds"] for one in manifests) % 100 == 0 < manifests[-1]["seconds"]
    expected = Estimate(4 + manifests[-1]["seconds"], True)
    assert estimate(manifests[-1]["scored"], cells[0].recipe, store) == expected
    [*run(path, cells, store, engine)]
    assert [store.manifest(state.run_id) for state in states] == manifests


@pytest.mark.slow
def test_checkpoints_of_one_model_are_a_sweep(written, unigram, store, tmp_path):
    for number in (1, 2, 10):
        folder = tmp_path / "trained" / f"chck_{number}M"
        checkpoint = copy_of(unigram, folder, config=True, word=f"word{number}")
    (checkpoint / "card.json").write_text("{", "utf-8")
    path = written(f"models: [{unigram}, ./trained]\ntasks: [{PAIRS}, {SET}]")
    cells = expand(read(path))
    *_, states = run(path, cells, store, in_this_process)
    by_task = {one.task: one for one in sweeps(store)}
    assert by_task.keys() == {"blimp", "agreement"}
    for task, one in by_task.items():
        points = [(point.words, point.state) for point in one.points]
        assert points == [(1_000_000, "done"), (2_000_000, "done"), (10_000_000, "refused")]
        runs = [state.run_id for state in states if state.task == task and state.model.startswith("trained@")]
        assert [point.run_id for point in one.points] == runs
    steps = checkpoints(str(tmp_path / "trained"))
    *_, last = sweep(cells[0].task, cells[0].data, steps, recipe_of, store, model=str(tmp_path / "trained"))
    assert last.sweep_id == by_task["blimp"].id, "it is the one that `zero-shot` would make"


def test_needs_count_what_the_store_lacks(written, unigram, capsys):
    path = written(f"models: [{unigram}]\ntasks: [{PAIRS}, ewok, comps]")
    cells, store = expand(read(path)), Store()
    (before,) = needs(cells, store)
    assert main(["plan", "show", str(path), "--price-per-hour", "7200"]) == 0
    assert capsys.readouterr().out.endswith(f"price: {before.seconds * 2:,.2f}\n")
    for _ in evaluate(cells[0].task, cells[0].data, cells[0].recipe, store):
        pass
    (after,) = needs(cells, store)
    blimp, ewok, comps = after.cells
    assert before.cells[0].missing == before.cells[0].texts == blimp.texts > 0
    assert (blimp.missing, ewok.missing, before.missing) == (0, ewok.texts, blimp.texts + ewok.texts)
    assert "Word counts know no context" in comps.refused
    assert after.seconds < before.seconds
    (large,) = needs(expand(read(written("models: [english-small]\ntasks: [blimp]"))), store)
    assert large.megabytes == pytest.approx(18.5 + _BESIDES, abs=0.1), "4.6 million parameters in the task's dtype"
    assert large.megabytes == pytest.approx(636, rel=0.05), "the peak that was measured of a process that scores"


@pytest.mark.slow
def test_a_plan_stores_what_its_cells_store_one_by_one(written, unigram, store, limit, tmp_path, monkeypatch):
    """Workers leave parts in the store, or in a folder that all share, from which another store takes them."""
    limit("chunk_requests", 6)
    joint = SET.replace("}", ", rule: joint}")
    path = written(f"models: [{unigram}]\ntasks: [{PAIRS}, {SET}, {FORMS}, {joint}]")
    cells, parts = expand(read(path)), str(tmp_path / "parts")
    *_, states = run(path, cells, store, in_this_process)
    assert [one.state for one in states] == ["done"] * 4
    assert all(one.done == one.total and one.run_id for one in states)
    other = undisturbed(cells, tmp_path / "other")
    assert_equal(store, other)
    before = n_parts(store)
    *_, again = run(path, cells, store, in_this_process)
    assert [one.reused for one in again] == [one.total for one in again] and n_parts(store) == before

    tables = []
    monkeypatch.setattr("pairlens.evaluation.evaluate.catalog.publish", tables.append)
    sharing, another = (Store(tmp_path / name, shipped=None) for name in ("sharing", "another"))
    *_, states = run(path, cells, sharing, in_this_process, parts)
    assert [one.state for one in states] == ["done"] * 4 and sharing in tables
    assert_equal(sharing, other)
    *_, states = run(path, cells, another, in_this_process, parts)
    assert [one.reused for one in states] == [one.total for one in states]


def n_parts(store):
    return sum(len(all_parts(store.folder / "scores" / name)) for name in store.fingerprints())


DEADLY = 9


def chunk_of(recipe, *numbers, fingerprint=""):
    texts = {f"{n}" * 64: Deadly() if n == DEADLY else Request("", f"The cat sleeps {n} times.") for n in numbers}
    return Chunk(
        recipe.model.name, recipe.kind.name, recipe.policy, fingerprint or recipe.fingerprint, texts, False, True
    )


class Deadly:
    """A request that ends the worker which reads it."""

    def __reduce__(self):
        return os._exit, (1,)


def test_a_chunk_scored_twice_is_the_same_part_and_other_files_are_refused(unigram):
    recipe, folder = recipe_of(unigram), settings().store
    outcome = score(chunk_of(recipe, 1, 2, fingerprint="0" * 64), str(folder))
    assert "has other files on" in outcome.error and not outcome.scored and not folder.exists()
    chunk = chunk_of(recipe, 1, 2)
    first, second = score(chunk, str(folder)), score(chunk, str(folder))
    assert (first.chunk_id, first.scored) == (second.chunk_id, second.scored) == (chunk.id, 2)
    assert len(all_parts(folder / "scores" / recipe.fingerprint)) == 1


@pytest.mark.slow
def test_failures_are_data_and_an_error_of_one_cell_leaves_the_others_alone(
    written, unigram, tmp_path, capsys, store
):
    for name in ("checkpoint-1", "checkpoint-2"):
        copy_of(unigram, tmp_path / "run" / name, config=True)
    (tmp_path / "run" / "checkpoint-2" / "card.json").write_text("{", "utf-8")
    path = written("models: [./run]\ntasks: [comps]")
    cells = expand(read(path))
    assert main(["plan", "run", str(path)]) == 1
    out = capsys.readouterr().out
    assert len(cells) == 2 and all(cell.refused and cell.refused in out for cell in cells)
    path = written(f"models: [{unigram}, english-small]\ntasks: [{PAIRS}, {SET}]")

    def engine(chunks, parts):
        for chunk in chunks:
            broken = chunk.model == "english-small"
            yield Outcome(chunk.id, error="It is broken.") if broken else score(chunk, parts)

    *_, states = run(path, expand(read(path)), store, engine)
    assert [one.state for one in states] == ["done", "done", "failed", "failed"]
    assert states[-1].reason == "It is broken."
    assert len(store.runs()) == 2
    assert record_of(path).state == "failed"
    assert [one.file for one in records()] == [str(path)]


def test_a_plan_runs_once_at_a_time_by_an_engine_that_is_there(written, unigram, tmp_path, capsys):
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "nowhere.yaml")
    path = written(f"models: [{unigram}]\ntasks: [blimp]")
    assert main(["plan", "status", str(path)]) == 0
    assert "has not been run here" in capsys.readouterr().out
    assert main(["plan", "run", str(path), "--engine", "rai"]) == 2
    assert "Did you mean 'ray'" in capsys.readouterr().err
    with alone(path), pytest.raises(JobError, match="runs already"):
        next(run(path, expand(read(path)), Store(), in_this_process))
    with pytest.raises(JobError, match="does not run"):
        cancel(path)


def test_scores_that_do_not_arrive_are_said(written, unigram, store, tmp_path):
    """The worker of another machine writes to a folder of its own."""
    path = written(f"models: [{unigram}]\ntasks: [{PAIRS}]")

    def elsewhere(chunks, parts):
        return in_this_process(chunks, str(tmp_path / "elsewhere"))

    *_, (state,) = run(path, expand(read(path)), store, elsewhere)
    assert state.state == "failed" and "are not at" in state.reason and "--parts" in state.reason


@pytest.mark.model
def test_a_worker_that_is_killed_costs_nothing_and_the_chunk_that_kills_it_fails(unigram):
    recipe = recipe_of(unigram)
    chunks = [chunk_of(recipe, *numbers) for numbers in ((DEADLY,), (1,), (2, 3))]
    outcomes = {one.chunk_id: one for one in workers.run(chunks, str(settings().store), 1)}
    assert [outcomes[chunk.id].scored for chunk in chunks] == [0, 1, 2]
    assert "ended the worker process" in outcomes[chunks[0].id].error


@pytest.mark.model
@pytest.mark.slow
def test_a_plan_that_is_killed_and_cancelled_continues_and_ends_like_an_undisturbed_one(store, driven):
    path, driver = driven()
    driver.kill()
    driver.communicate()
    assert not workers_in_the_end(driver.pid)
    assert record_of(path).state == "lost"
    path, driver = driven()
    assert cancel(path).state == "cancelled"
    assert_stopped_and_continue(driver, path, store)


@pytest.mark.soak
@pytest.mark.parametrize(("number", "send"), [(signal.SIGINT, os.killpg), (signal.SIGTERM, os.kill)])
def test_a_plan_of_a_network_that_is_stopped_continues(store, driven, number, send):
    """By Ctrl-C, which reaches the workers too, and by `plan cancel`."""
    path, driver = driven("english-small", workers=2)
    send(driver.pid, number)
    assert_stopped_and_continue(driver, path, store)


@pytest.fixture
def driven(written, unigram, store, tmp_path):
    """`driven(model)`: a plan and its driver, as soon as two more of its hundreds of chunks are stored."""

    def start(model=unigram, workers=1):
        write_pairs(tmp_path, 400)
        path, before = written(f"models: [{model}]\ntasks: [{PAIRS}]"), count(store)
        driver = subprocess.Popen(
            [sys.executable, "-m", "pairlens", "plan", "run", str(path), "--workers", str(workers)], cwd=ROOT,
            text=True,
            env={**os.environ, "PAIRLENS_CHUNK_REQUESTS": "2"}, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        while count(store) < before + 2 and driver.poll() is None:
            time.sleep(0.01)
        assert driver.poll() is None, "it was done before it could be disturbed"
        return path, driver

    return start


def assert_stopped_and_continue(driver, path, store):
    """The driver ends with one line, its workers with it; what is missing is scored as if nothing had happened."""
    stopped = "pairlens: Stopped. What was scored is stored; the same command continues from there.\n"
    assert driver.communicate() == ("", stopped)
    reaped = [status for (pid, _), status in processes._ended.items() if pid == driver.pid]  # by `cancel`
    assert (reaped or [driver.returncode]) == [130] and not workers_in_the_end(driver.pid)
    assert record_of(path).state == "cancelled"
    cells = expand(read(path))
    *_, (state,) = run(path, cells, store, in_this_process)
    assert record_of(path).state == state.state == "done" and state.reused
    assert_equal(store, undisturbed(cells, path.with_name("other")))


def workers_in_the_end(driver):
    """Processes whose command line names their driver as `spawn` does, which should end with it."""
    deadline, name = time.monotonic() + 300, f"parent_pid={driver},"
    while (there := [one for one in psutil.process_iter(["cmdline"]) if name in str(one.info["cmdline"])]) and (
        time.monotonic() < deadline
    ):
        time.sleep(0.05)
    return there
