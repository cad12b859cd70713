"""Published figures, from the public data: the translation table, overlaps, baselines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from core.files.nli.answers import Predictions
from core.files.nli.pairs import Corpus
from core.files.nli.readers import read_corpus
from core.settings import ROOT, settings
from core.studies.nli.contamination import overlap, texts_of
from core.studies.nli.evaluated import evaluate
from core.studies.nli.matched import match
from core.studies.nli.report import report
from tests.gold_answers import gold_answers

Data = Callable[[str], Path]
SAMPLES = ROOT / "data" / "samples" / "nli"


def assin(shared_data: Data, name: str) -> Corpus:
    return read_corpus(shared_data(f"assin/sources/{name}.xml.gz"))


@pytest.fixture
def sick_br(shared_data: Data) -> Corpus:
    return read_corpus(shared_data("sick_br/SICK_BR.txt.gz"))


@pytest.mark.parametrize(
    ("part", "n", "n_right", "share"),
    [("train-only", 6500, 6455, 99.31), ("dev", 500, 497, 99.40), ("test", 1465, 1443, 98.50)],
)
def test_sick_brs_labels_decoded_are_assin2s(
    part: str, n: int, n_right: int, share: float, sick_br: Corpus, shared_data: Data
) -> None:
    corpus = assin(shared_data, f"assin2-{part}")
    found = evaluate(match(corpus, gold_answers(sick_br, corpus)), "sick")
    assert (found.n, int(found.answers["correct"].sum())) == (n, n_right)
    assert round(100 * found.accuracy, 2) == share


def test_contradiction_is_always_none_and_direction_matters(sick_br: Corpus, shared_data: Data) -> None:
    corpus = assin(shared_data, "assin2-train-only")
    first = {texts_of(pair): pair for pair in reversed(sick_br.pairs)}
    by_text = {pair.id: first[texts_of(pair)] for pair in corpus if texts_of(pair) in first}
    contradicted = Counter(
        pair.gold for pair in corpus if pair.id in by_text and by_text[pair.id].gold == "contradiction"
    )
    assert set(contradicted) == {"none"}
    swapped = [pair for pair in corpus if pair.id not in by_text]
    one_way = Counter(
        pair.gold
        for pair in swapped
        if (first[texts_of(pair)[::-1]].gold, first[texts_of(pair)[::-1]].reverse_gold) == ("entailment", "neutral")
    )
    assert len(swapped) == 2729
    assert one_way == {"none": 330, "entailment": 10}


@pytest.mark.parametrize(("part", "n_found"), [("train-only", 6500), ("dev", 500), ("test", 1465)])
def test_pairs_of_assin2_that_are_in_sick_br(part: str, n_found: int, sick_br: Corpus, shared_data: Data) -> None:
    found = overlap(assin(shared_data, f"assin2-{part}"), sick_br, "SICK-BR")
    assert len(found.ids) == n_found
    assert not found.same & found.turned


def test_the_headline_leaves_out_what_the_other_set_holds(shared_data: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = assin(shared_data, "assin2-test")
    answers = Predictions("p", [pair.id for pair in corpus], ["neutral"] * len(corpus))
    alone = report(match(corpus, answers), "sick")
    assert "data get sick_br" in alone.unchecked
    assert list(alone.rows) == ["all pairs"]
    monkeypatch.setenv("PAIRLENS_MIRROR", str(shared_data("assin").parent))
    settings.cache_clear()
    found = report(match(corpus, answers), "sick")
    assert not found.unchecked
    assert [row.n for row in found.rows.values()] == [2448, 983]
    content = found.as_dict()
    assert content["headline"] == "without pairs that are in SICK-BR"
    assert (content["n"], content["accuracy"]) == (983, found.headline.accuracy)
    assert content["rows"]["all pairs"]["accuracy"] == 0.5
    assert content["contamination"]["compared_with"] == {"SICK-BR": {"same_order": 1278, "swapped": 187}}
    blank = assin(shared_data, "assin2-dev")
    none_left = report(match(blank, Predictions("p", [pair.id for pair in blank], ["neutral"] * 500)), "sick")
    assert (none_left.headline.n, none_left.as_dict()["accuracy"]) == (0, None)


def test_another_set_that_is_given_does_not_stand_for_the_known_one(
    shared_data: Data, sick_br: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = assin(shared_data, "assin2-test")
    matched = match(corpus, Predictions("p", [pair.id for pair in corpus], ["neutral"] * len(corpus)))
    assert "data get sick_br" in report(matched, "sick", others={"mine": []}).unchecked
    assert not report(matched, "sick", others={"SICK_BR.txt": sick_br.pairs}).unchecked
    monkeypatch.setenv("PAIRLENS_MIRROR", str(shared_data("assin").parent))
    settings.cache_clear()
    for others, names in (
        ({"mine": corpus.pairs[:2]}, ["mine", "SICK-BR"]),
        ({"SICK_BR.txt": sick_br.pairs}, ["SICK_BR.txt"]),
    ):
        found = report(matched, "sick", others=others)
        assert ([one.other for one in found.overlaps], found.unchecked) == (names, "")
    assert found.headline.n == 983


def test_sick_br_is_checked_against_assin2(
    shared_data: Data, sick_br: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAIRLENS_MIRROR", str(shared_data("assin").parent))
    settings.cache_clear()
    answers = Predictions("p", [pair.id for pair in sick_br], ["none"] * len(sick_br))
    found = report(match(sick_br, answers), "assin2")
    parts = [assin(shared_data, f"assin2-{part}") for part in ("train-only", "dev", "test")]
    unordered = {frozenset(texts_of(pair)) for part in parts for pair in part}
    assert (found.everything.n, found.overlaps[0].other) == (9840, "ASSIN 2")
    assert found.headline.n == sum(frozenset(texts_of(pair)) not in unordered for pair in sick_br) == 4373


@pytest.mark.parametrize(
    ("name", "accuracy", "macro_f1"),
    [("assin-ptbr-test", 77.65, 0.291), ("assin-ptpt-test", 69.30, 0.273), ("assin2-test", 50.00, 0.333)],
)
def test_always_none_gets_what_is_published(name: str, accuracy: float, macro_f1: float, shared_data: Data) -> None:
    corpus = assin(shared_data, name)
    found = evaluate(
        match(corpus, Predictions("p", [pair.id for pair in corpus], ["None"] * len(corpus))), corpus.system
    )
    assert (round(100 * found.accuracy, 2), round(found.macro_f1, 3)) == (accuracy, macro_f1)
    assert (found.accuracy, found.macro_f1) == (found.majority.accuracy, found.majority.macro_f1)


def test_no_sentence_of_the_samples_is_of_a_public_set(shared_data: Data) -> None:
    ours = {
        text for name in ("assin.xml", "assin2.xml", "sick.txt", "snli.jsonl") for text in sentences(SAMPLES / name)
    }
    ours |= sentences(SAMPLES / "frases.csv", {"premise": "afirmação", "hypothesis": "conclusão", "gold": "resposta"})
    public = [*shared_data("assin/sources").iterdir(), *shared_data("snli_mnli_dev/data").rglob("*.gz")]
    public += [shared_data("sick_br/SICK_BR.txt.gz"), shared_data("sick/SICK.txt.gz")]
    assert len(ours) > 200
    for path in public:
        assert not ours & sentences(path), path.name


def sentences(path: Path, columns: Mapping[str, str] = MappingProxyType({})) -> set[str]:
    system = "snli" if path.suffix == ".csv" or ".jsonl" in path.name else ""
    return {text for pair in read_corpus(path, system, columns) for text in texts_of(pair)}


def test_a_paraphrase_model_can_be_inconsistent_at_most_1521_times(sick_br: Corpus) -> None:
    answers = Predictions("p", [pair.id for pair in sick_br], ["paraphrase"] * len(sick_br))
    paraphrases = evaluate(match(sick_br, answers), "assin").diagnostics.paraphrases
    assert paraphrases is not None
    assert (paraphrases.n_possible, len(paraphrases.ids)) == (1521, 9840 - 1300)
