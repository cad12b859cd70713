"""`policies`: a finished run's number under every defensible policy, and `match`: which policy gives a number."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import console
from core.errors import PolicyError
from core.files.tables import write_table
from core.metrics import METRICS
from core.results import files, text

if TYPE_CHECKING:
    from core.reports.multiverse import Layout
    from core.store import Store
    from core.store.jobs import JobReport

_Run = Annotated[str, typer.Argument(help="A run's id, as `zero-shot` prints it.")]
_Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", help="Write the table; the ending sets the format (.csv, .tsv, .xlsx, .parquet, ...)."
    ),
]
_SHOWN = 20


def policies(
    run: _Run,
    score_missing: Annotated[
        bool, typer.Option("--score-missing", help="Also the policies that need new scores; they become runs.")
    ] = False,
    metric: Annotated[str, typer.Option("--metric", help="By default the headline's.")] = "",
    data: Annotated[
        Path | None,
        typer.Option("--data", help="The run's data, if they must be read again and are not found by name."),
    ] = None,
    output: _Output = None,
    items: Annotated[
        Path | None, typer.Option("--items", metavar="FILE", help="Also the items on which the policies disagree.")
    ] = None,
    batch_size: console.BatchOption = 0,
    device: console.DeviceOption = "",
    job: console.JobOption = None,
) -> None:
    """A run's number under every defensible policy. Nothing is scored without --score-missing."""
    from core.reports.multiverse import lay_out
    from core.reports.multiverse.result import result
    from core.reports.multiverse.scoring import seconds
    from core.runs.estimate import duration_in_words
    from core.store import Store
    from core.store.jobs import reporting

    with reporting(job) as report:
        console.apply_limits(batch_size=batch_size, device=device)
        console.check_outputs([output], items)
        if output:
            files.check(output)
        store = Store()
        layout = lay_out(store, run, metric)
        if items:
            _check_items(layout)
        if score_missing and layout.missing:
            layout = _score(layout, store, data, report)
        report.result(run_id=run)
        if job and not output and not items:  # the page that watches a job computes the numbers itself
            return
        found = result(layout, store)
        if output:
            files.write(found, output)
        if items:
            write_table(found.fragile, items)
        typer.echo(files.printed(found, "text"))
        if layout.missing and layout.model:
            typer.echo("\n".join(["", *text.rows(found.table("missing"))]))
            typer.echo(f"--score-missing scores them: about {duration_in_words(seconds(layout, store))}.")


def _check_items(layout: Layout) -> None:
    if layout.task.confidential:
        raise PolicyError(f"--items: the items of {layout.task.title} are confidential and not written.")
    if not METRICS[layout.metric].averages:
        raise PolicyError(f"--items: {METRICS[layout.metric].title} decides no single item, so that none is fragile.")


def _score(layout: Layout, store: Store, data: Path | None, report: JobReport) -> Layout:
    """Score the missing policies; returns the layout with them."""
    from core.reports.multiverse import lay_out
    from core.reports.multiverse.scoring import score_missing

    last = console.watch(score_missing(layout, store, data=data), report)
    typer.echo(f"scored {last.scored}, reused {last.reused}")
    return lay_out(store, layout.run_id, layout.metric)


def match(
    run: _Run,
    number: Annotated[str, typer.Argument(help="As it is printed: 74.3, 0.743, 74,3%.")],
    output: _Output = None,
) -> None:
    """Which policies, units and aggregations give a published number, nearest first; stored scores only.

    `=` marks those that give it, `~` those near it, with which chance would.
    """
    from core.reports.multiverse import lay_out, matching, wording
    from core.reports.multiverse.adding_up import Scores
    from core.store import Store

    console.check_outputs([], output)
    store = Store()
    layout = lay_out(store, run)
    found = matching.match(matching.printable(layout, Scores(layout, store)), number)
    if output:
        write_table(found.table, output)
    for _, row in found.table.head(_SHOWN).iterrows():
        mark = "=" if row["matches"] else "~" if row["near"] else " "
        ties = f"ties count {row['ties_count']}" if row["ties_count"] else ""
        columns = (row["of"], row["label"], row["presets"], ties)
        typer.echo(f"{mark}\t{row['value']:.6g} {row['unit']}\t" + "\t".join(filter(None, columns)))
    typer.echo(wording.matched(found))
    if layout.missing:
        typer.echo(f"{len(layout.missing)} policies are not scored yet and were not tried: policies --score-missing.")
