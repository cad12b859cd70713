"""Measuring bundled models: which figures there are, that they are true, and what the card says of them."""

import gzip
import io
import json
import shutil
import sys
from collections import defaultdict
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest

from pairlens import models
from pairlens.files.nli.readers import read_corpus
from pairlens.models import find
from pairlens.policies import Policy
from pairlens.reports.model_evaluation import OWN, SETS, SentenceSet, title
from pairlens.scorers import SCORERS
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies import gallery
from pairlens.tasks import TASKS
from pairlens.types import PLAIN, Model, Request, ScorerKind, TokenScores
from tests.tiny import change_json
from workshop import program
from workshop.evaluation_sets import FOLDERS, digests, strings
from workshop.exclusion import exclusion
from workshop.model_evaluation import entailment, following, measured, measurements
from workshop.model_evaluation.__main__ import main, markdown

SMALL = (
    SentenceSet("blimp", "BLiMP", "en", "blimp", "blimp", own=True, by={"paradigm": "UID"}),
    SentenceSet(
        "participles", "Participles", "fr", "agreement", "agreement_french", own=True, rule="word",
        choices={"detokenise": "fr"}, by={"number": "number"}, published={"somebody": 94.17},
    ),
    SentenceSet("elsewhere", "A set that is not here", "en", "blimp", "nowhere"),
)  # fmt: skip


@pytest.fixture
def place(home, tiny):
    """`place("bert", language="fr")`: a tiny model in the catalogue, with a card."""

    def put(architecture, kind, language="en", **options):
        folder = home / "models" / "pupil"
        shutil.copytree(tiny(architecture, **options), folder)
        card = {
            "name": "pupil", "title": "Pupil", "description": "A small model.", "kind": kind, "language": language,
            "parameters": 1_234_567, "tokens": 9, "types": 3, "types_kept": 2, "smallest_count": 1,
            "evaluation_sets": digests(), "sources": [],
            "licence": "Apache-2.0", "scores": {"earlier": {"macro": 50.0, "pairs": 2, "policy": "x"}},
        }  # fmt: skip
        (folder / "card.json").write_text(json.dumps(card))
        return folder

    return put


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr("workshop.model_evaluation.benchmarks.SETS", SMALL)


@pytest.mark.parametrize(
    ("architecture", "kind", "language", "keys"),
    [
        ("llama", "causal", "en", ["blimp", "blimp_supplement", "everyday_english", "gallery"]),
        ("llama", "causal", "pt", ["everyday_portuguese"]),
        ("llama", "causal", "fr",
         ["object_participle", "french_obj_pp", "french_obj_pp_as_released", "clams", "qfrblimp", "everyday_french"]),
        ("bert", "masked", "en pt",
         ["blimp", "blimp_mntp", "blimp_supplement", "blimp_supplement_mntp", "everyday_english",
          "everyday_english_mntp", "everyday_portuguese", "everyday_portuguese_mntp", "gallery"]),
        ("bert", "masked", "fr",
         ["clams", "clams_mntp", "qfrblimp", "qfrblimp_mntp", "everyday_french", "everyday_french_mntp"]),
        ("t5", "seq2seq", "en",
         ["blimp", "blimp_seq2seq_mask", "blimp_supplement", "blimp_supplement_seq2seq_mask", "everyday_english",
          "everyday_english_seq2seq_mask"]),
    ],
)  # fmt: skip
def test_what_is_measured_depends_on_kind_and_language(place, architecture, kind, language, keys):
    """Of sets that are younger than the model its training text may hold sentences, whatever its card says."""
    folder = place(architecture, kind, language)
    assert list(measurements(find("pupil"), Path("data"))) == keys
    change_json(folder / "card.json", evaluation_sets={"object_participle": digests()["object_participle"]})
    younger = [key for key in keys if key.startswith("everyday_")]
    assert list(measurements(find("pupil"), Path("data"))) == [key for key in keys if key not in younger]


def test_figures_of_a_benchmark_are_those_of_its_items_and_not_measured_again(place, small, tmp_path, monkeypatch):
    """Counted anew from the scores of the sentences, paradigm by paradigm."""
    place("llama", "causal", "en fr")
    store = Store(tmp_path, shipped=None)
    found = dict(measured("pupil", tmp_path, store, ["blimp", "participles", "elsewhere"]))
    assert found["elsewhere"] is None
    scorer = Recipe(find("pupil"), SCORERS["causal"], Policy()).open()
    right = defaultdict(list)
    for item in TASKS["blimp"].read(OWN / "blimp"):
        good, bad = scorer.score([Request("", candidate.text) for candidate in item.candidates])
        right[item.groups["UID"]].append(100 * float(good.total > bad.total))
    expected = {uid: round(float(np.mean(values)), 2) for uid, values in right.items()}
    assert found["blimp"]["by_paradigm"] == expected
    assert found["blimp"]["macro"] == pytest.approx(np.mean([*expected.values()]), abs=0.01)
    assert (found["blimp"]["pairs"], found["blimp"]["ties"], found["blimp"]["left_out"]) == (100, 0, 0)
    assert found["blimp"]["low"] < found["blimp"]["macro"] < found["blimp"]["high"]
    french = found["participles"]
    assert french["published"] == {"somebody": 94.17}
    assert french["baselines"]["always_singular"] == 50.0
    assert french["macro"] == pytest.approx(np.mean([*french["by_number"].values()]), abs=0.01)
    assert "end of the word" in french["policy"] and "+fr" in french["signature"]
    monkeypatch.setattr(Recipe, "open", lambda _: pytest.fail("everything is scored already"))
    assert dict(measured("pupil", tmp_path, store, ["blimp"])) == {"blimp": found["blimp"]}


def test_the_command_writes_figures_into_the_card_or_says_why_it_cannot(place, small, tmp_path):
    folder = place("llama", "causal")
    asked = ["pupil", "--data", str(tmp_path), "--only", "blimp", "--only", "elsewhere", "--store", str(tmp_path)]
    done = run(*asked)
    assert done.exit_code == 0, done.stderr
    assert "elsewhere: its test set is not in" in done.stderr
    card = json.loads((folder / "card.json").read_text("utf-8"))
    assert list(card["scores"]) == ["earlier", "blimp"]
    assert done.stdout == f"blimp {card['scores']['blimp']['macro']}\n"
    for arguments, message in (
        (["nobody"], "There is no model 'nobody'"),
        (["pupil", "--only", "blimb"], "no figure of pupil 'blimb'. Did you mean 'blimp'?"),
        ([], "Which model?"),
    ):
        done = run(*arguments)
        assert (done.exit_code, done.stdout) == (2, "") and message in done.stderr


def run(*arguments):
    out, error = io.StringIO(), io.StringIO()
    argv = patch.object(sys, "argv", ["model_evaluation", *arguments])
    with argv, redirect_stdout(out), redirect_stderr(error), pytest.raises(SystemExit) as ended:
        program.run(main)
    return SimpleNamespace(exit_code=ended.value.code, stdout=out.getvalue(), stderr=error.getvalue())


def test_the_table_has_a_row_per_model_and_worked_examples_are_counted_as_the_gallery_counts_them(tmp_path):
    bundled = [model for model in models.catalogue() if model.bundled]
    rows = markdown(bundled).splitlines()[2:]
    assert len(rows) == len(bundled)
    row = next(row for row in rows if row.startswith("| `bilingual-masked` |"))
    card = find("bilingual-masked").card
    assert f"BLiMP {card['scores']['blimp']['macro']:.1f} %" in row
    keys = ["blimp", "blimp_seq2seq_mask", "blimp_supplement_mntp", "sick_br", "gallery"]
    titles = ["BLiMP", "BLiMP (seq2seq_mask)", "BLiMP supplement (mntp)", "SICK-BR", "gallery"]
    assert [*map(title, keys)] == titles
    assert len({one.key for one in SETS}) == len(SETS) and all(one.task in TASKS for one in SETS)
    ((_, found),) = measured("english-small", tmp_path, Store(tmp_path), ["gallery"])
    known = [one for one in gallery.examples() if one.expected != "none" and "english-small" in one.measured]
    told = {one.id: one.measured["english-small"] for one in known}
    assert found is not None
    assert found["pairs"] == len(told) == 14
    assert found["wrong"] == [name for name, one in told.items() if not one.right]
    assert found["macro"] == pytest.approx(100 * (14 - len(found["wrong"])) / 14, abs=0.01)


# Heads


def test_entailment_figures_are_those_of_the_classifier(place, tmp_path, monkeypatch):
    """Against the network itself, asked about one pair after the other without Pairlens."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    labels = ("entailment", "neutral", "contradiction")
    folder = place("bert", "classifier", labels=labels, max_position_embeddings=256)
    lines = (FOLDERS["nli_held_out"] / "held_out.tsv").read_text("utf-8").splitlines()
    (tmp_path / "held_out.tsv").write_text("\n".join([lines[0], *lines[1::110]]) + "\n", "utf-8")
    monkeypatch.setattr(entailment, "OWN", ("nli_held_out", tmp_path / "held_out.tsv"))
    ((_, found),) = measured("pupil", tmp_path, Store(tmp_path / "store", shipped=None), ["nli_held_out"])
    assert found is not None
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    right = []
    for pair in read_corpus(tmp_path / "held_out.tsv"):
        with torch.no_grad():
            logits = model(**tokenizer(pair.premise, pair.hypothesis, return_tensors="pt")).logits[0]
        right.append(model.config.id2label[int(logits.argmax())] == pair.gold)
    assert (found["pairs"], found["left_out"]) == (len(right), 0) == (24, 0)
    assert found["macro"] == round(100 * float(np.mean(right)), 2)
    assert set(found["by_language"]) == {"en", "pt"}
    assert {"majority", "word overlap", "hypothesis only"} == set(found["baselines"])
    assert len(found["by_construction"]) > 5


def test_next_sentences_are_compared_with_all_others(tmp_path, monkeypatch):
    """A model that likes sentences with many letters alone, and one that knows four of five texts."""
    texts = [("en", f"{letter} one.", f"{letter * (n + 1)} two.") for n, letter in enumerate("abcde")]
    lines = ["id\tlanguage\tfirst\tnext", *("\t".join((str(n), *text)) for n, text in enumerate(texts))]
    (tmp_path / "stories.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    monkeypatch.setattr(following, "STORIES", tmp_path / "stories.tsv")

    def long(request):
        return -1 / len(request.continuation)

    def knows(request):
        return -0.1 if request.context[0] == request.continuation[1] != "a" else -1.0

    assert figure(long, monkeypatch, tmp_path / "long")["macro"] == 50.0
    found = figure(knows, monkeypatch, tmp_path / "knows")
    assert found["macro"] == 90.0  # of the fifth text all second sentences are alike: a tie counts half
    assert found["by_decision"] == {"next": 80.0, "not next": 100.0}
    assert (found["pairs"], found["texts"]) == (20, 5)


def figure(logprob, monkeypatch, folder):
    class Fake:
        about: Mapping[str, object] = {}

        def score(self, requests, extras=PLAIN):
            return [TokenScores(("next",), (0,), (logprob(one),), ((len(one.context), len(one.text)),))
                    for one in requests]  # fmt: skip

    kind = ScorerKind("next-sentence", 1, "", frozenset({"next-sentence"}), (), lambda model, policy: Fake())
    monkeypatch.setattr(following, "SCORERS", {"next_sentence": kind})
    model = Model("head", "next-sentence", folder, weights=folder.name, tokenizer="", config="")
    stories = next(one for one in following.following(model, folder) if one.key == "stories")
    return stories.figures(Store(folder, shipped=None))


def test_stereoset_is_measured_between_sentences_alone(place, tmp_path):
    """Against the pooled numbers, counted anew from the probabilities of the head itself."""
    import torch
    from transformers import AutoTokenizer, BertConfig, BertForNextSentencePrediction

    folder = place("bert", "next-sentence", max_position_embeddings=256)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    torch.manual_seed(3)
    network = BertForNextSentencePrediction(BertConfig(**{**config, "architectures": None})).eval()
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, 0, 0.2)
    network.save_pretrained(folder)
    (tmp_path / "stereoset").mkdir()
    content = (OWN / "stereoset" / "dev.json").read_bytes()
    (tmp_path / "stereoset" / "dev_en_reconstructed.json.gz").write_bytes(gzip.compress(content))
    found = dict(measured("pupil", tmp_path, Store(tmp_path / "store", shipped=None), ["stereoset_intersentence"]))
    figures = found["stereoset_intersentence"]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    related, stereotypes = [], []
    examples = json.loads(content)["data"]["intersentence"]
    for example in examples:
        p = {}
        for candidate in example["sentences"]:
            with torch.no_grad():
                pair = tokenizer(example["context"], candidate["sentence"], return_tensors="pt")
                p[candidate["gold_label"]] = float(network(**pair).logits[0].log_softmax(-1)[0])
        related += [above(p["stereotype"], p["unrelated"]), above(p["anti-stereotype"], p["unrelated"])]
        stereotypes.append(above(p["stereotype"], p["anti-stereotype"]))
    assert figures["pairs"] == len(examples) > 3
    assert figures["macro"] == pytest.approx(100 * np.mean(related), abs=0.01)
    assert figures["ss"] == pytest.approx(100 * np.mean(stereotypes), abs=0.01)


def above(one, other):
    """Whether it is larger; half of it if both are the same, as where a candidate differs in unknown words alone."""
    return 0.5 if one == pytest.approx(other, abs=1e-6) else float(one > other)


# Our own sets


def test_all_own_sets_are_kept_out_of_training_text_and_the_readme_has_their_digests():
    forbidden = exclusion(strings(), [])
    for key, line in {
        "object_participle": "La valise que le voyageur a perdue était neuve.",
        "stories": "It contained only three words and no signature.",
        "nli_held_out": (FOLDERS["nli_held_out"] / "held_out.tsv").read_text("utf-8").splitlines()[7].split("\t")[3],
    }.items():
        assert forbidden.forbids(line), key
    readme, found = (OWN / "README.md").read_text("utf-8"), digests()
    assert set(found) == set(FOLDERS)
    named = [key for key in found if key in ("object_participle", "stories") or key.startswith("everyday_")]
    assert len(named) == 5 and all(found[key] in readme for key in named)
