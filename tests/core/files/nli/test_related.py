"""Related sets of pairs: which pairs share a sentence, by hand and against a search through all of them."""

from collections import Counter, defaultdict
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.files.labels import system_of
from pairlens.files.nli.items import Labels, items, related
from pairlens.files.nli.label_map import LabelMap
from pairlens.files.nli.pairs import Corpus, Pair

TWO_OF = st.tuples(st.sampled_from("abcdefghijklmnopqrst"), st.sampled_from("abcdefghijklmnopqrst"))


def pairs_of(*texts):
    return [Pair(str(number), premise, hypothesis) for number, (premise, hypothesis) in enumerate(texts)]


def together(pairs):
    """The sets as sets of the pairs' ids."""
    sets = defaultdict(set)
    for pair, number in zip(pairs, related(pairs), strict=True):
        sets[number].add(pair.id)
    return {*map(frozenset, sets.values())}


def test_pairs_that_share_a_sentence_are_one_set_but_not_through_sentences_that_fit_everywhere():
    pairs = pairs_of(("A dog.", "b"), ("c", "a DOG"), ("c", "d"), ("e", "f"), ("f.", "E"), ("g", "g"), ("h", "i"))
    assert together(pairs) == {frozenset("012"), frozenset("34"), frozenset("5"), frozenset("6")}
    assert related([]) == []
    pairs = pairs_of(*product((f"premise {n}" for n in range(20)), (f"hypothesis {n}" for n in range(20))))
    assert {len(found) for found in together(pairs)} == {1}
    texts = [(f"{number}a", f"{number}{other}") for number in range(90) for other in "bcdefghi"]
    texts += [(f"{number}b", "a man is playing a guitar") for number in range(90)]
    assert Counter(len(found) for found in together(pairs_of(*texts))) == {9: 90}


@given(st.lists(TWO_OF, min_size=1, max_size=14), st.randoms(use_true_random=False))
def test_neither_the_order_of_pairs_nor_that_of_their_sentences_matters(texts, random):
    pairs = pairs_of(*texts)
    others = [pair.turned if random.random() < 0.5 else pair for pair in pairs]
    random.shuffle(others)
    assert together(others) == together(pairs)


def test_sets_are_those_of_a_search_through_all_pairs():
    draw = np.random.default_rng(5)
    pairs = pairs_of(*((f"{a}", f"{b}") for a, b in draw.integers(400, size=(160, 2))))
    left, expected = {pair.id: {pair.premise, pair.hypothesis} for pair in pairs}, set()
    while left:
        name, texts = left.popitem()
        found = {name}
        while more := [other for other in left if left[other] & texts]:
            for other in more:
                texts |= left.pop(other)
            found.update(more)
        expected.add(frozenset(found))
    assert together(pairs) == expected


@pytest.mark.parametrize("n", [12, 400])
def test_what_most_pairs_have_in_common_joins_nothing(n):
    """Every text with the same few hypotheses, as in classification by inference: the texts are the sets."""
    pairs = pairs_of(*product((f"text {number}" for number in range(n // 2)), ("about sport", "about food")))
    assert {len(found) for found in together(pairs)} == {2}
    small = pairs_of(*((f"premise {number % 4}", f"hypothesis {number}") for number in range(12)))
    assert {len(found) for found in together(small)} == {3}, "small data may be of few sets"


def test_items_of_related_pairs_and_of_their_reverse_share_their_cluster():
    corpus = Corpus("c", "snli", pairs_of(("a", "b"), ("c", "d"), ("b", "e"), ("f", "g")))
    labels = system_of("snli").labels
    asked = items(corpus, Labels(labels), LabelMap("snli", {name: name for name in labels}), reverse=True)
    sets = [item.groups["contrast"] for item in asked]
    assert sets[0] == sets[1] == sets[4] == sets[5] != sets[2] and len(set(sets)) == 3
