"""The table of learning curves: one row per pair and moment.

Columns: `step`, `tokens`, `group`, `good`, `bad`, `margin` (bits).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from core.statistics.intervals import wilson
from core.training.history import History

COLUMNS = ("step", "tokens", "group", "good", "bad", "margin")


def curves_of(folder: Path) -> pd.DataFrame:
    """The learning curves that a training leaves in its folder, complete or not; empty if it watched no pairs.

    Of a step that was measured twice, because the training was interrupted there, the last values count.
    """
    history = History(folder)
    pairs = pd.DataFrame(history.pairs(), columns=["group", "good", "bad"])
    parts = {
        moment.step: pairs.assign(step=moment.step, tokens=moment.tokens, margin=moment.margins)
        for moment in history.moments()
        if moment.margins is not None and len(moment.margins) == len(pairs)
    }
    return (
        pd.concat(parts.values(), ignore_index=True)[list(COLUMNS)] if parts else pd.DataFrame(columns=list(COLUMNS))
    )


def shares(curves: pd.DataFrame) -> pd.DataFrame:
    """Per step and group: `n`, accuracy (`value`; a tie counts one half) and its Wilson interval over the pairs.

    Pairs that the model cannot score do not count.
    """
    curves = curves.dropna(subset="margin")
    credit = np.where(curves["margin"] > 0, 1.0, np.where(curves["margin"] == 0, 0.5, 0.0))
    grouped = curves.assign(credit=credit).groupby(["step", "tokens", "group"], sort=False)["credit"]
    points = grouped.agg(right="sum", n="size").reset_index()
    points["value"] = points["right"] / points["n"]
    bounds = [wilson(right, n) for right, n in zip(points["right"], points["n"], strict=True)]
    points["low"], points["high"] = [low for low, _ in bounds], [high for _, high in bounds]
    return points.sort_values(["step"], kind="stable", ignore_index=True)
