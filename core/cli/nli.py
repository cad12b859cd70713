"""`nli`: a model's answers judged on any data set, whatever the labels of either; labels translated."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli import console
from core.labels import MODES, SYSTEMS

app = typer.Typer(help="Natural language inference: does a hypothesis follow from a premise?", no_args_is_help=True)

SYSTEM_CHOICES = " | ".join(SYSTEMS)
MODE_CHOICES = " | ".join(f"{name}: {meaning}" for name, meaning in MODES.items())
SICK_CHOICES = "label | directions | symmetric"
OUTPUT = ("--output-file", "--output_file", "-o")

GoldSystemOption = Annotated[
    str, typer.Option("--gold-system", help=f"{SYSTEM_CHOICES}; by default the one the labels show.")
]
ColumnOption = Annotated[
    list[str] | None,
    typer.Option("--column", metavar="ROLE=NAME", help="Columns of the data: premise, hypothesis, gold, id, ..."),
]
SickGoldOption = Annotated[
    str, typer.Option("--sick-gold", help=f"Gold labels of SICK: {SICK_CHOICES} (of one-way contradictions).")
]
LeaveOutOption = Annotated[
    bool, typer.Option("--leave-out-one-way", help="SICK: leave out contradictions in one direction only.")
]
SplitOption = Annotated[str, typer.Option("--split", help="Only pairs of this part, as TEST.")]
CommaOption = Annotated[bool, typer.Option("--decimal-comma", help="CSV with ; and decimal commas.")]


@app.command()
def evaluate(
    gold: Annotated[Path, typer.Option("--gold", help="Pairs with labels: ASSIN's XML, SICK, JSON lines, a table.")],
    predictions: Annotated[Path, typer.Option("--predictions", help="Answers by id: CSV, JSON lines, JSON, XML.")],
    model_system: Annotated[
        str, typer.Option("--model-system", help=f"Whose labels the answers are: {SYSTEM_CHOICES}")
    ],
    output: Annotated[Path, typer.Option(*OUTPUT, help="All numbers: .json; .csv, .tsv, .xlsx: a table of them.")],
    reverse: Annotated[
        Path | None, typer.Option("--reverse-predictions", help="Answers for premise and hypothesis swapped.")
    ] = None,
    gold_system: GoldSystemOption = "",
    mode: Annotated[str, typer.Option("--mode", help=MODE_CHOICES)] = "strict",
    answers: Annotated[
        Path | None, typer.Option("--answers", metavar="FILE", help="Also the class of each pair (.csv, ..., .xml).")
    ] = None,
    labels: Annotated[
        list[str] | None, typer.Option("--labels", metavar="ANSWER=LABEL", help="What answers stand for: 0=none,...")
    ] = None,
    others: Annotated[
        list[Path] | None, typer.Option("--other", metavar="FILE", help="What the model may have been trained on.")
    ] = None,
    second: Annotated[
        Path | None,
        typer.Option("--compare", metavar="FILE", help="Answers of a second model, with the same labels."),
    ] = None,
    split: SplitOption = "",
    by_position: Annotated[bool, typer.Option("--by-position", help="Match by order instead of by id.")] = False,
    missing_wrong: Annotated[
        bool,
        typer.Option(
            "--missing-wrong", "-f", help="Pairs without an answer count as wrong, missing similarities as 0."
        ),
    ] = False,
    columns: ColumnOption = None,
    sick_gold: SickGoldOption = "label",
    leave_out_one_way: LeaveOutOption = False,
    decimal_comma: CommaOption = False,
    job: console.JobOption = None,
) -> None:
    """Accuracy, macro-F1 and more of answers, judged by the labels of the data. No model is needed.

    Answers may be labels, similarities or both: a file with similarities only gets Pearson's correlation and the mean
    squared error. With --missing-wrong (-f), as the official scorer of ASSIN has it, what is not answered is wrong,
    and a missing similarity is 0.

    The rules for every pair of label systems are printed with the numbers.
    """
    from core.jobs import reporting
    from core.nli.assignment import doubted
    from core.nli.baselines import baselines
    from core.nli.matched import match
    from core.nli.paired import compare
    from core.nli.predicted import read_predictions
    from core.nli.readers import read_corpus
    from core.nli.report import report
    from core.nli.wording import sentences
    from core.nli.writing import check_output, write_answers, write_report

    with reporting(job) as reported:
        outputs = [path for path in (output, answers) if path]
        console.check_kept([gold, predictions, reverse, second, *(others or ())], outputs)
        for path in outputs:
            check_output(path, xml=path == answers)
        named = console.named("--column", columns)
        corpus = read_corpus(gold, gold_system, named, sick_gold=sick_gold, leave_out_one_way=leave_out_one_way)
        corpus = corpus.part(split) if split else corpus
        meaning = console.named("--labels", labels)
        asked = read_predictions(predictions).renamed(meaning)
        turned, other = (read_predictions(path).renamed(meaning) if path else None for path in (reverse, second))
        matched = match(corpus, asked, turned, by_position=by_position)
        if doubt := doubted(matched, model_system):
            console.say(doubt)
        sets = {path.name: read_corpus(path).pairs for path in others or ()}
        found = report(matched, model_system, mode, sets, missing_wrong=missing_wrong)
        beside = baselines(found.headline, corpus)
        compared = None
        if other and found.headline.n:
            rival = match(corpus, other, by_position=by_position)
            second_found = report(rival, model_system, mode, sets, missing_wrong=missing_wrong)
            compared = compare(found.headline, second_found.headline)
        write_report(found, corpus, output, beside, compared, decimal_comma=decimal_comma)
        if answers:
            write_answers(found.everything, corpus, answers, decimal_comma=decimal_comma)
        reported.result(output=str(output))
        for line in (*corpus.notes, *sentences(found, beside, compared), f"numbers: {output}"):
            typer.echo(line)


@app.command()
def translate(
    into: Annotated[str, typer.Option("--into", help=f"The labels to write: {SYSTEM_CHOICES}")],
    output: Annotated[Path, typer.Option(*OUTPUT, help=".xml (ASSIN's), .csv, .tsv, .jsonl, .json, .xlsx")],
    gold: Annotated[Path | None, typer.Option("--gold", help="Pairs with labels.")] = None,
    predictions: Annotated[Path | None, typer.Option("--predictions", help="Or answers by id.")] = None,
    reverse: Annotated[
        Path | None, typer.Option("--reverse-predictions", help="Answers for premise and hypothesis swapped.")
    ] = None,
    system: Annotated[str, typer.Option("--system", "--gold-system", "--model-system", help=SYSTEM_CHOICES)] = "",
    columns: ColumnOption = None,
    sick_gold: SickGoldOption = "label",
    leave_out_one_way: LeaveOutOption = False,
    decimal_comma: CommaOption = False,
) -> None:
    """Labels of one system written as those of another, where they determine them: of pairs, or of answers.

    SICK has labels for both directions, so that its pairs can be written with ASSIN's three labels.
    """
    from core.errors import PolicyError
    from core.nli.predicted import read_predictions
    from core.nli.readers import read_corpus
    from core.nli.translated import translate_corpus, translate_predictions
    from core.nli.writing import assin_xml, check_output, corpus_table, predictions_table, write_rows, write_xml

    if gold and predictions:
        raise PolicyError("give pairs (--gold) or answers (--predictions), not both")
    console.check_kept([gold, predictions, reverse], [output])
    check_output(output, xml=gold is not None)
    if gold:
        named = console.named("--column", columns)
        found = read_corpus(gold, system, named, sick_gold=sick_gold, leave_out_one_way=leave_out_one_way)
        corpus = translate_corpus(found, into)
        if output.suffix.lower() == ".xml":
            write_xml(assin_xml(corpus), output)
        else:
            write_rows(corpus_table(corpus), output, decimal_comma=decimal_comma)
        notes, labels = corpus.notes, corpus.gold
    elif predictions:
        if not system:
            raise PolicyError("say whose labels the answers are (--system)")
        turned = read_predictions(reverse) if reverse else None
        translated = translate_predictions(read_predictions(predictions), turned, system, into)
        write_rows(predictions_table(translated), output, decimal_comma=decimal_comma)
        notes, labels = (), list(translated.labels)
    else:
        raise PolicyError("give pairs (--gold) or answers (--predictions)")
    for line in (*notes, *(f"{label}: {labels.count(label):,}" for label in dict.fromkeys(labels) if label)):
        typer.echo(line)
    typer.echo(f"written: {output}")
