"""The library: its examples run, its numbers are those of the command line to the bit, its errors one sentence."""

import doctest
import importlib
import json
import pkgutil
import subprocess
import sys

import pandas as pd
import pytest

from core import api
from core.api.asking import Asking, Choices
from core.errors import InputError, ModelError, PairlensError, PolicyError, StoreError
from core.policies import Policy
from core.settings import ROOT
from core.store import Store
from tests.run_of_pairs import run_of_pairs

DEV = ROOT / "data" / "samples" / "stereoset" / "dev.json"
PAIRS = pd.DataFrame(
    {
        "good": ["The cat is tired.", "The horses are here.", 'She said "no", twice.'],
        "bad": ["The cat are tired.", "The horses is here.", 'She say "no", twice.'],
        "theme": ["number", "number", "person"],
    }
)
MODULES = [f"core.api.{found.name}" for found in pkgutil.iter_modules(api.__path__)]


# Examples


@pytest.mark.model
@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    module = importlib.import_module(name)
    done = doctest.testmod(module, extraglobs={"api": api, "pd": pd}, report=False)
    assert done.failed == 0


def test_every_call_has_an_example():
    calls = [getattr(api, name) for name in api.__all__]
    calls += [getattr(module, name) for module in (api.agreement, api.nli, api.stereoset) for name in module.__all__]
    silent = [
        one.__name__ for one in calls if callable(one) and not isinstance(one, type) and ">>>" not in one.__doc__
    ]
    assert set(silent) <= {"run", "compare_runs", "evaluate"}  # they take what another example made


@pytest.mark.slow
def test_nothing_heavy_is_loaded_before_it_is_needed():
    heavy = ("torch", "transformers", "pandas", "pyarrow", "duckdb", "scipy", "altair")
    code = f"import sys; from core import api; print([name for name in {heavy} if name in sys.modules])"
    assert python(code, ROOT) == ("[]\n", "")


def test_without_the_folder_it_needs_it_says_how_to_install_it(tmp_path):
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "__init__.py").write_bytes((ROOT / "core" / "__init__.py").read_bytes())
    _, errors = python("import core", tmp_path)
    assert "ImportError: Pairlens needs" in errors and "pip install -e" in errors


def python(code, folder):
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    return done.stdout, done.stderr


# Choices


def test_choices_are_the_fields_of_a_policy_and_of_a_way_of_asking():
    fields = set(Policy.__dataclass_fields__) - {"name"} | set(Asking.__dataclass_fields__) - {"policy"} | {"like"}
    assert set(Choices.__annotations__) == fields


def test_what_does_not_exist_is_refused(unigram):
    with pytest.raises(ModelError, match="nothing"):
        api.score(["x"], "nothing")
    with pytest.raises(ModelError, match="unigram"):
        api.score(["x"], unigram, scorer="causal")
    with pytest.raises(PolicyError, match="Did you mean 'first_token'"):
        api.score(["x"], unigram, first_tokn="none")
    with pytest.raises(PolicyError, match="preset 'minicon'"):
        api.score(["x"], unigram, like="minicon")


@pytest.mark.model
@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: api.score([]), "there is no text"),
        (lambda: api.score(5), "found 5, which is not a text"),
        (lambda: api.score("x", name="mine"), "choice 'name'"),
        (lambda: api.score(["x", None]), "text 2: the text is empty"),
        (lambda: api.words([3.5]), "found 3.5, which is not a text"),
        (lambda: api.compare("x", " "), "text 2: the text is empty"),
        (lambda: api.expected("The", number=0), "take 1 or more"),
        (lambda: api.expected("The", by="syllable"), "syllable"),
        (lambda: api.next_word("The", "bilingual-masked"), "cannot say what comes next"),
        (lambda: api.next_word("The", forms=["is"]), "two or more forms"),
        (lambda: api.benchmark("nowhere.jsonl"), "nowhere.jsonl"),
        (lambda: api.benchmark(PAIRS, task="clams"), "clams|columns|line|data_frame"),
        (lambda: api.benchmark(PAIRS[["good"]]), "data_frame.tsv"),
        (lambda: api.experiment(PAIRS[["theme"]]), "data_frame"),
        (lambda: api.experiment(PAIRS, spill=1, ties="both"), "both"),
        (lambda: api.experiment(PAIRS, ["unigram-english", "unigram-english"]), "named twice"),
        (lambda: api.run("blimp-0"), "blimp-0"),
        (lambda: api.paired("blimp-0", "blimp-1"), "blimp-0"),
        (lambda: api.query(), "either a SELECT"),
        (lambda: api.query("drop table runs"), "."),
        (lambda: api.query(question="tie"), "Did you mean 'ties'"),
        (lambda: api.agreement.predict("nowhere.txt"), "nowhere.txt"),
        (lambda: api.agreement.evaluate(PAIRS), "data_frame.raw-pred"),
        (lambda: api.stereoset.predict(PAIRS), "data_frame.jsonl"),
        (lambda: api.stereoset.predict(DEV, scorer="causal"), "leave the scorer out"),
        (lambda: api.stereoset.predict(DEV, case_no="z"), "z"),
        (lambda: api.stereoset.predict(DEV, nsp_model_path="x", skip_intersentence=True), "no effect without"),
        (lambda: api.stereoset.predict(DEV, skip_intrasentence=True, skip_intersentence=True), "both tasks are skip"),
        (lambda: api.nli.predict(PAIRS), "premise"),
        (lambda: api.nli.translate("sick"), "give pairs"),
        (lambda: api.nli.translate("sick", predictions=PAIRS.assign(label="neutral")), "whose labels"),
    ],
)
def test_a_mistake_is_said_in_one_sentence(call, sentence):
    with pytest.raises(PairlensError, match=sentence) as error:
        call()
    assert "\n" not in str(error.value)


# What is stored


@pytest.mark.slow
def test_sql_over_the_store_and_runs_that_are_not_there_or_alone_are_refused():
    _, other = (run_of_pairs(Store(), margin) for margin in (1.0, -1.0))
    models = api.query("select model from runs order by model")["model"].tolist()
    assert models == ["counter+1.0", "counter-1.0"]
    cut = api.query("select * from items", limit=2)
    assert len(cut) == 2 and cut.attrs["truncated"]
    ties = api.query(question="ties", values={"run": other})
    assert "item_id" in ties.columns
    with pytest.raises(InputError):
        api.compare_runs([api.run(other)])
    with pytest.raises(StoreError):
        api.run("nothing-here")


@pytest.mark.slow
def test_progress_is_told_to_whom_wants_it_and_scores_are_stored_once(unigram):
    steps = []
    for rescore, expected in ((False, (6, 0)), (False, (0, 6)), (True, (6, 0))):
        api.benchmark(PAIRS, unigram, watch=steps.append, rescore=rescore)
        assert (steps[-1].scored, steps[-1].reused) == expected


@pytest.mark.slow
def test_a_confidential_task_has_no_texts(unigram):
    run = api.benchmark(task="ewok", model=unigram)
    assert run.items["right"].isna().all() and run.candidates["text"].isna().all()
    assert "tokens" not in json.dumps(run.receipt()["worked"][0]["candidates"][0].get("text"))
