"""What a visitor asks about StereoSet, and what a model answered: stored runs, a file made elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from core import identity
from core.errors import PolicyError
from core.files.stereoset.examples import Examples
from core.files.stereoset.reading import read_examples
from core.files.tables import files
from core.policies import Policy
from core.runs import command
from core.runs.estimate import duration_in_words, estimate
from core.runs.evaluate import data_name, has_finished
from core.runs.receipts.bibtex import bibtex
from core.runs.samples import is_sample
from core.settings import settings
from core.store import Store, jobs
from core.studies.stereoset.answers import answers, keys, methods, methods_of_runs, missing, numbers, receipt_of_runs
from core.studies.stereoset.cases import Definition
from core.studies.stereoset.measured import OVERALL, Measured, measure
from core.studies.stereoset.predictions import Predictions, read_predictions
from core.studies.stereoset.runs import StereoSetChoices, TaskRequest, ask, model_and_class, run
from core.tasks import TASKS
from core.tasks.stereoset import ENDINGS
from core.types import Model
from pages.components.shared import notices, resources
from pages.components.shared.frame import own_place
from pages.components.shared.jobs import show_command
from pages.components.shared.models import unreadable
from pages.components.shared.resources import read_file, remembered, states
from pages.components.stereoset.choose import Counted

_LOOKED_AT = 50
"""Examples, for what a model cannot read."""


@dataclass(frozen=True)
class StereoSetResult:
    """`name` is what the model is called on the page, `key` names widgets and files: other answers, another key.

    `defined` has its numbers under every definition, that of the headline first; `predictions` are of this one.
    `model` and `policy` open a pair in Compare; a file made elsewhere has no model. `receipt` is everything that went
    into the numbers, `methods` the sentences for a paper, `bibtex` what to cite. `data` is what the examples are
    called in runs; `unreadable` says why nothing can be said about them with this model, empty where it reads them.
    """

    name: str
    key: str
    examples: Examples
    predictions: Predictions
    defined: Mapping[Definition, Measured]
    receipt: Mapping[str, Any]
    methods: str
    bibtex: str
    model: str = ""
    policy: Policy = field(default_factory=Policy)
    data: str = ""
    unreadable: str = ""

    @property
    def sample(self) -> bool:
        """Whether the examples are our own."""
        return is_sample(self.data)

    @property
    def measured(self) -> Measured:
        """The numbers of the headline."""
        return next(iter(self.defined.values()))


def kinds(shown: Sequence[StereoSetResult]) -> list[str]:
    """The tasks that all of them have, both together first."""
    common = [kind for kind in shown[0].measured.kinds if all(kind in one.measured.kinds for one in shown)]
    return sorted(common, key=lambda kind: kind != OVERALL)


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


_BY_NAME: dict[str | type, Callable[[Any], object]] = {
    Model: lambda model: (model.name, model.weights, model.revision),
    StereoSetChoices: repr,
    Counted: repr,
    StereoSetRequest: lambda asked: [part.planned.run_id for part in asked.parts],
}
"""How caches tell what is asked apart."""


def _examples(path: Path) -> Examples:
    """The examples at a path, read again when a file there changes; InputError in words."""
    return read_file(path, read_examples, *files(path, ENDINGS))


def request_of(
    data: Path, model: Model, policy: Policy, choices: StereoSetChoices
) -> tuple[StereoSetRequest, tuple[str, ...]]:
    """What these examples ask of a model, and why it cannot be asked about a task; PairlensError if about none."""
    _examples(data)  # a button may be drawn, which no cache of Streamlit allows
    return _request_of(data, model, policy, choices)


@remembered("Reading …", by=_BY_NAME)
def _request_of(
    data: Path, model: Model, policy: Policy, choices: StereoSetChoices
) -> tuple[StereoSetRequest, tuple[str, ...]]:
    source = f"{model.name}@{model.revision}" if model.revision else model.name
    some, parts, reasons = _examples(data), [], []
    for task, found in some.by_kind.items():
        if not found:
            continue
        try:
            parts.append(ask(found, task, *model_and_class(task, source), policy, choices))
        except PolicyError as reason:
            reasons.append(str(reason).replace(f", or --skip-{task}", ""))
    if not parts:
        raise PolicyError(" ".join(reasons))
    return StereoSetRequest(model, tuple(parts), some, data, policy, choices), tuple(reasons)


def result_of_runs(one: StereoSetRequest, counted: Counted, store: Store) -> StereoSetResult:
    """A model's answers, all of which are stored; PairlensError in words."""
    unfinished = [part for part in one.parts if not has_finished(part.planned, store)]
    with own_place():
        if unfinished:
            with st.spinner("Reading stored scores …"):
                for part in unfinished:
                    for _ in run(part, store, data=data_name(one.data)):
                        continue
    made = tuple((part.planned.run_id, store.manifest(part.planned.run_id)["finished"]) for part in one.parts)
    return _result_of_runs(one, made, counted, store)


@remembered(by=_BY_NAME)
def _result_of_runs(
    one: StereoSetRequest, made: tuple[tuple[str, str], ...], counted: Counted, _store: Store
) -> StereoSetResult:  # fmt: skip
    found = answers(one.parts, _store, one.examples, counted.definition, counted.ties, one.model.name)
    (usual, (scores, measured)), *_ = found.items()
    receipt = receipt_of_runs(one.parts, _store, usual, measured, one.examples)
    return StereoSetResult(
        one.model.name, _key(made, counted), one.examples, scores,
        {definition: each for definition, (_, each) in found.items()}, receipt,
        f"{methods_of_runs(one.parts, usual)} {methods(measured)}", bibtex(keys(one.parts), one.model),
        one.model.name, one.policy, data_name(one.data), one.unreadable,
    )  # fmt: skip


def result_of_file(data: Path, file: Path, ties: str) -> StereoSetResult:
    """The scores in a file of predictions for these examples; InputError in words."""
    some, scores = _examples(data), read_file(file, read_predictions, file)
    return _result_of_file(data, file, ties, some, scores)


@remembered(most=24)
def _result_of_file(data: Path, file: Path, ties: str, _some: Examples, _scores: Predictions) -> StereoSetResult:
    found = measure(_some, _scores, ties)
    receipt = {"file": file.name, **numbers(found, _some)}
    return StereoSetResult(
        _scores.name.removeprefix("predictions_"), _key(data, states(data), file, states(file), ties), _some, _scores,
        {Definition(elsewhere=True): found}, receipt, f"Scores: {file.name}. {methods(found)}",
        bibtex(TASKS["stereoset"].cites), data=data_name(data),
    )  # fmt: skip


def _key(*parts: object) -> str:
    return identity.digest(repr(parts))[:12]


def run_stereoset(waiting: Sequence[StereoSetRequest]) -> None:
    """Say how long scoring what is missing will take, and offer to start it; nothing while all is under way."""
    idle = [one for one in waiting if not (job := one.latest()) or job.ended]
    if not idle:
        return
    store = resources.store()
    notices.write(
        "<strong>$n</strong>, about $time here. Every case and every average then comes from the same scores.",
        n=notices.counted(sum(len(part.examples) for part in idle[0].parts), "example"),
        time=duration_in_words(sum(one.seconds(store) for one in idle)),
    )  # fmt: skip
    for one in idle:
        _say_how_it_ended(one, one.texts - one.missing(store))
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Run", type="primary", icon=":material/play_arrow:"):
            for one in idle:
                one.start()
            st.rerun()
        show_command(one.arguments() for one in idle)


def _say_how_it_ended(one: StereoSetRequest, scored: int) -> None:
    """What became of the latest attempt at exactly this, and what is already there."""
    job = one.latest()
    if job and job.state in ("failed", "lost"):
        notices.error(job.error)
    stopped = "stopped; " if job and job.state == "cancelled" else ""
    if stopped or scored:
        done = f"{scored:,} of {one.texts:,} texts"
        notices.note(f"{one.model.name}: {stopped}{done} are already scored. Run goes on from there.")
