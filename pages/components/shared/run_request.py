"""What a visitor asks: a plan, and where its data lie."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.runs import command
from core.runs.requests import Plan
from core.settings import settings
from core.store import jobs


@dataclass(frozen=True)
class RunRequest:
    """One model's part of what was asked; runs that are opened by their id have none."""

    planned: Plan
    data: Path

    def arguments(self, grid: command.Grid | None = None, *, both: bool = False) -> list[str]:
        """The command line that answers it; `grid` with several temperatures, `both` by the published rules too."""
        planned = self.planned
        rule = "" if planned.rule == planned.task.rules[0] else planned.rule
        output = settings().home.resolve() / "reports"
        return command.zero_shot(
            planned.task.name, self.data.resolve(), planned.recipe, output, rule=rule, grid=grid, both=both,
            options=command.options_of(planned.task),
        )  # fmt: skip

    def start(self, arguments: list[str]) -> None:
        """Queue it as a job."""
        planned = self.planned
        jobs.start(arguments, f"{planned.task.title} · {self.data.name} · {planned.recipe.model.name}")
