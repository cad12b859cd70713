"""The health check on a real server: whether pages run, not only whether the process lives."""

import os
import socket
import sys
import time
import urllib.request
from contextlib import contextmanager

import pytest
from streamlit import net_util
from streamlit.testing.v1 import AppTest
from streamlit.web.server.server_util import is_url_from_allowed_origins

from pairlens.cli import doctor, main
from pairlens.places import FOLDER as ROOT
from tests import forked

HANGING = "import threading\nthreading.Event().wait(30)"
FAILING = "raise RuntimeError('as a page that cannot read its data')"


@contextmanager
def served(script):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(port)]
    address = f"http://127.0.0.1:{port}"
    server = forked.Popen(command, env=os.environ)
    try:
        while server.poll() is None and not lives(address):
            time.sleep(0.1)
        yield address
        assert lives(address), "what only asks whether the process lives sees nothing"
    finally:
        server.kill()
        server.wait()


def lives(address):
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def test_the_dashboard_runs_its_pages(home, capsys):
    with served(ROOT / "app.py") as address:
        assert main(["doctor", "--address", address]) == 0
    assert capsys.readouterr().out.endswith("Ready: pages run, results can be stored.\n")


@pytest.mark.parametrize(
    ("script", "said"), [(FAILING, "its first page fails"), (HANGING, "does not run a page within")]
)
def test_a_page_that_fails_or_hangs_is_seen(script, said, tmp_path, home, monkeypatch, capsys):
    monkeypatch.setattr(doctor, "_PATIENCE_SECONDS", 2.0)
    (tmp_path / "app.py").write_text(script)
    with served(tmp_path / "app.py") as address:
        assert main(["doctor", "--address", address]) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith(f"dashboard: The dashboard at {address}") and said in last


def test_nobody_answers(home, capsys):
    assert main(["doctor", "--address", "http://127.0.0.1:1"]) == 1
    assert "No dashboard answers at http://127.0.0.1:1" in capsys.readouterr().out


def test_a_full_disk_is_seen(home, monkeypatch, capsys):
    monkeypatch.setattr(doctor, "_dashboard", lambda address: "runs")
    monkeypatch.setattr(doctor, "_ROOM_MB", 10**12)
    assert main(["doctor", "--address", "http://127.0.0.1:1"]) == 1
    assert "is full but for" in capsys.readouterr().out.splitlines()[-1]


def test_a_page_of_another_origin_makes_no_request_to_the_internet(home, monkeypatch):
    """Streamlit would ask there for the address of this machine, before it refuses the page."""

    def refuse(*_, **__):
        raise AssertionError("it asked another host")

    monkeypatch.setattr(net_util, "_make_blocking_http_get", refuse)
    monkeypatch.setattr(net_util, "get_external_ip", net_util.get_external_ip)  # put back afterwards
    assert not AppTest.from_file(str(ROOT / "app.py"), default_timeout=300).run().exception
    assert not is_url_from_allowed_origins("http://elsewhere.example")
