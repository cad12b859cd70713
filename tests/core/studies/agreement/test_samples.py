"""Our own agreement sets: what their README promises, and that no sentence is anybody else's."""

import gzip
import re
from collections import Counter

import pytest

from core.settings import ROOT
from core.studies import gallery
from core.tasks import TASKS

SAMPLES = ROOT / "data" / "samples"
SIZES = {"agreement": 64, "agreement_french": 48}


@pytest.fixture(params=SIZES)
def items(request):
    return list(TASKS["agreement"].read(SAMPLES / request.param))


def of(name):
    return list(TASKS["agreement"].read(SAMPLES / name))


def texts(items):
    return {one.context + one.text for item in items for one in item.candidates}


@pytest.mark.parametrize("name", SIZES)
def test_half_are_singular_and_half_of_each_have_an_attractor(name):
    counts = Counter((item.groups["number"], item.groups["attractors"]) for item in of(name))
    assert counts == {(n, a): SIZES[name] // 4 for n in ("singular", "plural") for a in ("0", "1")}


def test_no_heuristic_solves_them_and_no_sentence_is_there_twice_or_from_the_gallery_or_another_sample(items):
    assert len(texts(items)) == 2 * len(items)
    for heuristic in ("cls_noun", "cls_token", "fst_noun", "com"):
        right = sum(item.groups[heuristic] == item.groups["number"] for item in items)
        assert 0.4 <= right / len(items) <= 0.8, heuristic
    others = texts(list(TASKS["blimp"].read(SAMPLES / "blimp")))
    others |= {text for example in gallery.examples() for pair in example.pairs for text in pair}
    assert not texts(items) & others


def test_french_forms_differ_in_a_final_s_alone_half_are_feminine_and_every_number_of_heuristics_occurs():
    items = of("agreement_french")
    forms = [sorted(item.groups["contrast"].split("|"), key=len) for item in items]
    assert all(longer == shorter + "s" for shorter, longer in forms)
    assert sum(shorter.endswith("e") for shorter, _ in forms) == len(items) // 2
    assert Counter(item.groups["inverted"] for item in items) == {"no": 40, "yes": 8}
    assert {item.groups["heuristics"] for item in of("agreement_french")} == set("012345")


@pytest.mark.parametrize(
    "folder", ["blimp/data", "clams/en_evalset", "clams/fr_evalset", "french_obj_pp", "colorless_green"]
)
def test_no_sentence_is_published(folder, shared_data):
    ours = {_words(text) for name in SIZES for text in texts(of(name))}
    for file in (path for path in shared_data(folder).rglob("*") if path.is_file()):
        content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        theirs = _words(content.decode("utf-8", "replace"))
        assert [text for text in ours if text in theirs] == [], file.name


def _words(text):
    return re.sub(r"[\W_]+", " ", text.lower()).strip()
