"""`open`: files, recognised by their content, on the page that reads them."""

from __future__ import annotations

import subprocess
import time
import webbrowser
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

import typer

from pairlens.cli import console
from pairlens.cli.dashboard import started_by
from pairlens.errors import InputError
from pairlens.places import environment, is_served

_PORT = 8501
_PAUSE = 0.2


def open_(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE ...", help="Files that belong together, a folder, a ZIP archive.")
    ],
    port: Annotated[int, typer.Option("--port", min=1, max=65_535, help="The dashboard's port.")] = _PORT,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page, or print its address only.")
    ] = True,
) -> None:
    """Say what files are, and open the page that reads them, filled in; a dashboard is started if none runs."""
    from pairlens.store import uploads
    from pairlens.studies.gathering import gathered
    from pairlens.studies.opening import opened

    if not (known := opened(gathered(files), files[0].name)):
        problem = "nothing here reads these files: `pairlens data lint` says why a format does not fit."
        raise InputError(problem, str(files[0]))
    first, *others = known
    query = urlencode(first.query(uploads.identified), doseq=True)
    address = f"http://localhost:{port}/{first.page}?{query}"
    console.say(f"{first.about}.")
    for other in others:
        console.say(f"Also: {other.about}.")
    typer.echo(address)
    if not browser:
        return
    server = None if is_served(port) else subprocess.Popen(started_by(port, browser=False), env=environment())
    while server and server.poll() is None and not is_served(port):
        time.sleep(_PAUSE)
    webbrowser.open(address)
    if server:
        server.wait()
