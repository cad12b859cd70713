"""`dashboard`: the pages in a browser, from a clone or an installed package."""

import os
import subprocess
import sys
from typing import Annotated

import typer

from pairlens.places import FOLDER, environment, python


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
    command = python(
        "streamlit", "run", str(FOLDER / "app.py"), *(["--server.port", str(port)] if port else []),
        "--server.headless", str(not browser).lower(), "--server.showEmailPrompt", "false",
    )  # fmt: skip
    if os.name == "nt":  # where a program that becomes another one gives the window back at once
        sys.exit(subprocess.call(command, env=environment()))
    os.execve(command[0], command, environment())
