"""The map of layers and tokens, and the ladder: cells in their place, one scale for all, numbers beside colours."""

import math
import re
from collections import Counter

import pandas as pd
import pytest

from pairlens.charts.drawing import svg
from pairlens.charts.inside import layer_ladder, mean_cells, state_map

TOKENS = ["<s>", "·the", "·key", "·the"]


def cells(**columns):
    """Two layers over four tokens, one of which occurs twice."""
    rows = [(layer, place, token, layer * 0.25) for layer in (0, 1) for place, token in enumerate(TOKENS)]
    return pd.DataFrame(rows, columns=["layer", "position", "token", "share"]).assign(**columns)


def numbers(chart):
    """What is written in the cells."""
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg(chart))
    return [text for text in texts if re.fullmatch(r"[−-]?\d+|–", text)]


def rules(chart):
    """The scale of the colours."""
    [scale] = [
        layer["encoding"]["color"]["scale"] for layer in chart.to_dict()["layer"] if "color" in layer["encoding"]
    ]
    return scale


@pytest.mark.slow
def test_tokens_that_occur_twice_have_two_columns_and_every_cell_its_number_also_under_a_control():
    drawn = svg(state_map(cells(), "what was found"))
    assert drawn.count(">·the</text>") == 2
    heights = {
        name: float(re.search(rf'aria-label="layer {name}, ·key: \d+ %"[^>]*d="M[\d.]+,([\d.]+)', drawn)[1])
        for name in (0, 1)
    }
    assert heights[0] > heights[1]
    assert state_map(cells(), "what was found").description == "what was found"
    shares = [-0.12, 0.5, 1.3, math.nan, -0.001, 0, 1, 0.004]
    written = Counter(numbers(state_map(cells(share=shares), "")))
    of_layers = Counter(["0", "1"])
    assert written - of_layers == Counter(["−12", "50", "130", "–", "0", "0", "0", "100"])
    assert "layer 0, ·key: 40 %" in svg(state_map(cells(random=0.4), "", "random"))


@pytest.mark.slow
def test_two_maps_have_the_same_colours_for_the_same_share_and_the_chosen_cell_a_frame():
    small, large = (state_map(cells(share=share), "") for share in (0.01, 1.8))
    assert rules(small) == rules(large) and rules(small)["domain"] == [-1, 0, 1]
    drawn = [next(iter(chart.to_dict()["datasets"].values()))[0]["beyond"] for chart in (small, large)]
    assert drawn == ["", "beyond the scale of colours, which ends at 100 %"]
    chosen, none = (svg(state_map(cells(), "", chosen=cell)) for cell in ((1, 2), None))
    assert (chosen.count('stroke="currentColor"'), none.count('stroke="currentColor"')) == (1, 0)


def test_a_mean_map_has_bold_numbers_where_intervals_exclude_those_of_every_control():
    mean = cells(low=0.1, high=0.9, n=30, random=0.0, unrelated=0.05, clear=[False] * 6 + [True, False])
    chart = state_map(mean, "")
    assert svg(chart).count('font-weight="bold"') == 1
    fields = {one["field"] for one in chart.to_dict()["layer"][-1]["encoding"]["tooltip"]}
    assert {"low", "high", "n", "random", "unrelated"} <= fields
    bounds = [(0.5, 0.9), (0.1, 0.5), (-0.9, -0.5)]
    mean = pd.DataFrame(bounds, columns=["share_low", "share_high"]).assign(
        layer=0, region=["a", "b", "a"], share=0.0, random=0.0, random_low=-0.1, random_high=0.2,
        unrelated=[0.0, 0.0, math.nan], unrelated_low=-0.3, unrelated_high=0.1,
    )  # fmt: skip
    drawn = mean_cells(mean, 12)
    assert drawn["clear"].tolist() == [True, False, True]
    assert drawn["position"].tolist() == [0, 1, 2], "regions of one name stay apart"
    assert drawn["n"].tolist() == [12, 12, 12]


@pytest.mark.parametrize("settled", [0, 1])
def test_the_ladder_has_a_line_per_beginning_and_a_ring_where_the_sign_stays(settled):
    rungs = [(name, layer, 1.0 + layer, layer == settled) for name in ("The keys", "The key") for layer in (0, 1)]
    ladder = pd.DataFrame(rungs, columns=["beginning", "layer", "margin", "settled"])
    drawn = svg(layer_ladder(ladder, "", ("are", "is")))
    assert "“are” ahead of “is” (bits)" in drawn and ">The keys</text>" in drawn
    assert drawn.count('stroke-width="2"') >= 4  # two lines, two rings
