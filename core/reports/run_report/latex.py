"""A metric of runs by group as a table for LaTeX, with the package booktabs."""

import math
from collections.abc import Sequence

import pandas as pd

from core.analysis.summary import OVERALL
from core.errors import PolicyError, StoreError, unknown
from core.files.exports.latex import escaped, number, table
from core.metrics import METRICS
from core.runs.result import Result, by_paradigm, labels

_UNITS = {"share": "per cent", "bits": "bits"}
"""By scale, where numbers have a unit."""


def latex_table(results: Sequence[Result], metric: str = "", *, decimal: str = ".") -> str:
    """Value and 95 % interval of each run by the task's main group, the whole in the last row; all of one task.

    `metric` is by default the headline's; shares are in per cent. What a run has no number for is a dash. Raises
    StoreError for runs of different tasks, PolicyError for a metric that a run has not.
    """
    names = results[0].metrics["name"].unique().tolist()
    if len({(result.task.name, result.rule) for result in results}) > 1:
        raise StoreError("One table holds runs of one task: leave out the others, or write a table for each.")
    chosen = metric or names[0]
    if chosen not in names:
        raise PolicyError(unknown("metric of these runs", chosen, names))
    columns = [_numbers(result, chosen) for result in results]
    groups = list(dict.fromkeys(name for column in columns for name in column.index if name))
    rows = [_row(name.replace("_", " "), name, columns, chosen, decimal) for name in groups]
    whole = _row(_overall(results[0], chosen), "", columns, chosen, decimal)
    return _set(results, chosen, rows, whole)


def _numbers(result: Result, metric: str) -> pd.DataFrame:
    """Value, low and high by group; the whole has the empty name."""
    overall = result.metrics[(result.metrics["name"] == metric) & (result.metrics["group_by"] == OVERALL)].head(1)
    rows = pd.concat([by_paradigm(result, metric), overall.assign(group="")])
    return rows.drop_duplicates("group").set_index("group")[["value", "low", "high"]]


def _overall(result: Result, metric: str) -> str:
    return "Mean" if METRICS[metric].averages and result.task.averaged else "All items"


def _row(title: str, name: str, columns: Sequence[pd.DataFrame], metric: str, decimal: str) -> str:
    cells = [cell for column in columns for cell in _cells(column, name, METRICS[metric].scale, decimal)]
    return rf"{escaped(title)} & {' & '.join(cells)} \\"


def _cells(column: pd.DataFrame, name: str, scale: str, decimal: str) -> tuple[str, str]:
    factor, digits = (100, 1) if scale == "share" else (1, 2)
    numbers = dict(zip(column.index, column.to_numpy(float).tolist(), strict=True))
    value, low, high = (factor * one for one in numbers.get(name, [math.nan] * 3))
    apart = "; " if decimal == "," else ", "
    bounds = f"[{number(low, digits, decimal)}{apart}{number(high, digits, decimal)}]"
    return number(value, digits, decimal), "--" if math.isnan(low) or math.isnan(high) else bounds


def _set(results: Sequence[Result], metric: str, rows: Sequence[str], whole: str) -> str:
    models = " & ".join(rf"\multicolumn{{2}}{{c}}{{{escaped(name)}}}" for name in labels(results))
    rules = " ".join(rf"\cmidrule(lr){{{2 + 2 * place}-{3 + 2 * place}}}" for place in range(len(results)))
    unit = _UNITS.get(METRICS[metric].scale)
    title = METRICS[metric].title + (f" ({unit})" if unit else "")
    heads = " & ".join(["Value", "95\\,\\% interval"] * len(results))
    head = [r"\toprule", rf" & {models} \\", rules, rf"{escaped(results[0].main_group)} & {heads} \\", r"\midrule"]
    caption = escaped(f"{results[0].task.title}: {title}, {_over(results, metric)}")
    layout = f"{{l{'rc' * len(results)}}}"
    body = [*rows, r"\midrule", whole, r"\bottomrule"] if rows else [whole, r"\bottomrule"]
    return table(layout, head, body, caption, n_rows=len(rows))


def _over(results: Sequence[Result], metric: str) -> str:
    """What the intervals are over, and what ties count where items are decided, which may differ from run to run."""
    metrics = results[0].metrics
    over = f"intervals over {metrics.loc[metrics['name'] == metric, 'over'].iloc[0]}"
    ties = " / ".join(dict.fromkeys(result.policy.ties for result in results))
    return f"{over}, ties count {ties}" if METRICS[metric].averages else over
