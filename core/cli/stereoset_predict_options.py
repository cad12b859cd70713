"""The options of `stereoset predict`, in groups: classes of models, cases, policy, how candidates are asked about."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import console, options
from core.errors import PolicyError

if TYPE_CHECKING:
    from core.studies.stereoset import runs as stereoset_runs

ModelOption = Annotated[
    str,
    typer.Option(
        "--pretrained-class",
        "--pretrained_class",
        "--model",
        "-m",
        help="A name from `models`, a folder (./folder), or a hub id (org/name@revision).",
        autocompletion=console.model_names,
    ),
]
OutputOption = Annotated[
    Path, typer.Option("--output-dir", "--output_dir", "-o", help="The folder of the predictions.")
]
LanguageOption = Annotated[str, typer.Option("--language", help="Two letters; else the files' names say it.")]
TokenizerOption = Annotated[
    str, typer.Option("--tokenizer-name", "--tokenizer_name", help="Checked: a model is read with its own.")
]
WorkersOption = Annotated[
    int, typer.Option("--num-workers", "--num_workers", min=0, help="Accepted; texts are read in this process.")
]


@dataclass(frozen=True, slots=True)
class Classes:
    """How a model is asked in each task, by the names of the published programs."""

    intrasentence_model: Annotated[
        str,
        typer.Option(
            "--intrasentence-model",
            "--intrasentence_model",
            help="auto: by the model's kind | BertLM, T5LM, mT5LM: the word in its gap | GPT2LM: the sentence.",
        ),
    ] = "auto"
    intersentence_model: Annotated[
        str,
        typer.Option(
            "--intersentence-model",
            "--intersentence_model",
            help="auto | BertNextSentence, ModelNSP: next sentence or not | GPT2LM, T5LM, mT5LM, BertLM: a case.",
        ),
    ] = "auto"
    nsp_model_path: Annotated[
        str, typer.Option("--nsp-model-path", "--nsp_model_path", help="ModelNSP: a model with a trained head.")
    ] = ""

    def named(self) -> dict[str, str]:
        """The class by task; PolicyError for a trained head beside a class that has none."""

        if self.nsp_model_path and self.intersentence_model not in ("auto", "ModelNSP"):
            raise PolicyError(f"--nsp-model-path goes with ModelNSP, not with {self.intersentence_model}.")
        between = "ModelNSP" if self.nsp_model_path else self.intersentence_model
        return {"intrasentence": self.intrasentence_model, "intersentence": between}


@dataclass(frozen=True, slots=True)
class Cases:
    """What is compared between sentences."""

    case_no: Annotated[
        str,
        typer.Option(
            "--case-no",
            "--case_no",
            help="With A the context and B the candidate: d: B|A | orig: B/A | c: A and B | e: (B|A)/B | "
            "f: (A and B)/B | b: (B|A)/(A and B).",
        ),
    ] = "d"
    all_cases: Annotated[
        bool, typer.Option("--all-cases", "--all_cases", help="A file for each case, all from one scoring.")
    ] = False

    def letters(self) -> list[str]:
        """The cases asked for; PolicyError for one that is not there."""
        from core.studies.stereoset.cases import CASES, case_of

        return list(CASES) if self.all_cases else [case_of(self.case_no).letter]


@dataclass(frozen=True, slots=True)
class StereoSetOptions(options.RunOptions):
    """As everywhere; the published programs have a preset of their own."""

    preset: Annotated[
        str,
        typer.Option("--as", metavar="PRESET", help="pairlens | stereoset: as the published programs do it | ..."),
    ] = "pairlens"


@dataclass(frozen=True, slots=True)
class Candidates:
    """How words and candidate sentences are asked about; what is not said is as the preset has it."""

    word_value: Annotated[
        str,
        typer.Option(
            "--word-value",
            "--word_value",
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
            "--from-context",
            "--from_context",
            help="GPT2LM: sentences in the letter case of their context; the file's are lower-cased.",
        ),
    ] = False

    def choices(self) -> stereoset_runs.StereoSetChoices:
        """The same for a run."""
        from core.studies.stereoset.runs import StereoSetChoices as RunChoices

        return RunChoices(self.leading_space, self.word_value, self.end_symbol, self.from_context)
