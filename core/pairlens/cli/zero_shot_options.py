"""The options of `zero-shot`, in groups: the flags of the BabyLM pipeline, and the columns of pairs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from pairlens.cli import console
from pairlens.cli.console import both_spellings
from pairlens.errors import InputError
from pairlens.files.tables import Layout
from pairlens.scorers import backends
from pairlens.scoring.checkpoints import MAIN, Checkpoint, checkpoints
from pairlens.tasks.pairs import Pairs, Roles, with_columns
from pairlens.types import Task

PUBLISHED = "babylm-2025"
"""The preset that reproduces the pipeline whose flags these are; an older state of it has a longer name."""

Texts = list[str] | None


def _flag(name: str, about: str, **how: Any) -> Any:
    return typer.Option(*both_spellings(name), help=about, **how)


def _column(name: str, about: str) -> Any:
    return typer.Option(name, metavar="COLUMN", help=about)


_ABOUT_DATA = (
    "A file, a folder of files, or the name of a data set that `data get` fetched; by default our small sample."
)
DataOption = Annotated[Path | None, _flag("--data_path", _ABOUT_DATA)]
_ABOUT_TASK = "The benchmark: blimp, ewok, entity_tracking, ..."
TaskOption = Annotated[str, typer.Option("--task", help=_ABOUT_TASK, autocompletion=console.task_names)]
ModelOption = Annotated[str, console.model_option(*both_spellings("--model_path_or_name"), "--model")]
_ABOUT_BACKEND = f"{' | '.join(backends())}; by default that of the model's kind."
BackendOption = Annotated[str, typer.Option("--backend", help=_ABOUT_BACKEND)]
OutputOption = Annotated[Path, _flag("--output_dir", "Where the result folders are written.")]
_ABOUT_REVISION = (
    "A branch, tag or commit of a hub model, or a checkpoint in the model's folder; several, separated by commas; a "
    "pattern ('chck_*'); or all."
)
RevisionOption = Annotated[Texts, _flag("--revision_name", _ABOUT_REVISION)]
_ABOUT_WORDS = "How many words a checkpoint has seen, if its name does not say."
WordsOption = Annotated[Texts, typer.Option("--words", metavar="CHECKPOINT=WORDS", help=_ABOUT_WORDS)]
_ABOUT_PREDICTIONS = (
    "Recompute the numbers of a predictions.json (gest: of published scores, FILE.txt); no model is needed, its name "
    "is a label."
)
PredictionsOption = Annotated[Path | None, _flag("--from_predictions", _ABOUT_PREDICTIONS, metavar="FILE")]
_ABOUT_CHILDREN = "aoa: how many children know a word at each age."
ChildrenOption = Annotated[Path | None, typer.Option("--children", metavar="FILE", help=_ABOUT_CHILDREN)]
BothOption = Annotated[bool, typer.Option("--both", help="Also by the rules of the BabyLM pipeline, side by side.")]
CompatibleOption = Annotated[bool, typer.Option("--compatible", help="The same as --as babylm-2025.")]
SavedOption = Annotated[bool, _flag("--save_predictions", "For published commands: predictions are always saved.")]
_ABOUT_SECRETS = "Also the predictions of a confidential task (ewok), for a submission: they hold its texts."
ConfidentialOption = Annotated[bool, typer.Option("--write-confidential", help=_ABOUT_SECRETS)]
ImagesOption = Annotated[str, typer.Option("--images_path", "--image_split", "--image_template", hidden=True)]
_PAIRS = "pairs: the column of "
_ABOUT_WHOLE = "Compare whole texts where a task compares completions (ewok, comps; as the pipeline: ewok only)."
_ABOUT_RULE = "Another of the task's rules (agreement: word | form | joint; ewok: pmi)."
_ABOUT_DELIMITER = "pairs: what separates the columns (',' ';' '\\t' '|'), if not guessed right."


@dataclass(frozen=True, slots=True)
class Question:
    """Which of a task's rules."""

    full_sentence_scores: Annotated[bool, _flag("--full_sentence_scores", _ABOUT_WHOLE)] = False
    rule: Annotated[str, typer.Option("--rule", help=_ABOUT_RULE)] = ""

    def chosen(self, task: Task, *, published: bool) -> str:
        """The rule, empty for the default; InputError for two that differ. The pipeline has its flag for
        EWoK only.
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
    steps = checkpoints(model, revision or [], console.counts(words), any_name=published)
    if unknown := [step.name for step in steps if step.source == model and step.name != MAIN]:
        console.say(
            f"'{model}' is a plain folder, of which there is one version: {', '.join(unknown)} only names the folder "
            "of results, as in the pipeline."
        )
    return steps


@dataclass(frozen=True, slots=True)
class Temperatures:
    min_temperature: Annotated[float, _flag("--min_temperature", "Divides the logits before the softmax.")] = 1.0
    max_temperature: Annotated[float | None, _flag("--max_temperature", "Upper end of the temperature grid.")] = None
    temperature_interval: Annotated[float, _flag("--temperature_interval", "The grid's step.")] = 0.05

    def grid(self, *, published: bool) -> tuple[float, ...]:
        """All temperatures, by the pipeline's arithmetic if `published`; InputError if they make no grid."""
        from pairlens.analysis import temperature

        count = temperature.published_grid if published else temperature.grid
        return count(self.min_temperature, self.max_temperature, self.temperature_interval)


@dataclass(frozen=True, slots=True)
class PairColumns:
    """How the task `pairs` reads a table."""

    good: Annotated[str, _column("--good", f"{_PAIRS}good texts; with --label, the label of good ones.")] = ""
    bad: Annotated[str, _column("--bad", "The same for the bad ones.")] = ""
    group: Annotated[Texts, _column("--group", "pairs: a column to group results by; the first is the paradigm.")] = (
        None
    )
    sentence: Annotated[str, _column("--sentence", f"{_PAIRS}sentences, where a pair has two rows.")] = ""
    label: Annotated[str, _column("--label", f"{_PAIRS}labels that tell the good row from the bad.")] = ""
    item: Annotated[str, _column("--item", f"{_PAIRS}numbers that join two rows into a pair.")] = ""
    delimiter: Annotated[str, typer.Option("--delimiter", help=_ABOUT_DELIMITER)] = ""
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
    """As `pairlens.cli.options.Execution`, with a batch size of its own for backends that mask."""

    batch_size: console.BatchOption = 0
    masked_batch_size: Annotated[int, _flag("--non_causal_batch_size", "The same for backends that mask.", min=0)] = 0
    device: console.DeviceOption = ""
    rescore: console.RescoreOption = False
    allow_code: console.CodeOption = ""

    def apply(self, backend: str) -> None:
        """Set this process's limits; PolicyError for a device that does not exist."""
        masks = backend not in ("", "causal", "unigram")
        batch_size = (masks and self.masked_batch_size) or self.batch_size
        console.apply_limits(batch_size=batch_size, device=self.device)
