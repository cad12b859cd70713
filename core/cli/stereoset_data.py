"""What the `stereoset` commands share: the options that name examples, and remarks about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import console
from core.cli.console import both_spellings
from core.errors import InputError, PolicyError
from core.files.datasets import located
from core.files.stereoset.examples import KINDS, joined
from core.files.stereoset.reading import read_examples

if TYPE_CHECKING:
    from core.files.stereoset.examples import Examples, Remark

_SHOWN = 20
"""The most remarks printed; a line says how many more there are."""
SkipIntraOption = Annotated[
    bool, typer.Option(*both_spellings("--skip-intrasentence"), help="Leave out the words in their gaps.")
]
SkipInterOption = Annotated[
    bool, typer.Option(*both_spellings("--skip-intersentence"), help="Leave out the sentences that follow.")
]


def kinds_left(skipped: tuple[bool, bool]) -> list[str]:
    """The tasks that are not skipped; PolicyError if both are."""
    kinds = [kind for kind, skip in zip(KINDS, skipped, strict=True) if not skip]
    if not kinds:
        raise PolicyError("Nothing is left: both tasks are skipped.")
    return kinds


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
