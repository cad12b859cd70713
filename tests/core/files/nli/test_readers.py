"""Pairs from files: the formats, their traps, and what is said where a file is wrong."""

import gzip
import math
import re
import shutil
from collections import Counter

import pytest

from pairlens.errors import InputError, PolicyError
from pairlens.files import datasets
from pairlens.files.labels import decode
from pairlens.files.nli.readers import read_corpus
from pairlens.files.tables import Layout
from pairlens.places import FOLDER as ROOT
from pairlens.studies.nli.matched import match, read_predictions
from pairlens.studies.nli.report import SHARED
from pairlens.tasks import TASKS
from tests.refusals import error_of

SAMPLES = ROOT / "data" / "samples" / "nli"
SICK = "pair_ID sentence_A sentence_B entailment_label relatedness_score entailment_AB entailment_BA SemEval_set\n"
SICK = SICK.replace(" ", "\t")
TABLE = "id,premise,hypothesis,label\n"


def xml(*pairs):
    return f"<entailment-corpus>{''.join(pairs)}</entailment-corpus>"


def pair(identifier, label, rest='similarity="3.5"'):
    return f'<pair entailment="{label}" id="{identifier}" {rest}><t>Chove &amp; venta.</t><h>Chove.</h></pair>'


def test_a_table_is_read_as_somebody_says_it_is_laid_out_and_xml_up_to_a_limit(save, limit):
    path = save("a.csv", 'id;premise;hypothesis;label\n1;"A, cat";B.;neutral\n2;"C, dog";D.;entailment\n')
    first = [next(iter(read_corpus(path, "sick", {}, Layout(quoting=quoting)))).premise for quoting in ("", "none")]
    assert first == ["A, cat", '"A, cat"']
    answers = save("b.csv", "id,label\n1,x\n")
    assert read_predictions(answers, None, Layout(delimiter=",")).labels == ["x"]
    assert "no column with the label" in error_of(lambda: read_predictions(answers, None, Layout(delimiter=";")))
    limit("max_document_mb", 1)
    with pytest.raises(InputError, match="longer than 1 MB"):
        read_corpus(save("a.xml", xml(pair("1", "None")) + " " * (1 << 20)))


def test_what_data_lint_calls_an_error_is_noted_and_columns_of_any_table_can_be_named(save):
    rows = "1,#N/A,A cat sleeps.,entailment\n2,Cats sleep.,1-Mar,neutral\n3,A cat runs.,A cat sits.,contradiction\n"
    assert read_corpus(save("a.csv", TABLE + rows)).notes[-1] == (
        "2 of 6 texts have what data lint calls errors and are scored all the same: a spreadsheet error or a missing "
        "value (pair 1); a date or a time and nothing else (pair 2)."
    )
    note = read_corpus(save("b.xml", xml(pair("7", "None")).replace("&amp;", "&amp;amp;"))).notes[-1]
    assert note.endswith("scored all the same: HTML entities such as &amp; (pair 7).")
    columns = {"premise": "afirmação", "hypothesis": "conclusão", "gold": "resposta", "id": "número"}
    corpus = read_corpus(SAMPLES / "frases.csv", "snli", columns)
    assert (len(corpus), corpus.pairs[2].gold, corpus.pairs[0].id) == (40, "contradiction", "1")
    with pytest.raises(InputError, match=r"no column with the premise .*número, afirmação"):
        read_corpus(SAMPLES / "frases.csv", "snli")
    assert "no column 'frase'" in error_of(lambda: read_corpus(SAMPLES / "frases.csv", "snli", {"premise": "frase"}))


@pytest.mark.parametrize(
    ("name", "n", "counts"),
    [
        ("assin.xml", 48, {"entailment": 10, "paraphrase": 10, "none": 28}),
        ("assin2.xml", 40, {"entailment": 20, "none": 20}),
        ("sick.txt", 50, {"entailment": 24, "contradiction": 12, "neutral": 14}),
        ("snli.jsonl", 40, {"entailment": 20, "contradiction": 10, "neutral": 10}),
    ],
)
def test_samples_are_known_by_their_content(name, n, counts):
    corpus = read_corpus(SAMPLES / name)
    assert (corpus.system, len(corpus), Counter(corpus.gold)) == (name.partition(".")[0], n, counts)


def test_labels_in_any_case_blind_files_and_rows_with_a_quotation_mark_are_read(save):
    pairs = [pair("1", "none", ""), pair("2", "NONE"), pair("3", "None"), pair("4", "ENTAILMENT")]
    corpus = read_corpus(save("a.xml", xml(*pairs)), "assin")
    assert corpus.gold == ["none", "none", "none", "entailment"]
    assert math.isnan(corpus.pairs[0].relatedness) and corpus.pairs[1].relatedness == 3.5
    assert corpus.pairs[0].premise == "Chove & venta."
    blind = read_corpus(save("a.xml", xml(pair("1", "Unknown", 'similarity="-1.0"'))), "assin2")
    assert blind.gold == [""] and math.isnan(blind.pairs[0].relatedness)
    rows = (
        'k1\tO "gato dorme\tO gato dorme\tENTAILMENT\t4.5\tA_entails_B\tB_entails_A\tTRAIN\n'
        "k2\tUm cão late\tUm gato dorme\tneutral\t1.2\ta_neutral_b\tB_neutral_A\tTEST\n"
    )
    corpus = read_corpus(save("sick.txt", "\ufeff" + SICK + rows))
    assert [(one.id, one.premise) for one in corpus] == [("k1", 'O "gato dorme'), ("k2", "Um cão late")]
    assert corpus.splits == ("TRAIN", "TEST") and [one.id for one in corpus.part("test")] == ["k2"]
    assert "Known: TEST, TRAIN" in error_of(lambda: corpus.part("tests"))
    pairs = [pair(str(number), "None") for number in (1, 2, 3, 1, 2)]
    corpus = read_corpus(save("a.xml", xml(*pairs)), "assin2")
    assert [one.id for one in corpus] == ["1", "2", "3", "2:1", "2:2"]
    (note,) = corpus.notes
    assert note.startswith("2 ids come twice: the file is joined from 2 parts that count anew.")


TWICE = ("7", "24-rev", "7", "8 (1)", "8", "8")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.xml", xml(*(pair(name, "None") for name in TWICE))),
        ("a.csv", TABLE + "".join(f"{name},a,b,none\n" for name in TWICE)),
        ("a.txt", SICK + "".join(f"{name}\ta\tb\tNEUTRAL\t1\tA_neutral_B\tB_neutral_A\tT\n" for name in TWICE)),
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


def test_sick_is_recognised_if_its_own_columns_are_named_and_its_pairs_are_there_in_both_directions(save):
    columns = {"premise": "sentence_A", "gold": "Entailment_Label"}
    assert read_corpus(SAMPLES / "sick.txt", columns=columns).pairs == read_corpus(SAMPLES / "sick.txt").pairs
    other = read_corpus(SAMPLES / "sick.txt", columns={"premise": "sentence_B", "hypothesis": "sentence_A"})
    assert not any(pair.reverse_gold for pair in other)
    assert "not those of ASSIN" in error_of(lambda: read_corpus(SAMPLES / "sick.txt", "assin"))
    corpus = read_corpus(SAMPLES / "sick.txt")
    both = corpus.in_both_directions()
    assert len(both) == 2 * len(corpus)
    for one, first, second in zip(corpus, both.pairs[::2], both.pairs[1::2], strict=True):
        assert (first.id, first.gold, second.id) == (one.id, one.gold, f"{one.id}-rev")
        assert (second.premise, second.hypothesis) == (one.hypothesis, one.premise)
        assert (second.gold, second.reverse_gold) == (one.reverse_gold, one.gold)
        assert (one.turned.gold, one.turned.premise, one.turned.turned) == (second.gold, second.premise, one)
    with pytest.raises(InputError, match=r"40 pairs without a label for the swapped pair \(0, \.\.\.\)"):
        read_corpus(SAMPLES / "assin2.xml").in_both_directions()


LEVELS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))
BOMB = f'<!DOCTYPE a [<!ENTITY l0 "ha">{LEVELS}]><entailment-corpus>&l8;</entailment-corpus>'


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<entailment-corpus><pair", r"a\.xml: not XML: .*line 1, column"),
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
        (BOMB, "document type or entities"),
        ('<?xml version="1.0" encoding="KLINGON"?><corpus/>', r"a\.xml: names an encoding that is not known"),
    ],
)
def test_wrong_xml_is_told_in_one_sentence(save, content, said):
    assert re.search(said, error_of(lambda: read_corpus(save("a.xml", content), "assin")))


def test_contradictions_in_one_direction_are_told_and_can_be_read_otherwise():
    path = SAMPLES / "sick.txt"
    assert read_corpus(path).notes[0].startswith("2 pairs are annotated as a contradiction in one direction only")
    for gold, counts in (("label", (12, 13)), ("directions", (13, 13)), ("symmetric", (12, 12))):
        pairs = read_corpus(path, sick_gold=gold)
        labels = ([one.gold for one in pairs], [one.reverse_gold for one in pairs])
        assert tuple(one.count("contradiction") for one in labels) == counts
    assert "reading of SICK's labels" in error_of(lambda: read_corpus(path, sick_gold="swapped"), PolicyError)


@pytest.mark.parametrize(
    ("name", "system", "content", "said"),
    [
        ("s.txt", "", SICK + "1\ta\tb\tMAYBE\t1\tA_neutral_B\tB_neutral_A\tT\n",
         "row 1: There is no SICK label 'MAYBE'"),
        ("s.txt", "", SICK + "1\ta\tb\tNEUTRAL\t1\tA_neutral_A\tB_neutral_A\tT\n",
         "row 1: column 'entailment_AB' has 'A_neutral_A'"),
        ("s.txt", "", SICK + "1\ta\t\tNEUTRAL\t1\tA_neutral_B\tB_neutral_A\tT\n", "row 1: there is no hypothesis"),
        ("s.txt", "", SICK + "1\ta\tb\tNEUTRAL\tmuch\tA_neutral_B\tB_neutral_A\tT\n",
         "'much' in column 'relatedness_score'"),
        ("t.csv", "", "premise,hypothesis,label\na,b,maybe\n", "labels .maybe. are those of no known system"),
        ("t.csv", "", "premise,hypothesis,label\na,b,entailment\n,b,neutral\na,c,contradiction\n",
         "row 2: there is no premise"),
        ("t.csv", "", TABLE + "1,a,b,entailment\n,a,b,none\n", "row 2: there is no id"),
        ("t.csv", "", "premise,hypothesis,label\n", "no pair below"),
        ("t.csv", "snli", "premise,hypothesis,label\na,b,ENTAILMENT\na,b,nuetral\n",
         r"t\.csv, row 2: There is no SNLI label 'nuetral'\. Did you mean 'neutral'"),
    ],
)  # fmt: skip
def test_a_wrong_table_is_told_with_its_row(save, name, system, content, said):
    with pytest.raises(InputError, match=said):
        read_corpus(save(name, content), system)


def test_pairs_without_an_agreed_label_are_left_out_and_numbered_labels_read_as_public_copies_number_them(save):
    corpus = read_corpus(SAMPLES / "snli.jsonl", "snli")
    assert [where for where, _ in corpus.left_out] == ["pair own41", "pair own42", "pair own43"]
    assert corpus.notes == ["3 pairs are left out because no label was agreed on (-)."]
    rows = "A cat.\tA dog.\tneutral\nA cat.\tA cow.\t-\nA.\tB.\tentailment\nA.\tC.\tcontradiction\n"
    notes = read_corpus(save("a.tsv", f"sentence1\tsentence2\tgold_label\n{rows}")).notes
    assert any(note.startswith("1 pair is left out") for note in notes)
    lines = '{"premise":"a","hypothesis":"b","label":0}\n{"premise":"a","hypothesis":"c","label":2}\n'
    corpus = read_corpus(save("c.jsonl", lines + '{"premise":"a","hypothesis":"d","label":-1}\n'), "mnli")
    assert (corpus.gold, [one.id for one in corpus]) == (["entailment", "contradiction"], ["1", "2"])
    assert "0 entailment, 1 neutral, 2 contradiction" in corpus.notes[0]
    assert read_corpus(save("d.jsonl", lines), "assin").gold == ["none", "paraphrase"]
    assert "say which label system" in error_of(lambda: read_corpus(save("e.jsonl", lines)))


ASSIN = {
    "assin-ptbr-train": (1947, 437, 116), "assin-ptbr-dev": (384, 92, 24), "assin-ptbr-test": (1553, 341, 106),
    "assin-ptpt-train": (1708, 613, 179), "assin-ptpt-dev": (338, 116, 46), "assin-ptpt-test": (1386, 481, 133),
    "assin2-train-only": (3250, 3250, 0), "assin2-dev": (250, 250, 0), "assin2-test": (1224, 1224, 0),
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name.endswith("dev") else pytest.mark.soak) for name in ASSIN]
)
def test_public_assin_has_its_published_counts(name, shared_data):
    corpus = read_corpus(shared_data(f"assin/sources/{name}.xml.gz"))
    assert corpus.system == name.partition("-")[0]
    assert tuple(map(corpus.gold.count, ("none", "entailment", "paraphrase"))) == ASSIN[name]


@pytest.mark.parametrize("name", ["sick_br/SICK_BR.txt.gz", pytest.param("sick/SICK.txt.gz", marks=pytest.mark.soak)])
def test_public_sick_has_its_published_counts_and_what_its_swapped_pairs_are_is_a_choice(name, shared_data):
    label, directions, symmetric = (
        read_corpus(shared_data(name), sick_gold=gold) for gold in ("label", "directions", "symmetric")
    )
    assert tuple(map(label.gold.count, ("neutral", "entailment", "contradiction"))) == (5595, 2821, 1424)
    assert label.notes[0].startswith("611 pairs")
    parts = [one.split for one in label]
    assert tuple(map(parts.count, ("TRAIN", "TRIAL", "TEST"))) == (4439, 495, 4906)
    decoded = decode(label.gold, [one.reverse_gold for one in label], "assin", "sick")
    assert tuple(map(decoded.count, ("paraphrase", "entailment", "none"))) == (1300, 1521, 7019)
    for corpus, n_neutral, *n_contradiction in (
        (label, 12427, 1424, 1708), (directions, 12100, 1751, 1708), (symmetric, 12711, 1424, 1424),
    ):  # fmt: skip
        reverse = [one.reverse_gold for one in corpus]
        assert [labels.count("contradiction") for labels in (corpus.gold, reverse)] == n_contradiction
        both = corpus.in_both_directions().gold
        counts = [both.count(name) for name in ("entailment", "neutral", "contradiction")]
        assert counts == [2821 + 1300, n_neutral, sum(n_contradiction)]


@pytest.mark.parametrize(("data", "model", "n"), [("assin2", "sick", 9840), ("sick", "assin2", 7000)])
def test_a_set_that_holds_the_same_pairs_is_found_fetched_or_in_the_mirror(data, model, n, shared_data, limit):
    known = SHARED[data, model]
    assert known.pairs() == []
    limit("mirror", shared_data(known.dataset).parent)
    assert len(known.pairs()) == n
    datasets.get(datasets.named(known.dataset), accepted=True)
    limit("mirror", "")
    assert len(known.pairs()) == n


@pytest.mark.parametrize("name", ["mnli", "snli"])
def test_systems_with_the_same_labels_are_told_apart_by_the_folder(name, tmp_path):
    folder = tmp_path / name
    folder.mkdir()
    shutil.copy(SAMPLES / "snli.jsonl", folder / "dev.jsonl")
    assert read_corpus(folder / "dev.jsonl").system == name
    names = {item.id.partition(":")[0] for item in TASKS["nli"].read(tmp_path)}
    assert names == {f"{name}/dev.jsonl"}


def test_public_assin2_parts_joined_in_one_file(shared_data, save):
    paths = [shared_data(f"assin/sources/assin2-{name}.xml.gz") for name in ("train-only", "dev")]
    first, second = (gzip.decompress(path.read_bytes()) for path in paths)
    joined = first.replace(b"</entailment-corpus>", b"") + second.partition(b"<entailment-corpus>")[2]
    corpus = read_corpus(save("assin2-train.xml", joined))
    assert len({one.id for one in corpus}) == len(corpus) == 7000
    assert corpus.pairs[-1].id == "2:500"
