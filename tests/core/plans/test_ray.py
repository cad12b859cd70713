"""Plans on a real Ray cluster, whose workers, nodes and drivers are killed; parts in a real S3 server."""

import shutil
import subprocess
import sys
import time
from functools import partialmethod
from urllib.request import Request, urlopen

import psutil
import pytest
from stores_compared import assert_equal, count, rows_of, undisturbed

from pairlens.cli import main
from pairlens.errors import InputError
from pairlens.places import FOLDER as ROOT
from pairlens.plans import workers as engine
from pairlens.plans.cells import expand, read
from pairlens.plans.running import record_of, run
from pairlens.scoring.recipe import recipe_of
from pairlens.settings import settings
from pairlens.store import Store, elsewhere
from tests.core.plans.test_plans import DEADLY, chunk_of, in_this_process

pytest.importorskip("ray", reason="Ray has no wheel for this Python")
pytestmark = [pytest.mark.model, pytest.mark.slow]
S3 = ROOT / ".venv" / "s3" / "bin" / "moto_server"
PLAN = "models: [unigram-english]\ntasks: [ewok, {task: ewok, rule: joint}]\n"
LONG = PLAN.replace("[ewok", "[blimp, agreement, ewok")
CHUNK = 8
ACTOR = "ray::_Worker"
PATIENCE = 300
"""Seconds that whatever should happen in the end may take on a busy machine."""


@pytest.fixture(scope="module")
def cluster():
    """One node with one processor, which may take its time to start."""
    from ray._private import services
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_gcs_server_port_wait_time_s", str(PATIENCE))
        patch.setattr(services, "get_node", patient(services.get_node))
        patch.setattr(Cluster, "_wait_for_node", partialmethod(Cluster._wait_for_node, timeout=PATIENCE))
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "test")  # a cluster's machines have their own way to object storage
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        there = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        yield there
        there.shutdown()


def patient(get_node):
    """Ray gives a node 30 seconds to be known."""

    def get(*asked):
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return get_node(*asked)
            except RuntimeError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    return get


@pytest.fixture
def bucket(tmp_path, monkeypatch):
    """The address of a folder in a new bucket of a real S3 server."""
    if not S3.exists():
        pytest.skip("no S3 server: make .venv/development installs one")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    with (tmp_path / "s3.log").open("w") as log:
        server = subprocess.Popen([str(S3), "-H", "127.0.0.1", "-p", "0"], stdout=log, stderr=log)
    try:
        port = port_in(tmp_path / "s3.log")
        urlopen(Request(f"http://127.0.0.1:{port}/bucket", method="PUT")).close()
        yield f"s3://bucket/parts?endpoint_override=http%3A%2F%2F127.0.0.1%3A{port}&region=us-east-1"
    finally:
        server.kill()
        server.wait()


def port_in(log):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if ":" in (found := log.read_text().partition("http://127.0.0.1")[2]):
            return found.removeprefix(":").split()[0]
        time.sleep(0.05)
    pytest.fail(log.read_text())


@pytest.fixture
def plan(tmp_path, limit):
    limit("chunk_requests", CHUNK)
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN)
    return path


def test_a_plan_on_a_cluster_stores_what_its_cells_store(cluster, plan, store, tmp_path, capsys):
    asked = ["plan", "run", str(plan), "--engine", "ray", "--workers", "1", "--address", cluster.address]
    assert main(asked) == 0
    assert {line.count("\t") for line in capsys.readouterr().out.splitlines()} == {8}
    assert record_of(plan).state == "done"
    assert_equal(store, undisturbed(expand(read(plan)), tmp_path / "other"))


@pytest.mark.soak
def test_parts_travel_through_object_storage(plan, store, tmp_path, bucket, capsys):
    """What is there is not scored again, and another store takes all of it, once."""
    cells = expand(read(plan))
    *_, states = run(plan, cells, store, in_this_process, bucket)
    assert_equal(store, undisturbed(cells, tmp_path / "other"))
    *_, again = run(plan, cells, Store(tmp_path / "second", shipped=None), in_this_process, bucket)
    assert [one.reused for one in again] == [one.total for one in states]
    assert_merged_once(store, bucket, tmp_path, capsys)


def assert_merged_once(store, bucket, tmp_path, capsys):
    assert main(["store", "merge", bucket]) == 0
    assert "Copied: 0 parts" in capsys.readouterr().out
    another = Store(tmp_path / "another", shipped=None)
    merged = elsewhere.merge(another, bucket)
    assert merged == elsewhere.Merged(count(store), 0, ())
    assert elsewhere.merge(another, bucket) == elsewhere.Merged(0, merged.parts, ())
    assert rows_of(another) == rows_of(store)


def start(plan, cluster, *options):
    """The command line on the cluster, with two workers and more to do."""
    plan.write_text(LONG)
    command = [sys.executable, "-m", "pairlens", "plan", "run", str(plan), "--engine", "ray", "--workers", "2"]
    with plan.with_suffix(".tsv").open("w") as output:
        return subprocess.Popen([*command, "--address", cluster.address, *options], cwd=ROOT, stdout=output)


def workers():
    """The actors of all nodes, by the names that Ray gives their processes."""
    return [one for one in psutil.process_iter(["cmdline"]) if " ".join(one.info["cmdline"] or ()).startswith(ACTOR)]


def wait_for(enough, driver):
    while not enough() and driver.poll() is None:
        time.sleep(0.01)
    assert driver.poll() is None, "it was done before it could be disturbed"


@pytest.mark.soak
def test_a_plan_that_loses_its_driver_a_worker_and_a_node_ends_like_an_undisturbed_one(
    cluster, plan, store, tmp_path, bucket, capsys
):
    node, _ = (cluster.add_node(num_cpus=1) for _ in range(2))
    driver = start(plan, cluster, "--parts", bucket)
    wait_for(lambda: count(store) > 3, driver)
    driver.kill()
    driver.wait()
    deadline = time.monotonic() + PATIENCE
    while workers() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not workers()
    assert record_of(plan).state == "lost"
    shutil.rmtree(settings().store)
    driver = start(plan, cluster, "--parts", bucket)
    wait_for(lambda: count(store) > 6 and workers(), driver)
    workers()[0].kill()
    wait_for(lambda: count(store) > 12, driver)
    cluster.remove_node(node, allow_graceful=False)
    assert driver.wait() == 0
    assert record_of(plan).state == "done" and sum(one.reused for one in record_of(plan).cells) > 3 * CHUNK
    assert_equal(store, undisturbed(expand(read(plan)), tmp_path / "other"))
    assert_merged_once(store, bucket, tmp_path, capsys)


def test_a_chunk_that_ends_its_worker_fails_and_no_other(cluster, unigram):
    recipe = recipe_of(unigram)
    chunks = [chunk_of(recipe, number) for number in (0, DEADLY, 2, 3)]
    outcomes = {one.chunk_id: one for one in engine.run_on_ray(chunks, str(settings().store), 1, cluster.address)}
    assert [outcomes[one.id].scored for one in chunks] == [1, 0, 1, 1]
    assert "Ray lost the worker twice" in outcomes[chunks[1].id].error


def test_a_cluster_that_is_not_there_has_no_room_or_no_ray_gets_one_sentence(cluster, monkeypatch):
    with pytest.raises(InputError, match="no Ray cluster can be reached there"):
        [*engine.run_on_ray([], "", 1, "127.0.0.1:1")]
    with pytest.raises(InputError, match="no room for a worker now"):
        [*engine.run_on_ray([], "", 0, cluster.address, engine.Resources(gpus=1))]
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match="Ray is not installed"):
        [*engine.run_on_ray([], "", 1)]
