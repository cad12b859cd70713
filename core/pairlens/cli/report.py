"""`report`: runs as one file; `reproduce`: as programs for other tools; `receipt`: how a number was made."""

from __future__ import annotations

from collections.abc import Sequence
from math import isclose, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairlens.errors import InputError, PolicyError, unknown
from pairlens.evaluation.receipts.bibtex import bibtex, keys_of, model_of
from pairlens.files.exports import archive
from pairlens.files.tables import write_files, write_texts
from pairlens.messages import counted

if TYPE_CHECKING:
    from pairlens.evaluation.result import Run


_ENDINGS = (".html", ".htm", ".tex")
_TABLES = (".tex", ".csv")
"""Of `--by-language`."""


def report(
    runs: Annotated[list[str], typer.Argument(metavar="RUN [RUN ...]", help="Ids of runs.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="FILE.html, or FILE.tex for a table.")],
    metric: Annotated[str, typer.Option("--metric", help="Metric of the LaTeX table (default: the headline).")] = "",
    decimal_comma: Annotated[bool, typer.Option("--decimal-comma", help="Numbers as 63,4.")] = False,
    by_language: Annotated[
        bool, typer.Option("--by-language", help="A table by language, with tokens per word: FILE.csv or FILE.tex.")
    ] = False,
) -> None:
    """Write a report of runs: charts, tables, ties, exclusions, methods; or their numbers for a paper."""
    from pairlens.evaluation.result import read
    from pairlens.reports.run_report import html_report, latex_table
    from pairlens.store import Store

    ending, known = output.suffix.lower(), _TABLES if by_language else _ENDINGS
    if ending not in known:
        raise InputError(f"a report is a file with one of these endings: {', '.join(known)}", str(output))
    if metric and by_language:
        raise PolicyError("a table by language has the headline metric: leave out --metric.")
    if metric and ending != ".tex":
        raise PolicyError("--metric is for the LaTeX table; the HTML report holds all numbers.")
    if len(set(runs)) < len(runs):
        raise InputError("the same run is named twice: name each once.")
    store = Store()
    results = [read(store, run_id) for run_id in runs]
    if by_language:
        text = _by_language(results, ending, "," if decimal_comma else ".")
    elif ending == ".tex":
        text = latex_table(results, metric, decimal="," if decimal_comma else ".")
    else:
        text = html_report(results, store, decimal_comma=decimal_comma)
    write_files({output: text})
    typer.echo(f"written: {output} ({len(text.encode()) / 1e3:,.0f} kB)")


def _by_language(results: Sequence[Run], ending: str, decimal: str) -> str:
    from pairlens.reports.languages import by_language, latex_table

    rows = by_language(results)
    if ending == ".tex":
        return latex_table(rows, decimal)
    return rows.to_csv(index=False, decimal=decimal, sep=";" if decimal == "," else ",")


_ALL = "all"


def reproduce(
    runs: Annotated[list[str], typer.Argument(metavar="RUN [RUN]", help="Ids of runs, as `zero-shot` prints them.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="A folder, or one file: FILE.zip.")],
    form: Annotated[
        list[str] | None, typer.Option("--as", help="minicons | lm-eval | logs | r | notebook | all; more than once.")
    ] = None,
) -> None:
    """Write a run as programs for minicons, lm-evaluation-harness and R, as notebooks and as logs of other programs.

    Its tables are beside them; README.txt says how to run each, and why one is missing.
    """
    from pairlens.evaluation.result import read
    from pairlens.reports.reproduction import FORMS, bundle
    from pairlens.store import Store

    requested = form or [_ALL]
    for name in requested:
        if name not in (*FORMS, _ALL):
            raise PolicyError(unknown("form", name, [*FORMS, _ALL]))
    if len(set(runs)) < len(runs):
        raise InputError("the same run is named twice: name each once.")
    store = Store()
    forms = [name for name in FORMS if name in requested or _ALL in requested]
    files = bundle([read(store, run_id) for run_id in runs], forms, store)
    if output.suffix.lower() == ".zip":
        write_files({output: archive(files)})
    else:
        write_files({output / name: content for name, content in files.items()})
    typer.echo(str(files["README.txt"]).rstrip())
    typer.echo(f"written: {output} ({counted(len(files), 'file')})")


FORMATS = ("json", "methods", "bibtex")
_ROUNDING = 1e-9
"""By how much a recomputed number may differ: sums of the same terms in another order."""


def receipt(
    run: Annotated[str, typer.Argument(help="A run's id, as `zero-shot` prints it.")] = "",
    metric: Annotated[str, typer.Option("--metric", help="By default the headline's.")] = "",
    group: Annotated[
        str, typer.Option("--group", help="A group's value, or COLUMN=VALUE; by default all items.")
    ] = "",
    item: Annotated[str, typer.Option("--item", help="One item instead of a metric.")] = "",
    all_items: Annotated[
        bool, typer.Option("--all-items", help="Work out all items, however many; by default a few of many.")
    ] = False,
    form: Annotated[str, typer.Option("--format", help=" | ".join(FORMATS))] = "json",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file instead of the screen.")] = None,
    recompute: Annotated[
        Path | None,
        typer.Option(
            "--recompute", metavar="FILE", help="Recompute the number of such a JSON file, without the run."
        ),
    ] = None,
) -> None:
    """From a metric or an item down to the log-probabilities of tokens; a Methods sentence; BibTeX.

    With --recompute, the exit status is 1 if the number of the file does not follow from what it holds.
    """
    from pairlens.evaluation.receipts.run import MOST_WORKED
    from pairlens.evaluation.receipts.run import receipt as receipt_of
    from pairlens.store import Store

    if bool(run) == bool(recompute):
        raise InputError("Give a run's id, or a receipt with --recompute FILE.")
    if recompute:
        if any((metric, group, item, all_items, output)) or form != "json":
            raise InputError("--recompute takes a file and nothing else: leave the other options out.")
        _recompute(recompute)
        return
    if form not in FORMATS:
        raise PolicyError(unknown("format", form, FORMATS))
    selected = receipt_of(Store(), run, metric, group, item, most=None if all_items else MOST_WORKED)
    text = _written(selected, form)
    if output:
        write_texts(output.parent, {output.name: text})
        typer.echo(f"wrote {output}")
    else:
        typer.echo(text.rstrip("\n"))


def _recompute(file: Path) -> None:
    from pairlens.evaluation.receipts.recompute import recomputed_file

    value, stated = recomputed_file(file)
    typer.echo(f"recomputed\t{value:.12g}\nstated\t{stated:.12g}")
    if not (isclose(value, stated, abs_tol=_ROUNDING) or (isnan(value) and isnan(stated))):
        raise typer.Exit(1)


def _written(receipt: dict[str, Any], form: str) -> str:
    from pairlens.evaluation.receipts.methods import methods
    from pairlens.evaluation.receipts.run import as_json

    if form == "methods":
        return f"{methods(receipt)}\n"
    return bibtex(keys_of(receipt), model_of(receipt)) if form == "bibtex" else as_json(receipt)
