"""Our everyday pairs: what their README promises, and that they are kept out of training text."""

import re
from collections import Counter, defaultdict
from itertools import pairwise

import pytest

from pairlens.tasks import TASKS
from workshop.evaluation_sets import FOLDERS, strings
from workshop.exclusion import exclusion
from workshop.language_models.languages import LANGUAGES

CODES = {"everyday_english": "en", "everyday_french": "fr", "everyday_portuguese": "pt"}
PARADIGMS = {"everyday_english": (8, 25), "everyday_french": (4, 10), "everyday_portuguese": (8, 50)}
"""Paradigms of each set, and pairs of each paradigm."""
PAIRS = {name: list(TASKS["pairs"].read(FOLDERS[name])) for name in CODES}


@pytest.fixture(params=CODES)
def name(request):
    return request.param


def texts(item):
    good, bad = (candidate.text for candidate in item.candidates)
    return good, bad


def differing(item):
    """The words of both texts without those that they share at the beginning and at the end."""
    good, bad = (text.split() for text in texts(item))
    for at in (0, -1):
        while good and bad and good[at] == bad[at]:
            del good[at], bad[at]
    return good, bad


def test_paradigms_are_equally_large_their_forms_balanced_the_shorter_right_in_about_half_and_no_sentence_twice(name):
    paradigms, size = PARADIGMS[name]
    cells = defaultdict(Counter)
    for item in PAIRS[name]:
        cells[item.groups["UID"]][item.groups["form"]] += 1
    assert [forms.total() for forms in cells.values()] == [size] * paradigms
    two = [forms for forms in cells.values() if len(forms) == 2]
    assert len(two) >= 4 and all(max(forms.values()) - min(forms.values()) <= 1 for forms in two)
    shares = [0.5 * ((len(good) < len(bad)) + (len(good) <= len(bad))) for good, bad in map(texts, PAIRS[name])]
    assert 0.4 <= sum(shares) / len(shares) <= 0.6
    good, bad = zip(*map(texts, PAIRS[name]), strict=True)
    assert len(set(good)) == len(good)
    assert not set(good) & set(bad)


def test_pairs_differ_in_one_place_are_plain_sentences_and_training_text_may_not_hold_them(name):
    language = LANGUAGES[CODES[name]]
    for item in PAIRS[name]:
        order = item.groups["UID"] == "word_order" or item.groups["form"] == "order"
        assert max(map(len, differing(item))) <= (4 if order else 2), item
        assert all(language.allowed.fullmatch(text) and re.search(r"[.?]$", text) for text in texts(item)), item
    kept_out = exclusion(strings())
    assert all(kept_out.forbids(text) for item in PAIRS[name] for text in texts(item))
    first, second = next(pairwise(texts(item)[0] for item in PAIRS[name]))
    assert not kept_out.forbids(f"{first.rstrip('.')} {second}"), "a longer sentence is another one"


def test_portuguese_forms_are_what_the_table_says():
    """By the endings of the two forms; persons and moods have none that would do."""
    endings = dict.fromkeys(["verb_number", "attraction"], r"(?:m|ão)$")
    endings |= dict.fromkeys(["gender_noun", "gender_predicate"], r"as?$")
    for item in PAIRS["everyday_portuguese"]:
        paradigm, form = item.groups["UID"], item.groups["form"]
        good, bad = (words[0].strip(",.?").lower() for words in differing(item))
        if ending := endings.get(paradigm):
            marked = form in ("plural", "feminine")
            assert (bool(re.search(ending, good)), bool(re.search(ending, bad))) == (marked, not marked), item
        elif paradigm == "noun_number":
            plural, singular = (good, bad) if form == "plural" else (bad, good)
            assert plural.endswith("s") and len(plural) >= len(singular), item
