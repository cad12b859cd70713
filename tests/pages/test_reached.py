"""By what a dashboard is seen to be shared: options of Streamlit, a visitor's request, connections of other users."""

import os
import platform
import socket
import sys
from pathlib import Path

import pytest
import streamlit as st

from pages.components.shared import rights
from pages.components.shared.rights import by_options, by_others, by_request, holders, is_loopback

LOCAL = {"server.address": "127.0.0.1", "server.enableCORS": True, "server.enableXsrfProtection": True}
TCP = """\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2135 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 48211 1
   1: 0100007F:2135 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 48212 1
   2: 0100007F:C350 0100007F:2135 {state} 00000000:00000000 00:00000000 00000000 {user:>5}        0 48213 1
   3: 0100007F:C351 {remote}:2135 01 00000000:00000000 00:00000000 00000000    77        0 48214 1
   4: 0100007F:C352 0100007F:0016 01 00000000:00000000 00:00000000 00000000     0        0 48215 1
"""
"""Port 8501 is 2135: what listens, our end of a connection, the other end of it, and two that are none of ours."""
SIX = """\
  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when
   0: 00000000000000000000000001000000:C350 00000000000000000000000001000000:2135 01 0:0 00:0 0    33        0 1 1
   1: 0000000000000000FFFF00000100007F:C351 0000000000000000FFFF00000100007F:2135 01 0:0 00:0 0    34        0 1 1
   2: B80D0120000000000000000001000000:C352 B80D0120000000000000000001000000:2135 01 0:0 00:0 0    35        0 1 1
"""


def test_this_machine():
    for host in ("localhost", "LOCALHOST", "localhost.", "me.localhost"):
        assert is_loopback(host), host
    for address in ("127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"):
        assert is_loopback(address), address


def test_other_machines():
    for host in ("", "localhost.evil.org", "127.0.0.1.nip.io", "notlocalhost"):
        assert not is_loopback(host), host
    for address in ("0.0.0.0", "::", "192.168.1.7", "0177.0.0.1", "2130706433", "::ffff:10.0.0.1"):
        assert not is_loopback(address), address


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("server.address", None), ("server.address", ""), ("server.address", "0.0.0.0"), ("server.address", "::"),
        ("server.address", "lab.example.org"), ("server.address", "unix:///run/pairlens.sock"),
        ("server.baseUrlPath", "pairlens"), ("server.corsAllowedOrigins", ["https://lab.example.org"]),
        ("server.allowedHosts", ["localhost", "lab.example.org"]), ("server.allowedHosts", ["*"]),
        ("server.trustedUserHeaders", {"X-User": "email"}), ("server.sslCertFile", "cert.pem"),
        ("server.enableAgentApi", True), ("server.enableCORS", False), ("server.enableXsrfProtection", False),
        ("browser.serverAddress", "lab.example.org"),
    ],
)  # fmt: skip
def test_options_that_show_it(option, value):
    known = LOCAL | {option: value}
    assert by_options(known.get, lambda name: name == option).startswith(option)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("server.address", "localhost"), ("server.address", "::1"),
        ("server.allowedHosts", ["localhost", "127.0.0.1"]),
        ("browser.serverAddress", "localhost"), ("server.port", 9999),
    ],
)  # fmt: skip
def test_options_that_show_nothing(option, value):
    assert by_options((LOCAL | {option: value}).get, lambda name: name == option) == ""


def test_the_options_are_those_of_the_installed_streamlit():
    """An option that a new version renames would be taken for one that is not given."""
    for name in (*rights._ELSEWHERE, *rights._PROTECTION, "server.address", "server.port", "server.allowedHosts"):
        st.get_option(name)
    assert by_options(st.get_option, lambda _: False) == "", "as the project's config.toml starts it"


@pytest.mark.parametrize("origin", [None, "http://localhost:8501", "http://127.0.0.1:8501", "http://[::1]:8501"])
def test_a_request_of_this_machine(origin):
    usual = {"User-Agent": ["x"], "Connection": ["Upgrade"], "Accept-Language": ["pt"], "X-Client-Data": ["x"]}
    for host in ["localhost:8501", "127.0.0.1", "[::1]:8501", "0.0.0.0:8501", "[::]:8501", "ip6-localhost"]:
        headers = {"Host": [host], **usual}
        assert by_request(headers | ({"Origin": [origin]} if origin else {}), None) == ""
        assert by_request(headers, "127.0.0.1") == by_request({}, None) == ""


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": ["lab.example.org"]}, {"Host": ["192.168.1.7:8501"]}, {"Host": [""]}, {"User-Agent": ["no host"]},
        {"Host": ["localhost:8501", "lab.example.org"]}, {"Host": ["localhost@lab.example.org"]}, {"Host": ["[::1"]},
        {"Origin": ["https://lab.example.org"]}, {"Origin": ["null"]}, {"Origin": ["https://localhost.example.org"]},
        *({name: ["127.0.0.1"]} for name in (
            "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "Via", "X-Real-Ip", "X-REAL-IP",
            "X-Client-Ip", "X-Cluster-Client-Ip", "True-Client-Ip", "Cf-Connecting-Ip", "Fly-Client-Ip",
            "Fastly-Client-Ip", "X-Original-Host", "X-Envoy-External-Address", "X-Remote-User", "Remote-User",
            "Tailscale-User-Login", "X-Amzn-Trace-Id", "X-Azure-Clientip",
        )),
    ],
    ids=str,
)  # fmt: skip
def test_requests_that_show_it(headers):
    assert by_request({"Host": ["localhost:8501"]} | headers if "User-Agent" not in headers else headers, None)


def test_an_address_that_shows_it():
    assert by_request({"Host": ["localhost"]}, "192.168.1.7") and by_request({}, "2001:db8::1")


def test_connections_of_other_users_in_a_recorded_table():
    far = "0A00000A"
    assert holders(TCP.format(state="01", user=33, remote=far), 8501) == {33}
    assert holders(TCP.format(state="06", user=33, remote=far), 8501) == set(), "it has ended"
    assert holders(TCP.format(state="01", user=33, remote=far), 8502) == set()
    assert holders(TCP.format(state="01", user=33, remote="0200007F"), 8501) == {33, 77}, "127.0.0.2 is here too"
    assert holders(SIX, 8501) == {33, 34}
    assert holders("", 8501) == holders("sl local\n", 8501) == set()


def test_only_other_users_count(tmp_path, monkeypatch):
    monkeypatch.setattr(rights, "_TABLES", (tmp_path / "not-there", tmp_path / "tcp"))
    for user, shown in ((os.getuid(), False), (os.getuid() + 1, True)):
        (tmp_path / "tcp").write_text(TCP.format(state="01", user=user, remote="0A00000A"))
        assert bool(by_others(8501)) is shown


def test_where_users_have_no_numbers_nothing_is_seen(monkeypatch):
    monkeypatch.delattr(os, "getuid")
    assert by_others(8501) == ""


def test_root_connects_the_browser_of_windows(tmp_path, monkeypatch):
    monkeypatch.setattr(rights, "_TABLES", (tmp_path / "tcp",))
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    (tmp_path / "tcp").write_text(TCP.format(state="01", user=0, remote="0A00000A"))
    for release, shown in (("6.6.87.2-microsoft-standard-WSL2", False), ("6.12.41-amd64", True)):
        monkeypatch.setattr(platform, "release", lambda release=release: release)
        assert bool(by_others(8501)) is shown


@pytest.mark.skipif(sys.platform != "linux", reason="the table is Linux's")
def test_the_table_of_this_machine_has_our_own_connections():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        table = Path("/proc/net/tcp")
        assert holders(table.read_text("ascii"), port) == set()
        with socket.create_connection(("127.0.0.1", port)):
            assert holders(table.read_text("ascii"), port) == {os.getuid()}
            assert by_others(port) == ""
