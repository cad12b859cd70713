"""What a context adds to a text: the rule `pmi`, from requests to numbers and back from receipts."""

import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import pairlens
from pairlens.cli import main
from pairlens.errors import PolicyError
from pairlens.evaluation.estimate import Estimate
from pairlens.evaluation.evaluate import Context, evaluate, run
from pairlens.evaluation.receipts.bibtex import keys_of, papers
from pairlens.evaluation.receipts.methods import methods
from pairlens.evaluation.receipts.methods import of_candidate as wording_of
from pairlens.evaluation.receipts.recompute import candidates, recomputed
from pairlens.evaluation.receipts.run import receipt
from pairlens.evaluation.requests import plan
from pairlens.evaluation.result import read
from pairlens.evaluation.zero_shot import Benchmark, meaningless, sample
from pairlens.policies import PRESETS, Policy
from pairlens.reports.multiverse import lay_out, wording
from pairlens.reports.multiverse.adding_up import Scores
from pairlens.reports.multiverse.matching import printable
from pairlens.reports.multiverse.numbers import decisions, numbers
from pairlens.reports.multiverse.scoring import score_missing, seconds
from pairlens.reports.reproduction import why_not
from pairlens.rules import RULES
from pairlens.scorers import SCORERS
from pairlens.store import Store
from pairlens.tasks import TASKS
from pairlens.types import Candidate, Item
from tests.records import write

TASK = TASKS["entity_tracking"]
PAIRS = [("The cat is on ", "the table."), ("The boy who sold the boats has", " a book.")]


@pytest.fixture
def data(tmp_path):
    """Options of several lengths; the split is regular."""
    records = [
        ("The key is on the table. On the table is ", ["the key.", "a book."], 0),
        ("The boy sold the boats. The boy has ", ["no boats.", "the dogs fall."], 1),
        ("Sarah chases the cat. Sarah chases ", ["the cat.", "her.", "nobody"], 0),
    ]
    names = ("input_prefix", "options", "numops")
    return write(tmp_path / "regular.jsonl", *(dict(zip(names, record, strict=True)) for record in records))


def run_of(name, data, store, rule="pmi", policy=PRESETS["pairlens"]):
    *_, last = evaluate(TASK, data, pairlens.recipe(name, policy=policy), store, rule=rule)
    return str(last.run_id)


def scored(items, recipe, store):
    *_, last = run(plan(TASK, items, recipe, "pmi"), Context(store, data="items"))
    return str(last.run_id)


def item(number, context, *texts):
    groups = {"UID": "regular_0_ops", "split": "regular", "contrast": str(number)}
    candidates = tuple(Candidate(text, f"option {n}", context) for n, text in enumerate(texts, start=1))
    return Item(f"item_{number}", candidates, "option 1", groups)


words = st.text("ab .'", min_size=1).filter(str.strip)


@pytest.mark.slow
@given(st.text("ab .'"), words)
@example(*PAIRS[0])
@example(*PAIRS[1])
def test_both_parts_end_alike_and_nothing_but_white_space_is_left_of_the_context(context, text):
    with_context, without = RULES["pmi"].terms(Candidate(text, "a", context))
    assert with_context.text == context + text and with_context.text.endswith(without.text)
    if (context, text) in PAIRS:
        assert (with_context.context, with_context.continuation) == (context, text)
        assert without.text == f" {text.strip()}", "it follows the white space alone"
    assert not without.context.strip() and without.continuation == with_context.continuation
    if not context.strip():
        assert with_context == without


def test_the_phrase_of_comps_is_the_same_without_its_contexts():
    """So that what is taken away cancels, and the task has no such rule."""
    for one in TASKS["comps"].read(sample(TASKS["comps"])):
        assert len({RULES["pmi"].terms(candidate)[1] for candidate in one.candidates}) == 1
    assert "pmi" not in TASKS["comps"].rules


def test_texts_after_their_contexts_are_not_scored_twice(data, model, store):
    name = model("gpt2")
    conditional = run_of(name, data, store, "conditional")
    *_, last = evaluate(TASK, data, pairlens.recipe(name), store, rule="pmi")
    texts = store.candidates(conditional)["text"]
    assert last.reused == len(texts) and last.scored == texts.nunique()
    manifest = store.manifest(last.run_id)
    assert "|rule:pmi|" in manifest["signature"] and manifest["rule"] == "pmi"
    again = plan(TASK, TASK.read(data), pairlens.recipe(name), "pmi")
    assert again.run_id == last.run_id != conditional and len({row.weight for row in again.rows}) == 2


def test_what_is_cut_otherwise_or_has_no_context_does_not_count_and_no_other_item_is_left_out_for_it(model, store):
    items = [
        item(0, "The key is on ", "the table.", "a book."),
        item(1, "The boy sold the boat", "s.", " and her."),
        item(2, "", "The key.", "A book."),
        item(3, "The teacher", "'s dogs", " said"),
    ]
    run_id = scored(items, pairlens.recipe(model("llama")), store)
    refused = store.manifest(run_id)["refused"]
    assert refused == {
        "item_1": "without its context it is cut into other tokens",
        "item_2": "it has no context that could be taken away",
        "item_3": "without its context it is cut into other tokens",
    }
    table = store.candidates(run_id).set_index("item")["logprob"]
    assert np.isfinite(table["item_0"]).all() and table.drop("item_0").isna().all()
    # What is asked about a text without context is asked about the same text after one, too.
    items = [item(n, context, " the table.", " a book.") for n, context in enumerate(("The key is on", ""))]
    run_id = scored(items, pairlens.recipe(model("gpt2")), store)
    assert store.manifest(run_id)["refused"] == {"item_1": "it has no context that could be taken away"}
    assert np.isfinite(store.candidates(run_id).set_index("item").loc["item_0", "logprob"]).all()


@pytest.mark.parametrize("first_token", ["none", "bos-unscored"])
def test_a_policy_that_leaves_the_first_word_out_is_refused(first_token, data, model):
    name = model("gpt2")
    recipe = pairlens.recipe(name, policy=Policy(first_token=first_token))
    with pytest.raises(PolicyError, match="PMI needs the first word of a text that has no context"):
        list(Benchmark(TASK, data, "pmi").run(recipe, Store()))
    asked = ["zero-shot", "--task", TASK.name, "--data_path", str(data), "--model", name, "--rule", "pmi"]
    assert main([*asked, "--first-token", first_token]) == 2
    assert Store().runs().empty


def test_where_it_means_nothing_models_and_all_policies_say_so(data, unigram, model, store):
    for scorer, words in (("unigram", "PMI is 0 for every text"), ("seq2seq", "a mask and nothing")):
        assert words in meaningless(TASK, "pmi", SCORERS[scorer])
        assert not meaningless(TASK, "conditional", SCORERS[scorer])
    for name, policy, words in (
        (unigram, PRESETS["pairlens"], "PMI is 0"),
        (model("gpt2"), PRESETS["nlpscholar"], "PMI needs the first word"),
    ):
        layout = lay_out(store, run_of(name, data, store, "conditional", policy))
        ((label, reason),) = layout.left_out.items()
        assert label.startswith("PMI: ") and words in reason
        assert not [way for way in layout.ways if way.rule == "pmi"]
        assert numbers(layout, Scores(layout, store))[1][label] == reason


def test_a_tokenizer_without_a_start_symbol_is_said_and_costs_no_decision(data, model, store):
    """Under `tokenizer` the first word counts where the tokenizer puts a symbol before a text; this one does not."""
    name = model("gpt2")
    run_id = run_of(name, data, store, "conditional", PRESETS["babylm-2025"])
    before = decisions(lay_out(store, run_id), Scores(lay_out(store, run_id), store))
    for _ in score_missing(lay_out(store, run_id), store):
        continue
    layout = lay_out(store, run_id)
    _, reasons = numbers(layout, scores := Scores(layout, store))
    said = {reason for label, reason in reasons.items() if label.startswith("PMI")}
    assert said == {"None of its items can be compared: without its context not all of it is scored."}
    assert decisions(layout, scores).common == before.common == 3


def test_it_is_a_policy_that_needs_new_scores(data, model):
    store, other, name = Store(), Store(Store().folder / "other"), model("bert")
    run_id = run_of(name, data, store, "conditional")
    missing = [way for way in lay_out(store, run_id).missing if way.rule == "pmi"]
    assert [way.added_up for way in missing] == ["sum", "token"]
    for _ in score_missing(lay_out(store, run_id), store):
        continue
    layout = lay_out(store, run_id)
    assert not layout.missing
    table, reasons = numbers(layout, scores := Scores(layout, store))
    for way in missing:
        ordinary = run_of(name, data, other, policy=way.policy.but(name="any"))
        row = table.set_index("label").loc[layout.label(way)]
        row = row if row.ndim == 1 else row.iloc[0]
        assert row["value"] == pytest.approx(other.metrics(ordinary)["value"].iloc[0])
    everything = printable(layout, scores)
    of_pmi = everything[everything["label"].str.startswith("PMI")]
    assert not of_pmi["of"].str.contains("perplexity").any() and len(of_pmi)
    assert not any(label.startswith("PMI") for label in reasons)
    assert f"under all {len(layout.ways) - len(reasons)} policies" in wording.headline(
        decisions(layout, scores), TASK.noun
    )


@pytest.mark.parametrize("rule", ["conditional", "pmi"])
def test_how_long_it_takes_is_told_from_the_texts_that_are_missing(rule, data, model, monkeypatch, store):
    counted: list[int] = []

    def one_second_each(texts, recipe, store):
        counted.append(texts)
        return Estimate(float(texts), measured=False)

    monkeypatch.setattr("pairlens.reports.multiverse.scoring.estimate", one_second_each)
    layout = lay_out(store, run_of(model("gpt2"), data, store, rule))
    expected = seconds(layout, store)
    *_, last = score_missing(layout, store)
    assert last.scored == expected == sum(counted) and 0 not in counted
    assert seconds(lay_out(store, layout.run_id), store) == 0


def test_a_run_of_it_has_policies_that_score_first_words_and_no_other_program_does_the_same(data, model, store):
    layout = lay_out(store, run_id := run_of(model("gpt2"), data, store))
    assert {way.policy.first_token for way in layout.ways} == {"bos", "separate", "tokenizer"}
    assert set(layout.left_out) == {"first token not scored", "first token counted as certain"}
    assert {way.rule for way in layout.ways} == {"pmi", "conditional"}
    result = read(store, run_id)
    for form in ("minicons", "lm-eval"):
        assert "scored twice (PMI: log p(text | context) - log p(text))" in why_not(result, form)
    assert not why_not(result, "r")


def test_receipts_say_what_is_taken_away_and_give_the_difference_of_each_candidate(data, model, store):
    made = receipt(store, run_id := run_of(model("gpt2"), data, store), most=None)
    assert made["rule"]["name"] == "pmi"
    for row in store.candidates(run_id).itertuples():
        one = receipt(store, run_id, item=row.item)
        assert [request["weight"] for request in one["worked"][0]["candidates"][row.candidate]["requests"]] == [1, -1]
        again = candidates(one).set_index("candidate")["logprob"]
        assert again[row.candidate] == pytest.approx(row.logprob, abs=1e-9)
    assert "holtzman2021surface" in keys_of(made) and "Holtzman, Ari" in papers()["holtzman2021surface"]
    assert "PMI: log p(text | context) - log p(text)" in methods(made)
    item = receipt(store, run_id, item=store.candidates(run_id)["item"].iloc[0])
    said = wording_of(item["worked"][0]["candidates"][0], item["rule"])
    assert len(said) == 3 and said[1].endswith("which is taken away") and said[2].startswith("Together: ")


def test_of_confidential_items_nothing_is_told_but_sums(model, tmp_path, store):
    task = TASKS["ewok"]
    *_, last = evaluate(task, sample(task), pairlens.recipe(model("gpt2")), store, rule="pmi")
    assert set(store.metrics(last.run_id)["name"]) == {"same_context", "target_bias"}
    made = receipt(store, last.run_id, most=None)
    assert recomputed(made) == pytest.approx(store.metrics(last.run_id)["value"].iloc[0], abs=1e-9)
    told = json.dumps(made)
    texts = {part for one in task.read(sample(task)) for c in one.candidates for part in (c.context, c.text.strip())}
    assert not [text for text in texts if text in told]


def test_a_leading_space_is_there_once(model):
    """lm-evaluation-harness puts one before a text that has no context; what stands in the text is as good."""
    candidates = (Candidate("the table.", "a", "The key is on "), Candidate(" the table.", "a", "The key is on"))
    recipe = pairlens.recipe(model("gpt2"), policy=PRESETS["lm-eval"])
    for candidate in candidates:
        assert recipe.request(RULES["pmi"].terms(candidate)[1]).text == " the table."
