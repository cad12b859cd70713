"""What a model reaches on the published set, beside a run on our own sample."""

from __future__ import annotations

import shutil

import pytest

from core import api
from core.files.datasets import folder_of, named
from core.metrics import METRICS
from core.reports.whole_set import on_whole_set
from core.runs.result import Run, read, short_names
from core.runs.samples import finding_of, items_of
from core.settings import ROOT
from core.store import Store

CARD = {"scores": {"blimp": {"macro": 69.78, "low": 67.87, "high": 71.62, "pairs": 67000}}}
SAMPLES = ROOT / "data" / "samples"


def on_sample(unigram: str) -> Run:
    return read(Store(), api.benchmark(SAMPLES / "blimp", unigram).run_id)


def test_a_card_is_read(unigram):
    found = on_whole_set(on_sample(unigram), Store(), CARD)
    assert found is not None
    assert found.in_words == (
        "On the 67,000 pairs of BLiMP itself: 69.8 % (67.9 to 71.6), according to its model card."
    )
    assert on_whole_set(on_sample(unigram), Store(), {}) is None


def test_a_number_by_another_policy_is_not_that_of_the_card(unigram):
    other = read(Store(), api.benchmark(SAMPLES / "blimp", unigram, like="babylm-2025").run_id)
    assert on_whole_set(other, Store(), CARD) is None


@pytest.mark.parametrize("but", [{"ties": "wrong"}, {"sentence_value": "mean"}])
def test_one_changed_field_of_the_policy_is_another_way_of_scoring(unigram, home, but):
    changed = read(Store(), api.benchmark(SAMPLES / "blimp", unigram, **but).run_id)
    assert changed.manifest["preset"].startswith("pairlens")
    assert on_whole_set(changed, Store(), CARD) is None
    folder = folder_of(named("ewok"))
    shutil.copytree(SAMPLES / "ewok", folder)
    (folder / "more.jsonl").write_text((folder / "social-relations.jsonl").read_text())
    ours = api.benchmark(SAMPLES / "ewok", unigram, task="ewok", **but).run_id
    api.benchmark(folder, unigram, task="ewok")
    assert on_whole_set(read(Store(), ours), Store(), {}) is None


def test_numbers_of_other_versions_are_not_set_beside_it(unigram):
    blimp = CARD["scores"]["blimp"]
    for signature, same in (("task:blimp.v1|data:2", True), ("task:blimp.v0|data:2", False), ("scorer:x.v9", False)):
        card = {"scores": {"blimp": {**blimp, "signature": signature}}}
        assert (on_whole_set(on_sample(unigram), Store(), card) is not None) == same


def test_a_run_here_comes_before_the_card(unigram, home):
    folder = folder_of(named("ewok"))
    shutil.copytree(SAMPLES / "ewok", folder)
    one = folder / "social-relations.jsonl"
    one.write_text("\n".join(one.read_text().splitlines()[:2]))
    ours = api.benchmark(SAMPLES / "ewok", unigram, task="ewok").run_id
    theirs = api.benchmark(folder, unigram, task="ewok").run_id
    found = on_whole_set(read(Store(), ours), Store(), {})
    assert found is not None and (found.title, found.run_id) == ("EWoK", theirs)
    assert f"On the {found.n} items of EWoK itself" in found.in_words


def test_samples_are_named():
    assert items_of("our sample", 100, "pair") == "our 100 sample pairs"
    assert items_of("our sample (agreement_french)", 1, "item") == "our 1 sample item"
    assert items_of("blimp", 67_000, "pair") == "pairs"
    assert finding_of(METRICS["accuracy"], "our sample") == METRICS["accuracy"].finding
    assert finding_of(METRICS["eye_tracking"], "our sample").startswith("On $items, surprisal under $model explains")
    assert finding_of(METRICS["eye_tracking"], "reading") == METRICS["eye_tracking"].finding


def test_names_of_models_are_as_short_as_they_can_be():
    assert short_names(["/a/run/step_1", "org/gpt", "english-small"]) == {
        "/a/run/step_1": "step_1", "org/gpt": "gpt", "english-small": "english-small",
    }  # fmt: skip
    assert list(short_names(["/a/one/final", "/a/two/final"]).values()) == ["one/final", "two/final"]
    assert short_names([]) == {}
