"""What a visitor asks about StereoSet: one model, both tasks, and the command line that answers it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.files.stereoset.examples import Examples
from core.files.tables import files
from core.policies import Policy
from core.runs import command
from core.runs.estimate import estimate
from core.settings import settings
from core.store import Store, jobs
from core.studies.stereoset.answers import missing
from core.studies.stereoset.runs import StereoSetChoices, TaskRequest
from core.tasks.stereoset import ENDINGS
from core.types import Model
from pages.components.shared.models import unreadable

_LOOKED_AT = 50
"""Examples, for what a model cannot read."""


@dataclass(frozen=True)
class StereoSetRequest:
    """`parts` are the tasks that this model can be asked about, at least one; `data` is where the examples lie."""

    model: Model
    parts: tuple[TaskRequest, ...]
    examples: Examples
    data: Path
    policy: Policy
    choices: StereoSetChoices

    @property
    def texts(self) -> int:
        """How many different texts are to be scored in all."""
        return sum(len(one.planned.requests) for one in self.parts)

    @property
    def unreadable(self) -> str:
        """Why nothing can be said about these examples with this model; empty where it reads them."""
        sentences = [candidate.sentence for one in [*self.examples][:_LOOKED_AT] for candidate in one.candidates]
        # A file that does not say its language is taken for English.
        language = "" if self.examples.language == "en" else self.examples.language
        return unreadable(sentences, self.parts[0].planned.recipe, language)

    def missing(self, store: Store) -> int:
        """How many of them are not scored yet."""
        return sum(missing(one, store) for one in self.parts)

    def is_answered(self, store: Store) -> bool:
        """Whether all that can be scored is."""
        return all(store.has_finished(one.planned.run_id) or not missing(one, store) for one in self.parts)

    def seconds(self, store: Store) -> float:
        """How long these will take."""
        return sum(estimate(missing(one, store), one.planned.recipe, store).seconds for one in self.parts)

    def arguments(self) -> list[str]:
        """The command line that scores them."""
        return command.stereoset_predict(
            files(self.data.resolve(), ENDINGS), self.model, self.policy, [one.task for one in self.parts],
            settings().home.resolve() / "reports" / "stereoset", spaced=self.choices.spaced,
            from_context=self.choices.from_context,
        )  # fmt: skip

    def latest(self) -> jobs.Job | None:
        """The latest job with this command line."""
        return jobs.latest(self.arguments())

    def start(self) -> None:
        """Queue it as a job."""
        jobs.start(self.arguments(), f"StereoSet · {self.data.name} · {self.model.name}")
