"""A shared dashboard behind a real nginx with the site of deploy/nginx.conf: below a path, encrypted."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.browser.dashboard import ROOT, serve
from tests.browser.identity_provider import provide
from tests.browser.visitor import Visitor

SITE = ROOT / "deploy" / "nginx.conf"
MB = 1_000_000
COOKIE, FILES, MODEL = "pairlens_visitor", "/data?shelf=Your+files", "unigram-english"
TABLE = "sentence,pairid,comparison\nThe cat is here.,1,expected\nThe cat are here.,1,unexpected\n"
MAIN = """daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
user {user};
events {{}}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""
PATH = f"{os.environ['PATH']}:/usr/sbin"
ABSENT = [program for program in ("nginx", "openssl") if not shutil.which(program, path=PATH)]
NO_WEBSOCKET = re.compile(r'/_stcore/stream" (?!101)\d+')
REDIRECTION = re.compile(r"    location = /pairlens \{.*?\n    \}\n", re.DOTALL)


@dataclass(frozen=True)
class Proxy:
    """Where nginx answers, and where the dashboard behind it does; without a slash at the end."""

    address: str
    behind: str
    log: Path


@pytest.fixture(scope="module")
def shared_home(tmp_path_factory):
    return tmp_path_factory.mktemp("shared")


@pytest.fixture(scope="module")
def dashboard(browser_present, shared_home):
    """A dashboard below a path, behind any number of proxies, that takes 1 MB, and at which jobs wait."""
    if ABSENT:
        reason = f"This test needs {' and '.join(ABSENT)} (Debian: apt-get install nginx openssl)."
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    shared = {"PAIRLENS_SHARED": "1", "PAIRLENS_JOBS_AT_ONCE": "0", "STREAMLIT_SERVER_MAX_UPLOAD_SIZE": "1"}
    with serve(shared_home, **shared, STREAMLIT_SERVER_BASE_URL_PATH="pairlens") as behind:
        yield behind


@pytest.fixture(scope="module")
def below(dashboard, tmp_path_factory):
    """As the file in deploy/ says, but for the limit of uploads: 1 MB, and 2 more for the form."""
    with _nginx(
        tmp_path_factory.mktemp("nginx"), dashboard, "pairlens", lambda site: site.replace("202m", "3m")
    ) as it:
        yield it


@pytest.fixture
def come(arrive, driver):
    """`come(ADDRESS)`: somebody who arrives by a proxy."""
    driver.execute_cdp_cmd("Security.setIgnoreCertificateErrors", {"ignore": True})
    yield arrive
    driver.get("about:blank")
    driver.execute_cdp_cmd("Security.setIgnoreCertificateErrors", {"ignore": False})


@pytest.fixture
def meet(come, driver):
    """`meet(ADDRESS)`: somebody new, who has been nowhere; `meet(ADDRESS, NUMBER)`: who has this number."""

    def somebody(address: str, number: str = "") -> Visitor:
        visitor = come(address)
        driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        if number:
            driver.execute_cdp_cmd("Network.setCookie", {"name": COOKIE, "value": number, "url": address})
        return visitor

    yield somebody
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})


def uploads(visitor: Visitor, file) -> None:
    """She gives a table on the page Data."""
    file.write_text(TABLE)
    visitor.open(FILES)
    visitor.give(file)
    visitor.linked("set=")
    visitor.settle()


def files_of(visitor: Visitor) -> bool:
    """Whether any upload is listed to her."""
    visitor.open(FILES)
    return "No files yet" not in visitor.text()


def runs_of(visitor: Visitor) -> bool:
    """Whether any run is listed to her."""
    visitor.go("Results")
    return "No results yet" not in visitor.text()


def test_a_visit_below_the_path_by_menu_link_reload_back_and_with_files(come, below, tmp_path):
    """Also without a slash; the websocket, too, is encrypted. The log names no texts."""
    arrived = come(below.address)
    downloads = {"behavior": "allow", "downloadPath": str(tmp_path)}
    arrived.driver.execute_cdp_cmd("Browser.setDownloadBehavior", downloads)
    arrived.open(f"?model={MODEL}&a=The+secret+cat+sleeps.&b=The+cat+sleep.")  # which needs no torch
    assert arrived.headline()
    arrived.press("Download")
    arrived.press("CSV")
    arrived.until(lambda: [*tmp_path.glob("*.csv")], reason="no file")
    arrived.press("Share")
    link = arrived.until(lambda: arrived.all('[data-testid="stPopoverBody"] code'), reason="no link")[0].text
    assert link.startswith((f"{arrived.address}?", f"{arrived.address}/?"))
    arrived.listen()
    arrived.driver.get(link)
    arrived.settle()
    assert "The secret cat sleeps." in [field.get_attribute("value") for field in arrived.all("textarea")]
    assert arrived.driver.current_url.startswith(f"{arrived.address}/")
    arrived.go("Models")
    arrived.go("Data")
    assert arrived.driver.current_url.startswith(f"{arrived.address}/data")
    arrived.reload()
    assert arrived.opened() == "Data"
    arrived.driver.back()
    arrived.until(lambda: arrived.opened() == "Models", reason="Back did not lead back")
    arrived.settle()
    arrived.go("Data")
    arrived.press("Your files")
    for name, size in (("over.csv", MB + 1), ("under.csv", MB)):  # the driver gives the first again with the second
        row = b"The cat sleeps%b.;The cat sleep%b.\n" % (b" and sleeps" * 100, b" and sleeps" * 100)
        (tmp_path / name).write_bytes((b"good;bad\n" + row * (size // len(row) + 1))[:size])
    for name, words in (("over.csv", "File must be 1.0MB or smaller"), ("under.csv", "under.csv ·")):
        arrived.give(tmp_path / name)
        assert arrived.reads(words)
        assert arrived.errors() == []
    assert arrived.strangers() == set() and arrived.complaints == []
    host = arrived.address.partition("//")[2]
    asked = {url for url in arrived.requested if not url.startswith(("data:", "blob:", "chrome"))}
    assert asked and [url for url in asked if not url.startswith(f"https://{host}/")] == []
    log = below.log.read_text()
    assert re.search(r'"GET /pairlens/_stcore/stream[^"]*" 101', log) and "secret" not in log


def test_two_visitors_have_nothing_in_common(below, shared_home, meet, tmp_path):
    anna = meet(below.address)
    uploads(anna, tmp_path / "annas.csv")
    anna.open(f"/?model={MODEL}&a=The+cat+is+here.&b=The+cat+are+here.")
    anna.headline()
    anna.press("Save to Results")
    anna.reads("Saved")
    anna.open(f"/zero_shot?model_name={MODEL}")
    anna.press("Run")
    anna.until(lambda: anna.all('[class*="st-key-job_"]'), reason="no job")
    assert COOKIE not in anna.driver.current_url
    number = anna.driver.get_cookie(COOKIE)["value"]
    beatriz = meet(below.address)
    beatriz.open("/zero_shot?data=Upload")
    assert not beatriz.all('[class*="st-key-job_"]')
    assert not runs_of(beatriz) and not files_of(beatriz)
    assert len(number) == 64 and number != beatriz.driver.get_cookie(COOKIE)["value"]
    anna = meet(below.address, number)
    assert files_of(anna) and runs_of(anna)
    assert number not in (shared_home / "server.log").read_text() + below.log.read_text()


@pytest.mark.soak
def test_who_signs_in_finds_her_things_anywhere(meet, tmp_path):
    (home := tmp_path / "home").mkdir()
    with provide() as provider:
        secrets = tmp_path / "secrets.toml"
        secrets.write_text(provider.secrets())
        with serve(home, "--secrets.files", str(secrets), PAIRLENS_SHARED="1") as address:
            visitor = meet(address)
            visitor.open(FILES)
            assert "Sign in to use it" in visitor.text() and not visitor.all('input[type="file"]')
            signs_in(visitor, provider, "anna")
            uploads(visitor, tmp_path / "hers.csv")
            assert "anna@example.org" in visitor.text()
            visitor = meet(address)
            visitor.open(FILES)
            signs_in(visitor, provider, "beatriz")
            assert not files_of(visitor)
            visitor.press("Sign out")
            visitor.reads("Sign in to use it")
            signs_in(visitor, provider, "anna")
            assert files_of(visitor)
        assert not [path for path in home.rglob("visitors/**/*") if "anna" in path.name]


def signs_in(visitor: Visitor, provider, person: str) -> None:
    provider.person = person
    visitor.press("Sign in")
    visitor.reads("Signed in as")
    visitor.settle()


def test_the_site_lets_through_what_the_dashboard_takes():
    limit = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["server"]["maxUploadSize"]
    (site,) = map(int, re.findall(r"client_max_body_size (\d+)m;", SITE.read_text("utf-8")))
    (caddy,) = map(int, re.findall(r"max_size (\d+)MiB", SITE.with_name("Caddyfile").read_text("utf-8")))
    assert site == caddy > limit + 1, "a megabyte is Streamlit's own allowance for the form"


def test_what_is_for_the_operator_alone(below):
    for path in ("/_stcore/metrics", "/_stcore/script-health-check"):
        assert _status(below.behind + path) == 200
        assert _status(below.address + path) == 404
    assert _status(f"{below.address}/_stcore/health") == 200
    assert below.address.removesuffix("/pairlens") != below.address
    assert _status(f"{below.address}/../") in (400, 404)


@pytest.mark.soak
def test_at_the_root(come, dashboard, tmp_path):
    """As the comment of the file says."""
    (home := tmp_path / "home").mkdir()  # a server of its own: one that a proxy has reached counts as shared for good
    with (
        serve(home) as root,
        _nginx(tmp_path, root, "", lambda site: REDIRECTION.sub("", site).replace("/pairlens/", "/")) as at_root,
    ):
        visitor = come(at_root.address)
        visitor.open("/next_word")
        assert visitor.headline() and visitor.errors() == []
        visitor.listen()
        assert visitor.complaints == []


@pytest.mark.parametrize("header", ["Host", "Upgrade"])
@pytest.mark.soak
def test_without_a_header_there_is_no_page(come, dashboard, header, tmp_path):
    """The websocket is refused, the page stays empty: why nginx.conf sets them."""

    def without(site: str) -> str:
        return re.sub(rf"proxy_set_header {header} .*\n", "", site)

    with _nginx(tmp_path, dashboard, "pairlens", without) as bare:
        visitor = come(bare.address)
        visitor.driver.get(f"{visitor.address}/")
        visitor.until(lambda: NO_WEBSOCKET.search(bare.log.read_text()), reason="the websocket was not refused")
        assert not visitor.all(".pl-question")


@contextmanager
def _nginx(folder: Path, behind: str, path: str, change: Callable[[str], str]) -> Iterator[Proxy]:
    """Run nginx with the site, on a free port and with a certificate of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-keyout", folder / "key", "-out", folder / "cert"], check=True, capture_output=True,
    )  # fmt: skip
    site = change(SITE.read_text("utf-8"))
    for there, here in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"), ("/etc/ssl/certs/pairlens.pem", f"{folder}/cert"),
        ("/etc/ssl/private/pairlens.key", f"{folder}/key"), ("/var/log/nginx/pairlens.log", f"{folder}/access.log"),
        ("127.0.0.1:8501", behind.split("/")[2]),
    ):  # fmt: skip
        assert there in site
        site = site.replace(there, here)
    (folder / "site.conf").write_text(site)
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=Path.home().owner()))
    command = shutil.which("nginx", path=PATH)
    assert command
    process = subprocess.Popen([command, "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log"])
    # A name that every browser takes for this machine, and Streamlit for a stranger's unless the proxy passes it on.
    address = "/".join(filter(None, (f"https://pairlens.localhost:{port}", path)))
    try:
        for _ in range(3000):
            if process.poll() is None and _status(f"{address}/_stcore/health") == 200:
                break
            time.sleep(0.1)
        else:
            raise RuntimeError(f"nginx did not start:\n{(folder / 'error.log').read_text()}")
        yield Proxy(address, behind, folder / "access.log")
    finally:
        process.terminate()
        process.wait(300)


def _status(address: str) -> int:
    """What a GET is answered with."""
    try:
        address = address.replace("pairlens.localhost", "127.0.0.1")
        with urllib.request.urlopen(address, timeout=10, context=ssl._create_unverified_context()) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code
    except OSError:
        return 0
