"""`dashboard`: the pages in a browser, from a clone or an installed package."""

import os
import subprocess
import sys
from typing import Annotated

import typer

from pairlens.places import FOLDER, environment, python

_SCRIPT = str(FOLDER / "app.py")


def dashboard(
    port: Annotated[
        int, typer.Option("--port", min=0, max=65_535, help="The port; 0: as Streamlit is set, 8501.")
    ] = 0,
    browser: Annotated[
        bool,
        typer.Option("--browser/--no-browser", help="Open the dashboard in a browser, or print its address only."),
    ] = True,
) -> None:
    """Open the dashboard, for this machine only, until Ctrl-C. What it may do is in docs/settings.md."""
    command = started_by(port, browser=browser)
    if os.name == "nt":  # where a program that becomes another one gives the window back at once
        sys.exit(subprocess.call(command, env=environment()))
    os.execve(command[0], command, environment())


def started_by(port: int, *, browser: bool) -> list[str]:
    """The command line that starts the dashboard."""
    return python(
        "streamlit", "run", _SCRIPT, *(["--server.port", str(port)] if port else []),
        "--server.headless", str(not browser).lower(), "--server.showEmailPrompt", "false",
    )  # fmt: skip


def in_jupyter() -> dict[str, object]:
    """The dashboard as jupyter-server-proxy starts it, with its tile in JupyterLab's launcher.

    Jupyter asks whoever comes for a token, so that it is one person's, whatever lies between. Streamlit answers
    requests from its own origin: Jupyter's becomes that once Jupyter has checked it.
    """
    shared = os.environ.get("PAIRLENS_SHARED", "proxied")
    place = ["--server.port", "{port}", "--server.baseUrlPath", "{base_url}pairlens"]
    return {
        "command": python("streamlit", "run", _SCRIPT, "--server.address", "127.0.0.1", *place),
        "environment": {"PYTHONPATH": environment()["PYTHONPATH"], "PAIRLENS_SHARED": shared},
        "absolute_url": True,
        "request_headers_override": {"Origin": "http://localhost"},
        "timeout": 60,
        "launcher_entry": {"title": "Pairlens", "icon_path": str(FOLDER / "pages/components/shared/mark.svg")},
    }
