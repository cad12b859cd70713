"""`data`: list the public data sets and fetch one; `data lint` is `pairlens.cli.lint`."""

from typing import Annotated, Any

import typer
from rich.progress import DownloadColumn, TransferSpeedColumn

from pairlens.cli import console, lint
from pairlens.files.datasets import Dataset, catalogue, named, path_of, state
from pairlens.files.datasets import get as get_dataset

app = typer.Typer(help="List and fetch public data sets, and lint data.", no_args_is_help=True)
app.command("lint")(lint.lint)

_STATES = {"here": "yes", "mirror": "in the mirror folder", "absent": "no", "bring": "bring your own copy"}


@app.command("list")
def list_(form: console.ListOption = "text") -> None:
    """List the data sets: how many items, how large, under which licence, and whether they are here."""
    for row in console.listed(form, map(_row, catalogue().values()), "name\titems\tsize_mb\tlicence\there\ttask"):
        size = f"{row['size_bytes'] / 1e6:.2f}" if row["size_bytes"] else ""
        typer.echo("\t".join((row["name"], row["items"], size, row["licence"], _STATES[row["state"]], row["task"])))


@app.command()
def get(
    name: Annotated[str, typer.Argument(help="A name from `data list`.")],
    accept: Annotated[
        bool, typer.Option("--accept", help="I have the right to use it, although no licence is stated.")
    ] = False,
) -> None:
    """Fetch a data set, check it, and print its path. `zero-shot --data_path` takes the path or the name."""
    dataset = named(name)
    if dataset.fetchable and not path_of(dataset):
        console.say(f"{dataset.title}: {dataset.items}, {dataset.size_bytes / 1e6:.2f} MB from {dataset.address}")
    console.say(f"Licence: {dataset.licence}. {dataset.terms}")
    console.say(f"Please cite: {dataset.citation}")
    with console.progress_bar(DownloadColumn(), TransferSpeedColumn()) as bar:
        line = bar.add_task(dataset.name, total=dataset.size_bytes)
        path = get_dataset(dataset, lambda done, _total: bar.update(line, completed=done), accepted=accept)
    typer.echo(str(path))


def _row(dataset: Dataset) -> dict[str, Any]:
    shown = ("name", "title", "about", "task", "items", "licence", "terms", "citation", "address", "bring")
    path = path_of(dataset)
    return {
        **{field: getattr(dataset, field) for field in shown},
        "languages": list(dataset.languages),
        "size_bytes": dataset.size_bytes,
        "state": state(dataset),
        "path": str(path) if path else None,
    }
