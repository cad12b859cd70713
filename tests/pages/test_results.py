"""The page of results, as a visitor meets it: empty, filled, searched, written on, deleted, sent and received."""

import io
import json
import time
from html import unescape
from types import SimpleNamespace

import pandas as pd
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.components.results.stored_run import link_with_data, page_of
from pages.components.stereoset.choose import PROFILES
from pairlens.api import example_runs
from pairlens.evaluation.archive import packed
from pairlens.plans.running import CellState, Recorder
from pairlens.settings import settings
from pairlens.store import Store, jobs, uploads
from pairlens.store.removal import deleted
from pairlens.store.run_annotations import annotations_of, tag
from pairlens.tasks import TASKS
from tests.logs_elsewhere import lines, results, samples
from tests.on_page import box, downloads, markup, uploaders, words
from tests.run_of_pairs import PAIRS, run_of_pairs

PAGE = "results"


def errors(page: AppTest) -> str:
    return unescape(" ".join(one.body for one in page.get("html") if "pl-notice error" in one.body))


def press(page: AppTest, label: str) -> AppTest:
    return next(button for button in page.button if label in button.label).click().run()


def listed(page: AppTest) -> list[str]:
    return page.dataframe[0].value["title"].tolist() if page.dataframe else []


def tick(page: AppTest, *rows: int) -> AppTest:
    """Tick rows of the list, as a click does."""
    key = page.dataframe[0].key
    page.session_state[key] = {"selection": {"rows": list(rows), "columns": [], "cells": []}}
    return page.run()


def test_nobody_meets_an_empty_page(visit, monkeypatch, unigram):
    monkeypatch.setattr(example_runs, "MODELS", (unigram,))
    page = visit()
    assert "No results yet" in words(page)
    made = press(page, "Make two example runs")
    assert not made.exception and not errors(made)
    assert listed(made) == ["our sample"]
    assert "prefers the right one in" in words(made)
    assert made.query_params["run"] == Store().runs()["run_id"][0]


def test_every_run_is_listed_with_its_number_and_found_by_words_and_choices(visit):
    store = Store()
    first, _ = run_of_pairs(store), run_of_pairs(store, margin=-1.0)
    page = visit()
    table = page.dataframe[0].value
    assert set(table["model"]) == {"counter+1.0", "counter-1.0"}
    numbers = dict(zip(table["model"], table["shown"], strict=True))
    assert numbers["counter+1.0"].startswith("75.0 % accuracy (")
    assert numbers["counter-1.0"].startswith("25.0 % accuracy (")
    assert table["room"].str.endswith(" kB").all()
    assert table["signature"].str.startswith("task:pairs.v2|").all()
    assert "2 runs" in words(page)
    tag(store, first, ["paper"])
    assert len(visit(words="PAPER").dataframe[0].value) == 1
    only = box(page, "Model").set_value(["counter-1.0"]).run()
    assert only.dataframe[0].value["model"].tolist() == ["counter-1.0"]
    none = visit(words="nowhere")
    assert "None of 2 runs matches" in words(none)


def test_one_is_shown_in_detail_and_closed(visit):
    run_id = run_of_pairs(Store())
    page = press(tick(visit(), 0), "Details")
    assert page.query_params["run"] == run_id
    assert "prefers the right one in" in words(page) and not errors(page)
    assert "prefers the right one" not in words(press(page, "Close"))


def test_tags_and_a_note_are_written(visit):
    run_id = run_of_pairs(Store())
    page = tick(visit(), 0)
    next(box for box in page.text_input if box.label.startswith("Tags")).set_value("x" * 50)
    assert "is no tag" in errors(press(page, "Save")) and annotations_of(Store(), run_id).tags == ()
    next(box for box in page.text_input if box.label.startswith("Tags")).set_value("paper, seed 2")
    page.text_area[0].set_value("<b>Look</b> *again*.")
    assert not errors(press(page, "Save"))
    assert annotations_of(Store(), run_id).tags == ("paper", "seed 2")
    shown = visit(run=run_id)
    assert "<b>Look</b> *again*." in words(shown) and "&lt;b&gt;Look" in markup(shown)


def test_the_list_is_taken_away_as_a_spreadsheet_too(visit, monkeypatch):
    tag(Store(), run_of_pairs(Store()), {"paper", "seed 2"}, set())
    made = {}
    monkeypatch.setattr(st, "download_button", lambda _, data, name, *__, **___: made.update({name: data()}))
    downloads(visit())
    assert {*made} >= {"runs.csv", "runs.xlsx", "runs.json"}
    assert pd.read_excel(io.BytesIO(made["runs.xlsx"]))["tags"].tolist() == ["paper, seed 2"]


def test_a_run_opens_its_page_as_it_was(home):
    typed = run_of_pairs(Store())
    page, link = page_of(typed)
    assert page == "pages/compare.py" and link["model"] == "counter+1.0" and link["as"] == "pairlens"
    assert list(zip(link["a"].split("\n"), link["b"].split("\n"), strict=True)) == [pair[:2] for pair in PAIRS]
    Store().update({**Store().manifest(typed), "data": "pairs.csv", "finished": "later"})
    assert page_of(typed) == ("pages/zero_shot.py", {"run": typed})


def test_a_page_on_which_runs_are_not_opened_gets_model_and_data(home):
    uploads.keep([("own.json", b"{}")])
    (kept,) = (one.id for one in uploads.kept())
    for task, data, link in (
        ("stereoset", "own.json", {"model_name": "m", "data": "Upload", "file": kept}),
        ("nli", "own.json", {"nli_model": "m", "data": "upload", "nli_gold_files": kept}),
        ("stereoset", "stereoset", {"model_name": "m", "data": "StereoSet"}),
        ("nli", "sick", {"nli_model": "m", "data": "public", "public": "SICK"}),
        ("nli", "our sample", {"nli_model": "m"}),
        ("gest", "our sample", {"test_set": PROFILES}),
    ):
        run = SimpleNamespace(task=TASKS[task], manifest={"data": data})
        assert link_with_data(run, "m") == link


def test_runs_of_our_samples_stand_last_and_a_ticked_one_can_be_taken_to_another_pairlens(visit, monkeypatch):
    for margin, data, created in ((1.0, "typed", "2026-01-01"), (-1.0, "our sample", "2026-01-02")):
        run_id = run_of_pairs(Store(), margin=margin)
        Store().update({**Store().manifest(run_id), "data": data, "created": f"{created}T00:00:00+00:00"})
    page = visit()
    assert page.dataframe[0].value["model"].tolist() == ["counter+1.0", "counter-1.0"] and "stand last" in words(page)
    names = []
    monkeypatch.setattr(st, "download_button", lambda _, data, name, *__, **___: names.append(name))
    downloads(tick(page, 1))
    assert f"{run_id}.pairlens.zip" in names


def test_a_deleted_run_is_gone_until_it_is_restored(visit):
    run_id = run_of_pairs(Store())
    page = press(tick(visit(run=run_id), 0), "Delete")
    assert not page.exception
    assert listed(page) == [] and "run" not in page.query_params
    assert [one.run_id for one in deleted(Store())] == [run_id]
    back = press(page, "Restore")
    assert len(listed(back)) == 1
    assert Store().has_finished(run_id)


def test_a_run_that_is_not_there_or_not_finished_says_so(visit):
    assert "no run 'pairs-0'" in errors(visit(run="pairs-0"))
    assert "not the id of a run" in errors(visit(run="../x"))
    run_id = run_of_pairs(Store())
    Store().update({**Store().manifest(run_id), "state": "failed", "error": "The disk was full."})
    page = visit(run=run_id)
    assert "This run is failed. The disk was full." in words(page)
    assert "There is no view 'sqll'. Did you mean 'sql'?" in errors(visit(view="sqll"))
    assert page.dataframe[0].value["state"].tolist() == ["failed"]


def test_the_comparison_says_what_to_do_without_runs(visit):
    assert "Two finished runs are needed" in words(visit(view="compare"))
    run_of_pairs(Store()), run_of_pairs(Store(), margin=-1.0)
    page = visit(view="compare", runs="pairs-0,pairs-1")
    assert "There is no finished run 'pairs-0'" in words(page)
    assert not errors(page), "it was said once"
    assert "Choose two or more runs" in words(page)


def brought(visit, *files: tuple[str, bytes]) -> AppTest:
    """The page after files were dropped on it and stored."""
    page = visit(view="bring")
    uploaders(page)[0].set_value([(name, content, "application/zip") for name, content in files]).run()
    press(page, "Store as runs")
    while not jobs.jobs()[0].ended:
        time.sleep(0.1)
    return page.run()


def test_an_exported_run_is_imported_and_opened(visit, tmp_path):
    elsewhere = Store(tmp_path / "elsewhere", shipped=None)
    run_id = run_of_pairs(elsewhere)
    page = brought(visit, ("run.pairlens.zip", packed(elsewhere, run_id)))
    assert jobs.jobs()[0].state == "done", jobs.jobs()[0].error
    assert "Open" in [button.label for button in page.button]
    page = visit(run=run_id)
    assert "scored on another machine" in words(page) and len(listed(page)) == 1


def test_a_file_that_is_no_run_is_refused_in_words(visit, tmp_path):
    page = brought(visit, ("run.pairlens.zip", b"PK no run"))
    assert "is no run that was exported by Pairlens" in errors(page)
    assert Store().runs().empty


def test_scores_made_elsewhere_are_marked(visit):
    table = b"sentid,token,prob,surp,model\n1,The,0.5,1,gpt0\n1,cats,0.25,2,gpt0\n"
    page = brought(visit, ("tokens.csv", table))
    assert not errors(page), errors(page)
    page = visit(run=str(Store().runs()["run_id"][0]))
    assert "come from the file 'tokens.csv'" in words(page)
    assert page.dataframe[0].value["shown"].tolist() == ["no number"]


def test_files_of_another_program_are_understood_before_they_are_stored(visit):
    page = visit(view="bring")
    assert "samples of lm-evaluation-harness" in words(page).lower()
    files = [("samples_own_mc.jsonl", lines(samples()).encode()), ("results.json", json.dumps(results()).encode())]
    dropped = [(name, content, "text/plain") for name, content in (*files, ("note.png", b"x"))]
    uploaders(page)[0].set_value(dropped).run()
    table = page.dataframe[0].value
    assert table["what"].tolist() == ["samples of lm-evaluation-harness", "not understood"]
    assert "no scores are recognised" in table["problem"].iloc[1]
    assert [one.key for one in page.text_input] == ["door_path"], "the results name the model"
    page = brought(visit, *files)
    assert "4 of 4 printed figures are the same when computed anew." in words(page)
    assert "some/model: 50.0 %" in words(page) and not errors(page)


def test_the_columns_of_a_strange_table_are_picked(visit):
    page = visit(view="bring")
    table = b"nr,ok\n1,1\n2,0\n"
    uploaders(page)[0].set_value([("odd.csv", table, "text/csv")]).run()
    assert "Store as runs" not in [button.label for button in page.button]
    page = page.button_group(key="brought_rows").set_value("verdict").run()
    page.selectbox(key="brought_item").set_value("nr").run()
    page = page.selectbox(key="brought_correct").set_value("ok").run()
    assert page.dataframe[0].value["what"].tolist() == ["a table of verdicts"]
    page.text_input(key="brought_model").set_value("mine").run()
    press(page, "Store as runs")
    while not jobs.jobs()[0].ended:
        time.sleep(0.1)
    assert "mine: 50.0 %" in words(page.run())


def test_a_run_whose_texts_were_read_in_windows_says_so_beside_its_number(visit):
    store = Store()
    unknown, run_id = run_of_pairs(store), run_of_pairs(store, margin=-1.0)
    store.update({**store.manifest(run_id), "window": 3, "stride": 2})
    told = "4 texts longer than a window of 3 tokens were read in strides of 2."
    assert told in words(visit(run=run_id))
    assert "sees at once" not in words(visit(run=unknown))


def away_and_back(page: AppTest) -> AppTest:
    return page.switch_page("pages/models.py").run().switch_page("pages/results.py").run()


def test_filters_and_ticks_are_there_again_and_two_runs_go_to_the_comparison(visit):
    run_ids = {run_of_pairs(Store()), run_of_pairs(Store(), margin=-1.0)}
    page = tick(visit(), 0, 1)
    page = away_and_back(page.multiselect(key="only_State").set_value(["done"]).run())
    assert page.multiselect(key="only_State").value == ["done"]
    page = press(page, "Differences of these 2")
    assert page.query_params["view"] == "compare" and {*page.query_params["runs"].split(",")} == run_ids
    assert not page.exception


def test_the_newest_two_runs_of_a_task_are_compared_on_arrival(visit):
    run_of_pairs(Store()), run_of_pairs(Store(), margin=-1.0)
    page = visit(view="compare")
    assert "What differs in the recipe" in [tab.label for tab in page.tabs] and not errors(page)
    assert len(page.multiselect(key="runs_chosen").value) == 2
    page = page.multiselect(key="runs_chosen").set_value([]).run()
    assert "Choose two or more runs" in words(page), "who takes them away sees none"


def test_a_query_and_its_answer_are_there_again(visit):
    run_of_pairs(Store())
    page = visit(view="sql")
    page = page.text_area(key="sql_text").set_value("select 7 * 6 as answer").run()
    page = press(page, "Run query")
    page = away_and_back(page.text_area(key="sql_text").set_value("select 43 as next").run())
    assert page.text_area(key="sql_text").value == "select 43 as next", "what was typed and not yet run"
    assert page.dataframe[0].value["answer"].tolist() == [42], "the answer of the last run query"
    assert page.query_params["query"] in ("select 7 * 6 as answer", ["select 7 * 6 as answer"])


def plan_record(state: str, *cells: CellState) -> None:
    """The record of a plan whose process is this one."""
    Recorder(settings().home / "study.yaml", cells).write(state)


DONE = CellState("english-small", "blimp", "blimp", "done", 200, 200, run_id="blimp-1")


def test_a_running_plan_is_shown_with_every_model_and_task(visit):
    plan_record("running", DONE, CellState("french-small", "blimp", "blimp", "running", 200, 50))
    page = visit()
    assert "Plan study.yaml: 1 of 2 runs done" in words(page)
    table = page.dataframe[0].value
    assert table["share"].tolist() == [1.0, 0.25]
    assert table["model"].tolist() == ["english-small", "french-small"]


def test_a_plan_that_ended_early_says_how_it_goes_on(visit, monkeypatch):
    plan_record("done", DONE)
    assert not visit().dataframe, "nothing is left to say"
    plan_record("failed", CellState("mine", "blimp", "blimp", "failed", reason="It is broken."))
    page = visit()
    assert page.expander[0].label == "Plan study.yaml: ended, not all of it, 0 of 1 run done"
    assert "plan run" in words(page)
    assert page.dataframe[0].value["reason"].tolist() == ["It is broken."]
    monkeypatch.setenv("PAIRLENS_SHARED", "on")
    settings.cache_clear()
    assert not visit().expander
