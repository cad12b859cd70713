"""`agreement evaluate` and `agreement predict`, and the tables that they read and write."""

import json

import pandas as pd
import pytest

from pairlens.analysis.agreement import agreement_numbers
from pairlens.files.tables import read_table
from pairlens.policies import Policy
from pairlens.studies.agreement.answers import UNSEEN, candidates, left_out, without
from pairlens.studies.agreement.predictions import predictions
from tests.refusals import error_of, refused

HEADER = "constr_id\tclass\tform\tcorrect_number\tfreq\tsent\tprobs\n"


def raw(*items):
    """A .raw-pred of items: number, right and wrong form, their log-probabilities; a form with * was never seen."""
    lines = []
    for place, (number, *forms, right, wrong) in enumerate(items):
        for label, form, value in zip(("correct", "wrong"), forms, (right, wrong), strict=True):
            word = form.strip("*")
            lines.append(f"{place}\t{label}\t{word}\t{number}\t{0 if '*' in form else 5}\tIl {word} . <eos>\t{value}")
    return HEADER + "\n".join(lines) + "\n"


SET = raw(("sing", "va", "vont", -1, -2), ("plur", "vont", "va", -3, -2), ("plur", "sont", "est", -2, -2),
          ("sing", "gît", "gisent*", -9.5, -9.5))  # fmt: skip


@pytest.mark.slow
def test_evaluate_writes_numbers_says_them_and_names_what_it_leaves_out(save, cli, tmp_path):
    target = tmp_path / "numbers.json"
    status, out, err = cli("agreement", "evaluate", "--predictions", save("a.raw-pred", SET), "-o", target)
    assert status == 0, err
    found = json.loads(target.read_text(encoding="utf-8"))
    assert (found["n"], found["right"], found["ties"], found["accuracy"]) == (3, 1.5, 1, 0.5)
    assert {name: row["right"] for name, row in found["by_number"].items()} == {"singular": 1.0, "plural": 0.5}
    assert found["by_attractors"] == {} and found["baselines"]["frequency"]["ties"] == 3
    assert (found["excluded"], found["out_of_vocabulary"]) == (1, ["a_3"])
    assert "Right in 1.5 of 3 items" in out and "not in the model's vocabulary: a_3" in out
    cli("agreement", "evaluate", "--predictions", save("a.raw-pred", SET), "--ties", "wrong", "-o", target)
    assert json.loads(target.read_text(encoding="utf-8"))["right"] == 1.0
    source = save("a.raw-pred", raw(("sing", "va", "vont", -1, -2), ("plur", "vont", "va", "", -2)))
    status, out, _ = cli("agreement", "evaluate", "--predictions", source, "-o", tmp_path / "n.json")
    assert status == 0 and "left out a_1: a form has no log-probability" in out
    found = json.loads((tmp_path / "n.json").read_text(encoding="utf-8"))
    assert found["left_out"] == {"a_1": "a form has no log-probability"} and found["out_of_vocabulary"] == []


def test_of_ties_those_of_known_forms_count_and_none_is_a_decision(save):
    table = candidates(save("a.raw-pred", SET))
    assert left_out(table) == {"a_3": UNSEEN}
    numbers = agreement_numbers(without(table, ["a_3"]), Policy())
    assert (numbers.overall["ties"], numbers.overall["excluded"]) == (1, 1)
    assert numbers.mean_log_ratio == pytest.approx((1 - 1 + 0) / 3)
    unscored = raw(("sing", "dort", "dorment", "", -1)).removeprefix(HEADER).replace("0\t", "4\t", 2)
    table = candidates(save("a.raw-pred", SET + unscored))
    assert predictions(table)["pred"].tolist() == ["sing", "sing", "_", "_", "_"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (raw(("sing", "va", "vont", 0.2, -2)), "a.raw-pred, row 2: '0.2' in column 'probs' is no natural logarithm"),
        (raw(("sing", "va", "vont", -1, "x")), "a.raw-pred, row 2: 'x' in column 'probs' is no natural logarithm"),
        (SET.replace("probs", "p"), "row 2: no column 'probs' with the log-probabilities of the forms. Found"),
        (HEADER, "a.raw-pred: no row below the column names"),
    ],
)
def test_what_is_no_log_probability_is_named(save, content, message):
    assert message in error_of(lambda: candidates(save("a.raw-pred", content)))


@pytest.mark.slow
def test_predict_writes_both_files_and_form_only_is_free(save, cli, unigram, tmp_path):
    source = save("set.txt", "the horses are tired\nthe horses is tired\nthe cat is tired .\nthe cat are tired .\n")
    save("set.tab", "form\tcorrect_number\nare\tplur\nis\tsing\n")
    target, decided = tmp_path / "out.raw-pred", tmp_path / "out.pred"
    asked = ("predict", "--model", unigram, "--input", source, "-o", target)
    status, out, err = cli("agreement", *asked, "--pred", decided)
    assert status == 0, err
    assert "Right in 1 of 2 items" in out and "scored 4, reused 0" in out
    assert "flips 0 of 2 decisions; in 0 pairs one form begins the other" in out
    rows = read_table(target)
    assert rows["form"].tolist() == ["are", "is", "is", "are"]
    assert rows["sent"].iloc[0] == "the horses are tired <eos>"
    values = pd.to_numeric(rows["probs"])
    assert values[0] == values[3] < values[1] == values[2] < 0
    assert read_table(decided)[["pred", "correct_number"]].to_numpy().tolist() == [["sing", "plur"], ["sing", "sing"]]
    _, again, _ = cli("agreement", *asked, "--rule", "form")
    assert "scored 0, reused 4" in again
    _, evaluated, _ = cli("agreement", "evaluate", "--predictions", target, "-o", tmp_path / "n.json")
    assert evaluated.splitlines()[0] == out.splitlines()[0]


@pytest.mark.model
def test_the_example_of_the_french_studies_is_answered_as_the_documents_say(save, cli, tmp_path):
    """One sentence with two forms is told where it is compared."""
    ends, written = ("acceptées sont intéressantes .", "acceptée sont intéressantes ."), tmp_path / "out.raw-pred"
    source = save("set.txt", "".join(f"Les offres que le directeur a {end}\n" for end in ends))
    asked = ("predict", "--model", "french-small", "--input", source, "-o", written)
    status, out, err = cli("agreement", *asked)
    assert status == 0 and "Right in 0 of 1 item" in out, err
    assert pd.to_numeric(read_table(written)["probs"]).round(2).tolist() == [-8.61, -7.81]
    save("set.txt", "Les offres que le directeur a acceptées / acceptée\n")
    refused(cli("agreement", *asked), "an odd number of sentences, 1", "`next-word --prefix --forms` compares forms")


def test_what_is_read_is_not_written_over(save, cli, unigram, tmp_path):
    source, more = save("a.raw-pred", SET), save("b.tab", "form\n" + "va\nvont\nsont\ngît\n")
    other, predict = tmp_path / "b.pred", ("predict", "--model", unigram, "--input", source, "-o")
    evaluate = ("evaluate", "--predictions", source, "--table", more, "-o")
    for asked in ((*predict, source), (*predict, other, "--pred", other), (*evaluate, source), (*evaluate, more)):
        refused(cli("agreement", *asked), "would be lost")
    refused(cli("agreement", *predict, other, "--rule", "from"), "Did you mean 'form'?")
    assert source.read_text(encoding="utf-8") == SET


def test_parses_fill_in_what_the_files_do_not_say(save, cli, tmp_path):
    sentence = "Il lit les lettres que j' ai"
    forms = (("correct", "lues", 1, -2), ("wrong", "lue", 2, -1))
    rows = (f"0\t{label}\t{form}\tplur\t{n}\t{sentence} {form}\t{value}\n" for label, form, n, value in forms)
    source = save("a.raw-pred", HEADER + "".join(rows))
    words = [f"{place}\t{word}\t_\tX\t_\t_\t0\tdep\t_\t_" for place, word in enumerate(sentence.split(), start=1)]
    words[3] = "4\tlettres\t_\tNOUN\t_\tNumber=Plur\t2\tobj\t_\t_"
    words.append("8\tlues\t_\tVERB\t_\tNumber=Plur\t4\tacl:relcl\t_\t_")
    target = tmp_path / "n.json"
    parses = save("a.conllu", "\n".join(words) + "\n")
    status, out, err = cli("agreement", "evaluate", "--predictions", source, "--conllu", parses, "-o", target)
    assert status == 0, err
    assert json.loads(target.read_text(encoding="utf-8"))["by_heuristics"]["4"]["n"] == 1  # no `que` as an object
    assert "Right by attractors: 0: 0.0" in out
