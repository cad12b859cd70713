"""What a model answered to an agreement set, and what it is called: a stored run, or a file made elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core.files.tables import ending
from core.policies import Policy
from core.runs.result import Result, labels
from core.runs.samples import is_sample
from core.studies.agreement.answers import Answers, answers_in_file, answers_of_run
from pages.components.shared.models import unreadable_run
from pages.components.shared.resources import remembered, store

AGREEMENT = "agreement"
RULE_IN_WORDS: Mapping[str, str] = {
    "word": "form and the end of the word",
    "form": "form only",
    "joint": "whole sentence",
}
_IN_FILE, _BY_MODELS = "In the file", "By the models above"
_RAW = ".raw-pred"


@dataclass(frozen=True)
class AgreementResult:
    """`name` is what the model is called on the page, `key` names widgets and files. No `result`: made elsewhere.

    `unreadable` says why nothing can be said about these items with this model; empty where it reads them.
    """

    name: str
    key: str
    answers: Answers
    result: Result | None = None
    unreadable: str = ""

    @property
    def sample(self) -> bool:
        """Whether the items are our own."""
        return self.result is not None and is_sample(self.result.manifest["data"])


def results_of_runs(results: Sequence[Result], language: str = "") -> list[AgreementResult]:
    """Finished runs of the task, under the names that tell them apart; `language` is that of the items, if known."""
    return [
        AgreementResult(
            _named(name, result), result.manifest["run_id"], answers_of(result), result,
            unreadable_run(result, language),
        )
        for result, name in zip(results, labels(results), strict=True)
    ]  # fmt: skip


def _named(name: str, result: Result) -> str:
    return name if result.rule == result.task.rules[0] else f"{name} ({RULE_IN_WORDS[result.rule]})"


def result_of_file(path: Path, policy: Policy) -> AgreementResult:
    """The log-probabilities in a file; InputError in words if it has none."""
    return AgreementResult(path.name, path.stem, answers_in(path, path.parent, policy))


@remembered(most=16)
def answers_of(result: Result) -> Answers:
    """A run on an agreement set."""
    return answers_of_run(result, store())


@remembered("Reading …", 6)
def answers_in(path: Path, folder: Path, policy: Policy) -> Answers:  # noqa: ARG001
    """The log-probabilities in a file, about which other files of its `folder` may say more; InputError in words."""
    return answers_in_file(path, policy)


def choose_answers(data: Path | None) -> Sequence[Path]:
    """The files whose own log-probabilities are to be looked at; none if the models are to be asked."""
    listed = sorted(data.iterdir()) if data and data.is_dir() else [data] if data else []
    given = [file for file in listed if file.is_file() and ending(file) == _RAW]
    if not given:
        return []
    chosen = st.segmented_control(
        "Log-probabilities",
        (_IN_FILE, _BY_MODELS),
        default=_IN_FILE,
        required=True,
        key="answers",
        bind="query-params",
    )
    return given if chosen == _IN_FILE else []
