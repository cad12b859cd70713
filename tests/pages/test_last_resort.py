"""What no page expected: one sentence with a reference, in the log why, and the page goes on."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.shared import frame
from pairlens import sharing, unexpected
from pairlens.places import FOLDER as ROOT
from pairlens.settings import settings
from tests.on_page import errors, markup, press
from tests.thinned import thinned

PAGES = sorted(page.stem for page in ROOT.glob("pages/*.py"))
TEXT = "The words of a visitor."


@pytest.fixture
def log(home):
    """The log, which is taken away: one that stays fails a test."""
    yield settings().errors
    settings().errors.unlink(missing_ok=True)


def fail(*_: object, **__: object) -> str:
    raise KeyError(TEXT)


def is_said(page: AppTest, log: Path) -> None:
    """One error is said, without its own words, and the log has them."""
    [line] = errors(page)
    [reference] = re.findall(r"what you entered is kept, .* under the reference ([0-9a-f]{8})\.", line)
    assert not any(hidden in markup(page) for hidden in (TEXT, "KeyError", "Traceback"))
    assert '<a href="?" target="_self">Start the page anew</a>' in markup(page)
    assert re.search(rf" {reference}\nTraceback (.*\n)*KeyError: '{TEXT}'\n", log.read_text("utf-8"))


@pytest.mark.parametrize("name", thinned(PAGES, 5))
def test_an_error_in_a_page_is_said_and_the_page_goes_on(name, visit_page, log, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(frame, "cookie", fail)
        page = visit_page(name)
        is_said(page, log)
    assert f"/pages/{name}.py" in log.read_text("utf-8")
    assert len(press(page, "Try again").title) == 1 and not errors(page)


def test_it_is_said_in_the_language_of_the_page(visit_page, log, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(frame, "cookie", fail)
        page = visit_page("nli", lang="Português")
    [line] = errors(page)
    assert "Aqui aconteceu algo inesperado: o que você digitou foi mantido" in line and log.exists()
    assert "Recomeçar a página</a>" in markup(page)
    assert [button.label for button in page.button if button.key != "door_open"] == ["Tentar de novo"]


def parts() -> None:
    """A page that fails, or ends, in one of its parts."""
    import streamlit as st

    from pages.components.shared.frame import stand_by
    from pairlens.errors import InputError

    def part(name: str) -> None:
        if st.session_state.get("fails") == name:
            st.session_state["fails"] = ""
            raise KeyError("The words of a visitor.")

    stand_by()
    st.text_input("Typed", key="typed")
    st.button("Press", on_click=part, args=("callback",))
    st.fragment(part)("fragment")
    part("body")
    st.text_input("Typed below", key="below")
    ends, st.session_state["ends"] = st.session_state.get("ends"), ""
    if ends == "rerun":
        st.rerun()
    if ends == "stop":
        st.stop()
    if ends == "ours":
        raise InputError("there is no text in it", "a.csv")
    st.markdown("the end")


@pytest.mark.parametrize("part", ["body", "fragment", "callback"])
def test_every_part_of_a_page_is_covered_and_what_was_typed_is_kept(part, log):
    page = AppTest.from_function(parts).run()
    page.text_input(key="typed").set_value("a text")
    page.text_input(key="below").set_value("another").run()
    page.session_state["fails"] = part
    press(page, "Press")
    is_said(page, log)
    assert not page.markdown
    press(page, "Try again")
    assert not errors(page) and page.markdown
    assert (page.text_input(key="typed").value, page.text_input(key="below").value) == ("a text", "another")


@pytest.mark.parametrize(("ends", "shown"), [("rerun", 1), ("stop", 0)])
def test_what_streamlit_raises_itself_passes(ends, shown, log):
    page = AppTest.from_function(parts)
    page.session_state["ends"] = ends
    assert len(page.run().markdown) == shown and not errors(page) and not log.exists()


def test_an_error_in_words_is_said_in_these_and_not_logged(log):
    page = AppTest.from_function(parts)
    page.session_state["ends"] = "ours"
    [line] = errors(page.run())
    assert ">a.csv: there is no text in it<" in line and not log.exists()


@pytest.mark.parametrize(("name", "value"), [("SQL_SECONDS", "inf"), ("SHARED", "maybe")])
def test_a_setting_that_is_not_allowed_is_said_and_not_logged(name, value, visit_page, monkeypatch):
    monkeypatch.setenv(f"PAIRLENS_{name}", value)
    settings.cache_clear()
    page = visit_page("models")
    monkeypatch.delenv(f"PAIRLENS_{name}")
    settings.cache_clear()
    [line] = errors(page)
    assert f"Environment variable PAIRLENS_{name}: '{value}' is not allowed; allowed is" in line


def test_the_log_is_bounded_and_only_its_owners(log):
    for _ in range(120):
        unexpected.record(KeyError("x" * 1_000_000 + "\udcff"))
    files = sorted(log.parent.glob("errors*"))
    assert [file.name for file in files] == ["errors.before.log", "errors.log"]
    assert all(file.stat().st_size < 1_100_000 and file.stat().st_mode & 0o077 == 0 for file in files)
    files[0].unlink()


def test_where_the_dashboard_is_shared_nobodys_text_is_logged(log):
    sharing.share("a test")
    try:
        fail()
    except KeyError as first:
        try:
            raise ValueError(TEXT) from first
        except ValueError as error:
            reference = unexpected.record(error)
    logged = log.read_text("utf-8")
    assert f" {reference}\n" in logged and logged.endswith("ValueError\n\n")
    assert TEXT not in logged and "test_last_resort.py" in logged


def test_a_log_that_cannot_be_written_hides_nothing(home):
    home.write_text("no folder")
    assert len(unexpected.record(KeyError(TEXT))) == 8
