"""`agreement predict`: a model's log-probabilities of both forms of every item, and what they say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import console
from core.cli.agreement import NAMED, OUTPUT, ParsesOption, TableOption, agreement_in_words
from core.cli.options import ChoicesFromLeft, Execution, KindOption
from core.cli.spread import spread
from core.errors import PolicyError
from core.files.tables import check_writable, write_table
from core.rules import RULES
from core.scoring.recipe import recipe_of
from core.studies.agreement.heuristics import read_items
from core.tasks import TASKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from core.scoring.recipe import Recipe
    from core.store import Store

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
