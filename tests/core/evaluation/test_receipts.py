"""How a number was made: each number again from its receipt, what a receipt does not tell, and what it lacks."""

import json
import math
import shutil
from dataclasses import replace
from itertools import islice
from pathlib import Path

import jsonschema
import pytest

import pairlens.evaluation.receipts
from pairlens.errors import InputError, PolicyError, StoreError
from pairlens.evaluation import evaluate
from pairlens.evaluation.receipts import methods as wording
from pairlens.evaluation.receipts.methods import methods
from pairlens.evaluation.receipts.recompute import recomputed
from pairlens.evaluation.receipts.run import FEW, receipt
from pairlens.evaluation.requests import plan
from pairlens.evaluation.zero_shot import meaningless, sample
from pairlens.models import find
from pairlens.policies import preset_for
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.tasks import TASKS
from pairlens.types import PLAIN

SCHEMA = json.loads(Path(pairlens.evaluation.receipts.__file__).with_name("schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.validators.validator_for(SCHEMA)(SCHEMA)
MOST = {"reading": 45, "gest": 128}
"""Items that are scored, where the first 16 are too few for a number, or not asked by every rule."""
ASKED = [
    (name, rule, model)
    for name, task in TASKS.items()
    for rule, model in (
        *((rule, "llama") for rule in task.rules if not meaningless(task, rule, SCORERS["causal"])),
        *((rule, "bert") for rule in ("shared", "gap") if rule in task.rules),
    )
]
FIRST = {(TASKS[name].metrics, rule, model): name for name, rule, model in reversed(ASKED)}
"""What a receipt holds depends on metrics, rule and kind of model: the first task of each."""


@pytest.fixture
def recipe(tiny):
    """`recipe("llama", "blimp")`: a tiny model under the policy that a task needs."""

    def make(model, task="blimp"):
        found = find(tiny(model))
        return Recipe(found, SCORERS[default_for(found.kind)], preset_for("pairlens", TASKS[task].sets))

    return make


def first_items(task, n=8):
    return list(islice(TASKS[task].read(sample(TASKS[task])), n))


def finished(store, recipe, task, rule="", n=8):
    planned = plan(TASKS[task], first_items(task, MOST.get(task, n)), recipe, rule)
    *_, last = evaluate.run(planned, evaluate.Context(store, data="our sample"))
    return last.run_id


@pytest.fixture
def blimp(once, recipe, tmp_path_factory):
    """A store with a finished run of a few pairs, for all tests that only read it."""
    if not once:
        store = Store(tmp_path_factory.mktemp("blimp"), shipped=None)
        once["blimp"] = store, finished(store, recipe("llama"), "blimp")
    return once["blimp"]


def told(made):
    """A receipt as somebody reads it who has the file alone."""
    read = json.loads(json.dumps(made, allow_nan=False))
    VALIDATOR.validate(read)
    return dict(read)


def total(candidate):
    (request,) = candidate["requests"]
    return sum(token["logprob"] for token in request["tokens"] if token["logprob"] is not None)


def groups(metrics):
    """Every number of a run: the metric, the group as it is asked for, the value."""
    for row in metrics.drop_duplicates(["name", "group_by", "group"]).to_dict("records"):
        yield row["name"], f"{row['group_by']}={row['group']}", row["value"]


# From the tokens to the number


@pytest.mark.parametrize(
    ("name", "rule", "model"),
    [
        pytest.param(*one, marks=() if FIRST[TASKS[one[0]].metrics, *one[1:]] == one[0] else pytest.mark.soak)
        for one in ASKED
    ],
)
def test_numbers_are_made_again_from_their_receipts(store, recipe, name, rule, model):
    run_id = finished(store, recipe(model, name), name, rule, n=4)
    numbers = list(groups(store.metrics(run_id)))
    for metric, group, value in [numbers[0], numbers[-1]]:
        made = told(receipt(store, run_id, metric, group, most=None))
        assert made["complete"]
        assert recomputed(made) == pytest.approx(value, abs=1e-12, nan_ok=True)
        assert made["number"]["value"] == pytest.approx(None if math.isnan(value) else value, abs=1e-12)
        weighed = [one for one in made["items"]["listed"] if one["weight"] is not None]
        if weighed:
            total = math.fsum(one["weight"] * one["values"]["correct"] for one in weighed)
            assert total == pytest.approx(value, abs=1e-12)


def test_an_accuracy_is_a_count_of_sums_of_tokens_and_the_digests_of_its_model_are_recorded(blimp, recipe):
    made = told(receipt(*blimp, group="micro"))
    right = [total(item["candidates"][0]) > total(item["candidates"][1]) for item in made["worked"]]
    assert {item["candidates"][0]["label"] for item in made["worked"]} == {"good"}
    assert made["number"]["value"] == sum(right) / len(right)
    asked, told_of = recipe("llama").model, made["model"]
    for part in ("weights", "tokenizer", "config"):
        assert told_of[f"{part}_sha256"] == getattr(asked, part)


def test_icat_is_made_of_means_of_tokens_and_names_the_version_that_made_it(store, recipe):
    scored_by = recipe("llama", "stereoset")
    run_id = finished(store, scored_by, "stereoset", n=18)
    values = [
        {one["label"]: total(one) / one["n_scored"] for one in item["candidates"]}
        for item in told(receipt(store, run_id, "icat", most=None))["worked"]
    ]
    ss = sum(one["stereotype"] > one["anti-stereotype"] for one in values) / len(values)
    lms = sum(
        (one["stereotype"] > one["unrelated"]) + (one["anti-stereotype"] > one["unrelated"]) for one in values
    ) / (2 * len(values))
    of_metric = {name: told(receipt(store, run_id, name, "micro"))["number"]["value"] for name in ("ss", "lms")}
    assert of_metric == pytest.approx({"ss": ss, "lms": lms})
    icat = told(receipt(store, run_id, "icat"))["number"]["value"]
    assert icat == pytest.approx(lms * min(ss, 1 - ss) / 0.5, abs=1e-12)

    def named():
        return {one["method"] for one in receipt(store, run_id, "icat")["number"]["intervals"]}

    # A run of before has the interval that ICAT had then; its receipt must not claim today's method.
    assert named() == {"MOVER"}
    manifest = store.manifest(run_id)
    assert manifest.pop("metric_versions")["icat"] == 4
    store.update(manifest)
    assert named() == {"interval of version 1 of icat"}
    assert "interval of version 1 of icat" in methods(receipt(store, run_id, "icat"))
    finished(store, scored_by, "stereoset", n=18)  # which computes the numbers again
    assert named() == {"MOVER"}


def test_an_item_is_a_number_too_and_arithmetic_in_words_has_the_numbers(blimp):
    store, run_id = blimp
    item = told(receipt(store, run_id, item=store.candidates(run_id)["item"].iloc[0]))
    candidate = item["worked"][0]["candidates"][1]
    assert recomputed(item) == item["items"]["listed"][0]["values"]["correct"] == item["number"]["value"]
    assert candidate["logprob"] == math.fsum(one["logprob"] for one in candidate["requests"][0]["tokens"])
    made = receipt(store, run_id, group="micro")
    n = made["items"]["n"]
    right = sum(one["values"]["correct"] for one in made["items"]["listed"])
    assert f"{right:g} / {n} = {100 * right / n:.2f} %." in wording.of_number(made)
    item = receipt(store, run_id, item=made["worked"][0]["item"])
    said = " ".join(wording.of_item(item)).replace("−", "-")
    assert f"= {item['items']['listed'][0]['values']['margin']:.4f} nats" in said
    candidate = item["worked"][0]["candidates"][0]
    assert f"{candidate['logprob']:.4f} nats" in wording.of_candidate(candidate, item["rule"])[0].replace("−", "-")


# What a receipt must and must not hold


def test_a_long_run_has_a_few_items_worked_out_and_says_so_and_its_unusual_tie_rule(store, recipe):
    asked = recipe("llama")
    strict = replace(asked, policy=asked.policy.but(ties="wrong"))
    run_id = finished(store, strict, "blimp", n=24)
    assert "count wrong" in methods(receipt(store, run_id))
    short = told(receipt(store, run_id, most=FEW))
    assert len(short["worked"]) <= FEW and not short["complete"]
    assert f"{len(short['worked'])} of 24 items are worked out here" in short["notes"][0]
    with pytest.raises(InputError, match="of 24 items"):
        recomputed(short)
    margins = {one["item"]: one["values"]["margin"] for one in short["items"]["listed"]}
    shown = [margins[item["item"]] for item in short["worked"]]
    assert {min(margins.values()), max(margins.values()), min(margins.values(), key=abs)} <= set(shown)


def test_confidential_texts_are_told_nowhere(store, recipe):
    run_id = finished(store, recipe("llama", "ewok"), "ewok")
    made = told(receipt(store, run_id, most=None))
    text = json.dumps(made) + methods(made) + " ".join(wording.of_number(made))
    for item in first_items("ewok"):
        for candidate in item.candidates:
            assert candidate.text.strip() not in text and candidate.context not in text
    assert "The texts of this task are confidential: only sums over their tokens are given." in text
    requests = [one for item in made["worked"] for candidate in item["candidates"] for one in candidate["requests"]]
    assert requests and all(one["tokens"] is None and one["logprob"] is not None for one in requests)
    assert not any({"text", "context"} & set(one) for item in made["worked"] for one in item["candidates"])


def test_a_damaged_part_is_said_to_be_missing(blimp, tmp_path):
    (whole, run_id), store = blimp, Store(tmp_path / "damaged", shipped=None)
    shutil.copytree(whole.folder, store.folder)
    (path,) = store.folder.glob("scores/*/*.scores.parquet")
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    made = told(receipt(store, run_id))
    assert made["number"]["value"] is not None and not made["complete"] and not made["parts"]
    assert "16 of 16 texts have no stored scores" in made["missing"][0]
    with pytest.raises(InputError, match="damaged or deleted"):
        recomputed(made)


class Reluctant:
    """A scorer that refuses some texts, or breaks off at them."""

    def __init__(self, recipe, error, word):
        self.scorer, self.error, self.word = recipe.open(), error, word
        self.about = self.scorer.about

    def score(self, requests, extras=PLAIN):
        if any(self.word in one.text for one in requests):
            raise self.error
        return self.scorer.score(requests, extras)


def attempt(store, recipe, error, word):
    planned = plan(TASKS["blimp"], first_items("blimp"), recipe)
    list(evaluate.run(planned, evaluate.Context(store, scorer=lambda: Reluctant(recipe, error, word))))
    return planned.run_id


def test_an_item_that_cannot_be_scored_is_left_out_with_its_reason(store, recipe):
    word = first_items("blimp")[0].candidates[0].text
    run_id = attempt(store, recipe("llama"), InputError("too odd to be scored"), word)
    made = told(receipt(store, run_id))
    assert made["items"]["reasons"] == {"too odd to be scored": 1} and made["items"]["n"] == 7
    assert made["complete"] and recomputed(made) == pytest.approx(made["number"]["value"], abs=1e-12)
    assert "7 of 8 pairs count (left out: too odd to be scored: 1)" in methods(made)


def test_a_run_that_broke_off_says_what_is_missing(store, recipe, limit):
    limit("chunk_requests", 4)
    word = first_items("blimp")[-1].candidates[0].text
    with pytest.raises(StoreError):
        attempt(store, recipe("llama"), StoreError("The disk is full."), word)
    run_id = store.runs()["run_id"].iloc[0]
    made = told(receipt(store, run_id))
    assert made["number"]["value"] is None and not made["complete"]
    assert made["missing"][0] == "The run is failed, so that there is no number yet. The disk is full."
    assert "4 of 16 texts have no stored scores: not scored yet." in made["missing"]
    assert "the run is failed" in methods(made)
    with pytest.raises(InputError, match="no groups yet"):
        receipt(store, run_id, group="agreement_simple")


def test_what_a_run_does_not_have_is_refused_with_the_choices_and_a_rule_that_asks_no_item_too(blimp, recipe):
    for error, sentence, asked in (
        (PolicyError, "accuracy", {"metric": "acuracy"}),
        (PolicyError, "group of accuracy", {"group": "nothing"}),
        (InputError, "has no item 'nothing'", {"item": "nothing"}),
    ):
        with pytest.raises(error, match=sentence):
            receipt(*blimp, **asked)
    with pytest.raises(InputError, match=r"the rule 'next' asks about .* none of 8 items of GEST"):
        plan(TASKS["gest"], first_items("gest"), recipe("llama", "gest"), "next")
