"""Which word a token belongs to, from a per-token table alone."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.analysis.experiment import Analysis
from pairlens.studies.experiment.evaluate import only_marks
from pairlens.studies.experiment.words import align_tokens, words_of_predictions
from pairlens.text.words import word_spans
from pairlens.text.words.segmentation import segments

POLICIES = ("previous", "next", "separate", "ignore")


def predictions(*words, surp=(), model="m", sentid="1"):
    """One token per word, with powers of two as surprisals unless they are given."""
    values = surp or tuple(2.0**i for i in range(len(words)))
    return pd.DataFrame(
        {
            "token": words, "sentid": sentid, "word": words, "wordpos": range(len(words)), "model": model,
            "tokenizer": model, "punctuation": [only_marks(word) for word in words],
            "prob": [2.0**-value for value in values], "surp": values,
        }
    )  # fmt: skip


def folded(table, **analysis):
    found = words_of_predictions(table, Analysis(**analysis))
    assert found["wordpos"].tolist() == list(range(len(found)))
    return dict(zip(found["word"], found["surp"], strict=True))


@pytest.mark.slow
def test_marks_apart_left_out_final_opening_and_alone_and_what_touches_is_decided_model_by_model():
    table = predictions('"', "Hi", " there", ".", '"')
    for rule in ("whole", "nlpscholar"):
        found = words_of_predictions(table, Analysis(fold=rule, punctuation="separate"))
        assert found["surp"].tolist() == [1, 2, 4, 8, 16]
        assert found["punctuation"].tolist() == [True, False, False, True, True]
        found = folded(table, fold=rule, punctuation="ignore")
        assert {word.strip(): value for word, value in found.items()} == {"Hi": 2, "there": 4}
    table = predictions("Hi", " there", ".")
    assert folded(table, fold="nlpscholar", punctuation="next") == {"Hi": 5, " there": 2}
    assert folded(table, punctuation="next") == {"Hi": 1, "there.": 6}
    assert folded(predictions("«", "Hi", "»"), fold="nlpscholar", punctuation="next") == {"«Hi": 3}
    spaced = predictions("Il", " dit", " «", " oui", " »", ",", " (", "bas", ")", '"', ".")
    assert list(folded(spaced)) == ["Il", "dit", "« oui »,", '(bas)".']
    bare = predictions("he", "said", '"', "wait", '"', "(", "so", ")")
    assert list(folded(bare)) == ["he", 'said"', 'wait"', "(so)"]
    assert folded(predictions("?", "!")) == {"?!": 3}
    assert folded(predictions("?", "!"), punctuation="next") == {"?!": 3}
    assert folded(predictions("?", "!"), punctuation="ignore") == {}
    assert folded(predictions("?", "!"), fold="nlpscholar") == {}
    assert align_tokens(np.empty(0, np.int64), predictions(), "previous").size == 0
    assert words_of_predictions(predictions(), Analysis()).empty
    assert words_of_predictions(predictions(), Analysis(fold="nlpscholar")).empty
    bert = predictions("he", "said", ",", '"', "no", model="bert")
    both = pd.concat([bert, predictions("he", " said", ",", ' "', "no", model="gpt")])
    assert words_of_predictions(both, Analysis())["word"].tolist() == ["he", 'said,"', "no", "he", "said,", '"no']


PIECES = ("a", "bc", "d'e", "x-y", '"', "'", ".", ",", "(", ")", "«", "»", "—", "...", " ", "  ")
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=14).map("".join)


def as_predictions(text):
    """A table whose words are the segments of the text, with the white space before them."""
    ends = [segment.end for segment in segments(text, characters=True)]
    return predictions(*(text[start:end] for start, end in zip([0, *ends], ends, strict=False)))


@pytest.mark.slow
@given(TEXTS, st.sampled_from(POLICIES))
def test_whole_finds_the_words_that_are_found_in_the_text_and_loses_no_token(text, punctuation):
    text = f"{text} end"  # there is a space, so the table says what touches
    table = as_predictions(text)
    found = words_of_predictions(table, Analysis(punctuation=punctuation))
    assert found["word"].tolist() == [text[start:end] for start, end in word_spans(text, punctuation)]
    if punctuation != "ignore":
        assert found["surp"].sum() == table["surp"].sum() and found["n_tokens"].sum() == len(table)


def moved_by_hand(words, punctuation):
    """The values of the words, powers of two moved one mark at a time."""
    marks = [only_marks(word) for word in words]
    value = {place: 2.0**place for place, mark in enumerate(marks) if not mark}
    for place, mark in enumerate(marks):
        if mark and punctuation in ("previous", "next"):
            target = place - 1 if punctuation == "previous" else (place + 1) % len(words)
            if target in value:
                value[target] += 2.0**place
        elif mark and punctuation == "separate":
            value[place] = 2.0**place
    return [value[place] for place in sorted(value)]


@pytest.mark.slow
@given(
    st.lists(st.lists(st.sampled_from(["a", " b", ".", '"']), min_size=1, max_size=7), min_size=1, max_size=4),
    st.sampled_from(POLICIES),
)
def test_nlpscholar_mark_by_mark(sentences, punctuation):
    table = pd.concat([predictions(*words, sentid=str(i)) for i, words in enumerate(sentences)])
    found = words_of_predictions(table, Analysis(fold="nlpscholar", punctuation=punctuation))
    by_sentence = {sentid: part["surp"].tolist() for sentid, part in found.groupby("sentid")}
    for i, words in enumerate(sentences):
        assert by_sentence.get(str(i), []) == moved_by_hand(words, punctuation)


def test_nlpscholar_moves_tokens_and_not_words_and_counts_a_certain_first_token():
    """A mark inside a word takes the place of the token before it; its whole word is written beside that token's."""
    table = predictions("Yes", "▁no", ".", '"')
    table["word"], table["wordpos"] = ["Yes", ' no."', ' no."', ' no."'], [0, 1, 1, 1]
    found = words_of_predictions(table, Analysis(fold="nlpscholar"))
    assert found["word"].tolist() == ["Yes", ' no." no."'] and found["surp"].tolist() == [1, 14]
    assert found["word_given"].tolist() == ["Yes", ' no."']
    table["word"], table["wordpos"] = ["Yes", " no", '."', '."'], [0, 1, 2, 2]
    found = words_of_predictions(table, Analysis(fold="nlpscholar"))
    assert found["word"].tolist() == ["Yes", ' no."'] and found["surp"].tolist() == [1, 6]
    found = words_of_predictions(table, Analysis(fold="nlpscholar", punctuation="next"))
    assert found["surp"].tolist() == [9, 2] and found["wordpos_given"].tolist() == [0, 1]
    table = predictions("Hi", ",", " there", surp=(0.0, 3.0, 4.0))
    assert folded(table, fold="nlpscholar", word_summary="mean") == {"Hi,": 1.5, " there": 4}
    found = words_of_predictions(table, Analysis())
    assert math.isnan(found["surp"].iloc[0]) and math.isnan(found["prob"].iloc[0])
    assert found["surp"].iloc[1] == 4
    later = predictions("Hi", " there", surp=(1.0, 0.0))
    assert folded(later) == {"Hi": 1, "there": 0}


def test_tokens_of_one_word_stay_together_and_one_model_with_two_tokenizers_is_two_models():
    table = predictions("Ca", "ts", ",", " dogs")
    table["word"] = ["Cats", "Cats", ",", " dogs"]
    table["wordpos"] = [0, 0, 1, 2]
    found = words_of_predictions(table, Analysis(word_summary="mean", word_probability="mean"))
    assert found["word"].tolist() == ["Cats,", "dogs"] and found["n_tokens"].tolist() == [3, 1]
    assert found["surp"].tolist() == [pytest.approx(7 / 3), 8]
    assert found["prob"].tolist() == [pytest.approx((2**-1 + 2**-2 + 2**-4) / 3), 2**-8]
    product = words_of_predictions(table, Analysis())
    assert product["surp"].tolist() == [7, 8] and product["prob"].tolist() == [2**-7, 2**-8]
    assert product["wordpos_given"].tolist() == [0, 2]
    one, other = predictions("a", " b"), predictions("a", " b").assign(tokenizer="other")
    found = words_of_predictions(pd.concat([one, other, predictions("a", model="n")]), Analysis())
    assert found["model"].unique().tolist() == ["m (m)", "m (other)", "n"]
    assert found["tokenizer"].unique().tolist() == ["m", "other", "n"]
    assert found["wordpos"].tolist() == [0, 1, 0, 1, 0]
