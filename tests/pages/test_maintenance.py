"""The view of housekeeping on the page Results: what takes room, what can be done, what came out."""

from typing import Any

from pairlens.store import Store, jobs
from pairlens.store.parts import Scored
from pairlens.store.runs import ItemRow
from pairlens.types import TokenScores
from tests.on_page import markup, words

FINGERPRINT = "f" * 64
BUTTONS = ("verify", "compact", "gc")


def fill(*keys: str) -> Store:
    store = Store(shipped=None)
    for key in keys:
        scores = TokenScores(("a",), (1,), (-1.0,), ((0, 1),))
        store.add(FINGERPRINT, [Scored(key, scores, (0,))], {"model": "m"})
    model, fingerprint = "my <b>model</b>", FINGERPRINT
    run = {"run_id": "r", "title": "t", "task": "pairs", "model": model, "fingerprint": fingerprint, "state": "done"}
    store.begin(run, [ItemRow(key, 0, "good", "good", 0, 1.0, "", "t", {}, FINGERPRINT, key) for key in keys])
    return store


def test_an_empty_store_says_what_to_do(visit_page):
    assert "Nothing is stored yet" in words(visit_page("results", view="upkeep"))


def test_what_takes_room_and_what_each_button_will_do(visit_page):
    fill("a", "b", "c")
    page = visit_page("results", view="upkeep")
    said = markup(page)
    assert "3 small parts can be merged" in said and "No number changes" in said
    assert "my &lt;b&gt;model&lt;/b&gt;" in said, "user text is never rendered"
    table = page.dataframe[0].value
    assert table.loc[table["task"] == "pairs", "requests"].tolist() == [3]
    assert table["megabytes"].sum() > 0
    assert [page.button(key=key).disabled for key in BUTTONS] == [False, False, False]


def test_a_click_starts_the_command_and_its_end_is_said(visit_page, monkeypatch):
    store = fill("a", "b", "c")
    started: list[tuple[Any, ...]] = []
    monkeypatch.setattr(jobs, "start", lambda arguments, title: started.append((*arguments, title)))
    page = visit_page("results", view="upkeep")
    page.button(key="compact").click().run()
    assert started == [("store", "compact", "Compact: stored scores")]
    from pairlens.cli import main
    from pairlens.store.files import write_json

    job = store.folder.parent / "jobs" / "20260101-000000-abc"
    record = {"title": "Compact: stored scores", "arguments": ["store", "compact"], "created": 1.0, "pid": 1}
    write_json(job / "job.json", {**record, "state": "running"})
    assert main(["store", "compact", "--job", str(job)]) == 0
    assert "Compact: 3 parts became 1; texts that were there twice: 0." in words(visit_page("results", view="upkeep"))
