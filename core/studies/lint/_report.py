"""The results of the checks, as tables and as sentences."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from core.studies.lint._check import COLUMNS, SEVERITIES, Check, Found

FINDINGS = {"check": "str", "severity": "str"} | COLUMNS
SUMMARY = {"check": "str", "title": "str", "severity": "str", "n": "int64", "share": "float64", "meaning": "str"}
_PLACES, _WHATS = 8, 4
"""Places, or descriptions of the set as a whole, named in one sentence."""


@dataclass(frozen=True)
class LintReport:
    """What was found, errors first.

    `findings`: one row per finding (FINDINGS), at most `core.studies.lint._check.KEPT` per check; `item` is empty and
    `row` missing where a finding concerns the set as a whole; `row` is that of the item in its file
    (`core.files.tables.row_numbers`), or counts items in reading order, from 1. `summary`:
    one row per check that applied (SUMMARY), with the number `n` of all its findings and their `share` (0 to 1).
    """

    found: tuple[tuple[Check, Found], ...]
    several_files: bool = False

    @property
    def findings(self) -> pd.DataFrame:
        """One row per finding that was kept."""
        tables = [one.table.assign(check=check.name, severity=check.severity) for check, one in self.found if one.n]
        return pd.concat([pd.DataFrame(columns=[*FINDINGS]), *tables], ignore_index=True).astype(FINDINGS)

    @property
    def summary(self) -> pd.DataFrame:
        """One row per check that applied."""
        rows = [
            (check.name, check.title, check.severity, one.n, one.n / one.of if one.of else 0.0, check.meaning)
            for check, one in self.found
        ]
        return pd.DataFrame(rows, columns=[*SUMMARY]).astype(SUMMARY)

    @property
    def n_errors(self) -> int:
        """The number of checks that found an error."""
        return sum(check.severity == SEVERITIES[0] and one.n > 0 for check, one in self.found)

    def in_words(self) -> list[str]:
        """One sentence per check that found something, with the places."""
        return [f"{one.sentence}{self._where(one)}." for _, one in self.found if one.n]

    def _where(self, found: Found) -> str:
        """Places in brackets, or, after a colon, descriptions of the set as a whole."""
        table = found.table
        if not table["item"].any() and (self.several_files or table["row"].isna().any()):
            more = found.n - _WHATS
            return ": " + "; ".join([*table["what"].head(_WHATS), *([f"and {more:,} more"] if more > 0 else [])])
        key = "item" if table["item"].any() else "row"
        places = table.drop_duplicates(key).head(_PLACES)
        more = found.n - int(table[key].isin(places[key]).sum())
        return f" ({self._named(places)}" + (f" and {more:,} more)" if more else ")")

    def _named(self, places: pd.DataFrame) -> str:
        """Items by number within their file, `passive_1: 324, 810`; by row if there is one file, else by name."""
        if self.several_files:
            parted = places["item"].str.rpartition("_")
            by_file = parted[2].groupby(parted[0], sort=False).agg(", ".join)
            return "; ".join(f"{file}: {numbers}" for file, numbers in by_file.items())
        by_row = places["row"].notna().all()
        names = [f"{row:,}" for row in places["row"]] if by_row else places["item"].tolist()
        return f"{'row' if by_row else 'item'}{'s' if len(names) > 1 else ''} {', '.join(names)}"
