"""Looks at a model at moments of its training."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.training.recipe import Progress

FIRST = 0.002
"""The fraction of a training after which the model is looked at for the first time."""

Watch = Callable[[Progress], None]
"""Receives the progress after every step."""
Look = Callable[[Path, Progress], None]
"""Receives a folder with the current model, as transformers reads it, and the progress."""


@dataclass(frozen=True, slots=True)
class Watching:
    """`look` sees the model at `number` moments of a training; without `look` there are none.

    `finish` receives the folder of the complete model before it appears under its name.
    """

    look: Look | None = None
    finish: Look | None = None
    number: int = 20

    def waiting(self, fraction: float) -> list[float]:
        """The remaining moments, as fractions of the training at equal ratios; the last is its end."""
        if not self.look:
            return []
        places = (place / (self.number - 1) for place in range(self.number))
        return [moment for place in places if (moment := FIRST ** (1 - place)) > fraction]

    def follow(
        self, reports: Iterable[Progress], fraction: Callable[[], float], save: Callable[[Path], None], folder: Path
    ) -> Iterator[Progress]:
        """The reports, with looks at the model between them, and a last one if the training ends early.

        `fraction` gives the part of the budget spent, `save` writes the model; `folder` is temporary.
        """
        waiting = self.waiting(fraction())
        for report in reports:
            if waiting and report.step and fraction() >= waiting[0]:
                waiting = self.waiting(fraction())
                self.see(save, folder, report)
            yield report
        if waiting:
            self.see(save, folder, report)

    def see(self, save: Callable[[Path], None], folder: Path, progress: Progress) -> None:
        """Let `save` write the model into `folder`, look at it there, and delete it."""
        if self.look:
            save(folder)
            self.look(folder, progress)
            shutil.rmtree(folder)


@dataclass(frozen=True, slots=True)
class Watched:
    """The same for transformers' own loop; the training works in `folder`, `save` writes the model."""

    watch: Watch
    watching: Watching
    save: Callable[[Path], None]
    folder: Path

    def see(self, progress: Progress) -> None:
        """Look at the model as it is now."""
        self.watching.see(self.save, self.folder / "moment", progress)
