"""Agreement sets, StereoSet and entailment from Python: what the verbs write, to the last bit."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from core import api
from core.cli import main
from core.files.tables import read_table, write_table
from core.settings import ROOT

SAMPLES = ROOT / "data" / "samples"


def cli(*arguments: object) -> None:
    assert main([str(one) for one in arguments]) == 0


def same(ours: pd.DataFrame, written: Path) -> None:
    """A table of the library, written as the verb writes it, is the verb's file."""
    beside = written.with_name(f"ours{written.suffix}")
    write_table(ours, beside)
    assert beside.read_bytes() == written.read_bytes()


@pytest.mark.slow
def test_agreement_is_the_verb(tmp_path):
    source = SAMPLES / "agreement"
    cli("agreement", "predict", "--input", source, "--model", "unigram-english", "-o", tmp_path / "x.raw-pred")
    cli("agreement", "evaluate", "--predictions", tmp_path / "x.raw-pred", "--output-file", tmp_path / "x.json")
    told = json.loads((tmp_path / "x.json").read_text("utf-8"))
    run = api.agreement.predict(source, "unigram-english")
    of_run = api.agreement.evaluate(run)
    of_file, of_frame = (
        api.agreement.evaluate(one)
        for one in (tmp_path / "x.raw-pred", read_table(tmp_path / "x.raw-pred", quoting="none"))
    )
    assert of_file.accuracy == of_frame.accuracy == told["accuracy"]
    assert of_run.accuracy == run.value


@pytest.mark.model
@pytest.mark.parametrize(("choices", "flags"), [({}, ()), ({"like": "stereoset"}, ("--as", "stereoset"))])
@pytest.mark.parametrize("case", ["d", "e"])
def test_stereoset_is_the_verb(choices, flags, case, tmp_path):
    dev = SAMPLES / "stereoset" / "dev.json"
    cli("stereoset", "predict", "--gold-file", dev, "--case-no", case, *flags, "--output-dir", tmp_path)
    (file,) = tmp_path.glob("*.json")
    cli("stereoset", "evaluate", "--gold-file", dev, "--predictions", file, "--output-file", tmp_path / "numbers.csv")
    found = api.stereoset.predict(dev, case_no=case, **choices)
    theirs = json.loads(file.read_text("utf-8"))
    ours = {kind: [{"id": id, "score": score} for id, score in found.by_kind[kind].items()] for kind in found.by_kind}
    assert ours == theirs
    numbers = api.stereoset.evaluate(dev, file)
    same(numbers.table(), tmp_path / "numbers.csv")
    tables = (one.table().drop(columns="model") for one in (api.stereoset.evaluate(dev, found), numbers))
    pd.testing.assert_frame_equal(*tables)


@pytest.mark.slow
def test_stereoset_reads_a_wide_data_frame():
    wide = read_table(next((SAMPLES / "stereoset_wide").glob("*intra*.csv")))
    found = api.stereoset.predict(wide, "unigram-english")
    assert api.stereoset.evaluate(wide, found).kinds == ("intrasentence",)


@pytest.mark.model
def test_nli_is_the_verb(tmp_path):
    gold = SAMPLES / "nli" / "assin.xml"
    cli("nli", "predict", "--data", gold, "--output-file", tmp_path / "answers.csv")
    ours = api.nli.predict(gold)
    same(ours, tmp_path / "answers.csv")
    system = ("--model-system", "sick")
    answers = ("--predictions", tmp_path / "answers.csv")
    cli("nli", "evaluate", "--gold", gold, *answers, *system, "-o", tmp_path / "n.csv")
    same(api.nli.evaluate(gold, ours, "sick").numbers, tmp_path / "n.csv")
    same(api.nli.evaluate(gold, tmp_path / "answers.csv", "sick").numbers, tmp_path / "n.csv")
    cli("nli", "translate", "--into", "assin2", "--gold", gold, "--output-file", tmp_path / "t.csv")
    same(api.nli.translate("assin2", gold=gold), tmp_path / "t.csv")
    sick, both = gold.with_name("sick.txt"), ("--both-directions", "--split", "TEST", "--sick-gold", "symmetric")
    cli("nli", "translate", "--into", "assin", "--gold", sick, "--output-file", tmp_path / "b.csv", *both)
    rows = api.nli.translate("assin", gold=sick, both_directions=True, split="TEST", sick_gold="symmetric")
    same(rows, tmp_path / "b.csv")


@pytest.mark.model
def test_swapped_pairs_and_data_frames_of_pairs():
    pairs = pd.DataFrame(
        {"premise": ["A cat sleeps.", "A dog runs."], "hypothesis": ["An animal sleeps.", "Nobody runs."],
         "label": ["entailment", "contradiction"]}
    )  # fmt: skip
    forward = api.nli.predict(pairs, gold_system="sick")
    turned = api.nli.predict(
        pairs.rename(columns={"premise": "hypothesis", "hypothesis": "premise"}), gold_system="sick"
    )
    both = api.nli.predict(pairs, gold_system="sick", both=True)
    assert both["label"].tolist() == forward["label"].tolist()
    assert both["reverse_label"].tolist() == turned["label"].tolist()
    assert forward["id"].tolist() == ["1", "2"]
