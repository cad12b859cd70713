"""All policies of a run, of a pair and of an experiment, as a visitor sees them."""

import json
import re
import shutil

import pytest
from streamlit.testing.v1 import AppTest

import pairlens
from pages.components.shared.sentences import TYPED
from pairlens.evaluation.evaluate import evaluate
from pairlens.reports.multiverse.numbers import OWN, QUERY, RUN
from pairlens.store import Store, jobs
from pairlens.tasks import TASKS
from tests.on_page import markup, wait_for_jobs, words

PAIRS = [("The key is here.", "The key are here."), ("The keys are here.", "The keys is here.")]


def hold(page: AppTest, policies: int) -> bool:
    """Whether the page says how many of two decisions hold under so many policies."""
    return re.search(rf"of 2 decisions holds? under all {policies} policies\.", words(page)) is not None


@pytest.fixture
def causal(checkpoints, home):
    """A model in the catalogue with random weights."""
    shutil.copytree(checkpoints / "tiny-causal", home / "models" / "tiny-causal")
    return "tiny-causal"


@pytest.fixture
def run(causal, tmp_path):
    """A finished run of two pairs."""
    lines = [json.dumps({"sentence_good": good, "sentence_bad": bad, "UID": "agreement"}) for good, bad in PAIRS]
    (tmp_path / "agreement.jsonl").write_text("\n".join(lines))
    *_, last = evaluate(TASKS["blimp"], tmp_path / "agreement.jsonl", pairlens.recipe(causal), Store())
    return last.run_id


def test_numbers_are_matched_and_missing_policies_scored_by_one_press(visit_page, run):
    page = visit_page("zero_shot", run=run, tab="All policies")
    assert hold(page, 4), "no SLOR: the language is not known"
    assert "13 policies" not in words(page) and "policies are not scored yet: about " in words(page)
    assert "No number for 'first word included · SLOR'" in words(page)
    assert len(Store().runs()) == 1 and not jobs.jobs(), "nothing was scored by looking"
    value = f"{100 * Store().metrics(run)['value'].iloc[0]:.1f} %"
    next(box for box in page.text_input if box.label == "Match a number").set_value(value).run()
    assert f" ways give {value}: Accuracy" in words(page)
    assert "shares of so many items are 1 number; " in words(page) and "By chance: a number" in words(page)
    next(box for box in page.text_input if box.label == "Match a number").set_value("<b>x</b>")
    next(button for button in page.button if button.label.startswith("Score them: about ")).click().run()
    assert "&lt;b&gt;x&lt;/b&gt;" in markup(page) and "is not a number" in words(page)
    assert jobs.jobs()[0].arguments == ("policies", run, "--score-missing")
    wait_for_jobs(900)
    page.run()
    assert hold(page, 13)
    assert not [button for button in page.button if button.label.startswith("Score them")]
    numbers = next(frame.value for frame in page.dataframe if "From" in frame.value)
    assert set(numbers["From"]) == {OWN, QUERY, RUN}
    assert set(numbers.loc[numbers["From"] == RUN, "Run"]).isdisjoint({run})


def test_all_typed_pairs_stand_under_all_policies(visit_page, causal):
    a, b = ("\n".join(texts) for texts in zip(*PAIRS, strict=True))
    page = visit_page("compare", model=causal, a=a, b=b, tab="All policies")
    assert hold(page, 13)
    assert "No SLOR: " in words(page)
    pairs = next(frame.value for frame in page.dataframe if "Policies that agree" in frame.value)
    assert set(pairs["A"]) == {good for good, _ in PAIRS}
    next(box for box in page.text_input if box.label == "Match a number").set_value("12.5").run()
    assert "Near it, from 12.3 to 12.7, are 5 numbers" in words(page)


def test_an_experiment_stands_under_all_analyses(visit_page, unigram):
    typed = "\n\n".join("\n".join(pair) for pair in PAIRS)
    page = visit_page("minimal_pairs", data=TYPED, typed=typed, model_name=[unigram], tab="All policies")
    assert "hold under all " in words(page) and "choices of analysis" in words(page)
    analyses = next(frame.value for frame in page.dataframe if "Analysis" in frame.value)
    assert analyses["Analysis"].iloc[0] == "as chosen here" and len(analyses) >= 4
