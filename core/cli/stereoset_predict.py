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
    from collections.abc import Sequence

    from core.store import Store
    from core.store.jobs import JobReport
    from core.studies.stereoset.predictions import Predictions
    from core.studies.stereoset.runs import TaskRequest

_NAMED = 20
"""So many examples that are left out are named with their reason; all of them are in the run."""


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

    What is already scored is reused; a run that was stopped goes on where it was. `--batch-size` and `--num-workers`
    change no number.
    """
    from core.store.jobs import reporting
    from core.studies.stereoset.runs import ask_all

    with reporting(job) as report:
        execution.apply()
        letters = cases.letters()
        named = classes.named()
        policy = choices.policy(TASKS["stereoset"].sets)
        examples = sources.examples()
        stereoset_data.remark("left out", examples.left_out)
        models = {"intrasentence": pretrained_class, "intersentence": classes.nsp_model_path or pretrained_class}
        asked = ask_all(
            examples, models, named, policy, candidates.choices(),
            tokenizer_name=tokenizer_name, allow_code=execution.allow_code,
        )  # fmt: skip
        _predict(
            asked, letters, pretrained_class, language or examples.language, output_dir, sources.files[0].name,
            execution.rescore, report,
        )  # fmt: skip


def _predict(
    asked: Sequence[TaskRequest],
    cases: Sequence[str],
    model: str,
    language: str,
    folder: Path,
    source: str,
    rescore: bool,
    report: JobReport,
) -> None:
    """Score, write the files, and say what was done."""
    from core.store import Store
    from core.studies.stereoset.runs import file_names, predictions, run

    store, names = Store(), file_names(asked, model, cases, language)
    check_folder(folder)
    run_ids = {}
    for one in asked:
        last = console.watch(run(one, store, data=source, rescore=rescore), report)
        run_ids[one.task] = last.run_id
        typer.echo(f"{one.task}: {one.model_class.about}; scored {last.scored}, reused {last.reused}")
        _refused(one, store)
    found, said = predictions(asked, store, list(names)), set[str]()
    for case, name in names.items():
        write_predictions(found[case], folder / name)
        for signature in [one.signature(case) for one in asked]:
            if signature not in said:
                typer.echo(signature)
            said.add(signature)
        typer.echo(f"predictions: {folder / name}{_without_score(found[case])}")
    report.result(run_id=next(iter(run_ids.values())), runs=run_ids, output=str(folder / next(iter(names.values()))))


def _refused(asked: TaskRequest, store: Store) -> None:
    """Name the examples of a finished run that were not asked about or could not be scored."""
    refused = store.manifest(asked.planned.run_id)["refused"]
    reasons = [*map(str, asked.left_out), *(f"{asked.task} {item}: {reason}" for item, reason in refused.items())]
    for reason in reasons[:_NAMED]:
        console.say(f"left out: {reason}")
    if len(reasons) > _NAMED:
        console.say(f"... and {len(reasons) - _NAMED:,} more")


def _without_score(predictions: Predictions) -> str:
    n = sum(score != score for scores in predictions.by_kind.values() for score in scores.values())
    return f" ({n:,} candidates without a score)" if n else ""
