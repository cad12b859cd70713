"""`next-word`: what a model expects after each word of a sentence, and which of several forms it prefers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from pairlens.cli import console
from pairlens.cli.options import ChoicesFromLeft
from pairlens.cli.spread import spread
from pairlens.cli.texts import ColumnOption, InputOption, OutputOption, read_texts
from pairlens.messages import counted
from pairlens.scoring.recipe import recipe_of
from pairlens.studies.next_word import HOW, SETS

if TYPE_CHECKING:
    import pandas as pd

    from pairlens.scoring.recipe import Recipe
    from pairlens.store.jobs import JobReport
    from pairlens.types import Predictor

_AT_ONCE = 64
"""Texts scored between two updates of the progress bar."""


@spread
def next_word(
    *,
    input_file: InputOption,
    column: ColumnOption = "",
    encoding: console.EncodingOption = "",  # noqa: ARG001 (set by its callback)
    output: OutputOption = None,
    model: console.ModelOption = "english-small",
    by: Annotated[str, typer.Option("--by", help="piece | word: a row per token, or per whole word.")] = "piece",
    prefix: Annotated[
        bool, typer.Option("--prefix", help="Texts are prefixes: also give what follows each.")
    ] = False,
    forms: Annotated[
        str, typer.Option("--forms", metavar="A,B", help=f"Texts are prefixes: compare these forms after each. {HOW}")
    ] = "",
    choices: ChoicesFromLeft,
    batch_size: console.BatchOption = 0,
    device: console.DeviceOption = "",
    allow_code: console.CodeOption = "",
    job: console.JobOption = None,
) -> None:
    """What a causal model expects next, position by position: token, ref_next, pred_next, ref_prob, pred_prob.

    The last two columns are natural logarithms, as published. A word ends at a space, a mark or the end of the text.
    Empty lines are skipped. Where lines 1 and 2, 3 and 4, ... differ in one word, the model's choice is printed too.
    """
    from pairlens.store import Store
    from pairlens.store.jobs import reporting
    from pairlens.studies.next_word import wording
    from pairlens.studies.next_word.forms import compare_forms, forms_table, read_forms, shared_prefixes
    from pairlens.studies.next_word.pieces import predictor

    with reporting(job) as report:
        console.apply_limits(batch_size=batch_size, device=device)
        console.check_outputs([input_file], output)
        texts = read_texts(input_file, column, blanks=True)
        policy = choices.policy(SETS)
        recipe = recipe_of(model, "", policy, allow_code=allow_code)
        console.advise(texts, policy, [recipe.model])
        named = read_forms(forms) if forms else []
        opened = predictor(recipe)
        requests = [(text, named) for text in texts] if named else [] if prefix else shared_prefixes(texts)
        chosen = compare_forms(requests, recipe, Store(), lambda: opened)
        table = forms_table(chosen) if named else _table(texts, recipe, opened, report, by, prefix)
        console.print_or_write(table, output)
        if output:
            console.say(f"{counted(len(table), 'row')}: {output}")
        say = console.say if output is None else typer.echo
        for choice in chosen:
            say(wording.sentence(choice, policy.unit))
        if len(chosen) > 1:
            say(wording.tally(chosen))
        report.result(output=str(output or ""))


def _table(
    texts: Sequence[str], recipe: Recipe, opened: Predictor, report: JobReport, by: str, prefixes: bool
) -> pd.DataFrame:
    import pandas as pd

    from pairlens.scoring.into_store import Progress
    from pairlens.studies.next_word.table import next_word_table

    frames: list[pd.DataFrame] = []

    def steps() -> Iterator[Progress]:
        begun = monotonic()
        for start in range(0, len(texts), _AT_ONCE):
            yield Progress(len(texts), start, 0, start, monotonic() - begun)
            frame = next_word_table(texts[start : start + _AT_ONCE], recipe, opened, by=by, prefixes=prefixes)
            frames.append(frame.assign(sentence=frame["sentence"] + start))
        yield Progress(len(texts), len(texts), 0, len(texts), monotonic() - begun)

    console.watch(steps(), report)
    return pd.concat(frames, ignore_index=True)
