"""What a model reaches on the published set, beside a run on our sample or a rule that is as good."""

import json
import shutil

import pytest

import pairlens
from pairlens.evaluation.result import read, short_names
from pairlens.evaluation.samples import finding_of, items_of
from pairlens.files.datasets import folder_of, named
from pairlens.metrics import METRICS
from pairlens.places import FOLDER as ROOT
from pairlens.reports.whole_set import for_demonstration, on_whole_set
from pairlens.text.languages import Language
from tests.core.reports.conftest import SAMPLES

BLIMP = {"macro": 69.78, "low": 67.87, "high": 71.62, "pairs": 67000}


def on_card(run, store, **more):
    return on_whole_set(run, store, {"scores": {"blimp": {**BLIMP, **more}}})


@pytest.mark.slow
def test_a_card_is_read_if_it_is_of_the_same_policy_and_versions(stored, store):
    run = stored("blimp")
    words = "On the 67,000 pairs of BLiMP itself: 69.8 % (67.9 to 71.6), according to its model card."
    assert on_card(run, store).in_words == words
    assert on_whole_set(run, store, {}) is None
    assert on_card(stored("blimp", like="babylm-2025"), store) is None
    for but in ({"ties": "wrong"}, {"sentence_value": "mean"}):
        changed = stored("blimp", **but)
        assert changed.manifest["preset"].startswith("pairlens") and on_card(changed, store) is None
    for signature, same in (("task:blimp.v1|data:2", True), ("task:blimp.v0|data:2", False), ("scorer:x.v9", False)):
        assert (on_card(run, store, signature=signature) is not None) == same


@pytest.mark.slow
def test_a_run_here_by_the_same_policy_comes_before_the_card(stored, own, unigram):
    ours = [stored("ewok"), stored("ewok", ties="wrong"), stored("ewok", sentence_value="mean")]
    store, folder = own(), folder_of(named("ewok"))
    shutil.copytree(SAMPLES / "ewok", folder)
    one = folder / "social-relations.jsonl"
    one.write_text("\n".join(one.read_text().splitlines()[:2]))
    theirs = pairlens.benchmark(folder, unigram, task="ewok").run_id
    found, *others = (on_whole_set(read(store, run.manifest["run_id"]), store, {}) for run in ours)
    assert others == [None, None]
    assert (found.title, found.run_id) == ("EWoK", theirs)
    assert f"On the {found.n} items of EWoK itself" in found.in_words


def test_samples_are_named_and_models_as_shortly_as_they_can_be():
    assert items_of("our sample", 100, "pair") == "our 100 sample pairs"
    assert items_of("our sample (agreement_french)", 1, "item") == "our 1 sample item"
    assert items_of("blimp", 67_000, "pair") == "pairs"
    assert finding_of(METRICS["accuracy"], "our sample") == METRICS["accuracy"].finding
    assert finding_of(METRICS["eye_tracking"], "our sample").startswith("On $items, surprisal under $model explains")
    assert finding_of(METRICS["eye_tracking"], "reading") == METRICS["eye_tracking"].finding
    assert short_names(["/a/run/step_1", "org/gpt", "english-small"]) == {
        "/a/run/step_1": "step_1", "org/gpt": "gpt", "english-small": "english-small",
    }  # fmt: skip
    assert list(short_names(["/a/one/final", "/a/two/final"]).values()) == ["one/final", "two/final"]
    assert short_names([]) == {}


# The warning that an entailment model is for demonstration: only where a rule is as good, with the numbers

CARD = {
    "scores": {
        "sick": {"macro": 66.6, "baselines": {"majority": 56.9, "word overlap": 65.4}},
        "assin2": {"macro": 58.0, "baselines": {"majority": 50.0, "word overlap": 65.4, "hypothesis only": 58.0}},
        "nli_held_out": {"macro": 40.0, "baselines": {"word overlap": 46.7}},
    }
}


def test_the_sets_where_a_rule_is_as_good_are_named_with_both_numbers():
    assert for_demonstration(CARD) == (
        "For demonstration only: simple rules do better on ASSIN 2's test part "
        "(this model 58.0 %, word overlap 65.4 %, hypothesis only 58.0 %)."
    )
    portuguese = Language("pt")(for_demonstration(CARD))
    assert portuguese.startswith("Só para demonstração") and "58,0 %" in portuguese and "em comum" in portuguese


@pytest.mark.parametrize(
    "card", [{}, {"scores": {"sick": CARD["scores"]["sick"]}}, {"scores": {"blimp": {"macro": 1.0}}}]
)
def test_nothing_is_said_of_other_models(card):
    assert for_demonstration(card) == ""


def test_the_bundled_head_says_what_its_card_says():
    """Whatever was measured last: a set is named if and only if the best rule reaches the model there."""
    card = json.loads((ROOT / "data" / "models" / "bilingual-entailment" / "card.json").read_text("utf-8"))
    said = for_demonstration(card)
    for key, title in (("sick", "on SICK ("), ("sick_br", "SICK-BR ("), ("assin2", "ASSIN 2's test part (")):
        found = card["scores"][key]
        assert (title in said) == (max(found["baselines"].values()) >= found["macro"]), key
