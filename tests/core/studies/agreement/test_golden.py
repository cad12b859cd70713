"""Published predictions on agreement sets give the published figures."""

import filecmp
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from core.analysis.agreement import agreement_numbers, as_json
from core.files.tables import read_table, write_table
from core.policies import Policy
from core.studies.agreement.answers import candidates
from core.studies.agreement.predictions import predictions, raw_predictions

Find = Callable[[str], Path]
NAME = "ud_obj-pp_transformer-28-2"


@pytest.fixture
def released(shared_data):
    return shared_data("french_obj_pp/data/agreement/French") / f"{NAME}.raw-pred"


@pytest.fixture
def table(released):
    return candidates(released)


@pytest.fixture
def numbers(table):
    """Ties wrong, as published: one item's forms are equally frequent."""
    return agreement_numbers(table, Policy(ties="wrong"))


def shares(rows):
    return {str(row.iloc[0]): (int(row["right"]), int(row["n"])) for _, row in rows.iterrows()}


def test_accuracy_by_groups_of_heuristics_and_baselines_alone_and_the_first_items(numbers, table):
    assert (numbers.overall["right"], numbers.overall["n"], numbers.overall["ties"]) == (97, 103, 0)
    assert shares(numbers.by["number"]) == {"singular": (69, 70), "plural": (28, 33)}
    assert list(shares(numbers.by["attractors"]).values()) == [(87, 89), (8, 10), (1, 3), (1, 1)]
    assert shares(numbers.by["heuristics"]) == {
        "0": (1, 2), "1": (3, 5), "2": (7, 8), "3": (16, 18), "4": (20, 20), "5": (50, 50),
    }  # fmt: skip
    assert shares(numbers.by["inverted"]) == {"yes": (9, 9), "no": (86, 92), "undetermined": (2, 2)}
    assert numbers.balanced_accuracy == pytest.approx((69 / 70 + 28 / 33) / 2)
    alone = {row["heuristic"]: round(100 * row["share"], 2) for _, row in numbers.heuristics.iterrows()}
    assert alone == {"cls_noun": 88.35, "cls_token": 62.14, "fst_noun": 71.84, "com": 74.76, "que_n": 96.12}
    baselines = {row["baseline"]: round(100 * row["share"], 2) for _, row in numbers.baselines.iterrows()}
    assert (baselines["always_singular"], baselines["frequency"]) == (67.96, 64.08)
    first = raw_predictions(table).head(4)
    assert first["form"].tolist() == ["dirigé", "dirigés", "connu", "connus"]
    assert first["probs"].round(6).tolist() == [-6.148691, -12.816771, -1.473450, -7.931639]


def test_the_released_files_are_written_to_the_byte_and_read_by_their_name(released, table, tmp_path):
    """So the released decisions are those of the released log-probabilities, on all items."""
    for ending, rows in (".raw-pred", raw_predictions(table)), (".pred", predictions(table)):
        write_table(rows, tmp_path / f"again{ending}")
        assert filecmp.cmp(tmp_path / f"again{ending}", released.with_suffix(ending), shallow=False)
    alone = tmp_path / "alone.raw-pred"
    alone.write_bytes(released.read_bytes())
    assert set(candidates(alone)["heuristics"]) == {"unknown"}
    given = candidates(alone, released.with_suffix(".pred"))
    pd.testing.assert_frame_equal(given.drop(columns="item"), table.drop(columns="item"))


@pytest.mark.parametrize(
    ("language", "original", "nonce", "n", "ties"),
    [
        ("English", 80.49, 71.82, (41, 369), 0),
        ("Italian", 90.76, 84.78, (119, 1071), 1),
        ("Hebrew", 95.17, 79.80, (373, 3357), 11),
    ],
)
def test_nonce_sentences(shared_data, language, original, nonce, n, ties):
    path = shared_data("colorless_green/data/evaluation_output") / language / "best_model.tab.gz"
    column = next(name for name in read_table(path).columns if name.startswith("hidden"))
    numbers = agreement_numbers(candidates(path, column=column), Policy(ties="wrong"))
    of = {row["group"]: (row["n"], round(100 * row["share"], 2)) for _, row in numbers.by["type"].iterrows()}
    assert of == {"original": (n[0], original), "generated": (n[1], nonce)}
    assert as_json(numbers)["ties"] == ties
