"""The page of benchmarks: on arrival, filled, running, and with everything that can be wrong with what is given."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core import api, jobs
from core.comparison.typed import items
from core.evaluate import save
from core.settings import ROOT
from core.store import Store
from pages.components import frame
from pages.components.choose_dataset import PATH, UPLOAD

SAMPLE = ROOT / "data" / "samples" / "blimp"
PAIR = {"sentence_good": "The cat is tired.", "sentence_bad": "The cat are tired.", "UID": "u"}


@pytest.fixture
def visit(unigram: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., AppTest]]:
    """`visit(data=PATH)`: the page as opened by a link with these parameters.

    To AppTest every run is the first of a server: the frame would start each again, and lose the clicks.
    """
    monkeypatch.setattr(frame, "_let_the_app_run_first", lambda: None)
    st.cache_resource.clear()

    def open_page(**params: str) -> AppTest:
        page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
        page.switch_page("pages/zero_shot.py")
        for name, value in {"model_name": unigram, **params}.items():
            page.query_params[name] = value
        return page.run()

    yield open_page
    st.cache_resource.clear()


def words(page: AppTest) -> str:
    """All that is written on the page in our own words."""
    assert not page.exception
    return "\n".join(element.proto.body for element in page.get("html"))


def errors(page: AppTest) -> list[str]:
    return [line for line in words(page).splitlines() if 'class="pl-notice error"' in line]


def upload(page: AppTest, name: str, content: bytes) -> AppTest:
    return page.file_uploader[0].set_value((name, content, "application/json")).run()


def test_on_arrival_it_says_what_a_run_would_take(visit: Callable[..., AppTest]) -> None:
    page = visit()
    assert "<strong>100 pairs</strong>, about" in words(page)
    assert [button.label for button in page.button if button.label == "Run"]
    assert not errors(page)


def test_stored_scores_are_shown_without_a_run(visit: Callable[..., AppTest], unigram: str) -> None:
    accuracy = api.benchmark(SAMPLE, unigram).iloc[0]["value"]
    page = visit()
    assert f"prefers the right sentence in <strong>{accuracy:.1%}".replace("%", "\u00a0%") in words(page)
    assert [tab.label for tab in page.tabs] == ["Items by margin", "Paradigms", "Ties and exclusions"]
    margins = page.dataframe[0].value["margin"]
    assert len(margins) == 100
    assert margins.is_monotonic_increasing
    assert "task:blimp.v1|" in words(page)


def test_another_tie_rule_is_a_query(visit: Callable[..., AppTest], unigram: str) -> None:
    api.benchmark(SAMPLE, unigram)
    wrong = visit(but="ties:wrong")
    assert "ties:wrong" in words(wrong)
    assert words(wrong) != words(visit())


def test_a_run_is_a_job_whose_result_is_shown_when_it_ends(visit: Callable[..., AppTest]) -> None:
    page = visit()
    next(button for button in page.button if button.label == "Run").click().run()
    deadline = time.monotonic() + 60
    while not jobs.jobs()[0].ended and time.monotonic() < deadline:
        time.sleep(0.1)
    assert jobs.jobs()[0].state == "done", jobs.jobs()[0].error
    page.run()
    assert "prefers the right sentence" in words(page)
    run_id = Store().runs()["run_id"][0]
    assert jobs.jobs()[0].result["run_id"] == run_id
    assert "prefers the right sentence" in words(visit(run=run_id))


def test_the_latest_attempt_says_how_it_ended(visit: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch) -> None:
    page = visit()
    monkeypatch.setattr(jobs, "_spawn", lambda job: None)
    run = next(button for button in page.button if button.label == "Run").click().run()
    assert "Waits for its turn: place 1" in words(run)
    next(button for button in run.button if button.label == "Cancel").click().run()
    assert "Stopped. 0 of 200 texts are already scored" in words(run)
    record = jobs.jobs()[0].folder / "job.json"
    failed = json.loads(record.read_text()) | {"state": "failed", "error": "The disk is full."}
    record.write_text(json.dumps(failed))
    assert len(errors(run.run())) == 1
    assert "The disk is full." in errors(run)[0]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "the file is empty"),
        (b"\n\n", "x.jsonl"),
        (b"no JSON\n", "line 1"),
        (b"\x00\x01\x02\xff", "x.jsonl"),
        (json.dumps(PAIR).encode() + b"\n" + b"[1]\n", "line 2"),
        ((json.dumps(PAIR) + "\n").encode() * 11 + b'{"sentence_good": "A."}\n', "line 12: no field"),
        (b"{" + b"[" * 100_000, "line 1"),
        (b'{"sentence_good": "' + b"a" * 9_000_000, "line 1"),
    ],
)
def test_a_bad_upload_is_one_sentence(visit: Callable[..., AppTest], content: bytes, sentence: str) -> None:
    page = upload(visit(data=UPLOAD), "x.jsonl", content)
    assert len(errors(page)) == 1
    assert sentence in errors(page)[0]
    assert not [button for button in page.button if button.label == "Run"]


def test_a_good_upload_can_be_run(visit: Callable[..., AppTest]) -> None:
    page = upload(visit(data=UPLOAD), "x.jsonl", (json.dumps(PAIR) + "\n").encode())
    assert "<strong>1 pair</strong>" in words(page)


@pytest.mark.parametrize("path", ["/no/such/folder", "relative/nowhere.jsonl", "\0"])
def test_a_path_that_is_not_there_is_one_sentence(visit: Callable[..., AppTest], path: str) -> None:
    assert len(errors(visit(data=PATH, path=path))) == 1


def test_a_folder_of_the_machine_can_be_run(visit: Callable[..., AppTest]) -> None:
    assert "<strong>100 pairs</strong>" in words(visit(data=PATH, path=str(SAMPLE)))


def test_an_unknown_model_is_one_sentence(visit: Callable[..., AppTest]) -> None:
    page = visit(model_name="no-such-model")
    assert len(errors(page)) == 1
    assert "no-such-model" in errors(page)[0]


def test_a_folder_without_a_tokenizer_is_one_sentence(
    visit: Callable[..., AppTest], tiny: Callable[..., Path], tmp_path: Path
) -> None:
    folder = tmp_path / "bare"
    folder.mkdir()
    for file in tiny("llama").iterdir():
        if "token" not in file.name:
            (folder / file.name).write_bytes(file.read_bytes())
    page = visit(model_name=str(folder))
    assert len(errors(page)) == 1
    assert "tokenizer" in errors(page)[0]


@pytest.mark.parametrize("run_id", ["blimp-0000000000", "../secret"])
def test_an_unknown_run_is_one_sentence(visit: Callable[..., AppTest], run_id: str) -> None:
    assert len(errors(visit(run=run_id))) == 1


def test_pairs_come_from_a_table(visit: Callable[..., AppTest], tmp_path: Path) -> None:
    assert "<strong>100 pairs</strong>" in words(visit(task="Minimal pairs"))


def test_a_table_of_pairs_is_shown_by_its_paradigms(visit: Callable[..., AppTest], unigram: str) -> None:
    """The task has one kind of group, so its paradigms stand under no phenomenon."""
    api.benchmark(ROOT / "data" / "samples" / "pairs" / "agreement.csv", unigram, task="pairs")
    page = visit(task="Minimal pairs")
    assert "prefers the right sentence" in words(page)
    assert set(page.dataframe[1].value["section"]) == set(page.dataframe[1].value["group"])


def test_a_saved_pair_of_which_nobody_says_which_is_right_can_be_opened(
    visit: Callable[..., AppTest], unigram: str
) -> None:
    asked = items([("The dogs sleep.", "The dogs sleeps.")])
    page = visit(run=save(asked, api.recipe(unigram), Store()))
    assert "No accuracy" in words(page)
    assert list(page.dataframe[0].value["texts"]) == ["The dogs sleep. | The dogs sleeps."]


def test_one_of_a_kind_is_not_a_plural(visit: Callable[..., AppTest], unigram: str, tmp_path: Path) -> None:
    single = tmp_path / "x.jsonl"
    single.write_text(json.dumps(PAIR))
    api.benchmark(single, unigram)
    text = words(visit(data=PATH, path=str(single)))
    assert "Mean over 1 paradigm." in text and "1 distinct contrast)" in text and "1 pair, 0 ties" in text
