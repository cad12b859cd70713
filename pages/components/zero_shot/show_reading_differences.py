"""What runs on reading times do otherwise than BabyLM's pipeline."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.runs.reading_differences import HEADING, differences
from core.runs.result import Result
from core.scorers import SCORERS
from pages.components.shared import notices


def show_reading_differences(results: Sequence[Result]) -> None:
    """The differences of all runs, each once; nothing for other tasks and where there are none."""
    ours = [one for one in results if one.task.prediction == "surprisal" and one.manifest["scorer"] in SCORERS]
    found = [line for one in ours for line in differences(SCORERS[one.manifest["scorer"]], one.policy)]
    if found:
        with st.expander(HEADING):
            for line in dict.fromkeys(found):
                notices.write("· $line", "pl-quiet", line=line)
