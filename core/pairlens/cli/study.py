"""The verb of a study (`pairlens.studies.study`): its fields, models and choices as options, its result printed."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from pairlens.cli import console
from pairlens.cli.options import RunOptions, ScorerOption
from pairlens.cli.spread import spread
from pairlens.errors import InputError, unknown
from pairlens.results import files
from pairlens.scoring.recipe import recipe_of
from pairlens.studies.study import Study, ask


def verb(study: Study[Any, Any]) -> Callable[..., None]:
    """A study as a verb of typer's, with the same options beside its own fields as every other."""

    def run(
        *,
        question: Any,
        model: Annotated[list[str], console.model_option("--model", "-m")] = ["english-small"],  # noqa: B006
        scorer: ScorerOption = "",
        choices: RunOptions,
        form: Annotated[str, typer.Option("--format", help=" | ".join(files.FORMATS))] = "text",
        table: Annotated[str, typer.Option(help="Which table is printed or written.")] = "",
        output: Annotated[
            Path | None,
            typer.Option("--output", "-o", help="The table (.tsv .csv .json .parquet .xlsx), or a report (.html)."),
        ] = None,
        batch_size: console.BatchOption = 0,
        device: console.DeviceOption = "",
        allow_code: console.CodeOption = "",
    ) -> None:
        from pairlens.store import Store

        console.apply_limits(batch_size=batch_size, device=device)
        if form not in files.FORMATS:
            raise InputError(unknown("format", form, files.FORMATS))
        if output:
            files.check(output)
        policy = choices.policy()
        recipes = [recipe_of(name, scorer, policy, allow_code=allow_code) for name in model]
        texts = [request.text for request in study.requests(question)]
        console.advise(texts, policy, [recipe.model for recipe in recipes])
        result = ask(study, question, recipes, Store())
        if output:
            files.write(result, output, table)
            console.say(f"written: {output}")
        typer.echo(files.printed(result, form, table))

    run.__doc__, run.__annotations__["question"] = study.about, study.fields
    return spread(run)
