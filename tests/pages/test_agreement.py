"""The page of agreement sets: on arrival, answered, with files made elsewhere, and with all that can be wrong."""

from functools import reduce
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import pairlens
from pages.components.shared.datasets import PATH, UPLOAD
from pairlens.analysis import agreement_wording as wording
from pairlens.evaluation.zero_shot import Benchmark
from pairlens.places import FOLDER as ROOT
from pairlens.store import Store
from pairlens.tasks import TASKS
from tests.on_page import downloads, errors, of_tab, open_tabs, press, uploaders, words

PAGE = "agreement"
SAMPLES = ROOT / "data" / "samples"
ENGLISH, FRENCH = SAMPLES / "agreement", SAMPLES / "agreement_french"
HEADLINE = 'class="pl-headline"'
TABS = ("Attractors", "Distance", "Heuristics", "Each heuristic", "Number", "Items by margin", "Left out")
OF_BARE_FILES = TABS[-2:]
COLUMNS = "constr_id\tclass\tform\tcorrect_number\tfreq\tsent\tprobs"


def upload(page: AppTest, *files: tuple[str, str]) -> AppTest:
    return uploaders(page)[0].set_value([(name, text.encode(), "text/plain") for name, text in files]).run()


def run(model: str, path: Path = ENGLISH, rule: str = "", task: str = "agreement") -> str:
    """Score a set; returns the id of the run."""
    return list(Benchmark(TASKS[task], path, rule).run(pairlens.recipe(model), Store()))[-1].run_id


def raw(*rows: tuple[str, str, float | str]) -> str:
    """A .raw-pred file of pairs `(right, wrong, log-probability of the right form)`; the wrong form has -5."""
    lines = [COLUMNS]
    for place, (right, wrong, value) in enumerate(rows):
        for name, form, probs in (("correct", right, value), ("wrong", wrong, -5.0)):
            lines.append(f"{place}\t{name}\t{form}\tsing\t1\tThe key {form} here . <eos>\t{probs}")
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
    assert "This looks like text cut into tokens." not in words(visit(data="Our French sample"))
    whole, cut = (FRENCH / "participles.txt").read_text("utf-8"), ((".", " ."), ("'", "' "))
    page = upload(visit(data=UPLOAD), ("cut.txt", reduce(lambda text, pair: text.replace(*pair), cut, whole)))
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


def test_a_set_without_a_decision_lists_every_item_with_the_reason(visit):
    page = visit(data=UPLOAD)
    with open_tabs(*OF_BARE_FILES):
        upload(page, ("x.raw-pred", raw(("is", "are", -5.0), ("was", "were", ""))))
    assert "No decision: the two forms are equally likely" in words(page) and not errors(page)
    why = of_tab(page, "Left out").dataframe[0].value["Why"]
    assert sorted(why) == ["a form has no log-probability", "tie"]


def test_a_bad_upload_is_one_sentence(visit):
    page = visit(data=UPLOAD)
    for name, content, sentence in (
        ("x.txt", "The key is here.\nThe keys are there.\n", "x.txt, line 1"),
        ("x.raw-pred", raw(("is", "are", 0.5)), "natural logarithm of a probability"),
        ("x.pred", "constr_id\tform\n0\tis\n", "one form per item"),
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
