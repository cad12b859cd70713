"""The library: its examples run, its numbers are those of the command line to the bit, its errors one sentence."""

import doctest
import importlib
import json
import pkgutil

import pandas as pd
import pytest

import pairlens
from pairlens import api
from pairlens.api.asking import Asking, Choices
from pairlens.cli import main
from pairlens.errors import InputError, ModelError, PairlensError, PolicyError, StoreError
from pairlens.files.tables import read_table, write_table
from pairlens.places import FOLDER as ROOT
from pairlens.policies import Policy
from pairlens.store import Store
from pairlens.studies.experiment.packing import write_result
from tests.refusals import error_of, refused
from tests.run_of_pairs import run_of_pairs

DEV = ROOT / "data" / "samples" / "stereoset" / "dev.json"
PAIRS = pd.DataFrame(
    {
        "good": ["The cat is tired.", "The horses are here.", 'She said "no", twice.'],
        "bad": ["The cat are tired.", "The horses is here.", 'She say "no", twice.'],
        "theme": ["number", "number", "person"],
    }
)
pytestmark = pytest.mark.usefixtures("opened_once", "unpublished")
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


def test_choices_are_those_of_a_policy_and_of_a_way_of_asking_and_others_are_refused(unigram, cli):
    fields = set(Policy.__dataclass_fields__) - {"name"} | set(Asking.__dataclass_fields__) - {"policy"} | {"like"}
    assert set(Choices.__annotations__) == fields
    assert "nothing" in error_of(lambda: pairlens.score(["x"], "nothing"), ModelError)
    assert "unigram" in error_of(lambda: pairlens.score(["x"], unigram, scorer="causal"), ModelError)
    with pytest.raises(PolicyError, match="Did you mean 'first_token'"):
        pairlens.score(["x"], unigram, first_tokn="none")
    assert "preset 'minicon'" in error_of(lambda: pairlens.score(["x"], unigram, like="minicon"), PolicyError)
    refused(cli("score", "x", "--model", "unigram-english", "--set", "name=mine"), "named after its preset")


@pytest.mark.model
@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: pairlens.score([]), "there is no text"),
        (lambda: pairlens.score(5), "found 5, which is not a text"),
        (lambda: pairlens.score("x", name="mine"), "choice 'name'"),
        (lambda: pairlens.score(["x", None]), "text 2: the text is empty"),
        (lambda: pairlens.expected("The", number=0), "take 1 or more"),
        (lambda: pairlens.expected("The", by="syllable"), "syllable"),
        (lambda: pairlens.benchmark(PAIRS[["good"]]), "data_frame.tsv"),
        (lambda: pairlens.experiment(PAIRS[["theme"]]), "data_frame"),
        (lambda: pairlens.experiment(PAIRS, ["unigram-english", "unigram-english"]), "named twice"),
        (lambda: pairlens.paired("blimp-0", "blimp-1"), "blimp-0"),
        (lambda: pairlens.query(), "either a SELECT"),
        (lambda: pairlens.agreement.predict("nowhere.txt"), "nowhere.txt"),
        (lambda: pairlens.agreement.evaluate(PAIRS), "data_frame.raw-pred"),
        (lambda: pairlens.stereoset.predict(PAIRS), "data_frame.jsonl"),
        (lambda: pairlens.stereoset.predict(DEV, scorer="causal"), "leave the scorer out"),
        (lambda: pairlens.nli.predict(PAIRS), "premise"),
    ],
)
def test_a_mistake_is_said_in_one_sentence(call, sentence):
    with pytest.raises(PairlensError, match=sentence) as error:
        call()
    assert "\n" not in str(error.value)


@pytest.mark.slow
def test_sql_over_the_store_and_runs_that_are_not_there_or_alone_are_refused(published):
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


SAMPLES = ROOT / "data" / "samples"
TEXTS = ["The keys to the cabinet are here.", "The cat, it seems, sleeps.", "The cat, it seems, sleeps."]


def cli(*arguments):
    assert main([str(one) for one in arguments]) == 0


def same(ours, written):
    """A table of the library, written as the verb writes it, is the verb's file."""
    beside = written.with_name(f"ours{written.suffix}")
    write_table(ours, beside)
    assert beside.read_bytes() == written.read_bytes()


@pytest.fixture
def table(tmp_path):
    return tmp_path / "table.tsv"


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(TEXTS), "utf-8")
    return path


@pytest.mark.model
@pytest.mark.parametrize(
    ("call", "options", "flags"),
    [
        (pairlens.score, {}, ()),
        (pairlens.score, {"model": "bilingual-masked", "like": "minicons"}, ("--as", "minicons")),
        (pairlens.perplexity, {}, ()),
        (pairlens.next_word, {"model": "tiny", "by": "word", "prefix": True}, ("--by", "word", "--prefix")),
        (pairlens.next_word, {"model": "tiny", "forms": ("are", "is")}, ("--forms", "are,is")),
    ],
)
def test_a_call_about_texts_is_the_verb(call, options, flags, texts, table, tiny):
    if options.get("model") == "tiny":
        options = {**options, "model": str(tiny("gpt2"))}
    verb, model = call.__name__.replace("_", "-"), options.get("model", "english-small")
    cli(verb, "--input", texts, "--model", model, *flags, "--output", table)
    same(call(pd.Series(TEXTS) if flags else TEXTS, **options), table)


@pytest.mark.model
def test_an_experiment_is_the_verb_and_words_are_those_of_one(table, tmp_path, unigram, tiny):
    pd.DataFrame({"sentence": TEXTS[:2]}).to_csv(table, sep="\t", index=False)
    results = ("--save", "by_word", "--results", tmp_path / "x.tsv")
    cli("minimal-pair", "--data", table, "--model", "english-small", *results)
    theirs, ours = read_table(tmp_path / "x_byword.tsv"), pairlens.words(TEXTS[:2])
    assert ours["word"].tolist() == theirs["word_mod"].tolist()
    assert [str(value) for value in ours["surprisal_bits"]] == theirs["surp"].tolist()
    models = [str(tiny("gpt2")), unigram]
    cli("generate", "--template", "garden_path", "--number", 3, "--output", table)
    flags = ("--spill", 1, "--interaction", "verb,comma", "--results", tmp_path / "out.tsv")
    cli("minimal-pair", "--data", table, *(part for name in models for part in ("--model", name)), *flags)
    result = pairlens.experiment(read_table(table), models, spill=1, interaction="verb,comma")
    for name in ("by_word", "by_region", "interaction"):
        file = f"out_{name.replace('_', '')}.tsv"
        write_result(getattr(result, name), tmp_path / f"ours_{file}")
        assert (tmp_path / f"ours_{file}").read_bytes() == (tmp_path / file).read_bytes()


@pytest.mark.parametrize("by", ["word", "piece"])
def test_what_is_expected_is_what_the_verb_finds_likeliest(by, tiny):
    model = str(tiny("gpt2"))
    last = pairlens.next_word("The keys to the", model, by=by, prefix=True).iloc[-1]
    first = pairlens.expected("The keys to the", model, by=by, number=5).iloc[0]
    assert (first["text"], first["logprob"]) == (last["pred_next"], pytest.approx(last["pred_prob"], abs=1e-5))


@pytest.mark.model
def test_compare_is_the_difference_of_the_scores_and_what_the_text_policy_changed_is_said(unigram):
    a, b = "The keys to the cabinet are here.", "The keys to the cabinet is here."
    pair, sums = pairlens.compare(a, b), pairlens.score([a, b]).groupby("text")["surprisal_bits"].sum()
    assert pair.bits == pytest.approx(sums[b] - sums[a], abs=1e-3)
    assert pair.steps["running"].iloc[-1] == pytest.approx(pair.steps["difference"].sum())
    assert repr(pair).startswith("english-small: Prefers A by")
    assert pairlens.compare(a, a).preferred == "tie"
    assert "’" in pairlens.score("It’s here.").attrs["note"]
    assert pairlens.score("It is here.").attrs["note"] == ""
    assert "|" in pairlens.words(["a | b", "c | d"], unigram)["word"].tolist()
    assert pairlens.words(["one text", "one text"], unigram)["item"].tolist() == [1, 1, 2, 2]


@pytest.mark.slow
@pytest.mark.parametrize("task", ["comps", "syntaxgym"])
def test_benchmark_is_the_run_of_the_verb(task, tmp_path, capsys):
    run = pairlens.benchmark(model="unigram-english", task=task) if task != "comps" else pairlens.benchmark(task=task)
    numbers = run.numbers
    cli("zero-shot", "--task", task, "--model", run.manifest["model"], "--output_dir", tmp_path)
    out = capsys.readouterr().out
    assert run.signature in out and "scored 0" in out
    pd.testing.assert_frame_equal(pairlens.run(run.run_id).numbers, numbers)
    assert run.run_id in pairlens.runs()["run_id"].tolist()
    assert run.value == numbers.loc[0, "value"]
    assert len(run.items) + run.undecided["why"].ne("tie").sum() >= len(run.items) > 0


@pytest.mark.slow
def test_what_the_library_reads_of_data_frames_and_old_calls(unigram, tmp_path):
    for ending, separator in (("csv", ","), ("tsv", "\t")):
        PAIRS.to_csv(tmp_path / f"pairs.{ending}", sep=separator, index=False)
    ids = {
        pairlens.benchmark(data, unigram, task="pairs", group="theme").run_id
        for data in (PAIRS, tmp_path / "pairs.csv", str(tmp_path / "pairs.tsv"))
    }
    (run_id,) = ids
    run = pairlens.run(run_id)
    assert run.numbers["group"].tolist()[:1] == ["macro"]
    assert run.value == pytest.approx(run.items["correct"].groupby(run.items["UID"]).mean().mean())
    assert sorted(run.items["right"]) == sorted(PAIRS["good"])
    result = pairlens.experiment(PAIRS, unigram, region_summary="sum")
    assert len(result.by_pair) == 3 and len(result.by_cond) >= 1 and result.excluded.empty
    renamed = PAIRS.rename(columns={"good": "oui", "bad": "non"})
    assert pairlens.benchmark(renamed, unigram, good="oui", bad="non", group="theme").value == run.value
    frame = pd.DataFrame([{"sentence_good": "the cat", "sentence_bad": "the zebra"}])
    assert pairlens.benchmark(frame, unigram, task="blimp").value == 1.0


@pytest.mark.slow
def test_runs_stand_beside_each_other_and_know_how_they_were_made(tmp_path):
    ids = [run_of_pairs(Store(), margin) for margin in (1.0, -1.0)]
    two = [pairlens.run(run_id) for run_id in ids]
    assert pairlens.paired(*two).equals(pairlens.paired(*ids))
    cli("compare-runs", *ids, "--output", tmp_path / "compared.csv")
    same(pairlens.compare_runs(two).differences, tmp_path / "compared.csv")
    assert pairlens.runs()["run_id"].tolist() == sorted(ids, key=pairlens.runs()["run_id"].tolist().index)
    run = pairlens.run(run_of_pairs(Store()))
    cli("receipt", run.run_id, "--output", tmp_path / "r.json")
    assert json.loads(json.dumps(run.receipt())) == json.loads((tmp_path / "r.json").read_text("utf-8"))
    item = run.items["item"].iloc[0]
    assert run.receipt(item=item)["number"]["item"] == item
    cli("receipt", run.run_id, "--format", "methods", "--output", tmp_path / "m.txt")
    assert (tmp_path / "m.txt").read_text("utf-8").strip() == run.methods().strip()
    assert "@" in run.bibtex()
    assert run.run_id in repr(run) and "counter+1.0" in repr(run)
    with pytest.raises(PolicyError):
        run.receipt(item=item, group="x")


@pytest.mark.slow
def test_agreement_is_the_verb(unigram, save, tmp_path):
    source = save("set.txt", "the cat are\nthe cat is\nthe horses are tired\nthe horses is tired\n")
    written = tmp_path / "x.raw-pred"
    cli("agreement", "predict", "--input", source, "--model", unigram, "-o", written)
    cli("agreement", "evaluate", "--predictions", written, "--output-file", tmp_path / "x.json")
    accuracy = json.loads((tmp_path / "x.json").read_text("utf-8"))["accuracy"]
    run = pairlens.agreement.predict(source, unigram)
    assert accuracy == pairlens.agreement.evaluate(written).accuracy
    assert accuracy == pairlens.agreement.evaluate(read_table(written, quoting="none")).accuracy
    assert pairlens.agreement.evaluate(run).accuracy == run.value


@pytest.mark.parametrize(
    ("case", "choices", "flags"), [("d", {}, ()), ("e", {"like": "stereoset"}, ("--as", "stereoset"))]
)
def test_stereoset_is_the_verb(case, choices, flags, few_examples, tiny, tmp_path):
    model = str(tiny("gpt2"))
    asked = ("--gold-file", few_examples, "--case-no", case, *flags, "--output-dir", tmp_path / "written")
    cli("stereoset", "predict", *asked, "--model", model)
    (file,) = (tmp_path / "written").glob("*.json")
    ours = pairlens.stereoset.predict(few_examples, model, case_no=case, **choices)
    rows = {
        kind: [{"id": id, "score": score} for id, score in scores.items()] for kind, scores in ours.by_kind.items()
    }
    assert rows == json.loads(file.read_text("utf-8"))
    if choices:
        return
    written = ("--predictions", file, "--output-file", tmp_path / "numbers.csv")
    cli("stereoset", "evaluate", "--gold-file", few_examples, *written)
    numbers = pairlens.stereoset.evaluate(few_examples, file)
    same(numbers.table(), tmp_path / "numbers.csv")
    tables = (one.table().drop(columns="model") for one in (pairlens.stereoset.evaluate(few_examples, ours), numbers))
    pd.testing.assert_frame_equal(*tables)


@pytest.mark.model
def test_nli_is_the_verb_also_of_swapped_pairs_and_data_frames(tmp_path):
    gold, sick = (SAMPLES / "nli" / name for name in ("assin.xml", "sick.txt"))
    answers, numbers, table = (tmp_path / name for name in ("answers.csv", "n.csv", "t.csv"))
    cli("nli", "predict", "--data", gold, "--output-file", answers)
    ours = pairlens.nli.predict(gold)
    same(ours, answers)
    cli("nli", "evaluate", "--gold", gold, "--predictions", answers, "--model-system", "sick", "-o", numbers)
    same(pairlens.nli.evaluate(gold, ours, "sick").numbers, numbers)
    same(pairlens.nli.evaluate(gold, answers, "sick").numbers, numbers)
    cli("nli", "translate", "--into", "assin2", "--gold", gold, "--output-file", table)
    same(pairlens.nli.translate("assin2", gold=gold), table)
    both = ("--both-directions", "--split", "TEST", "--sick-gold", "symmetric")
    cli("nli", "translate", "--into", "assin", "--gold", sick, "--output-file", table, *both)
    same(pairlens.nli.translate("assin", gold=sick, both_directions=True, split="TEST", sick_gold="symmetric"), table)
    premises, hypotheses = ["A cat sleeps.", "A dog runs."], ["An animal sleeps.", "Nobody runs."]
    pairs = pd.DataFrame({"premise": premises, "hypothesis": hypotheses, "label": ["entailment", "contradiction"]})
    turned = pairs.rename(columns={"premise": "hypothesis", "hypothesis": "premise"})
    forward, backward = (pairlens.nli.predict(frame, gold_system="sick") for frame in (pairs, turned))
    both = pairlens.nli.predict(pairs, gold_system="sick", both=True)
    assert both["label"].tolist() == forward["label"].tolist()
    assert both["reverse_label"].tolist() == backward["label"].tolist()
    assert forward["id"].tolist() == ["1", "2"]
