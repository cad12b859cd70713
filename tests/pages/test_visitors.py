"""A shared dashboard: what each of several visitors uploads, saves and starts is listed to her only."""

import json
import threading
from collections.abc import Callable
from typing import TypeVar

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from pages.components.shared import rights as visitor
from pairlens import sharing
from pairlens.places import FOLDER as ROOT
from pairlens.settings import settings
from pairlens.store import Store, jobs, uploads, visitors
from pairlens.store.run_annotations import annotations_of, write_note
from tests.on_page import errors, markup, press, uploaders, wait_for_jobs, words
from tests.run_of_pairs import run_of_pairs

CSV = "sentence,pairid,comparison\nThe {0} is here.,1,expected\nThe {0} are here.,1,unexpected\n"


@pytest.fixture
def shared(monkeypatch):
    """`PAIRLENS_SHARED=1`."""
    monkeypatch.setenv("PAIRLENS_SHARED", "1")
    settings.cache_clear()


def upload(page: AppTest, name: str) -> AppTest:
    uploaders(page)[0].set_value((name, CSV.format(name.partition(".")[0]).encode(), "text/csv"))
    return page.run().run()


T = TypeVar("T")


def as_operator(call: Callable[[], T]) -> T:
    """What the command line, which sees everything, has for an answer."""
    here = visitors._asks
    visitors.told_by(lambda: visitors.EVERYTHING)
    try:
        return call()
    finally:
        visitors.told_by(here)


def table(page: AppTest) -> str:
    return " ".join(frame.value.to_csv() for frame in page.dataframe)


def test_a_link_opens_another_s_upload_which_cannot_be_deleted(shared, visit_page):
    anna = upload(visit_page("data", shelf="Your files"), "cat.csv")
    beatriz = visit_page("data", shelf="Your files", set=anna.query_params["set"])
    assert "cat.csv" in table(beatriz)
    assert "Delete the files" in {one.label for one in anna.button}
    assert "Delete the files" not in {one.label for one in beatriz.button}


def test_runs_are_listed_to_whoever_asked_their_title_and_note_shown_to_nobody_else(shared, visit_page, monkeypatch):
    anna, beatriz = visit_page("zero_shot"), visit_page("results")
    press(anna, "Run")
    as_operator(wait_for_jobs)
    anna.switch_page("pages/results.py")
    anna.run()
    assert not beatriz.run().dataframe and len(anna.dataframe) == 1
    (run,) = as_operator(Store().runs)["run_id"]
    assert not errors(beatriz)
    as_operator(lambda: write_note(Store(), run, "REMARK"))
    manifest = Store().manifest(run)
    as_operator(lambda: Store().update({**manifest, "title": "TITLE"}))
    for page in (visit_page("results", run=run), visit_page("zero_shot", run=run)):  # whoever has its link
        assert "BLiMP" in words(page)
        assert not {"REMARK", "TITLE"} & set(markup(page).replace("<", " ").replace(">", " ").split())
        assert "TITLE" not in " ".join(one.value for one in page.header)
    assert "REMARK" in as_operator(lambda: annotations_of(Store(), run)).note
    monkeypatch.setenv("PAIRLENS_SHARED", "off")  # a dashboard of the operator's, with the same home
    settings.cache_clear()
    assert "visitor" in visit_page("results").dataframe[0].value


def test_a_browser_that_comes_back_is_known_by_its_cookie(shared, visit_page, monkeypatch):
    anna = upload(visit_page("data", shelf="Your files"), "cat.csv")
    number = anna.session_state[visitor._KEY]
    assert len(number) == 64 and f"{visitor._COOKIE}={number}" in markup(anna)
    assert number not in str(anna.query_params)
    for kept, sees in ((number, True), ("0" * 64, False), (number[:-1], False), ("", False), ("../" * 8, False)):
        monkeypatch.setattr(ContextProxy, "cookies", property(lambda _, kept=kept: {visitor._COOKIE: kept}))
        assert ("cat.csv" in table(visit_page("data", shelf="Your files"))) is sees


def test_a_visitor_has_so_many_jobs(shared, visit_page, monkeypatch):
    monkeypatch.setenv("PAIRLENS_JOBS_PER_VISITOR", "1")
    monkeypatch.setenv("PAIRLENS_JOBS_AT_ONCE", "0")
    settings.cache_clear()
    anna, beatriz = visit_page("zero_shot"), visit_page("zero_shot")
    press(anna, "Run")
    assert "place 1 in the queue" in words(anna)
    press(beatriz, "Run")
    assert "place 2 in the queue" in words(beatriz) and "place 1" not in words(beatriz)
    number = anna.session_state[visitor._KEY]
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {visitor._COOKIE: number}))
    again = press(visit_page("zero_shot", task="ewok"), "Run")
    assert "1 job running or waiting" in errors(again)[0]
    assert len(as_operator(jobs.jobs)) == 2


def test_a_thread_without_a_session_has_nothing(shared, visit_page):
    upload(visit_page("data", shelf="Your files"), "cat.csv")
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append((visitors.current(), uploads.kept())))
    thread.start()
    thread.join()
    assert found == [(visitors.NOBODY, [])]


def test_uploads_are_listed_to_whoever_gave_them_and_to_the_operator(shared, visit_page, monkeypatch):
    sessions = [visit_page("data", shelf="Your files") for _ in range(2)]
    for number, page in enumerate(sessions):
        upload(page, f"file{number}.csv")
    for number, page in enumerate(sessions):
        listed = table(page.run())
        assert [n for n in range(2) if f"file{n}.csv" in listed] == [number]
    assert sorted(one.name for one in as_operator(uploads.kept)) == [f"file{n}.csv" for n in range(2)]
    whose = [visitors.visitor(page.session_state[visitor._KEY])[:6] for page in sessions]
    assert whose[0] not in table(sessions[0])
    monkeypatch.setenv("PAIRLENS_SHARED", "off")
    settings.cache_clear()
    listed = table(visit_page("data", shelf="Your files"))
    assert all(one in listed for one in whose), "the operator sees whose each is"


def test_one_s_own_dashboard_has_no_visitors(visit_page, home):
    page = upload(visit_page("data", shelf="Your files"), "cat.csv")
    assert visitor._KEY not in page.session_state and visitor._COOKIE not in markup(page)
    assert "cat.csv" in table(visit_page("data", shelf="Your files"))
    assert not (home / "visitors").exists()


def test_nobody_sees_a_page_before_signing_in(shared, visit_page, monkeypatch):
    import streamlit.user_info as user_info

    said: dict[str, object] = {"is_logged_in": False}
    monkeypatch.setattr(user_info, "_get_user_info", lambda: dict(said))
    page = visit_page("data", shelf="Your files")
    assert [one.label for one in page.button] == ["Sign in"] and not page.file_uploader
    assert "not set up completely" in errors(press(page, "Sign in"))[0]  # there are no secrets here
    anna = {"is_logged_in": True, "iss": "https://id.example", "sub": "anna", "email": "anna@example.org"}
    said.update(anna)
    upload(visit_page("data", shelf="Your files"), "cat.csv")
    page = visit_page("data", shelf="Your files")  # another session of hers
    assert "cat.csv" in table(page) and visitor._COOKIE not in markup(page)
    said.update(sub="beatriz")
    assert "cat.csv" not in table(visit_page("data", shelf="Your files"))
    stored = json.dumps([str(path) for path in settings().home.rglob("*")])
    assert "anna" not in stored


def test_sign_in_that_was_meant_and_cannot_be_read_lets_nobody_in(shared, visit_page, monkeypatch):
    monkeypatch.setattr(visitor, "is_manually_set", lambda name: name == "secrets.files")
    page = visit_page("data", shelf="Your files")
    assert "has no [auth] that can be read" in errors(page)[0] and not page.file_uploader


def test_where_visitors_sign_in_the_dashboard_is_shared(visit_page, monkeypatch):
    import streamlit.user_info as user_info

    monkeypatch.setattr(user_info, "_get_user_info", lambda: {"is_logged_in": False})
    page = visit_page("data", shelf="Your files")
    assert [one.label for one in page.button] == ["Sign in"]


def test_the_owner_of_the_machine_reads_why_her_runs_are_not_listed(visit_page, monkeypatch):
    run_of_pairs(Store())
    assert "counts as shared" not in words(visit_page("results"))
    sharing.share("a visitor came from another machine")
    page, whole = visit_page("results"), AppTest.from_file(str(ROOT / "app.py"), default_timeout=300).run()
    assert "None of the runs here is yours" in words(page)
    assert "because a visitor came from another machine" in words(whole) and "PAIRLENS_SHARED=off" in words(whole)
