"""The page's link: what it holds, which runs it opens, the popover that shares it, and the link to Compare."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.components.shared import notices
from pairlens.messages import Message
from pairlens.policies import Policy

MINE, SEEN = "mine", "seen"
"""What a visitor predicted and revealed: in her own address, never in a link that is shared."""
OF_ONE_TABLE = ("role_", "region", "marks", "upload", "items")
"""How the query parameters begin that speak of one table's columns and sentences."""
ANYWHERE = Message("on any machine that runs Pairlens")
LONGEST = 2_000
"""Longer links are cut by chat programs and mail readers."""


def keep_in_link(name: str, value: str | Sequence[str], *, unless: bool) -> None:
    """Put a value into the link, or take it out of there: `unless` it is the usual one."""
    if unless:
        st.query_params.pop(name, None)
    else:
        st.query_params[name] = value


def forget() -> None:
    """Callback: drop them from the address."""
    for name in list(st.query_params):
        if name.startswith(OF_ONE_TABLE):
            del st.query_params[name]


def opened_runs() -> list[str]:
    """Their ids as the link has them; empty if it opens none."""
    ids = st.query_params.get_all("run")
    if ids and st.button("Set up another run", icon=":material/arrow_back:"):
        st.query_params.clear()
        st.rerun()
    return ids


def show_share(names: Sequence[str], where: str = ANYWHERE, translate: Callable[[str], str] = str) -> None:
    """A popover with the link: the address and the defaults of the widgets `names`; `where` says where it works."""
    with st.container(width="content"):
        _show_link(names, where, translate)


@st.fragment
def _show_link(names: Sequence[str], where: str, translate: Callable[[str], str]) -> None:
    """The link is made when the popover opens: by then all widgets of the page have their values."""
    popover = st.popover(translate("Share"), icon=":material/link:", key="share", on_change="rerun")
    if not popover.open:
        return
    with popover:
        link = f"{st.context.url or ''}?{urlencode(parameters_of(names), doseq=True)}".rstrip("?")
        if len(link) > LONGEST:
            st.caption(translate("These texts are too long for a link. Save them to Results, or send the CSV file."))
        else:
            st.caption(translate(Message("This link opens the page as it is now, {where}.", where=where)))
            st.code(link, language=None, wrap_lines=True)


def parameters_of(names: Sequence[str]) -> dict[str, object]:
    """Values by parameter, default ones too, which another machine may have otherwise.

    Without what other pages hold, what is not shown now, and what the visitor herself predicted and revealed.
    """
    context = get_script_run_ctx()
    with context.session_state.query_params() if context else nullcontext(None) as link:
        drawn = [name for name in names if link and link.is_bound(name)]
    values: dict[str, object] = {name: value for name in drawn if (value := st.session_state.get(name))}
    return values | {name: st.query_params.get_all(name) for name in st.query_params if name not in (MINE, SEEN)}


def open_in_compare(right: str, rival: str, model: str, policy: Policy) -> None:
    """The texts, and the link, with the policy, so that the same margin appears there, by its usual model if none."""
    form = '<bdi class="pl-form">{}</bdi>'
    notices.write(f"{form.format('$right')} · {form.format('$rival')}", right=right, rival=rival)
    changes = ",".join(f"{field}:{value}" for field, value in policy.changes().items())
    scoring = {"as": policy.name.partition(",")[0]} | ({"but": changes} if changes else {})
    link_to_compare(a=right, b=rival, model=model, **scoring)


def link_to_compare(**parameters: str) -> None:
    """The link to that page with these parameters, but for empty ones."""
    stated = {name: value for name, value in parameters.items() if value}
    st.page_link("pages/compare.py", label="Open in Compare", icon=":material/compare_arrows:", query_params=stated)


def follow_example(memory: str, first: Mapping[str, str]) -> None:
    """Boxes that hold what they opened with hold another example, as long as nothing was typed, chosen or linked.

    `first` are its texts by the key of their box; `memory` is where the session keeps what the page opened with.
    """
    before = st.session_state.get(memory, first)
    if before != first and {key: st.session_state.get(key) for key in first} == before:
        st.session_state.update(first)
    if not first.keys() & set(st.query_params):
        st.session_state[memory] = first
