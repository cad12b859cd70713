"""How a benchmark's numbers move with the temperature that logits are divided by before the softmax.

A temperature chosen for the best score on the evaluation data is an oracle's, and must be reported as such. Pairlens
shows the whole curve and keeps the headline at temperature 1.
"""

import math
from collections.abc import Callable, Iterable

import pandas as pd

from pairlens.analysis.summary import summarise_overall, written
from pairlens.errors import InputError
from pairlens.policies import Policy
from pairlens.types import Task

LOWEST = 1e-6
"""The BabyLM pipeline's lowest temperature: a softmax at 0 is undefined."""
_MOST = 1_000


def grid(lowest: float = 1.0, highest: float | None = None, step: float = 0.05) -> tuple[float, ...]:
    """The temperatures from `lowest` to `highest` (None: one), both included; InputError if there is no such grid."""
    _refuse_nonsense(lowest, highest, step)
    if highest is None:
        return (max(lowest, LOWEST),)
    n = math.floor((highest - lowest) / step + 1e-9) + 1
    return tuple(max(round(lowest + number * step, 9), LOWEST) for number in range(n))


def published_grid(lowest: float = 1.0, highest: float | None = None, step: float = 0.05) -> tuple[float, ...]:
    """The grid of the BabyLM 2025 pipeline, which may overshoot `highest` by one step: 1.0 to 1.3 ends at 1.35."""
    _refuse_nonsense(lowest, highest, step)
    if highest is None:
        return grid(lowest)
    n = math.ceil((highest + step - lowest) / step)
    return tuple(max(round(lowest + number * step, 9), LOWEST) for number in range(n))


def _refuse_nonsense(lowest: float, highest: float | None, step: float) -> None:
    top = lowest if highest is None else highest
    if not (0 <= lowest <= top < math.inf and 0 < step < math.inf):
        raise InputError(
            f"temperatures from {lowest:g} to {top:g} by {step:g} make no grid: "
            "take 0 <= min <= max and an interval above 0"
        )
    if (top - lowest) / step >= _MOST:
        raise InputError(f"more than {_MOST:,} temperatures: take a larger --temperature_interval")


def curve(
    candidates_at: Callable[[float], pd.DataFrame],
    temperatures: Iterable[float],
    task: Task,
    policy: Policy,
    rule: str = "",
) -> pd.DataFrame:
    """The headline of each metric at each temperature: a summary's columns, `temperature`, and `best`, in order.

    `best` marks, per metric, the first temperature with the highest value, which is chosen on the evaluation data.
    """
    rows = [
        summarise_overall(candidates_at(temperature), task, policy, rule).assign(temperature=temperature)
        for temperature in sorted(temperatures)
    ]
    table = pd.concat(rows, ignore_index=True)
    first = (
        table.dropna(subset=["value"]).sort_values("value", ascending=False, kind="stable").drop_duplicates("name")
    )
    return table.assign(best=table.index.isin(first.index))


def best(table: pd.DataFrame, otherwise: float) -> float:
    """The temperature of a curve at which its first metric is highest; `otherwise` if it has no value anywhere."""
    rows = table[table["best"] & (table["name"] == table["name"].iloc[0])]
    return float(rows["temperature"].iloc[0]) if len(rows) else otherwise


def in_words(rows: pd.DataFrame, scale: str) -> str:
    """The highest number of one metric's `curve`, which has one, and that at temperature 1."""
    best, usual = rows[rows["best"]].iloc[0], rows[rows["temperature"] == 1]["value"]
    at_one = f"; at 1 it is {written(usual.iloc[0], scale, 1)}" if len(usual) else ""
    return (
        f"Highest at temperature {best['temperature']:g}: {written(best['value'], scale, 1)}{at_one}. It was chosen "
        "on the evaluation data itself: whoever reports it has to say so."
    )
