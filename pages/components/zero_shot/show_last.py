"""The answer of the latest run of a benchmark, while nothing else is answered."""

from __future__ import annotations

import streamlit as st

from core.policies import CHOICES
from core.types import Task
from pages.components.shared import notices, resources
from pages.components.shared.datasets import show_whole_set
from pages.components.shared.headlines import show_headlines
from pages.components.zero_shot.unread import unread


def show_last(task: Task) -> None:
    """Its headline, how it was scored, and the button that opens it; nothing where there is no finished run."""
    runs = resources.store().runs()
    done = runs.loc[(runs["task"] == task.name) & (runs["state"] == "done"), "run_id"]
    for run_id in done.head(1):
        with notices.explained_errors():
            result = resources.result(run_id)
            notices.write("The latest run here, $title:", "pl-quiet", title=result.manifest["title"])
            show_headlines([result], unread([result]))
            notices.write(
                "Scored: $phrase; $ties.", "pl-quiet",
                phrase=result.policy.phrase(), ties=CHOICES["ties"][result.policy.ties],
            )  # fmt: skip
            show_whole_set([result])
            if st.button("Open this run", icon=":material/open_in_new:", key="open_last"):
                st.query_params.from_dict({"run": [run_id]})
                st.rerun()
