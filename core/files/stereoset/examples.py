"""An example of StereoSet: a context and three candidates, a stereotype, its opposite and an unrelated one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

INTRASENTENCE, INTERSENTENCE = KINDS = ("intrasentence", "intersentence")
STEREOTYPE, ANTI, UNRELATED = GOLD_LABELS = ("stereotype", "anti-stereotype", "unrelated")
BIAS_TYPES = ("gender", "profession", "race", "religion")
"""The published types, in the order of the published tables; other data may have more."""
BLANK = "BLANK"
"""What an intrasentence context has in place of the candidates' word."""


@dataclass(frozen=True, slots=True)
class Candidate3:
    """One of the three sentences. `word` replaces BLANK; it is empty for intersentence examples.

    `labels` are pairs of annotator and judgement (`stereotype`, `anti-stereotype`, `unrelated`, `related`), if any.
    """

    id: str
    sentence: str
    word: str
    gold_label: str
    labels: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A context with its three candidates, in the order of the file, one of each gold label.

    `context` holds BLANK (`intrasentence`), or the candidates are sentences that follow it (`intersentence`).
    `target_original` is the English target of translated data, empty otherwise.
    """

    id: str
    kind: str
    target: str
    bias_type: str
    context: str
    candidates: tuple[Candidate3, ...]
    target_original: str = ""

    @property
    def term(self) -> str:
        """What scores are grouped by: translation splits and merges targets, but not the English one."""
        return self.target_original or self.target

    def of(self, gold_label: str) -> Candidate3:
        """The candidate of that gold label."""
        return next(candidate for candidate in self.candidates if candidate.gold_label == gold_label)


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence about a place in a file."""

    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text}"


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples of both tasks, in the order of the files; a task that no file holds is empty.

    `language` is a two-letter code. `left_out` names every unusable record, `notes` what is unusual about the others.
    """

    intrasentence: tuple[Example, ...] = ()
    intersentence: tuple[Example, ...] = ()
    language: str = "en"
    left_out: tuple[Remark, ...] = ()
    notes: tuple[Remark, ...] = ()

    def __iter__(self) -> Iterator[Example]:
        yield from self.intrasentence
        yield from self.intersentence

    def __len__(self) -> int:
        return len(self.intrasentence) + len(self.intersentence)

    @property
    def by_kind(self) -> Mapping[str, tuple[Example, ...]]:
        """The examples by task."""
        return MappingProxyType({INTRASENTENCE: self.intrasentence, INTERSENTENCE: self.intersentence})

    def only(self, kinds: Iterable[str]) -> Examples:
        """The examples of these tasks; remarks stay."""
        wanted = {kind: self.by_kind[kind] for kind in kinds}
        return Examples(**wanted, language=self.language, left_out=self.left_out, notes=self.notes)


def joined(*parts: Examples) -> Examples:
    """The examples of several files as one; the first says the language."""
    return Examples(
        tuple(example for part in parts for example in part.intrasentence),
        tuple(example for part in parts for example in part.intersentence),
        parts[0].language,
        tuple(remark for part in parts for remark in part.left_out),
        tuple(remark for part in parts for remark in part.notes),
    )
