"""The frame of every page: title, question, style; what it holds when it is left; what no page expected."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import streamlit as st
from streamlit import error_util, net_util
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import RunLocation, ThreadState, in_cached_function

from pages.components.shared import notices
from pages.components.shared.door import offer_to_open, show_opened
from pages.components.shared.rights import admit, cookie
from pairlens import unexpected
from pairlens.errors import PairlensError
from pairlens.messages import Message
from pairlens.places import spare_processor

_HERE = Path(__file__).parent
_OPEN, _LEFT, _REFUSED = "open_page", "links_of_pages", "refused_parameters"
_OF_ONE_PAGE = ("data", "path")
"""Controls of several pages that offer other things on each."""
_UNUSABLE = re.compile("[\0\ud800-\udfff]")
"""What no text of a link can hold: nothing that reads files or tables takes it."""
_STYLE = Path(__file__).parent / "style.css"
_LANGUAGE = "language_of_errors"
"""In the session: what puts what is said of errors into the language of the page that is open."""
_SENTENCE = Message(
    "Something unexpected went wrong here: what you entered is kept, and the log of this dashboard says more under "
    "the reference {reference}."
)


@dataclass(frozen=True)
class _Left:
    """How a page was left: its link but for what pages name alike, and what Streamlit forgets of it."""

    whole: dict[str, list[str]]
    forgotten: dict[str, list[str]]


def open_page(title: str, question: str, translate: Callable[[str], str] = str) -> None:
    """Set the page up: title, `question` in the visitor's words; `translate` puts errors into the page's language."""
    stand_by()
    st.session_state[_LANGUAGE] = translate
    _let_the_app_run_first()
    # Where a page of another origin connects, Streamlit would ask the internet for this machine's address.
    net_util.get_external_ip = lambda: None
    st.set_page_config(page_title=f"{title} · Pairlens", page_icon=str(_HERE / "mark.svg"))
    st.logo(str(_HERE / "wordmark.svg"), size="large")
    admit()
    with st.container(gap=None):
        with st.container(horizontal=True, key="title_row"):
            st.title(title, anchor=False, width="stretch")
            if (page := opened_page()) != "classroom":
                offer_to_open(page, translate)
        script = "\n".join((_HERE / name).read_text("utf-8") for name in ("history.js", "keyboard.js"))
        script += cookie()
        st.html(f'<p class="pl-question">{question}</p><script>{script}</script>', unsafe_allow_javascript=True)
    show_opened(page, translate)
    for name in st.session_state.pop(_REFUSED, ()):
        notices.error(
            f"The parameter {name[:40]!r} of this link holds a character that no text has: it was left out."
        )


def _let_the_app_run_first() -> None:
    """A link to a page, followed on a server that has just started, runs the page alone: without app.py, no menu.

    Streamlit takes a folder called `pages` for its older kind of application until `st.navigation` was called once.
    """
    if getattr(PagesManager, "uses_pages_directory", False):
        PagesManager.uses_pages_directory = False
        st.rerun()


def opened_page() -> str:
    return str(st.session_state.get(_OPEN, ""))


def run_page(page: StreamlitPage) -> None:
    """Run a page; one that was open before in this tab, and is asked for without a link of its own, as it was left.

    Streamlit keeps the values of widgets that are bound to the link or persist for the session. It forgets the other
    parameters of the link, and on Back everything, or what pages name alike: the entry in the browser's history was
    emptied of it when the page was left. A parameter that nothing could read is left out for all pages here.
    """
    st.html(_STYLE)  # before the page, with which it would be taken away and come again
    left: dict[str, _Left] = st.session_state.setdefault(_LEFT, {})
    opens = st.session_state.get(_OPEN) != page.url_path
    st.session_state[_OPEN] = page.url_path
    link = {name: st.query_params.get_all(name) for name in st.query_params}
    unusable = [name for name, values in link.items() if _UNUSABLE.search("".join((name, *values)))]
    if opens and unusable:
        st.session_state[_REFUSED] = unusable
        st.switch_page(page, query_params={name: link[name] for name in link if name not in unusable})
    before = left.get(page.url_path, _Left({}, {}))
    if opens and link in ({}, before.whole):
        for name in _OF_ONE_PAGE:
            st.session_state.pop(name, None)
        if before.forgotten:
            st.switch_page(page, query_params=link | before.forgotten)
    try:
        page.run()
    finally:
        bound = {*st.session_state}  # to ask it for a name that cannot be a key, as in a link with ?=x, is an error
        if page.url_path == "results" or "run" not in st.query_params:  # else Results has opened a run there
            link = {name: st.query_params.get_all(name) for name in st.query_params}
            left[page.url_path] = _Left(
                {name: link[name] for name in link if name not in _OF_ONE_PAGE},
                {name: link[name] for name in link if name in _OF_ONE_PAGE or name not in bound},
            )


def stand_by() -> None:
    """From now on, in all sessions of this process."""
    error_util.invoke_script_error_handler = _explain
    spare_processor()


def _explain(ex: Exception, on_script_error: Callable[[Exception], bool | None] | None) -> bool:  # noqa: ARG001
    """Say it where the visitor looks; whether that was done, and Streamlit need not."""
    with suppress(Exception):  # memory may be used up
        st.html(_STYLE)  # a callback fails before its page begins
        translate = st.session_state.get(_LANGUAGE, str)
        if isinstance(ex, PairlensError):
            notices.error(translate(ex.message))
        else:
            notices.error(translate(Message(_SENTENCE, reference=unexpected.record(ex))))
        anew = translate("Start the page anew")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(translate("Try again"), icon=":material/refresh:", key=free_key("try_again"))
            st.html(f'<a href="?" target="_self">{anew}</a>')
        return True
    return False


def free_key(key: str) -> str:
    """The key or, where this run of the page has drawn something with it, the next one: `KEY 2`, `KEY 3` ..."""
    context = get_script_run_ctx()
    drawn = context.shared.widget_user_keys_this_run if context else ()
    return next(one for n in count(1) if (one := f"{key} {n}" if n > 1 else key) not in drawn)


def own_place() -> AbstractContextManager[object]:
    """For what is drawn only while something is computed: a container that the page has either way.

    Where a rerun moves a widget to another place in the page, the browser forgets that it is bound to the link, and
    what is chosen then is not there after Back. Nothing is drawn outside a page's run, and in cached functions and
    callbacks.
    """
    if not get_script_run_ctx(suppress_warning=True) or in_cached_function.get():
        return nullcontext()
    return nullcontext() if ThreadState.get().run_location is RunLocation.CALLBACK else st.container()
