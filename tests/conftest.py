"""What all tests share: a home of their own, the real data sets where they are present."""

from __future__ import annotations

import atexit
import gc
import gzip
import json
import os
import signal
import subprocess
import sys
from functools import cache
from itertools import compress
from pathlib import Path
from types import SimpleNamespace

import hypothesis
import pytest
import typer

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("PAIRLENS_PUBLIC_DATA", ROOT.parent / "shared"))
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # of a script in the background, and then of all its children
    signal.signal(signal.SIGINT, signal.default_int_handler)
gc.set_threshold(100_000, 20, 100)  # the usual ones look through all of torch and pandas every second

MAIN = sys.modules["__main__"]
"""AppTest leaves the page in its place, which processes that are spawned later would run."""
CHECKS = hypothesis.HealthCheck
PROPERTIES = {"deadline": None, "suppress_health_check": [CHECKS.function_scoped_fixture, CHECKS.too_slow]}
"""How long a property takes is not what is tested, and a fixture of pytest is as good for all examples."""
hypothesis.settings.register_profile("change", max_examples=20, derandomize="CI" in os.environ, **PROPERTIES)
hypothesis.settings.register_profile("soak", max_examples=1_000, **PROPERTIES)
hypothesis.settings.load_profile(os.environ.get("PAIRLENS_EXAMPLES", "change"))

LEFT_OUT = ("model", "browser", "data", "slow")
"""The marks of tests that `--quick` leaves out; a fixture that brings a model or public data brings the mark."""
BRINGS = {"tiny": "model", "shared_data": "data", "shared_corpora": "data"}
FOLDERS = ("benchmarks", "browser", "pages", "parity", "reliability", "statistics", "workshop")
"""Folders of tests that it leaves out as a whole."""


def pytest_addoption(parser):
    left_out = ", ".join([*LEFT_OUT, *FOLDERS])
    parser.addoption("--quick", action="store_true", help=f"leave out marks and folders: {left_out}")


def pytest_ignore_collect(collection_path, config):
    """A file that is marked as a whole is not even imported: most of those import torch."""
    if not config.getoption("--quick"):
        return None
    if collection_path.is_dir():
        return (collection_path.parent == ROOT / "tests" and collection_path.name in FOLDERS) or None
    text = collection_path.read_text("utf-8") if collection_path.suffix == ".py" else ""
    return "\npytestmark = pytest.mark.model\n" in text or None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """File by file, but the browser's as one, first: they share a dashboard and a Chromium, and take longest."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid):
            scope = super()._split_scope(nodeid)
            return "tests/browser" if scope.startswith("tests/browser/") else scope

    if config.getoption("dist") == "loadfile":
        config.option.loadscopereorder = False
        return Scheduling(config, log)
    return None


def pytest_collection_modifyitems(config, items):
    items.sort(key=lambda item: not item.nodeid.startswith("tests/browser/"))
    for item in items:
        for fixture in BRINGS.keys() & set(getattr(item, "fixturenames", ())):
            item.add_marker(BRINGS[fixture])
    if config.getoption("--quick"):
        left_out = [any(item.get_closest_marker(name) for name in LEFT_OUT) for item in items]
        config.hook.pytest_deselected(items=list(compress(items, left_out)))
        items[:] = [item for item, out in zip(items, left_out, strict=True) if not out]


def pytest_collection_finish():
    """What has been imported by now stays: no collection of garbage needs to look through it again."""
    gc.freeze()
    atexit.register(gc.unfreeze)  # or libraries would report at the end what nobody has freed


@pytest.fixture(scope="session", autouse=True)
def _one_command_line():
    """A program makes its tree of verbs once; the tests call the command line hundreds of times."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        yield


@pytest.fixture(scope="session", autouse=True)
def _shipped_models_hashed_once():
    """A home remembers the digests of the weights that ship; every test has a home of its own."""
    from pairlens.models import digests
    from pairlens.places import FOLDER

    of_file, shipped = digests.of_file, FOLDER / "data"
    of_shipped = cache(of_file)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digests, "of_file", lambda path: (of_shipped if shipped in path.parents else of_file)(path))
        yield


@pytest.fixture
def home_folder(tmp_path):
    """A fresh one; the pages have a `lasting_home` for modules whose tests only read."""
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def home(home_folder, tmp_path, monkeypatch):
    """PAIRLENS_HOME in a temporary folder, never the user's own; no model hub; a budget that needs no measuring.

    An unexpected error on a page fails the test, which else would only see one sentence more. What one test's
    dashboard was shared by does not bind the next one, and what its pages kept (their store, above all) is not the
    next one's.
    """
    from pairlens import sharing
    from pairlens.settings import settings

    monkeypatch.setenv("PAIRLENS_HOME", str(home_folder))
    monkeypatch.setenv("PAIRLENS_OFFLINE", "1")
    monkeypatch.setenv("PAIRLENS_TOKEN_BUDGET", "1024")
    for option, usual in (("ENCODING", "auto"), ("BATCH_TEXTS", "0"), ("DEVICE", "auto")):
        monkeypatch.setenv(f"PAIRLENS_{option}", usual)  # an option of the command line sets it for the process
    settings.cache_clear()
    yield home_folder
    log = settings().errors
    unexpected = log.read_text("utf-8") if log.is_file() else ""
    sharing._SHARED.clear()
    settings.cache_clear()
    sys.modules["__main__"] = MAIN
    if "streamlit" in sys.modules and tmp_path in home_folder.parents:
        sys.modules["streamlit"].cache_resource.clear()
    assert not unexpected, f"a page met what it did not expect:\n{unexpected}"


@pytest.fixture(autouse=True)
def _without_torch(request):
    """What `--quick` runs needs no network: a test that loads one has to say so."""
    there = "torch" in sys.modules
    yield
    if request.config.getoption("--quick"):
        assert there or "torch" not in sys.modules, "this test loads torch: mark it `model`"


@pytest.fixture
def shared_data():
    """`shared_data("blimp/data")`: a folder or file of public data beside the project, or a skip that says so."""

    def find(name: str) -> Path:
        path = SHARED / "data" / name
        if not path.exists():
            pytest.skip(f"the public data set '{name}' is not here ({path.name} under PAIRLENS_PUBLIC_DATA)")
        return path

    return find


@pytest.fixture
def shared_corpora():
    """The same for `corpora`."""

    def find(name: str) -> Path:
        path = SHARED / "corpora" / name
        if not path.exists():
            pytest.skip(f"the corpus '{name}' is not here (under PAIRLENS_PUBLIC_DATA)")
        return path

    return find


@pytest.fixture
def store(home):
    """The empty store of this test's home, without the scores that ship."""
    from pairlens.store import Store

    return Store(shipped=None)


@pytest.fixture
def unigram(home):
    """The name of a small unigram model in the catalogue of this test: a real scorer that needs no torch."""
    folder = home / "models" / "tiny-unigram"
    folder.mkdir(parents=True, exist_ok=True)
    counts = {"the": 50, ".": 40, "horses": 9, "are": 30, "is": 35, "tired": 4, "cat": 10}
    rows = "".join(f"{word}\t{count}\n" for word, count in counts.items())
    (folder / "counts.tsv.gz").write_bytes(gzip.compress(rows.encode(), mtime=0))  # the same weights in every test
    card = {
        "name": folder.name,
        "kind": "unigram",
        "language": "en",
        "tokens": sum(counts.values()),
        "types": len(counts),
    }
    (folder / "card.json").write_text(json.dumps(card))
    return folder.name


@pytest.fixture
def own_pickles(monkeypatch):
    """`convert` reads pickles in this process: it starts one of its own for that, which takes more than a second."""
    from pairlens.models import conversion, unpickle

    def run(command, **_):
        try:
            unpickle.main(Path(command[5]), [*map(Path, command[6:])])
        except SystemExit as ended:
            return subprocess.CompletedProcess(command, 1, stderr=str(ended))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(conversion, "subprocess", SimpleNamespace(run=run, TimeoutExpired=subprocess.TimeoutExpired))
    monkeypatch.setattr(unpickle, "_close_the_network", lambda: None)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """`tiny("llama", ...)`: the folder of a tiny model (`tests.tiny.tiny_model`), built once per session."""
    import torch

    from tests.tiny import tiny_model

    torch.set_num_threads(1)  # more would spend their time waiting for each other on networks this small
    built: dict[str, Path] = {}

    def build(architecture: str, **options: object) -> Path:
        key = repr((architecture, sorted(options.items())))
        if key not in built:
            built[key] = tiny_model(tmp_path_factory.mktemp(architecture), architecture, **options)
        return built[key]

    return build
