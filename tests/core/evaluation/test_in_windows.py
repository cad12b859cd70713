"""Texts longer than a model sees at once: what is stored of it, counted in receipts and said."""

from dataclasses import asdict
from types import SimpleNamespace

import pandas as pd
import pytest

from pairlens.analysis.experiment import Analysis, Columns
from pairlens.api import recipe as recipe_of
from pairlens.evaluation.evaluate import Context, run
from pairlens.evaluation.receipts.methods import methods
from pairlens.evaluation.receipts.run import receipt
from pairlens.evaluation.receipts.sentences import InWindows, in_windows, note, windows_in_words
from pairlens.evaluation.requests import plan
from pairlens.policies import Policy
from pairlens.store import Store
from pairlens.store.parts import windows
from pairlens.studies.experiment import result as of_experiment
from pairlens.studies.experiment.design import read_design
from pairlens.studies.experiment.evaluate import evaluate, scores_of, texts_in_windows
from pairlens.studies.experiment.findings import find
from pairlens.studies.experiment.words import words_of_scores
from pairlens.tasks import TASKS
from pairlens.tasks.pairs import pair

SHORT, LONG = "The keys are here.", "The keys to the cabinet are on the table and she is not. "
KNOWN = {"window": 11, "stride": 6}


def scored(folder, **changed):
    recipe = recipe_of(str(folder), policy=Policy(**changed))
    texts = [(SHORT, SHORT + "x"), (LONG, SHORT), (LONG + "a", LONG + "b")]
    items = [pair(f"i{n}", *two, {"UID": "ours"}) for n, two in enumerate(texts)]
    *_, last = run(plan(TASKS["pairs"], items, recipe), Context(store := Store(), data="ours"))
    return recipe, store, last.run_id


@pytest.mark.parametrize(("architecture", "size", "how"), [
    ("gpt2", KNOWN, "strides of 6"), ("bert", {"window": 10, "stride": 0}, "a window around each token"),
])  # fmt: skip
def test_what_is_read_in_windows_is_stored_counted_and_said(tiny, architecture, size, how):
    recipe, store, run_id = scored(tiny(architecture), window=12)
    assert windows(store.parts(recipe.fingerprint)) == size
    assert {name: store.manifest(run_id)[name] for name in size} == size
    told = receipt(store, run_id)
    longer = (store.candidates(run_id)["n_tokens"] > size["window"]).sum()
    assert 3 <= longer < 6
    assert told["in_windows"] == {**size, "n": longer, "at_least": False, "windows": "full"}
    assert f"{longer} texts longer than a window of {size['window']} tokens were read in {how};" in methods(told)


@pytest.mark.parametrize("architecture", ["gpt2", "bert"])
def test_windows_at_multiples_of_the_stride_are_said_with_what_is_usual(tiny, architecture):
    _, store, run_id = scored(tiny(architecture), windows="stride", window=32, stride=6)
    told = receipt(store, run_id)
    assert told["in_windows"]["windows"] == "stride" and told["in_windows"]["stride"] == 6
    assert told["in_windows"]["window"] == {"gpt2": 31, "bert": 12}[architecture]
    assert ("the last window short (by default it is full" in methods(told)) == (told["in_windows"]["n"] > 0)
    assert "|stride:6|windows:stride|" in told["signature"]


def test_nothing_is_said_where_all_texts_fit_or_nothing_is_known(tiny):
    _, store, run_id = scored(tiny("gpt2"))
    told = receipt(store, run_id)
    assert told["in_windows"]["n"] == 0 and "longer than" not in methods(told)
    manifest = {name: value for name, value in store.manifest(run_id).items() if name not in KNOWN}
    assert in_windows(manifest, store.candidates(run_id)) is None
    assert windows_in_words(None) == note(None) == ""


def test_of_contexts_the_words_are_counted_a_hidden_one_may_have_any_and_parts_that_do_not_say_so_say_nothing():
    table = pd.DataFrame({"context": ["", "a b c", None], "n_tokens": [12, 9, 11]})
    assert in_windows(KNOWN, table[:1]) == InWindows(11, 6, 1, at_least=False)
    assert in_windows(KNOWN, table) == InWindows(11, 6, 2, at_least=True)
    assert in_windows({**KNOWN, "shared": True}, table) == InWindows(11, 6, 1, at_least=True)
    assert note(InWindows(11, 6, 1, at_least=True)).startswith("At least 1 text longer than a window of 11 tokens")
    sources = [{"requests": 1}, {"requests": 1, **KNOWN}]
    for provenance in ({}, {"window": 9}, {"window": "9", "stride": 4}):
        old = SimpleNamespace(about={"requests": 1, "provenance": provenance})
        assert windows([old]) == {}
        assert windows([old, SimpleNamespace(about={"requests": 2, "provenance": {"sources": sources}})]) == KNOWN


def test_long_sentences_of_an_experiment_are_counted_once_each(tiny):
    recipe, store = recipe_of(str(tiny("gpt2")), policy=Policy(window=12)), Store()
    design = read_design(pd.DataFrame({"sentence": [SHORT, LONG, LONG]}), Columns())
    assert texts_in_windows(design, recipe, store) is None
    for _ in evaluate(design, recipe, store):
        continue
    found = texts_in_windows(design, recipe, store)
    distinct = dict(scores_of(design, recipe, store).values())
    assert found == InWindows(**KNOWN, n=sum(len(one.tokens) > 11 for one in distinct.values()), at_least=False)
    assert 1 <= found.n <= 2
    findings = find(design, words_of_scores(design, recipe, store, Analysis()), Analysis())
    assert of_experiment.receipt(findings, [recipe], "ours", [found])["in_windows"] == asdict(found)
    assert windows_in_words(found) in of_experiment.methods(findings, [recipe], [found])
    assert of_experiment.receipt(findings, [recipe], "ours")["in_windows"] is None
