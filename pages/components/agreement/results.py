"""What a model answered to an agreement set, and what it is called: a stored run, or a file made elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.policies import Policy
from core.runs.result import Result, labels
from core.runs.samples import is_sample
from core.studies.agreement.answers import Answers
from pages.components.agreement import resources
from pages.components.shared.models import unreadable_run

AGREEMENT = "agreement"
RULE_IN_WORDS: Mapping[str, str] = {
    "word": "form and the end of the word",
    "form": "form only",
    "joint": "whole sentence",
}


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
            _named(name, result), result.manifest["run_id"], resources.agreement(result), result,
            unreadable_run(result, language),
        )
        for result, name in zip(results, labels(results), strict=True)
    ]  # fmt: skip


def _named(name: str, result: Result) -> str:
    return name if result.rule == result.task.rules[0] else f"{name} ({RULE_IN_WORDS[result.rule]})"


def result_of_file(path: Path, policy: Policy) -> AgreementResult:
    """The log-probabilities in a file; InputError in words if it has none."""
    return AgreementResult(path.name, path.stem, resources.agreement_in_file(path, policy))
