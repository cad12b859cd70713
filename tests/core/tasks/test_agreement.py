"""The reader of agreement sets: its formats, what it knows of an item, and what it says about a bad file."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.tables import read_table, write_table
from core.models import find
from core.policies import Policy
from core.rules import RULES
from core.scorers import SCORERS
from core.scoring.recipe import Recipe
from core.tasks import TASKS, agreement
from core.types import Item, Request
from tests.refusals import error_of

Save = Callable[..., Path]

TWO_LINES = "Les lettres qu' elle a lues sont là . <eos>\nLes lettres qu' elle a lue sont là . <eos>\n"
COLUMNS = (
    "constr_id", "class", "form", "correct_number", "cls_noun_num", "cls_token_num", "fst_noun_num", "com_num",
    "que_n_num", "n_attrs", "freq", "prefix", "len_prefix", "len_context", "n_unk", "inverted_subj", "sent",
)  # fmt: skip
KNOWN = ["plur", "plur", "sing", "plur", "plur", "none", "0"]
LUES = ["7", "correct", "lues", *KNOWN, "12", "PREFIX", "5", "3", "0", "False", "SENT"]
LUE = ["7", "wrong", "lue", *KNOWN, "30", "PREFIX", "5", "3", "0", "False", "SENT"]


def tab(*rows: list[str], without: tuple[str, ...] = ()) -> str:
    """A .tab with these rows of `COLUMNS`."""
    prefix = "Les lettres qu' elle a"
    kept = [place for place, name in enumerate(COLUMNS) if name not in without]
    table = [list(COLUMNS)]
    for row in rows:
        table.append([cell.replace("PREFIX", prefix).replace("SENT", f"{prefix} {row[2]} sont là .") for cell in row])
    return "".join("\t".join(line[place] for place in kept) + "\n" for line in table)


def read(path: Path) -> list[Item]:
    return list(TASKS["agreement"].read(path))


def test_two_lines_become_an_item_with_its_form_marked(save):
    (item,) = read(save("set.txt", TWO_LINES))
    right, wrong = item.candidates
    assert (item.id, item.gold, right.label, wrong.label) == ("set_0", "correct", "correct", "wrong")
    assert right.context == wrong.context == "Les lettres qu' elle a"
    assert (right.text, wrong.text) == (" lues sont là .", " lue sont là .")
    assert [one.text[slice(*one.regions["form"])] for one in item.candidates] == ["lues", "lue"]
    assert item.groups["contrast"] == "lues|lue" and item.groups["constr_id"] == "0"
    assert {item.groups[name] for name in ("number", "attractors", "heuristics", "inverted", "com")} == {"unknown"}


def test_marks_at_both_forms_are_no_part_of_them_and_blank_lines_and_signs_are_skipped(save):
    text = "\n<bos> The cats  sleep!\nThe cats sleeps!\n\nIt's here.\nIt’s here.\n"
    first, second = read(save("set.text", text))
    assert [one.text for one in first.candidates] == [" sleep!", " sleeps!"]
    assert [one.regions["form"] for one in first.candidates] == [(1, 6), (1, 7)]
    assert [(one.context, one.text, one.regions["form"]) for one in second.candidates] == [
        ("", "It's here.", (0, 4)),
        ("", "It’s here.", (0, 4)),
    ]


@pytest.mark.parametrize(
    ("right", "wrong", "forms"),
    [
        ("sont ...", "est ...", ("sont", "est")),
        ("sont...", "est.", ("sont...", "est.")),
        ("l' an", "d' an", ("l'", "d'")),
        ("हैं।", "है।", ("हैं", "है")),
        ("थीं।", "हैं।", ("थीं", "हैं")),
        ("!", "?", ("!", "?")),
    ],
)
def test_what_is_part_of_a_form(save, right, wrong, forms):
    (item,) = read(save("set.txt", f"A {right}\nA {wrong}\n"))
    assert tuple(one.text[slice(*one.regions["form"])] for one in item.candidates) == forms


WORDS = st.lists(st.text("abc'é.", min_size=1, max_size=5), max_size=5)


@given(before=WORDS, after=WORDS, marks=st.sampled_from(["", ".", " ?", "..."]))
def test_nothing_of_a_sentence_is_lost(tmp_path_factory, before, after, marks):
    path = tmp_path_factory.mktemp("set") / "set.txt"
    sentences = [" ".join([*before, form + marks, *after]) for form in ("sont", "est")]
    path.write_text("\n".join(sentences), encoding="utf-8")
    (item,) = read(path)
    assert [one.context + one.text for one in item.candidates] == sentences
    assert [one.text[slice(*one.regions["form"])] for one in item.candidates] == ["sont", "est"]


def test_a_table_beside_the_sentences_says_more_about_them(save):
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


def test_a_row_per_item_without_class_is_enough_beside_the_sentences(save):
    save("set.tab", tab(LUES, without=("class", "que_n_num", "n_unk")))
    (item,) = read(save("set.txt", TWO_LINES))
    assert item.groups["number"] == "plural" and item.groups["frequency_correct"] == "12"
    for name in ("que_n", "heuristics", "unknown", "frequency_wrong"):
        assert item.groups[name] == "unknown", name


def test_a_table_with_another_name_is_given_explicitly(save):
    sentences, table = save("set.txt", TWO_LINES), save("other.tab", tab(LUES, LUE))
    (item,) = agreement.read(sentences, table)
    assert item.groups["constr_id"] == "7"


def test_a_table_alone_makes_the_same_candidates_whichever_form_comes_first(save):
    (item,), (of_table,) = read(save("set.txt", TWO_LINES)), read(save("alone.tab", tab(LUE, LUES)))
    assert of_table.candidates == item.candidates
    assert of_table.groups["frequency_correct"] == "12"


def test_a_mark_after_the_form_in_a_table_is_kept(save):
    rows = tab(LUES, LUE).replace("lues sont là .\n", "lues.\n").replace("lue sont là .\n", "lue.\n")
    (item,) = read(save("alone.tab", rows))
    assert [one.text for one in item.candidates] == [" lues.", " lue."]


def test_unknown_words_of_a_prefix_are_read_from_the_sentence(save):
    rows = tab(LUES, LUE).replace("Les lettres qu' elle a\t", "Les <unk> qu' elle a\t")
    (item,) = read(save("alone.tab", rows))
    assert item.candidates[0].context == "Les lettres qu' elle a"


@pytest.mark.parametrize("quoted", [True, False])
def test_predictions_are_read_with_and_without_quotation(save, quoted):
    lines = ["class\tform\tsent"]
    for name, form in (("correct", "ri"), ("wrong", "ries")):
        sentence = f'" Elle a {form} " , dit -il . <eos>'
        written = '"' + sentence.replace('"', '""') + '"' if quoted else sentence
        lines.append(f"{name}\t{form}\t{written}")
    (item,) = read(save("set.raw-pred", "\n".join(lines) + "\n"))
    assert item.candidates[0].context == '" Elle a'
    assert item.candidates[0].text == ' ri " , dit -il .'


def test_raw_predictions_and_decisions_are_written_as_published(tmp_path):
    published = 'a\tb\n0\t"il dit "" oui "" . <eos>"\n'
    for name in ("x.raw-pred", "x.pred"):
        (tmp_path / name).write_text(published, encoding="utf-8")
        table = read_table(tmp_path / name)
        assert table["b"].tolist() == ['il dit " oui " . <eos>']
        write_table(table, tmp_path / f"y{name}")
        assert (tmp_path / f"y{name}").read_text(encoding="utf-8") == published


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
)  # fmt: skip
def test_lines_that_are_no_pairs_are_named(save, text, message):
    assert message in error_of(lambda: read(save("set.txt", text)))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (tab(LUES, LUE, LUES), "set.tab: found 3 rows. Expected 1, one per item of set.txt, or 2, one per form."),
        (tab(LUE, LUES), "set.tab, row 2: the form is 'lue', but set.txt, line 1 has 'lues'"),
        (tab(), "set.tab: no row below"),
    ],
)
def test_a_table_about_other_items_is_refused(save, table, message):
    save("set.tab", table)
    assert message in error_of(lambda: read(save("set.txt", TWO_LINES)))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (tab(LUES, without=("class",)), "alone.tab: has only the right form of each item (no column class)"),
        (tab(LUES, LUE, LUES), "alone.tab, row 4: expected two rows here, of class 'correct' and 'wrong'"),
        (tab(LUES, LUES), "alone.tab, row 2: expected two rows here"),
        (tab(LUES, ["8", *LUE[1:]]), "alone.tab, row 2: this row and the next have different values of constr_id"),
        (
            tab(LUES, LUE).replace("Les lettres qu' elle a\t", "Une\t", 1),
            "row 2: the two rows of this item have",
        ),
        (tab(LUES, LUE).replace("Les lettres qu' elle a\t", "Une\t"), "row 2: the prefix is not the beginning"),
    ],
)
def test_rows_that_are_no_pairs_are_named(save, table, message):
    assert message in error_of(lambda: read(save("alone.tab", table)))


def test_files_that_alone_make_no_items_are_refused(save):
    assert "x.pred: a .pred file has one form per item" in error_of(lambda: read(save("x.pred", "a\tb\n1\t2\n")))
    assert "x.csv: cannot read a file of this kind" in error_of(lambda: read(save("x.csv", "a,b\n1,2\n")))
    save("a.txt", TWO_LINES)
    table = save("b.txt", TWO_LINES)
    (table.parent / "x.pred").unlink()
    assert "holds 2 sets" in error_of(lambda: list(agreement.read(table.parent, table)))


def test_rules_ask_about_the_form_or_the_whole(save):
    (item,) = read(save("set.txt", TWO_LINES))
    asked = {rule: RULES[rule].terms(item.candidates[0]) for rule in TASKS["agreement"].rules}
    assert asked["word"] == asked["form"] == (Request("Les lettres qu' elle a", " lues"),)
    assert asked["joint"] == (Request("", "Les lettres qu' elle a lues sont là ."),)


@pytest.mark.parametrize(
    ("context", "continuation", "expected"),
    [
        ("les gens qu' il", " aime .", ("les gens qu'il", " aime.")),
        ("ce qu' il s'", " aime", ("ce qu'il s'", "aime")),
        ("les fleurs qu'", " ont plantées", ("les fleurs qu'", "ont plantées")),
    ],
)
def test_a_form_joins_a_clitic_before_it(unigram, context, continuation, expected):
    recipe = Recipe(find(unigram), SCORERS["unigram"], Policy(detokenise="fr"))
    request = recipe.request(Request(context, continuation))
    assert (request.context, request.continuation) == expected
    assert request.text == recipe.request(Request("", context + continuation)).text


@pytest.mark.parametrize("name", ["set", "set.csv", "set.csv.txt.bak", "SET.XLSX"])
def test_a_file_of_another_kind_or_without_ending(save, name):
    assert "cannot read a file of this kind. Expected .txt" in error_of(lambda: read(save(name, "a,b\n1,2\n")))
