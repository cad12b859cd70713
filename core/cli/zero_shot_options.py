"""The options of `zero-shot`, in groups: the flags of the BabyLM pipeline, and those that name columns of pairs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from core.cli import console
from core.errors import InputError
from core.scorers import backends
from core.tasks.pairs import Roles, with_columns
from core.types import Task

PUBLISHED = "babylm-2025"
"""The preset that reproduces the pipeline whose flags these are."""

DataOption = Annotated[
    Path | None,
    typer.Option(
        "--data_path",
        "--data-path",
        help="A file, a folder of files, or the name of a data set that `data get` fetched; by default our small "
        "sample.",
    ),
]
TaskOption = Annotated[
    str,
    typer.Option(
        "--task", help="The benchmark: blimp, ewok, entity_tracking, ...", autocompletion=console.task_names
    ),
]
ModelOption = Annotated[
    str,
    typer.Option(
        "--model_path_or_name",
        "--model-path-or-name",
        "--model",
        help="A name from `models`, a folder (./folder), or a hub id (org/name@revision).",
        autocompletion=console.model_names,
    ),
]
BackendOption = Annotated[
    str, typer.Option("--backend", help=f"{' | '.join(backends())}; by default that of the model's kind.")
]
OutputOption = Annotated[
    Path, typer.Option("--output_dir", "--output-dir", help="Where the result folders are written.")
]
RevisionOption = Annotated[
    list[str] | None,
    typer.Option(
        "--revision_name",
        "--revision-name",
        help="A branch, tag or commit of a hub model, or a checkpoint in the model's folder; several, with commas "
        "between them; a pattern ('chck_*'); or all.",
    ),
]
WordsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--words", metavar="CHECKPOINT=WORDS", help="How many words a checkpoint had seen, if not as named."
    ),
]
PredictionsOption = Annotated[
    Path | None,
    typer.Option(
        "--from_predictions",
        "--from-predictions",
        metavar="FILE",
        help="Recompute the numbers of a predictions.json; no model is needed, its name is a label.",
    ),
]
ChildrenOption = Annotated[
    Path | None,
    typer.Option("--children", metavar="FILE", help="aoa: how many children know a word at which age."),
]
BothOption = Annotated[
    bool, typer.Option("--both", help="Also by the rules of the BabyLM pipeline; both stand side by side.")
]
CompatibleOption = Annotated[bool, typer.Option("--compatible", help="The same as --as babylm-2025.")]
SavedOption = Annotated[bool, typer.Option("--save_predictions", "--save-predictions", hidden=True)]
ImagesOption = Annotated[str, typer.Option("--images_path", "--image_split", "--image_template", hidden=True)]
_PAIRS = "pairs: the column of "


@dataclass(frozen=True, slots=True)
class Question:
    """Which of a task's ways to ask."""

    full_sentence_scores: Annotated[
        bool,
        typer.Option(
            "--full_sentence_scores",
            "--full-sentence-scores",
            help="Compare whole texts where a task compares completions (ewok, comps).",
        ),
    ] = False
    rule: Annotated[
        str,
        typer.Option("--rule", help="Another of the task's ways to ask (agreement: word | form | joint; ewok: pmi)."),
    ] = ""

    def chosen(self) -> str:
        """The rule, empty for the usual one; InputError if both options are given and differ."""
        if not self.full_sentence_scores:
            return self.rule
        if self.rule not in ("", "joint"):
            raise InputError(f"--full_sentence_scores and --rule {self.rule} ask for different things: leave one out")
        return "joint"


@dataclass(frozen=True, slots=True)
class Temperatures:
    """What logits are divided by before the softmax: one number, or a grid."""

    min_temperature: Annotated[
        float, typer.Option("--min_temperature", "--min-temperature", help="Divides the logits before the softmax.")
    ] = 1.0
    max_temperature: Annotated[
        float | None,
        typer.Option("--max_temperature", "--max-temperature", help="The end of a grid that begins at the minimum."),
    ] = None
    temperature_interval: Annotated[
        float, typer.Option("--temperature_interval", "--temperature-interval", help="The grid's step.")
    ] = 0.05

    def grid(self, *, published: bool) -> tuple[float, ...]:
        """All of them, as the pipeline counts them if `published`; InputError if they make no grid."""
        from core.analysis import temperature

        count = temperature.published_grid if published else temperature.grid
        return count(self.min_temperature, self.max_temperature, self.temperature_interval)


@dataclass(frozen=True, slots=True)
class PairColumns:
    """How the task `pairs` reads a table."""

    good: Annotated[
        str,
        typer.Option("--good", metavar="COLUMN", help=f"{_PAIRS}good texts; with --label, what it says of them."),
    ] = ""
    bad: Annotated[str, typer.Option("--bad", metavar="COLUMN", help="The same for the bad ones.")] = ""
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group", metavar="COLUMN", help="pairs: a column to give numbers by; the first is the paradigm."
        ),
    ] = None
    sentence: Annotated[
        str, typer.Option("--sentence", metavar="COLUMN", help=f"{_PAIRS}sentences, where a pair has two rows.")
    ] = ""
    label: Annotated[
        str, typer.Option("--label", metavar="COLUMN", help=f"{_PAIRS}labels that say which of two rows is good.")
    ] = ""
    item: Annotated[
        str, typer.Option("--item", metavar="COLUMN", help=f"{_PAIRS}numbers that say which two rows are a pair.")
    ] = ""
    delimiter: Annotated[
        str, typer.Option("--delimiter", help="pairs: what parts the columns (',' ';' '\\t' '|'), if not as guessed.")
    ] = ""
    encoding: Annotated[
        str, typer.Option("--encoding", help="pairs: utf-8, cp1252, utf-16, ..., if not as guessed.")
    ] = ""

    def read_by(self, task: Task) -> Task:
        """The task, reading its tables this way; InputError if columns are named for another task than `pairs`."""

        roles = Roles(self.good, self.bad, self.sentence, self.label, self.item, tuple(self.group or ()))
        return with_columns(task, roles, self.delimiter.replace("\\t", "\t"), self.encoding)


@dataclass(frozen=True, slots=True)
class Execution:
    """How texts go through a model (as `core.cli.options.Execution`), with a size for each sort of batch."""

    batch_size: console.BatchOption = 0
    masked_batch_size: Annotated[
        int,
        typer.Option(
            "--non_causal_batch_size", "--non-causal-batch-size", min=0, help="The same for backends that mask."
        ),
    ] = 0
    device: console.DeviceOption = ""
    rescore: console.RescoreOption = False
    allow_code: console.CodeOption = ""

    def apply(self, backend: str) -> None:
        """Set this process's limits; PolicyError for a device that does not exist."""
        masks = backend not in ("", "causal", "unigram")
        batch_size = (masks and self.masked_batch_size) or self.batch_size
        console.apply_limits(batch_size=batch_size, device=self.device)
