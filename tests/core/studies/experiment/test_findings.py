"""Everything that an experiment found, and everything that is left out of it."""

import pandas as pd
import pytest

from core.analysis.experiment import Analysis, Columns
from core.errors import InputError
from core.studies.experiment.design import read_design
from core.studies.experiment.findings import find
from core.studies.experiment.words import words_of_predictions

SENTENCES = (
    ("1", "1", "expected", "The cat sleeps.", "2"),
    ("2", "1", "unexpected", "The cat sleep.", "2"),
    ("3", "2", "expected", "The dog barks.", "2"),
    ("4", "2", "unexpected", "The dog bark.", "2"),
)


def designed(*rows):
    table = pd.DataFrame(rows or SENTENCES, columns=["sentid", "pairid", "comparison", "sentence", "ROI"])
    return read_design(table, Columns())


def words(texts, model="m", surp=2.0):
    """Of sentences by sentid, as another program gives them: each word costs one bit more than the one before."""
    rows = [
        (f"{' ' if place else ''}{word}", sentid, place, model, model, False, 0.5, surp + place)
        for sentid, text in texts.items()
        for place, word in enumerate(text.split())
    ]
    columns = ["word", "sentid", "wordpos", "model", "tokenizer", "punctuation", "prob", "surp"]
    return words_of_predictions(pd.DataFrame(rows, columns=columns), Analysis())


TEXTS = {row[0]: row[3] for row in SENTENCES}


def found(design=None, **texts):
    """Of this design, with other texts that were scored: `found(s9="Who knows?")`."""
    return find(design or designed(), words(TEXTS | {name[1:]: text for name, text in texts.items()}), Analysis())


def left_out(findings):
    return [tuple(row) for row in findings.excluded[["model", "sentid", "pairid", "reason"]].to_numpy()]


def test_nothing_is_left_out_of_a_whole_experiment():
    findings = found()
    assert findings.excluded.empty
    assert list(findings.excluded) == ["model", "row", "sentid", "pairid", "reason"]
    assert len(findings.by_pair) == 2 and len(findings.by_cond) == 1
    assert findings.by_pair["tie"].all()
    assert len(findings.by_word) == len(findings.words) == 12
    assert findings.regions["surp"].tolist() == [4.0] * 4
    assert findings.profile["n"].sum() == 12
    assert findings.regions is findings.regions


def test_sentences_without_scores_and_their_pairs_are_listed_by_model():
    some = {sentid: text for sentid, text in TEXTS.items() if sentid != "4"}
    findings = find(designed(), pd.concat([words(TEXTS), words(some, "n")]), Analysis())
    assert left_out(findings) == [
        ("n", "4", "", "no scores of this sentence"),
        ("n", "", "2", "unexpected sentence: no scores of this sentence"),
    ]
    assert findings.by_pair["model"].tolist() == ["m", "m", "n"]


def test_what_the_design_says_is_not_said_again():
    design = designed(*SENTENCES[:3], ("4", "3", "unexpected", "The dog bark.", ""), ("5", "4", "?", "No one.", "0"))
    findings = found(design, s5="No one.")
    assert [(pairid, reason) for _, _, pairid, reason in left_out(findings)] == [
        ("2", "pair 2 has no unexpected sentence"),
        ("3", "no ROI given"),
        ("3", "pair 3 has no expected sentence"),
        ("4", "the comparison '?' is neither expected nor unexpected"),
    ]
    assert findings.by_pair["pairid"].tolist() == ["1"]
    assert "4" in set(findings.by_word["sentid"])


def test_an_roi_outside_the_sentence_is_listed_with_its_sentence_and_its_pair():
    findings = found(designed(*SENTENCES[:3], (*SENTENCES[3][:-1], "7")))
    sentence, pair = left_out(findings)
    assert sentence == ("m", "4", "", "ROI 7 but the sentence has 3 words (counted from 0)")
    assert pair[2] == "2" and "ROI 7" in pair[3]
    assert findings.by_pair["pairid"].tolist() == ["1"]


def test_scores_of_other_sentences_or_words_are_listed_not_used():
    findings = found(s9="Who knows?")
    assert left_out(findings) == [("", "9", "", "the table has no such sentence")]
    assert "9" not in set(findings.words["sentid"])
    findings = found(s4="A cow moos.")
    assert left_out(findings)[0] == ("", "4", "2", "it is scored as 'A cow moos.', but the table has 'The dog bark.'")
    assert "4" not in set(findings.words["sentid"])
    assert findings.by_pair["pairid"].tolist() == ["1"]


def test_case_accents_and_marks_are_no_other_words():
    for text in ("the CAT sleeps", "The cat sleeps", "Thé cat sleeps..."):
        assert found(s1=text).excluded.empty


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        (words({"7": "The cat"}), "There are no scores of these sentences"),
        (words({"1": "A cow", "2": "A cat"}), r"another table\. Sentence 1: it is scored as 'A cow', but the table"),
        (pd.concat([words(TEXTS), words(TEXTS, surp=3.0)]), "The scores of m are there twice"),
    ],
)
def test_scores_of_another_table_or_two_scorings_of_one_model_are_an_error(scores, said):
    with pytest.raises(InputError, match=said):
        find(designed(), scores, Analysis())


def test_a_design_without_pairs_has_words_and_regions():
    table = pd.DataFrame({"sentence": list(TEXTS.values()), "condition": ["a", "a", "b", "b"]})
    findings = find(read_design(table, Columns(conditions=("condition",))), words(TEXTS), Analysis())
    assert findings.excluded.empty
    assert findings.regions["n_words"].tolist() == [3] * 4
    assert set(findings.profile["condition"]) == {"a", "b"}
    with pytest.raises(InputError, match="no pairs"):
        _ = findings.by_pair


@pytest.mark.parametrize("punctuation", ["previous", "separate"])
def test_a_region_named_by_its_word_is_found_however_words_are_cut(punctuation):
    rows = [
        ("1", "1", "expected", "Now, the cat sleeps.", "sleeps"),
        ("2", "1", "unexpected", "Now, the cat sleep.", "3"),
    ]
    findings = find(designed(*rows), words({row[0]: row[3] for row in rows}), Analysis(punctuation=punctuation))
    by_sentence = findings.regions.set_index("sentid")
    assert by_sentence.loc["1", "text"].strip(".") == "sleeps" and findings.design.sentences["roi"].iloc[0] == (3,)
