"""Two models on the same examples, and one name for each of them."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
from scipy.stats import binomtest

from core.cli import main
from core.files.stereoset.examples import ANTI, INTRASENTENCE, UNRELATED
from core.studies.stereoset import findings
from core.studies.stereoset.measured import OVERALL, difference, measure
from core.studies.stereoset.predictions import Predictions, write_predictions

SAMPLE = Path("data/samples/stereoset/dev.json")


def scored(examples, n_stereotypes, name):
    """The stereotype wins in the first examples of each task, its opposite in the others."""
    usual = {ANTI: 0.5, UNRELATED: -1.0}
    scores = {
        kind: {
            one.id: usual.get(one.gold_label, float(place < n_stereotypes))
            for place, example in enumerate(some)
            for one in example.candidates
        }
        for kind, some in examples.by_kind.items()
    }
    return Predictions(**scores, name=name)


def test_the_difference_is_that_of_the_means_and_is_tested_by_term(examples):
    first, second = (measure(examples, scored(examples, n, "m")) for n in (30, 12))
    for kind in (INTRASENTENCE, OVERALL):
        found = difference(first, second, kind)
        assert found is not None
        ours, theirs = (one.cell(kind).term_means.ss.value for one in (first, second))
        assert found.ss.value == pytest.approx(ours - theirs)
        assert found.ss.low < found.ss.value < found.ss.high
        assert found.lms.value == 0 and found.lms.low <= 0 <= found.lms.high
        only = 18 if kind == INTRASENTENCE else 36
        assert (found.choices.only_a, found.choices.only_b) == (only, 0)
        assert found.choices.p == pytest.approx(binomtest(0, only).pvalue)
        assert found.choices.p < found.p < 0.05


def test_a_model_does_not_differ_from_itself(examples):
    one = measure(examples, scored(examples, 20, "m"))
    said = findings.difference("a", "b", difference(one, one))
    assert "SS +0.0 (-" in said and "over 15 terms" in said and "term by term: p\u00a0=\u00a01" in said


def test_examples_that_only_one_has_do_not_count(examples):
    one = measure(examples, scored(examples, 20, "m"))
    part = measure(replace(examples, intrasentence=examples.intrasentence[:9]), scored(examples, 20, "m"))
    found = difference(one, part, INTRASENTENCE)
    assert found is not None and found.n == 9 and math.isnan(found.p) and math.isnan(found.ss.low)
    said = findings.difference("a", "b", found)
    assert "no interval: fewer than 10 terms" in said and "p " not in said.split("terms")[1]
    within = measure(replace(examples, intersentence=()), scored(examples, 20, "m"))
    between = measure(replace(examples, intrasentence=()), scored(examples, 20, "m"))
    assert difference(within, between) is None


def test_several_files_are_compared_and_must_have_different_names(examples, tmp_path, capsys):
    paths = [tmp_path / name for name in ("a.json", "b.json", "more/b.json")]
    for path, n in zip(paths, (30, 12, 5), strict=True):
        path.parent.mkdir(exist_ok=True)
        write_predictions(scored(examples, n, path.stem), path)
    options = [part for path in paths for part in ("--predictions", str(path))]
    command = ["stereoset", "evaluate", "--gold-file", str(SAMPLE)]
    assert main([*command, *options[:4]]) == 0
    assert "a minus b: SS +" in capsys.readouterr().out
    assert main([*command, *options]) == 2
    assert "several files of predictions of this name" in capsys.readouterr().err


def test_a_language_that_is_a_path_writes_nothing(tmp_path, capsys):
    command = ["stereoset", "predict", "-m", "unigram-english", "--gold-file", str(SAMPLE)]
    assert main([*command, "--output-dir", str(tmp_path / "out"), "--language", "../../x"]) == 2
    assert "A language is two small letters" in capsys.readouterr().err
    assert not [path for path in tmp_path.rglob("*.json")]
