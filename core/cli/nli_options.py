"""The options of `nli`, in groups: how pairs are read, which answers are judged, and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import console
from core.files.labels import MODES, SYSTEMS
from core.files.nli.readers import read_corpus
from core.files.tables import guesses
from core.studies.nli.predicted import read_predictions
from core.studies.nli.related_sets import named_sets

if TYPE_CHECKING:
    from core.files.nli.pairs import Corpus, Predictions
    from core.studies.nli.matched import Matched
    from core.studies.nli.report import NliReport

SYSTEM_CHOICES = " | ".join(SYSTEMS)
MODE_CHOICES = " | ".join(f"{name}: {meaning}" for name, meaning in MODES.items())
SICK_CHOICES = "label | directions | symmetric"
OUTPUT = ("--output-file", "--output_file", "-o")

GoldSystemOption = Annotated[
    str, typer.Option("--gold-system", help=f"{SYSTEM_CHOICES}; inferred from the labels by default.")
]
ModelSystemOption = Annotated[
    str, typer.Option("--model-system", help=f"Label system of the answers: {SYSTEM_CHOICES}")
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
        str, typer.Option("--sick-gold", help=f"Gold labels of SICK: {SICK_CHOICES} (of one-way contradictions).")
    ] = "label"
    leave_out_one_way: Annotated[
        bool, typer.Option("--leave-out-one-way", help="SICK: leave out contradictions in one direction only.")
    ] = False

    def corpus(self, gold: Path, system: str) -> Corpus:
        """The pairs of a file; InputError or PolicyError if it cannot be read with these options."""
        named = console.named("--column", self.columns)
        return read_corpus(gold, system, named, sick_gold=self.sick_gold, leave_out_one_way=self.leave_out_one_way)


def answers(path: Path, *, gaps: bool = False) -> Predictions:
    """The answers in a file (`read_predictions`); what was guessed about its encoding is said."""
    found = read_predictions(path, gaps=gaps)
    for said in guesses(path):
        console.say(said)
    return found


@dataclass(frozen=True, slots=True)
class Beside:
    """What goes with a file of answers: answers to swapped pairs, those of a second model, the meaning of labels."""

    reverse: ReverseOption = None
    labels: Annotated[
        list[str] | None, typer.Option("--labels", metavar="ANSWER=LABEL", help="The meaning of answers: 0=none,...")
    ] = None
    second: Annotated[
        Path | None,
        typer.Option("--compare", metavar="FILE", help="Answers of a second model, with the same labels."),
    ] = None

    def read(self, predictions: Path, *, gaps: bool) -> tuple[Predictions, Predictions | None, Predictions | None]:
        """The answers in `predictions`, those to swapped pairs, and those of the second model."""
        meaning, read = console.named("--labels", self.labels), partial(answers, gaps=gaps)
        turned, other = (read(one).renamed(meaning) if one else None for one in (self.reverse, self.second))
        return read(predictions).renamed(meaning), turned, other


@dataclass(frozen=True, slots=True)
class Judging:
    """What counts as right, and of which pairs."""

    mode: Annotated[str, typer.Option("--mode", help=MODE_CHOICES)] = "strict"
    others: Annotated[
        list[Path] | None,
        typer.Option(
            "--other", metavar="FILE", help="Data that the model was trained on: the headline is without its pairs."
        ),
    ] = None
    by_position: Annotated[bool, typer.Option("--by-position", help="Match by order instead of by id.")] = False
    missing_wrong: Annotated[
        bool,
        typer.Option(
            "--missing-wrong", "-f", help="Missing and unknown answers are wrong, missing similarities are 0."
        ),
    ] = False

    def judge(self, model_system: str) -> Callable[[Matched], NliReport]:
        """A function that evaluates answers in the labels of `model_system`; the other sets are read once."""
        from core.studies.nli.report import report

        sets = named_sets(self.others or ())
        return partial(
            report, model_system=model_system, mode=self.mode, others=sets, missing_wrong=self.missing_wrong
        )
