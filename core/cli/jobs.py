"""`jobs`: what runs and waits for the dashboard, and ending it."""

from __future__ import annotations

from typing import Annotated

import typer


def jobs(
    cancel: Annotated[str, typer.Option("--cancel", metavar="JOB", help="End this job; its scores stay.")] = "",
) -> None:
    """List the dashboard's jobs, newest first (tab-separated, id first), or end one."""
    from core.store import jobs as kept
    from core.store.visitors import short

    if cancel:
        typer.echo(f"{cancel}: {kept.cancel(cancel).state}")
        return
    typer.echo("id\tstate\tplace\tvisitor\ttitle")
    for one in kept.jobs():
        typer.echo("\t".join((one.id, one.state, str(one.place or ""), short([one.visitor]), one.title)))
