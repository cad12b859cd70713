"""Pairs in any table: columns guessed or named, one row or two, delimiters, encodings, and what is wrong in words."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pairlens
from pairlens.cli import main
from pairlens.evaluation import command
from pairlens.evaluation.requests import plan
from pairlens.evaluation.result import read
from pairlens.files.tables import Layout
from pairlens.places import FOLDER as ROOT
from pairlens.store import Store
from pairlens.tasks import TASKS
from pairlens.tasks._pair_columns import TEXTS, Roles, completed, pairs_in
from pairlens.tasks.pairs import with_columns
from tests.refusals import error_of

PAIRS = TASKS["pairs"]
FRENCH = ROOT / "data" / "samples" / "pairs_french"


def items(path, delimiter="", encoding="", **roles):
    return list(with_columns(PAIRS, Roles(**roles), Layout(delimiter, encoding)).read(path))


def texts(found):
    return [tuple(candidate.text for candidate in item.candidates) for item in found]


def test_usual_names_are_found_and_others_can_be_named_the_first_group_as_the_paradigm(save):
    for good, bad in TEXTS:
        assert texts(items(save("a.csv", f"{bad.title()},{good.upper()}\nB.,G.\n"))) == [("G.", "B.")]
    path = save("a.csv", "oui,non,thème,niveau,UID\nG.,B.,accord,facile,9\n")
    task = with_columns(PAIRS, Roles(good="oui", bad="non", group=("thème", "niveau")))
    (item,) = task.read(path)
    assert texts([item]) == [("G.", "B.")]
    assert item.groups == {
        "UID": "accord", "thème": "accord", "niveau": "facile", "given_UID": "9", "contrast": "g.|b.",
    }  # fmt: skip
    assert task.groups == ("UID", "niveau") and task.averaged == ("UID",)


@pytest.mark.parametrize(
    ("header", "row", "uid"),
    [
        ("good_sentence;bad_sentence;good_cue;phenomenon", "G.;B.;x;binding", "binding"),  # TurBLiMP
        ("ID,bad_sentence,good_sentence,phenomenon,paradigm", "0,B.,G.,ellipsis,gapping", "gapping"),  # JBLiMP
        ("id,source_sentence,target_sentence,phenomenon,PID", "9,G.,B.,Tense,marker", "marker"),  # RuBLiMP
        ("sentence_good,sentence_bad,phenomenon,paradigm,field", "G.,B.,Aspect,guo,syntax", "guo"),  # SLING, ZhoBLiMP
        ("sen\twrong_sen\tlanguage", "G.\tB.\tfra", "pairs"),  # MultiBLiMP
        ("good,bad,UID,paradigm", "G.,B.,u,p", "u"),
    ],
)
def test_descendants_of_blimp_are_read_as_they_are(save, header, row, uid):
    (item,) = items(save("a.csv", f"{header}\n{row}\n"))
    assert texts([item]) == [("G.", "B.")] and item.groups["UID"] == uid and item.gold == "good"


ROWS = (
    "pair,sentence,comparison,kind,n\n"
    "1,G1.,expected ,a,1\n2,B2., unexpected,b,2\n1,B1.,unexpected,a,3\n2,G2.,expected,b,4\n"
)


def test_a_pair_is_two_rows_wherever_they_stand_or_one_in_any_kind_of_table(save, tmp_path):
    first, second = items(save("a.csv", ROWS))
    assert texts([first, second]) == [("G1.", "B1."), ("G2.", "B2.")]
    assert first.groups == {"UID": "pairs", "pair": "1", "kind": "a", "contrast": "g1.|b1."}, "n differs within pairs"
    save("a.csv", "good_sentence;bad_sentence\nA.;B.\n")
    save("b.jsonl", '{"sen": "C.", "wrong_sen": "D.", "n": 3.0, "none": null}\n')
    found = items(tmp_path)
    assert texts(found) == [("A.", "B."), ("C.", "D.")] and [one.id for one in found] == ["pair_0", "pair_1"]
    assert (found[1].groups["n"], found[1].groups["none"]) == ("3", "")


def test_rows_and_labels_can_be_named_and_groups_tell_pairs_of_one_item_apart(save):
    path = save("a.csv", "satz,ok,nr\nG.,1,x\nB.,0,x\n")
    assert texts(items(path, sentence="satz", label="ok", item="nr", good="1", bad="0")) == [("G.", "B.")]
    said = error_of(lambda: items(path, sentence="satz", label="ok", item="nr"))
    assert "column 'ok' says 0, 1: name what is good" in said
    rows = [f"1,{c}{side}.,{label},{c}" for c in "xy" for side, label in (("G", "good"), ("B", "bad"))]
    path = save("a.csv", "item,sentence,grammaticality,cell\n" + "\n".join(rows) + "\n")
    found = items(path, group=("cell",))
    assert texts(found) == [("xG.", "xB."), ("yG.", "yB.")] and [i.groups["UID"] for i in found] == ["x", "y"]
    assert "row 4: row 2 is 'good' of the same pair already" in error_of(lambda: items(path))


CELLS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1).filter(str.strip)


@pytest.mark.slow
@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6), st.randoms())
def test_one_row_or_two_in_any_order_are_the_same_pairs(pairs, random):
    wide = pd.DataFrame(pairs, columns=["good", "bad"])
    labelled = [zip(pair, ("good", "bad"), strict=True) for pair in pairs]
    rows = [(str(n), text, label) for n, pair in enumerate(labelled) for text, label in pair]
    random.shuffle(rows)
    long = pd.DataFrame(rows, columns=["item", "sentence", "grammaticality"])
    for table in (wide, long):
        found = pairs_in(table, completed(table, Roles(), ""), "")
        assert sorted((good, bad) for _, good, bad, _ in found) == sorted(pairs)


def test_a_wrong_guess_can_be_corrected(save):
    path = save("a.csv", "good|bad\nŁódź, tu.|Łódź, tam.\n", "cp1250")
    assert texts(items(path, "|", "mac_roman")) != [("Łódź, tu.", "Łódź, tam.")]
    assert texts(items(path, "|", "cp1250")) == [("Łódź, tu.", "Łódź, tam.")]
    task = with_columns(PAIRS, Roles(), Layout("|", "cp1250"))
    assert task.in_words(path).endswith("Read as Windows-1250 (central Europe) with vertical bars between columns.")


def test_of_thirty_six_columns_and_our_french_table_the_groups_are_read(save):
    names = [f"column {n}" for n in range(34)]
    rows = [[*names[:20], "bad", "good", *names[20:]], [*map(str, range(35)), "35 "]]
    (item,) = items(save("a.tsv", "".join("\t".join(row) + "\n" for row in rows)))
    assert texts([item]) == [("21", "20")] and len(item.groups) == 36
    assert (item.groups["column 0"], item.groups["column 33"]) == ("0", "35")
    found = items(FRENCH)
    assert len(found) == 12 and {item.groups["UID"] for item in found} == {"agreement", "gender"}
    assert texts(found)[0] == ("Les clés du coffre sont sur l'étagère.", "Les clés du coffre est sur l'étagère.")
    assert found[0].groups["frequency"] == "3,4"
    assert PAIRS.in_words(FRENCH) == (
        "Columns: sentences = sentence · grammaticality says grammatical or ungrammatical · pairs = item · "
        "paradigm = phenomenon. Read as UTF-8 (byte-order mark) with semicolons between columns."
    )


@pytest.mark.parametrize(
    ("content", "roles", "sentence"),
    [
        ("oui,non\nG.,B.\n", {}, "name those that hold the good texts and the bad ones; found oui, non"),
        ("oui,non\nG.,B.\n", {"good": "ouii", "bad": "non"}, "There is no column 'ouii'. Did you mean 'oui'?"),
        ("oui,non\nG.,B.\n", {"good": "oui"}, "name both columns"),
        ("oui,non\nG.,B.\n", {"good": "oui", "bad": "oui"}, "'oui' cannot be both the good one and the bad one"),
        (ROWS, {"label": "comparison", "good": "unexpected"}, "'unexpected' cannot be both the good one"),
        ("good,bad\nG.,B.\n", {"group": ("kind",)}, "There is no column 'kind'"),
        ("good,bad\nG.,B.\nG.,\n", {}, "a.csv, row 3: column 'bad' has no text"),
        ("good,bad\n", {}, "a.csv: no pair below the column names"),
        ("sentence,comparison\nG.,good\n", {}, "that says which two belong together: name it (item)"),
        (ROWS.replace("2,B2., unexpected", "2,B2.,x"), {}, "row 3: 'x' is neither 'expected' nor 'unexpected'"),
        (ROWS.replace("2,B2.,", "3,B2.,"), {}, "row 3: its pair has no sentence that is 'expected'"),
        (ROWS.replace("B1.", " "), {}, "a.csv, row 4: column 'sentence' has no text"),
    ],
)  # fmt: skip
def test_it_is_one_sentence(save, content, roles, sentence):
    assert sentence in error_of(lambda: items(save("a.csv", content), **roles))


TABLE = "oui;non;thème;niveau\nthe horses are;the horses is;accord;un\nthe cat is;the cat are;accord;deux\n"


@pytest.mark.slow
def test_the_command_line_reads_a_table_and_says_how(save, unigram, tmp_path, capsys):
    path, recipe = save("a.csv", TABLE, "cp1252"), pairlens.recipe(unigram)
    roles = Roles(good="oui", bad="non", group=("thème", "niveau"))
    task = with_columns(PAIRS, roles, Layout(";", "cp1252"))
    asked = command.zero_shot("pairs", path, recipe, tmp_path / "out", options=command.options_of(task))
    assert main(asked) == 0
    assert "good = oui · bad = non · paradigm = thème. Read as Windows-1252" in capsys.readouterr().err
    run_id = plan(task, task.read(path), recipe).run_id
    result = read(Store(), run_id)
    assert set(result.metrics["group_by"]) == {"overall", "UID", "niveau"} and result.task.groups == task.groups
    assert run_id != plan(PAIRS, task.read(path), recipe).run_id, "other groups, other numbers, another run"


def test_only_this_task_can_be_told_about_columns_each_by_an_option():
    task = with_columns(PAIRS, Roles("a", "b", "c", "d", "e", ("f", "g")), Layout(";", "cp1252", "none", "Items"))
    assert " ".join(command.options_of(task)) == (
        "--good a --bad b --sentence c --label d --item e --delimiter ; --encoding cp1252 --quoting none "
        "--sheet Items --group f --group g"
    )
    assert command.options_of(PAIRS) == command.options_of(TASKS["blimp"]) == []
    assert with_columns(TASKS["blimp"], Roles()) is TASKS["blimp"]
    assert "only for --task pairs" in error_of(lambda: with_columns(TASKS["blimp"], Roles(good="x")))
