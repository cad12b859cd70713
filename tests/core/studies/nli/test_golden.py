"""Published figures, from the public data: the translation table, overlaps, baselines."""

import math
import random
from functools import cache
from pathlib import Path

import pytest

from pairlens.errors import InputError
from pairlens.files.nli.items import texts_of
from pairlens.files.nli.pairs import Predictions
from pairlens.files.nli.readers import read_corpus
from pairlens.places import FOLDER as ROOT
from pairlens.settings import settings
from pairlens.studies.nli.evaluation import evaluate
from pairlens.studies.nli.matched import match
from pairlens.studies.nli.report import Judged, named_sets, overlap, report
from pairlens.studies.nli.result import result
from tests.gold_answers import gold_answers

SAMPLES = ROOT / "data" / "samples" / "nli"
read = cache(read_corpus)


def assin(shared_data, name):
    return read(shared_data(f"assin/sources/{name}.xml.gz"))


def all_say(corpus, label):
    return match(corpus, Predictions("p", [pair.id for pair in corpus], [label] * len(corpus)))


@pytest.fixture
def sick_br(shared_data):
    return read(shared_data("sick_br/SICK_BR.txt.gz"))


@pytest.fixture
def mirrored(shared_data, monkeypatch):
    """`mirrored()`: from now on the public sets are here; a report reads none that was read before."""
    monkeypatch.setattr("pairlens.studies.nli.report.read_corpus", read)

    def here(folder=None):
        monkeypatch.setenv("PAIRLENS_MIRROR", str(shared_data("assin").parent) if folder is None else folder)
        settings.cache_clear()

    return here


@pytest.mark.parametrize(
    ("part", "n", "n_right", "share"),
    [
        pytest.param("train-only", 6500, 6455, 99.31, marks=pytest.mark.soak),
        ("dev", 500, 497, 99.40),
        ("test", 1465, 1443, 98.50),
    ],
)
def test_sick_brs_pairs_are_in_assin2_and_its_labels_decoded_are_assin2s(
    part, n, n_right, share, sick_br, shared_data
):
    corpus = assin(shared_data, f"assin2-{part}")
    found = evaluate(match(corpus, gold_answers(sick_br, corpus)), "sick")
    assert (found.n, int(found.answers["correct"].sum())) == (n, n_right)
    assert round(100 * found.accuracy, 2) == share
    shared = overlap(corpus, sick_br, "SICK-BR")
    assert len(shared.ids) == n and not shared.same & shared.turned


def test_without_the_pairs_of_sick_br_most_of_assin2_is_entailment(shared_data, mirrored):
    corpus = assin(shared_data, "assin2-test")
    answers = all_say(corpus, "neutral")
    alone = report(answers, "sick")
    assert "data get sick_br" in alone.unchecked and list(alone.rows) == ["all pairs"]
    mirrored()
    found = report(answers, "sick")
    assert not found.unchecked and [row.n for row in found.rows.values()] == [2448, 983]
    assert (found.named, found.headline.n, found.headline.accuracy) == ("all pairs", 2448, 0.5)
    beside = found.rows["without pairs that are in SICK-BR"]
    assert (beside.n, beside.accuracy) == (983, 49 / 983)
    assert beside.balance == {"entailment": 934 / 983, "none": 49 / 983}
    receipt = result(Judged(found, corpus, "theirs", "ASSIN 2")).provenance.receipt
    assert receipt["compared_with"] == {"SICK-BR": {"same_order": 1278, "swapped": 187}}
    trained = found.of_trained
    assert (trained.named, trained.headline.n) == ("without pairs that are in SICK-BR", 983)
    assert list(trained.trained_on) == ["SICK-BR"] and not found.trained_on
    none_left = report(all_say(assin(shared_data, "assin2-dev"), "neutral"), "sick").of_trained
    assert none_left.headline.n == 0 and math.isnan(none_left.headline.accuracy)


def test_another_set_that_is_given_does_not_stand_for_the_known_one(shared_data, sick_br, mirrored):
    corpus = assin(shared_data, "assin2-test")
    matched = all_say(corpus, "neutral")
    assert "data get sick_br" in report(matched, "sick", others={"mine": []}).unchecked
    assert not report(matched, "sick", others={"SICK_BR.txt": sick_br.pairs}).unchecked
    mirrored()
    for others, names, n_rows in (
        ({"mine": corpus.pairs[:2]}, ["mine", "SICK-BR"], [2448, 2446, 982]),
        (named_sets([Path("sick_br")]), ["SICK-BR"], [2448, 983]),
    ):
        found = report(matched, "sick", others=others)
        assert ([one.other for one in found.overlaps], found.unchecked) == (names, "")
        assert ([row.n for row in found.rows.values()], found.headline.n) == (n_rows, n_rows[1])
    mirrored("")
    with pytest.raises(InputError, match=r"sick_br: this data set is not here: .*data get sick_br"):
        named_sets([Path("sick_br")])


def test_sick_br_is_checked_against_assin2(shared_data, sick_br, mirrored):
    mirrored()
    answers = all_say(sick_br, "none")
    found = report(answers, "assin2")
    parts = [assin(shared_data, f"assin2-{part}") for part in ("train-only", "dev")]
    unordered = {frozenset(texts_of(pair)) for part in parts for pair in part}
    assert (found.everything.n, found.overlaps[0].other) == (9840, "ASSIN 2") and found.headline.n == 9840
    said = named_sets([Path("assin2")])
    assert {name: len(pairs) for name, pairs in said.items()} == {"ASSIN 2": 7000}, "not its test part"
    assert list(report(answers, "assin2", others=said).rows)[1:] == ["without pairs that are in ASSIN 2"]
    assert found.of_trained.headline.n == sum(frozenset(texts_of(pair)) not in unordered for pair in sick_br) == 5811


@pytest.mark.parametrize(
    ("name", "accuracy", "macro_f1"),
    [("assin-ptbr-test", 77.65, 0.291), ("assin-ptpt-test", 69.30, 0.273), ("assin2-test", 50.00, 0.333)],
)
def test_always_none_gets_what_is_published(name, accuracy, macro_f1, shared_data):
    corpus = assin(shared_data, name)
    found = evaluate(all_say(corpus, "None"), corpus.system)
    assert (round(100 * found.accuracy, 2), round(found.macro_f1, 3)) == (accuracy, macro_f1)
    assert (found.accuracy, found.macro_f1) == (found.majority.accuracy, found.majority.macro_f1)


@pytest.mark.parametrize(
    "sets", [("assin/sources", "sick_br", "sick"), pytest.param(["snli_mnli_dev/data"], marks=pytest.mark.soak)]
)
def test_no_sentence_of_the_samples_is_of_a_public_set(shared_data, sets):
    samples = ("assin.xml", "assin2.xml", "sick.txt", "snli.jsonl")
    ours = {text for name in samples for text in sentences(SAMPLES / name)}
    ours |= sentences(SAMPLES / "frases.csv", {"premise": "afirmação", "hypothesis": "conclusão", "gold": "resposta"})
    assert len(ours) > 200
    for path in (path for name in sets for path in shared_data(name).rglob("*.gz")):
        assert not ours & sentences(path), path.name


def sentences(path, columns=None):
    system = "snli" if path.suffix == ".csv" or ".jsonl" in path.name else ""
    corpus = read_corpus(path, system, columns or {}) if system else read(path)
    return {text for pair in corpus for text in texts_of(pair)}


def test_accepted_and_inconsistent_answers_are_those_that_counting_gives_1521_at_most(sick_br):
    found = evaluate(all_say(sick_br, "paraphrase"), "assin")
    accepted, doubtful = found.contradictions
    assert "1,521 of 1,521 one-way" in accepted.sentence and f"{9840 - 1300:,} of 9,840" in doubtful.sentence
    assert (len(accepted.ids), found.accuracy) == (1521, 2821 / 9840)
    assert f"is {100 * 1300 / 9840:.2f}\u00a0%" in accepted.sentence
    chance = random.Random(0)
    said = [chance.choice(["paraphrase", "entailment", "none"]) for _ in sick_br]
    found = evaluate(match(sick_br, Predictions("p", [pair.id for pair in sick_br], said)), "assin")
    one_way = {pair.id for pair in sick_br if pair.gold == "entailment" and pair.reverse_gold != "entailment"}
    both = [*zip(sick_br, said, strict=True)]
    accepted = {pair.id for pair, label in both if label == "paraphrase"} & one_way
    right = {pair.id for pair, label in both if (label != "none") == (pair.gold == "entailment")}
    first, second = found.contradictions
    assert (len(one_way), len(accepted), set(first.ids)) == (1521, 523, accepted)
    assert "523 of 1,521 one-way entailments" in first.sentence and "2,887 of 3,301 paraphrase" in second.sentence
    assert f"{100 * len(right - accepted) / 9840:.2f}" == "37.65"
    assert "37.65\u00a0% instead of 42.97\u00a0%" in first.sentence
