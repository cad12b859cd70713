"""One word of a pair is exchanged where it stands, in both sentences if they share it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.studies.compare.change import changed, words_of

PAIR = ("The keys to the cabinet are here.", "The keys to the cabinet is here.")


def word(text, pair=PAIR):
    return next(one for one in words_of(pair) if one.text == text)


def test_words_are_listed_in_reading_order_those_that_differ_once_each():
    assert [one.text for one in words_of(PAIR)] == ["The", "keys", "to", "the", "cabinet", "are", "is", "here"]
    assert (word("are").place_b, word("is").place_a, word("here").place_b) == (None, None, 6)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("cabinet", "horses", ("The keys to the horses are here.", "The keys to the horses is here.")),
        ("is", "was", (PAIR[0], "The keys to the cabinet was here.")),
        ("here", "gone", ("The keys to the cabinet are gone.", "The keys to the cabinet is gone.")),
    ],
)
def test_a_word_is_exchanged_and_its_marks_stay(old, new, expected):
    assert changed(PAIR, word(old), new) == expected


def test_sentences_of_other_lengths_share_beginning_and_end():
    pair = ("A dog barks.", "A very old dog barks.")
    assert changed(pair, word("barks", pair), "sleeps") == ("A dog sleeps.", "A very old dog sleeps.")


@given(st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=2, max_size=6),
       st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=2, max_size=6))  # fmt: skip
def test_every_word_can_be_changed_and_changed_back(a, b):
    pair = (" ".join(a), " ".join(b))
    for one in words_of(pair):
        new = changed(pair, one, "NEW")
        assert new != pair and "NEW" in " ".join(new)
        places = [(sentence.split().index("NEW") if "NEW" in sentence.split() else None) for sentence in new]
        assert places == [one.place_a, one.place_b]
