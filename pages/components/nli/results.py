"""What the page Entailment looks at: data sets, whose answers, and how these are judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from core.files.nli.label_map import LabelMap
from core.files.nli.pairs import Corpus, Predictions
from core.messages import Message
from core.studies.nli.report import NliReport
from core.studies.nli.runs import NliRequest
from pages.components.nli import resources


@dataclass(frozen=True)
class DataSet:
    """A file of pairs; `system` is empty where its labels show it, `columns` names those of a table by their role.

    `title` is what it is called, if not by its file; of a `part`, as TEST, only the pairs that are in it are used.
    `like` is the data set that our own sample is written like, empty if it is none of ours; `language` is a code,
    empty if unknown.
    """

    path: Path
    system: str = ""
    columns: Mapping[str, str] = field(default_factory=dict, hash=False)
    title: str = ""
    part: str = ""
    like: str = ""
    language: str = ""

    @property
    def name(self) -> str:
        """What it is called on the page."""
        name = self.title or self.path.name.partition(".")[0].replace("_", " ")
        return f"{name} {self.part}" if self.part else name

    def about(self, n: int) -> str:
        """What a number of `n` of its pairs is about; our own are called a sample."""
        if self.like:
            return Message("our {n:,} sample pairs with the labels of {system}", n=n, system=self.like)
        return self.name

    def read(self) -> Corpus:
        """The pairs; InputError in words."""
        return resources.corpus(self.path, self.system, self.columns, self.part)


@dataclass(frozen=True)
class Answering:
    """Whose answers: a `file` about the data set `about`, or a model, which is `asked`.

    `reverse` is a file with the answers for swapped pairs, where these have one of their own; `columns` names those
    of a table by their role.
    """

    name: str
    reading: LabelMap
    file: Path | None = None
    reverse: Path | None = None
    about: DataSet | None = None
    asked: NliRequest | None = None
    columns: Mapping[str, str] = field(default_factory=dict, hash=False)

    def read(self) -> tuple[Predictions, Predictions | None]:
        """The answers in the files, in both directions where these are apart; InputError in words."""
        assert self.file
        swapped = resources.predictions(self.reverse) if self.reverse else None
        return resources.predictions(self.file, self.columns), swapped

    def answers(self, data: DataSet) -> bool:
        """Whether it may have answers about this data set."""
        return self.about in (None, data)


@dataclass(frozen=True)
class NliResult:
    """Answers about a data set and their evaluation; `run_id` is that of the run in which a model was asked."""

    data: DataSet
    by: Answering
    report: NliReport
    run_id: str = ""

    @property
    def key(self) -> str:
        """For widgets and files."""
        return f"{self.data.name}-{self.by.name}".replace(" ", "_").replace("/", "_")


@dataclass(frozen=True)
class Refused:
    """Answers about a data set that cannot be evaluated, and the `reason`."""

    data: DataSet
    by: Answering
    reason: str


def numbered(names: Iterable[str]) -> Iterator[str]:
    """The names in their order; one that comes again has a number after it, so that all are different."""
    seen: set[str] = set()
    for name in names:
        free = next(one for n in count(1) if (one := f"{name} ({n})" if n > 1 else name) not in seen)
        seen.add(free)
        yield free
