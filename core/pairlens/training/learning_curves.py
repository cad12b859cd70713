"""Learning curves: a model's margin on each of some pairs at moments of its training; shares, and sentences.

One row per pair and moment, with the columns `step`, `tokens`, `group`, `good`, `bad`, `margin` (bits).
"""

from pathlib import Path

import numpy as np
import pandas as pd

from pairlens.files.tables import read_table
from pairlens.places import bundled
from pairlens.statistics.intervals import wilson
from pairlens.training.own_models import History

COLUMNS = ("step", "tokens", "group", "good", "bad", "margin")


def curves_of(folder: Path) -> pd.DataFrame:
    """The learning curves that a training leaves in its folder, complete or not; empty if it watched no pairs."""
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
    """Per step and group: `n`, accuracy (`value`; a tie is one half) and its Wilson interval over scored pairs."""
    curves = curves.dropna(subset="margin")
    credit = np.where(curves["margin"] > 0, 1.0, np.where(curves["margin"] == 0, 0.5, 0.0))
    grouped = curves.assign(credit=credit).groupby(["step", "tokens", "group"], sort=False)["credit"]
    points = grouped.agg(right="sum", n="size").reset_index()
    points["value"] = points["right"] / points["n"]
    bounds = [wilson(right, n) for right, n in zip(points["right"], points["n"], strict=True)]
    points["low"], points["high"] = [low for low, _ in bounds], [high for _, high in bounds]
    return points.sort_values(["step"], kind="stable", ignore_index=True)


def headline(points: pd.DataFrame, name: str) -> str:
    """The accuracy at the last moment, beside that of guessing. `points` is the table of `curves.shares`."""
    last = points[points["step"] == points["step"].max()]
    right, n = last["right"].sum(), last["n"].sum()
    read = _short(int(last["tokens"].iloc[0]))
    return f"After {read} tokens, {name} gets {right:g} of {n:g} pairs right; guessing would get {n / 2:g}."


def order(points: pd.DataFrame) -> str:
    groups = dict.fromkeys(points["group"])
    learnt = sorted((tokens, group) for group in groups if (tokens := learnt_at(points, group)) is not None)
    parts = ", ".join(f"{group} after {_short(tokens)} tokens" for tokens, group in learnt)
    return f"90 % right and more from then on: {parts}." if learnt else ""


def learnt_at(points: pd.DataFrame, group: str, level: float = 0.9) -> int | None:
    """The tokens read when a group's share reaches `level` for good; None if it never does."""
    own = points[points["group"] == group].sort_values("step")
    below = own["value"] < level
    after = own[~below.iloc[::-1].cummax().iloc[::-1]]
    return None if after.empty else int(after["tokens"].iloc[0])


def _short(tokens: int) -> str:
    """A number of tokens in two digits: `940`, `94 thousand`, `3.1 million`, `1.3 billion`."""
    rounded = round(tokens, min(0, 2 - len(str(tokens))))
    for size, name in ((1_000_000_000, "billion"), (1_000_000, "million"), (1_000, "thousand")):
        if rounded >= size:
            return f"{rounded / size:g} {name}"
    return f"{rounded}"


FOLDER = bundled("learning_curves")
PAIR = "pair"
"""The column with the title of a gallery pair, empty for pairs of the fast set."""


def shipped_curves() -> dict[str, Path]:
    return {path.stem: path for path in sorted(FOLDER.glob("*.csv"))}


def read_curves(path: Path) -> pd.DataFrame:
    table = read_table(path)
    numbers = {"step": "int64", "tokens": "int64", "margin": "float64"}
    return table.assign(margin=table["margin"].where(table["margin"] != "")).astype(numbers)
