"""`nli predict`: a model's labels for pairs, in the directions that the data need."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import console
from core.cli.nli import OUTPUT, ColumnOption, GoldSystemOption, SplitOption
from core.cli.options import Execution, KindOption, PolicyOptions
from core.cli.spread import spread
from core.errors import PolicyError
from core.files.labels import system_of
from core.files.nli.readers import read_corpus
from core.files.tables import Layout, write_texts
from core.scoring.recipe import recipe_of
from core.studies.nli.matched import match

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.files.nli.pairs import Corpus
    from core.studies.nli.runs import Answers, NliRequest

_NAMED = 20
"""So many pairs that have no answer are named with the reason."""


@dataclass(frozen=True, slots=True)
class _Choices(PolicyOptions):
    """What of a policy moves a classifier's answers."""

    preset: console.PresetOption = "pairlens"
    dtype: console.DtypeOption = None
    others: console.SetOption = None


@spread
def predict(
    *,
    data: Annotated[
        Path, typer.Option("--gold", "--data", help="Pairs: ASSIN's .xml, SICK, SNLI's .jsonl, or a table.")
    ],
    output: Annotated[
        Path,
        typer.Option(*OUTPUT, help="The answers: .csv, .jsonl, ..., .xml (ASSIN's)."),
    ],
    model: console.ModelOption = "bilingual-entailment",
    data_system: GoldSystemOption = "",
    columns: ColumnOption = None,
    delimiter: Annotated[
        str, typer.Option("--delimiter", help="Of a table: what separates the columns, if not guessed right.")
    ] = "",
    encoding: console.EncodingOption = "",  # noqa: ARG001 (set by its callback)
    quoting: console.QuotingOption = "",  # noqa: ARG001 (the same)
    sheet: console.SheetOption = "",  # noqa: ARG001 (the same)
    labels: Annotated[
        list[str] | None,
        typer.Option("--labels", metavar="NAME=LABEL", help="What classes stand for: LABEL_0=entailment,..."),
    ] = None,
    model_system: Annotated[str, typer.Option("--model-system", help="The label system of the model.")] = "",
    prompt: Annotated[
        str,
        typer.Option("--prompt", help="Language models: asked in english (usual) or portuguese."),
    ] = "",
    calibrate: Annotated[
        bool,
        typer.Option("--calibrate", help="Language models: calibrate label words against a content-free prompt."),
    ] = False,
    both: Annotated[bool, typer.Option("--both", help="Also score swapped pairs, even if not needed.")] = False,
    split: SplitOption = "",
    reverse: Annotated[
        bool, typer.Option("--reverse", help="Ask with the sentences swapped only (for --reverse-predictions).")
    ] = False,
    mode: Annotated[str, typer.Option("--mode", help="strict | lenient | forward (one direction only).")] = "strict",
    scorer: KindOption = "",
    choices: _Choices,
    execution: Execution,
    job: console.JobOption = None,
) -> None:
    """Ask a model about every pair, in one direction or in both as the data need, and write its answers.

    Stored scores are reused; an interrupted run resumes.
    """
    from core.store import Store
    from core.store.jobs import reporting
    from core.studies.nli import runs as nli_runs
    from core.studies.nli.translated import check_translatable, translate_predictions
    from core.studies.nli.writing import assin_xml, check_output, predictions_table, write_rows

    with reporting(job) as report:
        execution.apply()
        check_output(output, xml=True)
        console.check_kept([data], [output])
        recipe = recipe_of(model, scorer, choices.policy(), allow_code=execution.allow_code)
        if reverse and both:
            raise PolicyError("give --both or --reverse, not both: --reverse asks about swapped pairs only")
        layout = Layout(delimiter.replace("\\t", "\t"))
        corpus = read_corpus(data, data_system, console.named("--column", columns), layout).part(split)
        request = nli_runs.ask(
            recipe, console.named("--labels", labels), model_system, prompt, calibrate, corpus.system
        )
        corpus = corpus.turned if reverse else corpus
        twice = both or (not reverse and nli_runs.needs_reverse(corpus, request, mode))
        if in_xml := output.suffix.lower() == ".xml":
            check_translatable(request.reading.system, corpus.system, both=twice)
        store = Store()
        last = console.watch(nli_runs.run(corpus, request, store, reverse=twice, rescore=execution.rescore), report)
        answers = nli_runs.answers(store, last.run_id, request)
        if in_xml:  # what the answers mean in the labels of the data
            translated = translate_predictions(answers.predictions, None, request.reading.system, corpus.system)
            write_texts(
                output.parent,
                {output.name: assin_xml(corpus, dict(zip(translated.ids, translated.labels, strict=True)))},
            )
        else:
            write_rows(predictions_table(answers.predictions), output)
        report.result(run_id=last.run_id, output=str(output))
        for line in _found(corpus, request, answers, twice=twice):
            typer.echo(line)
        typer.echo(f"scored {last.scored}, reused {last.reused}")
        typer.echo(store.manifest(last.run_id)["signature"])
        typer.echo(f"run: {last.run_id}")
        typer.echo(f"predictions: {output}")


def _found(corpus: Corpus, request: NliRequest, answers: Answers, *, twice: bool) -> Iterator[str]:
    """What the model's classes are taken for, how often it said what, what was left out, and doubts about it."""
    from core.reports.whole_set import for_demonstration
    from core.studies.nli.translated import doubted

    yield from corpus.notes
    yield f"the model's classes: {request.reading} ({system_of(request.reading.system).title})"
    counts = Counter(answers.predictions.labels).most_common()
    counted = ", ".join(f"{label} {n:,}" for label, n in counts)
    directions = "in both directions" if twice else "in one direction"
    yield f"{len(answers.predictions):,} of {len(corpus):,} pairs, {directions}: {counted}"
    if answers.ties:
        yield f"{len(answers.ties):,} ties, decided for the label that comes first"
    yield from _named("left out", corpus.left_out)
    yield from _named("not asked about", [*answers.refused.items()])
    if not request.in_words and len(answers.predictions) and any(corpus.gold):
        doubt = doubted(match(corpus, answers.predictions), request.reading.system)
        yield from [doubt] if doubt else []
    if warning := for_demonstration(request.recipe.model.card):
        yield warning


def _named(what: str, reasons: Sequence[tuple[str, str]]) -> Iterator[str]:
    """The first of those that have no answer, with the reason, and how many more there are."""
    for place, reason in reasons[:_NAMED]:
        yield f"{what} {place}: {reason}"
    if len(reasons) > _NAMED:
        yield f"{what} {len(reasons) - _NAMED:,} more"
