"""The history of a training, a file that grows with it: losses, speed, margins of watched pairs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = "history.jsonl"
PAIRS = "pairs.json"
"""The pairs whose margins are in the history, as lists of group, better and worse sentence."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One line. Losses are in nats per predicted token; `margins`, at some moments, in bits, in pair order."""

    step: int
    tokens: int
    fraction: float
    seconds: float
    loss: float | None = None
    validation_loss: float | None = None
    tokens_per_second: float = 0.0
    margins: tuple[float, ...] | None = None
    sample: str = ""


class History:
    """The history of the model in `folder`; the lines of a resumed training replace those it repeats."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def begin(self, pairs: Sequence[tuple[str, str, str]]) -> None:
        """Write the watched pairs: group, better sentence, worse sentence."""
        (self._folder / PAIRS).write_text(json.dumps(list(pairs), ensure_ascii=False), "utf-8")

    def add(self, moment: Moment) -> None:
        with (self._folder / FILE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(moment), ensure_ascii=False) + "\n")

    def pairs(self) -> list[tuple[str, str, str]]:
        """The watched pairs; empty if there are none."""
        path = self._folder / PAIRS
        return [tuple(pair) for pair in json.loads(path.read_text("utf-8"))] if path.is_file() else []

    def moments(self) -> list[Moment]:
        """All lines in order of their steps, without one that a kill has cut off."""
        found: list[Moment] = []
        path = self._folder / FILE
        for line in path.read_text("utf-8").splitlines() if path.is_file() else []:
            try:
                values = json.loads(line)
            except json.JSONDecodeError:
                continue
            margins = values.pop("margins")
            moment = Moment(**values, margins=None if margins is None else tuple(margins))
            while found and found[-1].step > moment.step:
                found.pop()
            found.append(moment)
        return found
