"""Progress of a training: a bar on standard error, and the same for whoever watches the job."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import TextColumn, TimeElapsedColumn

from core.cli import console
from core.training.recipe import Progress

if TYPE_CHECKING:
    from core.store.jobs import JobReport

_DONE = 1_000
"""What a job counts to: thousandths of the training."""


@contextmanager
def drawing(job: JobReport) -> Iterator[Callable[[Progress], None]]:
    """A function that draws loss, speed and time left, and tells the job how far the training is."""
    columns = TextColumn("{task.percentage:>3.0f}%"), TimeElapsedColumn(), TextColumn("{task.fields[facts]}")
    with console.progress_bar(*columns, transient=False) as bar:
        line = bar.add_task("tokenizer", total=1.0, facts="")
        held: float | None = None

        def see(progress: Progress) -> None:
            nonlocal held
            held = held if progress.validation_loss is None else progress.validation_loss
            bar.update(line, description=progress.stage, completed=progress.fraction, facts=_facts(progress, held))
            done = _DONE if progress.stage == "saved" else min(_DONE - 1, int(_DONE * progress.fraction))
            job.progress(done, _DONE, progress.seconds_left)

        yield see


def _facts(progress: Progress, held: float | None) -> str:
    facts = []
    if progress.loss is not None:
        facts.append(f"loss {progress.loss:.3f}")
    if held is not None:
        facts.append(f"validation {held:.3f}")
    if progress.tokens_per_second:
        facts.append(f"{progress.tokens_per_second:,.0f} tokens/s")
    if progress.seconds_left is not None:
        facts.append(f"{progress.seconds_left / 60:.1f} min left")
    return "  ".join(facts)
