"""Who uses a shared dashboard: whoever has signed in or, where the operator set up no sign-in, this browser.

A browser is known by a cookie with a random number, which a script on the page sets. In a link the number would be
copied to others, and stand in the logs of proxies.
"""

import re
import secrets

import streamlit as st
from streamlit.config import is_manually_set
from streamlit.errors import StreamlitAuthError, StreamlitMissingAuthlibError
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core import sharing
from core.settings import ROOT
from core.store import visitors
from pages.components.shared import notices
from pages.components.shared.rights import is_shared, rights

_COOKIE, _KEY = "pairlens_visitor", "visitor"
_NUMBER = re.compile(r"[0-9a-f]{64}")
_DAYS = 400
"""The longest that browsers keep a cookie; each visit counts anew."""


def is_admitted() -> bool:
    """Whether pages may be shown: the dashboard is not shared, needs no sign-in, or the visitor has signed in."""
    rights()  # a mistake in the settings is said
    given = is_manually_set("secrets.files") or (ROOT / ".streamlit" / "secrets.toml").exists()
    if given and is_shared() and not _signs_in():
        notices.error(
            "secrets.toml has no [auth] that can be read: its operator finds in docs/operators.md what it needs."
        )
        st.stop()
    return not _signs_in() or bool(st.user.is_logged_in)


def admit() -> None:
    """Go on, or ask the visitor to sign in and show no more."""
    if is_admitted():
        return
    st.title("Pairlens", anchor=False)
    notices.write("This dashboard is shared. Sign in to use it: what you upload and run is then listed to you only.")
    st.button("Sign in", type="primary", icon=":material/login:", on_click=_sign_in)
    st.stop()


def _sign_in() -> None:
    """Callback: go to the identity provider, or say that the operator's set-up lacks something."""
    try:
        st.login()
    except (StreamlitAuthError, StreamlitMissingAuthlibError):
        notices.error("Sign-in is not set up completely: its operator finds in docs/operators.md what [auth] needs.")


def say_at_the_end() -> None:
    """Below a page: what its owner has to know if nobody set up that it is shared; a way to sign out."""
    if is_shared() and not sharing.why_shared().startswith("PAIRLENS_SHARED"):
        notices.write(
            "This dashboard counts as shared, because $why. Only what you yourself uploaded and ran since then is "
            "listed. If only you use it, start it with PAIRLENS_SHARED=off, and all is there.",
            "pl-quiet", why=sharing.why_shared(),
        )  # fmt: skip
    if _signs_in():
        with st.container(horizontal=True, vertical_alignment="center", key="signed_in"):
            name = str(st.user.get("email") or st.user.get("name") or "")
            notices.write("Signed in$name.", "pl-quiet", name=f" as {name}" if name else "")
            st.button("Sign out", type="tertiary", on_click=st.logout)


def cookie() -> str:
    """The script that lets the browser keep its number; empty where there is none."""
    if not is_shared() or _signs_in():
        return ""
    return f"""{{
  const kept = document.cookie.match(/(?:^|; ){_COOKIE}=([0-9a-f]{{64}})/);
  const secure = location.protocol === "https:" ? "; secure" : "";
  if (!kept || kept[1] === "{_number()}")
    document.cookie = `{_COOKIE}={_number()}; path=/; max-age={_DAYS * 86_400}; samesite=strict${{secure}}`;
}}"""


def _who() -> str:
    """Who asks now, in the thread of a session; NOBODY in one without."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return visitors.NOBODY if sharing.is_shared() else visitors.EVERYTHING
    if not is_shared():
        return visitors.EVERYTHING
    if not _signs_in():
        return visitors.visitor(_number())
    if not st.user.is_logged_in:
        return visitors.NOBODY
    return visitors.visitor(f"{st.user.get('iss')}\n{st.user.get('sub')}")


def _signs_in() -> bool:
    """Whether visitors sign in: Streamlit says so of its users where the operator's secrets have [auth]."""
    return is_shared() and "is_logged_in" in st.user


def _number() -> str:
    """This browser's number: the session's, else that of the cookie, else a new one of 256 bits."""
    if _KEY not in st.session_state:
        kept = str(st.context.cookies.get(_COOKIE, ""))
        st.session_state[_KEY] = kept if _NUMBER.fullmatch(kept) else secrets.token_hex(32)
    return str(st.session_state[_KEY])


visitors.told_by(_who)
