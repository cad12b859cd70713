"""The page Train: on arrival, with other texts and filters, with bad input, while a model learns and afterwards."""

import json
import os
import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pairlens.cli import main
from pairlens.settings import settings
from pairlens.store import jobs, uploads
from pairlens.training.checkpoint import stop_asked
from pairlens.training.learning_curves import shipped_curves
from tests.core.cli.test_train import PAIRS, SHAPE
from tests.core.training.test_training import sentences
from tests.on_page import press, words


def charts(page: AppTest) -> list[str]:
    return [json.loads(chart.proto.spec)["description"] for chart in page.get("vega_lite_chart")]


@pytest.fixture
def started(monkeypatch):
    """What would have been started."""
    asked: list[list[str]] = []
    monkeypatch.setattr(jobs, "start", lambda arguments, _title: asked.append(list(arguments)))
    return asked


def test_arrival_shows_what_a_time_buys_and_a_film_that_plays_frame_by_frame_and_ends_with_all_of_it(visit_page):
    page = visit_page("train")
    text = words(page)
    assert "57,551 sentences" in text and "a guess until a first model has been trained here" in text
    name = next(iter(shipped_curves()))
    assert f"tokens, {name} gets " in text
    assert len(charts(page)) == 2 and "the better sentence is ahead by" in charts(page)[1]
    page = press(page, "Play")
    assert page.session_state["film_frame"] == 1 and len(charts(page)) == 1
    page.session_state["film_frame"] = 10_000
    page = page.run()
    assert "film_frame" not in page.session_state and len(charts(page)) == 2


def test_a_grammar_is_grown_without_a_construction(visit_page, started):
    page = visit_page("train")
    page = page.button_group(key="grammar").set_value("without relative clauses").run()
    text = words(page)
    assert "9,588 left out" in text and "<small>out</small>" in text and "<small>in</small>" in text
    press(page, "Start training")
    (asked,) = started
    assert asked[asked.index("--drop") + 1] == r"\b(who|which)\b"
    assert asked[asked.index("--name") + 1] == "my-model" and asked[asked.index("--minutes") + 1] == "3"


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"drop": "("}, "not a regular expression"),
        ({"keep": "zebra crossing"}, "0 sentences"),
        ({"corpus": "Path", "corpus_path": "/nowhere/text.txt"}, "There is no file"),
    ],
)
def test_bad_input_is_said_beside_it(visit_page, params, said):
    assert said in words(visit_page("train", **params))


def test_pairs_are_typed_and_refused_with_the_line_and_a_name_that_cannot_be_is_refused(visit_page, started):
    page = visit_page("train")
    page.selectbox(key="watched").set_value("own").run()
    page = page.text_area(key="own_pairs").set_value("The cat sleeps. | The cat sleep.\nNo bar").run()
    assert "Line 2: a bar is missing" in words(page)
    page.text_area(key="own_pairs").set_value("The cat sleeps. | The cat sleep.")
    name = page.text_input(key="name_of_model_0").value
    page.text_input(key="name_of_model_0").set_value("english-small").run()
    assert "is a bundled model" in words(press(page, "Start training")) and not started
    page.text_input(key="name_of_model_0").set_value(name)
    press(page, "Start training")
    (asked,) = started
    assert Path(asked[asked.index("--watch") + 1]).read_text() == (
        "group\tgood\tbad\ntyped\tThe cat sleeps.\tThe cat sleep.\n"
    )


def job(state: str, name: str = "mine") -> Path:
    folder = settings().jobs / "20260101-000000-aaaaaa"
    folder.mkdir(parents=True)
    (folder / "job.json").write_text(
        json.dumps(
            {"title": f"Training {name}", "arguments": ["train", "--name", name], "state": state, "pid": os.getpid(),
             "created": time.time(), "error": "The disk is full."}
        )
    )  # fmt: skip
    (folder / "progress.json").write_text(json.dumps({"done": 250, "total": 1_000, "seconds_left": 90}))
    return folder


def test_a_model_trained_here_comes_first_with_what_was_said_on_the_way_and_opens_in_compare(visit_page, tmp_path):
    text, pairs = tmp_path / "t.txt", tmp_path / "p.tsv"
    text.write_text("\n".join(sentences(400)))
    pairs.write_text(PAIRS)
    assert main(["train", "--input", str(text), "--watch", str(pairs), "--name", "mine", *SHAPE]) == 0
    page = visit_page("train")
    assert "tokens, mine gets " in words(page) and "Loss by tokens read" in charts(page)[1]
    (link,) = [link.proto for link in page.get("page_link") if link.proto.label == "Open in Compare"]
    assert "model=mine" in link.query_string and "a=The+dog+sees" in link.query_string
    folder, said = job("done"), "The text supports 300 entries."
    record = json.loads((folder / "job.json").read_text())
    (folder / "job.json").write_text(json.dumps({**record, "result": {"remarks": [said]}}))
    assert said in words(page.run())
    assert said not in words(visit_page("train", shown=f"Learning curves of {next(iter(shipped_curves()))}"))


def test_a_training_under_way_is_watched_and_stopped(visit_page):
    job("running")
    work = settings().models / "mine.training"
    work.mkdir(parents=True)
    page = visit_page("train")
    assert "mine is learning" in words(page) and "25% · about 90 s left" in words(page).replace("2 minutes", "90 s")
    assert next(button for button in page.button if button.label == "Start training").disabled
    page = press(page, "Stop and save")
    assert stop_asked(work) and "saving the best state so far" in words(page)


def test_an_interrupted_training_is_not_replaced_by_another(visit_page, started):
    job("cancelled")
    work = settings().models / "mine.training"
    work.mkdir(parents=True)
    (work / "checkpoint.pt").touch()
    page = visit_page("train")
    page.text_input(key="name_of_model_0").set_value("mine")
    page = press(page, "Start training")
    assert "resume it, or choose another name" in words(page) and not started


def test_a_training_that_failed_says_why_and_goes_on(visit_page, started):
    job("failed")
    page = visit_page("train")
    assert "The disk is full." in words(page)
    press(page, "Resume mine")
    assert started == [["train", "--name", "mine"]]


def test_everything_chosen_is_there_again(visit_page):
    kept = uploads.keep([("story.txt", b"The cat sleeps.\nThe dogs sleep.\n")])
    page = visit_page("train", corpus="Upload", corpus_upload=uploads.kept()[0].id, minutes="7", drop="dogs")
    assert kept.is_file() and "story.txt" in words(page) and "1 left out" in words(page)
    page.selectbox(key="kind_of_model").set_value("masked")
    page.selectbox(key="watched").set_value("own").run()
    page = page.text_area(key="own_pairs").set_value("A cat sleeps. | A cat sleep.").run()
    page = page.switch_page("pages/models.py").run().switch_page("pages/train.py").run()
    assert "story.txt" in words(page) and "1 left out" in words(page) and "7 minutes" in words(page)
    assert page.selectbox(key="kind_of_model").value == "masked"
    assert page.text_area(key="own_pairs").value == "A cat sleeps. | A cat sleep."
