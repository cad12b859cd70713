"""The reader of agreement sets: its formats, what it knows of an item, and what it says about a bad file."""

import gzip
from itertools import compress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.models import find
from pairlens.policies import Policy
from pairlens.rules import RULES
from pairlens.scorers import SCORERS
from pairlens.scoring.recipe import Recipe
from pairlens.tasks import TASKS, agreement
from pairlens.types import Request
from tests.refusals import error_of

TWO_LINES = "Les lettres qu' elle a lues sont là . <eos>\nLes lettres qu' elle a lue sont là . <eos>\n"
COLUMNS = (
    "constr_id", "class", "form", "correct_number", "cls_noun_num", "cls_token_num", "fst_noun_num", "com_num",
    "que_n_num", "n_attrs", "freq", "prefix", "len_prefix", "len_context", "n_unk", "inverted_subj", "sent",
)  # fmt: skip
KNOWN = ["plur", "plur", "sing", "plur", "plur", "none", "0"]
LUES = ["7", "correct", "lues", *KNOWN, "12", "PREFIX", "5", "3", "0", "False", "SENT"]
LUE = ["7", "wrong", "lue", *KNOWN, "30", "PREFIX", "5", "3", "0", "False", "SENT"]


def tab(*rows, without=()):
    """A .tab with these rows of `COLUMNS`."""
    prefix = "Les lettres qu' elle a"
    fill = {"PREFIX": prefix}
    filled = [[fill.get(cell, cell.replace("SENT", f"{prefix} {row[2]} sont là .")) for cell in row] for row in rows]
    kept = [name not in without for name in COLUMNS]
    return "".join("\t".join(compress(line, kept)) + "\n" for line in (COLUMNS, *filled))


def read(path):
    return list(TASKS["agreement"].read(path))


def forms(item):
    return [one.text[slice(*one.regions["form"])] for one in item.candidates]


def test_two_lines_become_an_item_whose_form_or_whole_is_asked_about(save):
    (item,) = read(save("set.txt", TWO_LINES))
    right, wrong = item.candidates
    assert (item.id, item.gold, right.label, wrong.label) == ("set_0", "correct", "correct", "wrong")
    assert right.context == wrong.context == "Les lettres qu' elle a"
    assert (right.text, wrong.text) == (" lues sont là .", " lue sont là .")
    assert forms(item) == ["lues", "lue"]
    assert item.groups["contrast"] == "lues|lue" and item.groups["constr_id"] == "0"
    assert {item.groups[name] for name in ("number", "attractors", "heuristics", "inverted", "com")} == {"unknown"}
    (item,) = read(save("set.txt", TWO_LINES))
    asked = {rule: RULES[rule].terms(item.candidates[0]) for rule in TASKS["agreement"].rules}
    assert asked["word"] == asked["form"] == (Request("Les lettres qu' elle a", " lues"),)
    assert asked["joint"] == (Request("", "Les lettres qu' elle a lues sont là ."),)


def test_marks_at_both_forms_are_no_part_of_them_and_blank_lines_and_signs_are_skipped(save):
    text = "\n<bos> The cats  sleep!\nThe cats sleeps!\n\nIt's here.\nIt’s here.\n"
    first, second = read(save("set.text", text))
    assert [one.text for one in first.candidates] == [" sleep!", " sleeps!"]
    assert [one.regions["form"] for one in first.candidates] == [(1, 6), (1, 7)]
    whole = [(one.context, one.text, one.regions["form"]) for one in second.candidates]
    assert whole == [("", "It's here.", (0, 4)), ("", "It’s here.", (0, 4))]


@pytest.mark.parametrize(
    ("right", "wrong", "expected"),
    [("sont ...", "est ...", "sont est"), ("sont...", "est.", "sont... est."), ("l' an", "d' an", "l' d'"),
     ("हैं।", "है।", "हैं है"), ("!", "?", "! ?")],
)  # fmt: skip
def test_what_is_part_of_a_form(save, right, wrong, expected):
    (item,) = read(save("set.txt", f"A {right}\nA {wrong}\n"))
    assert forms(item) == expected.split()


WORDS = st.lists(st.text("abc'é.", min_size=1, max_size=5), max_size=5)


@given(before=WORDS, after=WORDS, marks=st.sampled_from(["", ".", " ?", "..."]))
def test_nothing_of_a_sentence_is_lost(save, before, after, marks):
    sentences = [" ".join([*before, form + marks, *after]) for form in ("sont", "est")]
    (item,) = read(save("set.txt", "\n".join(sentences)))
    assert [one.context + one.text for one in item.candidates] == sentences
    assert forms(item) == ["sont", "est"]


def test_a_table_beside_the_sentences_says_more_about_them_also_with_a_row_per_item(save):
    path = save("set.txt.gz", gzip.compress(TWO_LINES.encode()))
    save("set.tab", tab(LUES, LUE))
    (item,) = read(path)
    expected = {
        "number": "plural", "heuristics": "3", "cls_noun": "plural", "cls_token": "singular", "que_n": "none",
        "attractors": "0", "distance": "3", "prefix_length": "5", "unknown": "0", "inverted": "no",
        "frequency_correct": "12", "frequency_wrong": "30", "constr_id": "7", "type": "unknown",
    }  # fmt: skip
    assert expected.items() <= item.groups.items()
    assert read(path.parent) == [item]
    save("set.tab", tab(LUES, without=("class", "que_n_num", "n_unk")))
    (item,) = read(save("set.txt", TWO_LINES))
    assert item.groups["number"] == "plural" and item.groups["frequency_correct"] == "12"
    for name in ("que_n", "heuristics", "unknown", "frequency_wrong"):
        assert item.groups[name] == "unknown", name


def test_a_table_of_another_name_is_given_one_alone_is_enough_and_marks_and_unknown_words_are_read(save):
    (item,) = agreement.read(save("set.txt", TWO_LINES), save("other.tab", tab(LUES, LUE)))
    assert item.groups["constr_id"] == "7"
    (item,), (of_table,) = read(save("set.txt", TWO_LINES)), read(save("alone.tab", tab(LUE, LUES)))
    assert of_table.candidates == item.candidates and of_table.groups["frequency_correct"] == "12"
    rows = tab(LUES, LUE).replace("lues sont là .\n", "lues.\n").replace("lue sont là .\n", "lue.\n")
    (item,) = read(save("alone.tab", rows.replace("Les lettres qu' elle a\t", "Les <unk> qu' elle a\t")))
    assert [one.text for one in item.candidates] == [" lues.", " lue."]
    assert item.candidates[0].context == "Les lettres qu' elle a"


@pytest.mark.parametrize("quoted", [True, False])
def test_predictions_are_read_with_and_without_quotation(save, quoted):
    rows = [("class", "form", "sent")]
    for name, form in (("correct", "ri"), ("wrong", "ries")):
        sentence = f'" Elle a {form} " , dit -il . <eos>'
        rows.append((name, form, '"' + sentence.replace('"', '""') + '"' if quoted else sentence))
    (item,) = read(save("set.raw-pred", "".join("\t".join(row) + "\n" for row in rows)))
    assert (item.candidates[0].context, item.candidates[0].text) == ('" Elle a', ' ri " , dit -il .')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Il vient .\n", "set.txt, line 1: an odd number of sentences, 1."),
        ("A b .\nA c .\n\nA d .\n", "set.txt, line 4: an odd number of sentences, 3."),
        ("\n \n", "set.txt, line 1: no sentence"),
        ("A b .\nA b .\n", "set.txt, line 1: the right and the wrong sentence are the same"),
        ("A b .\nA c .\nA b c .\nA c b .\n", "set.txt, line 3: the right and the wrong sentence differ in 2 words"),
        ("A b .\nA c d .\n", "set.txt, line 1: the right sentence has 3 words and the wrong one 4"),
    ],
)
def test_lines_that_are_no_pairs_are_named(save, text, message):
    assert message in error_of(lambda: read(save("set.txt", text)))


UNE = tab(LUES, LUE).replace("Les lettres qu' elle a\t", "Une\t")


@pytest.mark.parametrize(
    ("name", "table", "message"),
    [
        ("set", tab(LUES, LUE, LUES), "found 3 rows. Expected 1, one per item of set.txt, or 2, one per form."),
        ("set", tab(LUE, LUES), "row 2: the form is 'lue', but set.txt, line 1 has 'lues'"),
        ("set", tab(), "no row below"),
        ("alone", tab(LUES, without=("class",)), "has only the right form of each item (no column class)"),
        ("alone", tab(LUES, LUE, LUES), "row 4: expected two rows here, of class 'correct' and 'wrong'"),
        ("alone", tab(LUES, LUES), "row 2: expected two rows here"),
        ("alone", tab(LUES, ["8", *LUE[1:]]), "row 2: this row and the next have different values of constr_id"),
        ("alone", UNE.replace("\tUne\t", "\tLes lettres qu' elle a\t", 1), "row 2: the two rows of this item have"),
        ("alone", UNE, "row 2: the prefix is not the beginning"),
    ],
)
def test_rows_about_other_items_or_no_pairs_are_named(save, name, table, message):
    path, sentences = save(f"{name}.tab", table), save("set.txt", TWO_LINES)
    said = error_of(lambda: read(sentences if name == "set" else path))
    assert said.startswith(f"{name}.tab") and message in said


def test_files_that_alone_make_no_items_are_refused(save):
    assert "x.pred: a .pred file has one form per item" in error_of(lambda: read(save("x.pred", "a\tb\n1\t2\n")))
    for name in ("set", "x.csv", "set.csv.txt.bak", "SET.XLSX"):
        said = error_of(lambda name=name: read(save(name, "a,b\n1,2\n")))
        assert f"{name}: cannot read a file of this kind. Expected .txt" in said
    save("a.txt", TWO_LINES)
    table = save("b.txt", TWO_LINES)
    (table.parent / "x.pred").unlink()
    assert "holds 2 sets" in error_of(lambda: list(agreement.read(table.parent, table)))


@pytest.mark.parametrize(
    ("context", "continuation", "expected"),
    [
        ("les gens qu' il", " aime .", ("les gens qu'il", " aime.")),
        ("ce qu' il s'", " aime", ("ce qu'il s'", "aime")),
    ],
)
def test_a_form_joins_a_clitic_before_it(unigram, context, continuation, expected):
    recipe = Recipe(find(unigram), SCORERS["unigram"], Policy(detokenise="fr"))
    request = recipe.request(Request(context, continuation))
    assert (request.context, request.continuation) == expected
    assert request.text == recipe.request(Request("", context + continuation)).text
