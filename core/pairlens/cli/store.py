"""`store`: verify, compact, clean, measure, merge and export stored scores."""

from pathlib import Path
from typing import Annotated

import typer

from pairlens.cli import console
from pairlens.errors import InputError
from pairlens.messages import counted

_NOTHING = "Nothing is stored here yet."
_ADDRESS = "A folder, or s3://bucket/folder, where `plan run --parts` left them."
app = typer.Typer(help="Check, tidy, measure and export what has been scored.", no_args_is_help=True)


@app.command()
def verify(job: console.JobOption = None) -> None:
    """Check every stored file against its sha256 and restore what can be; exit status 1 if any was damaged."""
    from pairlens.evaluation.evaluate import recompute
    from pairlens.store import Store
    from pairlens.store.jobs import reporting
    from pairlens.store.maintenance import verify
    from pairlens.store.runs import damaged as damaged_run

    with reporting(job) as report:
        finding = verify(Store(), recompute)
        damaged = len(finding.damaged) + len(finding.runs) + len(finding.mended)
        summary = _NOTHING
        if finding.parts or damaged:
            whole = f"{counted(finding.parts, 'part')} with {counted(finding.requests, 'text')}"
            summary = f"Whole: {whole}. Damaged: {counted(damaged, 'file') if damaged else 'nothing'}."
        report.result(said=summary)
    lines = [f"damaged, set aside: {path}" for path in finding.damaged]
    lines += [f"was damaged, made again: {path}" for path in finding.mended]
    for line in (*lines, *map(damaged_run, finding.runs), summary):
        typer.echo(line)
    if damaged:
        raise typer.Exit(1)


@app.command()
def compact(job: console.JobOption = None) -> None:
    """Join the many small files that scoring leaves into few large ones. No number changes.

    The old files are deleted by the next `compact` or `gc`, ten minutes later at the earliest
    (PAIRLENS_REPLACED_MINUTES).
    """
    from pairlens.store import Store
    from pairlens.store.catalog import publish
    from pairlens.store.compaction import compact
    from pairlens.store.jobs import reporting

    store = Store()
    with reporting(job) as report:
        before = after = twice = 0
        for number, one in enumerate(compact(store), start=1):
            before, after, twice = before + one.before, after + one.after, twice + one.duplicates
            report.progress(number, len(store.fingerprints()))
        summary = "There was nothing to merge."
        if before != after:
            publish(store)
            summary = f"{counted(before, 'part')} became {after:,}; texts that were there twice: {twice:,}."
        report.result(said=summary)
    typer.echo(summary)


@app.command()
def gc(job: console.JobOption = None) -> None:
    """Delete scores older than a day (PAIRLENS_GC_DAYS) that no run names, and runs deleted before today."""
    from pairlens.store import Store
    from pairlens.store.catalog import publish
    from pairlens.store.jobs import reporting
    from pairlens.store.removal import Removed, collect_garbage

    store = Store()
    with reporting(job) as report:
        removed = collect_garbage(store)
        summary = "There was nothing to delete."
        if removed != Removed():
            publish(store)
            what = ((removed.parts, "part"), (removed.runs, "deleted run"), (removed.leftovers, "leftover file"))
            counts = ", ".join(counted(number, noun) for number, noun in what if number)
            summary = f"Deleted: {counts}; {removed.freed / 1e6:.1f} MB."
        report.result(said=summary)
    typer.echo(summary)


@app.command()
def space() -> None:
    """Print the disk space taken by scores (by model and task) and runs, and how much can be freed."""
    from pairlens.store import Store
    from pairlens.store.maintenance import space

    used = space(Store())
    if not used.total:
        typer.echo(_NOTHING)
        return
    for row in used.scores.to_dict("records"):
        label = f"{row['model']}, {row['task']}: {counted(row['requests'], 'text')}"
        typer.echo(f"{row['bytes'] / 1e6:10,.1f} MB  {label}")
    for name, size in {**used.others, "in all": used.total}.items():
        if size:
            typer.echo(f"{size / 1e6:10,.1f} MB  {name}")
    small = counted(used.small, "small part")
    typer.echo(f"`store gc` would free {used.unused / 1e6:.1f} MB, `store compact` join {small}.")


@app.command()
def backup(file: Annotated[Path, typer.Argument(help="The file to write; best on another disk.")]) -> None:
    """Write results, uploads and trained models to one file, while the dashboard goes on.

    Left out is what can be made or fetched again: caches, data sets, jobs. Exit status 1 if a stored file is damaged.
    """
    from pairlens.store import Store
    from pairlens.store.backup import backup

    saved = backup(Store(), file)
    for path in saved.left_out:
        typer.echo(f"left out, a link or no file of Pairlens: {path}")
    typer.echo(f"wrote {file}: {counted(saved.files, 'file')}, {saved.size / 1e6:,.1f} MB, read again and whole.")
    verify()


@app.command()
def restore(file: Annotated[Path, typer.Argument(help="The file that `store backup` wrote.")]) -> None:
    """Write a backup to PAIRLENS_HOME: an empty folder, or where it was interrupted. Nothing is overwritten."""
    from pairlens.store import Store
    from pairlens.store.backup import restore
    from pairlens.store.catalog import publish

    store = Store()
    files, there = restore(store, file)
    publish(store)
    typer.echo(f"Restored: {counted(files, 'file')}. There already: {there:,}.")
    verify()


@app.command()
def merge(address: Annotated[str, typer.Argument(help=_ADDRESS)]) -> None:
    """Copy scores from a shared folder or object storage into the store; what is there already is left.

    Exit status 1 if some are damaged: they are not copied, and their texts are scored again.
    """
    from pairlens.store import Store
    from pairlens.store.catalog import publish
    from pairlens.store.elsewhere import merge

    store = Store()
    done = merge(store, address)
    if not (done.parts or done.there or done.damaged):
        raise InputError("there are no scores (scores/MODEL/PART.json)", address)
    for path in done.damaged:
        typer.echo(f"damaged, left out: {path}")
    if done.parts:
        publish(store)
    typer.echo(f"Copied: {counted(done.parts, 'part')}. There already: {done.there:,}.")
    if done.damaged:
        raise typer.Exit(1)


@app.command()
def export(
    duckdb: Annotated[Path, typer.Option("--duckdb", help="The file to write; it holds everything, tokens too.")],
) -> None:
    """Write the whole store as one DuckDB file."""
    from pairlens.store import Store
    from pairlens.store.catalog import build

    if duckdb.exists():
        raise InputError("it exists already; name another file or delete it first", str(duckdb))
    typer.echo(f"wrote {build(Store(), duckdb, token_rows=True)}")
