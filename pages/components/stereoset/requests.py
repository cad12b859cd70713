"""What a visitor asks about StereoSet, and the answers: of stored runs, and of files made elsewhere."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from pages.components.shared.frame import own_place
from pages.components.shared.jobs import RunRequest
from pages.components.shared.resources import read_file, remembered, store
from pages.components.stereoset.choose import Counted
from pairlens.errors import PolicyError
from pairlens.evaluation import command
from pairlens.evaluation.evaluate import data_name, has_finished
from pairlens.evaluation.requests import Plan
from pairlens.evaluation.samples import is_sample
from pairlens.files.stereoset.examples import Examples
from pairlens.files.stereoset.predictions import Predictions, read_predictions
from pairlens.files.stereoset.reading import read_examples
from pairlens.files.tables import files
from pairlens.policies import Policy
from pairlens.settings import settings
from pairlens.store import Store, jobs
from pairlens.studies.stereoset.answers import Answer, answer_of_file, answer_of_runs
from pairlens.studies.stereoset.classes import StereoSetChoices
from pairlens.studies.stereoset.runs import TaskRequest, ask, model_and_class, run
from pairlens.tasks.stereoset import ENDINGS
from pairlens.types import Model


@dataclass(frozen=True)
class StereoSetRequest(RunRequest):
    """`parts` are the tasks that this model can be asked about, at least one, of which `planned` is the first.

    `data` is where the examples lie; `reasons` say why it cannot be asked about the others.
    """

    parts: tuple[TaskRequest, ...]
    examples: Examples
    policy: Policy
    choices: StereoSetChoices
    reasons: tuple[str, ...]

    @property
    def plans(self) -> Sequence[Plan]:
        return [part.planned for part in self.parts]

    def missing(self, store: Store) -> int:
        return sum(part.missing(store) for part in self.parts)

    def is_answered(self, store: Store) -> bool:
        """Whether all that can be scored is."""
        return all(store.has_finished(part.planned.run_id) or not part.missing(store) for part in self.parts)

    def arguments(self, grid: command.Grid | None = None, *, both: bool = False) -> list[str]:  # noqa: ARG002
        return command.stereoset_predict(
            files(self.data.resolve(), ENDINGS),
            self.planned.recipe.model,
            self.policy,
            [part.task for part in self.parts],
            settings().home.resolve() / "reports" / "stereoset",
            spaced=self.choices.spaced,
            from_context=self.choices.from_context,
        )

    def start(self, arguments: list[str]) -> None:
        jobs.start(arguments, f"StereoSet · {data_name(self.data)} · {self.planned.recipe.model.name}")


_BY_NAME: dict[str | type, Callable[[Any], object]] = {
    Model: lambda model: (model.name, model.weights, model.revision),
    StereoSetChoices: repr,
    Counted: repr,
    StereoSetRequest: lambda request: [
        (plan.run_id, store().manifest(plan.run_id)["finished"]) for plan in request.plans
    ],
}
"""How caches tell what is asked apart, and finished runs of it."""


def _examples(path: Path) -> Examples:
    """The examples at a path, read again when a file there changes; InputError in words."""
    return read_file(path, read_examples, *files(path, ENDINGS))


def request_of(data: Path, model: Model, policy: Policy, choices: StereoSetChoices) -> StereoSetRequest:
    """What these examples ask of a model; PairlensError if it cannot be asked about any task."""
    _examples(data)  # a button may be drawn, which no cache of Streamlit allows
    return _request_of(data, model, policy, choices)


@remembered("Reading …", by=_BY_NAME)
def _request_of(data: Path, model: Model, policy: Policy, choices: StereoSetChoices) -> StereoSetRequest:
    source = f"{model.name}@{model.revision}" if model.revision else model.name
    examples, parts, reasons = _examples(data), [], []
    for task, own in examples.by_kind.items():
        try:
            parts += [ask(own, task, *model_and_class(task, source), policy, choices)] if own else []
        except PolicyError as reason:
            reasons.append(str(reason).replace(f", or --skip-{task}", ""))
    if not parts:
        raise PolicyError(" ".join(reasons))
    return StereoSetRequest(parts[0].planned, data, tuple(parts), examples, policy, choices, tuple(reasons))


def answer_of_model(request: StereoSetRequest, counted: Counted) -> Answer:
    """A model's answer, all of which is stored; PairlensError in words."""
    with own_place():
        for part in (part for part in request.parts if not has_finished(part.planned, store())):
            with st.spinner("Reading stored scores …"):
                deque(run(part, store(), data=data_name(request.data)), maxlen=0)
    return _answer_of_model(request, counted)


@remembered(by=_BY_NAME)
def _answer_of_model(request: StereoSetRequest, counted: Counted) -> Answer:
    sample = is_sample(data_name(request.data))
    return answer_of_runs(request.parts, store(), request.examples, counted.definition, counted.ties, sample=sample)


def answer_of_upload(data: Path, file: Path, ties: str) -> Answer:
    """The scores in a file of predictions for these examples; InputError in words."""
    return _answer_of_upload(data, file, ties, _examples(data), read_file(file, read_predictions, file))


@remembered(most=24)
def _answer_of_upload(data: Path, file: Path, ties: str, _examples: Examples, _scores: Predictions) -> Answer:  # noqa: ARG001
    name = _scores.name.removeprefix("predictions_")
    return answer_of_file(_examples, _scores, ties, name, sample=is_sample(data_name(data)))
