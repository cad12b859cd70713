"""`agreement`: an agreement set scored by a model, and predictions evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pairlens.cli import console
from pairlens.cli.options import ChoicesFromLeft, Execution, KindOption
from pairlens.cli.spread import spread
from pairlens.errors import PolicyError
from pairlens.files.tables import check_folder, check_writable, write_table, write_texts
from pairlens.messages import counted
from pairlens.policies import CHOICES, Policy
from pairlens.results.text import text
from pairlens.scoring.recipe import recipe_of
from pairlens.studies.agreement.heuristics import read_items
from pairlens.tasks import TASKS

if TYPE_CHECKING:
    from pairlens.studies.agreement.answers import Answers


app = typer.Typer(help="Agreement at a distance: two forms of a word, of which one agrees.", no_args_is_help=True)

_RULES = "word: form and end of the word | form: form only | joint: whole sentences."
_MORE = "A .tab or .pred with further item columns, if named differently."
_PARSED = "The parsed sentences (CoNLL-U), for heuristics that no file gives."
_COLUMNS = "A table with a column of log-probabilities per model (.tab), or a folder of them."
TableOption = Annotated[Path | None, typer.Option("--table", metavar="FILE", help=_MORE)]
ParsesOption = Annotated[Path | None, typer.Option("--conllu", metavar="FILE", help=_PARSED)]
OUTPUT = ("--output-file", "--output_file", "-o")
NAMED = 20
"""The most exclusions printed with their reasons; the run or the file has all of them."""


@app.command()
def evaluate(
    predictions: Annotated[Path, typer.Option("--predictions", help="Log-probabilities of forms (.raw-pred, .tab).")],
    output: Annotated[Path, typer.Option(*OUTPUT, help="All numbers, as JSON.")],
    table: TableOption = None,
    parses: ParsesOption = None,
    column: Annotated[str, typer.Option("--column", help="The column with the log-probabilities.")] = "probs",
    ties: Annotated[str, typer.Option("--ties", help=console.choices("ties"))] = "half",
    job: console.JobOption = None,
) -> None:
    """Accuracy by number, attractors, distance and surface heuristics, beside baselines. No model is needed."""
    from pairlens.store.jobs import reporting
    from pairlens.studies.agreement.answers import answers_in_file
    from pairlens.studies.agreement.result import numbers

    with reporting(job) as report:
        policy = Policy().but(ties=ties)
        console.check_kept([predictions, table, parses], [output])
        check_folder(output.parent)
        answers = answers_in_file(predictions, policy, table, column=column, parses=parses)
        write_texts(output.parent, {output.name: numbers(answers)})
        report.result(output=str(output))
        _print(answers)
        typer.echo(f"numbers: {output}")


@app.command()
def models(
    predictions: Annotated[Path, typer.Option("--predictions", help=_COLUMNS)],
    output: Annotated[Path | None, typer.Option(*OUTPUT, help="The same as a table (.csv, .tsv, ...).")] = None,
    job: console.JobOption = None,
) -> None:
    """How often each model in a table is right, by type of item, and what ties change. No model is needed."""
    from pairlens.store.jobs import reporting
    from pairlens.studies.agreement.model_columns import right_by_model

    with reporting(job) as report:
        console.check_outputs([predictions], output)
        rows = right_by_model(predictions)
        for _, row in rows.iterrows():
            named = "\t".join(row[name] for name in ("language", "set", "model", "type"))
            same = f" ({row['same']} of the same word)" if row["same"] else ""
            shares = ", ".join(f"{100 * row[how]:.2f} % ties {how}" for how in CHOICES["ties"])
            left_out = f", {row['left_out']:,} left out" if row["left_out"] else ""
            typer.echo(f"{named}\t{row['n']:,} items{left_out}\t{counted(row['ties'], 'tie')}{same}\t{shares}")
        if output:
            write_table(rows, output)
            report.result(output=str(output))


def _print(answers: Answers) -> None:
    """The result, and why items are left out, if it is not only that its model does not know their forms."""
    from pairlens.studies.agreement.answers import UNSEEN
    from pairlens.studies.agreement.result import result

    typer.echo(text(result([answers])).rstrip())
    reasons = {item: reason for item, reason in answers.left_out.items() if reason != UNSEEN}
    for item in [*reasons][:NAMED]:
        typer.echo(f"left out {item}: {reasons[item]}")


_SHOWN = 1_000
"""So many texts show whether a file was cut into tokens."""


@dataclass(frozen=True, slots=True)
class _Choices(ChoicesFromLeft):
    """And whether texts that were cut into tokens are joined."""

    detokenise: Annotated[str | None, typer.Option("--detokenise", help="fr | en: join tokens (l' auteur).")] = None


@spread
def predict(
    *,
    source: Annotated[
        Path, typer.Option("--input", "-i", help="Two lines per item (.txt), .tab, .raw-pred, folder.")
    ],
    output: Annotated[Path, typer.Option(*OUTPUT, help="The log-probability of every form (.raw-pred; .tsv, ...).")],
    decisions: Annotated[
        Path | None, typer.Option("--pred", metavar="FILE", help="Also the choices (.pred, ...).")
    ] = None,
    table: TableOption = None,
    parses: ParsesOption = None,
    model: console.ModelOption = "english-small",
    scorer: KindOption = "",
    rule: Annotated[str, typer.Option("--rule", help=_RULES)] = "word",
    choices: _Choices,
    execution: Execution,
    job: console.JobOption = None,
) -> None:
    """Score both forms of every item, write the predictions, and say how often the right form is preferred.

    Stored scores are reused; an interrupted run resumes.
    """
    from pairlens.evaluation.evaluate import Context, data_name, run
    from pairlens.evaluation.requests import plan
    from pairlens.evaluation.result import read
    from pairlens.evaluation.zero_shot import meaningless
    from pairlens.store import Store
    from pairlens.store.jobs import reporting
    from pairlens.studies.agreement.answers import answers_of_runs
    from pairlens.studies.agreement.predictions import predictions, raw_predictions

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
        (answers,) = answers_of_runs([read(store, last.run_id)], store)
        for path, rows in zip(outputs, (raw_predictions, predictions), strict=False):
            write_table(rows(answers.candidates), path)
        report.result(run_id=last.run_id, output=str(output))
        scored = answers.candidates["context"] + answers.candidates["text"]
        console.advise(scored.head(_SHOWN).tolist(), policy, [recipe.model])
        _print(answers)
        typer.echo(f"run: {last.run_id}")
        typer.echo(f"scored {last.scored}, reused {last.reused}")
        typer.echo(f"predictions: {output}")
