"""A run to take away: programs of others that give its numbers again, a report to hand on, a table for a paper."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.reports.reproduction import FORMS, bundle, why_not, zipped
from core.reports.run_report import html_report, latex_table
from core.runs.result import Result
from pages.components.shared import notices, resources

_ZIP = "application/zip"
_NAMES = {"minicons": "minicons", "lm-eval": "lm-evaluation-harness", "r": "R", "notebook": "Notebooks"}
_HEADS = {
    "minicons": "minicons_run.py", "lm-eval": ".yaml", "r": "analysis.R", "notebook": "analysis.ipynb",
}  # fmt: skip
_LANGUAGES = {"minicons": "python", "lm-eval": "yaml", "r": "r", "notebook": "json"}
_SHOWN_LINES = 40


def show_reproduction(run_id: str) -> None:
    """Downloads of a finished run, each made when it is pressed, with what it is for; a look into the programs."""
    result = resources.result(run_id)
    comma = st.toggle(
        "Decimal comma", key=f"comma_{run_id}", persist_state="session", help="In the report and in the LaTeX table."
    )
    _offer("Report", "one HTML file to pass on: charts, tables, how it was made", f"{run_id}.html", "text/html",
           lambda: html_report([result], resources.store(), decimal_comma=comma).encode())  # fmt: skip
    for form, about in FORMS.items():
        if reason := why_not(result, form):
            notices.write("$name: not available for this run. $reason", "pl-quiet", name=_NAMES[form], reason=reason)
        else:
            _offer(_NAMES[form], about, f"{run_id}-{form}.zip", _ZIP, _zip_of(result, form))
    _offer("All of these", "one file with a README that says how to run each", f"{run_id}.zip", _ZIP,
           lambda: zipped([result], list(FORMS), resources.store()))  # fmt: skip
    _show_head(result)
    _show_latex(result, comma)


def _zip_of(result: Result, form: str) -> Callable[[], bytes]:
    return lambda: zipped([result], [form], resources.store())


def _offer(label: str, about: str, name: str, mime: str, make: Callable[[], bytes]) -> None:
    """A download and, beside it, what it is for."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.download_button(
            label, make, name, mime, key=f"get_{name}", on_click="ignore", icon=":material/download:", width=260
        )
        notices.write("$about", "pl-quiet", about=f"{about[:1].upper()}{about[1:]}.")


def _show_head(result: Result) -> None:
    """How a program begins; made only when it is asked for."""
    possible = [form for form in FORMS if not why_not(result, form)]
    chosen = st.selectbox(
        "Preview",
        ["", *possible],
        format_func=lambda form: _NAMES.get(form, "–"),
        key="look_into",
        width=260,
        persist_state="session",
    )
    if not chosen:
        return
    with notices.explained_errors():
        files = bundle([result], [chosen], resources.store())
        text = next(str(content) for name, content in files.items() if name.endswith(_HEADS[chosen]))
        lines = text.splitlines()
        st.code("\n".join(lines[:_SHOWN_LINES]), language=_LANGUAGES[chosen], height=320)
        if len(lines) > _SHOWN_LINES:
            notices.write("The first $n of $all lines.", "pl-quiet", n=_SHOWN_LINES, all=len(lines))


def _show_latex(result: Result, comma: bool) -> None:
    """The numbers by group, to copy into a paper."""
    with st.expander("LaTeX table (package booktabs)"):
        st.code(latex_table([result], decimal="," if comma else "."), language="latex", height=320)
