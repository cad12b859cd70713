"""The page of agreement sets: on arrival, answered, with files made elsewhere, and with all that can be wrong."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import pairlens
from pages.components.shared.datasets import PATH, UPLOAD
from pairlens.analysis import agreement_wording as wording
from pairlens.evaluation.result import read
from pairlens.evaluation.zero_shot import Benchmark
from pairlens.places import FOLDER as ROOT
from pairlens.store import Store, jobs
from pairlens.studies.agreement.answers import answers_of_runs
from pairlens.studies.agreement.predictions import predictions, raw_predictions
from pairlens.tasks import TASKS
from tests.on_page import downloads, errors, of_tab, open_tabs, press, wait_for_jobs, words

PAGE = "agreement"
SAMPLES = ROOT / "data" / "samples"
ENGLISH, FRENCH = SAMPLES / "agreement", SAMPLES / "agreement_french"
HEADLINE = 'class="pl-headline"'
TABS = ("Attractors", "Distance", "Heuristics", "Each heuristic", "Number", "Items by margin", "Left out")
OF_BARE_FILES = TABS[-2:]
COLUMNS = "constr_id\tclass\tform\tcorrect_number\tfreq\tsent\tprobs"


def upload(page: AppTest, *files: tuple[str, str]) -> AppTest:
    return page.file_uploader[0].set_value([(name, text.encode(), "text/plain") for name, text in files]).run()


def run(model: str, path: Path = ENGLISH, rule: str = "", task: str = "agreement") -> str:
    """Score a set; returns the id of the run."""
    return list(Benchmark(TASKS[task], path, rule).run(pairlens.recipe(model), Store()))[-1].run_id


def raw(*rows: tuple[str, str, float | str], number: str = "sing", frequency: int = 1) -> str:
    """A .raw-pred file of pairs `(right, wrong, log-probability of the right form)`; the wrong form has -5."""
    lines = [COLUMNS]
    for place, (right, wrong, value) in enumerate(rows):
        for name, form, probs in (("correct", right, value), ("wrong", wrong, -5.0)):
            lines.append(f"{place}\t{name}\t{form}\t{number}\t{frequency}\tThe key {form} here . <eos>\t{probs}")
    return "\n".join(lines) + "\n"


def test_stored_scores_are_shown_without_a_run(visit, unigram):
    run_id = run(unigram)
    value = Store().metrics(run_id).iloc[0]["value"]
    with open_tabs("Items by margin"):
        page = visit()
    text = words(page)
    assert f"Right in {64 * value:g} of our 64 sample items: {100 * value:.1f}\u00a0%" in text
    assert "Baselines that do not look at the head: always the singular" in text
    assert {*TABS} <= {tab.label for tab in page.tabs}
    assert wording.ATTRACTOR in text and "which every attractor misleads" in text
    assert "flips" in text
    margins = of_tab(page, "Items by margin").dataframe[0].value["Margin (bits)"]
    assert margins.is_monotonic_increasing and len(margins) == 64
    assert {"CSV", "All numbers (JSON)", ".raw-pred", ".pred"} <= set(downloads(page))
    assert words(visit(run=run_id)).count(HEADLINE) == 1
    chosen = visit(group="attractors:1")
    assert "Only attractors: 1." in words(chosen) and "Only" not in words(visit(group="attractors:none"))
    other = run(unigram, SAMPLES / "linzen", task="linzen")
    assert "a run about other items: open it on its own" in errors(visit(run=[run_id, other]))[0]


@pytest.mark.parametrize("task", ["linzen", "colorless_green"])
def test_runs_of_other_agreement_sets_open_here_too(visit, unigram, task):
    run_id = run(unigram, SAMPLES / task, task=task)
    assert task in Store().runs()["task"].tolist()
    listed = next(one for one in visit().dataframe if "title" in one.value)
    assert TASKS[task].title in listed.value["title"].iloc[0]
    with open_tabs(*TABS):
        page = visit(run=run_id)
    overall = Store().metrics(run_id).query("group_by == 'overall' and over == 'items'").iloc[0]
    assert not errors(page) and f"{100 * overall['value']:.1f}\u00a0%" in words(page)
    (answers,) = answers_of_runs([read(Store(), run_id)], Store())
    assert len(raw_predictions(answers.candidates)) == 2 * overall["n"]
    assert predictions(answers.candidates)["pred"].isin(["sing", "plur", "_", ""]).all()


@pytest.mark.parametrize(("sample", "source"), [(ENGLISH, "Our English sample"), (FRENCH, "Our French sample")])
def test_every_tab_of_both_samples(visit, unigram, sample, source):
    run(unigram, sample)
    with open_tabs(*TABS):
        page = visit(data=source)
    assert not errors(page)
    assert ("sound alike" in words(page)) == (sample == FRENCH)
    assert ('class="pl-notice warning instead"' in words(page)) == (sample == FRENCH)
    assert (HEADLINE in words(page)) == (sample == ENGLISH), "no verdict on what the model cannot read"
    assert "say anything about this" not in words(page)


def test_a_run_is_a_job_whose_result_is_shown_when_it_ends(visit):
    page = visit()
    assert "items</strong>, about" in words(page) and not errors(page)
    press(page, "Run")
    wait_for_jobs()
    assert "Right in" in words(page.run())
    assert "--task agreement" in " ".join(jobs.jobs()[0].arguments)


def test_the_rule_is_said_in_plain_words(visit, unigram):
    page = visit(rule_agreement="form only")
    chosen = next(box for box in page.selectbox if box.label == "Scored")
    assert chosen.options == ["form and the end of the word", "form only", "whole sentence"]
    assert "Scored: form only" in words(page) and "Scored:" not in words(visit())
    run(unigram, rule="form")
    assert f"{unigram} (form only)" in words(visit(rule_agreement="form only"))


def test_the_french_sample_is_offered_to_a_model_that_reads_french(visit):
    page = visit(data="Our French sample", model_name="english-small")
    assert "english-small has read no French" in words(page) and "has never read" not in words(page)
    page = press(page, "Ask french-small instead")
    assert page.multiselect(key="model_name").value == ["french-small"] and "no French" not in words(page)


def test_a_masked_model_compares_whole_sentences(visit):
    page = visit(model_name="bilingual-masked")
    assert "bilingual-masked sees what follows a form too: for it, the whole sentence is compared." in words(page)
    assert not errors(page)


def test_models_stand_side_by_side(visit, unigram, second):
    ids = [run(unigram), run(second)]
    page = visit(model_name=[unigram, second])
    assert words(page).count(HEADLINE) == 2 and "test of exchanging answers" in words(page)
    assert words(page).count("Baselines that do not look at the head") == 1, "the items are the same"
    table = next(one.value for one in page.dataframe if "Attractors" in one.value)
    assert set(table["Model"]) == {unigram, second}
    assert words(visit(run=ids)).count(HEADLINE) == 2


def test_pretokenised_text_is_recognised_and_joined(visit):
    page = visit(data="Our French sample")
    assert "This looks like text cut into tokens." in words(page)
    page = press(page, "Join it")
    assert "This looks like text cut into tokens." not in words(page)
    assert "Undo" in [button.label for button in page.button]


def test_log_probabilities_made_elsewhere_need_no_model(visit):
    content = raw(("is", "are", -1.0), ("was", "were", -2.0), ("has", "have", -9.0))
    page = visit(data=UPLOAD, model_name="none-such")
    with open_tabs(*OF_BARE_FILES):
        upload(page, ("mine.raw-pred", content))
    assert "Right in 2 of 3 items: 66.7" in words(page)
    assert not [button for button in page.button if button.label == "Run"]
    assert len(errors(page)) == 1 and "none-such" in errors(page)[0]
    assert "do not say anything about this (attractors, " in words(page)
    page = upload(visit(data=UPLOAD), ("mine.raw-pred", content))
    page.button_group(key="answers").set_value("By the models above").run()
    assert "<strong>3 items</strong>" in words(page)


def test_a_table_beside_the_predictions_says_more(visit):
    content = raw(("is", "are", -1.0), ("was", "were", -2.0))
    columns = "constr_id\tform\tpred\tcorrect_number\tn_attrs\tcls_noun_num"
    rows = "0\tis\tsing\tsing\t0\tsing\n1\twas\tsing\tsing\t1\tplur\n"
    page = upload(visit(data=UPLOAD), ("a.raw-pred", content), ("a.pred", f"{columns}\n{rows}"))
    assert not errors(page)
    assert list(page.dataframe[0].value["Attractors"]) == ["0", "1"]


def test_sets_that_say_little(visit):
    two = ("is", "are", -5.0), ("was", "were", -5.0)
    page = visit(data=UPLOAD)
    for content, sentence, reasons in (
        (raw(("is", "are", -1.0)), "Right in 1 of 1 item: 100.0", []),
        (raw(*two), "No decision: the two forms are equally likely", ["tie", "tie"]),
        (
            raw(*two, frequency=0),
            "No item can be judged: 2 items left out.",
            2 * ["never occurs in the training"],
        ),
        (raw(("is", "are", ""), ("was", "were", -2.0)), "Right in 1 of 1 item", ["a form has no log-probability"]),
    ):
        with open_tabs(*OF_BARE_FILES):
            upload(page, ("x.raw-pred", content))
        assert sentence in words(page) and not errors(page)
        left_out = of_tab(page, "Left out").dataframe[0].value["Why"].tolist() if reasons else []
        assert all(reason in why for reason, why in zip(reasons, left_out, strict=True)), left_out


def test_a_bad_upload_is_one_sentence(visit):
    page = visit(data=UPLOAD)
    for name, content, sentence in (
        ("x.txt", "", "the file is empty"),
        ("x.txt", "The key is here.\nThe keys are there.\n", "x.txt, line 1"),
        ("x.raw-pred", "constr_id\tclass\tform\n0\tcorrect\tis\n0\twrong\tare\n", "no column sent"),
        ("x.raw-pred", raw(("is", "are", 0.5)), "natural logarithm of a probability"),
        ("x.pred", "constr_id\tform\n0\tis\n", "one form per item"),
        ("x.docx", "words", "x.docx"),
    ):
        upload(page, (name, content))
        assert len(errors(page)) == 1 and sentence in errors(page)[0], (name, errors(page))
        assert HEADLINE not in words(page)
    assert len(errors(visit(data=PATH, path="relative/nowhere.txt"))) == 1


def test_runs_of_another_task_are_opened_elsewhere(visit, unigram):
    pairlens.benchmark(SAMPLES / "blimp", unigram)
    page = visit(run=str(Store().runs()["run_id"][0]))
    assert len(errors(page)) == 1 and "open it under Benchmarks" in errors(page)[0]
    assert len(errors(visit(run="agreement-0000000000"))) == 1
