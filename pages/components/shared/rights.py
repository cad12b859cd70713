"""Whether others than this machine's user reach the dashboard, and what its visitors may do then."""

import os
import platform
import re
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st
from streamlit.config import is_manually_set

from core import sharing
from core.settings import settings
from core.sharing import Rights
from pages.components.shared import notices

_LOOKED, _EVERY_SECONDS = "looked_for_others", 10.0
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
    if not sharing.is_shared() and (why := "PAIRLENS_SHARED is on" if choice == "on" else _seen()):
        sharing.share(why)
    return sharing.is_shared()


def rights() -> Rights:
    is_shared()
    return sharing.rights()


def may_name_paths(parameter: str, value: str) -> bool:
    """Whether a control offers paths: where they are closed only to a link that asks for one, which is told why."""
    return rights().names_paths or st.query_params.get(parameter) == value


def path_of(typed: str | None, said: Callable[[str], str] = str) -> Path | None:
    """The path that a visitor typed; None if there is none, or, with the reason, if it may not be named."""
    with notices.explained_errors(said):
        if typed and typed.strip():
            return rights().path(typed)
    return None


def _seen() -> str:
    """What shows that others reach it, as a clause; empty if nothing does."""
    headers, peer, now = st.context.headers, st.context.ip_address, time.monotonic()
    shown = (
        by_options(st.get_option, is_manually_set)
        or by_request({name: headers.get_all(name) for name in headers}, peer if isinstance(peer, str) else None)
        or ("visitors sign in ([auth] in secrets.toml)" if "is_logged_in" in st.user else "")
    )
    if shown or now < st.session_state.get(_LOOKED, -_EVERY_SECONDS) + _EVERY_SECONDS:
        return shown
    st.session_state[_LOOKED] = now  # of open connections the kernel makes a long list: looked at now and then
    return by_others(int(st.get_option("server.port")))


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
    given = [f"{name} is given" for name in _ELSEWHERE if option(name)]
    off = [f"{name} is off" for name in _PROTECTION if not option(name)]
    return next(iter((*given, *off)), "")


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
    found = set()
    for line in table.splitlines()[1:]:
        _, _, remote, state, *_, user = line.split()[:8]
        host, _, number = remote.partition(":")
        # `0100007F` is 127.0.0.1: words of four bytes, each in the order of this machine's numbers
        words = [int(host[i : i + 8], 16) for i in range(0, len(host), 8)]
        packed = struct.pack(f"={len(words)}I", *words)
        address = IPv4Address(packed) if len(words) == 1 else IPv6Address(packed)
        if state == _ESTABLISHED and int(number, 16) == port and is_loopback(str(address)):
            found.add(int(user))
    return found
