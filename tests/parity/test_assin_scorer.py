"""Answers of the bundled classifier on ASSIN 2, judged by us and as the official scorer does, in plain Python.

The scorer (Fonseca et al. 2016) goes through both files by position: accuracy, the mean F1 of the classes in gold.
"""

from __future__ import annotations

import gzip
from collections import deque
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core import api
from core.files.nli.readers import read_corpus
from core.store import Store
from core.studies.nli import runs as nli_runs
from core.studies.nli.evaluated import evaluate
from core.studies.nli.matched import match
from core.studies.nli.writing import assin_xml

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


def test_the_bundled_classifier_gets_what_the_official_scorer_says(
    shared_data: Callable[[str], Path], home: Path
) -> None:
    path = shared_data("assin/sources/assin2-test.xml.gz")
    corpus = read_corpus(path)
    first = corpus.only(corpus.pairs[:N])
    asked = nli_runs.ask(api.recipe("bilingual-entailment"))
    run = deque(nli_runs.run(first, asked, Store(), reverse=False), maxlen=1)[0].run_id
    found = evaluate(match(first, nli_runs.answers(Store(), run, asked).predictions), asked.reading.system)
    written = assin_xml(first, dict(zip(found.answers["id"], found.answers["answer"], strict=True)))
    gold = labels(gzip.decompress(path.read_bytes()))[:N]
    assert (found.accuracy, found.macro_f1) == pytest.approx(official(gold, labels(written)))
