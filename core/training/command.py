"""A training chosen on a page, as the command line that does the same."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.training.filtering import Filter


@dataclass(frozen=True, slots=True)
class Choice:
    """What a visitor chooses: a text and a filter, a kind and size of model, a time, and pairs to watch."""

    text: Path
    name: str
    kind: str
    size: str
    minutes: float
    column: str = "text"
    filter: Filter = Filter()  # noqa: RUF009 (frozen)
    pairs: Path | None = None

    def arguments(self) -> list[str]:
        """The arguments of `pairlens`."""
        return [
            *("train", "--input", str(self.text)),
            *(("--column", self.column) if self.column != "text" else ()),
            *(("--keep", self.filter.keep) if self.filter.keep else ()),
            *(("--drop", self.filter.drop) if self.filter.drop else ()),
            *(("--watch", str(self.pairs)) if self.pairs else ()),
            *("--kind", self.kind, "--size", self.size, "--minutes", f"{self.minutes:g}", "--name", self.name),
        ]
