"""Charts of accuracies: every row is there under its name, names stay text, long ones are folded."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import charts
from core.accuracy_charts import GROUP, accuracy_beside, accuracy_by_group, margin_histogram

HOSTILE = 'a"];alert(1);["'


@pytest.fixture
def groups() -> pd.DataFrame:
    names = ["island_effects_of_a_complex_noun_phrase", "agreement", HOSTILE]
    rows = [
        {"group": n, "section": "one" if n != HOSTILE else "two", "value": 0.7, "low": 0.6, "high": 0.8, "n": 20}
        for n in names
    ]
    return pd.DataFrame(rows)


def labels(spec: str) -> list[str]:
    return [axis["labelExpr"] for axis in _axes(json.loads(spec)) if "labelExpr" in axis]


def _axes(node: object) -> list[dict[str, str]]:
    if isinstance(node, list):
        return [axis for child in node for axis in _axes(child)]
    if not isinstance(node, dict):
        return []
    own = [node["axis"]] if isinstance(node.get("axis"), dict) else []
    return own + [axis for child in node.values() for axis in _axes(child)]


def test_rows_are_under_the_name_of_their_section(groups: pd.DataFrame) -> None:
    spec = accuracy_by_group(groups, "finding").to_dict()
    domain = spec["layer"][-1]["encoding"]["y"]["scale"]["domain"]
    assert domain == ["§one", *groups["group"][:2], "§two", HOSTILE]
    flat = accuracy_by_group(groups, "finding", sections=False).to_dict()
    assert flat["layer"][-1]["encoding"]["y"]["scale"]["domain"] == list(groups["group"])


def test_names_are_data_in_the_expression_and_long_ones_are_folded(groups: pd.DataFrame) -> None:
    expression = labels(accuracy_by_group(groups, "finding").to_json())[0]
    assert json.dumps(HOSTILE) in expression
    assert json.dumps(["island_effects_of_a_", "complex_noun_phrase"]) in expression


def test_a_click_names_the_group(groups: pd.DataFrame) -> None:
    spec = accuracy_by_group(groups, "finding").to_dict()
    assert [param["name"] for param in spec["params"]] == [GROUP]
    assert spec["params"][0]["views"] == [spec["layer"][-1]["name"]], "rows lie on top"
    assert spec["description"] == "finding"


def test_figures_on_other_items_are_hollow() -> None:
    rows = pd.DataFrame(
        {
            "name": ["m", "human"], "value": [0.6, 0.9], "low": [0.5, None], "high": [0.7, None],
            "mark": ["run", "other"], "note": ["this run", "other items"],
        }
    )  # fmt: skip
    marks = {
        layer["transform"][0]["filter"]: layer["mark"]["filled"]
        for layer in accuracy_beside(rows, "finding").to_dict()["layer"]
        if "transform" in layer
    }
    assert marks == {"datum.mark === 'run'": True, "datum.mark === 'same'": True, "datum.mark === 'other'": False}


def test_charts_can_be_downloaded_as_drawings(groups: pd.DataFrame) -> None:
    drawing = charts.svg(accuracy_by_group(groups, "finding"))
    assert "agreement" in drawing
    assert "<script" not in drawing


@given(st.lists(st.floats(-1e6, 1e6, allow_nan=False), min_size=1, max_size=60))
@settings(deadline=None)
def test_every_pair_is_in_the_histogram_once(margins: list[float]) -> None:
    spec = margin_histogram(pd.DataFrame({"margin": margins}), "finding").to_dict()
    bins = next(rows for rows in spec["datasets"].values() if "side" in rows[0])
    counts = {side: sum(row["n"] for row in bins if row["side"] == side) for side in ("right", "wrong", "tie")}
    assert counts == {
        "right": sum(margin > 0 for margin in margins),
        "wrong": sum(margin < 0 for margin in margins),
        "tie": sum(margin == 0 for margin in margins),
    }
    assert all(row["low"] >= 0 for row in bins if row["side"] == "right")
    assert all(row["high"] <= 0 for row in bins if row["side"] == "wrong")
    assert len({row["low"] for row in bins}) <= 42
