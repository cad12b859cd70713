"""Answers from files, and which pair each belongs to."""

import json
import math

import pytest

from pairlens.errors import InputError
from pairlens.files.nli.pairs import Corpus, Pair, Predictions
from pairlens.places import FOLDER as ROOT
from pairlens.studies.nli.matched import NO_ANSWER, NO_GOLD, NO_PAIR, NO_TURNED_PAIR, match, read_predictions
from tests.refusals import error_of

SAMPLES = ROOT / "data" / "samples" / "nli"
IDS, LABELS, REVERSE = ["1", "2"], ["entailment", "none"], ["none", "entailment"]


def corpus(*ids, gold="none"):
    return Corpus("c.xml", "assin2", [Pair(identifier, "a", "b", gold) for identifier in ids])


def test_answers_are_read_from_every_format_with_relatedness_numbers_as_ids_and_other_names(save):
    both = "id,label,reverse_label\n1,entailment,none\n2,none,entailment\n"
    records = [{"id": i, "label": f, "reverse_label": r} for i, f, r in zip(IDS, LABELS, REVERSE, strict=True)]
    files = [
        save("a.csv", both),
        save("b.tsv", both.replace(",", "\t")),
        save("c.csv", both.replace(",", ";").replace("id;label;reverse_label", "ID;Prediction;Reverse")),
        save("d.jsonl", "\n".join(map(json.dumps, records))),
        save("e.json", json.dumps(records)),
        save("f.json", json.dumps({one.pop("id"): one for one in records})),
    ]
    for file in files:
        found = read_predictions(file)
        assert (list(found.ids), list(found.labels), list(found.reverse)) == (IDS, LABELS, REVERSE), file.name
    plain = read_predictions(save("g.json", json.dumps(dict(zip(IDS, LABELS, strict=True)))))
    assert (list(plain.labels), any(plain.reverse)) == (LABELS, False)
    found = read_predictions(SAMPLES / "assin2_answers.xml")
    assert (len(found), found.ids[0], found.labels[0].lower()) == (40, "0", "entailment")
    assert all(1 <= value <= 5 for value in found.relatedness)
    found = read_predictions(save("a.csv", "id;label;similarity\n7;none;3,5\n8;none;\n"))
    assert (list(found.ids), found.relatedness[0]) == (["7", "8"], 3.5) and math.isnan(found.relatedness[1])
    assert read_predictions(save("b.jsonl", '{"id": 7, "label": 0}')).labels == ["0"]
    found = read_predictions(save("a.csv", "number,says\n1,none\n"), {"id": "number", "label": "says"})
    assert (list(found.ids), list(found.labels)) == (["1"], ["none"])
    renamed = Predictions("p", IDS, ["LABEL_1", "label_0"], ["LABEL_0", ""])
    renamed = renamed.renamed({"label_0": "none", "LABEL_1": "e"})
    assert (list(renamed.labels), list(renamed.reverse)) == (["e", "none"], ["none", ""])


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.csv", "id,similarity\n7,2.5\n"), ("a.json", '{"7": {"similarity": 2.5}}'),
     ("a.xml", '<entailment-corpus><pair id="7" similarity="2.5"/></entailment-corpus>'),
     ("a.xml", '<entailment-corpus><pair id="7" entailment="Unknown" similarity="2.5"/></entailment-corpus>')],
)  # fmt: skip
def test_answers_may_be_a_similarity_without_a_label(save, name, content):
    found = read_predictions(save(name, content))
    assert (list(found.ids), list(found.labels), list(found.relatedness)) == (["7"], [""], [2.5])


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [("a.csv", "id,label\n1,\n", "answer 1: there is no label, and no relatedness"),
     ("a.csv", "id,label,similarity\n1,none,2\n2,,\n", "answer 2: there is no label, and no relatedness"),
     ("a.csv", "id,answer\n1,none\n", "no column with the label .* Found id, answer"),
     ("a.csv", "id,label\n", "there is no answer"), ("a.json", "[]", "expected answers"),
     ("a.json", '{"1": "none"', "not JSON"),
     ("a.csv", "id,label,similarity\n1,none,near\n", "row 1: 'near' in column 'similarity' is not a number"),
     ("a.xml", "<entailment-corpus/>", "there is no pair")],
)  # fmt: skip
def test_wrong_answers_are_told(save, name, content, said):
    with pytest.raises(InputError, match=said):
        read_predictions(save(name, content))


def test_matching_by_id_lists_what_is_left_over_also_of_reverse_answers_of_the_same_file_or_another():
    pairs = [Pair("1", "a", "b", "none"), Pair("2", "a", "c", ""), Pair("3", "a", "d", "none")]
    answers = Predictions("p", ["9", "2", "1"], ["none", "none", "entailment"])
    found = match(Corpus("c", "assin2", pairs), answers)
    assert found.labelled[["id", "forward"]].values.tolist() == [["1", "entailment"]]
    assert found.unmatched == {NO_ANSWER: ["3"], NO_PAIR: ["9"], NO_GOLD: ["2"]} and not found.asked
    forward = Predictions("p", IDS, LABELS, REVERSE)
    assert [*match(corpus("2", "1"), forward).answers["reverse"]] == ["entailment", "none"]
    other = Predictions("r", ["2"], ["none"])
    assert [*match(corpus("2", "1"), forward, other).answers["reverse"]] == ["none", ""]
    forward = Predictions("p", IDS, LABELS)
    found = match(corpus("1", "2"), forward, Predictions("r.csv", ["9", "2"], LABELS))
    assert ([*found.answers["reverse"]], found.unmatched) == (["", "none"], {NO_TURNED_PAIR: ["9"]})
    with pytest.raises(InputError, match=r"r\.csv: none of its 2 ids is that of a pair in c\.xml"):
        match(corpus("1", "2"), forward, Predictions("r.csv", ["8", "9"], LABELS))


def test_answers_without_ids_match_by_position_when_asked_and_blind_data_not_at_all(save):
    twice = read_predictions(save("a.csv", "id,label\n1,none\n1,entailment\n"))
    without = read_predictions(save("b.csv", "label\nnone\nentailment\n"))
    assert "a.csv, answer 2: the id '1' is that of answer 1 too" in error_of(lambda: match(corpus("1", "2"), twice))
    with pytest.raises(InputError, match=r"b\.csv, answer 1: there is no id\. .* by position"):
        match(corpus("1", "2"), without)
    for answers in (twice, without):
        assert [*match(corpus("1", "2"), answers, by_position=True).answers["forward"]] == ["none", "entailment"]
    answers = Predictions("p", ["a", "b"], ["none", "entailment"])
    assert "match them by position" in error_of(lambda: match(corpus("1", "2"), answers))
    found = match(corpus("1", "2"), answers, by_position=True)
    assert ([*found.answers["forward"]], found.by_position) == (["none", "entailment"], True)
    assert "2 answers for 3 pairs" in error_of(lambda: match(corpus("1", "2", "3"), answers, by_position=True))
    with pytest.raises(InputError, match="no pair has a gold label"):
        match(corpus("1", gold=""), Predictions("p", ["1"], ["none"]))
    found = match(corpus("1", "2", "3"), Predictions("p", ["1", "2"], LABELS, REVERSE)).without({"1", "3"})
    assert found.answers[["id", "forward", "reverse"]].values.tolist() == [["2", "none", "entailment"]]
    assert (len(found.corpus), any(found.unmatched.values())) == (1, False)
