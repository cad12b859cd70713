"""`agreement`: an agreement set scored by a model, and predictions evaluated."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import console
from core.cli.options import ChoicesFromLeft, Execution, KindOption
from core.cli.spread import spread
from core.errors import PolicyError
from core.files.tables import check_folder, check_writable, write_table, write_texts
from core.messages import counted
from core.policies import CHOICES, Policy
from core.rules import RULES
from core.scoring.recipe import recipe_of
from core.studies.agreement.heuristics import read_items, read_parses
from core.tasks import TASKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from core.analysis.agreement import AgreementNumbers
    from core.scoring.recipe import Recipe
    from core.store import Store


app = typer.Typer(help="Agreement at a distance: two forms of a word, of which one agrees.", no_args_is_help=True)

TableOption = Annotated[
    Path | None,
    typer.Option("--table", metavar="FILE", help="A .tab or .pred with further item columns, if named differently."),
]
ParsesOption = Annotated[
    Path | None,
    typer.Option(
        "--conllu", metavar="FILE", help="The parsed sentences (CoNLL-U), for heuristics that no file gives."
    ),
]
OUTPUT = ("--output-file", "--output_file", "-o")
NAMED = 20
"""The most exclusions printed with their reasons; the run or the file has all of them."""


@app.command()
def evaluate(
    predictions: Annotated[
        Path, typer.Option("--predictions", help="Log-probabilities of both forms of each item (.raw-pred, .tab).")
    ],
    output: Annotated[Path, typer.Option(*OUTPUT, help="All numbers, as JSON.")],
    table: TableOption = None,
    parses: ParsesOption = None,
    column: Annotated[str, typer.Option("--column", help="The column with the log-probabilities.")] = "probs",
    ties: Annotated[str, typer.Option("--ties", help=console.choices("ties"))] = "half",
    job: console.JobOption = None,
) -> None:
    """Accuracy by number, attractors, distance and surface heuristics, beside baselines. No model is needed."""
    from core.analysis.agreement import agreement_numbers, as_json
    from core.store.jobs import reporting
    from core.studies.agreement.candidates import candidates, left_out, out_of_vocabulary, without

    with reporting(job) as report:
        policy = Policy().but(ties=ties)
        console.check_kept([predictions, table, parses], [output])
        check_folder(output.parent)
        found = candidates(predictions, table, column=column, parses=read_parses(parses) if parses else None)
        strange = out_of_vocabulary(found)
        numbers = agreement_numbers(without(found, strange), policy)
        reasons = left_out(found)
        content = {**as_json(numbers), "out_of_vocabulary": strange, "left_out": reasons, "ties_counted": ties}
        write_texts(output.parent, {output.name: json.dumps(content, ensure_ascii=False, indent=1) + "\n"})
        report.result(output=str(output))
        for line in agreement_in_words(numbers, policy):
            typer.echo(line)
        if strange:
            typer.echo(f"Left out because a form is not in the model's vocabulary: {', '.join(strange)}")
        for item in [item for item in reasons if item not in strange][:NAMED]:
            typer.echo(f"left out {item}: {reasons[item]}")
        typer.echo(f"numbers: {output}")


@app.command()
def models(
    predictions: Annotated[
        Path,
        typer.Option(
            "--predictions", help="A table with a column of log-probabilities per model (.tab), or a folder of them."
        ),
    ],
    output: Annotated[Path | None, typer.Option(*OUTPUT, help="The same as a table (.csv, .tsv, ...).")] = None,
    job: console.JobOption = None,
) -> None:
    """How often each model in a table is right, by type of item, and what ties change. No model is needed."""
    from core.store.jobs import reporting
    from core.studies.agreement.model_columns import right_by_model

    with reporting(job) as report:
        console.check_outputs([predictions], output)
        found = right_by_model(predictions)
        for _, row in found.iterrows():
            named = "\t".join(row[name] for name in ("language", "set", "model", "type"))
            same = f" ({row['same']} of the same word)" if row["same"] else ""
            shares = ", ".join(f"{100 * row[how]:.2f} % ties {how}" for how in CHOICES["ties"])
            left_out = f", {row['left_out']:,} left out" if row["left_out"] else ""
            typer.echo(f"{named}\t{row['n']:,} items{left_out}\t{counted(row['ties'], 'tie')}{same}\t{shares}")
        if output:
            write_table(found, output)
            report.result(output=str(output))


def agreement_in_words(numbers: AgreementNumbers, policy: Policy) -> Iterator[str]:
    """The numbers, a line each, as far as the files allow."""
    from core.analysis import agreement_wording as wording

    yield wording.answer(numbers)
    yield wording.counts(numbers, policy.ties)
    yield from filter(None, (wording.beside(numbers), wording.caution(numbers)))
    for table, named in (
        (numbers.by_number, "number"),
        (numbers.by_attractors, "number of attractors"),
        (numbers.by_heuristics, "number of heuristics that are right"),
        (numbers.by_distance, "words between"),
        (numbers.by_inverted, "inverted subject"),
        (numbers.by_type, "type"),
    ):
        if len(table):
            yield wording.by_group(table, named)
    if len(numbers.heuristics):
        yield wording.misled(numbers.heuristics)


_SHOWN = 1_000
"""So many texts show whether a file was cut into tokens."""


@dataclass(frozen=True, slots=True)
class _Choices(ChoicesFromLeft):
    """And whether texts that were cut into tokens are joined."""

    detokenise: Annotated[
        str | None, typer.Option("--detokenise", help="fr | en: join what was cut into tokens (l' auteur, do n't).")
    ] = None


@spread
def predict(
    *,
    source: Annotated[
        Path, typer.Option("--input", "-i", help="Two lines per item (.txt), a .tab or .raw-pred, or a folder.")
    ],
    output: Annotated[
        Path, typer.Option(*OUTPUT, help="The log-probability of every form (.raw-pred; .tsv, .csv, ...).")
    ],
    decisions: Annotated[
        Path | None, typer.Option("--pred", metavar="FILE", help="Also what was chosen for every item (.pred, ...).")
    ] = None,
    table: TableOption = None,
    parses: ParsesOption = None,
    model: console.ModelOption = "english-small",
    scorer: KindOption = "",
    rule: Annotated[
        str, typer.Option("--rule", help="word: form and end of the word | form: form only | joint: whole sentences.")
    ] = "word",
    choices: _Choices,
    execution: Execution,
    job: console.JobOption = None,
) -> None:
    """Score both forms of every item, write the predictions, and say how often the right form is preferred.

    Stored scores are reused; an interrupted run resumes.
    """
    from core.runs.evaluate import Context, data_name, run
    from core.runs.requests import plan
    from core.runs.zero_shot import meaningless
    from core.store import Store
    from core.store.jobs import reporting

    with reporting(job) as report:
        execution.apply()
        outputs = [path for path in (output, decisions) if path]
        for path in outputs:
            check_writable(path)
        console.check_kept([source, table, parses], outputs)
        task = TASKS["agreement"]
        policy = choices.policy(task.sets)
        recipe = recipe_of(model, scorer, policy, allow_code=execution.allow_code)
        store, planned = Store(), plan(task, read_items(source, table, parses), recipe, rule)
        if reason := meaningless(task, rule, recipe.kind):
            raise PolicyError(reason)
        last = console.watch(run(planned, Context(store, data=data_name(source), rescore=execution.rescore)), report)
        _write(store.candidates(last.run_id), output, decisions)
        report.result(run_id=last.run_id, output=str(output))
        for line in _found(store, last.run_id, recipe):
            typer.echo(line)
        typer.echo(f"scored {last.scored}, reused {last.reused}")
        typer.echo(f"predictions: {output}")


def _write(found: pd.DataFrame, output: Path, decisions: Path | None) -> None:
    from core.studies.agreement.predictions import predictions, raw_predictions

    write_table(raw_predictions(found), output)
    if decisions:
        write_table(predictions(found), decisions)


def _found(store: Store, run_id: str, recipe: Recipe) -> Iterator[str]:
    """A run's numbers, what the end of the word changes, what was left out and why, and how the run is named."""
    from core.analysis.agreement import agreement_numbers
    from core.analysis.agreement_flips import flips
    from core.analysis.agreement_wording import flipped

    manifest, candidates, policy = store.manifest(run_id), store.candidates(run_id), recipe.policy
    console.advise((candidates["context"] + candidates["text"]).head(_SHOWN).tolist(), policy, [recipe.model])
    yield from agreement_in_words(agreement_numbers(candidates, policy), policy)
    if RULES[manifest["rule"]].forms:
        ended, alone = (store.candidates(run_id, ends=ends) for ends in (True, False))
        yield flipped(flips(ended, alone, policy))
    for item, reason in [*manifest["refused"].items()][:NAMED]:
        yield f"left out {item}: {reason}"
    yield from filter(None, [manifest.get("faults")])
    yield manifest["signature"]
    yield f"run: {run_id}"
