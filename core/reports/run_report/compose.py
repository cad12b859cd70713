"""What a report of runs says, in words: what was found, which runs can stand side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from core.analysis.summary import headlines, summary_in_words
from core.errors import StoreError
from core.reports.run_comparison.two_runs import against, grounds, verdict
from core.results.printed import Numerals
from core.runs.result import Result, labels


@dataclass(frozen=True)
class ComparedPair:
    """Two runs on the same items: the rows of their comparison, the verdict, what stands behind it."""

    rows: pd.DataFrame
    verdict: str
    grounds: str


def by_task(results: Sequence[Result]) -> list[list[Result]]:
    """Runs of the same task and rule together: their numbers share an axis."""
    found: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        found.setdefault((result.task.name, result.rule), []).append(result)
    return list(found.values())


def finding(result: Result, numerals: Numerals) -> str:
    """The headline in words."""
    return _sentence(result, result.metrics.iloc[0], numerals)


def further(result: Result, numerals: Numerals) -> list[str]:
    """The other metrics in words, and what is wrong with texts."""
    said = [_sentence(result, row, numerals) for _, row in headlines(result.metrics).iloc[1:].iterrows()]
    return [*said, *filter(None, [result.manifest.get("faults")])]


def _sentence(result: Result, row: pd.Series, numerals: Numerals) -> str:
    said = numerals(summary_in_words(row, result.task.clusters))
    return f"{said[:1].upper()}{said[1:]}."


def paired(results: Sequence[Result], numerals: Numerals) -> ComparedPair | str:
    """Two runs compared item by item, or why they cannot be; empty for another number of runs."""
    if len(results) != 2:
        return ""
    first, second = results
    name = first.metrics["name"].iloc[0]
    try:
        rows = against(first, second, name)
    except StoreError as reason:
        return str(reason)
    ours, theirs = labels(results)
    said = numerals(verdict(rows, (ours, theirs), name, first.task.clusters))
    return ComparedPair(rows, said, numerals(grounds(rows, name, first.task.clusters)))
