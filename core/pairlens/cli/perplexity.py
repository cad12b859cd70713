"""`perplexity`: how well a model predicts texts, one row per text, and over all of them."""

import typer

from pairlens.cli import console
from pairlens.cli.options import Execution, RunOptions, ScorerOption
from pairlens.cli.spread import spread
from pairlens.cli.texts import ColumnOption, InputOption, OutputOption, kept_if_possible, read_texts
from pairlens.scoring.recipe import recipe_of


@spread
def perplexity(
    *,
    input_file: InputOption,
    column: ColumnOption = "",
    encoding: console.EncodingOption = "",  # noqa: ARG001 (set by its callback)
    output: OutputOption = None,
    model: console.ModelOption = "english-small",
    scorer: ScorerOption = "",
    choices: RunOptions,
    execution: Execution,
    job: console.JobOption = None,
) -> None:
    """Perplexity per text and over a file, with and without unknown words, and per word.

    Empty lines are skipped, and the end of a text is not scored. Masked models have a pseudo-perplexity, which cannot
    be compared with a perplexity.
    """
    import pandas as pd

    from pairlens.analysis.perplexity import names, overall, perplexity_table
    from pairlens.store.jobs import reporting

    with reporting(job) as report:
        execution.apply()
        console.check_outputs([input_file], output)
        texts = read_texts(input_file, column, blanks=True)
        recipe = recipe_of(model, scorer, choices.policy(), allow_code=execution.allow_code)
        table = kept_if_possible(
            lambda store: perplexity_table(
                texts, recipe, store, watch=lambda steps: console.watch(steps, report), rescore=execution.rescore
            )
        )
        console.advise(texts, recipe.policy, [recipe.model])
        console.print_or_write(table, output)
        if output:
            report.result(output=str(output))
        total = overall(table, recipe)
        say = console.say if output is None else typer.echo
        unknown = "" if pd.isna(total["unknown"]) else f", {total['unknown']:,.0f} unknown"
        say(f"{len(texts):,} texts, {total['scored']:,.0f} tokens scored{unknown}, {total['words']:,.0f} words")
        abouts = ("per token", "unknown tokens left out", "per word")
        for name, about in zip(names(recipe).values(), abouts, strict=True):
            say(f"{name}\t{'no number' if pd.isna(total[name]) else f'{total[name]:.4f}'}\t{about}")
