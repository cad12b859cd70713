"""What learning curves show, in words."""

from __future__ import annotations

import pandas as pd


def headline(points: pd.DataFrame, name: str) -> str:
    """What the model gets right at the last moment, and what guessing would. `points` is that of `curves.shares`."""
    last = points[points["step"] == points["step"].max()]
    right, n = last["right"].sum(), last["n"].sum()
    read = _short(int(last["tokens"].iloc[0]))
    return f"After {read} pieces of words {name} gets {right:g} of {n:g} pairs right; guessing would get {n / 2:g}."


def order(points: pd.DataFrame) -> str:
    """Which groups were learnt when, the first one first; empty if none was."""
    groups = dict.fromkeys(points["group"])
    learnt = sorted((tokens, group) for group in groups if (tokens := learnt_at(points, group)) is not None)
    said = ", ".join(f"{group} from {_short(tokens)} on" for tokens, group in learnt)
    return f"Nine in ten right: {said}." if learnt else ""


def learnt_at(points: pd.DataFrame, group: str, level: float = 0.9) -> int | None:
    """The tokens read at the first moment from which on a group stays at or above a share; None if it does not."""
    own = points[points["group"] == group].sort_values("step")
    below = own["value"] < level
    after = own[~below.iloc[::-1].cummax().iloc[::-1]]
    return None if after.empty else int(after["tokens"].iloc[0])


def _short(tokens: int) -> str:
    """A number of tokens in two digits: `940`, `94 thousand`, `3.1 million`."""
    rounded = round(tokens, min(0, 2 - len(str(tokens))))
    if rounded >= 1_000_000:
        return f"{rounded / 1e6:g} million"
    return f"{rounded / 1e3:g} thousand" if rounded >= 1_000 else f"{rounded}"
