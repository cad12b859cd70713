"""`import`: a run from another machine, or the scores of another program."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pairlens.cli import console
from pairlens.errors import PolicyError, unknown
from pairlens.files.tables import existing

if TYPE_CHECKING:
    from pairlens.store import Store

_COLUMNS = "sentid, sentence, token, logprob, surprisal, prob, model"
_OTHERS = {"unit", "paradigm"}
_ROLES = "good, bad, label, item, group"


def import_(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A run that `runs export` wrote, what score_anywhere.py wrote, or a table with a row per token.",
        ),
    ],
    name: Annotated[str, typer.Option(help="What to call the run.")] = "",
    model: Annotated[
        str, typer.Option("--model", "-m", help="Tables: the model, or which of several the scores are of.")
    ] = "",
    kind: Annotated[str, typer.Option(help="Tables: causal | masked, as the model is.")] = "",
    unit: Annotated[str, typer.Option(help="Tables: nats | bits, where it cannot be recognised.")] = "",
    columns: Annotated[
        list[str] | None,
        typer.Option("--column", metavar="ROLE=NAME", help=f"Tables: what a column holds: {_COLUMNS}; {_ROLES}."),
    ] = None,
    choices: console.SetOption = None,
    job: console.JobOption = None,
) -> None:
    """Import a run, or make one from another program's scores (with the model and policy that the file states)."""
    from pairlens.evaluation.imported_scores import Columns, Roles, import_scores
    from pairlens.store import Store
    from pairlens.store.jobs import reporting

    with reporting(job) as report:
        store = Store()
        if source.suffix.lower() == ".zip":
            run_id = _import_run(store, source)
        else:
            named = console.named("--column", columns)
            of_tokens, of_pairs = ({field.name for field in fields(of)} - _OTHERS for of in (Columns, Roles))
            if wrong := [role for role in named if role not in of_tokens | of_pairs]:
                raise PolicyError(unknown("role of a column", wrong[0], of_tokens | of_pairs))
            group = (named.pop("group"),) if "group" in named else ()
            roles = {role: column for role, column in named.items() if role in of_pairs - {"sentence"}}
            run_id = import_scores(
                source, store, title=name, model=model, kind=kind, policy=console.named("--set", choices),
                columns=Columns(**{role: named[role] for role in named.keys() & of_tokens}, unit=unit),
                roles=Roles(**roles, group=group),
            )  # fmt: skip
        report.result(run_id=run_id)
        typer.echo(f"run: {run_id}")


def _import_run(store: Store, source: Path) -> str:
    from pairlens.evaluation.archive import unpack
    from pairlens.store import catalog, visitors

    unpacked = unpack(store, existing(source))
    if not unpacked.new:
        visitors.claim("runs", unpacked.run_id, new=False)
        console.say(f"This run is here already: nothing was changed ({unpacked.title}).")
        return unpacked.run_id
    console.say(f"{unpacked.title}: {unpacked.scores:,} scores.")
    if unpacked.here:
        console.say(f"{unpacked.here:,} of them were here already and count; the numbers were computed from these.")
    catalog.publish(store)
    return unpacked.run_id
