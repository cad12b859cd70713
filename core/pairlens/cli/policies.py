"""`compare-runs`; `policies`: a run's number under every defensible policy; `match`: which of them gives a number."""

from pathlib import Path
from typing import Annotated

import typer

from pairlens.cli import console
from pairlens.errors import PolicyError
from pairlens.files.tables import write_table
from pairlens.metrics import METRICS
from pairlens.results import files, text

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
    metric: Annotated[str, typer.Option(help="By default the headline's.")] = "",
    data: Annotated[
        Path | None, typer.Option(help="The run's data, if they must be read again and are not found by name.")
    ] = None,
    output: _Output = None,
    items: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also the items on which the policies disagree.")
    ] = None,
    batch_size: console.BatchOption = 0,
    device: console.DeviceOption = "",
    job: console.JobOption = None,
) -> None:
    """A run's number under every defensible policy. Nothing is scored without --score-missing."""
    from pairlens.evaluation.estimate import duration_in_words
    from pairlens.reports.multiverse import lay_out, scoring, wording
    from pairlens.reports.multiverse.result import result
    from pairlens.store import Store
    from pairlens.store.jobs import reporting

    with reporting(job) as report:
        console.apply_limits(batch_size=batch_size, device=device)
        console.check_outputs([output], items)
        if output:
            files.check(output)
        store = Store()
        layout = lay_out(store, run, metric)
        if items:
            chosen = METRICS[layout.metric]
            if layout.task.confidential:
                raise PolicyError(f"--items: the items of {layout.task.title} are confidential and not written.")
            if not chosen.averages:
                raise PolicyError(f"--items: {chosen.title} decides no single item, so that none is fragile.")
        if score_missing and layout.missing:
            last = console.watch(scoring.score_missing(layout, store, data=data), report)
            typer.echo(f"scored {last.scored}, reused {last.reused}")
            layout = lay_out(store, layout.run_id, layout.metric)
        report.result(run_id=run)
        if job and not output and not items:  # the page that watches a job computes the numbers itself
            return
        multiverse = result(layout, store)
        if output:
            files.write(multiverse, output)
        if items:
            write_table(multiverse.fragile, items)
        typer.echo(files.printed(multiverse, "text"))
        if layout.missing and layout.model:
            typer.echo("\n".join(["", *text.rows(multiverse.table("missing"))]))
            duration = duration_in_words(scoring.seconds(layout, store))
            typer.echo(f"{wording.missing(layout, duration)} --score-missing scores them.")


def match(
    run: _Run,
    number: Annotated[str, typer.Argument(help="As it is printed: 74.3, 0.743, 74,3%.")],
    output: _Output = None,
) -> None:
    """Which policies, units and aggregations give a published number, nearest first; stored scores only.

    `=` marks those that give it, `~` those near it, with which chance would.
    """
    from pairlens.reports.multiverse import lay_out, matching, wording
    from pairlens.reports.multiverse.adding_up import Scores
    from pairlens.store import Store

    console.check_outputs([], output)
    store = Store()
    layout = lay_out(store, run)
    matches = matching.match(matching.printable(layout, Scores(layout, store)), number)
    if output:
        write_table(matches.table, output)
    for _, row in matches.table.head(_SHOWN).iterrows():
        mark = "=" if row["matches"] else "~" if row["near"] else " "
        ties = f"ties count {row['ties_count']}" if row["ties_count"] else ""
        columns = (row["of"], row["label"], row["presets"], ties)
        typer.echo(f"{mark}\t{row['value']:.6g} {row['unit']}\t" + "\t".join(filter(None, columns)))
    typer.echo(wording.matched(matches))
    if layout.missing:
        typer.echo(f"{len(layout.missing)} policies are not scored yet and were not tried: policies --score-missing.")


_Runs = Annotated[list[str], typer.Argument(metavar="RUN RUN ...", help="Ids of runs, as `zero-shot` prints them.")]


def compare_runs(
    runs: _Runs,
    reference: Annotated[
        str, typer.Option(metavar="RUN", help="Reference run that is subtracted (default: the first).")
    ] = "",
    metric: Annotated[str, typer.Option(help="By default the first run's headline.")] = "",
    group_by: Annotated[str, typer.Option("--by", metavar="GROUP", help="By default the paradigms.")] = "",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the differences; the ending sets the format. .xlsx holds all tables, .html a report.",
        ),
    ] = None,
    flipped: Annotated[Path | None, typer.Option(metavar="FILE", help="Also the items that changed sides.")] = None,
) -> None:
    """What differs between stored runs: how they were made, their numbers, the items that changed sides.

    Differences come with intervals, exact tests and Holm's correction; where runs share only some items, these are
    compared, and a notice is printed where they share none.
    """
    from pairlens.reports.run_comparison.comparison import compare_runs as compare
    from pairlens.reports.run_comparison.result import result
    from pairlens.store import Store

    console.check_outputs([output], flipped)
    if output:
        files.check(output)
    comparison = compare(Store(), runs, reference, metric, group_by)
    if flipped and not METRICS[comparison.metric].averages:
        raise PolicyError(f"{METRICS[comparison.metric].title} decides nothing item by item: leave --flipped out.")
    outcome = result(comparison)
    if output:
        files.write(outcome, output)
    if flipped:
        write_table(comparison.flipped(), flipped)
    recipe = outcome.table("recipe")
    typer.echo(files.printed(outcome, "text"))
    typer.echo("\n".join(["", f"{recipe.title}:", *text.rows(recipe)]))
