"""`stereoset convert`, `predict` and `evaluate`: examples into other formats, scores of candidates, their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import console
from core.cli import stereoset_options as options
from core.cli.console import both_spellings
from core.cli.options import Execution
from core.cli.spread import spread
from core.errors import InputError, PolicyError, unknown
from core.files.stereoset.examples import KINDS
from core.files.stereoset.reading import named_language, read_examples, wide_table, write_original
from core.files.tables import check_folder, files, write_table
from core.studies.stereoset.classes import kinds_left
from core.studies.stereoset.predictions import read_predictions, write_predictions
from core.tasks import TASKS

if TYPE_CHECKING:
    from core.files.stereoset.examples import Examples
    from core.store import Store
    from core.studies.stereoset.measured import Measured
    from core.studies.stereoset.predictions import Predictions
    from core.studies.stereoset.runs import TaskRequest


app = typer.Typer(help="StereoSet: does a model prefer stereotypes to their opposites?", no_args_is_help=True)


@app.command()
def convert(
    source: Annotated[
        list[Path], typer.Option("--input", "-i", help="dev.json, or a wide table; several are joined.")
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "--output-file", "-o", help="A wide .csv .tsv .parquet .jsonl .xlsx, or .json."),
    ],
    language: Annotated[
        str,
        typer.Option(
            "--language", help="Orders the columns; names of files say it (df_intrasentence_de.csv, dev_fr.json)."
        ),
    ] = "",
    skip_intrasentence: options.SkipIntraOption = False,
    skip_intersentence: options.SkipInterOption = False,
) -> None:  # fmt: skip
    """Convert the original's JSON into the successor's wide table, and back.

    A table of one task has exactly the successor's columns; a table of both has `task` as its last column.
    """
    check_folder(output.parent)
    console.check_outputs(source, output)
    kinds = kinds_left((skip_intrasentence, skip_intersentence))
    examples = read_examples(*source, language=language or named_language(output)).only(kinds)
    if not len(examples):
        raise InputError(f"there is no {' or '.join(kinds)} example.", ", ".join(path.name for path in source))
    if output.suffix.lower() == ".json":
        write_original(examples, output)
    else:
        write_table(wide_table(examples, kinds, as_text=output.suffix.lower() != ".jsonl"), output)
    counts = ", ".join(f"{len(examples.by_kind[kind]):,} {kind}" for kind in KINDS)
    typer.echo(f"{counts} examples; {len(examples.left_out):,} left out, {len(examples.notes):,} notes")
    options.remark("left out", examples.left_out, every=True)
    options.remark("note", examples.notes, every=True)
    typer.echo(f"written: {output}")


@app.command()
@spread
def predict(
    *,
    pretrained_class: options.ModelOption = "english-small",
    sources: options.Sources,
    classes: options.Classes,
    cases: options.Cases,
    output_dir: options.OutputOption = Path("results/predictions"),
    language: options.LanguageOption = "",
    choices: options.StereoSetOptions,
    candidates: options.Candidates,
    tokenizer_name: options.TokenizerOption = "",
    num_workers: options.WorkersOption = 1,  # noqa: ARG001 - published; there is no loader that could have workers
    execution: Execution,
    job: console.JobOption = None,
) -> None:
    """Score every candidate sentence with a model and write the scores as published predictions.

    Stored scores are reused; an interrupted run continues. `--batch-size` and `--num-workers` change no number.
    """
    from core.store import Store
    from core.store.jobs import reporting
    from core.studies.stereoset.runs import ask_all, file_names, run

    with reporting(job) as report:
        execution.apply()
        letters = cases.letters()
        policy = choices.policy(TASKS["stereoset"].sets)
        examples = sources.examples()
        options.remark("left out", examples.left_out)
        requests = ask_all(
            examples, pretrained_class, policy, candidates.choices(),
            classes=(classes.intrasentence_model, classes.intersentence_model), nsp_model_path=classes.nsp_model_path,
            tokenizer_name=tokenizer_name, allow_code=execution.allow_code,
        )  # fmt: skip
        for note in filter(None, (said for one in requests for said in (one.note(*letters), one.planned.faults))):
            console.say(note)
        names = file_names(requests, pretrained_class, letters, language or examples.language)
        check_folder(output_dir)
        store, run_ids = Store(), {one.task: one.planned.run_id for one in requests}
        for one in requests:
            last = console.watch(run(one, store, data=sources.files[0].name, rescore=execution.rescore), report)
            typer.echo(f"{one.task}: {one.model_class.about}; scored {last.scored}, reused {last.reused}")
            _print_refused(one, store)
        paths = _write(requests, store, {case: output_dir / name for case, name in names.items()})
        report.result(run_id=next(iter(run_ids.values())), runs=run_ids, output=str(paths[0]))


def _write(requests: Sequence[TaskRequest], store: Store, paths: Mapping[str, Path]) -> list[Path]:
    """Write the predictions of each case and print their signatures, each once; returns the files."""
    from core.studies.stereoset.runs import predictions

    found, printed = predictions(requests, store, list(paths)), set[str]()
    for case, path in paths.items():
        write_predictions(found[case], path)
        for signature in (one.signature(case) for one in requests):
            if signature not in printed:
                typer.echo(signature)
            printed.add(signature)
        typer.echo(f"predictions: {path}{_without_score(found[case])}")
    return list(paths.values())


def _print_refused(request: TaskRequest, store: Store) -> None:
    """Name the examples of a finished run that were not requested or could not be scored."""
    refused = store.manifest(request.planned.run_id)["refused"]
    reasons = [f"{request.task} {item}: {reason}" for item, reason in refused.items()]
    options.remark("left out", [*request.left_out, *reasons])


def _without_score(predictions: Predictions) -> str:
    n = sum(score != score for scores in predictions.by_kind.values() for score in scores.values())
    return f" ({n:,} candidates without a score)" if n else ""


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
    sources: options.Sources,
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
        options.remark("left out", examples.left_out)
        options.remark("note", examples.notes)
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
    from core.studies.stereoset.outputs import NAMES

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
        options.remark("left out", [remark for remark in mine.left_out if remark not in unreadable])
        ours.append(mine)
        published.append(theirs)
    return ours, published


def _print(ours: Measured, published: Measured) -> None:
    """Print the numbers and the caution to standard output, warnings and notes to standard error."""
    from core.studies.stereoset.findings import CAUTION, as_published, lines, warnings

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
