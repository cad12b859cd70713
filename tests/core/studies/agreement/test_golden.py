"""Published predictions on agreement sets give the published figures."""

import filecmp
from collections import Counter

import pandas as pd
import pytest

from pairlens.analysis.agreement import agreement_numbers
from pairlens.files.tables import write_table
from pairlens.places import FOLDER as ROOT
from pairlens.policies import Policy
from pairlens.studies import gallery
from pairlens.studies.agreement.answers import candidates
from pairlens.studies.agreement.predictions import predictions, raw_predictions
from pairlens.tasks import TASKS

NAME = "ud_obj-pp_transformer-28-2"


@pytest.fixture
def released(shared_data):
    return shared_data("french_obj_pp/data/agreement/French") / f"{NAME}.raw-pred"


@pytest.fixture
def table(released):
    return candidates(released)


def shares(rows):
    return {str(row.iloc[0]): (int(row["right"]), int(row["n"])) for _, row in rows.iterrows()}


def test_accuracy_by_groups_of_heuristics_and_baselines_alone_and_the_first_items(table):
    numbers = agreement_numbers(table, Policy(ties="wrong"))  # as published: one item's forms are equally frequent
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


SAMPLES = ROOT / "data" / "samples"
SIZES = {"agreement": 64, "agreement_french": 48}


def of(name):
    return list(TASKS["agreement"].read(SAMPLES / name))


def texts(items):
    return {one.context + one.text for item in items for one in item.candidates}


@pytest.mark.parametrize("name", SIZES)
def test_they_are_balanced_no_heuristic_solves_them_and_no_sentence_is_there_twice_or_in_another_sample(name):
    items = of(name)
    counts = Counter((item.groups["number"], item.groups["attractors"]) for item in items)
    assert counts == {(n, a): SIZES[name] // 4 for n in ("singular", "plural") for a in ("0", "1")}
    assert len(texts(items)) == 2 * len(items)
    for heuristic in ("cls_noun", "cls_token", "fst_noun", "com"):
        right = sum(item.groups[heuristic] == item.groups["number"] for item in items)
        assert 0.4 <= right / len(items) <= 0.8, heuristic
    others = texts(TASKS["blimp"].read(SAMPLES / "blimp"))
    others |= {text for example in gallery.examples() for pair in example.pairs for text in pair}
    assert not texts(items) & others


def test_french_forms_differ_in_a_final_s_alone_half_are_feminine_and_every_number_of_heuristics_occurs():
    items = of("agreement_french")
    forms = [sorted(item.groups["contrast"].split("|"), key=len) for item in items]
    assert all(longer == shorter + "s" for shorter, longer in forms)
    assert sum(shorter.endswith("e") for shorter, _ in forms) == len(items) // 2
    assert Counter(item.groups["inverted"] for item in items) == {"no": 40, "yes": 8}
    assert {item.groups["heuristics"] for item in items} == set("012345")
