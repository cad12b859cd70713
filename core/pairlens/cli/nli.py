"""`nli`: pairs asked of a model; answers evaluated whatever the label systems of the two; labels translated."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pairlens.cli import console
from pairlens.cli.options import Execution, KindOption, PolicyOptions
from pairlens.cli.spread import flag, option, spread
from pairlens.files.labels import MODES, SYSTEMS, system_of
from pairlens.files.nli.assin import assin_xml
from pairlens.files.nli.pairs import Corpus
from pairlens.files.nli.readers import GOLD, read_corpus
from pairlens.files.tables import Layout, check_writable, guesses, write_table, write_texts
from pairlens.results import files
from pairlens.results.text import rows
from pairlens.scoring.recipe import recipe_of
from pairlens.studies.nli.matched import match, read_predictions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pairlens.files.nli.pairs import Predictions
    from pairlens.studies.nli.runs import Answers, NliRequest


_SYSTEMS = " | ".join(SYSTEMS)
_XML = ".xml"
_NAMED = 20
"""So many pairs that have no answer are named with the reason."""
_OUTPUT = ("--output-file", "--output_file", "-o")
OutputOption = Annotated[
    Path, typer.Option(*_OUTPUT, help="A table (.csv .tsv .jsonl .xlsx ...), JSON, or ASSIN's XML.")
]
_GOLD = "Pairs: ASSIN's XML, SICK, SNLI's JSON lines, or a table."
_SWAPPED = "Answers for premise and hypothesis swapped."
GoldOption = Annotated[Path, typer.Option("--gold", "--data", help=_GOLD)]
GoldSystemOption = Annotated[
    str, typer.Option("--gold-system", help=f"{_SYSTEMS}; inferred from the labels by default.")
]
ReverseOption = Annotated[Path | None, typer.Option("--reverse-predictions", help=_SWAPPED)]
LabelsOption = Annotated[
    list[str] | None, typer.Option("--labels", metavar="NAME=LABEL", help="The meaning of answers: 0=none,...")
]
ModeOption = Annotated[str, typer.Option("--mode", help=" | ".join(map(": ".join, MODES.items())))]


@dataclass(frozen=True, slots=True)
class Reading:
    """How pairs are read, where the file leaves a choice."""

    split: str = option("Only pairs of this part, as TEST.", "--split", default="")
    columns: Annotated[
        list[str] | None,
        typer.Option("--column", metavar="ROLE=NAME", help="Columns of the data: premise, hypothesis, gold, id, ..."),
    ] = None
    delimiter: str = option("What separates columns, if not guessed right.", "--delimiter", default="")
    encoding: console.EncodingOption = ""
    quoting: console.QuotingOption = ""
    sheet: console.SheetOption = ""
    sick_gold: str = option(
        f"Gold labels of SICK: {' | '.join(GOLD)} (of one-way contradictions).", "--sick-gold", default="label"
    )

    def corpus(self, gold: Path, system: str) -> Corpus:
        """The pairs of a file; InputError or PolicyError if it cannot be read with these options."""
        named, layout = console.named("--column", self.columns), Layout(self.delimiter.replace("\\t", "\t"))
        return read_corpus(gold, system, named, layout, self.split, sick_gold=self.sick_gold)


@dataclass(frozen=True, slots=True)
class Asking:
    """How a model is asked."""

    labels: LabelsOption = None
    model_system: str = option("The label system of the model.", "--model-system", default="")
    prompt: str = option("Language models: asked in english (usual) or portuguese.", "--prompt", default="")
    calibrate: bool = flag("Language models: calibrate label words against a content-free prompt.", "--calibrate")
    both: bool = flag("Also score swapped pairs, even if not needed.", "--both")
    mode: ModeOption = "strict"


@dataclass(frozen=True, slots=True)
class _Choices(PolicyOptions):
    """What of a policy moves a classifier's answers."""

    preset: console.PresetOption = "pairlens"
    dtype: console.DtypeOption = None
    others: console.SetOption = None


app = typer.Typer(help="Natural language inference: does a hypothesis follow from a premise?", no_args_is_help=True)


@app.command()
@spread
def predict(
    *,
    data: GoldOption,
    output: OutputOption,
    model: console.ModelOption = "bilingual-entailment",
    data_system: GoldSystemOption = "",
    reading: Reading,
    asking: Asking,
    scorer: KindOption = "",
    choices: _Choices,
    execution: Execution,
    job: console.JobOption = None,
) -> None:
    """Ask a model about every pair, in one direction or in both as the data need, and write its answers.

    Stored scores are reused; an interrupted run resumes.
    """
    from pairlens.store import Store
    from pairlens.store.jobs import reporting
    from pairlens.studies.nli import runs as nli_runs
    from pairlens.studies.nli.translated import check_translatable, translate_predictions

    with reporting(job) as report:
        execution.apply()
        check_writable(output, (_XML,))
        console.check_kept([data], [output])
        recipe = recipe_of(model, scorer, choices.policy(), allow_code=execution.allow_code)
        corpus, meaning = reading.corpus(data, data_system), console.named("--labels", asking.labels)
        request = nli_runs.ask(recipe, meaning, asking.model_system, asking.prompt, asking.calibrate, corpus.system)
        twice = asking.both or nli_runs.needs_reverse(corpus, request, asking.mode)
        if in_xml := output.suffix.lower() == _XML:
            check_translatable(request.reading.system, corpus.system, both=twice)
        store = Store()
        last = console.watch(nli_runs.run(corpus, request, store, reverse=twice, rescore=execution.rescore), report)
        answers = nli_runs.answers(store, last.run_id, request)
        if in_xml:  # what the answers mean in the labels of the data
            translated = translate_predictions(answers.predictions, None, request.reading.system, corpus.system)
            by_id = dict(zip(translated.ids, translated.labels, strict=True))
            write_texts(output.parent, {output.name: assin_xml(corpus, by_id)})
        else:
            write_table(answers.predictions.frame(), output)
        report.result(run_id=last.run_id, output=str(output))
        for line in _account(corpus, request, answers, twice=twice):
            typer.echo(line)
        typer.echo(f"scored {last.scored}, reused {last.reused}")
        typer.echo(store.manifest(last.run_id)["signature"])
        typer.echo(f"run: {last.run_id}\npredictions: {output}")


def _account(corpus: Corpus, request: NliRequest, answers: Answers, *, twice: bool) -> Iterator[str]:
    """What the model's classes are taken for, how often it said what, what was left out, and doubts about it."""
    from pairlens.reports.whole_set import for_demonstration
    from pairlens.studies.nli.translated import doubt

    predictions, system = answers.predictions, request.reading.system
    yield from corpus.notes
    yield f"the model's classes: {request.reading} ({system_of(system).title})"
    counts = ", ".join(f"{label} {n:,}" for label, n in Counter(predictions.labels).most_common())
    directions = "in both directions" if twice else "in one direction"
    yield f"{len(predictions):,} of {len(corpus):,} pairs, {directions}: {counts}"
    if answers.ties:
        yield f"{len(answers.ties):,} ties, decided for the label that comes first"
    yield from _named("left out", corpus.left_out)
    yield from _named("not asked about", [*answers.refused.items()])
    if not request.in_words and len(predictions) and any(corpus.gold):
        answered = match(corpus, predictions).labelled
        yield from filter(None, [doubt([*answered["gold"]], [*answered["forward"]], corpus.system, system)])
    yield from filter(None, [for_demonstration(request.recipe.model.card)])


def _named(what: str, reasons: Sequence[tuple[str, str]]) -> Iterator[str]:
    for place, reason in reasons[:_NAMED]:
        yield f"{what} {place}: {reason}"
    if len(reasons) > _NAMED:
        yield f"{what} {len(reasons) - _NAMED:,} more"


@dataclass(frozen=True, slots=True)
class Judging:
    """How answers are judged."""

    reverse: ReverseOption = None
    labels: LabelsOption = None
    second: Annotated[
        Path | None,
        typer.Option("--compare", metavar="FILE", help="Answers of a second model, with the same labels."),
    ] = None
    gold_system: GoldSystemOption = ""
    mode: ModeOption = "strict"
    others: Annotated[
        list[Path] | None,
        typer.Option(
            "--other", metavar="FILE", help="Data that the model was trained on: the headline is without its pairs."
        ),
    ] = None
    by_position: bool = flag("Match by order instead of by id.", "--by-position")
    missing_wrong: bool = flag(
        "Missing and unknown answers are wrong, missing similarities are 0.", "--missing-wrong", "-f"
    )
    answers: Annotated[
        Path | None, typer.Option("--answers", metavar="FILE", help="Also the class of each pair (.csv, ..., .xml).")
    ] = None

    def read(self, path: Path | None) -> Predictions | None:
        """The answers in one of its files, under the names that `labels` give them."""
        meaning = console.named("--labels", self.labels)
        return _answers(path, gaps=self.missing_wrong).renamed(meaning) if path else None


@app.command()
@spread
def evaluate(
    *,
    gold: GoldOption,
    predictions: Annotated[Path, typer.Option("--predictions", help="Answers by id: CSV, JSON lines, JSON, XML.")],
    model_system: Annotated[str, typer.Option("--model-system", help=f"Label system of the answers: {_SYSTEMS}")],
    output: Annotated[
        Path, typer.Option(*_OUTPUT, help="All numbers: .json; .html: a report; .csv, .tsv, .xlsx: a table of them.")
    ],
    judging: Judging,
    reading: Reading,
    job: console.JobOption = None,
) -> None:
    """Accuracy, macro-F1 and more of answers, judged by the labels of the data. No model is needed.

    Answers may be labels, similarities or both; similarities are evaluated by Pearson's correlation and the mean
    squared error. With --missing-wrong (-f), as in the official scorer of ASSIN, a missing answer and one
    that is no label of the model's system are wrong, and a missing similarity is 0.

    The rules between the two label systems are printed with the numbers.
    """
    from pairlens.store.jobs import reporting
    from pairlens.studies.nli.report import judge
    from pairlens.studies.nli.result import result as shown

    with reporting(job) as report:
        inputs, answers, others = (
            (predictions, judging.reverse, judging.second),
            judging.answers,
            judging.others or (),
        )
        console.check_kept([gold, *inputs, *others], filter(None, (output, answers)))
        check_writable(output, (files.REPORT[0],))
        if answers:
            check_writable(answers, (_XML,))
        corpus = reading.corpus(gold, judging.gold_system)
        forward, reverse, second = map(judging.read, inputs)
        assert forward is not None
        judged = judge(
            corpus, forward, model_system, judging.mode, reverse=reverse, second=second, others=others,
            by_position=judging.by_position, missing_wrong=judging.missing_wrong,
        )  # fmt: skip
        result = shown(judged)
        files.write(result, output)
        if answers and answers.suffix.lower() == _XML:
            files.write(result, answers)
        elif answers:
            write_table(result.answers, answers)
        report.result(output=str(output))
        beside = [line for table in result.tables if table.name == "baselines" for line in rows(table)]
        for line in (*corpus.notes, files.printed(result, "text"), *beside, f"numbers: {output}"):
            typer.echo(line)


@app.command()
@spread
def translate(
    *,
    into: Annotated[str, typer.Option("--into", help=f"The labels to write: {_SYSTEMS}")],
    output: OutputOption,
    gold: Annotated[Path | None, typer.Option("--gold", help="Pairs with labels.")] = None,
    predictions: Annotated[Path | None, typer.Option("--predictions", help="Or answers by id.")] = None,
    reverse: ReverseOption = None,
    system: Annotated[str, typer.Option("--system", "--gold-system", "--model-system", help=_SYSTEMS)] = "",
    both: Annotated[
        bool,
        typer.Option("--both-directions", help="Write each pair twice: (a, b), and (b, a) with the label of that."),
    ] = False,
    reading: Reading,
) -> None:
    """Translate the labels of pairs, or of answers, into another system, where they determine its labels.

    SICK has labels for both directions: its pairs can be written with ASSIN's three labels, and with
    --both-directions as two entries each; --sick-gold says which label (b, a) gets.
    """
    from pairlens.studies.nli.translated import translated

    console.check_kept([gold, predictions, reverse], [output])
    check_writable(output, (_XML,) if gold else ())
    corpus = reading.corpus(gold, system) if gold else None
    answers, backward = (_answers(path) if path else None for path in (predictions, reverse))
    translation = translated(into, corpus, answers, backward, system, split="" if gold else reading.split, both=both)
    if isinstance(translation, Corpus) and output.suffix.lower() == _XML:
        write_texts(output.parent, {output.name: assin_xml(translation)})
    else:
        write_table(translation.frame(), output)
    notes, labels = (
        (translation.notes, translation.gold) if isinstance(translation, Corpus) else ((), translation.labels)
    )
    counts = Counter(filter(None, labels)).items()
    for line in (*notes, *(f"{label}: {n:,}" for label, n in counts), f"written: {output}"):
        typer.echo(line)


def _answers(path: Path, *, gaps: bool = False) -> Predictions:
    """The answers in a file (`read_predictions`); what was guessed about its encoding is said."""
    answers = read_predictions(path, gaps=gaps)
    for guess in guesses(path):
        console.say(guess)
    return answers
