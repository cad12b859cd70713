"""Runs whose texts their model cannot read: their numbers say nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from core.files.datasets import of_task
from core.runs.result import Result
from core.runs.samples import is_sample
from pages.components.shared.jobs import RunRequest
from pages.components.shared.models import unreadable, unreadable_run

_LOOKED_AT = 200
"""Texts."""
_OPENED: Mapping[str, RunRequest] = MappingProxyType({})


def unread(results: Sequence[Result], asked: Mapping[str, RunRequest] = _OPENED) -> dict[str, str]:
    """By run id, why its number cannot be believed: by the texts that were asked, or else by those of the run."""
    found = {}
    for result in results:
        run_id, language = result.manifest["run_id"], _language(result)
        if one := asked.get(run_id):
            texts = [request.text for request in list(one.planned.requests.values())[:_LOOKED_AT]]
            found[run_id] = unreadable(texts, one.planned.recipe, language)
        else:
            found[run_id] = unreadable_run(result, language)
    return {run_id: why for run_id, why in found.items() if why}


def _language(result: Result) -> str:
    """The code of the language that the texts are in; empty if they are in several, or the visitor's own."""
    data = result.manifest["data"]
    for known in of_task(result.task.name):
        if known.name == data:
            return known.languages[0] if len(known.languages) == 1 else result.task.language
    return result.task.language if is_sample(data) else ""
