"""What happens beside the steps of a training: looks at the model at moments of it, and a request to stop."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.training.checkpoint import work_folder
from core.training.recipe import Progress

FIRST = 0.002
"""How far a training is when the model is looked at for the first time."""
_STOP = "stop"

Watch = Callable[[Progress], None]
"""Is told about every step."""
Look = Callable[[Path, Progress], None]
"""Is given a folder with the model as it is now, as transformers reads it, and how far the training is."""


@dataclass(frozen=True, slots=True)
class Watching:
    """At so many moments of a training `look` sees the model; none are between them and none at all without `look`.

    `finish` is called with the folder of the complete model before that appears under its name.
    """

    look: Look | None = None
    finish: Look | None = None
    number: int = 20

    def waiting(self, fraction: float) -> list[float]:
        """The moments that are still to come, as fractions of the training at equal ratios; the last is its end."""
        if not self.look:
            return []
        places = (place / (self.number - 1) for place in range(self.number))
        return [moment for place in places if (moment := FIRST ** (1 - place)) > fraction]

    def follow(
        self, reports: Iterable[Progress], fraction: Callable[[], float], save: Callable[[Path], None], folder: Path
    ) -> Iterator[Progress]:
        """The reports, with looks at the model between them, and one at the end if that comes before its time.

        `fraction` says how far the training is, `save` writes the model; `folder` is for the moment.
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
    """The same for a training whose steps are transformers' own: `save` writes the model, it works in `folder`."""

    watch: Watch
    watching: Watching
    save: Callable[[Path], None]
    folder: Path

    def see(self, progress: Progress) -> None:
        """Look at the model as it is now."""
        self.watching.see(self.save, self.folder / "moment", progress)


def ask_to_stop(output: Path) -> None:
    """Ask the training that writes `output` to end now and keep its best state; nothing happens if there is none."""
    with suppress(FileNotFoundError):
        (work_folder(output) / _STOP).touch()


def stop_asked(folder: Path) -> bool:
    """Whether the training that works in `folder` was asked to stop."""
    return (folder / _STOP).exists()


def forget_stop(folder: Path) -> None:
    """A training that begins or goes on was not asked to stop."""
    (folder / _STOP).unlink(missing_ok=True)
