"""How far a training is, as a bar on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from core.training.recipe import Progress


@contextmanager
def drawing() -> Iterator[Callable[[Progress], None]]:
    """A bar with loss, speed and time left, for whoever is called with reports."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[facts]}"),
    )
    screen = Console(stderr=True)
    with Bar(*columns, console=screen, disable=not screen.is_terminal) as bar:
        task = bar.add_task("tokenizer", total=1.0, facts="")
        held: float | None = None

        def see(report: Progress) -> None:
            nonlocal held
            held = held if report.validation_loss is None else report.validation_loss
            _show(bar, task, report, held)

        yield see


def _show(bar: Bar, task: TaskID, report: Progress, held: float | None) -> None:
    facts = []
    if report.loss is not None:
        facts.append(f"loss {report.loss:.3f}")
    if held is not None:
        facts.append(f"validation {held:.3f}")
    if report.tokens_per_second:
        facts.append(f"{report.tokens_per_second:,.0f} tokens/s")
    if report.seconds_left is not None:
        facts.append(f"{report.seconds_left / 60:.1f} min left")
    bar.update(task, description=report.stage, completed=report.fraction, facts="  ".join(facts))
