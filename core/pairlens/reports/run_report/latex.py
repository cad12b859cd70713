"""A metric of runs by group as a table for LaTeX, with the package booktabs."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens.analysis.summary import OVERALL
from pairlens.errors import PolicyError, StoreError, unknown
from pairlens.evaluation.result import Run, by_paradigm, labels
from pairlens.files.exports.latex import escaped, number, table
from pairlens.metrics import METRICS

_UNITS = {"share": "per cent", "bits": "bits"}
"""By scale, where numbers have a unit."""


def latex_table(results: Sequence[Run], metric: str = "", *, decimal: str = ".") -> str:
    """Value and 95 % interval of each run by the task's main group, the whole last; all of one task, shares in per
    cent.

    `metric` is by default the headline's. StoreError for runs of different tasks, PolicyError for an unknown metric.
    """
    names = results[0].metrics["name"].unique().tolist()
    if len({(result.task.name, result.rule) for result in results}) > 1:
        raise StoreError("One table holds runs of one task: leave out the others, or write a table for each.")
    chosen = metric or names[0]
    if chosen not in names:
        raise PolicyError(unknown("metric of these runs", chosen, names))
    columns = [_numbers(result, chosen) for result in results]
    groups = list(dict.fromkeys(name for column in columns for name in column.index if name))
    whole = "Mean" if METRICS[chosen].averages and results[0].task.averaged else "All items"
    titles = [*(name.replace("_", " ") for name in groups), whole]
    numbers = [column.reindex([*groups, ""]).to_numpy(float) for column in columns]
    cells = [
        [cell for each in row for cell in _cells(each, METRICS[chosen].scale, decimal)]
        for row in zip(*numbers, strict=True)
    ]
    rows = [rf"{' & '.join([escaped(title), *row])} \\" for title, row in zip(titles, cells, strict=True)]
    return _set(results, chosen, rows)


def _numbers(result: Run, metric: str) -> pd.DataFrame:
    """Value, low and high by group; the whole has the empty name."""
    overall = result.metrics[(result.metrics["name"] == metric) & (result.metrics["group_by"] == OVERALL)].head(1)
    rows = pd.concat([by_paradigm(result, metric), overall.assign(group="")])
    return rows.drop_duplicates("group").set_index("group")[["value", "low", "high"]]


def _cells(numbers: NDArray[np.float64], scale: str, decimal: str) -> tuple[str, str]:
    factor, digits = (100, 1) if scale == "share" else (1, 2)
    value, low, high = (number(each, digits, decimal) for each in factor * numbers)
    apart = "; " if decimal == "," else ", "
    return value, "--" if np.isnan(numbers[1:]).any() else f"[{low}{apart}{high}]"


def _set(results: Sequence[Run], metric: str, rows: Sequence[str]) -> str:
    models = " & ".join(rf"\multicolumn{{2}}{{c}}{{{escaped(name)}}}" for name in labels(results))
    rules = " ".join(rf"\cmidrule(lr){{{2 + 2 * place}-{3 + 2 * place}}}" for place in range(len(results)))
    unit = _UNITS.get(METRICS[metric].scale)
    title = METRICS[metric].title + (f" ({unit})" if unit else "")
    heads = " & ".join(["Value", "95\\,\\% interval"] * len(results))
    head = [r"\toprule", rf" & {models} \\", rules, rf"{escaped(results[0].main_group)} & {heads} \\", r"\midrule"]
    caption = escaped(f"{results[0].task.title}: {title}, {_over(results, metric)}")
    layout = f"{{l{'rc' * len(results)}}}"
    body = [*rows[:-1], *([r"\midrule"] if rows[1:] else []), rows[-1], r"\bottomrule"]
    return table(layout, head, body, caption, n_rows=len(rows) - 1)


def _over(results: Sequence[Run], metric: str) -> str:
    """What the intervals are over, and what ties count where items are decided, which may differ from run to run."""
    metrics = results[0].metrics
    over = f"intervals over {metrics.loc[metrics['name'] == metric, 'over'].iloc[0]}"
    ties = " / ".join(dict.fromkeys(result.policy.ties for result in results))
    return f"{over}, ties count {ties}" if METRICS[metric].averages else over
