"""`open`: files, recognised by their content, on the page that reads them."""

from __future__ import annotations

import subprocess
import time
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlencode

import typer

from pairlens.cli import console
from pairlens.cli.dashboard import started_by
from pairlens.errors import InputError
from pairlens.files.tables import existing
from pairlens.places import environment, is_served

if TYPE_CHECKING:
    from pairlens.studies.opening import Opening

_PORT = 8501
_PAUSE = 0.2


def open_(
    files: Annotated[list[Path], typer.Argument(metavar="FILE ...", help="Files that belong together, or a folder.")],
    port: Annotated[int, typer.Option("--port", min=1, max=65_535, help="The dashboard's port.")] = _PORT,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page, or print its address only.")
    ] = True,
) -> None:
    """Say what files are, and open the page that reads them, filled in; a dashboard is started if none runs."""
    from pairlens.store import uploads

    first, *others = _openings(files)
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


def _openings(files: list[Path]) -> list[Opening]:
    from pairlens.store import uploads
    from pairlens.studies.opening import openings

    folders = {path for path in files if path.is_dir()}
    if len(files) == 1 and folders and (known := openings(files)) and "checkpoints" in known[0].link:
        return known  # which stay where they are
    every = [file for path in files for file in (sorted(path.iterdir()) if path in folders else [existing(path)])]
    upload = uploads.keep([(file.name, file.read_bytes()) for file in every if file.is_file()])
    known = openings(sorted(upload.iterdir()) if upload.is_dir() else [upload])
    if not known:
        problem = "nothing here reads these files: `pairlens data lint` says why a format does not fit."
        raise InputError(problem, str(files[0]))
    return known
