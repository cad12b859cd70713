"""The table for a mixed model, and that the programs written beside it run and find what the design says."""

import io
import math
import re
import shutil
import subprocess
import warnings
from contextlib import chdir, redirect_stdout
from itertools import product

import numpy as np
import pandas as pd
import pytest

from pairlens.analysis.experiment import Analysis, Columns
from pairlens.analysis.interaction import interaction
from pairlens.analysis.mixed_model import mixed_model_table, python_script, r_script
from pairlens.analysis.regions import regions
from pairlens.files.tables import write_table
from tests.experiment_tables import region_values, sentence_table, word_table
from tests.refusals import error_of

ODD = 'my "verb", `x`'
VERBS = ("left, or so", "a_b")
COLUMNS = Columns(item="item", conditions=(ODD, "comma"))


def design(n_items=10):
    rows = product(range(n_items), VERBS, ("NA", "None"))
    return sentence_table(
        {"sentence": "word", "item": str(item), ODD: verb, "comma": comma} for item, verb, comma in rows
    )


def scored(sentences, seed=2):
    """Two models; items differ, and so do their cells."""
    draw = np.random.default_rng(seed)
    n_items = len(sentences) // 4
    cells = np.array([4.0, 1.0, 2.0, 1.0])
    noise = ((draw.normal(10, 3, size=(n_items, 1)), draw.normal(0, 1, size=(n_items, 4))) for _ in "ab")
    costs = zip(((cells + items + errors).ravel() for items, errors in noise), "ab", strict=True)
    return pd.concat(region_values(sentences, list(values), f"model {name}") for values, name in costs)


@pytest.fixture
def table():
    sentences = design()
    return mixed_model_table(scored(sentences), sentences, COLUMNS)


def test_the_table_has_a_row_per_sentence_and_region_and_codes_factors_of_two_values():
    row = {"sentence": "The cats sleep.", "pairid": "1", "number": "pl", "roi": (1,), "lemma": "cat"}
    sentences = sentence_table(row | {"comparison": side} for side in ("expected", "unexpected"))
    found = regions(word_table(sentences, [[1.0, 2.0, 3.0], [4.0, math.nan, 6.0]]), sentences, Analysis(spill=1))
    table = mixed_model_table(found, sentences, Columns(conditions=("number",)))
    assert list(table) == [
        "model", "item", "pairid", "sentid", "number", "comparison", "region", "surp", "n_words", "n_tokens",
        "characters", "comparison_c", "excluded",
    ]  # fmt: skip
    assert table["region"].tolist() == ["ROI", "ROI+1"] * 2
    assert table["surp"].tolist() == pytest.approx([2.0, 3.0, math.nan, 6.0], nan_ok=True)
    assert table["characters"].tolist() == [4, 6] * 2
    assert table["comparison_c"].tolist() == [0.5, 0.5, -0.5, -0.5]
    assert table["item"].tolist() == ["1"] * 4
    assert table["excluded"].notna().tolist() == [False, False, True, False]
    sentences = sentence_table([{"sentence": "word", "item": "1", "noun": noun, "one": "x"} for noun in "abc"])
    columns = Columns(item="item", conditions=("noun", "one"))
    table = mixed_model_table(region_values(sentences, [1.0, 2.0, 3.0]), sentences, columns)
    assert not [name for name in table if name.endswith("_c")]
    assert "lmer(surp ~ C(factor(noun), contr.sum) + (1 | item), " in r_script(table, ("noun",), "t.csv")


def test_the_python_program_codes_factors_with_more_values_itself_and_leaves_out_what_is_not_scored(tmp_path):
    """The coefficient of the first value is its mean less the mean of the means."""
    places = list(product(range(8), "abc"))
    sentences = sentence_table([{"sentence": "word", "item": str(item), "noun": noun} for item, noun in places])
    draw = np.random.default_rng(4)
    values = [{"a": 9.0, "b": 5.0, "c": 4.0}[noun] + float(draw.normal()) + item for item, noun in places]
    columns = Columns(item="item", conditions=("noun",))
    table = mixed_model_table(region_values(sentences, values), sentences, columns)
    write_table(table, tmp_path / "table.csv")
    output = run(python_script(table, ("noun",), "table.csv"), tmp_path)
    means = np.reshape(values, (8, 3)).mean(axis=0)
    (first, _) = re.findall(r"Sum\)\[S\.\w\] +(-?[\d.]+)", output)
    assert float(first) == pytest.approx(means[0] - means.mean(), abs=6e-4)
    sentences = design()
    values = np.random.default_rng(0).normal(10, 3, 40)
    values[7] = math.nan
    table = mixed_model_table(region_values(sentences, list(values)), sentences, COLUMNS)
    write_table(table, tmp_path / "table.csv")
    output = run(python_script(table, ("comma",), "table.csv"), tmp_path)
    assert "m, sentence: 39 sentences" in output
    assert "P>|z|" in output and "Tests: z, without degrees of freedom" in output


@pytest.mark.slow
def test_the_python_program_finds_the_difference_of_differences(tmp_path):
    sentences = design()
    found = scored(sentences)
    table = mixed_model_table(found, sentences, COLUMNS)
    file = tmp_path / 'été "table".csv'
    write_table(table, file)
    output = run(python_script(table, (ODD, "comma"), file.name), tmp_path)
    expected = interaction(found, sentences, COLUMNS, Analysis(), (ODD, "comma")).table["mean"]
    estimates = re.findall(r"^.*:comma_c +(-?[\d.]+)", output, re.MULTILINE)
    assert [float(value) for value in estimates] == pytest.approx(list(expected), abs=6e-4)
    assert "model a, sentence: 40 sentences" in output and "model b, sentence: 40 sentences" in output


def test_the_programs_say_how_factors_are_coded_that_of_r_is_well_formed_and_what_cannot_be_asked_is_said(table):
    for script in (r_script, python_script):
        text = script(table, (ODD, "comma"), "table.csv")
        assert f"# {ODD}_c: +0.5 for left, or so, -0.5 for a_b" in text
        assert "# comma_c: +0.5 for NA, -0.5 for None" in text
    code = r_script(table, (ODD, "comma"), 'a "b".csv')
    assert 'read.csv("a \\"b\\".csv", sep = ",", na.strings = "", ' in code and "readr" not in code
    assert r'lmer(surp ~ `my "verb", \`x\`_c` * comma_c + (1 | item), data = part)' in code
    assert balanced(code)
    assert error_of(lambda: python_script(table, (), "t.csv")) == "Choose at least one condition for the model."
    clash = design().rename(columns={"comma": "surp"})
    columns = Columns(item="item", conditions=("surp",))
    assert "'surp'" in error_of(lambda: mixed_model_table(scored(design()), clash, columns))


def test_without_items_there_are_no_random_effects(tmp_path):
    sentences = design().drop(columns="item")
    table = mixed_model_table(scored(sentences), sentences, Columns(conditions=(ODD, "comma")))
    assert "item" not in table
    code = r_script(table, ("comma",), "table.csv")
    assert "lme4" not in code and "lm(surp ~ comma_c, data = part)" in code and balanced(code)
    write_table(table, tmp_path / "table.csv")
    output = run(python_script(table, ("comma",), "table.csv"), tmp_path)
    assert "OLS" in output and "P>|t|" in output and "t with residual degrees of freedom" in output


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_the_r_program_runs(tmp_path, table):
    write_table(table, tmp_path / "table.csv")
    (tmp_path / "fit.R").write_text(r_script(table, (ODD, "comma"), "table.csv"), encoding="utf-8")
    done = subprocess.run(["Rscript", "fit.R"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    if "there is no package called" in done.stderr:
        pytest.skip("lme4 or lmerTest is not installed")
    assert done.returncode == 0, done.stderr
    assert ":comma_c" in done.stdout
    assert "df t value" in done.stdout and "t with Satterthwaite's degrees of freedom" in done.stdout


def balanced(code):
    """Whether brackets, braces and quotation marks of R code close in the right order."""
    stack, quote, escaped = [], "", False
    for line in code.splitlines():
        for character in line:
            if quote:
                escaped, was = character == "\\" and not escaped, escaped
                quote = "" if character == quote and not was else quote
            elif character == "#":
                break
            elif character in "\"'`":
                quote = character
            elif character in "([{":
                stack.append(")]}"["([{".index(character)])
            elif character in ")]}" and (not stack or stack.pop() != character):
                return False
        if quote:
            return False
    return not stack


def run(code, folder):
    """What a Python program prints that is run in this folder, here: to import what it needs takes seconds."""
    with chdir(folder), redirect_stdout(io.StringIO()) as output, warnings.catch_warnings(action="ignore"):
        exec(compile(code, "program.py", "exec"), {"__name__": "__main__"})
    return output.getvalue()
