"""Models asked about pairs: what their classes mean, which questions are asked, what is read back from the store."""

import json
import math
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st

import pairlens
from pairlens.cli import main
from pairlens.errors import InputError, PolicyError
from pairlens.evaluation.result import read
from pairlens.files.labels import BACKWARD, PORTUGUESE, SYSTEMS, cell, decode
from pairlens.files.nli.items import PROMPTS, Labels, items, prompt_named
from pairlens.files.nli.label_map import LabelMap, fitting, meaning, named, possible, reading
from pairlens.files.nli.label_map import given as given_map
from pairlens.files.nli.pairs import Corpus, Pair
from pairlens.files.nli.readers import read_corpus
from pairlens.places import FOLDER as ROOT
from pairlens.places import program
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.store import Store
from pairlens.studies.nli import runs as nli_runs
from pairlens.studies.nli.evaluation import evaluate
from pairlens.studies.nli.examples import examples, worked
from pairlens.studies.nli.matched import match, read_predictions
from pairlens.types import Request
from tests.refusals import error_of

pytestmark = pytest.mark.model

LABELS = ("contradiction", "neutral", "entailment")
PAIRS = (
    Pair("1", "The cat sleeps.", "A cat is here.", "entailment"),
    Pair("2", "A cat is here.", "The cat sleeps.", "none"),
    Pair("3", "No author  liked\nit.", "The keys are here.", "none", split="test"),
    Pair("4", "The keys are here.", "Keys are here.", "paraphrase"),
)


def corpus(system="assin", pairs=PAIRS):
    return Corpus("own", system, pairs)


@pytest.fixture
def asked(tiny):
    return nli_runs.ask(pairlens.recipe(str(tiny("bert", labels=LABELS))))


def run(found, asked, *, reverse=False, scorer=None):
    *_, last = nli_runs.run(found, asked, Store(), reverse=reverse, scorer=scorer)
    return last


NAMES = {
    "entailment": ("ENTAILMENT", "entails", "Acarretamento", "Implicação"),
    "paraphrase": ("Paraphrase", "paráfrase"),
    "none": ("None", "Nenhuma", "not_entailment", "∅"),
    "contradiction": ("CONTRADICTION", "Contradição"),
    "neutral": (" neutral ", "Neutro"),
    "": ("LABEL_0", "positive"),
}


def test_names_of_classes_are_read_in_two_languages_need_not_all_be_used_and_can_be_corrected():
    for label, names in NAMES.items():
        assert {name: meaning(name) for name in names} == dict.fromkeys(names, label)
    assert all(meaning(label) == meaning(name) == label for label, name in PORTUGUESE.items())
    assert dict(named(("neutral", "entailment")).labels) == {"neutral": "none", "entailment": "entailment"}
    assert fitting(("entailment", "neutral")).system == "sick"
    assert fitting(("Entailment", "None")).system == "assin2"
    assert fitting(("Paraphrase",)).system == "assin" and fitting(("0", "1")) is None
    assert named(("not_entailment", "entailment")).system == "assin2"
    assert [named(both) for both in (("LABEL_0", "LABEL_1"), ("negative", "positive"))] == [None, None]
    assert named(("entailment", "entails")) is None
    found = given_map(("LABEL_0", "LABEL_1", "LABEL_2"), {"LABEL_0": "Neutro", "LABEL_1": "E", "LABEL_2": "c"})
    assert list(found.labels.values()) == ["neutral", "entailment", "contradiction"]
    wrong_way_round = given_map(("none", "entailment"), {"none": "entailment", "entailment": "none"})
    assert dict(wrong_way_round.labels) == {"none": "entailment", "entailment": "none"}
    assert given_map(LABELS, {}, "mnli").system == "mnli"


@given(system=st.sampled_from(sorted(SYSTEMS)), data=st.data())
def test_any_order_of_a_system_s_names_is_read_back(system, data):
    labels = data.draw(st.permutations(SYSTEMS[system].labels))
    found = named([label.upper() for label in labels])
    assert tuple(found.labels.values()) == tuple(labels)
    assert sorted(SYSTEMS[found.system].labels) == sorted(labels)


def test_numbers_can_mean_everything_that_fits_and_nothing_is_chosen():
    names = ("LABEL_0", "LABEL_1", "LABEL_2")
    ways = list(possible(names))
    assert len(ways) == len({str(way) for way in ways}) == 12, "six orders of either of two sets of three labels"
    assert len(list(possible(names[:2]))) == 2 and len(list(possible(names[:2], partly=True))) == 14
    said = error_of(lambda: reading(names, {}), PolicyError)
    assert "LABEL_0, LABEL_1, LABEL_2: say what each means, e.g. --labels LABEL_0=" in said
    assin = "LABEL_0=none,LABEL_1=entailment,LABEL_2=paraphrase (ASSIN)."
    mnli = "LABEL_0=entailment,LABEL_1=neutral,LABEL_2=contradiction (MultiNLI)."
    both = f"LABEL_2=contradiction (SICK) or --labels {assin}"
    for data, example in {"mnli": mnli, "assin": assin, "assin2": both}.items():
        assert error_of(lambda data=data: reading(names, {}, data=data), PolicyError).endswith(example)


@pytest.mark.parametrize(
    ("names", "labels", "system", "said"),
    [(("A", "B"), {"C": "entailment"}, "", "has no class 'C'"),
     (("A", "B"), {"A": "entailment"}, "", "Say what B mean"),
     (("A", "B"), {"A": "entailment", "B": "contradiction"}, "", "No label system has just"),
     (("A", "B"), {"A": "entailment", "B": "rubbish"}, "", "'rubbish' is no label"),
     (("A", "B", "C", "D"), {}, "", "no label system has as many"),
     (("none", "entailment"), {}, "snly", "Did you mean 'snli'"),
     (("none", "entailment"), {}, "sick", "No label system has just")],
)  # fmt: skip
def test_a_reading_that_cannot_be_is_one_sentence(names, labels, system, said):
    with pytest.raises(PolicyError, match=said):
        reading(names, labels, system)


def test_an_item_asks_for_every_label_on_a_line_each_and_knows_the_right_one_where_labels_mean_the_same():
    own = LabelMap("sick", dict(zip(LABELS, LABELS, strict=True)))
    forward, backward = list(items(corpus("sick", PAIRS[2:3]), Labels(LABELS), own, reverse=True))
    assert {candidate.context for candidate in forward.candidates} == {"No author liked it.\nThe keys are here.\n"}
    assert {candidate.context for candidate in backward.candidates} == {"The keys are here.\nNo author liked it.\n"}
    assert [candidate.text for candidate in forward.candidates] == list(LABELS)
    assert (forward.groups["direction"], backward.groups["direction"]) == ("forward", "reverse")
    assert forward.groups["pair"] == backward.groups["pair"] == "3" and forward.groups["split"] == "test"
    pairs = (Pair("1", "a", "b", "contradiction", reverse_gold="neutral"),)
    names = ("C", "N", "E")
    own = LabelMap("snli", dict(zip(names, LABELS, strict=True)))
    assert [item.gold for item in items(corpus("sick", pairs), Labels(names), own, reverse=True)] == ["C", "N"]
    assert next(items(corpus("assin2", PAIRS[:1]), Labels(names), own)).gold is None


def test_each_distinct_pair_is_one_forward_pass_and_the_reverse_only_where_the_labels_need_it(asked):
    for system, needed in {"assin": True, "assin2": False, "sick": False}.items():
        found = corpus(system, [Pair("1", "a cat", "b cat", SYSTEMS[system].labels[0])])
        assert nli_runs.needs_reverse(found, asked) is needed
        assert nli_runs.needs_reverse(found, asked, "forward") is False
    opened = asked.recipe.open()
    whole, rows = opened._batches._forward._whole, []
    opened._batches._forward._whole = lambda inputs: rows.extend(inputs) or whole(inputs)
    last = run(corpus(), asked, reverse=True, scorer=lambda: opened)
    assert last.total == 6 * len(LABELS), "pair 2 is pair 1 swapped: six distinct questions, not eight"
    assert len(rows) == 6
    again = run(corpus(), asked, reverse=True, scorer=lambda: pytest.fail("nothing is left to ask"))
    assert again.run_id == last.run_id and again.scored == 0
    run(corpus(), asked, scorer=lambda: pytest.fail("one direction was asked already"))


def test_answers_are_those_of_plain_transformers_and_go_through_the_table_of_labels(asked, tiny):
    folder = tiny("bert", labels=LABELS)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    last = run(corpus(), asked, reverse=True)
    found = nli_runs.answers(Store(), last.run_id, asked).predictions
    assert list(found.ids) == ["1", "2", "3", "4"]
    for place, pair in enumerate(PAIRS):
        with torch.no_grad():
            forward = [" ".join(text.split()) for text in (pair.premise, pair.hypothesis)]
            inputs = [tokenizer(*texts, return_tensors="pt") for texts in (forward, forward[::-1])]
            logits = [model(**one).logits[0].double() for one in inputs]
        shares = logits[0].softmax(-1).tolist()
        assert [found.probabilities[label][place] for label in LABELS] == pytest.approx(shares, abs=1e-5)
        assert (found.labels[place], found.reverse[place]) == tuple(LABELS[int(one.argmax())] for one in logits)
    said = nli_runs.typed(PAIRS[0].premise, PAIRS[0].hypothesis, asked, Store())
    assert said[0] == pytest.approx({label: found.probabilities[label][0] for label in LABELS}, abs=1e-5)
    judged = evaluate(match(corpus(), found), asked.reading.system)
    assert judged.answers["answer"].tolist() == decode(found.labels, found.reverse, "assin", "sick")
    assert judged.n == len(PAIRS)


def test_correcting_the_reading_scores_nothing_again_and_runs_with_the_same_labels_have_an_accuracy(tiny, asked):
    recipe = pairlens.recipe(str(tiny("bert", labels=("LABEL_0", "LABEL_1", "LABEL_2"))))
    one = nli_runs.ask(recipe, {"LABEL_0": "E", "LABEL_1": "N", "LABEL_2": "C"})
    other = nli_runs.ask(recipe, {"LABEL_0": "C", "LABEL_1": "N", "LABEL_2": "E"})
    first, second = run(corpus("sick", PAIRS[:1]), one), run(corpus("sick", PAIRS[:1]), other)
    assert (first.scored, second.scored) == (3, 0) and first.run_id != second.run_id
    answers = [nli_runs.answers(Store(), last.run_id, asked) for last, asked in ((first, one), (second, other))]
    assert answers[0].predictions.probabilities["entailment"] == answers[1].predictions.probabilities["contradiction"]
    same = [Pair(str(place), f"The cat {word}.", "A cat is here.", "neutral") for place, word in enumerate("abcd")]
    result = read(Store(), run(corpus("snli", same), asked).run_id)
    found = nli_runs.answers(Store(), result.manifest["run_id"], asked).predictions
    assert result.metrics["value"].iloc[0] == sum(label == "neutral" for label in found.labels) / 4
    translated = read(Store(), run(corpus("assin2", PAIRS[:1]), asked).run_id)
    assert math.isnan(translated.metrics["value"].iloc[0])
    assert "scorer:entailment.v1" in translated.manifest["signature"]


def test_a_typed_pair_that_is_too_long_is_refused(asked):
    with pytest.raises(InputError, match="longer than the 64 that the model can see; give it shorter texts"):
        nli_runs.typed("cat " * 90, "The cat sleeps.", asked, Store())


def test_ties_are_told_and_a_classifier_is_not_asked_in_words(asked):
    two = nli_runs.NliRequest(None, Labels(("a", "b")), LabelMap("assin2", {"a": "entailment", "b": "none"}))
    logs = np.log([[0.5, 0.5], [0.4, 0.6]])
    about = pd.DataFrame({"direction": "forward", "pair": ["1", "2"]}, index=["1", "2"])
    table = nli_runs._direction(pd.DataFrame(logs, index=["1", "2"], columns=["a", "b"]), about, "forward", two)
    assert table["tie"].tolist() == [True, False] and table["label"].tolist() == ["entailment", "none"]
    for choice, said in (({"prompt": "english"}, "no prompt"), ({"calibrated": True}, "calibrated")):
        with pytest.raises(PolicyError, match=said):
            nli_runs.ask(asked.recipe, **choice)


@pytest.mark.parametrize(
    ("architecture", "calibrated"), [("llama", False), ("llama", True), ("roberta", False), ("t5", True)]
)
def test_a_language_model_is_asked_in_words(tiny, architecture, calibrated):
    recipe = pairlens.recipe(str(tiny(architecture)))
    asked = nli_runs.ask(recipe, prompt="portuguese", calibrated=calibrated)
    last = run(corpus("sick", [Pair("1", "The cat sleeps.", "A cat is here.", "entailment")]), asked)
    prompt = prompt_named("portuguese")
    scorer = SCORERS[recipe.kind.name].open(recipe.model, Policy())

    def logs(premise, hypothesis):
        candidates = prompt.candidates(premise, hypothesis)
        return np.array([scorer.score([Request(one.context, one.text)])[0].total for one in candidates])

    expected = logs("The cat sleeps.", "A cat is here.")
    if calibrated:
        expected -= logs("N/A", "N/A")
    shares = np.exp(expected) / np.exp(expected).sum()
    found = nli_runs.answers(Store(), last.run_id, asked).predictions
    assert [found.probabilities[label][0] for label in prompt.words] == pytest.approx(shares.tolist(), abs=1e-4)
    typed, _ = nli_runs.typed("The cat sleeps.", "A cat is here.", asked, Store())
    assert list(typed.values()) == pytest.approx(shares.tolist(), abs=1e-4)


def test_prompts_ask_about_three_labels_examples_know_all_and_who_is_right_is_judged_right_in_every_cell():
    assert {frozenset(prompt.words) for prompt in PROMPTS.values()} == {frozenset(SYSTEMS["sick"].labels)}
    for prompt in PROMPTS.values():
        (context,) = {one.context for one in prompt.candidates("AAA", "BBB")}
        assert context.index("AAA") < context.index("BBB") and not context[-1].isspace()
        assert all(one.text.startswith(" ") for one in prompt.candidates("AAA", "BBB"))
    assert "Did you mean 'portuguese'" in error_of(lambda: prompt_named("portugese"), PolicyError)
    for rules in (cell(data, model) for data in SYSTEMS for model in SYSTEMS):
        for one in worked(rules, len(examples())):
            assert one.answer == one.gold_class, one.example.id
            assert bool(one.reverse) == rules.needs_reverse
    one_way = examples()[0]
    assert [one_way.label(name) for name in ("assin", "assin2", "sick")] == ["entailment"] * 3
    assert [one_way.label(name, reverse=True) for name in ("assin", "assin2", "sick")] == ["none", "none", "neutral"]
    assert BACKWARD not in {one.situation for one in examples()}
    assert all(set(one.note) == {"en", "pt"} and one.reference for one in examples())


@pytest.fixture
def predict(tiny, small, tmp_path):
    """`predict("--mode", ...)`: asks `tiny` about `small` into `answers.csv`, unless the options say otherwise."""

    def call(*options):
        usual = {"--gold": small, "--model": tiny("bert", labels=LABELS), "-o": tmp_path / "answers.csv"}
        chosen = [part for name, value in usual.items() if name not in options for part in (name, value)]
        return main(["nli", "predict", *map(str, (*chosen, *options))])

    return call


SAMPLE = ROOT / "data" / "samples" / "nli" / "assin2.xml"


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "pairs.csv"
    rows = ("1,The cat sleeps.,A cat.,Entailment", "2,A cat.,The cat.,Paraphrase", "3,A dog.,No,None")
    path.write_text("\n".join(("id,premise,hypothesis,label", *rows)) + "\n")
    return path


@pytest.mark.parametrize("name", ["answers.csv", "answers.jsonl", "answers.xml"])
def test_predictions_are_written_and_read_back(predict, tmp_path, capsys, name):
    output = tmp_path / name
    assert predict("-o", output) == 0
    said = capsys.readouterr().out
    assert "in both directions" in said and "scorer:entailment.v1" in said and f"predictions: {output}" in said
    found = read_predictions(output)
    assert list(found.ids) == ["1", "2", "3"]
    if name == "answers.xml":
        assert {label.lower() for label in found.labels} <= set(SYSTEMS["assin"].labels), "in the labels of the data"
    else:
        assert set(found.labels) <= set(LABELS) and any(found.reverse)


def test_xml_that_the_answers_cannot_fill_and_the_data_as_output_are_refused_before_anything_is_asked(
    predict, small, tmp_path, capsys
):
    before = small.read_text()
    assert predict("-o", small) == 2
    assert "would be lost" in capsys.readouterr().err and small.read_text() == before
    assert predict("-o", tmp_path / "answers.xml", "--mode", "forward") == 2
    assert "ASSIN labels follow from SICK labels of both directions" in capsys.readouterr().err
    assert Store().runs().empty


def test_a_model_that_simple_rules_outdo_says_so(tiny, predict, tmp_path, capsys):
    folder = Path(shutil.copytree(tiny("bert", labels=LABELS), tmp_path / "weak"))
    card = {"kind": "classifier", "scores": {"assin2": {"macro": 58.0, "baselines": {"word overlap": 65.4}}}}
    (folder / "card.json").write_text(json.dumps(card))
    assert predict("--model", folder) == 0
    assert "For demonstration only: simple rules do better on ASSIN 2's" in capsys.readouterr().out


def test_pairs_that_are_too_long_are_told_by_name_and_counted(predict, small, tmp_path, capsys):
    small.write_text(small.read_text() + "".join(f"{n},{'A cat. ' * 60},A dog.,None\n" for n in range(4, 27)))
    assert predict() == 0
    said = capsys.readouterr().out
    assert "3 of 26 pairs" in said and "not asked about 4: " in said and "longer than the 64" in said
    assert said.count("not asked about") == 21 and "not asked about 3 more" in said
    assert list(read_predictions(tmp_path / "answers.csv").ids) == ["1", "2", "3"]
    small.write_text(f"id,premise,hypothesis,label\n1,{'A cat. ' * 60},A dog.,None\n")
    (tmp_path / "answers.csv").unlink()
    assert predict("--gold-system", "sick") == 2 and "no SICK label 'None'" in capsys.readouterr().err
    assert predict("--gold-system", "assin2") == 0
    said = capsys.readouterr().out
    assert "0 of 1 pairs" in said and "not asked about 1: " in said and (tmp_path / "answers.csv").exists()


def test_one_part_of_the_data_can_be_asked(predict, tmp_path, capsys):
    gold = SAMPLE.with_name("sick.txt")
    assert predict("--gold", gold, "--split", "test") == 0
    part = {pair.id for pair in read_corpus(gold) if pair.split == "TEST"}
    assert f" of {len(part)} pairs, in one direction" in capsys.readouterr().out
    asked = set(read_predictions(tmp_path / "answers.csv").ids)
    assert 0 < len(part) < len(read_corpus(gold)) and asked <= part


def test_classes_that_bear_numbers_are_asked_about_and_a_doubt_is_said(tiny, predict, tmp_path, capsys):
    command = ("--gold", SAMPLE, "--model", tiny("bert", labels=("LABEL_0", "LABEL_1")))
    output = tmp_path / "answers.csv"
    assert predict(*command) == 2
    assert "say what each means" in capsys.readouterr().err and not output.exists()
    gold = {pair.id: pair.gold for pair in read_corpus(SAMPLE)}
    for meanings in ("LABEL_0=none,LABEL_1=entailment", "LABEL_0=entailment,LABEL_1=none"):
        assert predict(*command, "--labels", meanings) == 0
        found = read_predictions(output)
        right = sum(gold[name] == label for name, label in zip(found.ids, found.labels, strict=True)) / len(found)
        assert ("Another assignment would give" in capsys.readouterr().out) == (1 - 2 * right >= 0.1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--model", "unigram-english"], "cannot be asked about pairs"),
     (["--labels", "LABEL_9=entailment"], "has no class 'LABEL_9'"),
     (["--labels", "entailment"], "--labels takes NAME="), (["--gold-system", "asin"], "Did you mean 'assin'"),
     (["--mode", "strickt"], "Did you mean 'strict'"), (["--encoding", "cp12"], "no encoding called 'cp12'")],
)  # fmt: skip
def test_a_mistake_is_one_sentence(predict, capsys, arguments, said):
    assert predict(*arguments) == 2
    error = capsys.readouterr().err.strip()
    assert said in error and "\n" not in error and "Traceback" not in error


def test_benchmarks_say_where_such_models_are_asked(tiny, tmp_path, capsys):
    folder = ROOT / "data" / "samples"
    model, classifier = tiny("gpt2"), tiny("bert", labels=LABELS)
    for data, task, asked_model, said in (
        (folder / "nli", "nli", model, f"{program()} nli predict"),
        (folder / "blimp", "blimp", classifier, "A classifier has labels of its own"),
    ):
        arguments = ["--task", task, "--data_path", str(data), "--model", str(asked_model)]
        assert main(["zero-shot", *arguments, "--output_dir", str(tmp_path)]) == 2
        assert said in capsys.readouterr().err


@given(texts=st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), min_size=1, max_size=5))
def test_any_texts_become_one_line_each(texts):
    pairs = [Pair(str(place), premise, hypothesis, "none") for place, (premise, hypothesis) in enumerate(texts)]
    own = LabelMap("assin2", {"none": "none", "entailment": "entailment"})
    for item in items(corpus("assin2", pairs), Labels(("none", "entailment")), own):
        assert item.candidates[0].context.count("\n") == 2 and item.candidates[0].context.endswith("\n")
