"""Whether others than this machine's user reach the dashboard, what its visitors may do then, and who they are.

A visitor is whoever has signed in or, where the operator set up no sign-in, a browser: known by a cookie with a
random number, which a script on the page sets. In a link the number would be copied to others, and stand in logs.
"""

import os
import platform
import re
import secrets
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st
from streamlit.config import is_manually_set
from streamlit.errors import StreamlitAuthError, StreamlitMissingAuthlibError
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.components.shared import notices
from pairlens import sharing
from pairlens.places import FOLDER
from pairlens.settings import settings
from pairlens.sharing import Rights
from pairlens.store import visitors

_LOOKED, _EVERY_SECONDS = "looked_for_others", 10.0
_SHOWN = "shown_by_visitor"
"""Where a session keeps what its visitor shows: a page asks a dozen times while it is drawn."""
_FORWARDING = re.compile(
    r"(x-)?forwarded|via$|x-client-?ip|x-(real|cluster-client|original|remote|proxy|envoy|appengine|azure|amzn)-?|remote-|"
    r"true-client-ip|cf-|fastly-|fly-|tailscale-|proxy-",
    re.IGNORECASE,
)
"""How headers begin that something on the way adds."""
_ELSEWHERE = ("server.baseUrlPath", "server.corsAllowedOrigins", "server.trustedUserHeaders", "server.sslCertFile",
              "server.enableAgentApi")  # fmt: skip
_PROTECTION = ("server.enableCORS", "server.enableXsrfProtection")
_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_ESTABLISHED = "01"
_HERE = ("0.0.0.0", "::", "ip6-localhost", "ip6-loopback")
"""Under these names too a browser reaches this machine; as the server's address the first two are every address."""


def is_shared() -> bool:
    """Whether this dashboard is shared (`PAIRLENS_SHARED`); once it was seen to be, it is until the server ends."""
    choice = settings().shared
    if choice == "off":
        return False
    if not sharing.is_shared() and (
        why := "PAIRLENS_SHARED is on" if choice == "on" else _seen(proxied=choice == "proxied")
    ):
        sharing.share(why)
    return sharing.is_shared()


def rights() -> Rights:
    is_shared()
    return sharing.rights()


def may_name_paths(parameter: str, value: str) -> bool:
    """Whether a control offers paths: where they are closed only to a link that asks for one, which is told why."""
    return rights().names_paths or st.query_params.get(parameter) == value


def path_of(typed: str | None, translate: Callable[[str], str] = str) -> Path | None:
    """The path that a visitor typed; None if there is none, or, with the reason, if it may not be named."""
    with notices.explained_errors(translate):
        if typed and typed.strip():
            return rights().path(typed)
    return None


def _seen(*, proxied: bool) -> str:
    """What shows that others reach it, as a clause; empty if nothing does. A user's own proxy asks who comes."""
    now = time.monotonic()
    if _SHOWN not in st.session_state:
        st.session_state[_SHOWN] = _shown_by_visitor()
    shown = "" if proxied else str(st.session_state[_SHOWN])
    if shown or now < st.session_state.get(_LOOKED, -_EVERY_SECONDS) + _EVERY_SECONDS:
        return shown
    st.session_state[_LOOKED] = now  # of open connections the kernel makes a long list: looked at now and then
    return by_others(int(st.get_option("server.port")))


def _shown_by_visitor() -> str:
    headers, peer = st.context.headers, st.context.ip_address
    return (
        by_options(st.get_option, is_manually_set)
        or by_request({name: headers.get_all(name) for name in headers}, peer if isinstance(peer, str) else None)
        or ("visitors sign in ([auth] in secrets.toml)" if "is_logged_in" in st.user else "")
    )


def is_loopback(host: str) -> bool:
    """Whether a host, without its port, is this machine by every reading: `localhost`, 127.0.0.0/8, ::1."""
    host = host.lower().rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback


def by_options(option: Callable[[str], object], was_given: Callable[[str], bool]) -> str:
    """The option of Streamlit that shows it, as a clause; empty if none does."""
    address = str(option("server.address") or "")
    if not is_loopback(address):
        return f"server.address is {address or 'every address'}"
    if was_given("browser.serverAddress") and not is_loopback(str(option("browser.serverAddress"))):
        return "browser.serverAddress is given"
    hosts = option("server.allowedHosts")
    if isinstance(hosts, Sequence) and not all(is_loopback(str(host)) for host in hosts):
        return "server.allowedHosts names others"
    options = [f"{name} is given" for name in _ELSEWHERE if option(name)]
    off = [f"{name} is off" for name in _PROTECTION if not option(name)]
    return next(iter((*options, *off)), "")


def by_request(headers: Mapping[str, Sequence[str]], peer: str | None) -> str:
    """What shows it in the headers that opened a visitor's connection, by name, or in the address it came from.

    Nothing does if there are no headers at all, as in tests; a browser always sends a Host.
    """
    if peer and not is_loopback(peer):
        return "a visitor came from another machine"
    names = {name.lower(): values for name, values in headers.items()}
    if names and not all(map(_is_local, names.get("host") or [""])):
        return "a visitor asked for it under another name than localhost"
    if not all(_is_local(origin.partition("://")[2]) for origin in names.get("origin", ())):
        return "a visitor came from a page under another name than localhost"
    passed_on = sorted(name for name in names if _FORWARDING.match(name))
    return f"a visitor's request was passed on ({passed_on[0]})" if passed_on else ""


def _is_local(host_and_port: str) -> bool:
    try:
        host = urlsplit(f"//{host_and_port}").hostname or ""
        return host in _HERE or is_loopback(host)
    except ValueError:
        return False


def by_others(port: int) -> str:
    """Linux only: what shows it is a connection to this port that another user's process holds, such as a proxy."""
    if not hasattr(os, "getuid"):  # Windows
        return ""
    # Below Windows, the process that connects Windows' own browser is root's.
    own = {os.getuid(), 0} if "microsoft" in platform.release().lower() else {os.getuid()}
    for table in _TABLES:
        with suppress(OSError):
            if holders(table.read_text("ascii"), port) - own:
                return "a process of another user of this machine, such as a proxy, is connected to it"
    return ""


def holders(table: str, port: int) -> set[int]:
    """The users whose processes are connected to a port of this machine, by the kernel's table of sockets."""
    names = set()
    for line in table.splitlines()[1:]:
        _, _, remote, state, *_, user = line.split()[:8]
        host, _, number = remote.partition(":")
        # `0100007F` is 127.0.0.1: words of four bytes, each in the order of this machine's numbers
        words = [int(host[i : i + 8], 16) for i in range(0, len(host), 8)]
        packed = struct.pack(f"={len(words)}I", *words)
        address = IPv4Address(packed) if len(words) == 1 else IPv6Address(packed)
        if state == _ESTABLISHED and int(number, 16) == port and is_loopback(str(address)):
            names.add(int(user))
    return names


_COOKIE, _KEY = "pairlens_visitor", "visitor"
_NUMBER = re.compile(r"[0-9a-f]{64}")
_DAYS = 400
"""The longest that browsers keep a cookie; each visit counts anew."""


def is_admitted() -> bool:
    """Whether pages may be shown: the dashboard is not shared, needs no sign-in, or the visitor has signed in."""
    st.session_state.pop(_SHOWN, None)  # the app asks this first whenever it runs: the connection may be another
    rights()  # a mistake in the settings is said
    has_secrets = is_manually_set("secrets.files") or any(
        (place / ".streamlit" / "secrets.toml").exists() for place in (FOLDER, Path.cwd())
    )
    if has_secrets and is_shared() and not _signs_in():
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
        number = str(st.context.cookies.get(_COOKIE, ""))
        st.session_state[_KEY] = number if _NUMBER.fullmatch(number) else secrets.token_hex(32)
    return str(st.session_state[_KEY])


visitors.told_by(_who)
