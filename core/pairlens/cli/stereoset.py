"""`stereoset convert`, `predict` and `evaluate`: examples into other formats, scores of candidates, their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairlens.cli import console
from pairlens.cli.console import both_spellings
from pairlens.cli.options import Execution, RunOptions
from pairlens.cli.spread import spread
from pairlens.errors import InputError, PolicyError, unknown
from pairlens.files.datasets import located
from pairlens.files.stereoset.examples import KINDS, joined
from pairlens.files.stereoset.predictions import read_predictions, write_predictions
from pairlens.files.stereoset.reading import named_language, read_examples, wide_table, write_original
from pairlens.files.tables import check_folder, files, write_table
from pairlens.results.files import printed
from pairlens.studies.stereoset.classes import StereoSetChoices, kinds_left
from pairlens.tasks import TASKS

if TYPE_CHECKING:
    from pairlens.files.stereoset.examples import Examples, Remark
    from pairlens.store import Store
    from pairlens.studies.stereoset.answers import Answer
    from pairlens.studies.stereoset.runs import TaskRequest


app = typer.Typer(help="StereoSet: does a model prefer stereotypes to their opposites?", no_args_is_help=True)
_SHOWN = 20
"""The most remarks printed; a line says how many more there are."""


def _option(name: str, *others: str, **about: Any) -> Any:
    return typer.Option(*both_spellings(name), *others, **about)


SkipIntraOption = Annotated[bool, _option("--skip-intrasentence", help="Leave out the words in their gaps.")]
SkipInterOption = Annotated[bool, _option("--skip-intersentence", help="Leave out the sentences that follow.")]
_EXAMPLES = "Examples of both tasks (dev.json, a wide table), or stereoset: the public set that was fetched."
_FORMS = "A wide .csv .tsv .parquet .jsonl .xlsx, or .json."
_LANGUAGE = "Two letters; by default as names of files say (df_intrasentence_de.csv, dev_fr.json)."
_MODEL = (*both_spellings("--pretrained-class"), "--model", "-m")
_FOLDER = Path("results/predictions")
_PREDICTIONS = ("--predictions", "--predictions-file", "--predictions_file")
_SCORES = "Scores of candidate sentences as published (.json); may be given several times."
_EVERY = "Every .json of a folder."
_TIES = "half (default) | legacy, as published; in the originals' formats: legacy."
_NAMES = "Names in a metrics .json: original (default with --gold-file) | successor."
_NUMBERS = "The numbers: .json .xlsx (existing sheets are kept) .csv .tsv .jsonl .parquet .tex; several times."
_WIDE = "The examples of one task, as a wide table."
_CASES = "d: B|A | orig: B/A | c: A and B | e: (B|A)/B | f: (A and B)/B | b: (B|A)/(A and B)."


@dataclass(frozen=True, slots=True)
class Sources:
    """Files with examples of both tasks, or one table for each task."""

    gold_file: Annotated[list[Path] | None, _option("--gold-file", metavar="FILE", help=_EXAMPLES)] = None
    intrasentence: Annotated[Path | None, _option("--intrasentence-df-file", metavar="FILE", help=_WIDE)] = None
    intersentence: Annotated[Path | None, _option("--intersentence-df-file", metavar="FILE", help=_WIDE)] = None
    skip_intrasentence: SkipIntraOption = False
    skip_intersentence: SkipInterOption = False

    @property
    def files(self) -> list[Path]:
        return [path for path in (*(self.gold_file or ()), self.intrasentence, self.intersentence) if path]

    def examples(self) -> Examples:
        """The examples of --gold-file, or of the tables of the tasks; InputError for neither and for both."""
        kinds = kinds_left((self.skip_intrasentence, self.skip_intersentence))
        by_kind = zip(KINDS, (self.intrasentence, self.intersentence), strict=True)
        tables = {kind: path for kind, path in by_kind if path and kind in kinds}
        if self.gold_file and tables:
            raise InputError("Give --gold-file, or the tables of the tasks, not both.")
        if not self.gold_file and not tables:
            raise InputError("There are no examples: give --gold-file FILE, or the tables of the tasks.")
        if self.gold_file:
            return read_examples(*map(located, self.gold_file)).only(kinds)
        return joined(*(read_examples(path, kind=kind) for kind, path in tables.items()))


def _remark(named: str, remarks: Sequence[Remark | str], *, every: bool = False) -> None:
    """Print remarks about examples to standard error: the first of them, or all."""
    shown = len(remarks) if every else _SHOWN
    for remark in remarks[:shown]:
        console.say(f"{named}: {remark}")
    if len(remarks) > shown:
        console.say(f"... and {len(remarks) - shown:,} more")


@app.command()
def convert(
    source: Annotated[list[Path], typer.Option("--input", "-i", help="dev.json, wide tables; several are joined.")],
    output: Annotated[Path, typer.Option("--output", "--output-file", "-o", help=_FORMS)],
    language: Annotated[str, typer.Option("--language", help=_LANGUAGE)] = "",
    skip_intrasentence: SkipIntraOption = False,
    skip_intersentence: SkipInterOption = False,
) -> None:
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
    _remark("left out", examples.left_out, every=True)
    _remark("note", examples.notes, every=True)
    typer.echo(f"written: {output}")


@app.command()
@spread
def predict(
    *,
    pretrained_class: Annotated[str, console.model_option(*_MODEL)] = "english-small",
    sources: Sources,
    choices: StereoSetChoices,
    case_no: Annotated[str, _option("--case-no", help=f"With A the context and B the candidate: {_CASES}")] = "d",
    all_cases: Annotated[bool, _option("--all-cases", help="A file for each case, all from one scoring.")] = False,
    output_dir: Annotated[Path, _option("--output-dir", "-o", help="The folder of the predictions.")] = _FOLDER,
    language: Annotated[str, typer.Option("--language", help=_LANGUAGE)] = "",
    policy: RunOptions,
    tokenizer_name: Annotated[str, _option("--tokenizer-name", help="Checked only; models use their own.")] = "",
    num_workers: Annotated[int, _option("--num-workers", min=0, help="Accepted, without effect.")] = 1,  # noqa: ARG001
    execution: Execution,
    job: console.JobOption = None,
) -> None:
    """Score every candidate sentence with a model and write the scores as published predictions.

    Stored scores are reused; an interrupted run continues. `--batch-size` and `--num-workers` change no number.
    """
    from pairlens.store import Store
    from pairlens.store.jobs import reporting
    from pairlens.studies.stereoset.cases import CASES, case_of
    from pairlens.studies.stereoset.runs import ask_all, file_names, run

    with reporting(job) as report:
        execution.apply()
        letters = list(CASES) if all_cases else [case_of(case_no).letter]
        examples, code = sources.examples(), execution.allow_code
        _remark("left out", examples.left_out)
        how = policy.policy(TASKS["stereoset"].sets)
        requests = ask_all(examples, pretrained_class, how, choices, tokenizer_name=tokenizer_name, allow_code=code)
        for note in filter(
            None, (text for request in requests for text in (request.note(*letters), request.planned.faults))
        ):
            console.say(note)
        names = file_names(requests, pretrained_class, letters, language or examples.language)
        check_folder(output_dir)
        store, run_ids = Store(), {request.task: request.planned.run_id for request in requests}
        for request in requests:
            last = console.watch(run(request, store, data=sources.files[0].name, rescore=execution.rescore), report)
            typer.echo(f"{request.task}: {request.model_class.about}; scored {last.scored}, reused {last.reused}")
            refused = store.manifest(request.planned.run_id)["refused"]
            reasons = [f"{request.task} {item}: {reason}" for item, reason in refused.items()]
            _remark("left out", [*request.left_out, *reasons])
        _write(requests, store, {case: output_dir / name for case, name in names.items()})
        output = str(output_dir / next(iter(names.values())))
        report.result(run_id=next(iter(run_ids.values())), runs=run_ids, output=output)


def _write(requests: Sequence[TaskRequest], store: Store, paths: Mapping[str, Path]) -> None:
    """Write the predictions of each case and print their signatures, each once."""
    from pairlens.studies.stereoset.runs import predictions

    by_case, printed = predictions(requests, store, list(paths)), set[str]()
    for case, path in paths.items():
        write_predictions(by_case[case], path)
        for signature in (request.signature(case) for request in requests):
            if signature not in printed:
                typer.echo(signature)
            printed.add(signature)
        n = sum(score != score for scores in by_case[case].by_kind.values() for score in scores.values())
        typer.echo(f"predictions: {path}{f' ({n:,} candidates without a score)' if n else ''}")


@app.command()
@spread
def evaluate(
    *,
    predictions: Annotated[list[Path] | None, typer.Option(*_PREDICTIONS, metavar="FILE", help=_SCORES)] = None,
    predictions_dir: Annotated[Path | None, _option("--predictions-dir", metavar="FOLDER", help=_EVERY)] = None,
    sources: Sources,
    ties: Annotated[str, typer.Option("--ties", help=_TIES)] = "",
    metric_names: Annotated[str, _option("--metric-names", help=_NAMES)] = "",
    output_file: Annotated[list[Path] | None, _option("--output-file", "-o", help=_NUMBERS)] = None,
    output_dir: Annotated[Path | None, _option("--output-dir", help="A folder for all of these files.")] = None,
    decimal_comma: Annotated[bool, _option("--decimal-comma", help="In LaTeX.")] = False,
    job: console.JobOption = None,
) -> None:
    """LMS, SS and ICAT by task and bias type, in three aggregations, with intervals. No model is needed."""
    from pandas import concat

    from pairlens.store.jobs import reporting
    from pairlens.studies.stereoset.answers import answer_of_file
    from pairlens.studies.stereoset.outputs import FILES, NAMES, check_output, write_numbers

    with reporting(job) as report:
        read, outputs = _prediction_files(predictions or [], predictions_dir), output_file or []
        folder = {name: output_dir / name for name in (*FILES, *_ROWS.values())} if output_dir else {}
        for path in outputs:
            check_output(path)
        if output_dir:
            check_folder(output_dir)
        console.check_kept([*read, *sources.files], [*outputs, *folder.values()])
        names = metric_names or ("original" if sources.gold_file else "successor")
        if names not in NAMES:
            raise PolicyError(unknown("set of metric names", names, NAMES))
        examples = sources.examples()
        answers = [answer_of_file(examples, read_predictions(file), ties or "half") for file in read]
        _print(answers)
        _remark("note", examples.notes)
        ours = [answer.measured for answer in answers]
        published = ours if ties else [answer.published for answer in answers]
        numbers = [*outputs, *(folder[name] for name in FILES if folder)]
        for path in numbers:
            write_numbers(ours, published, path, names, "," if decimal_comma else ".")
        for rows, name in _ROWS.items() if folder else ():
            tables = [getattr(model, rows).assign(model=model.name) for model in ours]
            write_table(concat(tables, ignore_index=True), folder[name])
        for path in filter(None, (*outputs, output_dir)):
            typer.echo(f"numbers: {path}")
        if names == "original" and any(path.suffix.lower() == ".json" for path in numbers):
            console.say(_THREEFOLD)
        report.result(output=str(output_dir or next(iter(outputs), "")))


_ROWS = {"terms": "terms.csv", "triples": "triples.csv"}
_THREEFOLD = "In the metrics file the Count of a bias type is three times its examples, as in the original."


def _prediction_files(named: list[Path], folder: Path | None) -> list[Path]:
    paths = [*named, *(files(folder, (".json",)) if folder else [])]
    if not paths:
        raise InputError("There are no predictions: give --predictions FILE, or --predictions-dir FOLDER.")
    names = Counter(path.name for path in paths)
    if twice := next((name for name, count in names.items() if count > 1), ""):
        raise InputError("there are several files of predictions of this name, and numbers go by it: rename", twice)
    return paths


def _print(answers: Sequence[Answer]) -> None:
    """Print what was found in each task, of the files that have it, and name the examples that are left out."""
    from pairlens.studies.stereoset.findings import IN_WORDS
    from pairlens.studies.stereoset.result import result

    for kind in IN_WORDS:
        if shown := [answer for answer in answers if kind in answer.measured.kinds]:
            names = ", ".join(one.name for one in shown)
            typer.echo(f"{kind}: {names}\n{printed(result(shown, kind, shown[0]), 'text')}".rstrip() + "\n")
    unusable = answers[0].examples.left_out
    for answer in answers:
        _remark("left out", [remark for remark in answer.measured.left_out if remark not in unusable])
    _remark("left out", unusable)
