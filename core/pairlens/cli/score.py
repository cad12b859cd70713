"""`score`: log-probabilities of texts, one row per token."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairlens.cli import console
from pairlens.cli.options import Execution, RunOptions, ScorerOption
from pairlens.cli.spread import spread
from pairlens.cli.texts import INPUT, ColumnOption, OutputOption, kept_if_possible, read_texts
from pairlens.errors import InputError
from pairlens.messages import counted
from pairlens.scoring.recipe import recipe_of
from pairlens.text import none_empty

if TYPE_CHECKING:
    from collections.abc import Sequence

_ABOUT_TEXTS = "Texts to score; or use --input, or standard input."


@spread
def score(
    *,
    texts: Annotated[list[str] | None, typer.Argument(help=_ABOUT_TEXTS)] = None,
    input_file: Annotated[Path | None, INPUT] = None,
    column: ColumnOption = "",
    encoding: console.EncodingOption = "",  # noqa: ARG001 (set by its callback)
    output: OutputOption = None,
    model: console.ModelOption = "english-small",
    scorer: ScorerOption = "",
    choices: RunOptions,
    execution: Execution,
    job: console.JobOption = None,
) -> None:
    """Score texts: one row per token, in input order.

    Columns: item (number of the text, from 1), text (verbatim; of more than 1,000 characters in its first row only),
    position, token, token_id, start, end (characters of the text as scored), word, word_position, logprob (nats),
    surprisal_bits. Unscored tokens have no logprob.
    """
    from pairlens.analysis.tokens import token_table
    from pairlens.store.jobs import reporting

    with reporting(job) as report:
        execution.apply()
        console.check_outputs([input_file], output)
        lines = _texts(texts, input_file, column)
        recipe = recipe_of(model, scorer, choices.policy(), allow_code=execution.allow_code)
        how: dict[str, Any] = {"watch": lambda steps: console.watch(steps, report), "rescore": execution.rescore}
        rows, note = kept_if_possible(lambda store: token_table(lines, recipe, store, **how))
        if note:
            console.say(note)
        console.advise(lines, recipe.policy, [recipe.model])
        console.print_or_write(rows, output)
        if output:
            report.result(output=str(output))
            console.say(f"{counted(len(lines), 'text')}, {counted(len(rows), 'token')}: {output}")


def _texts(arguments: Sequence[str] | None, file: Path | None, column: str) -> list[str]:
    """The texts to score: arguments, a file or standard input; InputError says where an empty one is."""
    if arguments and file:
        raise InputError("give texts or --input, not both")
    if arguments:
        return none_empty(list(arguments), "text")
    if file is None or str(file) == "-":
        if sys.stdin is None or sys.stdin.isatty():
            raise InputError("there is nothing to score: give a text, --input FILE, or pipe texts in")
        try:
            text = sys.stdin.buffer.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"byte {error.start} is not UTF-8: save the text as UTF-8", "standard input") from None
        lines = text.removesuffix("\n").replace("\r\n", "\n").split("\n") if text else []
        return none_empty(lines, "standard input, line")
    return read_texts(file, column)
