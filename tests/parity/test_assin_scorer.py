"""Our evaluations against the official scorer of ASSIN (Fonseca et al. 2016): its own code, and plain Python.

What its code printed of small files is recorded by `make oracle`. In plain Python, it goes through both files by
position: accuracy, the mean F1 of the classes in gold.
"""

from __future__ import annotations

import gzip
import json
from collections import deque
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core import api
from core.cli import main
from core.files.nli.assin import assin_xml
from core.files.nli.readers import read_corpus
from core.store import Store
from core.studies.nli import runs as nli_runs
from core.studies.nli.evaluation import evaluate
from core.studies.nli.matched import match
from tests.parity.originals.assin_cases import CASES, write

RECORD = json.loads((Path(__file__).parent / "originals" / "assin.json").read_text("utf-8"))
N = 60
"""Pairs that are asked about: the first of the test part."""


def official(gold: list[str], said: list[str]) -> tuple[float, float]:
    f1 = []
    for name in sorted(set(gold)):
        right = sum(one == other == name for one, other in zip(gold, said, strict=True))
        f1.append(2 * right / (gold.count(name) + said.count(name)))
    return sum(one == other for one, other in zip(gold, said, strict=True)) / len(gold), sum(f1) / len(f1)


def labels(xml: str | bytes) -> list[str]:
    return [pair.attrib["entailment"].lower() for pair in ElementTree.fromstring(xml)]


def test_the_bundled_classifier_gets_what_the_official_scorer_says(shared_data, home):
    path = shared_data("assin/sources/assin2-test.xml.gz")
    corpus = read_corpus(path)
    first = corpus.only(corpus.pairs[:N])
    asked = nli_runs.ask(api.recipe("bilingual-entailment"))
    run = deque(nli_runs.run(first, asked, Store(), reverse=False), maxlen=1)[0].run_id
    found = evaluate(match(first, nli_runs.answers(Store(), run, asked).predictions), asked.reading.system)
    written = assin_xml(first, dict(zip(found.answers["id"], found.answers["answer"], strict=True)))
    gold = labels(gzip.decompress(path.read_bytes()))[:N]
    assert (found.accuracy, found.macro_f1) == pytest.approx(official(gold, labels(written)))


def test_the_record_says_what_was_asked():
    assert set(RECORD["printed"]) == set(CASES)


@pytest.mark.parametrize("name", list(CASES))
def test_the_numbers_are_those_that_the_scorer_prints(name, tmp_path, capsys):
    """Except where an answer is no label: the scorer counts it as wrong, we do so with -f only, and never if all
    are class numbers."""
    case, output = CASES[name], tmp_path / "numbers.json"
    gold, answers = write(case, tmp_path)
    command = ["nli", "evaluate", "--by-position", "--gold", str(gold), "--predictions", str(answers)]
    command += [] if case.guessed else ["--gold-system", case.system]
    command += ["--model-system", case.system, "-o", str(output), *(["-f"] if case.force else [])]
    if case.refused:
        assert main(command) == 2
        assert case.refused in capsys.readouterr().err
        return
    assert main(command) == 0
    found = {one["name"]: one for one in json.loads(output.read_text("utf-8"))["headlines"]}
    if case.guessed:  # then we say how the scorer's number comes about
        theirs = RECORD["printed"][name]["accuracy"]
        said = f"accuracy is {theirs:.2f}% instead of {found['accuracy']['value']:.2%}"
        assert said in capsys.readouterr().out.replace("\xa0", "")
        return
    ours = {
        "accuracy": round(100 * found["accuracy"]["value"], 2),
        "macro_f1": round(found["macro_f1"]["value"], 3),
        "pearson": round(found["pearson"]["value"], 3),
        "mse": round(found["pearson"]["more"]["mse"], 2),
    }
    assert ours == pytest.approx(RECORD["printed"][name], abs=1e-9)
    assert found["accuracy"]["n"] == len(case.gold)
