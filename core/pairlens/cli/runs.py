"""`runs`: list stored runs, annotate, delete, restore and export them; `jobs`: what the dashboard runs."""

import json
from pathlib import Path
from typing import Annotated

import typer

from pairlens.cli import console
from pairlens.errors import InputError
from pairlens.messages import counted
from pairlens.places import program
from pairlens.tasks import TASKS

app = typer.Typer(help="List, tag, delete, restore and export what was measured.", no_args_is_help=True)

RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="A run's id, as `runs list` prints it.")]
Texts = list[str] | None
_SHOWN = ("run_id", "task", "model", "headline", "state", "tags", "size", "created")


@app.command("list")
def list_(
    words: Annotated[Texts, typer.Argument(help="Only runs that contain all of these words.")] = None,
    task: Annotated[Texts, typer.Option(help="Only runs of this task.", autocompletion=console.task_names)] = None,
    model: Annotated[Texts, typer.Option(help="Only runs of this model.", autocompletion=console.model_names)] = None,
    state: Annotated[Texts, typer.Option(help="done | running | cancelled | failed")] = None,
    tag: Annotated[Texts, typer.Option(help="Only with this tag; several: with all.")] = None,
    form: Annotated[str, typer.Option("--format", help="text (tab-separated, id first) | json")] = "text",
) -> None:
    """List the runs on this machine, newest first."""
    from pairlens.evaluation.run_list import Wanted, chosen, run_list
    from pairlens.store import Store
    from pairlens.store.maintenance import damage

    console.check_format(form)
    wanted = Wanted(" ".join(words or ()), *(tuple(one or ()) for one in (task, model, state, tag)))
    everything = run_list(Store())
    for sentence in damage(Store()):
        console.say(sentence)
    runs = chosen(everything, wanted)
    if runs.empty and len(everything):
        console.say(f"None of {counted(len(everything), 'run')} matches.")
    if form == "json":
        typer.echo(runs.to_json(orient="records", force_ascii=False, indent=1))
        return
    typer.echo("\t".join(_SHOWN))
    for row in runs.to_dict("records"):
        cells = {**row, "tags": ",".join(row["tags"]), "size": f"{row['size'] / 1e6:.2f} MB"}
        typer.echo("\t".join(" ".join(str(cells[name]).split()) for name in _SHOWN))


@app.command()
def show(
    run_id: RunArgument,
    form: Annotated[str, typer.Option("--format", help="text | json (the whole manifest)")] = "text",
) -> None:
    """Print a run's numbers, tags and note."""
    from pairlens.analysis.summary import headlines, summary_in_words
    from pairlens.evaluation.evaluate import stored_metrics
    from pairlens.store import Store, visitors
    from pairlens.store.run_annotations import LOST, annotations_of

    console.check_format(form)
    store = Store()
    manifest, notes = store.manifest(run_id), annotations_of(store, run_id)
    if form == "json":
        typer.echo(json.dumps({**manifest, "tags": notes.tags, "note": notes.note}, ensure_ascii=False, indent=1))
        return
    typer.echo(f"{manifest['title']}\n{manifest['model']}, {manifest['state']}, {manifest['created']}")
    if manifest["state"] == "done":
        for _, row in headlines(stored_metrics(store, run_id)).iterrows():
            typer.echo(summary_in_words(row, TASKS[manifest["task"]].clusters))
    typer.echo(manifest["signature"])
    if notes.damaged:
        console.say(LOST)
    (whose,) = visitors.told_to_operator("runs", [run_id])
    more = {"tags": ", ".join(notes.tags), "note": notes.note, "visitor": whose, "error": manifest.get("error")}
    for name, text in more.items():
        if text:
            typer.echo(f"{name}: {text}")


@app.command()
def tag(
    run_id: RunArgument,
    tags: Annotated[Texts, typer.Argument(help="Tags to put on the run.")] = None,
    remove: Annotated[Texts, typer.Option("--remove", help="A tag to take off.")] = None,
) -> None:
    """Add tags to a run or remove them, and print its tags."""
    from pairlens.store import Store, run_annotations

    if not tags and not remove:
        raise InputError("name a tag to put on the run, or --remove one.")
    typer.echo(", ".join(run_annotations.tag(Store(), run_id, tags or (), remove or ()).tags))


@app.command()
def note(run_id: RunArgument, text: Annotated[str, typer.Argument(help="The note; '' deletes the old one.")]) -> None:
    """Write a run's note, replacing the previous one."""
    from pairlens.store import Store
    from pairlens.store.run_annotations import write_note

    typer.echo(write_note(Store(), run_id, text).note)


@app.command()
def delete(run_ids: Annotated[list[str], typer.Argument(metavar="RUN...", help="Ids of runs.")]) -> None:
    """Delete runs. Until the end of the day `runs restore` brings them back."""
    from pairlens.store import Store, catalog
    from pairlens.store.removal import delete

    store = Store()
    delete(store, *run_ids)
    for run_id in dict.fromkeys(run_ids):
        typer.echo(f"deleted {run_id}; {program()} runs restore {run_id} brings it back until the end of the day.")
    catalog.publish(store)


@app.command()
def restore(
    run_ids: Annotated[Texts, typer.Argument(metavar="RUN...", help="Ids of deleted runs; none: list them.")] = None,
) -> None:
    """Bring deleted runs back, or list those that can be."""
    from pairlens.store import Store, catalog
    from pairlens.store.removal import deleted, restore

    store = Store()
    for one in deleted(store) if not run_ids else ():
        typer.echo(f"{one.run_id}\t{one.title}\t{one.model}\tdeleted {one.date}")
    try:
        for run_id in dict.fromkeys(run_ids or ()):
            restore(store, run_id)
            typer.echo(f"restored {run_id}")
    finally:  # also for those restored before an error
        if run_ids:
            catalog.publish(store)


@app.command()
def export(
    run_id: RunArgument,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write; by default RUN.pairlens.zip here.")
    ] = None,
) -> None:
    """Write a run as one file: its items, exactly the scores it names, its numbers. `import` reads it."""
    from pairlens.evaluation.archive import SUFFIX, pack
    from pairlens.store import Store

    destination = output or Path(f"{run_id}{SUFFIX}")
    if destination.exists():
        raise InputError("it exists already; name another file or delete it first", str(destination))
    typer.echo(f"wrote {pack(Store(), run_id, destination)}")


def jobs(
    cancel: Annotated[str, typer.Option("--cancel", metavar="JOB", help="End this job; its scores stay.")] = "",
) -> None:
    """List the dashboard's jobs, newest first (tab-separated, id first), or end one."""
    from pairlens.store import jobs
    from pairlens.store.visitors import short

    if cancel:
        typer.echo(f"{cancel}: {jobs.cancel(cancel).state}")
        return
    typer.echo("id\tstate\tplace\tvisitor\ttitle")
    for job in jobs.jobs():
        typer.echo("\t".join((job.id, job.state, str(job.place or ""), short([job.visitor]), job.title)))
