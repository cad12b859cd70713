"""Runs as files that reproduce their numbers elsewhere: programs, tables, and a README with instructions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from core.errors import PolicyError, StoreError, unknown
from core.files.exports import archive, written
from core.reports.reproduction.facts import facts
from core.reports.reproduction.limits import why_not_r
from core.reports.reproduction.lm_eval import lm_eval_files
from core.reports.reproduction.minicons import minicons_files
from core.reports.reproduction.programs import program
from core.reports.reproduction.readme import readme
from core.reports.reproduction.tables import candidates_table, items_table
from core.runs.result import Result
from core.store import Store

FORMS: Mapping[str, str] = MappingProxyType(
    {
        "minicons": "a Python program that scores the texts with minicons and compares its numbers with these",
        "lm-eval": "a task for lm-evaluation-harness: YAML and JSON lines",
        "r": "an R program: accuracy by group with intervals, two runs compared, a mixed model",
        "notebook": "two Jupyter notebooks: the tables with pandas, the run with the library",
    }
)
"""The forms in which a run can be downloaded, and their descriptions."""

_OF_ONE_RUN: Mapping[str, tuple[str, Callable[[Result, Store], dict[str, str]]]] = {
    "minicons": ("", minicons_files),
    "lm-eval": ("lm_eval/", lm_eval_files),
}
Files = dict[str, bytes | str]


def bundle(results: Sequence[Result], forms: Sequence[str], store: Store) -> Files:
    """Files by their path in the download; those of a single run are in a folder named after its id.

    Forms that are impossible for a run are left out, and the README says why. StoreError, with reasons, if all are.
    """
    for form in forms:
        if form not in FORMS:
            raise PolicyError(unknown("form", form, FORMS))
    tables: Files = {"items.csv": written(items_table(results), ".csv")}
    tables["candidates.csv"] = written(candidates_table(results), ".csv")
    made: Files = {}
    left_out: dict[str, dict[str, str]] = {}
    for result in results:
        run_id = result.manifest["run_id"]
        left_out[run_id] = {}
        for form in forms:
            try:
                made |= {f"{run_id}/{name}": content for name, content in _of_one_run(result, form, store).items()}
            except StoreError as reason:
                left_out[run_id][form] = str(reason)
    made |= _together(results, forms, left_out)
    if not made:
        raise StoreError(
            " ".join(dict.fromkeys(reason for of_run in left_out.values() for reason in of_run.values()))
        )
    run_files = {
        f"{result.manifest['run_id']}/run.json": json.dumps(facts(result), indent=1, ensure_ascii=False) + "\n"
        for result in results
    }
    return {"README.txt": readme(results, forms, left_out), **tables, **run_files, **made}


def zipped(results: Sequence[Result], forms: Sequence[str], store: Store) -> bytes:
    """The same as one .zip file."""
    return archive(bundle(results, forms, store))


def _of_one_run(result: Result, form: str, store: Store) -> dict[str, str]:
    if form not in _OF_ONE_RUN:
        return {}
    folder, make = _OF_ONE_RUN[form]
    return {f"{folder}{name}": text for name, text in make(result, store).items()}


def _together(results: Sequence[Result], forms: Sequence[str], left_out: Mapping[str, dict[str, str]]) -> Files:
    """The programs that read the tables of all runs."""
    made: Files = {}
    if "r" in forms:
        reasons = {result.manifest["run_id"]: why_not_r(result) for result in results}
        if not all(reasons.values()):
            made["analysis.R"] = program("analysis.R")
        for run_id, reason in reasons.items():
            left_out[run_id] |= {"r": reason} if reason else {}
    if "notebook" in forms:
        made |= {name: program(name) for name in ("analysis.ipynb", "pairlens.ipynb")}
    return made
