"""`models`: what can be scored with, and how to bring a model in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from core.errors import InputError, unknown

app = typer.Typer(help="List the models that are here, or convert one to safetensors.")

_COLUMNS = ("name", "kind", "language", "parameters", "size_mb", "scores")
_FORMATS = ("text", "json")


@app.callback(invoke_without_command=True)
def models(
    context: typer.Context,
    form: Annotated[str, typer.Option("--format", help="text (tab-separated, name first) | json")] = "text",
) -> None:
    """List the bundled models and those trained or converted on this machine."""
    if context.invoked_subcommand:
        return
    from core.models import catalogue

    if form not in _FORMATS:
        raise InputError(unknown("format", form, _FORMATS))
    rows = [
        dict(zip(_COLUMNS, _row(model.card, model.name, model.kind, model.folder), strict=True))
        for model in catalogue()
    ]
    if form == "json":
        typer.echo(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    typer.echo("\t".join(_COLUMNS))
    for row in rows:
        scores = ", ".join(f"{name} {value}" for name, value in row["scores"].items())
        typer.echo("\t".join(map(str, [*(row[name] for name in _COLUMNS[:-1]), scores])))


@app.command()
def convert(
    source: Annotated[str, typer.Argument(help="A folder (./folder) with pickled weights (pytorch_model.bin).")],
    destination: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write it; by default among this machine's models.")
    ] = None,
) -> None:
    """Write pickled weights as safetensors, once, in a separate process without network."""
    from core.models import convert

    typer.echo(f"wrote {convert(source, destination)}")


def _row(card: dict[str, object], name: str, kind: str, folder: Path) -> tuple[object, ...]:
    size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    scores = card.get("scores") or {}
    assert isinstance(scores, dict)
    return name, kind, card.get("language", ""), card.get("parameters", 0), round(size / 1e6, 1), _headlines(scores)


def _headlines(scores: dict[str, object]) -> dict[str, object]:
    """One number per benchmark: a card may say more about each."""
    return {name: value["macro"] if isinstance(value, dict) else value for name, value in scores.items()}
