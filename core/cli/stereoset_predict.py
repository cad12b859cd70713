"""`stereoset predict`: a model's scores of all candidate sentences, as published predictions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import console, stereoset_data

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.jobs import Report
    from core.policies import Policy
    from core.stereoset.examples import Examples
    from core.stereoset.predictions import Predictions
    from core.stereoset_runs import Asked, Choices
    from core.store import Store

_NAMED = 20
"""So many examples that are left out are named with their reason; all of them are in the run."""


def predict(
    pretrained_class: Annotated[
        str,
        typer.Option(
            "--pretrained-class", "--pretrained_class", "--model", "-m",
            help="A name from `models`, a folder (./folder), or a hub id (org/name@revision).",
        ),
    ] = "english-small",
    gold_file: stereoset_data.GoldOption = None,
    intrasentence: stereoset_data.IntraOption = None,
    intersentence: stereoset_data.InterOption = None,
    skip_intrasentence: stereoset_data.SkipIntraOption = False,
    skip_intersentence: stereoset_data.SkipInterOption = False,
    intrasentence_model: Annotated[
        str,
        typer.Option(
            "--intrasentence-model", "--intrasentence_model",
            help="auto: by the model's kind | BertLM, T5LM, mT5LM: the word in its gap | GPT2LM: the sentence.",
        ),
    ] = "auto",
    intersentence_model: Annotated[
        str,
        typer.Option(
            "--intersentence-model", "--intersentence_model",
            help="auto | BertNextSentence, ModelNSP: next sentence or not | GPT2LM, T5LM, mT5LM, BertLM: a case.",
        ),
    ] = "auto",
    nsp_model_path: Annotated[
        str, typer.Option("--nsp-model-path", "--nsp_model_path", help="ModelNSP: a model with a trained head.")
    ] = "",
    case_no: Annotated[
        str,
        typer.Option(
            "--case-no", "--case_no",
            help="With A the context and B the candidate: d: B|A | orig: B/A | c: A and B | e: (B|A)/B | "
            "f: (A and B)/B | b: (B|A)/(A and B).",
        ),
    ] = "d",
    all_cases: Annotated[
        bool, typer.Option("--all-cases", "--all_cases", help="A file for each case, all from one scoring.")
    ] = False,
    output_dir: Annotated[
        Path, typer.Option("--output-dir", "--output_dir", "-o", help="The folder of the predictions.")
    ] = Path("results/predictions"),
    language: Annotated[str, typer.Option("--language", help="Two letters; else the files' names say it.")] = "",
    preset: Annotated[
        str,
        typer.Option("--as", metavar="PRESET", help="pairlens | stereoset: as the published programs do it | ..."),
    ] = "pairlens",
    word_value: Annotated[
        str,
        typer.Option(
            "--word-value", "--word_value",
            help="joint: the probability of the word | mean: of its tokens' probabilities (as stereoset).",
        ),
    ] = "",
    leading_space: Annotated[
        bool | None,
        typer.Option(
            "--leading-space/--no-leading-space",
            help="Whether a candidate alone, and as stereoset a word, keeps the space before it (as stereoset: no).",
        ),
    ] = None,
    end_symbol: Annotated[
        bool | None,
        typer.Option(
            "--end-symbol/--no-end-symbol",
            help="Whether the end of the text counts as a token (as stereoset: for T5).",
        ),
    ] = None,
    from_context: Annotated[
        bool,
        typer.Option(
            "--from-context", "--from_context",
            help="GPT2LM: sentences in the letter case of their context; the file's are lower-cased.",
        ),
    ] = False,
    tokenizer_name: Annotated[
        str, typer.Option("--tokenizer-name", "--tokenizer_name", help="Checked: a model is read with its own.")
    ] = "",
    first_token: console.FirstTokenOption = None,
    pll: console.PllOption = None,
    text: console.TextOption = None,
    dtype: console.DtypeOption = None,
    choices: console.SetOption = None,
    batch_size: console.BatchOption = 0,
    num_workers: Annotated[  # noqa: ARG001 - published; there is no loader that could have workers
        int, typer.Option("--num-workers", "--num_workers", min=0, help="Accepted; texts are read in this process.")
    ] = 1,
    device: console.DeviceOption = "",
    rescore: console.RescoreOption = False,
    allow_code: console.CodeOption = "",
    job: console.JobOption = None,
) -> None:  # fmt: skip
    """Score every candidate sentence with a model and write the scores as published predictions.

    What is already scored is reused; a run that was stopped goes on where it was. `--batch-size` and `--num-workers`
    change no number.
    """
    from core.errors import PolicyError
    from core.jobs import reporting
    from core.stereoset.cases import CASES, case_of
    from core.stereoset_runs import Choices
    from core.tasks import TASKS

    with reporting(job) as report:
        console.apply_limits(batch_size=batch_size, device=device)
        cases = list(CASES) if all_cases else [case_of(case_no).letter]
        if nsp_model_path and intersentence_model not in ("auto", "ModelNSP"):
            raise PolicyError(f"--nsp-model-path goes with ModelNSP, not with {intersentence_model}.")
        fields = {"first_token": first_token, "pll": pll, "text": text, "dtype": dtype}
        policy = console.policy(preset, choices, TASKS["stereoset"].sets, **fields)
        examples = stereoset_data.examples(
            gold_file, intrasentence, intersentence, (skip_intrasentence, skip_intersentence)
        )
        stereoset_data.remark("left out", examples.left_out)
        asked = _asked(
            examples,
            {"intrasentence": pretrained_class, "intersentence": nsp_model_path or pretrained_class},
            {
                "intrasentence": intrasentence_model,
                "intersentence": "ModelNSP" if nsp_model_path else intersentence_model,
            },
            policy,
            Choices(leading_space, word_value, end_symbol, from_context),
            tokenizer_name,
            allow_code,
        )
        source = next(path.name for path in (*(gold_file or ()), intrasentence, intersentence) if path)
        _predict(asked, cases, pretrained_class, language or examples.language, output_dir, source, rescore, report)


def _asked(
    examples: Examples,
    models: Mapping[str, str],
    classes: Mapping[str, str],
    policy: Policy,
    choices: Choices,
    tokenizer_name: str,
    allow_code: str,
) -> list[Asked]:
    """What is asked of which model, by task; everything that can be wrong is found before anything is scored."""
    from core.stereoset.classes import AUTO, class_named
    from core.stereoset.tokenizer_names import check_tokenizer
    from core.stereoset_runs import ask, model_and_class

    given = {task: found for task, found in examples.by_kind.items() if found}
    for task in given:
        if classes[task] != AUTO:
            class_named(task, classes[task])
    asked = []
    for task, found in given.items():
        model, model_class = model_and_class(task, models[task], classes[task], allow_code=allow_code)
        check_tokenizer(tokenizer_name, model)
        asked.append(ask(found, task, model, model_class, policy, choices))
    return asked


def _predict(
    asked: Sequence[Asked],
    cases: Sequence[str],
    model: str,
    language: str,
    folder: Path,
    source: str,
    rescore: bool,
    report: Report,
) -> None:
    """Score, write the files, and say what was done."""
    from core.stereoset.predictions import write_predictions
    from core.stereoset_runs import file_names, predictions, run
    from core.store import Store
    from core.tables import check_folder

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


def _refused(asked: Asked, store: Store) -> None:
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
