"""A maintainer's program: options by typer, errors as one sentence."""

from __future__ import annotations

import sys
from collections.abc import Callable

import typer

from pairlens.errors import PairlensError


def run(main: Callable[..., None]) -> None:
    """Run `main` with the arguments of the command line; exit with 2 and the message on a PairlensError."""
    try:
        typer.run(main)
    except PairlensError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
