"""The library: its examples run, its numbers are those of the command line to the bit, its errors one sentence."""

import doctest
import importlib
import json
import pkgutil
import subprocess
import sys

import pandas as pd
import pytest

import pairlens
from pairlens import api
from pairlens.api.asking import Asking, Choices
from pairlens.errors import InputError, ModelError, PairlensError, PolicyError, StoreError
from pairlens.places import FOLDER as ROOT
from pairlens.policies import Policy
from pairlens.store import Store
from tests.refusals import error_of
from tests.run_of_pairs import run_of_pairs

DEV = ROOT / "data" / "samples" / "stereoset" / "dev.json"
PAIRS = pd.DataFrame(
    {
        "good": ["The cat is tired.", "The horses are here.", 'She said "no", twice.'],
        "bad": ["The cat are tired.", "The horses is here.", 'She say "no", twice.'],
        "theme": ["number", "number", "person"],
    }
)
MODULES = [f"pairlens.api.{found.name}" for found in pkgutil.iter_modules(api.__path__)]


@pytest.mark.model
@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    module = importlib.import_module(name)
    done = doctest.testmod(module, extraglobs={"pairlens": pairlens, "pd": pd}, report=False)
    assert done.failed == 0


def test_every_call_has_an_example():
    calls = [getattr(pairlens, name) for name in pairlens.__all__]
    calls += [
        getattr(module, name)
        for module in (pairlens.agreement, pairlens.nli, pairlens.stereoset)
        for name in module.__all__
    ]
    silent = [
        one.__name__ for one in calls if callable(one) and not isinstance(one, type) and ">>>" not in one.__doc__
    ]
    assert set(silent) <= {"run", "compare_runs", "evaluate"}  # they take what another example made


@pytest.mark.slow
def test_nothing_heavy_is_loaded_before_it_is_needed():
    heavy = ("torch", "transformers", "pandas", "pyarrow", "duckdb", "scipy", "altair")
    code = f"import sys, pairlens; print([name for name in {heavy} if name in sys.modules])"
    assert python(code, ROOT) == ("[]\n", "")


def python(code, folder):
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    return done.stdout, done.stderr


def test_choices_are_the_fields_of_a_policy_and_of_a_way_of_asking():
    fields = set(Policy.__dataclass_fields__) - {"name"} | set(Asking.__dataclass_fields__) - {"policy"} | {"like"}
    assert set(Choices.__annotations__) == fields


def test_what_does_not_exist_is_refused(unigram):
    assert "nothing" in error_of(lambda: pairlens.score(["x"], "nothing"), ModelError)
    assert "unigram" in error_of(lambda: pairlens.score(["x"], unigram, scorer="causal"), ModelError)
    with pytest.raises(PolicyError, match="Did you mean 'first_token'"):
        pairlens.score(["x"], unigram, first_tokn="none")
    assert "preset 'minicon'" in error_of(lambda: pairlens.score(["x"], unigram, like="minicon"), PolicyError)


@pytest.mark.model
@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: pairlens.score([]), "there is no text"),
        (lambda: pairlens.score(5), "found 5, which is not a text"),
        (lambda: pairlens.score("x", name="mine"), "choice 'name'"),
        (lambda: pairlens.score(["x", None]), "text 2: the text is empty"),
        (lambda: pairlens.words([3.5]), "found 3.5, which is not a text"),
        (lambda: pairlens.compare("x", " "), "text 2: the text is empty"),
        (lambda: pairlens.expected("The", number=0), "take 1 or more"),
        (lambda: pairlens.expected("The", by="syllable"), "syllable"),
        (lambda: pairlens.next_word("The", "bilingual-masked"), "cannot say what comes next"),
        (lambda: pairlens.next_word("The", forms=["is"]), "two or more forms"),
        (lambda: pairlens.benchmark("nowhere.jsonl"), "nowhere.jsonl"),
        (lambda: pairlens.benchmark(PAIRS, task="clams"), "clams|columns|line|data_frame"),
        (lambda: pairlens.benchmark(PAIRS[["good"]]), "data_frame.tsv"),
        (lambda: pairlens.experiment(PAIRS[["theme"]]), "data_frame"),
        (lambda: pairlens.experiment(PAIRS, spill=1, ties="both"), "both"),
        (lambda: pairlens.experiment(PAIRS, ["unigram-english", "unigram-english"]), "named twice"),
        (lambda: pairlens.run("blimp-0"), "blimp-0"),
        (lambda: pairlens.paired("blimp-0", "blimp-1"), "blimp-0"),
        (lambda: pairlens.query(), "either a SELECT"),
        (lambda: pairlens.query("drop table runs"), "."),
        (lambda: pairlens.query(question="tie"), "Did you mean 'ties'"),
        (lambda: pairlens.agreement.predict("nowhere.txt"), "nowhere.txt"),
        (lambda: pairlens.agreement.evaluate(PAIRS), "data_frame.raw-pred"),
        (lambda: pairlens.stereoset.predict(PAIRS), "data_frame.jsonl"),
        (lambda: pairlens.stereoset.predict(DEV, scorer="causal"), "leave the scorer out"),
        (lambda: pairlens.stereoset.predict(DEV, case_no="z"), "z"),
        (lambda: pairlens.stereoset.predict(DEV, nsp_model_path="x", skip_intersentence=True), "no effect without"),
        (
            lambda: pairlens.stereoset.predict(DEV, skip_intrasentence=True, skip_intersentence=True),
            "both tasks are skip",
        ),
        (lambda: pairlens.nli.predict(PAIRS), "premise"),
        (lambda: pairlens.nli.translate("sick"), "give pairs"),
        (lambda: pairlens.nli.translate("sick", predictions=PAIRS.assign(label="neutral")), "whose labels"),
    ],
)
def test_a_mistake_is_said_in_one_sentence(call, sentence):
    with pytest.raises(PairlensError, match=sentence) as error:
        call()
    assert "\n" not in str(error.value)


@pytest.mark.slow
def test_sql_over_the_store_and_runs_that_are_not_there_or_alone_are_refused():
    _, other = (run_of_pairs(Store(), margin) for margin in (1.0, -1.0))
    models = pairlens.query("select model from runs order by model")["model"].tolist()
    assert models == ["counter+1.0", "counter-1.0"]
    cut = pairlens.query("select * from items", limit=2)
    assert len(cut) == 2 and cut.attrs["truncated"]
    ties = pairlens.query(question="ties", values={"run": other})
    assert "item_id" in ties.columns
    with pytest.raises(InputError):
        pairlens.compare_runs([pairlens.run(other)])
    with pytest.raises(StoreError):
        pairlens.run("nothing-here")


@pytest.mark.slow
def test_progress_is_told_scores_are_stored_once_and_a_confidential_task_has_no_texts(unigram):
    steps = []
    for rescore, expected in ((False, (6, 0)), (False, (0, 6)), (True, (6, 0))):
        pairlens.benchmark(PAIRS, unigram, watch=steps.append, rescore=rescore)
        assert (steps[-1].scored, steps[-1].reused) == expected
    run = pairlens.benchmark(task="ewok", model=unigram)
    assert run.items["right"].isna().all() and run.candidates["text"].isna().all()
    assert "tokens" not in json.dumps(run.receipt()["worked"][0]["candidates"][0].get("text"))
