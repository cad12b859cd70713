"""Methods sentences, BibTeX and the command: what somebody takes away of a receipt."""

import json
import re
import shutil
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from pairlens.cli import main
from pairlens.evaluation.evaluate import Context, run
from pairlens.evaluation.receipts import bibtex, sentences
from pairlens.evaluation.receipts.scored_by import ScoredBy, by_recipe
from pairlens.evaluation.requests import plan
from pairlens.evaluation.zero_shot import sample
from pairlens.files.labels import SYSTEMS
from pairlens.metrics import METRICS
from pairlens.models import find
from pairlens.places import FOLDER as ROOT
from pairlens.policies import CHOICES, Policy
from pairlens.scorers import SCORERS
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.tasks import TASKS
from pairlens.types import Model


def entries(text):
    """A tiny reader of BibTeX: fields by key; fails where braces do not balance or a field is not closed."""
    found = {}
    for kind, key, body in re.findall(r"@(\w+)\{([\w-]+),\n(.*?)\n\}", text, re.DOTALL):
        assert kind.islower() and body.count("{") == body.count("}"), key
        fields = re.findall(r"^  (\w+) = \{(.*)\},$", body, re.MULTILINE)
        assert len(fields) == len(body.splitlines()), key
        found[key] = dict(fields)
    assert len(found) == text.count("\n@") + text.startswith("@")
    return found


def test_the_papers_can_be_read_are_whole_and_are_those_that_are_cited():
    text = Path(bibtex.__file__).with_name("papers.bib").read_text("utf-8")
    found = entries(text)
    for key, fields in found.items():
        assert {"author", "title", "year"} <= set(fields), key
        assert fields["year"] in key
    tables = (bibtex.RULES, bibtex.POLICIES, bibtex.STATISTICS)
    cited = {key for table in tables for keys in table.values() for key in keys} | {*bibtex.LABELS.values()}
    assert bibtex.LABELS.keys() == SYSTEMS.keys()
    cited |= {key for one in (*TASKS.values(), *METRICS.values()) for key in one.cites}
    assert cited == set(found) == set(bibtex.papers())
    assert set(bibtex.POLICIES) <= {choice for choices in CHOICES.values() for choice in choices}


@pytest.mark.parametrize("name", TASKS)
def test_a_task_with_a_paper_cites_it(name):
    paper = TASKS[name].paper
    keys = TASKS[name].cites
    for key in keys[:1]:
        fields = entries(bibtex.papers()[key])[key]
        name = "deVarda" if fields["author"].startswith("de ") else re.split(r"[ ,]", fields["author"])[0]
        first = re.sub(r"[^\w]", "", name)
        assert paper.replace(" ", "").startswith(first) and fields["year"] in paper


def test_pairlens_is_cited_as_its_citation_file_says_and_a_model_if_its_card_says_how(tmp_path):
    (fields,) = entries(bibtex.bibtex(())).values()
    told = (ROOT / "CITATION.cff").read_text("utf-8")
    assert fields["title"] in told and f"version: {fields['version']}" in told and fields["year"] in told
    model = Model("a", "causal", tmp_path, "", "", "")
    assert bibtex.of_model(model) == ""
    entry = "@misc{someone2020a,\n  author = {Someone},\n  title = {A {T}itle},\n  year = {2020},\n}"
    (tmp_path / "README.md").write_text(f"# A\n\nmail@example.org\n\n```bibtex\n{entry}\n```\n\nEnd.\n", "utf-8")
    assert bibtex.of_model(model) == entry
    cited = entries(bibtex.bibtex(("holm1979simple",) * 2, model))
    assert {*cited} == {"pairlens", "someone2020a", "holm1979simple"}
    assert bibtex.of_model(replace(model, card={"citation": " @misc{x} "})) == "@misc{x}"


@pytest.mark.parametrize(
    ("scorer", "begins", "says", "not_says"),
    [
        ("causal", "Log-probabilities were", "first word included", "masked"),
        ("masked", "Pseudo-log-likelihoods", "Kauf & Ivanova 2023", "first word"),
        ("mntp", "Pseudo-log-likelihoods", "one position earlier", "first word"),
        ("seq2seq", "Log-probabilities were", "in the encoder", "first word"),
        ("seq2seq_mask", "Pseudo-log-likelihoods", "in the encoder", "first word"),
        ("entailment", "Log-probabilities of labels", "a label for a premise", "first word"),
        ("unigram", "Log-probabilities were", "without context", "float32"),
    ],
)
def test_what_was_computed_is_said_for_every_kind_of_model(scorer, begins, says, not_says):
    said = sentences.computed(ScoredBy("m", "", "f" * 64, scorer, SCORERS[scorer], Policy()))
    assert said.startswith(begins) and says in said and not_says not in said
    assert f"m (weights sha256 {'f' * 12})" in said
    assert ("(float32)" in said) == (scorer != "unigram")


@pytest.mark.parametrize("scorer", ["masked", "mntp", "seq2seq_mask"])
def test_reading_from_left_to_right_is_not_given_all_others(scorer):
    said = sentences.computed(ScoredBy("m", "", "", scorer, SCORERS[scorer], Policy(pll="left_to_right")))
    reads_it = "pll" in SCORERS[scorer].reads
    assert ("given only those before it" in said) == reads_it
    assert ("given all others" in said) != reads_it


def test_a_revision_a_text_without_tokens_and_scores_that_a_file_states_are_said_as_they_are():
    asked = "mean", "log p(text | context)"
    assert "per token" not in sentences.value_of_text(SCORERS["next_sentence"], *asked)
    said = "mean log-probability per token; log p(text | context)"
    assert sentences.value_of_text(SCORERS["causal"], *asked) == said
    by = ScoredBy("org/m", "0123abc", "f" * 64, "causal", SCORERS["causal"], Policy(first_token="none"))
    said = sentences.computed(by)
    assert "org/m@0123abc (float32)" in said and CHOICES["first_token"]["none"] in said
    for scorer in ("stated", "stated-causal"):
        said = sentences.computed(ScoredBy("theirs", "", "", scorer, None, Policy()))
        assert said.startswith("Log-probabilities of theirs (weights not known) are as another program stated them")
        assert "computed" not in said and "sha256" not in said


def test_clauses_of_items_and_means():
    assert sentences.of_items(2, 3, "pair", {"no": 1}) == "2 of 3 pairs count (left out: no: 1)"
    assert sentences.of_items(1, 1, "pair", {}) == "1 of 1 pair counts"
    assert sentences.of_means(["split", "UID"]) == "means over UID, then over split"


# The command


@pytest.fixture
def run_id(once, unigram, home, tmp_path_factory):
    """A finished run in the store, made by the first test that asks for it."""
    if once:
        shutil.copytree(once["store"], home / "store")
        return once["run_id"]
    model = find(unigram)
    recipe = Recipe(model, SCORERS["unigram"], Policy())
    assert by_recipe(recipe).weights == model.weights
    planned = plan(TASKS["blimp"], islice(TASKS["blimp"].read(sample(TASKS["blimp"])), 6), recipe)
    *_, step = run(planned, Context(Store()))
    once["store"] = shutil.copytree(home / "store", tmp_path_factory.mktemp("kept") / "store")
    once["run_id"] = step.run_id
    return step.run_id


@pytest.mark.slow
def test_the_command_prints_each_form_and_writes_a_file_about_an_item_too(run_id, tmp_path, capsys):
    item, file = Store().candidates(run_id)["item"].iloc[0], tmp_path / "new" / "item.json"
    assert main(["receipt", run_id, "--item", item, "--output", str(file)]) == 0
    assert json.loads(file.read_text("utf-8"))["number"]["kind"] == "item"
    capsys.readouterr()
    assert main(["receipt", run_id, "--group", "UID=agreement_attractor_pp"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["number"]["group"] == "agreement_attractor_pp" and made["complete"]
    assert main(["receipt", run_id, "--format", "methods"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Log-probabilities were computed with tiny-unigram") and "|model:tiny-unigram#" in said
    assert main(["receipt", run_id, "--format", "bibtex"]) == 0
    assert set(entries(capsys.readouterr().out)) >= {"pairlens", "warstadt2020blimp"}


def test_a_number_is_recomputed_from_its_file_alone(run_id, tmp_path, capsys, monkeypatch):
    file = tmp_path / "receipt.json"
    assert main(["receipt", run_id, "--all-items", "--output", str(file)]) == 0
    monkeypatch.setenv("PAIRLENS_HOME", str(tmp_path / "elsewhere"))
    capsys.readouterr()
    assert main(["receipt", "--recompute", str(file)]) == 0
    made = json.loads(file.read_text("utf-8"))
    value = f"{made['number']['value']:.12g}"
    assert capsys.readouterr().out == f"recomputed\t{value}\nstated\t{value}\n"
    made["number"]["value"] += 0.25
    file.write_text(json.dumps(made), "utf-8")
    assert main(["receipt", "--recompute", str(file)]) == 1
    assert capsys.readouterr().out.startswith(f"recomputed\t{value}\n")


def test_what_is_no_receipt_is_not_recomputed_and_mistakes_end_with_one_sentence(run_id, tmp_path, capsys):
    file = tmp_path / "receipt.json"
    main(["receipt", run_id, "--output", str(file)])
    made = json.loads(file.read_text("utf-8"))
    no_tokens = {**made, "worked": [{**one, "candidates": [{}]} for one in made["worked"]]}
    for content, said in (
        ([], "is not a receipt"),
        ({**made, "schema": 2}, "is not a receipt"),
        (no_tokens, "damaged"),
        ({**made, "number": {**made["number"], "kind": "group"}}, "damaged"),
        ({**made, "policy": {**made["policy"], "ties": "x"}}, "receipt.json: There is no ties 'x'"),
    ):
        file.write_text(json.dumps(content), "utf-8")
        capsys.readouterr()
        assert main(["receipt", "--recompute", str(file)]) == 2
        assert said in capsys.readouterr().err
    for arguments, sentence in (
        ([], "Give a run's id, or a receipt with --recompute FILE"),
        ([run_id, "--recompute", "x.json"], "Give a run's id, or a receipt with --recompute FILE"),
        (["--recompute", "gone.json"], "gone.json"),
        (["--recompute", "x.json", "--format", "bibtex"], "takes a file and nothing else"),
        (["nothing"], "There is no run 'nothing'"),
        ([run_id, "--format", "xml"], "format"),
        ([run_id, "--metric", "acuracy"], "Did you mean 'accuracy'?"),
        ([run_id, "--item", "x", "--group", "y"], "leave --group or --item out"),
    ):
        assert main(["receipt", *arguments]) == 2
        assert sentence in capsys.readouterr().err
