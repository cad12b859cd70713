"""Plans: what a file asks for, bad plans in a sentence, runs equal to those of `evaluate`, resumed after any kill."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.cli import main
from core.errors import InputError, JobError, PairlensError
from core.plans.cells import expand
from core.plans.chunks import Chunk, Outcome, score
from core.plans.engines import local
from core.plans.estimates import needs, price
from core.plans.file import read
from core.plans.progress import alone, cancel, record_of, records
from core.plans.running import run
from core.runs.evaluate import evaluate
from core.scoring.recipe import recipe_of
from core.settings import ROOT, settings
from core.store import Store
from core.store.parts import all_parts
from core.types import Request

TWO = "models: [unigram-english, english-small]\ntasks: [blimp, ewok]\n"


def in_this_process(chunks, folder):
    """The smallest engine there is."""
    return (score(chunk, folder) for chunk in chunks)


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
        ("models: [unigram-englsh]\ntasks: [blimp]", "Did you mean 'unigram-english'"),
        ("models: [./runs/checkpoint-*]\ntasks: [blimp]", "no folder matches './runs/checkpoint-*'"),
        ("models: [unigram-english]\ntasks: [blmp]", "Did you mean 'blimp'"),
        ("models: [unigram-english]\ntasks: [{task: blimp, data: nowhere}]", "nowhere"),
        ("models: [unigram-english]\ntasks: [{task: blimp, rule: word}]", "no rule of BLiMP 'word'"),
        ("models: [unigram-english]\ntasks: [{task: blimp, preset: mine}]", "'mine'"),
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


def test_needs_count_what_the_store_lacks(written):
    cells, store = expand(read(written("models: [unigram-english]\ntasks: [blimp, ewok, comps]"))), Store()
    (before,) = needs(cells, store)
    for _ in evaluate(cells[0].task, cells[0].data, cells[0].recipe, store):
        pass
    (after,) = needs(cells, store)
    blimp, ewok, comps = after.cells
    assert before.cells[0].missing == before.cells[0].texts == blimp.texts > 0
    assert (blimp.missing, ewok.missing, before.missing) == (0, ewok.texts, blimp.texts + ewok.texts)
    assert "Word counts know no context" in comps.refused
    assert after.seconds < before.seconds
    assert price([before], 7.2) == pytest.approx(before.seconds * 0.002)


def rows_of(store: Store) -> dict[str, dict[str, float]]:
    """The sum of every stored request by fingerprint and key; fails where two parts hold the same one."""
    found = {}
    for fingerprint in store.fingerprints():
        tables = [pq.read_table(part.file("scores")) for part in all_parts(store.folder / "scores" / fingerprint)]
        rows = [row for table in tables for row in table.to_pylist()]
        found[fingerprint] = {row["request_key"]: row["logprob"] for row in rows}
        assert len(found[fingerprint]) == len(rows), "a request is stored twice"
    return found


def undisturbed(cells, folder: Path) -> Store:
    """The store of the same cells, run one after the other without a plan."""
    store = Store(folder, shipped=None)
    for cell in cells:
        for _ in evaluate(cell.task, cell.data, cell.recipe, store, rule=cell.rule):
            pass
    return store


def assert_equal(store: Store, other: Store) -> None:
    """Same keys, sums within the stated tolerance, same runs with the same numbers."""
    ours, theirs = rows_of(store), rows_of(other)
    assert {name: rows.keys() for name, rows in ours.items()} == {name: rows.keys() for name, rows in theirs.items()}
    for name, rows in ours.items():
        assert rows == pytest.approx(theirs[name], abs=1e-4)
    ids = sorted(store.runs()["run_id"])
    assert ids == sorted(other.runs()["run_id"])
    for run_id in ids:
        same = store.metrics(run_id).compare(other.metrics(run_id))
        assert same.empty, f"{run_id}: {same}"


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
    first, second = score(one, folder), score(one, folder)
    assert (first.chunk_id, first.scored) == (second.chunk_id, second.scored) == (one.id, 2)
    assert len(all_parts(folder / "scores" / recipe.fingerprint)) == 1


def plan_of(recipe, fingerprint: str = "") -> Chunk:
    requests = {f"{n}" * 64: Request("", text) for n, text in enumerate(("The cat sleeps.", "A dog barks."))}
    kind, policy = recipe.kind.name, recipe.policy
    return Chunk("unigram-english", kind, policy, fingerprint or recipe.fingerprint, requests, False, True)


def test_a_worker_refuses_a_model_with_other_files(home):
    outcome = score(plan_of(recipe_of("unigram-english"), "0" * 64), settings().store)
    assert "has other files here" in outcome.error
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

    def engine(chunks, folder):
        for chunk in chunks:
            broken = chunk.model == "english-small"
            yield Outcome(chunk.id, error="It is broken.") if broken else score(chunk, folder)

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
        patch.setattr(local, "score", deadly)
        patch.setenv("DEADLY", requests[next(iter(requests))].text)
        *_, (blimp, agreement) = run(path, cells, store, lambda chunks, folder: local.run(chunks, folder, 2))
    assert (blimp.state, agreement.state) == ("failed", "done")
    assert "ended the worker process" in blimp.reason
    *_, states = run(path, cells, store, in_this_process)
    assert [one.state for one in states] == ["done", "done"]
    assert_equal(store, undisturbed(cells, tmp_path / "other"))


def deadly(chunk: Chunk, folder: Path) -> Outcome:
    """Scores a chunk, unless it holds the text that the environment names."""
    if os.environ["DEADLY"] in {request.text for request in chunk.requests.values()}:
        os.kill(os.getpid(), signal.SIGKILL)
    return score(chunk, folder)


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


def count(store: Store) -> int:
    return sum(len([*(store.folder / "scores" / name).glob("[!.]*.json")]) for name in store.fingerprints())


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
