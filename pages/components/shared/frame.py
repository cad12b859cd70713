"""The same frame on every page: title, the question it answers, one style. Every page calls `open_page` first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit import net_util
from streamlit.runtime.pages_manager import PagesManager

from pages.components.shared import keep_page, last_resort, visitor

_HERE = Path(__file__).parent


def open_page(title: str, question: str, said: Callable[[str], str] = str) -> None:
    """Set the page up and say what it answers. `question` is one line in the visitor's words.

    `said` puts what is said of errors into the page's language.
    """
    last_resort.stand_by()
    last_resort.speak(said)
    _let_the_app_run_first()
    _ask_no_other_host()
    st.set_page_config(page_title=f"{title} · Pairlens", page_icon=str(_HERE / "mark.svg"), layout="wide")
    st.logo(str(_HERE / "wordmark.svg"), size="large")
    st.html(_HERE / "style.css")
    visitor.admit()
    with st.container(gap=None):
        st.title(title, anchor=False)
        script = "\n".join((_HERE / name).read_text("utf-8") for name in ("history.js", "keyboard.js"))
        script += visitor.cookie()
        st.html(f'<p class="pl-question">{question}</p><script>{script}</script>', unsafe_allow_javascript=True)
    keep_page.say_refused()


def _let_the_app_run_first() -> None:
    """A link to a page, followed on a server that has just started, runs the page alone: without app.py, no menu.

    Streamlit takes a folder called `pages` for its older kind of application until `st.navigation` was called once.
    """
    if getattr(PagesManager, "uses_pages_directory", False):
        PagesManager.uses_pages_directory = False
        st.rerun()


def _ask_no_other_host() -> None:
    """Where a page of another origin connects, Streamlit would ask the internet for this machine's address."""
    net_util.get_external_ip = lambda: None
