"""`inside`: where in a network the decision between two forms falls."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairlens.cli import console
from pairlens.cli.options import ChoicesFromLeft
from pairlens.cli.spread import spread
from pairlens.cli.texts import OutputOption
from pairlens.errors import InputError
from pairlens.files.datasets import located
from pairlens.files.tables import write_table
from pairlens.messages import counted
from pairlens.scoring.recipe import Recipe, recipe_of
from pairlens.studies.inside.proposal import proposals
from pairlens.studies.next_word import HOW, SETS

if TYPE_CHECKING:
    import pandas as pd

    from pairlens.store.jobs import JobReport

    _Printed = tuple[pd.DataFrame, dict[str, Any], Iterable[str]]


@spread
def inside(
    *,
    first: Annotated[
        str, typer.Argument(metavar="FIRST", help="A beginning, such as 'The keys to the cabinet'; or use --data.")
    ] = "",
    second: Annotated[
        str, typer.Argument(metavar="SECOND", help="One that differs in one place; without it, one is proposed.")
    ] = "",
    forms: Annotated[
        str,
        typer.Option(
            "--forms", metavar="A,B", help=f"Two forms of the next word; shares are of A's lead over B. {HOW}"
        ),
    ] = "",
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            help="Many items: first, second, form_first, form_second; or an experiment, agreement set, minimal "
            "pairs, CausalGym's templates.",
        ),
    ] = None,
    factor: Annotated[
        str,
        typer.Option(
            "--factor", help="Of an experiment: the factor whose two levels are compared; of templates: which."
        ),
    ] = "",
    encoding: console.EncodingOption = "",  # noqa: ARG001 (set by its callback)
    output: OutputOption = None,
    component: Annotated[
        str, typer.Option("--component", help="residual | attention | mlp: what is put from one run into the other.")
    ] = "residual",
    model: console.ModelOption = "english-small",
    form: Annotated[str, typer.Option("--format", help="text | json")] = "text",
    choices: ChoicesFromLeft,
    device: console.DeviceOption = "",
    rescore: console.RescoreOption = False,
    allow_code: console.CodeOption = "",
    job: console.JobOption = None,
) -> None:
    """Where in a causal model the decision between two forms falls, by layer and position (activation patching).

    A state of the run of one beginning is put into the run of the other. The share is how much of the difference
    between the two margins that moves: 0 nothing, 1 all. Layer 0 is the embedding, position 0 the start symbol. With
    --data it is the mean map of many items by region, with intervals and two controls, kept as a run.
    """
    from pairlens.store.jobs import reporting

    with reporting(job) as report:
        console.check_format(form)
        console.apply_limits(batch_size=0, device=device)
        console.check_outputs([data], output)
        recipe = recipe_of(model, "", choices.policy(SETS), allow_code=allow_code)
        if (data is None) == (not first):
            raise InputError("give a beginning, such as 'The keys to the cabinet', or --data FILE")
        if data is None:
            cells, plain, lines = _pair(first, second, forms, component, recipe)
        else:
            cells, plain, lines = _table(data, factor, component, recipe, report, rescore=rescore)
        if output:
            write_table(cells, output)
            report.result(output=str(output))
        typer.echo(json.dumps(plain, ensure_ascii=False, indent=1) if form == "json" else "\n".join(lines))


def _pair(first: str, second: str, forms: str, component: str, recipe: Recipe) -> _Printed:
    """The cells of one pair, everything as plain values, and in words."""
    from pairlens.store import Store
    from pairlens.studies.inside import pair, wording
    from pairlens.studies.inside.question import Question

    if not second:
        proposed = proposals(first, str(recipe.model.card.get("language", "")))
        if not proposed:
            raise InputError(
                "the lexicon knows no word here with another number, gender or licensor: give a second beginning, "
                "which differs in one place"
            )
        second = proposed[0].text
        console.say(f"Second beginning ({proposed[0].changed} exchanged): {second}")
    question = Question.typed(first, second, forms)
    inside = pair.inside(question, recipe, Store(), component=component)
    return inside.cells, wording.receipt(inside), wording.lines(inside)


def _table(data: Path, factor: str, component: str, recipe: Recipe, report: JobReport, *, rescore: bool) -> _Printed:
    from pairlens.evaluation import evaluate
    from pairlens.store import Store
    from pairlens.studies.inside import runs, wording

    path, store = located(data), Store()
    request = runs.request_of(path, recipe, component, factor)
    for reason, n in Counter(request.left_out.values()).items():
        console.say(f"Left out: {counted(n, 'item')} ({reason}).")
    context = evaluate.Context(store, data=runs.name_of(path), rescore=rescore)
    last = console.watch(evaluate.run(request.planned, context), report)
    report.result(run_id=last.run_id)
    mean = runs.mean_map(store, last.run_id)
    console.say(f"Run {last.run_id}: scored {last.scored}, reused {last.reused}")
    return mean.cells, wording.mean_receipt(mean), wording.mean_lines(mean)
