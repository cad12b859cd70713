"""`stereoset evaluate`: LMS, SS and ICAT of predictions; the other commands have files of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import console, stereoset_convert, stereoset_data, stereoset_predict
from core.cli.console import both_spellings
from core.cli.spread import spread
from core.errors import InputError, PolicyError, unknown
from core.files.tables import check_folder, files
from core.studies.stereoset.predictions import read_predictions

if TYPE_CHECKING:
    from core.files.stereoset.examples import Examples
    from core.studies.stereoset.measured import Measured
    from core.studies.stereoset.predictions import Predictions

app = typer.Typer(help="StereoSet: does a model prefer stereotypes to their opposites?", no_args_is_help=True)
app.command("convert")(stereoset_convert.convert)
app.command("predict")(stereoset_predict.predict)


@app.command()
@spread
def evaluate(
    *,
    predictions: Annotated[
        list[Path] | None,
        typer.Option(
            "--predictions", "--predictions-file", "--predictions_file", metavar="FILE",
            help="Scores of candidate sentences as published (.json); may be given several times.",
        ),
    ] = None,
    predictions_dir: Annotated[
        Path | None,
        typer.Option(*both_spellings("--predictions-dir"), metavar="FOLDER", help="Every .json of a folder."),
    ] = None,
    sources: stereoset_data.Sources,
    ties: Annotated[
        str, typer.Option("--ties", help="half (default) | legacy, as published; in the originals' formats: legacy.")
    ] = "",
    metric_names: Annotated[
        str,
        typer.Option(
            *both_spellings("--metric-names"),
            help="Names in a metrics .json: original (default with --gold-file) | successor.",
        ),
    ] = "",
    output_file: Annotated[
        list[Path] | None,
        typer.Option(
            *both_spellings("--output-file"), "-o",
            help="The numbers: .json .xlsx (existing sheets are kept) .csv .tsv .jsonl .parquet .tex; several times.",
        ),
    ] = None,
    output_dir: Annotated[
        Path | None, typer.Option(*both_spellings("--output-dir"), help="A folder for all of these files.")
    ] = None,
    decimal_comma: Annotated[bool, typer.Option(*both_spellings("--decimal-comma"), help="In LaTeX.")] = False,
    job: console.JobOption = None,
) -> None:  # fmt: skip
    """LMS, SS and ICAT by task and bias type, in three aggregations, with intervals. No model is needed."""
    from core.store.jobs import reporting
    from core.studies.stereoset.outputs import write_folder, write_numbers

    with reporting(job) as report:
        files, outputs = _prediction_files(predictions or [], predictions_dir), output_file or []
        _check_outputs(outputs, output_dir, [*files, *sources.files])
        names, decimal = _names(metric_names, bool(sources.gold_file)), "," if decimal_comma else "."
        examples = sources.examples()
        ours, published = _measured(examples, [read_predictions(file) for file in files], ties)
        _print_differences(ours)
        stereoset_data.remark("left out", examples.left_out)
        stereoset_data.remark("note", examples.notes)
        for path in outputs:
            write_numbers(ours, published, path, names, decimal)
            _written(path, names)
        if output_dir:
            write_folder(ours, published, output_dir, names, decimal)
            _written(output_dir, names)
        report.result(output=str(output_dir or next(iter(outputs), "")))


def _prediction_files(given: list[Path], folder: Path | None) -> list[Path]:
    found = [*given, *(files(folder, (".json",)) if folder else [])]
    if not found:
        raise InputError("There are no predictions: give --predictions FILE, or --predictions-dir FOLDER.")
    names = Counter(path.name for path in found)
    if twice := next((name for name, count in names.items() if count > 1), ""):
        raise InputError(
            "there are several files of predictions of this name, and numbers go by names: rename", twice
        )
    return found


def _check_outputs(outputs: list[Path], folder: Path | None, read: Iterable[Path]) -> None:
    """InputError for an output that cannot be written, and for one that would replace a file that is read."""
    from core.studies.stereoset.outputs import check_output, files_of

    for path in outputs:
        check_output(path)
    if folder:
        check_folder(folder)
    console.check_kept(read, [*outputs, *(files_of(folder) if folder else ())])


def _names(name: str, by_gold_file: bool) -> str:
    from core.studies.stereoset.metrics_files import NAMES

    if name and name not in NAMES:
        raise PolicyError(unknown("set of metric names", name, NAMES))
    return name or ("original" if by_gold_file else "successor")


def _measured(
    examples: Examples, predictions: Iterable[Predictions], ties: str
) -> tuple[list[Measured], list[Measured]]:
    """Measure and print each file: with ties as requested, and as the originals' formats count them."""
    from core.studies.stereoset.measured import measure

    ours, published = [], []
    unreadable = set(examples.left_out)
    for one in predictions:
        mine = measure(examples, one, ties or "half")
        has_ties = any(cell.ties + cell.related_ties for cell in mine.cells)
        theirs = measure(examples, one, "legacy") if has_ties and not ties else mine
        _print(mine, theirs)
        stereoset_data.remark("left out", [remark for remark in mine.left_out if remark not in unreadable])
        ours.append(mine)
        published.append(theirs)
    return ours, published


def _print(ours: Measured, published: Measured) -> None:
    """Print the numbers and the caution to standard output, warnings and notes to standard error."""
    from core.studies.stereoset.advice import CAUTION, warnings
    from core.studies.stereoset.wording import as_published, lines

    for line in (ours.name, *lines(ours), *(as_published(published) if published is not ours else ()), CAUTION):
        typer.echo(line)
    for sentence in (*warnings(ours), *ours.notes):
        console.say(sentence)


def _print_differences(models: Sequence[Measured]) -> None:
    """Print the first model minus each of the others, in the tasks that both have."""
    from core.studies.stereoset.paired import difference, in_words

    for other in models[1:]:
        for kind in models[0].kinds:
            if kind in other.kinds and (found := difference(models[0], other, kind)):
                typer.echo(f"{kind}: {in_words(models[0].name, other.name, found)}")


def _written(path: Path, names: str) -> None:
    """Print where the numbers are, and how they deviate there."""
    typer.echo(f"numbers: {path}")
    if names == "original" and path.suffix.lower() in (".json", ""):
        console.say("In the metrics file the Count of a bias type is three times its examples, as in the original.")
