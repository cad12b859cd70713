"""Pairs from files: the formats, their traps, and what is said where a file is wrong."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import InputError, PolicyError
from core.files import datasets
from core.files.labels import decode
from core.files.nli.readers import read_corpus
from core.files.tables import Layout
from core.settings import ROOT, settings
from core.studies.nli.matched import match, read_predictions
from core.studies.nli.report import SHARED
from core.tasks import TASKS

SAMPLES = ROOT / "data" / "samples" / "nli"
Save = Callable[..., Path]
HEADER = "pair_ID sentence_A sentence_B entailment_label relatedness_score entailment_AB entailment_BA SemEval_set\n"
HEADER = HEADER.replace(" ", "\t")


def xml(*pairs: str) -> str:
    return f"<entailment-corpus>{''.join(pairs)}</entailment-corpus>"


def pair(identifier: str, label: str, rest: str = 'similarity="3.5"') -> str:
    return f'<pair entailment="{label}" id="{identifier}" {rest}><t>Chove &amp; venta.</t><h>Chove.</h></pair>'


def test_a_table_is_read_as_somebody_says_it_is_laid_out(save):
    path = save("a.csv", 'id;premise;hypothesis;label\n1;"A, cat";B.;neutral\n2;"C, dog";D.;entailment\n')
    first = [next(iter(read_corpus(path, "sick", {}, Layout(quoting=quoting)))).premise for quoting in ("", "none")]
    assert first == ["A, cat", '"A, cat"']
    answers = save("b.csv", "id,label\n1,x\n")
    assert read_predictions(answers, None, Layout(delimiter=",")).labels == ["x"]
    with pytest.raises(InputError, match="no column with the label"):
        read_predictions(answers, None, Layout(delimiter=";"))


def test_what_data_lint_calls_an_error_is_noted(save):
    rows = "1,#N/A,A cat sleeps.,entailment\n2,Cats sleep.,1-Mar,neutral\n3,A cat runs.,A cat sits.,contradiction\n"
    assert read_corpus(save("a.csv", "id,premise,hypothesis,label\n" + rows)).notes[-1] == (
        "2 of 6 texts have what data lint calls errors and are scored all the same: a spreadsheet error or a missing "
        "value (pair 1); a date or a time and nothing else (pair 2)."
    )
    note = read_corpus(save("b.xml", xml(pair("7", "None")).replace("&amp;", "&amp;amp;"))).notes[-1]
    assert note.endswith("scored all the same: HTML entities such as &amp; (pair 7).")


@pytest.mark.parametrize(
    ("name", "system", "n", "counts"),
    [
        ("assin.xml", "assin", 48, {"entailment": 10, "paraphrase": 10, "none": 28}),
        ("assin2.xml", "assin2", 40, {"entailment": 20, "none": 20}),
        ("sick.txt", "sick", 50, {"entailment": 24, "contradiction": 12, "neutral": 14}),
        ("snli.jsonl", "snli", 40, {"entailment": 20, "contradiction": 10, "neutral": 10}),
    ],
)
def test_samples_are_known_by_their_content(name, system, n, counts):
    corpus = read_corpus(SAMPLES / name)
    assert (corpus.system, len(corpus)) == (system, n)
    assert {label: corpus.gold.count(label) for label in set(corpus.gold)} == counts
    assert all(corpus.gold)


def test_columns_of_any_table_can_be_named():
    columns = {"premise": "afirmação", "hypothesis": "conclusão", "gold": "resposta", "id": "número"}
    corpus = read_corpus(SAMPLES / "frases.csv", "snli", columns)
    assert (len(corpus), corpus.pairs[2].gold, corpus.pairs[0].id) == (40, "contradiction", "1")
    with pytest.raises(InputError, match=r"no column with the premise .*número, afirmação"):
        read_corpus(SAMPLES / "frases.csv", "snli")
    with pytest.raises(InputError, match="no column 'frase'"):
        read_corpus(SAMPLES / "frases.csv", "snli", {"premise": "frase"})


def test_labels_in_any_case_and_pairs_without_similarity(save):
    pairs = [pair("1", "none", ""), pair("2", "NONE"), pair("3", "None"), pair("4", "ENTAILMENT")]
    corpus = read_corpus(save("a.xml", xml(*pairs)), "assin")
    assert corpus.gold == ["none", "none", "none", "entailment"]
    assert math.isnan(corpus.pairs[0].relatedness)
    assert corpus.pairs[1].relatedness == 3.5
    assert corpus.pairs[0].premise == "Chove & venta."


def test_blind_files_have_no_gold(save):
    corpus = read_corpus(save("a.xml", xml(pair("1", "Unknown", 'similarity="-1.0"'))), "assin2")
    assert corpus.gold == [""]
    assert math.isnan(corpus.pairs[0].relatedness)


def test_ids_of_joined_files_are_made_unique(save):
    pairs = [pair(str(number), "None") for number in (1, 2, 3, 1, 2)]
    corpus = read_corpus(save("a.xml", xml(*pairs)), "assin2")
    assert [one.id for one in corpus] == ["1", "2", "3", "2:1", "2:2"]
    assert len(corpus.notes) == 1
    assert corpus.notes[0].startswith("2 ids come twice: the file is joined from 2 parts that count anew.")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.xml", xml(*(pair(name, "None") for name in ("7", "24-rev", "7", "8 (1)", "8", "8")))),
        (
            "a.csv",
            "id,premise,hypothesis,label\n" + "".join(f"{n},a,b,none\n" for n in (7, "24-rev", 7, "8 (1)", 8, 8)),
        ),
        (
            "a.txt",
            HEADER
            + "".join(
                f"{n}\ta\tb\tNEUTRAL\t1\tA_neutral_B\tB_neutral_A\tT\n" for n in (7, "24-rev", 7, "8 (1)", 8, 8)
            ),
        ),
    ],
)
def test_ids_of_several_pairs_are_told_apart(save, name, content):
    """As in the published file of ASSIN 2's training and development pairs."""
    corpus = read_corpus(save(name, content), "" if name == "a.txt" else "assin2")
    assert [one.id for one in corpus] == ["7 (1)", "24-rev", "7 (2)", "8 (1)", "8 (2)", "8 (3)"]
    assert any(note.startswith("2 ids are those of several pairs") for note in corpus.notes)
    answers = read_predictions(save("b.csv", "id,label\n7,none\n24-rev,none\n7,none\n9,none\n8,none\n8,none\n"))
    with pytest.raises(InputError, match=r"answer 3: the id '7' is that of answer 1 too.* match them by position"):
        match(corpus, answers)
    assert len(match(corpus, answers, by_position=True).answers) == 6


def test_sick_is_recognised_if_its_own_columns_are_named():
    columns = {"premise": "sentence_A", "gold": "Entailment_Label"}
    assert read_corpus(SAMPLES / "sick.txt", columns=columns).pairs == read_corpus(SAMPLES / "sick.txt").pairs
    other = read_corpus(SAMPLES / "sick.txt", columns={"premise": "sentence_B", "hypothesis": "sentence_A"})
    assert not any(pair.reverse_gold for pair in other)


def test_sick_s_pairs_are_there_in_both_directions(save):
    corpus = read_corpus(SAMPLES / "sick.txt")
    both = corpus.in_both_directions()
    assert len(both) == 2 * len(corpus)
    for one, first, second in zip(corpus, both.pairs[::2], both.pairs[1::2], strict=True):
        assert (first.id, first.gold, second.id) == (one.id, one.gold, f"{one.id}-rev")
        assert (second.premise, second.hypothesis) == (one.hypothesis, one.premise)
        assert (second.gold, second.reverse_gold) == (one.reverse_gold, one.gold)
    with pytest.raises(InputError, match=r"40 pairs without a label for the swapped pair \(0, \.\.\.\)"):
        read_corpus(SAMPLES / "assin2.xml").in_both_directions()


@pytest.mark.parametrize(
    ("gold", "n_neutral", "n_contradiction"),
    [("label", 12427, 1424 + 1708), ("directions", 12100, 1751 + 1708), ("symmetric", 12711, 2 * 1424)],
)
def test_what_swapped_pairs_of_sick_br_are_is_a_choice(gold, n_neutral, n_contradiction, shared_data):
    both = read_corpus(shared_data("sick_br/SICK_BR.txt.gz"), sick_gold=gold).in_both_directions()
    counts = [both.gold.count(label) for label in ("entailment", "neutral", "contradiction")]
    assert counts == [2821 + 1300, n_neutral, n_contradiction]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<entailment-corpus><pair", r"a\.xml: not XML: .*line 1, column"),
        ("", r"a\.xml: not XML: no element found"),
        ("<corpus/>", "found <corpus>"),
        (xml(), "there is no pair"),
        ('<!DOCTYPE a [<!ENTITY b "bbbb">]>' + xml(pair("1", "None")), "document type or entities"),
        ('<!DOCTYPE a SYSTEM "file:///etc/passwd">' + xml(pair("1", "None")), "document type or entities"),
        (xml(pair("1", "Perhaps")), r"a\.xml, pair 1: There is no ASSIN label 'Perhaps'"),
        (xml(pair("", "None")), "pair 1: it has no id"),
        (xml(pair("1", "None", 'similarity="high"')), "pair 1: 'high' in column 'similarity' is not a number"),
        (xml('<pair id="1" entailment="None"><t>a</t></pair>'), "pair 1: there is no hypothesis"),
        (xml('<pair id="1" entailment="None"><t>a<b/></t></pair>'), "expected text only in <t>, found <b>"),
        (xml("<t>" * 100_000 + "</t>" * 100_000), "there is no pair"),
        ('<?xml version="1.0" encoding="KLINGON"?><corpus/>', r"a\.xml: names an encoding that is not known"),
    ],
)
def test_wrong_xml_is_told_in_one_sentence(save, content, said):
    with pytest.raises(InputError, match=said) as caught:
        read_corpus(save("a.xml", content), "assin")
    assert "\n" not in str(caught.value)


def test_xml_beyond_the_limit_is_refused(save, limit):
    limit("max_document_mb", 1)
    with pytest.raises(InputError, match="longer than 1 MB"):
        read_corpus(save("a.xml", xml(pair("1", "None")) + " " * (1 << 20)))


def test_entities_do_not_expand(save):
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))
    bomb = f'<!DOCTYPE a [<!ENTITY l0 "ha">{levels}]><entailment-corpus>&l8;</entailment-corpus>'
    with pytest.raises(InputError, match="document type or entities"):
        read_corpus(save("bomb.xml", bomb))


def test_a_quotation_mark_in_sick_joins_no_rows(save):
    rows = (
        'k1\tO "gato dorme\tO gato dorme\tENTAILMENT\t4.5\tA_entails_B\tB_entails_A\tTRAIN\n'
        "k2\tUm cão late\tUm gato dorme\tneutral\t1.2\ta_neutral_b\tB_neutral_A\tTEST\n"
    )
    corpus = read_corpus(save("sick.txt", "\ufeff" + HEADER + rows))
    assert [one.id for one in corpus] == ["k1", "k2"]
    assert corpus.pairs[0].premise == 'O "gato dorme'
    assert corpus.splits == ("TRAIN", "TEST")
    assert [one.id for one in corpus.part("test")] == ["k2"]
    with pytest.raises(InputError, match="Known: TEST, TRAIN"):
        corpus.part("tests")


def test_gold_labels_of_swapped_pairs_are_those_annotated_there():
    corpus = read_corpus(SAMPLES / "sick.txt")
    by_label = {(one.gold, one.reverse_gold): one for one in corpus}
    one_way = by_label["entailment", "neutral"]
    assert (one_way.turned.gold, one_way.turned.premise) == ("neutral", one_way.hypothesis)
    assert one_way.turned.turned == one_way


def test_contradictions_in_one_direction_are_told_and_can_be_read_otherwise():
    path = SAMPLES / "sick.txt"
    label, directions, symmetric = (
        read_corpus(path, sick_gold=gold) for gold in ("label", "directions", "symmetric")
    )
    assert label.notes[0].startswith("2 pairs are annotated as a contradiction in one direction only")
    counts = [
        (corpus.gold.count("contradiction"), [one.reverse_gold for one in corpus].count("contradiction"))
        for corpus in (label, directions, symmetric)
    ]
    assert counts == [(12, 13), (13, 13), (12, 12)]
    with pytest.raises(PolicyError, match="reading of SICK's labels"):
        read_corpus(path, sick_gold="swapped")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("1\ta\tb\tMAYBE\t1\tA_neutral_B\tB_neutral_A\tT\n", "row 1: There is no SICK label 'MAYBE'"),
        ("1\ta\tb\tNEUTRAL\t1\tA_neutral_A\tB_neutral_A\tT\n", "row 1: column 'entailment_AB' has 'A_neutral_A'"),
        ("1\ta\t\tNEUTRAL\t1\tA_neutral_B\tB_neutral_A\tT\n", "row 1: there is no hypothesis"),
        ("1\ta\tb\tNEUTRAL\tmuch\tA_neutral_B\tB_neutral_A\tT\n", "'much' in column 'relatedness_score'"),
    ],
)
def test_wrong_sick_is_told_with_its_row(save, row, said):
    with pytest.raises(InputError, match=said):
        read_corpus(save("s.txt", HEADER + row))


def test_pairs_without_an_agreed_label_are_left_out_and_counted():
    corpus = read_corpus(SAMPLES / "snli.jsonl", "snli")
    assert [where for where, _ in corpus.left_out] == ["pair own41", "pair own42", "pair own43"]
    assert corpus.notes == ["3 pairs are left out because no label was agreed on (-)."]


def test_numbered_labels_are_read_as_public_copies_number_them(save):
    lines = '{"premise":"a","hypothesis":"b","label":0}\n{"premise":"a","hypothesis":"c","label":2}\n'
    corpus = read_corpus(save("c.jsonl", lines + '{"premise":"a","hypothesis":"d","label":-1}\n'), "mnli")
    assert (corpus.gold, [one.id for one in corpus]) == (["entailment", "contradiction"], ["1", "2"])
    assert "0 entailment, 1 neutral, 2 contradiction" in corpus.notes[0]
    assert read_corpus(save("d.jsonl", lines), "assin").gold == ["none", "paraphrase"]
    with pytest.raises(InputError, match="say which label system"):
        read_corpus(save("e.jsonl", lines))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("premise,hypothesis,label\na,b,maybe\n", "labels .maybe. are those of no known system"),
        ("premise,hypothesis,label\na,b,entailment\n,b,neutral\na,c,contradiction\n", "row 2: there is no premise"),
        ("id,premise,hypothesis,label\n1,a,b,entailment\n,a,b,none\n", "row 2: there is no id"),
        ("premise,hypothesis,label\n", "no pair below"),
    ],
)
def test_wrong_tables_are_told_with_their_row(save, content, said):
    with pytest.raises(InputError, match=said):
        read_corpus(save("t.csv", content))


def test_a_wrong_label_of_a_named_system_is_told_with_its_row(save):
    with pytest.raises(InputError, match=r"t\.csv, row 2: There is no SNLI label 'nuetral'\. Did you mean 'neutral'"):
        read_corpus(save("t.csv", "premise,hypothesis,label\na,b,ENTAILMENT\na,b,nuetral\n"), "snli")


def test_sick_is_not_read_with_labels_it_does_not_have():
    with pytest.raises(InputError, match="not those of ASSIN"):
        read_corpus(SAMPLES / "sick.txt", "assin")


ASSIN = {
    "assin-ptbr-train": (1947, 437, 116),
    "assin-ptbr-dev": (384, 92, 24),
    "assin-ptbr-test": (1553, 341, 106),
    "assin-ptpt-train": (1708, 613, 179),
    "assin-ptpt-dev": (338, 116, 46),
    "assin-ptpt-test": (1386, 481, 133),
    "assin2-train-only": (3250, 3250, 0),
    "assin2-dev": (250, 250, 0),
    "assin2-test": (1224, 1224, 0),
}


@pytest.mark.parametrize("name", ASSIN)
def test_public_assin_has_its_published_counts(name, shared_data):
    corpus = read_corpus(shared_data(f"assin/sources/{name}.xml.gz"))
    assert corpus.system == name.partition("-")[0]
    assert tuple(map(corpus.gold.count, ("none", "entailment", "paraphrase"))) == ASSIN[name]


@pytest.mark.parametrize("name", ["sick_br/SICK_BR.txt.gz", "sick/SICK.txt.gz"])
def test_public_sick_has_its_published_counts(name, shared_data):
    path = shared_data(name)
    corpus = read_corpus(path)
    assert tuple(map(corpus.gold.count, ("neutral", "entailment", "contradiction"))) == (5595, 2821, 1424)
    assert corpus.notes[0].startswith("611 pairs")
    parts = [one.split for one in corpus]
    assert tuple(map(parts.count, ("TRAIN", "TRIAL", "TEST"))) == (4439, 495, 4906)
    decoded = decode(corpus.gold, [one.reverse_gold for one in corpus], "assin", "sick")
    assert tuple(map(decoded.count, ("paraphrase", "entailment", "none"))) == (1300, 1521, 7019)
    directions = read_corpus(path, sick_gold="directions")
    assert directions.gold.count("contradiction") == 1751
    assert [one.reverse_gold for one in directions].count("contradiction") == 1708
    symmetric = read_corpus(path, sick_gold="symmetric")
    assert [one.reverse_gold for one in symmetric].count("contradiction") == 1424


@pytest.mark.parametrize(("data", "model", "n"), [("assin2", "sick", 9840), ("sick", "assin2", 7000)])
def test_a_set_that_holds_the_same_pairs_is_found_fetched_or_in_the_mirror(data, model, n, shared_data, monkeypatch):
    known = SHARED[data, model]
    assert known.pairs() == []
    monkeypatch.setenv("PAIRLENS_MIRROR", str(shared_data(known.dataset).parent))
    settings.cache_clear()
    assert len(known.pairs()) == n
    datasets.get(datasets.named(known.dataset), accepted=True)
    monkeypatch.delenv("PAIRLENS_MIRROR")
    settings.cache_clear()
    assert len(known.pairs()) == n


def test_a_note_about_one_pair_is_in_the_singular(save):
    rows = "A cat.\tA dog.\tneutral\nA cat.\tA cow.\t-\nA.\tB.\tentailment\nA.\tC.\tcontradiction\n"
    corpus = read_corpus(save("a.tsv", f"sentence1\tsentence2\tgold_label\n{rows}"))
    assert any(note.startswith("1 pair is left out") for note in corpus.notes)


@pytest.mark.parametrize("name", ["mnli", "snli"])
def test_systems_with_the_same_labels_are_told_apart_by_the_folder(name, tmp_path):
    folder = tmp_path / name
    folder.mkdir()
    shutil.copy(SAMPLES / "snli.jsonl", folder / "dev.jsonl")
    assert read_corpus(folder / "dev.jsonl").system == name
    names = {item.id.partition(":")[0] for item in TASKS["nli"].read(tmp_path)}
    assert names == {f"{name}/dev.jsonl"}


def test_public_assin2_parts_joined_in_one_file(shared_data, save):
    import gzip

    parts = [
        gzip.decompress(shared_data(f"assin/sources/assin2-{n}.xml.gz").read_bytes()) for n in ("train-only", "dev")
    ]
    joined = parts[0].replace(b"</entailment-corpus>", b"") + parts[1].partition(b"<entailment-corpus>")[2]
    corpus = read_corpus(save("assin2-train.xml", joined))
    assert len({one.id for one in corpus}) == len(corpus) == 7000
    assert corpus.pairs[-1].id == "2:500"
