"""`nli`: answers evaluated on any data set, whatever the label systems of the two; labels translated."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli import console
from core.cli import nli_options as of
from core.cli.spread import spread
from core.errors import PolicyError
from core.studies.nli.matched import match
from core.studies.nli.wording import sentences

app = typer.Typer(help="Natural language inference: does a hypothesis follow from a premise?", no_args_is_help=True)


@app.command()
@spread
def evaluate(
    *,
    gold: Annotated[Path, typer.Option("--gold", help="Pairs with labels: ASSIN's XML, SICK, JSON lines, a table.")],
    predictions: Annotated[Path, typer.Option("--predictions", help="Answers by id: CSV, JSON lines, JSON, XML.")],
    model_system: of.ModelSystemOption,
    output: Annotated[Path, typer.Option(*of.OUTPUT, help="All numbers: .json; .csv, .tsv, .xlsx: a table of them.")],
    beside: of.Beside,
    gold_system: of.GoldSystemOption = "",
    judging: of.Judging,
    answers: Annotated[
        Path | None, typer.Option("--answers", metavar="FILE", help="Also the class of each pair (.csv, ..., .xml).")
    ] = None,
    split: of.SplitOption = "",
    reading: of.Reading,
    decimal_comma: of.CommaOption = False,
    job: console.JobOption = None,
) -> None:
    """Accuracy, macro-F1 and more of answers, judged by the labels of the data. No model is needed.

    Answers may be labels, similarities or both; similarities are evaluated by Pearson's correlation and the mean
    squared error. With --missing-wrong (-f), as in the official scorer of ASSIN, a missing answer and one
    that is no label of the model's system are wrong, and a missing similarity is 0.

    The rules between the two label systems are printed with the numbers.
    """
    from core.store.jobs import reporting
    from core.studies.nli.assignment import doubted
    from core.studies.nli.baselines import baselines
    from core.studies.nli.paired import compare
    from core.studies.nli.writing import check_output, write_answers, write_report

    with reporting(job) as report:
        outputs = [path for path in (output, answers) if path]
        console.check_kept([gold, predictions, beside.reverse, beside.second, *(judging.others or ())], outputs)
        for path in outputs:
            check_output(path, xml=path == answers)
        corpus = reading.corpus(gold, gold_system)
        corpus = corpus.part(split) if split else corpus
        answered, turned, other = beside.read(predictions, gaps=judging.missing_wrong)
        matched = match(corpus, answered, turned, by_position=judging.by_position)
        if doubt := doubted(matched, model_system, missing_wrong=judging.missing_wrong):
            console.say(doubt)
        judge = judging.judge(model_system)
        found, compared = judge(matched), None
        if other and found.headline.n:
            rival = judge(match(corpus, other, by_position=judging.by_position))
            compared = compare(found.headline, rival.headline)
        simple = baselines(found.headline, corpus)
        write_report(found, corpus, output, simple, compared, decimal_comma=decimal_comma)
        if answers:
            write_answers(found.everything, corpus, answers, decimal_comma=decimal_comma)
        report.result(output=str(output))
        for line in (*corpus.notes, *sentences(found, simple, compared), f"numbers: {output}"):
            typer.echo(line)


@app.command()
@spread
def translate(
    *,
    into: Annotated[str, typer.Option("--into", help=f"The labels to write: {of.SYSTEM_CHOICES}")],
    output: Annotated[Path, typer.Option(*of.OUTPUT, help=".xml (ASSIN's), .csv, .tsv, .jsonl, .json, .xlsx")],
    gold: Annotated[Path | None, typer.Option("--gold", help="Pairs with labels.")] = None,
    predictions: Annotated[Path | None, typer.Option("--predictions", help="Or answers by id.")] = None,
    reverse: of.ReverseOption = None,
    system: Annotated[str, typer.Option("--system", "--gold-system", "--model-system", help=of.SYSTEM_CHOICES)] = "",
    split: of.SplitOption = "",
    both: Annotated[
        bool,
        typer.Option("--both-directions", help="Write each pair twice: (a, b), and (b, a) with the label of that."),
    ] = False,
    reading: of.Reading,
    decimal_comma: of.CommaOption = False,
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
        write_xml,
    )

    if gold and predictions:
        raise PolicyError("give pairs (--gold) or answers (--predictions), not both")
    console.check_kept([gold, predictions, reverse], [output])
    check_output(output, xml=gold is not None)
    if gold:
        corpus = reading.corpus(gold, system)
        corpus = translate_corpus(corpus.part(split) if split else corpus, into)
        corpus = corpus.in_both_directions() if both else corpus
        if output.suffix.lower() == ".xml":
            write_xml(assin_xml(corpus), output)
        else:
            write_rows(corpus_table(corpus), output, decimal_comma=decimal_comma)
        notes, labels = corpus.notes, corpus.gold
    elif predictions:
        if split or both:
            raise PolicyError("parts and both directions are of pairs (--gold), not of answers")
        if not system:
            raise PolicyError("say whose labels the answers are (--system)")
        turned = of.answers(reverse) if reverse else None
        translated = translate_predictions(of.answers(predictions), turned, system, into)
        write_rows(predictions_table(translated), output, decimal_comma=decimal_comma)
        notes, labels = (), list(translated.labels)
    else:
        raise PolicyError("give pairs (--gold) or answers (--predictions)")
    for line in (*notes, *(f"{label}: {labels.count(label):,}" for label in dict.fromkeys(labels) if label)):
        typer.echo(line)
    typer.echo(f"written: {output}")
