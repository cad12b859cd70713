"""`nli`: answers evaluated on any data set, whatever the label systems of the two; labels translated."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import console
from core.cli.spread import spread
from core.errors import PolicyError
from core.files.labels import MODES, SYSTEMS
from core.files.nli.readers import GOLD, read_corpus
from core.files.tables import guesses, write_texts
from core.studies.nli.matched import match
from core.studies.nli.predicted import read_predictions

if TYPE_CHECKING:
    from core.files.nli.pairs import Corpus, Predictions


SYSTEM_CHOICES = " | ".join(SYSTEMS)
OUTPUT = ("--output-file", "--output_file", "-o")

GoldSystemOption = Annotated[
    str, typer.Option("--gold-system", help=f"{SYSTEM_CHOICES}; inferred from the labels by default.")
]
ReverseOption = Annotated[
    Path | None, typer.Option("--reverse-predictions", help="Answers for premise and hypothesis swapped.")
]
ColumnOption = Annotated[
    list[str] | None,
    typer.Option("--column", metavar="ROLE=NAME", help="Columns of the data: premise, hypothesis, gold, id, ..."),
]
SplitOption = Annotated[str, typer.Option("--split", help="Only pairs of this part, as TEST.")]
CommaOption = Annotated[bool, typer.Option("--decimal-comma", help="CSV with ; and decimal commas.")]


@dataclass(frozen=True, slots=True)
class Reading:
    """How labelled pairs are read, where the file leaves a choice."""

    columns: ColumnOption = None
    encoding: console.EncodingOption = ""
    quoting: console.QuotingOption = ""
    sheet: console.SheetOption = ""
    sick_gold: Annotated[
        str, typer.Option("--sick-gold", help=f"Gold labels of SICK: {' | '.join(GOLD)} (of one-way contradictions).")
    ] = "label"
    leave_out_one_way: Annotated[
        bool, typer.Option("--leave-out-one-way", help="SICK: leave out contradictions in one direction only.")
    ] = False

    def corpus(self, gold: Path, system: str) -> Corpus:
        """The pairs of a file; InputError or PolicyError if it cannot be read with these options."""
        named = console.named("--column", self.columns)
        return read_corpus(gold, system, named, sick_gold=self.sick_gold, leave_out_one_way=self.leave_out_one_way)


def read_answers(path: Path, *, gaps: bool = False) -> Predictions:
    """The answers in a file (`read_predictions`); what was guessed about its encoding is said."""
    answers = read_predictions(path, gaps=gaps)
    for guess in guesses(path):
        console.say(guess)
    return answers


app = typer.Typer(help="Natural language inference: does a hypothesis follow from a premise?", no_args_is_help=True)


@app.command()
@spread
def evaluate(
    *,
    gold: Annotated[Path, typer.Option("--gold", help="Pairs with labels: ASSIN's XML, SICK, JSON lines, a table.")],
    predictions: Annotated[Path, typer.Option("--predictions", help="Answers by id: CSV, JSON lines, JSON, XML.")],
    model_system: Annotated[
        str, typer.Option("--model-system", help=f"Label system of the answers: {SYSTEM_CHOICES}")
    ],
    output: Annotated[Path, typer.Option(*OUTPUT, help="All numbers: .json; .csv, .tsv, .xlsx: a table of them.")],
    reverse: ReverseOption = None,
    labels: Annotated[
        list[str] | None, typer.Option("--labels", metavar="ANSWER=LABEL", help="The meaning of answers: 0=none,...")
    ] = None,
    second: Annotated[
        Path | None,
        typer.Option("--compare", metavar="FILE", help="Answers of a second model, with the same labels."),
    ] = None,
    gold_system: GoldSystemOption = "",
    mode: Annotated[str, typer.Option("--mode", help=" | ".join(map(": ".join, MODES.items())))] = "strict",
    others: Annotated[
        list[Path] | None,
        typer.Option(
            "--other", metavar="FILE", help="Data that the model was trained on: the headline is without its pairs."
        ),
    ] = None,
    by_position: Annotated[bool, typer.Option("--by-position", help="Match by order instead of by id.")] = False,
    missing_wrong: Annotated[
        bool,
        typer.Option(
            "--missing-wrong", "-f", help="Missing and unknown answers are wrong, missing similarities are 0."
        ),
    ] = False,
    answers: Annotated[
        Path | None, typer.Option("--answers", metavar="FILE", help="Also the class of each pair (.csv, ..., .xml).")
    ] = None,
    split: SplitOption = "",
    reading: Reading,
    decimal_comma: CommaOption = False,
    job: console.JobOption = None,
) -> None:
    """Accuracy, macro-F1 and more of answers, judged by the labels of the data. No model is needed.

    Answers may be labels, similarities or both; similarities are evaluated by Pearson's correlation and the mean
    squared error. With --missing-wrong (-f), as in the official scorer of ASSIN, a missing answer and one
    that is no label of the model's system are wrong, and a missing similarity is 0.

    The rules between the two label systems are printed with the numbers.
    """
    from core.store.jobs import reporting
    from core.studies.nli.baselines import baselines
    from core.studies.nli.evaluated import compare
    from core.studies.nli.report import named_sets
    from core.studies.nli.report import report as evaluation
    from core.studies.nli.translated import doubted
    from core.studies.nli.wording import sentences
    from core.studies.nli.writing import check_output, write_answers, write_report

    with reporting(job) as report:
        outputs = [path for path in (output, answers) if path]
        console.check_kept([gold, predictions, reverse, second, *(others or ())], outputs)
        for path in outputs:
            check_output(path, xml=path == answers)
        corpus = reading.corpus(gold, gold_system).part(split)
        gaps, meaning = missing_wrong, console.named("--labels", labels)
        answered, turned, other = (
            read_answers(path, gaps=gaps).renamed(meaning) if path else None
            for path in (predictions, reverse, second)
        )
        assert answered is not None
        matched = match(corpus, answered, turned, by_position=by_position)
        if doubt := doubted(matched, model_system, missing_wrong=gaps):
            console.say(doubt)
        judge = partial(
            evaluation, model_system=model_system, mode=mode, others=named_sets(others or ()),
            missing_wrong=gaps,
        )  # fmt: skip
        first, compared = judge(matched), None
        if other and first.headline.n:
            rival = judge(match(corpus, other, by_position=by_position))
            compared = compare(first.headline, rival.headline)
        simple = baselines(first.headline, corpus)
        write_report(first, corpus, output, simple, compared, decimal_comma=decimal_comma)
        if answers:
            write_answers(first.everything, corpus, answers, decimal_comma=decimal_comma)
        report.result(output=str(output))
        for line in (*corpus.notes, *sentences(first, simple, compared), f"numbers: {output}"):
            typer.echo(line)


@app.command()
@spread
def translate(
    *,
    into: Annotated[str, typer.Option("--into", help=f"The labels to write: {SYSTEM_CHOICES}")],
    output: Annotated[Path, typer.Option(*OUTPUT, help=".xml (ASSIN's), .csv, .tsv, .jsonl, .json, .xlsx")],
    gold: Annotated[Path | None, typer.Option("--gold", help="Pairs with labels.")] = None,
    predictions: Annotated[Path | None, typer.Option("--predictions", help="Or answers by id.")] = None,
    reverse: ReverseOption = None,
    system: Annotated[str, typer.Option("--system", "--gold-system", "--model-system", help=SYSTEM_CHOICES)] = "",
    split: SplitOption = "",
    both: Annotated[
        bool,
        typer.Option("--both-directions", help="Write each pair twice: (a, b), and (b, a) with the label of that."),
    ] = False,
    reading: Reading,
    decimal_comma: CommaOption = False,
) -> None:
    """Translate the labels of pairs, or of answers, into another system, where they determine its labels.

    SICK has labels for both directions: its pairs can be written with ASSIN's three labels, and with
    --both-directions as two entries each; --sick-gold says which label (b, a) gets.
    """
    from core.studies.nli.translated import translate_corpus, translate_predictions
    from core.studies.nli.writing import (
        assin_xml,
        check_output,
        corpus_table,
        predictions_table,
        write_rows,
    )

    if gold and predictions:
        raise PolicyError("give pairs (--gold) or answers (--predictions), not both")
    console.check_kept([gold, predictions, reverse], [output])
    check_output(output, xml=gold is not None)
    if gold:
        corpus = translate_corpus(reading.corpus(gold, system).part(split), into)
        corpus = corpus.in_both_directions() if both else corpus
        if output.suffix.lower() == ".xml":
            write_texts(output.parent, {output.name: assin_xml(corpus)})
        else:
            write_rows(corpus_table(corpus), output, decimal_comma=decimal_comma)
        notes, labels = corpus.notes, corpus.gold
    elif predictions:
        if split or both:
            raise PolicyError("parts and both directions are of pairs (--gold), not of answers")
        if not system:
            raise PolicyError("say whose labels the answers are (--system)")
        turned = read_answers(reverse) if reverse else None
        translated = translate_predictions(read_answers(predictions), turned, system, into)
        write_rows(predictions_table(translated), output, decimal_comma=decimal_comma)
        notes, labels = (), list(translated.labels)
    else:
        raise PolicyError("give pairs (--gold) or answers (--predictions)")
    for line in (*notes, *(f"{label}: {labels.count(label):,}" for label in dict.fromkeys(labels) if label)):
        typer.echo(line)
    typer.echo(f"written: {output}")
