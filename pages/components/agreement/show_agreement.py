"""Answers to an agreement set: the result in its frame, the whole set, models side by side, items of a group."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st

from pages.components.shared import notices
from pages.components.shared.datasets import show_whole_set
from pages.components.shared.link import keep_in_link, open_in_compare
from pages.components.shared.models import unreadable_run
from pages.components.shared.paradigms import show_paired
from pages.components.shared.resources import remembered, store
from pages.components.shared.show_result import Views, show_evidence, show_findings, show_rows
from pairlens.analysis.agreement import in_group
from pairlens.charts.agreement import GROUP
from pairlens.evaluation.result import Run
from pairlens.evaluation.samples import is_sample
from pairlens.files.tables import ending
from pairlens.policies import Policy
from pairlens.results.result import Result
from pairlens.studies.agreement.answers import Answers, answers_in_file, answers_of_runs
from pairlens.studies.agreement.result import TITLES, result

CLICKED = "group"
_IN_FILE, _BY_MODELS = "In the file", "By the models above"
_RAW = ".raw-pred"


def show_runs_of_agreement(runs: Sequence[Run], language: str = "", chooser: str = "") -> None:
    """Finished runs on the same items; `language` is that of the items, if known.

    `chooser` is the key of the control in which a published set can be chosen instead of our sample, if one can.
    """
    answers = _answers(list(runs))
    agreement = result(answers, [unreadable_run(run, language) for run in runs])
    show_findings(agreement)
    show_whole_set(runs, chooser)
    if is_sample(runs[0].manifest["data"]) and not chooser:
        st.page_link(
            "pages/zero_shot.py", label="Published sets of English, such as Linzen et al.: under Benchmarks",
            icon=":material/database:", query_params={"task": "linzen"},
        )  # fmt: skip
    alike = [run for run in runs if run.rule == runs[0].rule]  # margins of another question are no comparison
    if len(alike) > 1:
        with notices.explained_errors():
            show_paired(alike, "accuracy")
    if len(alike) < len(runs):
        notices.write("Models of which another value is compared are not tested against these.", "pl-quiet")
    _show_evidence(agreement, answers)


def show_files(files: Sequence[Path], policy: Policy) -> None:
    """The log-probabilities in files; InputError in words for one that has none."""
    answers = [_answers_in(file, file.parent, policy) for file in files]
    agreement = result(answers)
    show_findings(agreement)
    _show_evidence(agreement, answers)


def choose_answers(data: Path | None) -> Sequence[Path]:
    """The files whose own log-probabilities are to be looked at; none if the models are to be asked."""
    listed = sorted(data.iterdir()) if data and data.is_dir() else [data] if data else []
    answered = [file for file in listed if file.is_file() and ending(file) == _RAW]
    if not answered:
        return []
    chosen = st.segmented_control(
        "Log-probabilities", (_IN_FILE, _BY_MODELS), default=_IN_FILE, required=True, key="answers",
        bind="query-params",
    )  # fmt: skip
    return answered if chosen == _IN_FILE else []


@remembered(most=16)
def _answers(runs: list[Run]) -> list[Answers]:
    return answers_of_runs(runs, store())


@remembered("Reading …", 6)
def _answers_in(path: Path, folder: Path, policy: Policy) -> Answers:  # noqa: ARG001
    """Other files of its `folder` may say more about the items."""
    return answers_in_file(path, policy)


def _show_evidence(agreement: Result, answers: Sequence[Answers]) -> None:
    """A click on a group shows its items; a chosen item opens in Compare."""
    open_item = partial(_open_item, answers[0])
    views = Views(
        clicks={f"agreement_{group}": partial(_take_click, group) for group in TITLES},
        beneath={f"agreement_{group}": partial(_show_group, agreement, answers[0], group) for group in TITLES},
        rows={"items": open_item},
        opened=("items",),
    )
    show_evidence(agreement, views)


def _take_click(group: str) -> None:
    """Callback: the group that was clicked is named in the link, so that its items are there again."""
    selected = st.session_state[f"agreement_{group}_chart"].selection.get(GROUP, [])
    clicked = [point["group"] for point in selected if "group" in point]
    keep_in_link(CLICKED, f"{group}:{clicked[0] if clicked else ''}", unless=not clicked)


def _show_group(agreement: Result, answers: Answers, group: str) -> None:
    """The items of the group that the link names, if it is one of these, of the first model."""
    of, _, name = st.query_params.get(CLICKED, "").partition(":")
    if of != group or name not in set(agreement.table(f"by_{group}").frame["group"]):
        return
    notices.write("$who. Only $what: $group.", who=answers.name, what=TITLES[group].lower(), group=name)
    items = agreement.table("items")
    own = in_group(answers.items, group, name)
    columns = [column for column in items.columns if column.name in own]
    table = replace(items, columns=columns, make=lambda: own)
    show_rows(table, partial(_open_item, answers), f"rows_of_{group}_{name}", opened=True)


def _open_item(answers: Answers, row: pd.Series) -> None:
    right, rival = (f"{row['context']}{row[side]}" for side in ("right", "rival"))
    open_in_compare(right, rival, answers.run.manifest["model"] if answers.run else "", answers.policy)
