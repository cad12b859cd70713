"""What a model answered to an agreement set, and what it is called: a stored run, or a file made elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.policies import Policy
from core.runs.result import Result, labels
from core.studies.agreement.answers import Answers
from pages.components.agreement import resources

AGREEMENT = "agreement"
RULE_IN_WORDS: Mapping[str, str] = {
    "word": "form and the end of the word",
    "form": "form only",
    "joint": "whole sentence",
}


@dataclass(frozen=True)
class AgreementResult:
    """`name` is what the model is called on the page, `key` names widgets and files. No `result`: made elsewhere."""

    name: str
    key: str
    answers: Answers
    result: Result | None = None


def results_of_runs(results: Sequence[Result]) -> list[AgreementResult]:
    """Finished runs of the task, under the names that tell them apart."""
    return [
        AgreementResult(_named(name, result), result.manifest["run_id"], resources.agreement(result), result)
        for result, name in zip(results, labels(results), strict=True)
    ]


def _named(name: str, result: Result) -> str:
    return name if result.rule == result.task.rules[0] else f"{name} ({RULE_IN_WORDS[result.rule]})"


def result_of_file(path: Path, policy: Policy) -> AgreementResult:
    """The log-probabilities in a file; InputError in words if it has none."""
    return AgreementResult(path.name, path.stem, resources.agreement_in_file(path, policy))
