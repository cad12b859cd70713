"""The real dashboard, started as a visitor would start it, on a free port and with its state in its own folder."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import forked

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def serve(home: Path, *options: str, program: str = "tests.forked", **variables: str) -> Iterator[str]:
    """Run the dashboard with its state in `home`; gives its address, without a slash at the end, then stops it.

    With these options of Streamlit and environment variables, besides the usual ones. It and its jobs are forked;
    `program="streamlit"`: they are processes of their own, as in daily use.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = [sys.executable, "-m", program, "run", "app.py", "--server.headless", "true", *options]
    command += ["--server.port", port]
    own = {"PAIRLENS_HOME": str(home), "PAIRLENS_OFFLINE": "1", "PAIRLENS_THREADS": "1"}
    environment = {**os.environ, **own, **variables}
    address = "/".join(filter(None, (f"http://127.0.0.1:{port}", variables.get("STREAMLIT_SERVER_BASE_URL_PATH"))))
    log = home / "server.log"
    with log.open("w") as output:
        popen = subprocess.Popen if program == "streamlit" else forked.Popen
        server = popen(command, cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT)
    try:
        _wait(f"{address}/_stcore/health", server, log)
        yield address
    finally:
        server.terminate()
        server.wait(300)


def _wait(health: str, server: subprocess.Popen[bytes] | forked.Popen, log: Path, seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(health, timeout=2) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"The dashboard did not start:\n{log.read_text()[-3000:]}")
