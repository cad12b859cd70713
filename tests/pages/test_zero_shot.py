"""The page of benchmarks: on arrival, filled, running, with own tables, and with everything that can be wrong."""

import io
import json
import os
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import pairlens
from pages.components.shared.datasets import PATH, UPLOAD
from pairlens.analysis.summary import metrics_under, written
from pairlens.evaluation.evaluate import save
from pairlens.evaluation.result import language_of, read
from pairlens.evaluation.zero_shot import Benchmark, sample
from pairlens.files.tables import write_workbook
from pairlens.metrics import METRICS
from pairlens.places import FOLDER as ROOT
from pairlens.policies import preset_for
from pairlens.store import Store, jobs, sweeps
from pairlens.store.files import write_json
from pairlens.store.jobs import update
from pairlens.store.sweeps import DONE, REFUSED, Point, Sweep
from pairlens.studies import gathering
from pairlens.studies.compare.typed import items
from pairlens.tasks import TASKS
from tests.on_page import box, downloads, errors, links, open_tabs, press, uploaders, wait_for_jobs, words
from tests.records import write
from tests.thinned import one_of_each

PAGE = "zero_shot"
SAMPLE = ROOT / "data" / "samples" / "blimp"
HEADLINE = 'class="pl-headline"'
INSTEAD = 'class="pl-notice warning instead"'
VIEWS, VIEW = ("Scores", "Checkpoints"), "benchmark_view"
TABS = ("Items by margin", "Paradigms", "Temperature", "All policies", "Ties and exclusions", "All numbers")
WITH_ALL_TABS = ("blimp", "reading", "stereoset", "entity_tracking", "aoa")
COMPS = {"prefix_acceptable": "The cat", "prefix_unacceptable": "The horses", "property_phrase": "is tired."}
PAIR = {"sentence_good": "The cat is tired.", "sentence_bad": "The cat are tired.", "UID": "u"}


def upload(page: AppTest, name: str, content: bytes) -> AppTest:
    return uploaders(page)[0].set_value((name, content, "application/json")).run()


def test_stored_scores_are_shown_without_a_run_beside_published_rules(visit, unigram, queued):
    accuracy = pairlens.benchmark(SAMPLE, unigram).value
    page = visit()
    text = words(page)
    assert f"prefers the right one in {accuracy:.1%}".replace("%", "\u00a0%") in text
    assert "of our 100 sample pairs (95 % interval" in text
    assert "GPT-2" not in text and not page.get("popover_published"), "published figures are of other items"
    assert not [group for group in page.button_group if group.label == "Published"]
    assert sorted(tab.label for tab in page.tabs) == sorted((*VIEWS, *TABS))
    margins = page.dataframe[0].value["Margin (bits)"]
    assert len(margins) == 100 and margins.is_monotonic_increasing
    assert "task:blimp.v1|" in words(press(page, "How this number was made"))
    press(visit(tab="All policies"), "Score by both rules")
    assert "--both" in queued()
    wrong = words(press(visit(but="ties:wrong"), "How this number was made"))
    assert "ties:wrong" in wrong, "another tie rule is a query"
    page = press(page, "Get BLiMP · 29\\.6 MB · licence CC\\-BY\\-4\\.0")
    assert page.segmented_control(key="data").value == "BLiMP"
    assert "BLiMP is not on this machine yet" in words(page)
    assert "The latest run here, BLiMP: our sample:" in words(page) and HEADLINE in words(page)
    pairlens.benchmark(SAMPLE, unigram, like="babylm-2025")
    both = words(visit(run=list(Store().runs()["run_id"])))
    assert f"{unigram} · pairlens" in both and f"{unigram} · babylm-2025" in both
    beside = links(visit(tab="All policies"))
    address = next(to for label, to in beside.items() if label.startswith("pairlens beside the published rules"))
    assert "view=compare" in address and address.count("blimp-") == 2


def test_a_run_is_a_job_announced_on_arrival_whose_result_is_shown_when_it_ends(visit):
    page = visit()
    for same in (page, visit(data=PATH, path=str(SAMPLE)), visit(task="Minimal pairs")):
        assert "<strong>100 pairs</strong>, about" in words(same) and not errors(same)
    press(page, "Run")
    wait_for_jobs()
    assert "prefers the right one" in words(page.run())
    assert jobs.jobs()[0].result["run_id"] == Store().runs()["run_id"][0]


def test_a_job_says_what_it_waits_for_and_what_it_does_before_the_first_number(visit, queued, monkeypatch):
    monkeypatch.setattr("pages.components.shared.jobs.time.time", lambda: 100.0)
    first = jobs.start(["nli"], "48 pairs")
    jobs.update(first.id, state="running", pid=os.getpid(), started=58.0)
    run = press(visit(), "Run")
    assert "Waits for 48 pairs (begun 42 s ago): place 1 in the queue." in words(run)
    write_json(first.folder / "progress.json", {"done": 4, "total": 8, "seconds_left": 7.0})
    assert "Waits for 48 pairs (about 7 s left)" in words(run.run())
    jobs.update(first.id, state="done")
    (own,) = (job for job in jobs.jobs() if not job.ended)
    jobs.update(own.id, state="running", pid=os.getpid(), started=88.0)
    assert "Reading what is to be scored: 12 s so far." in words(run.run())
    write_json(own.folder / "progress.json", {"done": 0, "total": 8})
    assert "0 of 8 texts · loading the model and scoring the first ones: 12 s so far" in words(run.run())


def test_the_latest_attempt_says_how_it_ended(visit, queued):
    page = visit()
    run = press(page, "Run")
    assert "Waits for its turn: place 1" in words(run)
    press(run, "Cancel")
    assert "Stopped. 0 of 200 texts are already scored" in words(run)
    update(jobs.jobs()[0].id, state="failed", error="The disk is full.")
    assert len(errors(run.run())) == 1
    assert "The disk is full." in errors(run)[0]


def test_a_bad_upload_is_one_sentence(visit):
    page, pairs = visit(data=UPLOAD), json.dumps(PAIR) + "\n"
    for content, sentence in (
        ((pairs * 11 + '{"sentence_good": "A."}\n').encode(), "line 12: no field"),
        (b"{" + b"[" * 100_000, "line 1"),
    ):
        upload(page, "x.jsonl", content)
        assert len(errors(page)) == 1 and sentence in errors(page)[0], sentence
        assert not [button for button in page.button if button.label == "Run"]


def test_a_public_data_set_that_is_here_can_be_run(visit, home):
    assert "is not on this machine yet" in words(visit(task="ewok", data="EWoK"))
    shutil.copytree(ROOT / "data" / "samples" / "ewok", home / "datasets" / "ewok")
    page = visit(task="ewok", data="EWoK")
    assert page.segmented_control(key="data").value == "EWoK"
    entries = page.selectbox[0].options
    assert sum(" · here · " in entry for entry in entries) == 1
    assert any(entry.startswith("Grammar · BLiMP · download ") for entry in entries)
    assert "<strong>16 items</strong>" in words(page)


def test_a_table_of_pairs_is_shown_by_its_paradigms(visit, unigram):
    """The task has one kind of group, so its paradigms stand under no phenomenon."""
    pairlens.benchmark(ROOT / "data" / "samples" / "pairs" / "agreement.csv", unigram, task="pairs")
    page = visit(task="pairs", tab="Paradigms")
    assert "prefers the right one" in words(page)
    assert set(page.dataframe[0].value["Phenomenon"]) == set(page.dataframe[0].value["Paradigm"])


def test_a_saved_pair_of_which_nobody_says_which_is_right_can_be_opened(visit, unigram):
    asked = items([("The dogs sleep.", "The dogs sleeps.")])
    page = visit(run=save(asked, pairlens.recipe(unigram), Store()), tab="Ties and exclusions")
    assert "Neither sentence is preferred" in words(page) and "No pair of this run can be judged" in words(page)
    unclear = page.dataframe[0].value
    assert list(unclear["Texts"]) == ["The dogs sleep. | The dogs sleeps."]


def run(task: str, model: str, path: Path | None = None, **options: Any) -> str:
    """Score a sample; returns the id of the run."""
    chosen = TASKS[task]
    planned = Benchmark(chosen, path or sample(chosen), **options)
    policy = preset_for("pairlens", chosen.sets)
    return list(planned.run(pairlens.recipe(model, policy=policy), Store()))[-1].run_id


@pytest.fixture
def queued(monkeypatch):
    """Jobs stay in the queue; `queued()` is the command line of the latest."""
    monkeypatch.setattr(jobs, "_spawn", lambda job: None)
    return lambda: jobs.jobs()[0].arguments


@pytest.mark.parametrize(
    "name",
    one_of_each((name for name in TASKS if name not in ("comps", "nli", "inside")), lambda name: TASKS[name].metrics),
)
def test_every_benchmark_is_answered_in_words(visit, unigram, name):
    run(name, unigram)
    with open_tabs(*TABS if name in WITH_ALL_TABS else ()):
        page = visit(task=name)
    assert not errors(page) and "tiny-unigram" in words(page)
    if TASKS[name].language not in ("", "en"):
        assert INSTEAD in words(page) and HEADLINE not in words(page)
        return
    assert HEADLINE in words(page)
    run_id = Store().runs()["run_id"][0]
    for metric in metrics_under(TASKS[name], Store().manifest(run_id)["rule"]):
        value = Store().metrics(run_id).query("name == @metric")["value"].iloc[0]
        number = "no number" if pd.isna(value) else written(value, METRICS[metric].scale, 1).replace(" ", "\u00a0")
        assert number in words(page)
    if name == "reading":
        assert "ms per bit" in words(page) and "words of one sentence together" in words(page)
        assert "The pipeline has no scorer like unigram" in words(page)


def test_what_cannot_be_is_one_sentence(visit):
    for link, sentence, usual in (
        ({"model_name": "no-such-model"}, "no-such-model", False),
        ({"run": "blimp-0000000000"}, "", False),
        ({"run": "../secret"}, "", False),
        ({"data": PATH, "path": "\0"}, "", False),
        ({"task": "comps"}, "Word counts know no context", False),
        ({"task": "nope"}, "There is no benchmark", True),
        ({"task": "nli"}, "There is no benchmark 'nli'. Known: agreement", True),
        ({"preset": "nope"}, "There is no preset", True),
    ):
        page = visit(**link)
        assert len(errors(page)) == 1 and sentence in errors(page)[0], link
        assert ("<strong>100 pairs</strong>" in words(page)) == usual, "the usual one is used instead"


def test_the_texts_of_a_confidential_task_are_nowhere(visit, unigram):
    run("ewok", unigram)
    with open_tabs(*TABS):
        page = visit(task="ewok")
    assert "are confidential" in words(page) and not errors(page)
    asked = [one for item in TASKS["ewok"].read(sample(TASKS["ewok"])) for one in item.candidates]
    texts = {text.strip() for one in asked for text in (one.context, one.text)}
    seen = words(page) + "".join(frame.value.to_csv() for frame in page.dataframe)
    assert not [text for text in texts if text in seen]
    run("ewok", unigram, rule="joint")
    page.selectbox(key="rule_ewok").set_value("joint").run()
    assert "rule:joint" in words(press(page, "How this number was made")), "another rule is another run"


def test_two_models_or_chosen_runs_are_compared_item_by_item(visit, unigram, second):
    ids = [run("blimp", unigram), run("blimp", second)]
    page = visit(model_name=[unigram, second])
    assert words(page).count(HEADLINE) == 2
    assert "test of exchanging answers" in words(page) and "on the same 100 pairs" in words(page)
    table = page.dataframe[0].value
    a, b = (Store().metrics(run_id).iloc[0]["value"] for run_id in ids)
    assert table["Difference"].iloc[0] == pytest.approx(a - b) and len(table) == 6
    assert {"shown", "n"} < {*page.dataframe[-1].value} and " % (" in page.dataframe[-1].value["shown"].iloc[0]
    page = visit()
    page.session_state["runs"] = {"selection": {"rows": [0, 1], "columns": [], "cells": []}}
    page = press(page.run(), "Compare these 2 runs")
    assert sorted(page.query_params["run"]) == sorted(ids)
    assert words(page).count(HEADLINE) == 2, "as a link shows them"
    wrong = visit(run=[ids[0], run("crows_pairs", unigram)])  # whose numbers the first one does not have
    assert len(errors(wrong)) == 1 and "another task" in errors(wrong)[0]


def test_two_models_are_estimated_and_started_together(visit, unigram, second, queued):
    page = visit(model_name=[unigram, second])
    assert f"{unigram}: " in words(page) and f"{second}: " in words(page)
    press(page, "Run")
    assert [second in job.arguments for job in jobs.jobs()] == [True, False]


def test_temperatures_are_a_curve_and_more_are_a_job(visit, unigram, queued):
    run_id = run("blimp", unigram)
    page = visit(tab="Temperature")
    assert "Only temperature 1 is stored" in words(page)
    page.number_input(key="lowest_temperature").set_value(3.0)
    assert len(errors(page.run())) == 1, "no grid"
    page.number_input(key="lowest_temperature").set_value(1.0).run()
    press(page, "Score at these temperatures")
    assert queued()[-6:] == (
        "--min_temperature", "1", "--max_temperature", "1.5", "--temperature_interval", "0.05",
    )  # fmt: skip
    assert "opened by its id" in words(visit(run=run_id, tab="Temperature"))
    run("blimp", unigram, temperatures=(0.5, 1.0, 2.0))
    page = visit(tab="Temperature")
    assert "chosen on the evaluation data itself" in words(page)
    assert list(page.dataframe[0].value["temperature"]) == [0.5, 1.0, 2.0]


def test_a_stored_sweep_is_a_curve(visit, unigram, second):
    ids = {name: run("blimp", name) for name in (unigram, second)}
    manifest = Store().manifest(ids[unigram])
    fields = {
        field: manifest[field] for field in ("task", "rule", "data", "data_hash", "scorer", "policy", "created")
    }
    points = (
        Point("chck_1M", 10**6, "words", "w", ids[unigram], DONE),
        Point("chck_2M", 2 * 10**6, "words", "v", ids[second], DONE),
        Point("chck_3M", 3 * 10**6, "words", "v", ids[second], DONE),
        Point("main", None, "words", "u", ids[second], DONE),
        Point("chck_4M", 4 * 10**6, "words"),
        Point("chck_5M", 5 * 10**6, "words", state=REFUSED, reason="Its weight file is damaged."),
    )
    sweeps.write(Store(), Sweep(id="blimp-sweep", model="folder", points=points, **fields))
    page = visit(benchmark_view="Checkpoints", tab_of_training="Order of learning")
    text = words(page)
    first, last = (Store().metrics(ids[name]).iloc[0]["value"] for name in (unigram, second))
    assert (
        f"folder: accuracy {100 * first:.1f}\xa0% at chck_1M, {100 * last:.1f}\xa0% (" in text
        and "at chck_3M, on our" in text
    )
    assert "Learnt at (median)" in page.dataframe[-2].value
    assert "Not finished yet: chck_4M" in text and "chck_5M is left out: Its weight file is damaged." in text
    assert "do not say what they had seen: main" in text
    assert "chck_3M has the weights of chck_2M" in text


def test_a_sweep_is_a_job(visit, unigram, queued):
    run("blimp", unigram)
    page = visit(benchmark_view="Checkpoints")
    assert "No sweep over checkpoints is stored" in words(page)
    assert len(errors(press(page, "Run all checkpoints"))) == 1
    page.text_input(key="checkpoints").set_value("/my/checkpoints")
    page.text_input(key="sweep_revisions").set_value("chck_*, best=20000000")
    press(page, "Run all checkpoints")
    assert queued()[queued().index("--model_path_or_name") + 1] == "/my/checkpoints"
    assert queued()[-4:] == ("--revision_name", "chck_*,best", "--words", "best=20000000")


def test_the_list_is_grouped_and_has_the_last_score(visit, unigram):
    run("blimp", unigram)
    page = visit(task="Wug test: nouns from adjectives")
    topics = [entry.partition(" · ")[0] for entry in page.selectbox[0].options]
    assert list(dict.fromkeys(topics)) == ["Grammar", "Meaning", "Bias", "Human data", "Your file", "Suite"]
    assert topics == sorted(topics, key=list(dict.fromkeys(topics)).index)
    assert page.selectbox[0].value == "wug_adj" and page.query_params["task"] == "Wug test: nouns from adjectives"
    assert any("(tiny-unigram)" in entry and "last here " in entry for entry in page.selectbox[0].options)
    page.selectbox[0].set_value("reading").run()
    assert page.query_params["task"] == "reading"


def test_a_suite_is_found_by_typing_and_says_what_is_done(visit, unigram, home):
    link = {"task": "babylm-2026-multilingual", "model_name": unigram}
    page = visit(**link)
    entries = page.selectbox[0].options
    assert all(any(typed in entry for entry in entries) for typed in ("Suite", "BabyLM", "supplement"))
    assert "<strong>0 of " in words(page) and not errors(page)
    assert not [button for button in page.button if button.label == "Run what is missing"]
    shutil.copytree(ROOT / "data/samples/multiblimp/nld", home / "evaluation_data/multiblimp/nld")
    page = visit(**link)
    assert "To run: multiblimp_nld." in words(page)
    press(page, "Run what is missing")
    wait_for_jobs()
    page = page.run()
    assert "<strong>1 of " in words(page) and not errors(page)
    assert not [button for button in page.button if button.label == "Run what is missing"]
    table = next(one.value for one in page.dataframe if "number" in one.value).set_index("key")
    assert table.loc["multiblimp_nld", "state"] == "present" and " to " in table.loc["multiblimp_nld", "number"]
    assert table.loc["fine-tuning", "state"] == "not covered here"
    assert {"Report (HTML)", "File to submit"} <= set(downloads(page))


def test_what_a_suite_could_not_run_is_said(visit, unigram, home):
    folder = home / "evaluation_data/full_eval/comps"
    folder.mkdir(parents=True)
    write(folder / "comps_base.jsonl", COMPS)
    page = press(visit(task="babylm-2025", model_name=unigram), "Run what is missing")
    with pytest.raises(AssertionError, match="comps: Word counts know no context"):
        wait_for_jobs()
    assert "comps: Word counts know no context" in errors(page.run())[0]
    assert "Run what is missing" in [button.label for button in page.button]


def test_an_upload_is_in_the_link_and_belongs_to_one_benchmark(visit):
    page = upload(visit(data=UPLOAD), "x.jsonl", (json.dumps(PAIR) + "\n").encode())
    assert "<strong>1 pair</strong>" in words(page)
    link = {"data": UPLOAD, "file": page.query_params["file"]}
    again = visit(**link)
    assert "Uploaded earlier: x.jsonl" in words(again) and "<strong>1 pair</strong>" in words(again)
    assert "1 pair" not in words(press(again, "Take out"))
    other = visit(**link, task="pairs").selectbox[0].set_value("syntaxgym").run()
    assert "file" not in other.query_params and "Uploaded earlier" not in words(other) and not errors(other)


def test_an_archive_is_unpacked_once_where_it_is_uploaded(visit, monkeypatch):
    unpacked = []
    monkeypatch.setattr(gathering, "keep", lambda files, keep=gathering.keep: unpacked.append(1) or keep(files))
    with zipfile.ZipFile(archive := io.BytesIO(), "w") as zipped:
        for path in SAMPLE.iterdir():
            zipped.write(path, f"main/data/{path.name}")
        zipped.writestr("main/README.md", "# Pairs")
    page = upload(visit(data=UPLOAD), "main.zip", archive.getvalue())
    assert "<strong>100 pairs</strong>" in words(page.run()) and not errors(page)
    assert unpacked == [1], "not in every run of the page"


def test_a_folder_of_checkpoints_typed_as_a_model_opens_their_tab(visit, unigram, tmp_path):
    for name in ("runs/step_100", "runs/final", "models/pythia-70m", "models/pythia-160m"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "config.json").write_text("{}")
    page = visit()
    page.multiselect(key="model_name").set_value([unigram, str(tmp_path / "models")]).run()
    assert "checkpoints" not in page.query_params and page.session_state[VIEW] == "Scores", "models beside each other"
    page.multiselect(key="model_name").set_value([unigram, str(tmp_path / "runs")]).run()
    assert page.multiselect(key="model_name").value == [unigram]
    assert page.text_input(key="checkpoints").value == str(tmp_path / "runs")
    assert "2 checkpoints: step_100, final." in words(page) and "taken to be as long as the last" in words(page)


def test_the_latest_run_says_how_it_was_scored(visit, unigram, monkeypatch):
    pairlens.benchmark(SAMPLE, unigram, ties="wrong")
    text = words(visit(data="BLiMP"))
    assert "The latest run here" in text and HEADLINE in text
    assert "summed log-probability; a tie counts as wrong." in text
    monkeypatch.setattr("pages.components.shared.models.why_unreadable", lambda *_: "It has read none of it.")
    st.cache_resource.clear()
    text = words(visit(data="BLiMP"))
    assert INSTEAD in text and "It has read none of it." in text and HEADLINE not in text


def test_the_language_of_a_visitors_own_file_is_not_that_of_the_benchmark(unigram, tmp_path):
    own = tmp_path / "mine.jsonl"
    own.write_text(json.dumps(PAIR) + "\n")
    runs = [read(Store(), pairlens.benchmark(path, unigram, task="blimp").run_id) for path in (SAMPLE, own)]
    assert [language_of(one) for one in runs] == ["en", ""]


def test_published_figures_under_other_conditions_are_listed_and_not_drawn(visit, tmp_path, unigram):
    folder = tmp_path / "mine"
    shutil.copytree(SAMPLE, folder)
    pairlens.benchmark(folder, unigram)
    page = visit(data=PATH, path=str(folder), model_name=unigram)
    (table,) = [one.value for one in page.dataframe if "note" in one.value and "name" in one.value]
    assert "people were asked" in table.set_index("name").loc["human", "note"]
    assert table.set_index("name").loc["GPT-2", "note"].startswith("BLiMP's 67,000 pairs, whole sentences")


def command(page: AppTest) -> str:
    return next(code.value for code in page.code if "zero-shot" in code.value)


def test_other_columns_can_be_named(visit):
    table = "oui;non;thème\nthe horses are;the horses is;déjà\nthe cat is;the cat are;déjà\n".encode("cp1252")
    page = upload(visit(task="pairs", data=UPLOAD), "table.csv", table)
    assert "Which columns hold the good and the bad texts?" in words(page)
    box(page, "Good").set_value("oui")
    box(page, "Bad").set_value("non")
    box(page, "Groups").set_value(["thème"])
    page.run()
    assert "Columns: good = oui · bad = non · paradigm = thème." in words(page) and "2 pairs" in words(page)
    assert "--good oui --bad non" in command(page) and "--group 'thème'" in command(page)


def test_a_model_that_cannot_be_asked_the_usual_way_is_asked_another(visit):
    text = words(visit(task="crows_pairs"))
    assert "For tiny-unigram this is compared: log p(context + text): the whole text." in text and "24 pairs" in text


def test_quotation_marks_and_sheets_can_be_chosen(visit, tmp_path):
    page = visit(task="pairs", data=UPLOAD)
    upload(page, "table.csv", b'good,bad\nThe cat sleeps.,"The cat sleep.\nThe dogs run.,The dogs runs."\n')
    assert "table.csv, row 2: a quotation mark takes these 2 lines into one cell." in words(page)
    box(page, "Quotation marks").set_value("part of the text").run()
    assert "2 pairs" in words(page) and "--quoting none" in command(page)
    sheets = {
        "Notes": pd.DataFrame({"made": ["by hand"]}),
        "Items": pd.DataFrame({"good": ["The cat sleeps."], "bad": ["The cat sleep."]}),
        "More": pd.DataFrame({"good": ["#N/A", "The dogs run."], "bad": ["The cat.", "The dogs runs."]}),
    }
    write_workbook(sheets, tmp_path / "a.xlsx")
    page = upload(visit(task="pairs", data=UPLOAD), "a.xlsx", (tmp_path / "a.xlsx").read_bytes())
    assert "a.xlsx, sheet 'Items' (there are also 'Notes', 'More'" in words(page) and "1 pair" in words(page)
    box(page, "Sheet").set_value("More").run()
    assert "2 pairs" in words(page) and "sheet 'More'" in words(page) and "--sheet More" in command(page)


def test_a_run_of_suites_shows_predictions_and_what_their_regions_cost(visit):
    """Of its items no candidate is right."""
    suite = ROOT / "data" / "samples" / "syntaxgym" / "object_or_subject.json"
    with open_tabs(*TABS):
        page = visit(run=pairlens.benchmark(suite, "english-small", task="syntaxgym").run_id)
    text = words(page).replace("\u00a0", " ")
    assert "The first prediction of an item holds for english-small in 90.0 % of our 10 sample items (" in text
    assert "The worst decision first." in text
    items = page.dataframe[0].value
    assert items.columns.tolist() == ["Item", "Prediction", "Surprisals", "Margin (bits)", "Paradigm"]
    assert len(items) == 10 and items["Margin (bits)"].is_monotonic_increasing
    assert items["Prediction"].str.contains("more surprising in open").all(), "in words"
    assert items["Surprisals"].str.count(" bits").eq(4).all() and not errors(page)


@pytest.mark.model
def test_runs_are_shown_by_language_and_filtered(visit):
    run("multiblimp", "english-small")
    page = visit(task="multiblimp", benchmark_view="Languages")

    def languages() -> pd.DataFrame:
        return next(one.value for one in page.dataframe if "Tokens per word" in one.value)

    assert len(languages()) == 12 and languages()["Language"].iloc[0] == "English", "what is read comes first"
    page.toggle(key="language_read").set_value(True).run()
    assert languages()["Language"].tolist() == ["English"]
    page.toggle(key="language_read").set_value(False)
    page.selectbox(key="language_phenomenon").select("each phenomenon").run()
    assert len(languages()) == 24 and not page.exception
