"""How the number moves with its definition: a row per way of scoring, a mark per way of averaging."""

from __future__ import annotations

import streamlit as st

from core.charts.stereoset import by_definition
from core.studies.stereoset import findings
from core.studies.stereoset import rows as rows_of
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.tables import show_table
from pages.components.stereoset.results import StereoSetResult

_FORMATS = {name: st.column_config.NumberColumn(name, format="%.2f") for name in ("LMS", "SS", "ICAT")}


def show_definitions(one: StereoSetResult, kind: str) -> None:
    """All definitions that these scores allow, the headline's ringed."""
    rows = rows_of.definition_rows(one.defined, kind)
    notices.write("How fragile is the number? The same scores under every definition", "pl-second")
    measure = st.segmented_control(
        "Number", ("SS", "LMS", "ICAT"), default="SS", required=True, key="stereoset_measure", bind="query-params"
    )
    finding = findings.definitions_finding(rows, str(measure))
    notices.write("$finding", finding=finding)
    show_chart(by_definition(rows, str(measure), finding), f"stereoset_definitions_{one.key}_{kind}")
    notices.write(
        "A row is a way of scoring, a mark a way of averaging. Ringed: the headline. Nothing was scored again.",
        "pl-quiet",
    )


def show_definition_table(one: StereoSetResult, kind: str) -> None:
    """Three numbers per definition, with all digits in the downloads."""
    rows = rows_of.definition_rows(one.defined, kind)
    show_table(
        rows.rename(columns={"definition": "Scores", "aggregation": "Averaged", "usual": "In the headline"}),
        column_config=_FORMATS, alt="One row per definition",
    )  # fmt: skip
    show_downloads(f"{one.key}-definitions-{kind}", rows)
