"""Where two sentences part, and where the decision falls."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens import measures
from pairlens.analysis.contrast import Place, contrast
from pairlens.text.words import Word

NAN = math.nan


def sentence(text, *in_bits, variant="bow_eos"):
    values = enumerate(zip(text.split(), in_bits, strict=True))
    return [Word(word, (0, 0), -measures.nats(value), (i,), variant) for i, (word, value) in values]


KEYS = sentence("The keys are here.", 2, 10, 1, 5), sentence("The keys is here.", 2, 10, 6, 4.5)


def test_a_minimal_pair_and_a_sign_that_settles_later_where_masked_models_share_nothing():
    found = contrast(*KEYS, margin=measures.nats(4.5))
    assert found.minimal and found.first == found.settled == Place(2, "are", "is")
    assert found.where == "First differs at are | is; settled there."
    assert list(found.frame["shared"]) == [True, True, False, False]
    assert list(found.frame["difference_bits"]) == pytest.approx([0, 0, 5, -0.5])
    assert list(found.frame["running_bits"]) == pytest.approx([0, 0, 5, 4.5])
    assert (found.prefix_note, found.unscored_note) == ("", "")
    a, b = sentence("He laughs very loudly.", 2, 6, 1, 3), sentence("He laugh very loudly.", 2, 5, 1, 9)
    found = contrast(a, b, margin=measures.nats(5.0))
    assert found.settled == Place(3, "loudly.", "loudly.")
    assert found.where == "First differs at laughs | laugh; settled at loudly."
    assert contrast(b, a, margin=measures.nats(-5.0)).settled == Place(3, "loudly.", "loudly.")
    # what the words say in the end must be what was decided: an end term or rounding can stand against it
    assert contrast(a, b, margin=-0.1).settled is None
    assert contrast(a, b, margin=-0.1).where == "First differs at laughs | laugh."
    assert contrast(a, b, margin=0.0).settled is None
    found = contrast(*KEYS, left_to_right=False, margin=3.0)
    assert not found.frame["shared"].any() and found.settled is None
    assert found.frame["running_bits"].isna().all()
    assert found.where == "They differ at are | is."
    assert list(found.frame["difference_bits"]) == pytest.approx([0, 0, 5, -0.5])
    found = contrast(*KEYS)
    assert found.frame["running_bits"].isna().all()
    assert list(found.frame["shared"]) == [True, True, False, False]


@pytest.mark.parametrize(
    ("a", "b", "minimal", "first"),
    [
        ("the keys are here", "the keys are here", True, None),
        ("he slept", "he slept well", False, Place(2, "", "well")),
        ("she told me it", "she told it me", False, Place(2, "", "it")),
        ("a b c d", "a x c y", False, Place(1, "b", "x")),
        ("a b", "x y", False, Place(0, "a", "x")),
        ("the cat sat", "the the cat sat", False, Place(1, "", "the")),
        ("the cat sat", "the dog ran", True, Place(1, "cat", "dog")),
    ],
)
def test_places_and_minimality(a, b, minimal, first):
    found = contrast(sentence(a, *[1] * len(a.split())), sentence(b, *[1] * len(b.split())), margin=1.0)
    assert (found.minimal, found.first) == (minimal, first)
    assert found.frame["shared"].sum() == (len(a.split()) if first is None else first.position)
    assert (found.where == "") == (first is None)


def test_an_absent_word_counts_for_the_sentence_without_it_and_unscored_words_are_named():
    found = contrast(sentence("he slept", 1, 2), sentence("he slept well", 1, 2, 7), margin=measures.nats(7.0))
    last = found.frame.iloc[-1]
    assert (last["word_a"], last["index_a"], last["index_b"]) == ("", -1, 2)
    assert math.isnan(last["surprisal_a_bits"])
    assert last["difference_bits"] == pytest.approx(7)
    assert found.where == "First differs at nothing | well; settled there."
    a, b = sentence("The keys are", NAN, 10, 1), sentence("The keys is", NAN, 10, 6)
    found = contrast(a, b, margin=measures.nats(5.0))
    assert found.unscored_note == "Not scored under these choices: The."
    assert math.isnan(found.frame["difference_bits"][0])
    assert list(found.frame["running_bits"]) == pytest.approx([0, 0, 5])


@pytest.mark.parametrize(("variant", "said"), [("sum", True), ("bow_eos", False), ("bow, start only", True)])
def test_a_form_that_begins_the_other(variant, said):
    a, b = sentence("The boy laugh", 1, 1, 1, variant=variant), sentence("The boy laughs", 1, 1, 1, variant=variant)
    note = "laugh here means laugh…: the end of the word is not counted."
    for first, second in ((a, b), (b, a)):
        assert contrast(first, second).prefix_note == (note if said else "")
        assert contrast(first, second, left_to_right=False).prefix_note == ""
    assert contrast(*KEYS).prefix_note == ""


TEXTS = st.lists(st.tuples(st.sampled_from("abcd"), st.floats(0.1, 20)), min_size=1, max_size=8)


@pytest.mark.slow
@given(TEXTS, TEXTS)
def test_differences_add_up_and_swapping_turns_them(first, second):
    a, b = (sentence(" ".join(w for w, _ in text), *(s for _, s in text)) for text in (first, second))
    margin = math.fsum(word.value for word in a) - math.fsum(word.value for word in b)
    found, swapped = contrast(a, b, margin=margin), contrast(b, a, margin=-margin)
    for one, sign in ((found, 1), (swapped, -1)):
        assert one.frame["running_bits"].iloc[-1] == pytest.approx(sign * measures.bits(margin), abs=1e-9)
        assert [i for i in one.frame["index_a"] if i >= 0] == list(range(len(a if sign > 0 else b)))
    assert found.frame["shared"].sum() == swapped.frame["shared"].sum()
    if found.settled:
        after = found.frame["running_bits"][found.settled.position :] * math.copysign(1, margin)
        assert (after > 0).all()
        assert found.settled.position >= found.first.position
