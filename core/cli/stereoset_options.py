"""The options of the `stereoset` commands, in groups: examples, model classes, cases, how candidates are scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import console, options
from core.cli.console import both_spellings
from core.errors import InputError
from core.files.datasets import located
from core.files.stereoset.examples import KINDS, joined
from core.files.stereoset.reading import read_examples
from core.studies.stereoset.classes import kinds_left

if TYPE_CHECKING:
    from core.files.stereoset.examples import Examples, Remark
    from core.studies.stereoset import runs as stereoset_runs


_SHOWN = 20
"""The most remarks printed; a line says how many more there are."""
SkipIntraOption = Annotated[
    bool, typer.Option(*both_spellings("--skip-intrasentence"), help="Leave out the words in their gaps.")
]
SkipInterOption = Annotated[
    bool, typer.Option(*both_spellings("--skip-intersentence"), help="Leave out the sentences that follow.")
]


@dataclass(frozen=True, slots=True)
class Sources:
    """Files with examples of both tasks, or one table for each task."""

    gold_file: Annotated[
        list[Path] | None,
        typer.Option(
            *both_spellings("--gold-file"),
            metavar="FILE",
            help="Examples of both tasks (dev.json, a wide table), or stereoset: the public set that was fetched.",
        ),
    ] = None
    intrasentence: Annotated[
        Path | None,
        typer.Option(
            *both_spellings("--intrasentence-df-file"), metavar="FILE", help="Intrasentence examples (wide)."
        ),
    ] = None
    intersentence: Annotated[
        Path | None,
        typer.Option(
            *both_spellings("--intersentence-df-file"), metavar="FILE", help="Intersentence examples (wide)."
        ),
    ] = None
    skip_intrasentence: SkipIntraOption = False
    skip_intersentence: SkipInterOption = False

    @property
    def files(self) -> list[Path]:
        """The files that are named."""
        return [path for path in (*(self.gold_file or ()), self.intrasentence, self.intersentence) if path]

    def examples(self) -> Examples:
        """The examples of --gold-file, or of the tables of the tasks; InputError for neither and for both."""
        kinds = kinds_left((self.skip_intrasentence, self.skip_intersentence))
        given = zip(KINDS, (self.intrasentence, self.intersentence), strict=True)
        tables = {kind: path for kind, path in given if path and kind in kinds}
        if self.gold_file and tables:
            raise InputError("Give --gold-file, or the tables of the tasks, not both.")
        if not self.gold_file and not tables:
            raise InputError(
                "There are no examples: give --gold-file FILE, or --intrasentence-df-file and "
                "--intersentence-df-file."
            )
        if self.gold_file:
            return read_examples(*map(located, self.gold_file)).only(kinds)
        return joined(*(read_examples(path, kind=kind) for kind, path in tables.items()))


def remark(named: str, remarks: Sequence[Remark | str], *, every: bool = False) -> None:
    """Print remarks about examples to standard error: the first of them, or all."""
    shown = len(remarks) if every else _SHOWN
    for one in remarks[:shown]:
        console.say(f"{named}: {one}")
    if len(remarks) > shown:
        console.say(f"... and {len(remarks) - shown:,} more")


ModelOption = Annotated[str, console.model_option(*both_spellings("--pretrained-class"), "--model", "-m")]
OutputOption = Annotated[
    Path, typer.Option(*both_spellings("--output-dir"), "-o", help="The folder of the predictions.")
]
LanguageOption = Annotated[
    str, typer.Option("--language", help="Two-letter code; inferred from file names by default.")
]
TokenizerOption = Annotated[
    str,
    typer.Option(*both_spellings("--tokenizer-name"), help="Checked only; a model always uses its own tokenizer."),
]
WorkersOption = Annotated[
    int, typer.Option(*both_spellings("--num-workers"), min=0, help="Accepted; texts are read in this process.")
]


@dataclass(frozen=True, slots=True)
class Classes:
    """How a model scores each task, by the class names of the published programs."""

    intrasentence_model: Annotated[
        str,
        typer.Option(
            *both_spellings("--intrasentence-model"),
            help="auto: by the model's kind | BertLM, T5LM, mT5LM: the word in its gap | GPT2LM: the sentence.",
        ),
    ] = "auto"
    intersentence_model: Annotated[
        str,
        typer.Option(
            *both_spellings("--intersentence-model"),
            help="auto | BertNextSentence, ModelNSP: next sentence or not | GPT2LM, T5LM, mT5LM, BertLM: a case.",
        ),
    ] = "auto"
    nsp_model_path: Annotated[
        str,
        typer.Option(
            *both_spellings("--nsp-model-path"), help="ModelNSP, BertNextSentence: a model with a trained head."
        ),
    ] = ""


@dataclass(frozen=True, slots=True)
class Cases:
    """The probabilities compared between sentences."""

    case_no: Annotated[
        str,
        typer.Option(
            *both_spellings("--case-no"),
            help="With A the context and B the candidate: d: B|A | orig: B/A | c: A and B | e: (B|A)/B | "
            "f: (A and B)/B | b: (B|A)/(A and B).",
        ),
    ] = "d"
    all_cases: Annotated[
        bool, typer.Option(*both_spellings("--all-cases"), help="A file for each case, all from one scoring.")
    ] = False

    def letters(self) -> list[str]:
        """The requested cases; PolicyError for an unknown one."""
        from core.studies.stereoset.cases import CASES, case_of

        return list(CASES) if self.all_cases else [case_of(self.case_no).letter]


@dataclass(frozen=True, slots=True)
class StereoSetOptions(options.RunOptions):
    """The choices of every verb; the published programs have a preset of their own."""

    preset: Annotated[
        str,
        typer.Option("--as", metavar="PRESET", help="pairlens | stereoset: as the published programs do it | ..."),
    ] = "pairlens"


@dataclass(frozen=True, slots=True)
class Candidates:
    """How words and candidate sentences are scored; by default as in the preset."""

    word_value: Annotated[
        str,
        typer.Option(
            *both_spellings("--word-value"),
            help="joint: the probability of the word | mean: of its tokens' probabilities (as stereoset).",
        ),
    ] = ""
    leading_space: Annotated[
        bool | None,
        typer.Option(
            "--leading-space/--no-leading-space",
            help="Whether a candidate alone, and as stereoset a word, keeps the space before it (as stereoset: no).",
        ),
    ] = None
    end_symbol: Annotated[
        bool | None,
        typer.Option(
            "--end-symbol/--no-end-symbol",
            help="Whether the end of the text counts as a token (as stereoset: for T5).",
        ),
    ] = None
    from_context: Annotated[
        bool,
        typer.Option(
            *both_spellings("--from-context"),
            help="GPT2LM: sentences in the letter case of their context; the file's are lower-cased.",
        ),
    ] = False

    def choices(self) -> stereoset_runs.StereoSetChoices:
        """The choices as a run takes them."""
        from core.studies.stereoset.runs import StereoSetChoices as RunChoices

        return RunChoices(self.leading_space, self.word_value, self.end_symbol, self.from_context)
