"""The surface heuristics: by hand on small parses, and against the published values."""

from dataclasses import replace

import pytest

from pairlens.studies.agreement.heuristics import described, groups_of, read_parses
from pairlens.tasks import TASKS
from pairlens.types import Candidate, Item
from tests.refusals import error_of

WRITTEN = "Hier le roi a vu les lettres du ministre que nous avons lues"
PARSE = """# text = Hier ...
1	Hier	hier	ADV	_	_	5	advmod	_	_
2	le	le	DET	_	Number=Sing	3	det	_	_
3	roi	roi	NOUN	_	Number=Sing	5	nsubj	_	_
4	a	avoir	AUX	_	Number=Sing	5	aux	_	_
5	vu	voir	VERB	_	_	0	root	_	_
6	les	le	DET	_	Number=Plur	7	det	_	_
7	lettres	lettre	NOUN	_	Number=Plur	5	obj	_	_
8-9	du	_	_	_	_	_	_	_	_
8	de	de	ADP	_	_	10	case	_	_
9	le	le	DET	_	Number=Sing	10	det	_	_
10	ministre	ministre	NOUN	_	Number=Sing	7	nmod	_	_
11	que	que	PRON	_	_	14	obj	_	_
12	nous	nous	PRON	_	Number=Plur	14	nsubj	_	_
13	avons	avoir	AUX	_	Number=Plur	14	aux	_	_
14	lues	lire	VERB	_	Number=Plur	7	acl:relcl	_	_
"""


def parse_of(save, text=PARSE, written=WRITTEN):
    return read_parses(save("x.conllu", text))[tuple(written.split())]


def test_the_first_noun_a_majority_and_nouns_without_a_number_by_hand(save):
    """Before *lues*, le roi a ministre are singular, les lettres nous avons plural; *du* shows no number."""
    found = groups_of(parse_of(save), 12)
    assert found["com"] == "plural"  # four of each (with the *le* of *du*, five to four), and the nearest is avons
    assert (found["fst_noun"], found["cls_noun"], found["attractors"]) == ("singular", "singular", "1")
    changed = PARSE.replace("3	roi	roi	NOUN", "3	roi	roi	PROPN")
    assert groups_of(parse_of(save, changed), 12)["fst_noun"] == "plural"
    silent = PARSE.replace("12	nous	nous	PRON	_	Number=Plur", "12	nous	nous	PRON	_	_")
    assert groups_of(parse_of(save, silent), 12)["com"] == "singular"  # four to three, though the nearest is avons
    silent = PARSE.replace("NOUN	_	Number=Sing	7", "NOUN	_	_	7")
    found = groups_of(parse_of(save, silent), 12)
    assert (found["cls_noun"], found["attractors"], found["que_n"]) == ("plural", "0", "plural")


def test_a_subject_after_the_participle_is_inverted_if_there_is_just_one_and_other_words_have_no_heuristics(save):
    none = PARSE.replace("14	nsubj", "14	dep")
    for text in (none, PARSE.replace("ADV	_	_	5	advmod", "ADV	_	_	14	nsubj:pass")):
        assert groups_of(parse_of(save, text), 12)["inverted"] == "undetermined"
    text = none + "15	amis	ami	NOUN	_	Number=Plur	14	nsubj	_	_\n"
    assert groups_of(parse_of(save, text, WRITTEN + " amis"), 12)["inverted"] == "yes"
    assert groups_of(parse_of(save), 4) == {} == groups_of(parse_of(save), 99)


def test_what_the_files_say_is_kept_and_the_rest_is_computed(save):
    sentences = save("set.txt", f"{WRITTEN} <eos>\n{WRITTEN.removesuffix('s')} <eos>\n")
    (item,) = TASKS["agreement"].read(sentences)
    parses = read_parses(save("x.conllu", PARSE))
    told = described(item, parses)
    assert (told.groups["number"], told.groups["heuristics"], told.groups["que_n"]) == ("plural", "2", "singular")
    kept = described(replace(item, groups={**item.groups, "cls_noun": "plural"}), parses)
    assert (kept.groups["cls_noun"], kept.groups["heuristics"]) == ("plural", "3")
    other = Item("x", (Candidate(" b", "correct", "a"),), "correct", item.groups)
    assert described(other, parses) is other


@pytest.mark.parametrize(
    ("line", "message"),
    [("1	a	b", "x.conllu, line 1: found 3 columns, expected the 10"),
     ("x	a	b	c	d	_	0	root	_	_", "x.conllu, line 1: the columns ID, HEAD and FEATS"),
     ("1	a	b	c	d	Number	0	root	_	_", "x.conllu, line 1: the columns ID, HEAD and FEATS")],
)  # fmt: skip
def test_a_line_that_is_no_conllu_is_named(save, line, message):
    assert message in error_of(lambda: read_parses(save("x.conllu", line + "\n")))


def test_all_published_values_are_reproduced(shared_data):
    """Five heuristics, attractors, distances, the place of que and inversion: 103 of 103 each."""
    folder = shared_data("french_obj_pp/data")
    parses = read_parses(folder / "treebanks/French/ud_treebank-103.conllu.gz")
    items = list(TASKS["agreement"].read(folder / "agreement/French"))
    assert len(items) == 103
    for item in items:
        right = item.candidates[0]
        place = len(right.context.split())
        computed = groups_of(parses[tuple((right.context + right.text).split())], place)
        assert len(computed) == 11
        assert computed.items() <= item.groups.items(), item.id
