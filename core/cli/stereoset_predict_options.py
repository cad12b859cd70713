"""The options of `stereoset predict`, in groups: model classes, cases, policy, how candidates are scored."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import console, options
from core.cli.console import both_spellings
from core.studies.stereoset.classes import class_with_head

if TYPE_CHECKING:
    from core.files.stereoset.examples import Examples
    from core.studies.stereoset import runs as stereoset_runs

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

    def named(self, examples: Examples) -> dict[str, str]:
        """The class by task; PolicyError as in `class_with_head`."""
        between = self.intersentence_model
        if self.nsp_model_path:
            between = class_with_head(between, examples)
        return {"intrasentence": self.intrasentence_model, "intersentence": between}


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
