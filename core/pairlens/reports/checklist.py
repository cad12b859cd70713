"""How far a model is with a suite: each benchmark with its result, and what a run would add."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from pairlens.evaluation.evaluate import data_name
from pairlens.evaluation.run_list import headline_of
from pairlens.files.suites import Part, Suite
from pairlens.reports.submission import MISSING, Submission, gather, what_is_missing, why_not_run
from pairlens.sharing import without_places
from pairlens.tasks import TASKS


@dataclass(frozen=True, slots=True)
class Checklist:
    """Keys of what is `done` and `possible` to run now, ids of `runs`; `table`: key, state, number, note."""

    submission: Submission
    table: pd.DataFrame
    done: list[str]
    possible: list[str]
    runs: list[str]


def checklist(suite: Suite, model: str, backend: str, data: Path, results: Path, stored: pd.DataFrame) -> Checklist:
    """What is done of a suite by the folder of results, and by `stored` runs (`Store.runs`) on the same data."""
    submission = gather(results, model, backend, suite, evaluation_data=data, begun=False)
    parts = {part.entry.key: part for part in suite.parts(data)}
    runs = _runs(suite, parts, stored[(stored["state"] == "done") & (stored["model"] == model)])
    missing = {one.key for one in submission.pieces if one.state == MISSING}
    kept_back = {key for key in runs if TASKS[parts[key].entry.task].confidential}
    done = [key for key in parts if key not in missing or key in kept_back]
    why = {key: why_not_run(part, 1) for key, part in parts.items() if key not in done}
    table = what_is_missing(submission.pieces)
    table["number"] = [headline_of(runs[key]) if key in runs else None for key in table["key"]]
    table["note"] = table["key"].map(why).fillna(table["note"]).map(without_places)
    possible = [key for key, reason in why.items() if not reason]
    return Checklist(submission, table, done, possible, [str(one["run_id"]) for one in runs.values()])


def _runs(suite: Suite, parts: Mapping[str, Part], stored: pd.DataFrame) -> dict[str, Mapping[str, Any]]:
    """By key, the manifest of the latest run of a benchmark by the suite's preset."""
    manifests = [json.loads(text) for text in reversed(stored["manifest"].tolist())]
    latest = {(one["task"], one["data"]): one for one in manifests if one["policy"]["name"] == suite.preset}
    questions = {key: (part.entry.task, data_name(part.path)) for key, part in parts.items() if part.path}
    return {key: latest[question] for key, question in questions.items() if question in latest}
