"""A shared dashboard with two people at two browsers: what each makes is listed to her only."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.conftest import TINY
from tests.browser.dashboard import serve
from tests.browser.identity_provider import provide
from tests.browser.visitor import Visitor, start
from tests.tiny import tiny_model

COOKIE = "pairlens_visitor"
Arrive = Callable[[str], tuple[Visitor, Visitor]]


@pytest.fixture(scope="module")
def shared_home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shared")
    card = {"kind": "causal", "about": "random weights, for tests"}
    (tiny_model(folder / "models" / TINY) / "card.json").write_text(json.dumps(card))
    return folder


@pytest.fixture
def two(driver, tmp_path):
    """`two(ADDRESS)`: two people, each with a browser of her own in which nobody has been anywhere."""
    other = start(tmp_path / "profile")

    def arrive(address: str) -> tuple[Visitor, Visitor]:
        people = Visitor(driver, address), Visitor(other, address)
        for one in people:
            one.width(1280)
            one.driver.get("about:blank")
            one.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        return people

    yield arrive
    driver.get("about:blank")
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    other.quit()


def uploads(visitor: Visitor, folder: Path, name: str) -> None:
    """She gives a table on the page Data."""
    (folder / name).write_text(
        "sentence,pairid,comparison\nThe cat is here.,1,expected\nThe cat are here.,1,unexpected\n"
    )
    visitor.open("/data?shelf=Your+files")
    visitor.until(lambda: visitor.all('input[type="file"]'))[0].send_keys(str(folder / name))
    visitor.linked("set=")
    visitor.settle()


def saves(visitor: Visitor, noun: str) -> None:
    """She types two sentences and saves them."""
    visitor.open(f"/?model={TINY}&a=The+{noun}+is+here.&b=The+{noun}+are+here.")
    visitor.headline()
    visitor.press("Save to Results")
    visitor.reads("Saved")


def files_of(visitor: Visitor) -> bool:
    """Whether any upload is listed to her."""
    visitor.open("/data?shelf=Your+files")
    return "No files yet" not in visitor.text()


def runs_of(visitor: Visitor) -> bool:
    """Whether any run is listed to her."""
    visitor.open("/results")
    return "No results yet" not in visitor.text()


def test_two_visitors_have_nothing_in_common(shared_home, two, tmp_path):
    with serve(shared_home, PAIRLENS_SHARED="1") as address:
        anna, beatriz = two(address)
        uploads(anna, tmp_path, "annas.csv")
        saves(anna, "cat")
        assert files_of(anna) and not files_of(beatriz)
        assert runs_of(anna) and not runs_of(beatriz)
        uploads(beatriz, tmp_path, "beatrizs.csv")
        anna.open(f"/zero_shot?model_name={TINY}")
        anna.press("Run")
        anna.until(lambda: anna.all('[class*="st-key-job_"]'), reason="no job")
        beatriz.open(f"/zero_shot?model_name={TINY}")
        assert not beatriz.all('[class*="st-key-job_"]')
        assert COOKIE not in anna.driver.current_url
        number = anna.driver.get_cookie(COOKIE)["value"]
        assert len(number) == 64 and number != beatriz.driver.get_cookie(COOKIE)["value"]
        anna.until(lambda: not anna.all('[class*="st-key-job_"]'), 90, "the job did not end")
        anna.open("/results")
        anna.reload()
        assert runs_of(anna)
        anna.driver.add_cookie({"name": COOKIE, "value": "0" * 64})
        assert not runs_of(anna) and not files_of(anna)  # somebody else's number is nobody's
        anna.driver.delete_all_cookies()
        anna.driver.add_cookie({"name": COOKIE, "value": number})
        assert runs_of(anna)
        assert number not in (shared_home / "server.log").read_text()


def test_who_signs_in_finds_her_things_anywhere(shared_home, two, tmp_path):
    with provide() as provider:
        given = tmp_path / "secrets.toml"
        given.write_text(provider.secrets())
        with serve(shared_home, "--secrets.files", str(given), PAIRLENS_SHARED="1") as address:
            first, second = two(address)
            for page in ("/", "/data?shelf=Your+files", "/results"):
                first.open(page)
                assert "Sign in to use it" in first.text() and not first.all('input[type="file"]')
            provider.person = "anna"
            signs_in(first)
            uploads(first, tmp_path, "hers.csv")
            assert "anna@example.org" in first.text()
            provider.person = "beatriz"
            signs_in(second)
            assert not files_of(second)
            second.press("Sign out")
            second.reads("Sign in to use it")
            provider.person = "anna"
            signs_in(second)
            assert files_of(second)
        assert not [path for path in shared_home.rglob("visitors/**/*") if "anna" in path.name]


def signs_in(visitor: Visitor) -> None:
    visitor.open("/")
    visitor.press("Sign in")
    visitor.reads("Signed in as")
    visitor.settle()
