"""The options of `zero-shot`, in groups: the flags of the BabyLM pipeline, and the columns of pairs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from core.cli import console
from core.cli.console import both_spellings
from core.errors import InputError
from core.files.tables import Layout
from core.scorers import backends
from core.scoring.checkpoints import MAIN, Checkpoint, checkpoints
from core.tasks.pairs import Pairs, Roles, with_columns
from core.types import Task

PUBLISHED = "babylm-2025"
"""The preset that reproduces the pipeline whose flags these are; an older state of it has a longer name."""

DataOption = Annotated[
    Path | None,
    typer.Option(
        *both_spellings("--data_path"),
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
ModelOption = Annotated[str, console.model_option(*both_spellings("--model_path_or_name"), "--model")]
BackendOption = Annotated[
    str, typer.Option("--backend", help=f"{' | '.join(backends())}; by default that of the model's kind.")
]
OutputOption = Annotated[
    Path, typer.Option(*both_spellings("--output_dir"), help="Where the result folders are written.")
]
RevisionOption = Annotated[
    list[str] | None,
    typer.Option(
        *both_spellings("--revision_name"),
        help="A branch, tag or commit of a hub model, or a checkpoint in the model's folder; several, separated by "
        "commas; a pattern ('chck_*'); or all.",
    ),
]
WordsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--words", metavar="CHECKPOINT=WORDS", help="How many words a checkpoint has seen, if its name does not say."
    ),
]
PredictionsOption = Annotated[
    Path | None,
    typer.Option(
        *both_spellings("--from_predictions"),
        metavar="FILE",
        help="Recompute the numbers of a predictions.json (gest: of published scores, FILE.txt); no model is needed, "
        "its name is a label.",
    ),
]
ChildrenOption = Annotated[
    Path | None, typer.Option("--children", metavar="FILE", help="aoa: how many children know a word at each age.")
]
BothOption = Annotated[bool, typer.Option("--both", help="Also by the rules of the BabyLM pipeline, side by side.")]
CompatibleOption = Annotated[bool, typer.Option("--compatible", help="The same as --as babylm-2025.")]
SavedOption = Annotated[
    bool,
    typer.Option(*both_spellings("--save_predictions"), help="For published commands: predictions are always saved."),
]
ConfidentialOption = Annotated[
    bool,
    typer.Option(
        "--write-confidential",
        help="Also the predictions of a confidential task (ewok), for a submission: they hold its texts.",
    ),
]
ImagesOption = Annotated[str, typer.Option("--images_path", "--image_split", "--image_template", hidden=True)]
_PAIRS = "pairs: the column of "


@dataclass(frozen=True, slots=True)
class Question:
    """Which of a task's rules."""

    full_sentence_scores: Annotated[
        bool,
        typer.Option(
            *both_spellings("--full_sentence_scores"),
            help="Compare whole texts where a task compares completions (ewok, comps; as the pipeline: ewok only).",
        ),
    ] = False
    rule: Annotated[
        str, typer.Option("--rule", help="Another of the task's rules (agreement: word | form | joint; ewok: pmi).")
    ] = ""

    def chosen(self, task: Task, *, published: bool) -> str:
        """The rule, empty for the default; InputError if both options are given and differ.

        The pipeline looks at its flag for EWoK only; so do we if `published`, and say so.
        """
        if not self.full_sentence_scores:
            return self.rule
        if published and task.name != "ewok":
            console.say("--full_sentence_scores changes nothing here: the pipeline has it for ewok only.")
            return self.rule
        if self.rule not in ("", "joint"):
            raise InputError(f"--full_sentence_scores and --rule {self.rule} contradict each other: leave one out")
        return "joint"


def checkpoints_of(
    model: str, revision: list[str] | None, words: list[str] | None, *, published: bool
) -> list[Checkpoint]:
    """The checkpoints that are asked for; if `published`, a folder without any is each of them, which is said."""
    found = checkpoints(model, revision or [], console.counts(words), any_name=published)
    if unknown := [one.name for one in found if one.source == model and one.name != MAIN]:
        console.say(
            f"'{model}' is a plain folder, of which there is one version: {', '.join(unknown)} only names the folder "
            "of results, as in the pipeline."
        )
    return found


@dataclass(frozen=True, slots=True)
class Temperatures:
    """The temperatures by which logits are divided: one, or a grid."""

    min_temperature: Annotated[
        float, typer.Option(*both_spellings("--min_temperature"), help="Divides the logits before the softmax.")
    ] = 1.0
    max_temperature: Annotated[
        float | None,
        typer.Option(*both_spellings("--max_temperature"), help="Upper end of the temperature grid."),
    ] = None
    temperature_interval: Annotated[
        float, typer.Option(*both_spellings("--temperature_interval"), help="The grid's step.")
    ] = 0.05

    def grid(self, *, published: bool) -> tuple[float, ...]:
        """All temperatures, by the pipeline's arithmetic if `published`; InputError if they make no grid."""
        from core.analysis import temperature

        count = temperature.published_grid if published else temperature.grid
        return count(self.min_temperature, self.max_temperature, self.temperature_interval)


@dataclass(frozen=True, slots=True)
class PairColumns:
    """How the task `pairs` reads a table."""

    good: Annotated[
        str,
        typer.Option("--good", metavar="COLUMN", help=f"{_PAIRS}good texts; with --label, the label of good ones."),
    ] = ""
    bad: Annotated[str, typer.Option("--bad", metavar="COLUMN", help="The same for the bad ones.")] = ""
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group", metavar="COLUMN", help="pairs: a column to group results by; the first is the paradigm."
        ),
    ] = None
    sentence: Annotated[
        str, typer.Option("--sentence", metavar="COLUMN", help=f"{_PAIRS}sentences, where a pair has two rows.")
    ] = ""
    label: Annotated[
        str, typer.Option("--label", metavar="COLUMN", help=f"{_PAIRS}labels that tell the good row from the bad.")
    ] = ""
    item: Annotated[
        str, typer.Option("--item", metavar="COLUMN", help=f"{_PAIRS}numbers that join two rows into a pair.")
    ] = ""
    delimiter: Annotated[
        str,
        typer.Option(
            "--delimiter", help="pairs: what separates the columns (',' ';' '\\t' '|'), if not guessed right."
        ),
    ] = ""
    encoding: console.EncodingOption = ""
    quoting: console.QuotingOption = ""
    sheet: console.SheetOption = ""

    def read_by(self, task: Task) -> Task:
        """The task, reading its tables this way; InputError if columns are named for a task other than `pairs`."""
        roles = Roles(self.good, self.bad, self.sentence, self.label, self.item, tuple(self.group or ()))
        if not isinstance(task, Pairs):
            return with_columns(task, roles, Layout(self.delimiter))
        delimiter = self.delimiter.replace("\\t", "\t")
        return with_columns(task, roles, Layout(delimiter, self.encoding, self.quoting, self.sheet))


@dataclass(frozen=True, slots=True)
class Execution:
    """As `core.cli.options.Execution`, with a batch size of its own for backends that mask."""

    batch_size: console.BatchOption = 0
    masked_batch_size: Annotated[
        int, typer.Option(*both_spellings("--non_causal_batch_size"), min=0, help="The same for backends that mask.")
    ] = 0
    device: console.DeviceOption = ""
    rescore: console.RescoreOption = False
    allow_code: console.CodeOption = ""

    def apply(self, backend: str) -> None:
        """Set this process's limits; PolicyError for a device that does not exist."""
        masks = backend not in ("", "causal", "unigram")
        batch_size = (masks and self.masked_batch_size) or self.batch_size
        console.apply_limits(batch_size=batch_size, device=self.device)
