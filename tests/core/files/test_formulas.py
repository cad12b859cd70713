"""Predictions about regions: read, written, evaluated, and what a blind model would reach."""

import gzip
import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.files import formulas
from pairlens.files.formulas import Number, Operation, Region, chance, formula_of, in_words, regions_of, verdict
from tests.refusals import error_of

CONDITIONS = ("plaus", "no-obj_comma", "2 words")


def judged(text, **values):
    """Whether the formula holds, its margin and whether it is a tie; `a=3` is the value of `(1;%a%)`."""
    found = verdict(formula_of(text), {f"1;%{name}%": np.array([value]) for name, value in values.items()})
    return bool(found.holds[0]), float(found.margin[0]), bool(found.tie[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(1;%a%) < (1;%b%)", (True, 2.0, False)),
        ("(1;%a%) > (1;%b%)", (False, -2.0, False)),
        ("(1;%a%) > 3", (False, 0.0, True)),
        ("(1;%a%) = 3.001", (True, pytest.approx(3.001e-5), False)),
        ("(1;%a%) = 3.1", (False, pytest.approx(0.001 + 3.1e-5 - 0.1), False)),
        ("[(1;%a%) < (1;%b%)] & [(1;%b%) < (1;%c%)]", (True, 2.0, False)),
        ("(1;%a%) < (1;%b%) & (1;%a%) < 3", (False, 0.0, True)),
        ("(1;%a%) > (1;%b%) & (1;%a%) < 3", (False, -2.0, False)),
        ("(1;%a%) > (1;%b%) | (1;%c%) > 6.5", (True, 2.5, False)),
        ("(1;%a%) > (1;%b%) | (1;%c%) > 6.5 & (1;%a%) > 4", (False, -1.0, False)),
        ("(1;%c%) - (1;%b%) - (1;%a%) > 0", (True, 1.0, False)),
        ("(1;%c%) - [(1;%b%) - (1;%a%)] > 0", (True, 7.0, False)),
        ("((1;%c%)−(1;%b%)) + ( 1 ; %a% )>-1e1", (True, 17.0, False)),
        ("[[[(01;%a%)]] < [(1;%b%)]]", (True, 2.0, False)),
    ],
)
def test_by_hand(text, expected):
    assert judged(text, a=3.0, b=5.0, c=9.0) == expected


def test_what_is_not_scored_decides_nothing_and_the_whole_sentence_is_a_region():
    holds, margin, tie = judged("(1;%a%) < (1;%b%) & (1;%a%) < 3", a=float("nan"), b=1.0)
    assert (holds, tie) == (False, False) and np.isnan(margin)
    regions = regions_of(formula_of("(*;%a%) < (*;%b%) + (3;%a%) - (*;%a%)"))
    assert [region.label for region in regions] == ["*;%a%", "*;%b%", "3;%a%"]
    assert (formulas.region_in_words("6;%plaus%"), formulas.region_in_words("word")) == ("region 6 in plaus", "word")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(6;%a%) + (7;%a%)", "The formula ends too early."),
        ("", "The formula ends too early."),
        ("(6;a%) > 3", "The formula cannot be read from ';a%) > 3' on."),
        ("(6;%a%) > 3 > 2", "The formula cannot be read from '> 2' on."),
        ("[(6;%a%) > (7;%a%))", "The formula cannot be read from ')' on."),
        ("(6;%a%) >= 3", "The formula cannot be read from '= 3' on."),
        ("(6;%a%) * 2 > 3", "The formula cannot be read from '* 2 > 3' on."),
        ("[(6;%a%) > 1] + 2 > 3", "The formula cannot be read from '+ 2 > 3' on."),
        ("3 > 2", "The formula names no region."),
        ("1 + " * 200 + "(1;%a%) > 2", "A formula has 250 parts at most, this one has 403."),
        ("1" * 5000 + " > 2", "A formula has 4,000 characters at most, this one has 5,004."),
    ],
)
def test_what_cannot_be_read_is_quoted_from_there_on(text, said):
    assert error_of(lambda: formula_of(text)).startswith(said)


def of(signs, parts, most=0):
    """Operations of such parts, nested up to `most` times."""
    if most:
        return st.recursive(parts, lambda inner: of(signs, inner), max_leaves=most)
    return st.builds(Operation, st.sampled_from(signs), parts, parts)


REGIONS = st.builds(Region, st.sampled_from(["1", "2", "*"]), st.sampled_from(CONDITIONS))
SUMS = of("+-", REGIONS | st.builds(Number, st.sampled_from([0.0, 1.0, -2.5, 0.001])), 5)
FORMULAS = of("&|", of("<>=", SUMS), 4).filter(regions_of)


@pytest.mark.slow
@given(FORMULAS, st.integers(0, 2**32 - 1))
def test_a_formula_as_text_is_the_same_and_means_what_python_makes_of_it(formula, seed):
    text = str(formula)
    assert formula_of(text) == formula
    generator = np.random.default_rng(seed)
    labels = [region.label for region in regions_of(formula)]
    rows = generator.integers(0, 3, (20, len(labels))).astype(float)
    holds = verdict(formula, dict(zip(labels, rows.T, strict=True))).holds
    expected = [by_python(text, dict(zip(labels, row, strict=True))) for row in rows.tolist()]
    assert np.broadcast_to(holds, 20).tolist() == expected


class Side(float):
    """A number whose `==` is that of SyntaxGym, so that Python can evaluate a formula that was typed again for it."""

    __hash__ = float.__hash__

    def __eq__(self, other):
        return bool(np.isclose(float(self), float(other), rtol=1e-5, atol=1e-3))

    def __add__(self, other):
        return Side(float(self) + float(other))

    def __sub__(self, other):
        return Side(float(self) - float(other))


def by_python(text, values):
    """The formula as a Python expression: regions and numbers become names, `&` `and`, `=` `==`, brackets round."""
    names = {}

    def named(value):
        names[name := f"v{len(names)}"] = Side(value)
        return f" {name} "

    code = re.sub(r"\(([\d*]+;%[^%]+%)\)", lambda found: named(values[found[1]]), text)
    code = re.sub(r"(?<![\w.])-?\d+(\.\d+)?", lambda found: named(float(found[0])), code)
    for old, new in (("[", "("), ("]", ")"), ("&", " and "), ("|", " or "), ("=", "==")):
        code = code.replace(old, new)
    return bool(eval(code, {}, names))


def test_every_published_formula_equals_an_independent_evaluation(shared_data):
    generator = np.random.default_rng(20_251_121)
    outcomes = []
    for file in sorted(shared_data("syntaxgym/test_suites/json").iterdir()):
        text = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        for prediction in json.loads(text)["predictions"]:
            formula = formula_of(prediction["formula"])
            assert formula_of(str(formula)) == formula
            labels = [region.label for region in regions_of(formula)]
            assert set(labels) == {found[1:-1] for found in re.findall(r"\(\d+;%[^)]+\)", prediction["formula"])}
            shape = (100, len(labels))
            rows = np.vstack([generator.gamma(3, 3, shape), generator.integers(0, 2, shape)])
            holds = verdict(formula, dict(zip(labels, rows.T, strict=True))).holds.tolist()
            values = (dict(zip(labels, row, strict=True)) for row in rows.tolist())
            assert holds == [by_python(prediction["formula"], each) for each in values], prediction["formula"]
            outcomes.append({*holds})
    assert outcomes == [{True, False}] * 36, "each holds for some values and fails for others"


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("(1;%a%) < (1;%b%)", 1 / 2),
        ("[(1;%a%) < (1;%b%)] & [(1;%c%) < (1;%d%)]", 1 / 4),
        ("[(1;%a%) > (1;%b%)] & [(1;%a%) > (1;%c%)]", 1 / 3),
        ("[(1;%a%) > (1;%b%)] | [(1;%a%) > (1;%c%)]", 2 / 3),
        ("(1;%a%) = (1;%b%)", 0),
        (" & ".join(f"[({n};%a%) < ({n};%b%)]" for n in range(1, 6)), pytest.approx(1 / 32, abs=0.005)),  # drawn
    ],
)
def test_chance_is_a_share_of_orders(text, share):
    assert chance(formula_of(text)) == (pytest.approx(share) if isinstance(share, float | int) else share)


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("(5;%a%) > (5;%b%)", "region 5 is more surprising in a than in b"),
        ("(*;%a%) < (*;%b%)", "the whole sentence is less surprising in a than in b"),
        ("[(6;%a%) + (7;%a%)] < [(6;%b%) + (7;%b%)]", "regions 6 and 7 together are less surprising in a than in b"),
        ("(5;%a%) = (6;%b%)", "region 5 in a is as surprising as region 6 in b"),
        ("(1;%a%) - (1;%b%) > (2;%a%) - (2;%b%)",
         "region 1 in a minus region 1 in b is more surprising than region 2 in a minus region 2 in b"),
        ("(1;%a%) > 3", "region 1 in a is more surprising than 3 bits"),
        ("[(5;%a%) > (5;%b%)] & [(5;%a%) > (5;%c%)]",
         "region 5 is more surprising in a than in b; and region 5 is more surprising in a than in c"),
    ],
)  # fmt: skip
def test_a_prediction_is_a_sentence(formula, words):
    assert in_words(formula_of(formula)) == words
