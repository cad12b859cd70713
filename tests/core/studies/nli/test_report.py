"""Around an evaluation: overlaps, baselines, unnamed labels, two models, translation, files, the command line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.cli import main
from pairlens.errors import PolicyError
from pairlens.files.labels import SYSTEMS, System, system_of
from pairlens.files.nli.assin import assin_xml
from pairlens.files.nli.items import normalised
from pairlens.files.nli.pairs import Corpus, Pair, Predictions
from pairlens.files.nli.readers import read_corpus
from pairlens.places import FOLDER as ROOT
from pairlens.statistics.few import WILSON, p_value
from pairlens.studies.nli.baselines import hypothesis_only, word_overlap
from pairlens.studies.nli.evaluation import compare, evaluate
from pairlens.studies.nli.matched import match, read_predictions
from pairlens.studies.nli.report import Judged, overlap, report
from pairlens.studies.nli.result import keys, methods
from pairlens.studies.nli.translated import assignments, doubt, translate_corpus, translate_predictions
from tests.refusals import error_of

SAMPLES = ROOT / "data" / "samples" / "nli"
CLASSES = ("entailment", "none")


def pairs_of(*texts):
    return [Pair(str(number), premise, hypothesis, "none") for number, (premise, hypothesis) in enumerate(texts)]


def test_pairs_of_another_set_are_found_in_either_order():
    ours = Corpus("c", "assin2", pairs_of(("A cat.", "It rains"), ("x", "y"), ("p", "q"), ("Z", "z.")))
    found = overlap(ours, pairs_of(("a  CAT", "it rains."), ("y.", "X"), ("z", "z")), "other")
    assert (found.same, found.turned, found.n) == ({"0", "3"}, {"1"}, 4) and normalised(" A.  b. ") == "a b"


def test_hypotheses_alone_or_words_in_common_are_enough_only_where_they_give_it_away():
    given_away = [Pair(str(n), f"p{n}", f"{'never' if n % 2 else 'surely'} {n}") for n in range(100)]
    gold = ["none" if n % 2 else "entailment" for n in range(100)]
    assert hypothesis_only(given_away, gold, CLASSES).accuracy == 1
    assert word_overlap(given_away, gold, CLASSES).accuracy < 0.7
    pairs = [Pair(str(n), f"a{n} b c", f"d{n} e f" if n % 2 else f"a{n} b c") for n in range(100)]
    assert word_overlap(pairs, gold, CLASSES).accuracy == 1
    pairs = [Pair(f"{n}.{m}", f"premise {n}", f"word{n}") for n in range(40) for m in range(5)]
    gold = [CLASSES[n % 2] for n in range(40) for _ in range(5)]
    assert hypothesis_only(pairs, gold, CLASSES).accuracy < 0.7
    few = pairs_of(("a", "b"), ("a", "c"))
    assert hypothesis_only(few, ["none", "none"], CLASSES).accuracy in (0.0, 0.5, 1.0)
    assert word_overlap([Pair("1", "...", "!")], ["none"], CLASSES).macro_f1 in (0.0, 1.0)


@given(st.permutations(["entailment", "contradiction", "neutral"]), st.data())
def test_the_true_assignment_of_numbers_is_the_best(order, data):
    gold = data.draw(st.lists(st.sampled_from(order), min_size=3, max_size=30).filter(lambda g: len(set(g)) == 3))
    best = assignments(gold, [f"LABEL_{order.index(label)}" for label in gold], "snli", "mnli")[0]
    assert best.accuracy == 1
    assert best.labels == {f"LABEL_{number}": label for number, label in enumerate(order)}


def test_a_doubtful_assignment_is_told_and_a_good_one_is_not():
    gold = ["entailment", "none"] * 8
    swapped = ["none", "entailment"] * 8
    assert "Another assignment would give 100 % instead of 0 %" in doubt(gold, swapped, "assin2", "assin2")
    assert doubt(gold, gold, "assin2", "assin2") == ""
    assert len(assignments(gold, gold, "assin2", "sick")) == 6
    for n, doubted in ((2, False), (3, False), (4, True)):
        assert bool(doubt(gold[:n], swapped[:n], "assin2", "assin2")) == doubted, "of few pairs chance may be right"
    assert "3 different labels" in error_of(lambda: assignments(gold[:3], ["0", "1", "2"], "assin2", "assin2"))


def test_two_models_are_compared_pair_by_pair():
    corpus = Corpus("c", "assin2", pairs_of(*((f"a{n}", f"b{n}") for n in range(20))))
    ids = [pair.id for pair in corpus]
    one = Predictions("1", ids, ["none"] * 17 + ["entailment"] * 3)
    two = Predictions("2", ids, ["entailment"] * 8 + ["none"] * 12)
    found = compare(*(evaluate(match(corpus, answers), "assin2") for answers in (one, two)))
    assert (found.n, round(found.difference, 9)) == (20, 0.25)
    assert (found.discordant.only_a, found.discordant.only_b) == (8, 3)
    assert found.discordant.p == pytest.approx(2 * sum((165, 55, 11, 1)) / 2**11)  # binomial, 3 or fewer of 11
    assert found.p == pytest.approx(found.discordant.p), "no two pairs are related"
    assert found.interval.low < 0.25 < found.interval.high
    other = evaluate(match(Corpus("d", "assin", corpus.pairs), two), "assin2", "forward")
    three = evaluate(match(Corpus("d", "assin", corpus.pairs), two), "assin")
    assert other.classes != three.classes
    assert "different classes" in error_of(lambda: compare(other, three))


def test_labels_and_answers_are_translated_where_they_determine_each_other():
    corpus = translate_corpus(read_corpus(SAMPLES / "sick.txt"), "assin")
    counts = {label: corpus.gold.count(label) for label in system_of("assin").labels}
    assert counts == {"entailment": 12, "paraphrase": 12, "none": 26}
    both = {(pair.gold, pair.reverse_gold) for pair in corpus}
    assert both == {("entailment", "none"), ("paraphrase", "paraphrase"), ("none", "none")}
    two = translate_corpus(corpus, "assin2")
    assert (two.system, two.gold.count("entailment")) == ("assin2", 24)
    with pytest.raises(PolicyError, match=r"ASSIN 2 labels do not say which SICK label is right.*C from N"):
        translate_corpus(read_corpus(SAMPLES / "assin2.xml"), "sick")
    with pytest.raises(PolicyError, match="of both directions, and some pairs have one only"):
        translate_corpus(read_corpus(SAMPLES / "snli.jsonl"), "assin")
    forward, reverse = (read_predictions(SAMPLES / f"assin_answers{end}.csv") for end in ("", "_reverse"))
    translated = translate_predictions(forward, reverse, "snli", "assin")
    corpus = read_corpus(SAMPLES / "assin.xml")
    direct = evaluate(match(corpus, forward, reverse), "snli")
    assert evaluate(match(corpus, translated), "assin").accuracy == direct.accuracy


def test_assin_xml_that_was_written_is_read_as_it_was_and_answers_have_no_similarity(save):
    corpus = Corpus("c", "assin2", [Pair("1", '<a> & "b"', "é ∅\tc", "entailment"), Pair("2", "x", "y", "")])
    again = read_corpus(save("a.xml", assin_xml(corpus)), "assin2")
    read = [(pair.id, pair.premise, pair.gold) for pair in again]
    assert read == [("1", '<a> & "b"', "entailment"), ("2", "x", "")]
    assert "pair 1: character" in error_of(lambda: assin_xml(corpus.only([Pair("1", "a\x00", "b")])))
    corpus = Corpus("c", "assin2", [Pair(n, "a", "b", "none", relatedness=3.5) for n in "12"])
    assert [pair.relatedness for pair in read_corpus(save("a.xml", assin_xml(corpus)))] == [3.5, 3.5]
    answers = read_predictions(save("b.xml", assin_xml(corpus, {"1": "none", "2": "entailment"})))
    assert evaluate(match(corpus, answers), "assin2").relatedness.n == 0


EVALUATE = ["nli", "evaluate", "--gold", str(SAMPLES / "assin.xml"), "--gold-system", "ASSIN"]
ANSWERS = ["--predictions", str(SAMPLES / "assin_answers.csv"), "--model-system", "Sick"]
REVERSE = ["--reverse-predictions", str(SAMPLES / "assin_answers_reverse.csv")]


def test_evaluate_writes_numbers_and_answers_and_numbers_as_a_table(tmp_path, capsys):
    output, answers = tmp_path / "n.json", tmp_path / "a.xml"
    assert main([*EVALUATE, *ANSWERS, *REVERSE, "--output-file", str(output), "--answers", str(answers)]) == 0
    content = json.loads(output.read_text("utf-8"))
    numbers = {one["name"]: one for one in content["headlines"]}
    assert (round(numbers["accuracy"]["value"] * 48), numbers["accuracy"]["n"]) == (41, 48)
    assert 0 < numbers["macro_f1"]["value"] < 1
    assert content["provenance"]["receipt"]["settings"]["mode"] == "strict"
    rows = {name: table["rows"] for name, table in content["tables"].items()}
    assert [row["name"] for row in rows["baselines"]] == ["majority", "word overlap", "hypothesis only"]
    assert "left_out" not in rows
    assert sum(row["what"] == "reverse entailment, allowed" for row in rows["contradictions"]) == 7
    written = read_corpus(answers, "assin")
    gold = read_corpus(SAMPLES / "assin.xml").gold
    assert sum(one == other for one, other in zip(written.gold, gold, strict=True)) == 41
    assert "E(a,b) ∧ E(b,a) → P" in capsys.readouterr().out
    output = tmp_path / "n.csv"
    assert main([*EVALUATE, *ANSWERS, "--mode", "forward", "-o", str(output)]) == 0
    header, first = output.read_text("utf-8-sig").splitlines()[:2]
    assert header.startswith("pairs,class,classes,n,accuracy") and first.startswith("all pairs,all,2,48,0.")


@pytest.mark.slow
def test_evaluate_names_what_numbers_may_stand_for(tmp_path, capsys):
    command = ["nli", "evaluate", "--gold", str(SAMPLES / "snli.jsonl"), "--model-system", "snli"]
    command += ["--predictions", str(SAMPLES / "snli_answers.json"), "-o", str(tmp_path / "n.json")]
    assert main(command) == 2
    assert "0 = entailment, 1 = neutral, 2 = contradiction: 82 %" in capsys.readouterr().err
    assert main([*command, "-f"]) == 2, "numbers are not interpreted, and so not wrong either"
    assert "say what each stands for (--labels 0=...,1=...)" in capsys.readouterr().err
    assert main([*command, "--labels", "0=neutral,1=entailment,2=contradiction"]) == 0
    assert "Another assignment would give 82 % instead of 25 %" in capsys.readouterr().out
    assert main([*command, "--labels", "0=entailment", "--labels", "1=neutral,2=contradiction"]) == 0
    assert "Another" not in capsys.readouterr().out


@pytest.mark.slow
def test_translate_writes_what_evaluate_reads_and_guessed_encodings_are_said(tmp_path, capsys):
    answers = tmp_path / "answers.csv"
    rows = "".join(f"{pair.id},none,Ёлка стоит у дома.\n" for pair in read_corpus(SAMPLES / "assin2.xml"))
    answers.write_text(f"id,label,why\n{rows}", "koi8_r")
    said = "answers.csv is not UTF-8; it is read as KOI8-R (Cyrillic), which is a guess"
    command = ["nli", "evaluate", "--gold", str(SAMPLES / "assin2.xml"), "--model-system", "assin2"]
    assert main([*command, "--predictions", str(answers), "-o", str(tmp_path / "n.json")]) == 0
    assert said in capsys.readouterr().err
    command = ["nli", "translate", "--predictions", str(answers), "--system", "assin2", "--into", "assin2"]
    assert main([*command, "-o", str(tmp_path / "t.csv")]) == 0 and said in capsys.readouterr().err
    table, xml = tmp_path / "t.csv", tmp_path / "t.xml"
    command = ["nli", "translate", "--gold", str(SAMPLES / "sick.txt"), "--into", "assin"]
    for output in (table, xml):
        assert main([*command, "-o", str(output)]) == 0
    assert "paraphrase: 12" in capsys.readouterr().out
    assert read_corpus(table, "assin").gold == read_corpus(xml, "assin").gold
    answers = tmp_path / "a.jsonl"
    command = ["nli", "translate", "--predictions", str(SAMPLES / "sick_answers.jsonl"), "--system", "assin"]
    assert main([*command, "--into", "assin2", "-o", str(answers)]) == 0
    assert set(read_predictions(answers).labels) == {"entailment", "none"}


@pytest.mark.slow
def test_evaluate_compares_two_models_and_other_sets(tmp_path, capsys):
    output, second = tmp_path / "n.json", tmp_path / "second.csv"
    second.write_text("id,label\n" + "".join(f"{n},entailment\n" for n in range(40)))
    command = ["nli", "evaluate", "--gold", str(SAMPLES / "assin2.xml"), "--model-system", "assin2"]
    command += ["-o", str(output), "--predictions", str(SAMPLES / "assin2_answers.xml"), "--compare", str(second)]
    assert main([*command, "--other", str(SAMPLES / "sick.txt")]) == 0
    content = json.loads(output.read_text("utf-8"))
    numbers = {one["name"]: one for one in content["headlines"]}
    assert numbers["accuracy"]["value"] == 0.875
    assert content["provenance"]["receipt"]["headline"] == "without pairs that are in sick.txt"
    assert content["tables"]["numbers"]["rows"][0]["accuracy"] == 0.85
    assert (numbers["difference"]["n"], numbers["difference"]["value"], numbers["pearson"]["n"]) == (16, 0.375, 16)
    compared, said = numbers["difference"]["more"], capsys.readouterr().out
    assert compared["n_related_sets"] < 16 and compared["p"] != compared["mcnemar_p"]
    exchanged = f"answers to {compared['n_related_sets']} related sets of sentences exchanged"
    assert f"{exchanged}: {p_value(compared['p'])}" in said
    command += ["--other", str(SAMPLES / "sick.txt")]
    (tmp_path / "other").mkdir()
    same = tmp_path / "other" / "sick.txt"
    rows = ("1,Chove.,Venta.,neutral", "2,Chove.,Neva.,contradiction", "3,Chove muito.,Chove.,entailment")
    same.write_text("\n".join(("id,premise,hypothesis,gold", *rows)) + "\n")
    assert main([*command, "--other", str(same)]) == 0
    content = json.loads(output.read_text("utf-8"))
    assert content["provenance"]["receipt"]["trained_on"] == [str(SAMPLES / "sick.txt"), str(same)]
    assert any(one["value"] == 0.875 for one in content["headlines"] if one["name"] == "accuracy")
    assert f"None of the 40 pairs is in {same}." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([*EVALUATE, *ANSWERS, "-o", "{tmp}/n.json"], "reverse predictions"),
        ([*EVALUATE, *ANSWERS, *REVERSE, "--mode", "loose", "-o", "{tmp}/n.json"], "no mode 'loose'"),
        ([*EVALUATE, *ANSWERS, *REVERSE, "-o", "{tmp}/n.xml"], "cannot write a file of this kind"),
        ([*EVALUATE, *ANSWERS, *REVERSE, "-o", ANSWERS[1]], "would be lost"),
        ([*EVALUATE, *ANSWERS, *REVERSE, "--column", "gold", "-o", "{tmp}/n.json"], "--column takes NAME=VALUE"),
        ([*EVALUATE[:3], ".", *ANSWERS, "-o", "{tmp}/n.json"], ". is a folder"),
        ([*EVALUATE, *ANSWERS[:3], "assin", *REVERSE, "-o", "{tmp}/n.json"], "assin_answers.csv, answer for pair"),
        (["nli", "translate", "--into", "assin", "-o", "{tmp}/t.csv"], "give pairs"),
        (["nli", "translate", "--predictions", ANSWERS[1], "--into", "assin2", "-o", "{tmp}/t.csv"], "whose labels"),
    ],
)
def test_mistakes_end_with_one_sentence(arguments, said, tmp_path, capsys):
    assert main([argument.replace("{tmp}", str(tmp_path)) for argument in arguments]) == 2
    told = capsys.readouterr().err.strip()
    assert said in told and "\n" not in told


PAIRS = [Pair("1", "a", "b", "entailment"), Pair("2", "c", "d", "neutral")]
CORPUS = Corpus("c", "sick", PAIRS)


def said(**others):
    answers = match(CORPUS, Predictions("p", ["1", "2"], ["entailment", "neutral"]))
    return methods(Judged(report(answers, "snli", **others), CORPUS, "theirs", "mine"))


def test_a_methods_sentence_says_rules_numbers_and_of_which_pairs_and_an_added_system_needs_no_paper(monkeypatch):
    expected = ("theirs, whose labels are those of SNLI", "on mine", "accuracy 100.00 %", "majority baseline")
    assert all(part in said() for part in (*expected, f"{WILSON} for accuracy"))
    assert "without pairs" not in said()
    assert "without pairs that are in training data" in said(others={"training data": PAIRS[:1]})
    none = said(others={"training data": PAIRS})
    assert "no pair with an answer to judge" in none and "nan" not in none and "baseline" not in none
    monkeypatch.setitem(SYSTEMS, "mine", System("mine", "Mine", system_of("sick").situations))
    assert keys(Corpus("c", "mine", PAIRS)) == keys(CORPUS)[1:]
