"""`models`: list the models, fetch one, convert weights."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from pairlens.cli import console
from pairlens.models import catalogue, inventory
from pairlens.models import convert as convert_weights
from pairlens.models.vocabulary import import_vocabulary as make_tokenizer
from pairlens.types import Model

app = typer.Typer(help="List the models on this machine, or import one.")


@app.callback(invoke_without_command=True)
def models(context: typer.Context, form: console.ListOption = "text") -> None:
    """List the bundled models and those trained or converted on this machine."""
    if context.invoked_subcommand:
        return
    for row in console.listed(form, map(_row, catalogue()), "name\tkind\tlanguage\tparameters\tsize_mb\tscores"):
        row["scores"] = ", ".join(f"{name} {value}" for name, value in row["scores"].items())
        typer.echo("\t".join(map(str, row.values())))


@app.command()
def convert(
    source: Annotated[
        str,
        typer.Argument(
            help="A folder (./folder) with pickled weights (pytorch_model.bin), or a checkpoint (./x.pt)."
        ),
    ],
    destination: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write it; by default among this machine's models.")
    ] = None,
    base: Annotated[
        str, typer.Option(help="Of a next-sentence checkpoint (StereoSet): the model that was trained further.")
    ] = "",
) -> None:
    """Write pickled weights as safetensors, once, in a separate process without network."""
    typer.echo(f"wrote {convert_weights(source, destination, base)}")


@app.command()
def fetch(
    source: Annotated[str, typer.Argument(help="A hub id: org/name or org/name@revision.")],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what it is and what would be fetched.")
    ] = False,
    job: console.JobOption = None,
) -> None:
    """Say what a model is, then fetch its safetensors and tokenizer into the hub's cache."""
    from pairlens.store.jobs import reporting

    with reporting(job) as report:
        offer = inventory.offer(source)
        typer.echo(inventory.offer_in_words(offer))
        if dry_run or offer.folder is not None:
            return
        begun = time.monotonic()

        def advance(done: int, total: int) -> None:
            left = (time.monotonic() - begun) * (total - done) / done if done else None
            report.progress(round(done / 1e6), max(1, round(total / 1e6)), left)

        model = inventory.fetch(source, advance)
        report.result(folder=str(model.folder))
    typer.echo(f"fetched {source} to {model.folder}")


@app.command("import-vocabulary")
def import_vocabulary(
    source: Annotated[Path, typer.Argument(help="Line 1: the string for unknown words; then tokens, <pad> first.")],
    destination: Annotated[
        Path, typer.Option("--output", "-o", help="A new folder, or that of a model without tokenizer.")
    ],
) -> None:
    """Make a word-level vocabulary file (`tokcodes`) a tokenizer that transformers can load."""
    size = make_tokenizer(source, destination)
    typer.echo(
        f"wrote a tokenizer of {size:,} words to {destination}: a model needs config.json and weights beside it"
    )


def _row(model: Model) -> dict[str, Any]:
    size = sum(path.stat().st_size for path in model.folder.iterdir() if path.is_file())
    return {
        "name": model.name,
        "kind": model.kind,
        "language": model.card.get("language", ""),
        "parameters": model.card.get("parameters", 0),
        "size_mb": round(size / 1e6, 1),
        "scores": {  # one number per benchmark, of which a card may hold several
            name: value["macro"] if isinstance(value, dict) else value
            for name, value in model.card.get("scores", {}).items()
        },
    }
