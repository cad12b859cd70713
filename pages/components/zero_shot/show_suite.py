"""A suite: a checklist of its benchmarks, one run of what is missing, its report and the file to submit."""

from functools import partial

import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.jobs import show_command, watch_jobs
from pages.components.shared.link import show_share
from pages.components.shared.models import MODEL, choose_models
from pages.components.shared.rights import rights
from pages.components.shared.tables import choose_detail, show_table
from pairlens.evaluation import command
from pairlens.evaluation.zero_shot import backend_of
from pairlens.files.suites import Suite
from pairlens.reports.checklist import checklist
from pairlens.reports.run_report.result import html_report
from pairlens.reports.submission import collate
from pairlens.scorers import accepting
from pairlens.settings import settings
from pairlens.store import jobs

_COLUMNS = {"key": "Benchmark", "state": "State", "number": "Result (95 % interval)", "note": "Note"}


def show_suite(suite: Suite) -> None:
    """The checklist of one of the chosen models; data are what was fetched, and a folder in the visitor's home."""
    if not rights().everything:  # the files to submit of one model are one folder, whoever ran it
        notices.note("Suites are run where Pairlens is one's own. Here, each of their benchmarks can be run alone.")
        return
    home, models = settings().home.resolve(), choose_models(MODEL)
    with st.container(horizontal=True, vertical_alignment="center"):
        notices.write(
            "Its data: what is fetched under Data, and the folder $folder.", folder=home / "evaluation_data"
        )
        st.page_link("pages/data.py", label="Fetch data", icon=":material/download:")
        st.space("stretch")
        show_share(("task", MODEL))
    watch_jobs("suite")
    if not models:
        return
    model = choose_detail({one.name: one for one in models})
    with notices.explained_errors():
        backend, stored = backend_of(accepting(model.kind)[0]), resources.store().runs()
        progress = checklist(suite, model.name, backend, home / "evaluation_data", home / "reports", stored)
        notices.write(
            "<strong>$done of $all benchmarks</strong> of $title are done with $model.", "pl-headline",
            done=len(progress.done), all=len(suite.entries), title=suite.title, model=model.name,
        )  # fmt: skip
        arguments = command.suite(suite.name, home / "evaluation_data", model, home / "reports")
        job = jobs.latest(arguments)
        if job and job.state in ("failed", "lost"):
            notices.error(job.error)
        if progress.possible and (job is None or job.ended):
            with st.container(horizontal=True, vertical_alignment="center"):
                notices.write("To run: $names.", names=", ".join(progress.possible))
                if st.button("Run what is missing", type="primary", icon=":material/play_arrow:"):
                    jobs.start(arguments, f"{suite.title} · {model.name}")
                    st.rerun()
                show_command([arguments])
        show_table(progress.table[list(_COLUMNS)], column_config=_COLUMNS)
        if progress.done:
            submitted = partial(collate, progress.submission, suite, backend)
            st.download_button("File to submit", lambda: submitted().read_bytes(), f"{suite.name}.json")
        if progress.runs:
            report = partial(html_report, [*map(resources.result, progress.runs)], resources.store())
            st.download_button("Report (HTML)", report, f"{suite.name}.html", "text/html")
