"""Sentences about learning curves."""

from __future__ import annotations

import pandas as pd


def headline(points: pd.DataFrame, name: str) -> str:
    """The accuracy at the last moment, beside that of guessing. `points` is the table of `curves.shares`."""
    last = points[points["step"] == points["step"].max()]
    right, n = last["right"].sum(), last["n"].sum()
    read = _short(int(last["tokens"].iloc[0]))
    return f"After {read} tokens, {name} gets {right:g} of {n:g} pairs right; guessing would get {n / 2:g}."


def order(points: pd.DataFrame) -> str:
    """The groups in the order in which they were learnt; empty if none was."""
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
