"""What the library gives is what the verb writes, to the last bit."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from core import api
from core.cli import main
from core.errors import PolicyError
from core.files.tables import read_table, write_table
from core.settings import ROOT
from core.studies.experiment.packing import write_result

SAMPLES = ROOT / "data" / "samples"
PAIRS = pd.DataFrame(
    {
        "good": ["The cat is tired.", "The horses are here.", 'She said "no", twice.'],
        "bad": ["The cat are tired.", "The horses is here.", 'She say "no", twice.'],
        "theme": ["number", "number", "person"],
    }
)


def cli(*arguments: object) -> None:
    assert main([str(one) for one in arguments]) == 0


def same(ours: pd.DataFrame, written: Path) -> None:
    """A table of the library, written as the verb writes it, is the verb's file."""
    beside = written.with_name(f"ours{written.suffix}")
    write_table(ours, beside)
    assert beside.read_bytes() == written.read_bytes()


TEXTS = ["The keys to the cabinet are here.", "The cat, it seems, sleeps.", "The cat, it seems, sleeps."]


@pytest.mark.model
@pytest.mark.parametrize("model", ["english-small", "bilingual-masked", "unigram-english"])
@pytest.mark.parametrize(("choices", "flags"), [({}, ()), ({"like": "minicons"}, ("--as", "minicons"))])
def test_score_is_the_verb(model, choices, flags, tmp_path):
    cli("score", *TEXTS, "--model", model, *flags, "--output", tmp_path / "tokens.tsv")
    same(api.score(TEXTS, model, **choices), tmp_path / "tokens.tsv")
    same(api.score(pd.Series(TEXTS), model, **choices), tmp_path / "tokens.tsv")


@pytest.mark.model
def test_words_are_those_of_an_experiment(tmp_path):
    table = tmp_path / "sentences.tsv"
    pd.DataFrame({"sentence": TEXTS[:2]}).to_csv(table, sep="\t", index=False)
    cli(
        "minimal-pair",
        "--data",
        table,
        "--model",
        "english-small",
        "--save",
        "by_word",
        "--results",
        tmp_path / "x.tsv",
    )
    theirs = read_table(tmp_path / "x_byword.tsv")
    ours = api.words(TEXTS[:2])
    assert ours["word"].tolist() == theirs["word_mod"].tolist()
    assert [str(value) for value in ours["surprisal_bits"]] == theirs["surp"].tolist()


@pytest.mark.model
def test_what_the_text_policy_changed_is_said():
    assert "’" in api.score("It’s here.").attrs["note"]
    assert api.score("It is here.").attrs["note"] == ""


@pytest.mark.slow
def test_words_keep_bars_and_say_which_text_cannot_be_scored():
    assert "|" in api.words(["a | b", "c | d"], "unigram-english")["word"].tolist()
    found = api.words(["one text", "one text"], "unigram-english")
    assert found["item"].tolist() == [1, 1, 2, 2]


@pytest.mark.model
def test_perplexity_is_the_verb(tmp_path):
    file = tmp_path / "texts.txt"
    file.write_text("\n".join(TEXTS), "utf-8")
    cli("perplexity", "--input", file, "--output", tmp_path / "table.tsv")
    same(api.perplexity(TEXTS), tmp_path / "table.tsv")


@pytest.mark.model
@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({}, ()),
        ({"by": "word", "prefix": True}, ("--by", "word", "--prefix")),
        ({"forms": ("are", "is")}, ("--forms", "are,is")),
    ],
)
def test_next_word_is_the_verb(options, flags, tmp_path):
    file = tmp_path / "texts.txt"
    file.write_text("\n".join(TEXTS), "utf-8")
    cli("next-word", "--input", file, *flags, "--output", tmp_path / "table.tsv")
    same(api.next_word(TEXTS, **options), tmp_path / "table.tsv")


@pytest.mark.model
@pytest.mark.parametrize("by", ["word", "piece"])
def test_what_is_expected_is_what_the_verb_finds_likeliest(by):
    last = api.next_word("The keys to the", by=by, prefix=True).iloc[-1]
    first = api.expected("The keys to the", by=by, number=5).iloc[0]
    assert (first["text"], first["logprob"]) == (last["pred_next"], pytest.approx(last["pred_prob"], abs=1e-5))


@pytest.mark.model
def test_compare_is_the_difference_of_the_scores():
    a, b = "The keys to the cabinet are here.", "The keys to the cabinet is here."
    found, sums = api.compare(a, b), api.score([a, b]).groupby("text")["surprisal_bits"].sum()
    assert found.bits == pytest.approx(sums[b] - sums[a], abs=1e-3)
    assert found.steps["running"].iloc[-1] == pytest.approx(found.steps["difference"].sum())
    assert repr(found).startswith("english-small: Prefers A by")
    assert api.compare(a, a).preferred == "tie"


@pytest.mark.slow
@pytest.mark.parametrize("task", ["blimp", "comps", "crows_pairs", "linzen", "syntaxgym"])
def test_benchmark_is_the_run_of_the_verb(task, tmp_path, capsys):
    found = api.benchmark(model="unigram-english", task=task) if task != "comps" else api.benchmark(task=task)
    model = found.manifest["model"]
    numbers, signature = found.numbers, found.signature
    cli("zero-shot", "--task", task, "--model", model, "--output_dir", tmp_path)
    said = capsys.readouterr().out
    assert signature in said and "scored 0" in said
    pd.testing.assert_frame_equal(api.run(found.run_id).numbers, numbers)
    assert found.run_id in api.runs()["run_id"].tolist()
    assert found.value == numbers.loc[0, "value"]
    assert len(found.items) + found.undecided["why"].ne("tie").sum() >= len(found.items) > 0


@pytest.mark.slow
def test_a_data_frame_is_the_file_it_would_be_saved_as(tmp_path):
    for ending in ("csv", "tsv"):
        PAIRS.to_csv(tmp_path / f"pairs.{ending}", sep="," if ending == "csv" else "\t", index=False)
    ids = {
        api.benchmark(data, "unigram-english", task="pairs", group="theme").run_id
        for data in (PAIRS, tmp_path / "pairs.csv", str(tmp_path / "pairs.tsv"))
    }
    assert len(ids) == 1
    run = api.run(ids.pop())
    assert run.numbers["group"].tolist()[:1] == ["macro"]
    assert sorted(run.items["right"]) == sorted(PAIRS["good"])
    renamed = PAIRS.rename(columns={"good": "oui", "bad": "non"})
    other = api.benchmark(renamed, "unigram-english", good="oui", bad="non", group="theme")
    assert other.value == run.value


@pytest.mark.slow
def test_an_old_call_with_a_path_reads_jsonl(unigram, tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps({"sentence_good": "the cat", "sentence_bad": "the zebra"}))
    metrics = api.benchmark(path, unigram).numbers
    assert metrics.iloc[0][["name", "group", "value", "n"]].tolist() == ["accuracy", "macro", 1.0, 1]
    frame = pd.DataFrame([json.loads(path.read_text())])
    assert api.benchmark(frame, unigram, task="blimp").value == 1.0


@pytest.mark.slow
def test_an_experiment_is_the_verb(tmp_path):
    table, models = tmp_path / "items.tsv", ["english-small", "unigram-english"]
    cli("generate", "--template", "garden_path", "--number", 6, "--output", table)
    flags = ("--spill", 1, "--interaction", "verb,comma", "--results", tmp_path / "out.tsv")
    cli("minimal-pair", "--data", table, *(part for name in models for part in ("--model", name)), *flags)
    found = api.experiment(read_table(table), models, spill=1, interaction="verb,comma")
    for name in ("by_word", "by_region", "interaction"):
        file = f"out_{name.replace('_', '')}.tsv"
        write_result(getattr(found, name), tmp_path / f"ours_{file}")
        assert (tmp_path / f"ours_{file}").read_bytes() == (tmp_path / file).read_bytes()


@pytest.mark.model
def test_pairs_of_an_experiment_and_the_benchmark_agree():
    found, run = api.experiment(PAIRS, region_summary="sum"), api.benchmark(PAIRS)
    assert len(found.by_pair) == 3 and len(found.by_cond) >= 1 and found.excluded.empty
    assert run.value == pytest.approx(run.items["correct"].groupby(run.items["UID"]).mean().mean())


@pytest.fixture
def two():
    return api.benchmark(), api.benchmark(model="unigram-english")


@pytest.mark.slow
def test_runs_beside_each_other(two, tmp_path):
    ids = [run.run_id for run in two]
    assert api.paired(*two).equals(api.paired(*ids))
    cli("compare-runs", *ids, "--output", tmp_path / "compared.csv")
    same(api.compare_runs(two).differences, tmp_path / "compared.csv")
    assert api.runs()["run_id"].tolist() == sorted(ids, key=api.runs()["run_id"].tolist().index)


@pytest.mark.model
def test_a_run_knows_how_it_was_made(two, tmp_path):
    run = two[0]
    cli("receipt", run.run_id, "--output", tmp_path / "r.json")
    assert json.loads(json.dumps(run.receipt())) == json.loads((tmp_path / "r.json").read_text("utf-8"))
    item = run.items["item"].iloc[0]
    assert run.receipt(item=item)["number"]["item"] == item
    cli("receipt", run.run_id, "--format", "methods", "--output", tmp_path / "m.txt")
    assert (tmp_path / "m.txt").read_text("utf-8").strip() == run.methods().strip()
    assert "@" in run.bibtex()
    assert run.run_id in repr(run) and "english-small" in repr(run)
    with pytest.raises(PolicyError):
        run.receipt(item=item, group="x")


def test_a_policy_has_no_name_of_its_own(capsys):
    assert main(["score", "x", "--model", "unigram-english", "--set", "name=mine"]) == 2
    assert "named after its preset" in capsys.readouterr().err
