"""Plans: what a file asks for, bad plans in a sentence, runs equal to those of `evaluate`, resumed after any kill."""

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from stores_compared import assert_equal, count, rows_of, undisturbed

from core.cli import main
from core.errors import InputError, JobError, PairlensError
from core.plans import workers
from core.plans.cells import DataSets, expand, needs, read
from core.plans.running import alone, cancel, record_of, records, run
from core.plans.workers import Chunk, Outcome, score
from core.runs.estimate import Estimate, estimate
from core.runs.evaluate import evaluate
from core.runs.sweep import sweep
from core.scoring.checkpoints import checkpoints
from core.scoring.recipe import recipe_of
from core.settings import ROOT, settings
from core.store import Store
from core.store.parts import all_parts
from core.store.sweeps import sweeps
from core.types import Request

TWO = "models: [unigram-english, english-small]\ntasks: [blimp, ewok]\n"


def in_this_process(chunks, parts):
    """The smallest engine there is."""
    return (score(chunk, parts) for chunk in chunks)


@pytest.fixture
def written(tmp_path):
    def write(text: str) -> Path:
        path = tmp_path / "plan.yaml"
        path.write_text(text, "utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("text", "said"),
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
        (
            "models: [unigram-english, unigram-englsh]\ntasks: [blimp]",
            "plan.yaml, models, entry 2: There is no",
        ),
        ("models: [unigram-englsh]\ntasks: [blimp]", "Did you mean 'unigram-english'"),
        ("models: [./runs/checkpoint-*]\ntasks: [blimp]", "models, entry 1: no folder matches './runs/checkpoint-*'"),
        ("models: [unigram-english]\ntasks: [ewok, blmp]", "tasks, entry 2: There is no task 'blmp'. Did you mean"),
        (
            "models: [unigram-english]\ntasks: [{task: blimp, data: nowhere}]",
            "entry 1: There is no file 'nowhere'",
        ),
        (
            "models: [unigram-english]\ntasks: [{task: blimp, rule: word}]",
            "entry 1: There is no rule of BLiMP",
        ),
        ("models: [unigram-english]\ntasks: [ewok, {task: blimp, preset: mine}]", "tasks, entry 2: There is no"),
        ("models: [unigram-english, unigram-english]\ntasks: [blimp]", "listed twice"),
        ("models: [unigram-english]\ntasks: [blimp, blimp]", "listed twice"),
    ],
)
def test_a_bad_plan_gets_one_sentence_before_anything_runs(written, capsys, text, said):
    path = written(text)
    with pytest.raises(PairlensError) as error:
        expand(read(path))
    assert said in str(error.value)
    assert main(["plan", "run", str(path)]) == 2
    assert said in capsys.readouterr().err
    assert not settings().plans.exists()


def test_a_plan_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "plan.yaml")


def copy_of(model: str, folder: Path) -> Path:
    """A model's files in another folder, by links."""
    folder.mkdir(parents=True)
    for file in (ROOT / "data" / "models" / model).iterdir():
        shutil.copy(file, folder)
    return folder


def test_two_models_with_the_same_weights_are_refused(written, tmp_path):
    copy_of("unigram-english", tmp_path / "mine")
    with pytest.raises(InputError, match="'unigram-english' and 'mine' have the same weights"):
        expand(read(written("models: [unigram-english, ./mine]\ntasks: [blimp]")))


def test_a_pattern_stands_for_all_folders_it_matches_from_the_folder_of_the_plan(written, tmp_path, monkeypatch):
    copy_of("unigram-english", tmp_path / "runs" / "one")
    monkeypatch.chdir("/")
    cells = expand(read(written("models: [./runs/*]\ntasks: [blimp, {task: ewok}]")))
    assert [(cell.model, cell.task.name) for cell in cells] == [("runs/one", "blimp"), ("runs/one", "ewok")]


def test_each_data_set_is_read_once(written, monkeypatch):
    cells = expand(read(written("models: [unigram-english, english-small]\ntasks: [blimp, ewok]")))
    monkeypatch.setattr("core.plans.cells.items_of", lambda task, path: times.append(task.name) or task.read(path))
    times: list[str] = []
    needs(cells, Store())
    assert times == ["blimp", "ewok"]
    data = DataSets()
    assert cells[0].planned(data) == cells[0].planned(data) == cells[0].planned()
    assert times[2:] == ["blimp", "blimp"]
    monkeypatch.setattr("core.plans.cells._KEPT", 1)
    small = DataSets()
    assert small.items(cells[0].task, cells[0].data) == small.items(cells[0].task, cells[0].data)
    assert len(times) == 6, "what is too large is not kept"


def test_runs_of_a_plan_say_how_long_they_took(written, monkeypatch):
    monkeypatch.setenv("PAIRLENS_CHUNK_REQUESTS", "20")
    monkeypatch.setattr("core.runs.estimate._ENOUGH", 10)
    settings.cache_clear()
    path = written("models: [unigram-english]\ntasks: [{task: ewok}, {task: ewok, rule: joint}, blimp]")
    cells, store = expand(read(path)), Store(shipped=None)

    def engine(chunks, parts):
        return (replace(score(chunk, parts), seconds=100.0) for chunk in chunks)

    *_, states = run(path, cells, store, engine)
    made = [store.manifest(one.run_id) for one in states]
    assert sum(one["scored"] for one in made) == sum(map(len, rows_of(store).values()))
    assert all(one["scored"] + one["reused"] == one["n_requests"] for one in made)
    assert sum(one["seconds"] for one in made) % 100 == 0 < made[-1]["seconds"]
    assert estimate(made[-1]["scored"], cells[0].recipe, store) == Estimate(4 + made[-1]["seconds"], True)
    [*run(path, cells, store, engine)]
    assert [store.manifest(one.run_id) for one in states] == made


def test_checkpoints_with_the_same_weights_are_one(written, tmp_path):
    for name in ("checkpoint-1", "checkpoint-2"):
        (copy_of("unigram-english", tmp_path / "run" / name) / "config.json").write_text("{}", "utf-8")
    (cell,) = expand(read(written("models: [./run]\ntasks: [blimp]")))
    assert cell.model == "run@checkpoint-1"


def test_checkpoints_of_one_model_are_a_sweep(written, tmp_path):
    for number in (1, 2, 10):
        checkpoint = copy_of("unigram-english", tmp_path / "trained" / f"chck_{number}M")
        (checkpoint / "config.json").write_text("{}", "utf-8")
        with gzip.open(checkpoint / "counts.tsv.gz", "ab") as counts:
            counts.write(f"checkpoint{number}\t1\n".encode())
    (checkpoint / "card.json").write_text("{", "utf-8")
    path = written("models: [unigram-english, ./trained]\ntasks: [blimp, ewok]")
    cells, store = expand(read(path)), Store(shipped=None)
    *_, states = run(path, cells, store, in_this_process)
    found = {one.task: one for one in sweeps(store)}
    assert found.keys() == {"blimp", "ewok"}
    for task, one in found.items():
        assert [(point.words, point.state) for point in one.points] == [
            (1_000_000, "done"), (2_000_000, "done"), (10_000_000, "refused"),
        ]  # fmt: skip
        runs = [state.run_id for state in states if state.task == task and state.model.startswith("trained@")]
        assert [point.run_id for point in one.points] == runs
    steps = checkpoints(str(tmp_path / "trained"))
    *_, last = sweep(cells[0].task, cells[0].data, steps, recipe_of, store, model=str(tmp_path / "trained"))
    assert last.sweep_id == found["blimp"].id, "it is the one that `zero-shot` would make"


def test_needs_count_what_the_store_lacks(written, capsys):
    path = written("models: [unigram-english]\ntasks: [blimp, ewok, comps]")
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


def test_a_plan_stores_what_its_cells_store_one_by_one(written, tmp_path, monkeypatch):
    monkeypatch.setenv("PAIRLENS_CHUNK_REQUESTS", "20")
    settings.cache_clear()
    path = written("models: [unigram-english]\ntasks: [blimp, {task: ewok}, {task: ewok, rule: joint}, agreement]")
    cells, store = expand(read(path)), Store(shipped=None)
    *_, states = run(path, cells, store, in_this_process)
    assert [one.state for one in states] == ["done"] * 4
    assert all(one.done == one.total and one.run_id for one in states)
    assert_equal(store, undisturbed(cells, tmp_path / "other"))
    parts = sum(len(all_parts(store.folder / "scores" / name)) for name in store.fingerprints())
    *_, again = run(path, cells, store, in_this_process)
    assert [one.reused for one in again] == [one.total for one in again]
    assert parts == sum(len(all_parts(store.folder / "scores" / name)) for name in store.fingerprints())


def test_a_chunk_scored_twice_is_the_same_part(home):
    recipe = recipe_of("unigram-english")
    one = plan_of(recipe)
    folder = settings().store
    first, second = score(one, str(folder)), score(one, str(folder))
    assert (first.chunk_id, first.scored) == (second.chunk_id, second.scored) == (one.id, 2)
    assert len(all_parts(folder / "scores" / recipe.fingerprint)) == 1


def plan_of(recipe, fingerprint: str = "") -> Chunk:
    requests = {f"{n}" * 64: Request("", text) for n, text in enumerate(("The cat sleeps.", "A dog barks."))}
    kind, policy = recipe.kind.name, recipe.policy
    return Chunk("unigram-english", kind, policy, fingerprint or recipe.fingerprint, requests, False, True)


def test_a_worker_refuses_a_model_with_other_files(home):
    outcome = score(plan_of(recipe_of("unigram-english"), "0" * 64), str(settings().store))
    assert "has other files on" in outcome.error
    assert not outcome.scored
    assert not settings().store.exists()


def test_failures_are_data(written, tmp_path, capsys):
    for name in ("checkpoint-1", "checkpoint-2"):
        copy_of("unigram-english", tmp_path / "run" / name)
    (tmp_path / "run" / "checkpoint-2" / "card.json").unlink()
    (tmp_path / "run" / "checkpoint-2" / "card.json").write_text("{", "utf-8")
    for name in ("checkpoint-1", "checkpoint-2"):
        (tmp_path / "run" / name / "config.json").write_text("{}", "utf-8")
    path = written("models: [./run]\ntasks: [comps, blimp]")
    cells = expand(read(path))
    assert main(["plan", "run", str(path)]) == 1
    said = capsys.readouterr().out
    assert all(cell.refused in said for cell in cells if cell.refused)
    assert any(cell.refused for cell in cells)


def test_an_error_of_one_cell_leaves_the_others_alone(written):
    path = written("models: [unigram-english, english-small]\ntasks: [blimp, ewok]")
    cells = expand(read(path))

    def engine(chunks, parts):
        for chunk in chunks:
            broken = chunk.model == "english-small"
            yield Outcome(chunk.id, error="It is broken.") if broken else score(chunk, parts)

    store = Store(shipped=None)
    *_, states = run(path, cells, store, engine)
    assert [one.state for one in states] == ["done", "done", "failed", "failed"]
    assert states[-1].reason == "It is broken."
    assert len(store.runs()) == 2
    assert record_of(path).state == "failed"
    assert [one.file for one in records()] == [str(path)]


def test_a_plan_runs_once_at_a_time(written):
    path = written("models: [unigram-english]\ntasks: [blimp]")
    with alone(path), pytest.raises(JobError, match="runs already"):
        next(run(path, expand(read(path)), Store(), in_this_process))
    with pytest.raises(JobError, match="does not run"):
        cancel(path)


def test_an_engine_that_does_not_exist(written, capsys):
    assert main(["plan", "run", str(written(TWO)), "--engine", "rai"]) == 2
    assert "Did you mean 'ray'" in capsys.readouterr().err


def test_scores_that_do_not_arrive_are_said(written, tmp_path):
    """The worker of another machine writes to a folder of its own."""
    path = written("models: [unigram-english]\ntasks: [blimp]")
    elsewhere = str(tmp_path / "elsewhere")
    *_, (one,) = run(
        path, expand(read(path)), Store(shipped=None), lambda chunks, _: in_this_process(chunks, elsewhere)
    )
    assert one.state == "failed"
    assert "are not at" in one.reason and "--parts" in one.reason


def test_workers_leave_parts_in_a_folder_that_all_share(written, tmp_path):
    path, parts = written("models: [unigram-english]\ntasks: [blimp, ewok]"), str(tmp_path / "parts")
    cells, store = expand(read(path)), Store(shipped=None)
    *_, states = run(path, cells, store, in_this_process, parts)
    assert [one.state for one in states] == ["done", "done"]
    assert_equal(store, undisturbed(cells, tmp_path / "other"))
    another = Store(tmp_path / "another", shipped=None)
    *_, states = run(path, cells, another, in_this_process, parts)
    assert [one.reused for one in states] == [one.total for one in states]
    assert (store.folder / "results.duckdb").exists()


def test_nothing_has_run(written, capsys):
    assert main(["plan", "status", str(written(TWO))]) == 0
    assert "has not been run here" in capsys.readouterr().out


@pytest.mark.model
def test_a_worker_that_is_killed_costs_nothing_and_the_chunk_that_kills_it_fails(written, tmp_path, monkeypatch):
    """The texts of one chunk end the worker, every time: its cell says so, everything else is stored once."""
    monkeypatch.setenv("PAIRLENS_CHUNK_REQUESTS", "40")
    settings.cache_clear()
    path = written("models: [unigram-english]\ntasks: [blimp, agreement]")
    cells, store = expand(read(path)), Store(shipped=None)
    requests = cells[0].planned().requests
    with monkeypatch.context() as patch:
        patch.setattr(workers, "score", deadly)
        patch.setenv("DEADLY", requests[next(iter(requests))].text)
        *_, (blimp, agreement) = run(path, cells, store, partial(workers.run, workers=2))
    assert (blimp.state, agreement.state) == ("failed", "done")
    assert "ended the worker process" in blimp.reason
    *_, states = run(path, cells, store, in_this_process)
    assert [one.state for one in states] == ["done", "done"]
    assert_equal(store, undisturbed(cells, tmp_path / "other"))


def deadly(chunk: Chunk, parts: str) -> Outcome:
    """Scores a chunk, unless it holds the text that the environment names."""
    if os.environ["DEADLY"] in {request.text for request in chunk.requests.values()}:
        os.kill(os.getpid(), signal.SIGKILL)
    return score(chunk, parts)


@pytest.mark.model
@pytest.mark.slow
def test_a_plan_whose_driver_is_killed_ends_like_an_undisturbed_one(written, tmp_path, home):
    path = written(TWO)
    environment = {**os.environ, "PAIRLENS_CHUNK_REQUESTS": "16"}
    command = [sys.executable, "-m", "core", "plan", "run", str(path), "--workers", "2"]
    store = Store(shipped=None)
    driver = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    while count(store) < 4 and driver.poll() is None:
        time.sleep(0.02)
    assert driver.poll() is None, "it was done before it could be killed"
    driver.kill()
    driver.wait()
    wait_for_the_end_of_workers(driver.pid)
    assert record_of(path).state == "lost"
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    assert record_of(path).state == "done"
    assert_equal(store, undisturbed(expand(read(path)), tmp_path / "other"))


@pytest.mark.model
@pytest.mark.slow
@pytest.mark.parametrize(("number", "send"), [(signal.SIGINT, os.killpg), (signal.SIGTERM, os.kill)])
def test_a_plan_that_is_stopped_ends_with_one_line_and_continues(written, tmp_path, home, number, send):
    """By Ctrl-C, which reaches the workers too, and by `plan cancel`."""
    pairs = [{"sentence_good": f"The cats number {n} are here.", "sentence_bad": f"{n} is."} for n in range(4000)]
    (tmp_path / "pairs.jsonl").write_text("\n".join(map(json.dumps, pairs)), "utf-8")
    path = written("models: [english-small]\ntasks: [{task: blimp, data: pairs.jsonl}]")
    environment = {**os.environ, "PAIRLENS_CHUNK_REQUESTS": "300"}
    command = [sys.executable, "-m", "core", "plan", "run", str(path), "--workers", "2"]
    store = Store(shipped=None)
    driver = subprocess.Popen(
        command, cwd=ROOT, env=environment, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    while not count(store) and driver.poll() is None:
        time.sleep(0.02)
    assert driver.poll() is None, "it was done before it could be stopped"
    send(driver.pid, number)
    said = driver.communicate()
    assert driver.returncode == 130
    assert said == ("", "pairlens: Stopped. What was scored is stored; the same command continues from there.\n")
    assert not workers_of(driver.pid)
    assert record_of(path).state == "cancelled"
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    assert_equal(store, undisturbed(expand(read(path)), tmp_path / "other"))


def wait_for_the_end_of_workers(driver: int) -> None:
    """Workers end with their driver, within seconds."""
    deadline = time.monotonic() + 20
    while workers_of(driver) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not workers_of(driver)


def workers_of(driver: int) -> list[Path]:
    """Processes whose command line names their driver as `spawn` does."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if f"parent_pid={driver}," in path.read_text("utf-8", "replace"):
                found.append(path)
        except OSError:
            continue
    return found
