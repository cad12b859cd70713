"""A shared dashboard with two people: what each makes is listed to her only."""

from __future__ import annotations

import pytest

from tests.browser.dashboard import serve
from tests.browser.identity_provider import provide
from tests.browser.visitor import Visitor

COOKIE, FILES, MODEL = "pairlens_visitor", "/data?shelf=Your+files", "unigram-english"
TABLE = "sentence,pairid,comparison\nThe cat is here.,1,expected\nThe cat are here.,1,unexpected\n"


@pytest.fixture(scope="module")
def shared_home(tmp_path_factory):
    return tmp_path_factory.mktemp("shared")


@pytest.fixture
def meet(arrive, driver):
    """`meet(ADDRESS)`: somebody new, who has been nowhere; `meet(ADDRESS, NUMBER)`: who has this number."""

    def somebody(address: str, number: str = "") -> Visitor:
        visitor = arrive(address)
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


def test_two_visitors_have_nothing_in_common(shared_home, meet, tmp_path):
    with serve(shared_home, PAIRLENS_SHARED="1", PAIRLENS_JOBS_AT_ONCE="0") as address:  # hers waits
        anna = meet(address)
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
        beatriz = meet(address)
        beatriz.open("/zero_shot?data=Upload")
        assert not beatriz.all('[class*="st-key-job_"]')
        assert not runs_of(beatriz) and not files_of(beatriz)
        assert len(number) == 64 and number != beatriz.driver.get_cookie(COOKIE)["value"]
        anna = meet(address, number)
        assert files_of(anna) and runs_of(anna)
        assert number not in (shared_home / "server.log").read_text()


@pytest.mark.soak
def test_who_signs_in_finds_her_things_anywhere(shared_home, meet, tmp_path):
    with provide() as provider:
        secrets = tmp_path / "secrets.toml"
        secrets.write_text(provider.secrets())
        with serve(shared_home, "--secrets.files", str(secrets), PAIRLENS_SHARED="1") as address:
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
        assert not [path for path in shared_home.rglob("visitors/**/*") if "anna" in path.name]


def signs_in(visitor: Visitor, provider, person: str) -> None:
    provider.person = person
    visitor.press("Sign in")
    visitor.reads("Signed in as")
    visitor.settle()
