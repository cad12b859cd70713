"""The dashboard within JupyterLab: its tile in the launcher, and behind it pages, files and jobs."""

from __future__ import annotations

import json
import os
import subprocess
import time
import urllib.request

import pytest

from pairlens.places import FOLDER as ROOT
from pairlens.places import environment
from tests.forked import end_with_parent

pytestmark = pytest.mark.soak
JUPYTER = ROOT / ".venv" / "jupyter" / "bin" / "python"
TOKEN = "somebody"
SERVER = (
    "--no-browser", "--allow-root", "--ServerApp.port=0", "--ServerApp.ip=127.0.0.1",
    "--ServerApp.base_url=/user/ana/", f"--IdentityProvider.token={TOKEN}",
)  # fmt: skip


@pytest.fixture(scope="module")
def jupyter(browser_present, tmp_path_factory):
    """The address of a JupyterLab of an installed Pairlens, below a path as on a hub."""
    if not JUPYTER.exists():
        pytest.skip("no JupyterLab is here: `make soak` installs one")
    folder = tmp_path_factory.mktemp("jupyter")
    own = {
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "PAIRLENS_HOME": str(folder / "home"),
        "PAIRLENS_THREADS": "1",
    }
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(
            [str(JUPYTER), "-m", "jupyter", "lab", *SERVER],
            cwd=folder, env=environment({**os.environ, **own}), stdout=log, stderr=log, preexec_fn=end_with_parent,
        )  # fmt: skip
    try:
        yield _address(folder, server)
    finally:
        server.terminate()
        server.wait()


def _address(folder, server):
    """Jupyter writes down where it answers once it does."""
    while not (written := [*folder.glob("runtime/jpserver-*.json")]):
        assert server.poll() is None, (folder / "log").read_text()
        time.sleep(0.1)
    return json.loads(written[0].read_text())["url"].rstrip("/")


def test_the_tile_opens_a_dashboard_that_scores_and_takes_files(jupyter, arrive, tmp_path):
    items = tmp_path / "pairs.csv"
    items.write_text("good,bad\nThe keys are here.,The keys are here.\nIt is.,It is.\n")
    visitor = arrive(f"{jupyter}/pairlens")
    driver = visitor.driver
    driver.get(f"{jupyter}/lab?token={TOKEN}")
    lab = driver.current_window_handle

    tile = visitor.until(lambda: visitor.all('.jp-LauncherCard[title^="Pairlens"]'), reason="no tile")[0]
    tile.click()
    dashboard = visitor.until(lambda: {*driver.window_handles} - {lab}, reason="no dashboard").pop()
    driver.switch_to.window(dashboard)
    visitor.width(1280)
    try:
        visitor.settle()
        assert driver.current_url.startswith(f"{visitor.address}/")
        assert "bits" in visitor.headline()
        visitor.open("/data?shelf=Your+files")
        visitor.give(items)
        visitor.reads("2 of 2 pairs are identical")
        visitor.open("/zero_shot?model_name=unigram-english")
        visitor.press("Run")
        visitor.reads("prefers the right one")
        assert not visitor.errors() and visitor.strangers() == set()
        visitor.go("Models")
        assert "this dashboard is shared" not in visitor.text().lower()
    finally:
        driver.close()
        driver.switch_to.window(lab)


def test_whoever_has_no_token_reaches_no_dashboard(jupyter):
    with urllib.request.urlopen(f"{jupyter}/pairlens/", timeout=60) as answer:
        assert "/login" in answer.url
