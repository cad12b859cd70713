"""Train: what does a model learn, and when, from the text it is given?"""

import streamlit as st

from pages.components.shared import notices
from pages.components.shared.frame import open_page
from pages.components.shared.link import show_share
from pages.components.shared.rights import rights
from pages.components.train import curves
from pages.components.train.choose import LINK as CHOICES
from pages.components.train.choose import choose_budget, choose_grammar, choose_text
from pairlens.sharing import why_not
from pairlens.store import jobs
from pairlens.training.learning_curves import shipped_curves
from pairlens.training.own_models import trained_models

LINK = (*CHOICES, curves.SHOWN, "film_pair")
FILM, MODEL = "Learning curves of {}", "{}, trained here"


def choose() -> None:
    if not rights().may("train"):
        notices.text(why_not("train"), "pl-quiet")
        return
    text = choose_text()
    if text is None:
        return
    chosen = choose_grammar(text)
    choice = choose_budget(text, chosen) if chosen else None
    if choice:
        curves.run_training(choice)


def say_why_not(job: jobs.Job | None) -> None:
    """Why the latest training gave no model; it can go on from its last checkpoint."""
    if job is None or job.state == "done":
        return
    name = curves.name_of(job)
    if job.state == "cancelled":
        notices.note(f"The training of {name} is paused.")
    else:
        notices.error(job.error)
    may_resume = name and name not in trained_models() and rights().may("train")
    if may_resume and st.button(f"Resume {name}", icon=":material/play_arrow:"):
        curves.start(job.arguments, name)


def show_result(job: jobs.Job | None) -> None:
    """The film, or a model that was trained here: the newest one to begin with, with what its training said."""
    known = {MODEL.format(name): name for name in trained_models()}
    shown = [*known, *(FILM.format(name) for name in shipped_curves())]
    if not shown:
        notices.note("No model has been trained here yet.")
        return
    title = st.selectbox("Curves", shown, key=curves.SHOWN, bind="query-params", label_visibility="collapsed")
    if title in known:
        if job and curves.name_of(job) == known[title]:
            for remark in (job.result or {}).get("remarks", ()):
                notices.note(remark)
        curves.show_trained(known[title])
    else:
        curves.show_learning_curves({FILM.format(name): name for name in shipped_curves()}[title])


open_page("Train", "What does a model learn, and when, from the text it is given?")
with st.container(horizontal=True, vertical_alignment="bottom"):
    st.space("stretch")
    show_share(LINK)
result, setup = st.columns([7, 5], gap="large")  # on a phone the answer comes first
with result, notices.explained_errors():
    if active := curves.active_training():
        curves.show_training(active.id)
    else:
        latest = curves.latest_training()
        say_why_not(latest)
        show_result(latest)
with setup:
    choose()
