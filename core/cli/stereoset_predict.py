"""`stereoset predict`: a model's scores of all candidate sentences, as published predictions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from core.cli import console, stereoset_data
from core.cli import stereoset_predict_options as of
from core.cli.options import Execution
from core.cli.spread import spread
from core.files.tables import check_folder
from core.studies.stereoset.predictions import write_predictions
from core.tasks import TASKS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.store import Store
    from core.studies.stereoset.predictions import Predictions
    from core.studies.stereoset.runs import TaskRequest


@spread
def predict(
    *,
    pretrained_class: of.ModelOption = "english-small",
    sources: stereoset_data.Sources,
    classes: of.Classes,
    cases: of.Cases,
    output_dir: of.OutputOption = Path("results/predictions"),
    language: of.LanguageOption = "",
    choices: of.StereoSetOptions,
    candidates: of.Candidates,
    tokenizer_name: of.TokenizerOption = "",
    num_workers: of.WorkersOption = 1,  # noqa: ARG001 - published; there is no loader that could have workers
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
        named = classes.named(examples)
        stereoset_data.remark("left out", examples.left_out)
        models = {"intrasentence": pretrained_class, "intersentence": classes.nsp_model_path or pretrained_class}
        requests = ask_all(
            examples, models, named, policy, candidates.choices(),
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
    stereoset_data.remark("left out", [*request.left_out, *reasons])


def _without_score(predictions: Predictions) -> str:
    n = sum(score != score for scores in predictions.by_kind.values() for score in scores.values())
    return f" ({n:,} candidates without a score)" if n else ""
