"""The real server, once per session, and a real browser in front of it.

Without Debian's chromium these tests are skipped with that reason, without axe-core those that need it; under CI
either is a failure.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NoReturn

import pytest

from tests.browser.dashboard import serve
from tests.browser.visitor import BROWSER, DRIVER, Visitor, start
from tests.tiny import tiny_model

HERE = Path(__file__).parent
TINY = "tiny"
"""The name of a model with random weights that every visitor finds."""
ABSENT = [path for path in (BROWSER, DRIVER) if not Path(path).exists()]
REASON = f"Browser tests need {' and '.join(ABSENT)} (Debian: apt-get install chromium chromium-driver)."

AXE = HERE / "node_modules" / "axe-core" / "axe.min.js"
NO_AXE = "Tests of accessibility need axe-core: npm install --prefix tests/browser --no-package-lock"


def pytest_collection_modifyitems(items):
    """Everything in this folder needs the browser."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


def pytest_terminal_summary(terminalreporter):
    """Say at the end that the browser or axe-core was missing: a skip among hundreds of dots is easily overlooked."""
    for absent, reason in ((ABSENT, REASON), (not AXE.exists(), NO_AXE)):
        if absent:
            terminalreporter.write_line(f"Skipped: {reason}", yellow=True)


@pytest.fixture(scope="session")
def browser_present():
    """Skips without a browser; fails where continuous integration forgot to install one."""
    if ABSENT:
        _go_without(REASON)


@pytest.fixture(scope="session")
def axe():
    """The program that finds what keeps people out; without it as without a browser."""
    if not AXE.exists():
        _go_without(NO_AXE)
    return AXE.read_text("utf-8")


def _go_without(reason: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(f"{reason} Continuous integration never goes without.")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def dashboard_home(tmp_path_factory):
    """The dashboard's run-time state: empty but for one tiny model."""
    folder = tmp_path_factory.mktemp("dashboard")
    card = {"kind": "causal", "about": "random weights, for tests"}
    (tiny_model(folder / "models" / TINY) / "card.json").write_text(json.dumps(card))
    return folder


@pytest.fixture(scope="session")
def address(browser_present, dashboard_home):
    """Where the dashboard of this session answers."""
    (mirror := dashboard_home / "mirror").mkdir()
    with serve(dashboard_home, PAIRLENS_MIRROR=str(mirror)) as answering:
        yield answering


@pytest.fixture(scope="session")
def driver(browser_present, tmp_path_factory):
    """One browser for the session."""
    started = start(tmp_path_factory.mktemp("profile"))
    yield started
    started.quit()


@pytest.fixture
def arrive(driver):
    """`arrive(ADDRESS)`: somebody who has just come there, with a wide window and the light theme."""

    def somebody(address: str) -> Visitor:
        arrived = Visitor(driver, address)
        arrived.width(1280)
        arrived.theme("light")
        arrived.forget()
        return arrived

    return somebody


@pytest.fixture
def visitor(arrive, driver, address):
    """Somebody who has just arrived at the dashboard of this session."""
    driver.get(f"{address}/_stcore/health")
    driver.execute_script("localStorage.clear(); sessionStorage.clear()")  # what was typed, and the phone's menu
    return arrive(address)
