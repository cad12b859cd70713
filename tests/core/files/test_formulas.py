"""Predictions about regions: read, written, evaluated, and what a blind model would reach."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.formulas import Formula, Number, Operation, Region, chance, formula_of, regions_of, verdict
from tests.refusals import error_of

Find = Callable[[str], Path]
CONDITIONS = ("plaus", "no-obj_comma", "2 words")


def judged(text: str, **values: float) -> tuple[bool, float, bool]:
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


def test_what_is_not_scored_decides_nothing():
    holds, margin, tie = judged("(1;%a%) < (1;%b%) & (1;%a%) < 3", a=float("nan"), b=1.0)
    assert (holds, tie) == (False, False) and np.isnan(margin)


def test_the_whole_sentence_is_a_region_of_its_own():
    assert [region.label for region in regions_of(formula_of("(*;%a%) < (*;%b%) + (3;%a%) - (*;%a%)"))] == [
        "*;%a%", "*;%b%", "3;%a%",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(6;%a%) + (7;%a%)", "The formula ends too early."),
        ("", "The formula ends too early."),
        ("[(6;%a%) > (7;%a%)", "The formula ends too early."),
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


def sums() -> st.SearchStrategy[Formula]:
    atoms = st.one_of(
        st.builds(Region, st.sampled_from(["1", "2", "*"]), st.sampled_from(CONDITIONS)),
        st.builds(Number, st.sampled_from([0.0, 1.0, -2.5, 0.001])),
    )
    return st.recursive(atoms, lambda inner: st.builds(Operation, st.sampled_from("+-"), inner, inner), max_leaves=5)


def formulas() -> st.SearchStrategy[Operation]:
    claims = st.builds(Operation, st.sampled_from("<>="), sums(), sums())
    return st.recursive(
        claims, lambda inner: st.builds(Operation, st.sampled_from("&|"), inner, inner), max_leaves=4
    ).filter(regions_of)


@pytest.mark.slow
@given(formulas(), st.integers(0, 2**32 - 1))
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

    def __eq__(self, other: object) -> bool:
        return bool(np.isclose(float(self), float(other), rtol=1e-5, atol=1e-3))  # type: ignore[arg-type]

    def __add__(self, other: float) -> Side:
        return Side(float(self) + float(other))

    def __sub__(self, other: float) -> Side:
        return Side(float(self) - float(other))


def by_python(text: str, values: dict[str, float]) -> bool:
    """The formula as a Python expression: regions and numbers become names, `&` `and`, `=` `==`, brackets round."""
    names: dict[str, Side] = {}

    def named(value: float) -> str:
        names[name := f"v{len(names)}"] = Side(value)
        return f" {name} "

    code = re.sub(r"\(([\d*]+;%[^%]+%)\)", lambda found: named(values[found[1]]), text)
    code = re.sub(r"(?<![\w.])-?\d+(\.\d+)?", lambda found: named(float(found[0])), code)
    for old, new in (("[", "("), ("]", ")"), ("&", " and "), ("|", " or "), ("=", "==")):
        code = code.replace(old, new)
    return bool(eval(code, {}, names))


def test_every_published_formula_equals_an_independent_evaluation(shared_data):
    generator = np.random.default_rng(20_251_121)
    n_formulas, outcomes = 0, set()
    for file in sorted(shared_data("syntaxgym/test_suites/json").iterdir()):
        text = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        for prediction in json.loads(text)["predictions"]:
            formula = formula_of(prediction["formula"])
            assert formula_of(str(formula)) == formula
            labels = [region.label for region in regions_of(formula)]
            assert set(labels) == {found[1:-1] for found in re.findall(r"\(\d+;%[^)]+\)", prediction["formula"])}
            rows = np.vstack(
                [generator.gamma(3, 3, (100, len(labels))), generator.integers(0, 2, (100, len(labels)))]
            )
            holds = verdict(formula, dict(zip(labels, rows.T, strict=True))).holds.tolist()
            expected = [
                by_python(prediction["formula"], dict(zip(labels, row, strict=True))) for row in rows.tolist()
            ]
            assert holds == expected, prediction["formula"]
            outcomes |= {(n_formulas, value) for value in holds}
            n_formulas += 1
    assert n_formulas == 36 and len(outcomes) == 72, "each holds for some values and fails for others"


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("(1;%a%) < (1;%b%)", 1 / 2),
        ("[(1;%a%) < (1;%b%)] & [(1;%c%) < (1;%d%)]", 1 / 4),
        ("[(1;%a%) > (1;%b%)] & [(1;%a%) > (1;%c%)]", 1 / 3),
        ("[(1;%a%) > (1;%b%)] | [(1;%a%) > (1;%c%)]", 2 / 3),
        ("(1;%a%) - (1;%b%) > (1;%c%) - (1;%d%)", 1 / 2),
        ("(1;%a%) = (1;%b%)", 0),
    ],
)
def test_chance_is_a_share_of_orders(text, share):
    assert chance(formula_of(text)) == pytest.approx(share)


def test_chance_of_many_regions_is_drawn():
    text = " & ".join(f"[({n};%a%) < ({n};%b%)]" for n in range(1, 6))
    assert chance(formula_of(text)) == pytest.approx(1 / 32, abs=0.005)
