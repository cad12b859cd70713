"""A suite: a checklist of its benchmarks, one run of what is missing, its report and the file to submit."""

from functools import partial

import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.downloads import File, show_menu
from pages.components.shared.jobs import show_command, watch_jobs
from pages.components.shared.models import MODEL, choose_models
from pages.components.shared.rights import may_name_paths, path_of
from pages.components.shared.tables import choose_detail, show_table
from pairlens.evaluation import command
from pairlens.evaluation.zero_shot import backend_of
from pairlens.files.suites import Suite
from pairlens.reports.checklist import Checklist, checklist
from pairlens.reports.run_report.result import html_report
from pairlens.reports.submission import collate
from pairlens.scorers import accepting
from pairlens.settings import settings
from pairlens.sharing import without_places
from pairlens.store import jobs

_COLUMNS = {"key": "Benchmark", "state": "State", "number": "Result (95 % interval)", "note": "Note"}


def show_suite(suite: Suite) -> None:
    data = settings().home.resolve() / "evaluation_data"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        models = choose_models(MODEL)
        if may_name_paths("path", ""):
            about = "Its folder of evaluation data, beside what was fetched under Data"
            typed = st.text_input(about, key="path", bind="query-params", placeholder=str(data), width=420)
            data = (path_of(typed) or data).resolve()
    watch_jobs("suite")
    if not models:
        return
    model, reports = choose_detail({one.name: one for one in models}), settings().home.resolve() / "reports"
    with notices.explained_errors():
        backend, stored = backend_of(accepting(model.kind)[0]), resources.store().runs()
        found = checklist(suite, model.name, backend, data, reports, stored)
        notices.write(
            "<strong>$done of $all benchmarks</strong> of $title are done with $model.", "pl-headline",
            done=len(found.done), all=len(suite.entries), title=suite.title, model=model.name,
        )  # fmt: skip
        _offer_to_run(found, command.suite(suite.name, data, model, reports), f"{suite.title} · {model.name}")
        notes = found.table["note"].map(without_places)
        show_table(found.table.assign(note=notes)[list(_COLUMNS)], column_config=_COLUMNS)
        if found.done:
            _show_files(suite, found, backend)


def _offer_to_run(found: Checklist, arguments: list[str], title: str) -> None:
    """One button for all that is missing and can be run, and what the last run of it left out."""
    job = jobs.latest(arguments)
    for key, why in ((job.result or {}).get("refused", {}) if job else {}).items():
        notices.warning(f"{key}: {why}")
    if job and job.state in ("failed", "lost"):
        notices.error(job.error)
    if found.lacking:
        st.page_link("pages/data.py", label="Data that are not here yet: under Data", icon=":material/database:")
    if found.possible and (job is None or job.ended):
        with st.container(horizontal=True, vertical_alignment="center"):
            notices.write("To run: $names.", names=", ".join(found.possible))
            if st.button("Run what is missing", type="primary", icon=":material/play_arrow:"):
                jobs.start(arguments, title)
                st.rerun()
            show_command([arguments])


def _show_files(suite: Suite, found: Checklist, backend: str) -> None:
    name = suite.collated.format(backend=backend)
    submit = File("File to submit", lambda: collate(found.submission, suite, backend).read_bytes(), name)
    printed = partial(html_report, [resources.result(run_id) for run_id in found.runs], resources.store())
    report = File("Report (HTML)", printed, f"{suite.name}.html", "text/html")
    show_menu(suite.name, [], [submit], reports=[report] if found.runs else [])
