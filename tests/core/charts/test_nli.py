"""The charts of label systems and results."""

from __future__ import annotations

import pandas as pd

from core.charts.nli import result_grid
from core.charts.style import A, B


def test_colours_between_grey_and_blue_or_orange_have_no_other_hue():
    """Without `interpolate` a small gain is pink: the browser goes round the colour wheel."""
    row = {"classes": "E", "row": "data", "column": "model", "value": 0.5, "gain": 0.1, "shown": "0.5\nn 2"}
    [coloured] = [
        layer["encoding"]["color"]["scale"]
        for layer in result_grid(pd.DataFrame([row]), "", ("rows", "columns")).to_dict()["layer"]
        if "color" in layer["encoding"]
    ]
    assert coloured["interpolate"] in ("lab", "rgb")
    assert (coloured["range"][0], coloured["range"][-1]) == (B, A)
